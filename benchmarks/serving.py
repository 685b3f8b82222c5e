"""Response times of `parlour serve` while many games are played at the same time, each against `greedy`.

python benchmarks/serving.py [--games 50] [--plies 20] [--game checkers-v0]

In every game a simulated person clicks one second after each answer. The times are those of answers to clicks; they
include the ply of `greedy` if it is played within that time. ``processor_ms`` is the server's processor time per
answer, with all other pages that were requested. It is the better figure if other work runs on the machine. Linux only.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from html import unescape
from pathlib import Path

import click
import httpx

PAUSE = 1.0
"""Seconds between an answer and the next click."""
PLACES = re.compile(r'class="area can"[^>]* data-clicks="([^"]*)"')
BUTTONS = re.compile(r'<button[^>]* data-clicks="([^"]*)"')
STATE = re.compile(r'data-version="(\d+)" data-ply="(\d+)"')


async def play(client: httpx.AsyncClient, game: str, plies: int, number: int) -> list[float]:
    """Plays one person's game. Returns the seconds that each answer took."""
    await asyncio.sleep(PAUSE * number / 50)
    answer = await client.post(f"/new/{game}", data={"seat-0": "person", "seat-1": "greedy", "seed": str(number)})
    address, page, times = answer.headers["location"], "", []
    for _ in range(2 * plies):
        await asyncio.sleep(PAUSE)
        page = page if PLACES.search(page) else (await client.get(f"{address}/table")).text
        found = PLACES.findall(page) + BUTTONS.findall(page)
        state = STATE.search(page)
        if not found or state is None:
            continue
        form = {"clicks": unescape(found[number % len(found)]), "version": state[1], "ply": state[2]}
        began = time.perf_counter()
        page = (await client.post(f"{address}/click", data=form)).raise_for_status().text
        times.append(time.perf_counter() - began)
    return times


def processor_seconds(process: int) -> float:
    """The processor time that a process has used (proc(5), utime and stime)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(address: str, server: int, games: int, plies: int, game: str) -> tuple[list[float], float]:
    """The seconds of all answers in all games, and the processor time of the process ``server``."""
    headers = {"origin": address}
    limits = httpx.Limits(max_connections=games)
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60, limits=limits) as client:
        for _ in range(300):
            try:
                await client.get("/")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.2)
        await play(client, game, 1, 0)  # a warm-up: compiles the rules
        before = processor_seconds(server)
        found = await asyncio.gather(*(play(client, game, plies, number) for number in range(games)))
    return [seconds for times in found for seconds in times], processor_seconds(server) - before


@click.command()
@click.option("--games", type=int, default=50, show_default=True, help="Games played at the same time.")
@click.option(
    "--plies", type=int, default=20, show_default=True, help="Turns of the person in each game, of two clicks."
)
@click.option("--game", default="checkers-v0", show_default=True, help="The game's id.")
def main(games: int, plies: int, game: str) -> None:
    """Prints the median and the 95th percentile of the answer times, in milliseconds, as JSON."""
    with socket.socket() as found, tempfile.TemporaryDirectory() as data:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
        found.close()
        command = [sys.executable, "-m", "parlour", "serve", "--no-open", "--port", str(port), "--data", data]
        server = subprocess.Popen(command)
        try:
            address = f"http://127.0.0.1:{port}"
            times, used = asyncio.run(measure(address, server.pid, games, plies, game))
        finally:
            server.terminate()
            server.wait()
    times.sort()
    figures = {
        "game": game,
        "games": games,
        "answers": len(times),
        "median_ms": round(1000 * statistics.median(times), 1),
        "p95_ms": round(1000 * times[int(0.95 * len(times))], 1),
        "processor_ms": round(1000 * used / len(times), 1),
    }
    click.echo(json.dumps(figures))


if __name__ == "__main__":
    main()
