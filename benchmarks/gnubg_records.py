"""Matches and positions here and in GNU Backgammon: what one writes, the other reads.

    python benchmarks/gnubg_records.py [--games 200] [--seed 0]

On Debian, ``apt-get install gnubg``. Games of random and greedy play are written as .mat and as .sgf, loaded by GNU
Backgammon, written by it in the other form, and read back: throws, board and result must be the same after each turn.
Then GNU Backgammon plays games with itself, and both forms of them are read. Of 200 positions the XGID that is written
here is compared with GNU Backgammon's IDs. It stops at the first difference.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from pathlib import Path

import click

import parlour
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.records import read_records, write_records
from parlour.records.replaying import replay

GAME = "backgammon-v0"
SETTINGS = (
    "set display off", "set player 0 gnubg", "set player 1 gnubg", "set automatic game off", "set automatic roll on",
    "set automatic move on", "set automatic bearoff on", "set confirm new off", "set confirm save off",
    *(f"set player {k} {what} evaluation plies 0" for k in (0, 1) for what in ("chequerplay", "cubedecision")),
)  # fmt: skip
NAMED = 'print("\\nID", gnubg.positionid(), gnubg.matchid())'
"""What prints both IDs."""
TURNS = 400
"""The commands "play" of a game of GNU Backgammon's own: more than it has turns."""


def ordered(command: str) -> str:
    """A command as a line of a script."""
    return f"gnubg.command({command!r})"


def told(*lines: str) -> str:
    """What GNU Backgammon prints for a script. FileNotFoundError if it is not installed."""
    program = shutil.which("gnubg", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        raise FileNotFoundError("no program gnubg; on Debian, apt-get install gnubg")
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write("\n".join(["import gnubg", *lines, ""]))
        script.flush()
        call = [program, "-t", "-q", "-p", script.name]
        done = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return done.stdout


def played(seed: int) -> GameRecord:
    """A game of random plies, and of greedy ones in every other."""
    env, rng = parlour.make(GAME).unwrapped, random.Random(seed)
    greedy = parse_player("greedy", find(GAME))
    env.reset(seed=seed)
    while not env.is_over():
        best = seed % 2 and rng.random() < 0.8
        env.step(env.ask(greedy) if best else int(rng.choice(env.games.action_mask[0].nonzero()[0])))
    record: GameRecord = env.record(["Ann", "Bob"])
    return record


def course(record: GameRecord) -> list[str]:
    """The position at every start of a turn, the throw included, without plies; then the end."""
    texts = []
    for env in replay(record, "game"):
        if env.games.states["turn_over"][0] and not env.is_over():
            texts.append(env.position("xgid"))
    return [*texts, record.end]


def compare_written(folder: Path, games: int, seed: int) -> None:
    """Games from here are read there and come back in the other form."""
    records = [played(seed + k) for k in range(games)]
    courses = list(map(course, records))
    for ending, load, back, save in (
        (".mat", "import mat", ".sgf", "save match"), (".sgf", "load match", ".mat", "export match mat"),
    ):  # fmt: skip
        write_records(folder / f"here{ending}", records)
        told(ordered(f'{load} "{folder / f"here{ending}"}"'), ordered(f'{save} "{folder / f"there{back}"}"'))
        again = read_records(folder / f"there{back}", strict=True)
        for number, (record, expected) in enumerate(zip(again, courses, strict=True), 1):
            if course(record) != expected:
                raise SystemExit(f"game {number} from {ending} by {back} is another one")
        click.echo(f"{games} games: written as {ending}, read by GNU Backgammon, written as {back}, read: the same")


def compare_read(folder: Path, games: int, seed: int) -> None:
    """Games from there are read here, in both forms, and are the same."""
    commands = [*SETTINGS, f"set seed {seed + 1}", "new session"]
    for _ in range(games):
        commands += ["new game", *["play"] * TURNS]
    commands += [f'export match mat "{folder / "own.mat"}"', f'save match "{folder / "own.sgf"}"']
    told(*map(ordered, commands))
    both = [read_records(folder / f"own{ending}", strict=True) for ending in (".mat", ".sgf")]
    for number, (one, other) in enumerate(zip(*both, strict=True), 1):
        if course(one) != course(other) or one.result() != other.result():
            raise SystemExit(f"GNU Backgammon's game {number} differs between its .mat and its .sgf")
    click.echo(f"{len(both[0])} games of GNU Backgammon: read from .mat and from .sgf: the same")


def compare_ids(records: list[GameRecord], most: int) -> None:
    """XGIDs from here, and what GNU Backgammon calls these positions."""
    texts = [text for record in records for text in course(record)[:-1]][:most]
    lines = [line for text in texts for line in (ordered(f"set xgid {text}"), NAMED)]
    found = [
        line.split()[1:] for line in told(ordered("set confirm new off"), *lines).splitlines() if line[:3] == "ID "
    ]
    env = parlour.make(GAME).unwrapped
    for text, (position, match) in zip(texts, found, strict=True):
        env.reset(seed=0, options={"position": text})
        own, dice = env.position("gnubg").partition(":")[0], sorted(env.dice)
        env.reset(seed=0, options={"position": f"{position}:{match}"})
        if position != own or sorted(env.dice) != dice or env.position("gnubg").partition(":")[0] != own:
            raise SystemExit(f"{text} is {position}:{match} in GNU Backgammon, and {own} here")
    click.echo(f"{len(texts)} positions: the same by XGID and by GNU Backgammon's IDs")


@click.command()
@click.option("--games", default=200, help="How many games of each kind.")
@click.option("--seed", default=0, help="The first seed.")
def main(games: int, seed: int) -> None:
    """Compares records and positions with GNU Backgammon."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare_written(folder, games, seed)
        compare_read(folder, games, seed)
        compare_ids([played(seed + k) for k in range(4)], 200)


if __name__ == "__main__":
    main()
