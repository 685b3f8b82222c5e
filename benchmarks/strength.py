"""The search engine compared with that of an earlier version: its Elo with the same thinking time, and the time of a
search to the same depth.

The earlier version runs in a process with its own interpreter, which gets an opening and the moves since (in a game
with dice, the position):

    git worktree add ../earlier v0.1.0 && python -m venv ../earlier/.venv && ../earlier/.venv/bin/pip install ../earlier
    python benchmarks/strength.py match --python ../earlier/.venv/bin/python [--log swords.jsonl]
    python benchmarks/strength.py depth --python ../earlier/.venv/bin/python

With ``--network FILE`` the engine values positions by a value network, such as the champion's in a game's folder.

Both use one thread. Times are processor time, so other work on the machine has little influence. In version 0.1.0
`expectimax` takes no time limit, only a depth: it plays at the greatest depth whose mean time per ply is within the
limit, on positions from all stages of games. Its mean time in the match is printed. Each pair of games begins after
some random plies and is played with the seats exchanged. Pairs with exactly the same moves are counted once.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from paired_games import (
    Mover,
    Pair,
    distinct,
    elo_of,
    elo_text,
    midgames,
    mover,
    note_pair,
    opening,
    play_pair,
    plies_limit,
    resumed_pairs,
    score_of,
    stages,
)
from peers import show
from rich.table import Table as Grid

from parlour.engine.compiled import game_digest
from parlour.files import sha256_of
from parlour.players import GamesView
from parlour.registry import find
from parlour.search.expectimax import Expectimax
from parlour.value import ValueNetwork, load

GAMES = ("swords_and_shields-v0", "checkers-v0", "agon-v0")
CALIBRATING, APART = 24, 6
"""How the earlier version's depth is found: the number of positions, one per game; each is taken so many plies later in
its game than the one before."""
MAX_DEPTH = 20
SHOWN = 10
"""The score is printed again after this many pairs."""

EARLIER = """
import json, sys, time
import numpy as np, parlour
from parlour.players import parse_player
games, players = {}, {}
for line in sys.stdin:
    asked = json.loads(line)
    key = asked["game"], asked["variant"], asked["max_plies"]
    if key not in games:
        games[key] = parlour.make(key[0], variant=key[1], max_plies=key[2])
    env = games[key]
    env.reset(seed=asked["seed"], options={"position": asked["position"]})
    for move in asked["moves"]:
        env.step(env.parse_move(move))
    player = players.setdefault((key, asked["player"]), parse_player(asked["player"]))
    actions, rows = np.zeros(1, np.int64), np.ones(1, np.bool_)
    env.table.show()
    began = time.thread_time()
    player.choose(env.table, rows, actions)
    seconds = time.thread_time() - began
    print(json.dumps({"move": env.move_name(int(actions[0])), "seconds": seconds}), flush=True)
"""
"""The program that the earlier version's interpreter runs."""


@dataclass
class Earlier:
    """The earlier version, in its own process."""

    process: Any
    seconds: list[float] = field(default_factory=list)
    """the thinking time of every answer"""

    def move(self, start: Any, moves: tuple[str, ...], player: str, seed: int) -> str:
        """The move that the earlier version's ``player`` chooses after ``moves`` from the position ``start``."""
        game = start.games.game.id
        asked = {
            "game": game, "variant": start.variant, "max_plies": plies_limit(game), "seed": seed,
            "position": start.position(), "moves": moves, "player": player,
        }  # fmt: skip
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.seconds.append(answer["seconds"])
        return str(answer["move"])

    def mover(self, start: Any, player: str) -> Mover:
        """The earlier version's ``player`` as a `Mover`, for games from the position ``start``. In a game with dice it
        gets each position instead of the moves before, after which it would throw other dice."""
        if start.games.game.rules.DICE:
            return lambda env, moves: env.parse_move(self.move(env, (), player, len(moves)))
        return lambda env, moves: env.parse_move(self.move(start, moves, player, len(moves)))

    def mean_seconds(self, envs: list[Any], player: str) -> float:
        """The mean thinking time of a player in some positions."""
        self.move(envs[0], (), player, 0)  # may compile, and is not counted
        self.seconds.clear()
        for env in envs:
            self.move(env, (), player, 0)
        return float(np.mean(self.seconds))

    def deepest(self, envs: list[Any], seconds: float) -> str:
        """The deepest ``expectimax`` whose mean time in some positions is within ``seconds``."""
        depth = 1
        while depth < MAX_DEPTH and self.mean_seconds(envs, f"expectimax:{depth + 1}") <= seconds:
            depth += 1
        return f"expectimax:{depth}"


@contextmanager
def earlier_version(python: str) -> Iterator[Earlier]:
    """Runs the earlier version. ``python``: its interpreter."""
    pipe = subprocess.PIPE
    with subprocess.Popen([python, "-c", EARLIER], stdin=pipe, stdout=pipe, text=True) as process:
        yield Earlier(process)
        process.stdin.close()  # type: ignore[union-attr]


