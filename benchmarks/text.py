"""Games in words: plies a second on one core, and the memory of many games, in Checkers with random legal moves; beside
TextArena's Checkers where that is installed (`pip install textarena`), which knows no compulsory captures and finds no
legal moves. Then sessions of the OpenEnv server, where that is installed: how long a step takes, and how late the event
loop is.

python benchmarks/text.py [--plies 10000] [--games 1000] [--sessions 64]
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import random
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from typing import Any

import click
import numpy as np
from peers import show, table

from parlour.text import TextBatch, TextGame

MAX_PLIES, PORT, STEPS = 200, 8543, 30


def first_words(message: str) -> list[str]:
    """The legal moves that a message lists."""
    return message.partition("Legal moves: ")[2].partition("\n")[0].split()


def own_games(rng: random.Random) -> Iterator[float]:
    """Games in which every seat replies, one after another: the processor time of each ply, in seconds."""
    game = TextGame("checkers-v0", seat="all", rules="none", max_plies=MAX_PLIES)
    while True:
        begun = time.process_time()
        message, spent = game.reset(seed=rng.getrandbits(32)), time.process_time() - begun
        while not game.done:
            choice = rng.choice(first_words(message))
            begun = time.process_time()
            message = game.step(choice).text
            yield spent + time.process_time() - begun
            spent = 0.0


def textarena_games(rng: random.Random) -> Iterator[float]:
    """The same with TextArena's Checkers; the benchmark finds the moves that it allows, which is not counted."""
    from textarena.envs.Checkers.env import CheckersEnv

    while True:
        begun = time.process_time()
        env = CheckersEnv(max_turns=MAX_PLIES)
        env.reset(num_players=2)
        spent, done = time.process_time() - begun, False
        while not done and (moves := allowed(env)):
            text = f"[{' '.join(map(str, rng.choice(moves)))}]"
            begun = time.process_time()
            env.get_observation()
            try:
                done, _ = env.step(text)
            except TypeError:  # version 0.7.4 raises it where a seat has no move left
                done = True
            yield spent + time.process_time() - begun
            spent = 0.0


def allowed(env: Any) -> list[tuple[int, int, int, int]]:
    """The moves that TextArena allows."""
    seat, board = env.state.current_player_id, env.state.game_state["board"]
    return [
        (row, column, row + down, column + right)
        for row in range(8)
        for column in range(8)
        if board[row][column].lower() == "rb"[seat]
        for down in (-2, -1, 1, 2)
        for right in (-abs(down), abs(down))
        if env._is_valid_move(seat, row, column, row + down, column + right)
    ]


def rate(times: Iterator[float], plies: int) -> float:
    """Plies a second of processor time; the first hundred are not counted."""
    for _ in range(100):
        next(times)
    return plies / sum(next(times) for _ in range(plies))


def many_games(games: int, steps: int) -> tuple[float, float]:
    """Plies a second of ``games`` games side by side against `random`, and the most memory of the process, in MB."""
    batch, rng = TextBatch("checkers-v0", games, rules="none"), random.Random(0)
    messages, spent, plies = batch.reset(seed=0), 0.0, 0
    for _ in range(steps):
        replies = [None if batch.done(row) else rng.choice(first_words(text)) for row, text in enumerate(messages)]
        begun = time.process_time()
        answers = batch.step(replies)
        spent += time.process_time() - begun
        plies += 2 * sum(answer is not None for answer in answers)  # the opponent plays as many
        messages = [text if answer is None else answer.text for text, answer in zip(messages, answers)]
    return plies / spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def played_session(number: int, pause: float) -> list[float]:
    """Plays one session of the server; the seconds of each step. ``pause``: the mean seconds before each."""
    from websockets.asyncio.client import connect

    rng, seconds = random.Random(number), []
    await asyncio.sleep(rng.random())
    async with connect(f"ws://127.0.0.1:{PORT}/ws", max_size=None) as socket:

        async def ask(kind: str, **data: Any) -> Any:
            begun = time.perf_counter()
            await socket.send(json.dumps({"type": kind, "data": data}))
            answer = json.loads(await socket.recv())
            seconds.append(time.perf_counter() - begun)
            return answer["data"]

        answer = await ask("reset", seed=number)
        for _ in range(STEPS):
            await asyncio.sleep(2 * pause * rng.random())
            if answer["done"]:
                answer = await ask("reset")
            answer = await ask("step", reply=rng.choice(first_words(answer["observation"]["text"])))
    return seconds[1:]


