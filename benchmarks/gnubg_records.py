"""Matches and positions here and in GNU Backgammon: what one writes, the other reads.

    python benchmarks/gnubg_records.py [--games 200] [--seed 0]

On Debian, ``apt-get install gnubg``. Games of random and greedy play are written as .mat and as .sgf, loaded by GNU
Backgammon, written by it in the other form, and read back: throws, board and result must be the same after each turn.
Then GNU Backgammon plays games with itself, and both forms of them are read. Of 200 positions the XGID that is written
here is compared with GNU Backgammon's IDs. It stops at the first difference.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from pathlib import Path

import click
from gnubg_program import command

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


def ordered(text: str) -> str:
    """A command as a line of a script."""
    return f"gnubg.command({text!r})"


def output_of(*lines: str) -> str:
    """What GNU Backgammon prints for a script. FileNotFoundError if it is not installed."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write("\n".join(["import gnubg", *lines, ""]))
        script.flush()
        call = command(Path(script.name))
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
        output_of(ordered(f'{load} "{folder / f"here{ending}"}"'), ordered(f'{save} "{folder / f"there{back}"}"'))
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
    commands += [f'export match mat "{folder / "theirs.mat"}"', f'save match "{folder / "theirs.sgf"}"']
    output_of(*map(ordered, commands))
    both = [read_records(folder / f"theirs{ending}", strict=True) for ending in (".mat", ".sgf")]
    for number, (mat, sgf) in enumerate(zip(*both, strict=True), 1):
        if course(mat) != course(sgf) or mat.result() != sgf.result():
            raise SystemExit(f"GNU Backgammon's game {number} differs between its .mat and its .sgf")
    click.echo(f"{len(both[0])} games of GNU Backgammon: read from .mat and from .sgf: the same")


def compare_ids(records: list[GameRecord], most: int) -> None:
    """XGIDs from here, and what GNU Backgammon calls these positions."""
    texts = [text for record in records for text in course(record)[:-1]][:most]
    lines = [line for text in texts for line in (ordered(f"set xgid {text}"), NAMED)]
    printed = output_of(ordered("set confirm new off"), *lines).splitlines()
    ids = [line.split()[1:] for line in printed if line.startswith("ID ")]
    env = parlour.make(GAME).unwrapped
    for text, (position, match) in zip(texts, ids, strict=True):
        env.reset(seed=0, options={"position": text})
        here, dice = env.position("gnubg").partition(":")[0], sorted(env.dice)
        env.reset(seed=0, options={"position": f"{position}:{match}"})
        if position != here or sorted(env.dice) != dice or env.position("gnubg").partition(":")[0] != here:
            raise SystemExit(f"{text} is {position}:{match} in GNU Backgammon, and {here} here")
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