def shown(game: str, theirs: str, seconds: list[float], pairs: list[Pair]) -> Grid:
    """The score of a match as a table, also by variant. ``seconds``: the earlier version's time of each ply since the
    match was begun or resumed."""
    mean_time = f", {np.mean(seconds):.3f} s a ply" if seconds else ""
    grid = Grid(title=f"{game} against {theirs} of the earlier version{mean_time}", title_justify="left")
    for column in ("variant", "games", "won", "drawn", "lost", "distinct pairs", "score", "Elo"):
        grid.add_column(column)
    variants = list(dict.fromkeys(pair.variant for pair in pairs))
    for name in ["all", *variants] if len(variants) > 1 else variants:
        some = [pair for pair in pairs if name in ("all", pair.variant)]
        results, found = [result for pair in some for result in pair.scores], score_of(some)
        grid.add_row(
            name, str(len(results)), *(str(results.count(result)) for result in (1.0, 0.5, 0.0)),
            str(len(distinct(some))), f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]", elo_text(elo_of(some)),
        )  # fmt: skip
    return grid


def movers(
    earlier: Earlier, start: Any, theirs: str, seconds: float, network: ValueNetwork | None
) -> tuple[Mover, Mover]:
    """The engine, with ``seconds`` per ply and the value network if there is one, and the earlier version."""
    engine = Expectimax(seconds=seconds, network=network, clock=time.thread_time)
    return mover(engine), earlier.mover(start, theirs)


@click.group()
def main() -> None:
    """Compares the search engine with that of an earlier version."""


@main.command()
@click.option("--python", required=True, help="The earlier version's interpreter.")
@click.option("--game", default=GAMES[0], show_default=True)
@click.option("--pairs", "count", default=150, show_default=True)
@click.option("--seconds", default=0.05, show_default=True, help="Thinking time per ply.")
@click.option("--earlier", "theirs", help="The earlier version's player. Default: the depth that fits the time.")
@click.option("--network", type=click.Path(path_type=Path), help="A value network for the engine.")
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: all in turn.")
@click.option("--seed", default=1, show_default=True)
@click.option("--log", type=click.Path(path_type=Path), help="A file for results; rerun to resume or to see them.")
def match(
    python: str, game: str, count: int, seconds: float, theirs: str | None, network: Path | None,
    variants: tuple[str, ...], seed: int, log: Path | None,
) -> None:  # fmt: skip
    """Plays a match with the same thinking time."""
    with earlier_version(python) as earlier:
        if theirs is None:
            theirs = earlier.deepest(stages(game, CALIBRATING, APART, seed + 1), seconds)
            print(f"{game}: the earlier version plays {theirs}", flush=True)
        about = {
            "game": game, "seconds": seconds, "seed": seed, "earlier": theirs, "engine": game_digest(find(game)),
            "network": sha256_of(network) if network else None, "variants": list(variants),
        }  # fmt: skip
        value_network = load(network) if network else None
        pairs = resumed_pairs(log, about)
        earlier.mean_seconds([opening(game, 0, seed)], theirs)
        earlier.seconds.clear()
        for k in range(len(pairs), count):
            start = opening(game, k, seed, variants)
            pairs.append(play_pair(start, partial(movers, earlier, start, theirs, seconds, value_network)))
            note_pair(log, pairs[-1])
            if k % SHOWN == SHOWN - 1 and k < count - 1:
                show(shown(game, theirs, earlier.seconds, pairs))
        show(shown(game, theirs, earlier.seconds, pairs))


@main.command()
@click.option("--python", required=True, help="The earlier version's interpreter.")
@click.option("--game", default=GAMES[0], show_default=True)
@click.option("--depth", default=4, show_default=True)
@click.option("--positions", default=40, show_default=True)
@click.option("--seed", default=1, show_default=True)
def depth(python: str, game: str, depth: int, positions: int, seed: int) -> None:
    """Times a search to a depth from midgame positions, each with an empty table."""
    envs = midgames(game, positions, seed)
    env, engine, own = envs[0].clone(), Expectimax(depth), []
    for place in (envs[0], *envs):  # the first search may compile, and is not counted
        env.reset(options={"position": place.position()})
        env.games.observe()
        began = time.thread_time()
        engine.consider(GamesView(env.games))
        own.append(time.thread_time() - began)
    with earlier_version(python) as earlier:
        theirs = earlier.mean_seconds(envs, f"expectimax:{depth}")
    ours = float(np.mean(own[1:]))
    print(f"{game}, depth {depth}, {positions} positions, mean: {1e3 * ours:.2f} ms; earlier {1e3 * theirs:.2f} ms")
    print(f"{theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