def played_sessions(sessions: int, pause: float) -> list[float]:
    """Plays sessions side by side, in a process of its own."""

    async def together() -> list[list[float]]:
        return await asyncio.gather(*(played_session(number, pause) for number in range(sessions)))

    return [second for session in asyncio.run(together()) for second in session]


async def serve_sessions(opponent: str, sessions: int, pause: float) -> tuple[list[float], list[float]]:
    """The seconds of all steps against an opponent, and how many the event loop was late at each look at the clock."""
    import uvicorn

    from parlour.text.adapters.openenv import make_app

    app = make_app(partial(TextGame, "checkers-v0", opponent=opponent), sessions, ThreadPoolExecutor(2))
    server = uvicorn.Server(uvicorn.Config(app, port=PORT, log_level="warning"))
    serving, late = asyncio.create_task(server.serve()), []
    while not server.started:
        await asyncio.sleep(0.01)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        playing = asyncio.get_running_loop().run_in_executor(process, played_sessions, sessions, pause)
        while not playing.done():
            begun = time.perf_counter()
            await asyncio.sleep(0.002)
            late.append(time.perf_counter() - begun - 0.002)
        server.should_exit = True
        await serving
        return await playing, late


def show_sessions(sessions: int) -> None:
    """Prints what the sessions of a server take."""
    grid = table(f"OpenEnv, {sessions} sessions", "opponent, pause", "step: median, 95 %", "loop late: 99 %, 99.9 %")
    for opponent, pause in (("greedy", 0.1), ("greedy", 0.0), ("mcts:300", 0.5)):
        steps, late = asyncio.run(serve_sessions(opponent, sessions, pause))
        quantiles = [*np.quantile(steps, [0.5, 0.95]), *np.quantile(late, [0.99, 0.999])]
        cells = [f"{1000 * seconds:.0f} ms" for seconds in quantiles]
        grid.add_row(f"{opponent}, {pause:g} s", ", ".join(cells[:2]), ", ".join(cells[2:]))
    show(grid)


@click.command()
@click.option("--plies", default=10_000, show_default=True, help="Plies of each measurement.")
@click.option("--games", default=1000, show_default=True, help="Games side by side.")
@click.option("--steps", default=30, show_default=True, help="Steps of the games side by side.")
@click.option("--sessions", default=64, show_default=True, help="Sessions of the server; 0: none.")
def main(plies: int, games: int, steps: int, sessions: int) -> None:
    """Prints tables."""
    grid = table("Checkers in words, one core", "process", "plies a second", "MB")
    many, memory = many_games(games, steps)
    grid.add_row(f"TextBatch, {games} games", f"{many:,.0f}", f"{memory:,.0f}")
    grid.add_row("TextGame", f"{rate(own_games(random.Random(0)), plies):,.0f}", "")
    try:
        other = f"{rate(textarena_games(random.Random(0)), plies):,.0f}"
    except (ImportError, SyntaxError) as error:  # version 0.7.4 is no Python 3.11
        other = f"not measured: {error!r:.60}"
    grid.add_row("TextArena", other, "")
    show(grid)
    try:
        if sessions:
            show_sessions(sessions)
    except ImportError as error:
        print(f"OpenEnv: not measured: {error}")


if __name__ == "__main__":
    main()
