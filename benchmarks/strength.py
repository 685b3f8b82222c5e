"""The engine against that of an earlier version: how much stronger it is in the same thinking time, and how much sooner
it has searched to a depth.

The earlier version runs in a process of its own, by its own interpreter, and is asked for moves of positions as texts:

    git worktree add ../earlier v0.1.0 && python -m venv ../earlier/.venv && ../earlier/.venv/bin/pip install ../earlier
    python benchmarks/strength.py match --python ../earlier/.venv/bin/python
    python benchmarks/strength.py depth --python ../earlier/.venv/bin/python

Both use one thread, and time is the processor's, so that other work on the machine tells less. Version 0.1.0 knows no
time, only depths: it plays the deepest whose mean time a ply is within the time, found out in the first plies of some
games. Each pair of games begins after some random plies, and is played with the seats exchanged; pairs whose games have
both been played before, ply for ply, are counted once.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import click
import numpy as np
from peers import show
from rich.table import Table as Grid

import parlour
from parlour.arena.statistics import Estimate, score
from parlour.players import GamesView
from parlour.search.expectimax import Expectimax

GAMES = ("swords_and_shields-v0", "checkers-v0", "agon-v0")
MAX_PLIES = 400
OPENING = (4, 10)
"""Random plies before a pair of games: at least, at most."""
CALIBRATING = 24
"""Positions on which the earlier version's depth is found out."""
MIDGAME = 16
"""Plies of play at depth 2 from an opening to a position whose search is timed."""
MAX_DEPTH = 20

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
    player = players.setdefault((key, asked["player"]), parse_player(asked["player"]))
    actions, rows = np.zeros(1, np.int64), np.ones(1, np.bool_)
    env.table.show()
    began = time.thread_time()
    player.choose(env.table, rows, actions)
    seconds = time.thread_time() - began
    print(json.dumps({"move": env.move_name(int(actions[0])), "seconds": seconds}), flush=True)
"""
"""What the earlier version's interpreter runs."""


@dataclass
class Earlier:
    """The earlier version."""

    process: Any
    seconds: list[float] = field(default_factory=list)
    """thinking time of every answer"""

    def move(self, env: Any, player: str, seed: int) -> str:
        """What ``player`` of the earlier version plays in a position."""
        raw = env.unwrapped
        asked = {
            "game": raw.table.game.id, "variant": raw.variant, "max_plies": MAX_PLIES, "seed": seed,
            "position": raw.position(), "player": player,
        }  # fmt: skip
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.seconds.append(answer["seconds"])
        return str(answer["move"])

    def mean_seconds(self, envs: list[Any], player: str) -> float:
        """Mean thinking time in positions."""
        self.move(envs[0], player, 0)  # which may compile
        self.seconds.clear()
        for env in envs:
            self.move(env, player, 0)
        return float(np.mean(self.seconds))

    def deepest(self, envs: list[Any], seconds: float) -> str:
        """The deepest ``expectimax`` whose mean time in positions is within ``seconds``."""
        depth = 1
        while depth < MAX_DEPTH and self.mean_seconds(envs, f"expectimax:{depth + 1}") <= seconds:
            depth += 1
        return f"expectimax:{depth}"


@contextmanager
def earlier_version(python: str) -> Iterator[Earlier]:
    """A process of the earlier version's interpreter."""
    pipe = subprocess.PIPE
    with subprocess.Popen([python, "-c", EARLIER], stdin=pipe, stdout=pipe, text=True) as process:
        yield Earlier(process)
        process.stdin.close()  # type: ignore[union-attr]


def opened(game: str, variant: str, plies: int, seed: int) -> Any:
    """A game after so many random plies; the next seed's if it is over by then."""
    env = parlour.make(game, variant=variant, max_plies=MAX_PLIES)
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(plies):
        if env.unwrapped.is_over():
            return opened(game, variant, plies, seed + 1_000_003)
        mask = env.unwrapped.observe(env.unwrapped.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    return opened(game, variant, plies, seed + 1_000_003) if env.unwrapped.is_over() else env


def openings(game: str, count: int, plies: tuple[int, int], seed: int) -> list[Any]:
    """Positions of all variants in turn."""
    variants = list(parlour.variants(game))
    rng = np.random.default_rng(seed)
    lengths = rng.integers(plies[0], plies[1] + 1, count).tolist()
    return [
        opened(game, variants[k % len(variants)], length, 1000 * seed + k) for k, length in enumerate(lengths)
    ]  # fmt: skip


def midgames(game: str, count: int, seed: int) -> list[Any]:
    """Positions of the game's first variant in mid-game."""
    found: list[Any] = []
    player, actions, rows = Expectimax(2), np.zeros(1, np.int64), np.ones(1, np.bool_)
    variant = next(iter(parlour.variants(game)))
    while len(found) < count:
        seed += 1
        env = opened(game, variant, OPENING[0] + seed % (OPENING[1] - OPENING[0] + 1), 1000 * seed).unwrapped
        for _ in range(MIDGAME):
            if not env.is_over():
                env.table.show()
                player.choose(GamesView(env.table), rows, actions)
                env.step(int(actions[0]))
        if not env.is_over():
            found.append(env)
    return found


def play(start: Any, own_seat: int, seconds: float, earlier: Earlier, theirs: str) -> tuple[float, tuple[str, ...]]:
    """One game from a position: the engine's score (1, ½, 0) and all moves."""
    env = start.unwrapped.clone()
    engine = Expectimax(seconds=seconds, clock=time.thread_time)
    returns, moves = np.zeros(2), []
    actions, rows = np.zeros(1, np.int64), np.ones(1, np.bool_)
    while not env.is_over():
        if env.agent_selection == f"player_{own_seat}":
            env.table.show()
            engine.choose(GamesView(env.table), rows, actions)
            moves.append(env.move_name(int(actions[0])))
        else:
            moves.append(earlier.move(env, theirs, len(moves)))
        env.step(env.parse_move(moves[-1]))
        returns += list(env.rewards.values())
    ahead = np.sign(returns[own_seat] - returns[1 - own_seat])
    return 0.5 + 0.5 * float(ahead), tuple(moves)


def elo(share: float) -> float:
    """The difference in Elo at which a score is expected."""
    return -400 * math.log10(1 / min(max(share, 1e-4), 1 - 1e-4) - 1)


def elo_text(found: Estimate) -> str:
    """With its interval."""
    return f"{elo(found.value):+.0f} [{elo(found.low):+.0f}, {elo(found.high):+.0f}]"


@click.group()
def main() -> None:
    """The engine against that of an earlier version."""


@main.command()
@click.option("--python", required=True, help="The earlier version's interpreter.")
@click.option("--game", "games", multiple=True, default=GAMES, show_default=True)
@click.option("--pairs", default=150, show_default=True)
@click.option("--seconds", default=0.05, show_default=True, help="Thinking time a ply.")
@click.option("--seed", default=1, show_default=True)
def match(python: str, games: tuple[str, ...], pairs: int, seconds: float, seed: int) -> None:
    """Plays matches in the same thinking time."""
    grid = Grid(title=f"{seconds:g} s a ply, {pairs} pairs of games", title_justify="left")
    for column in ("game", "earlier plays", "its mean time", "won", "drawn", "lost", "distinct pairs", "score", "Elo"):
        grid.add_column(column)
    for game in games:
        with earlier_version(python) as earlier:
            theirs = earlier.deepest(openings(game, CALIBRATING, OPENING, seed + 1), seconds)
            earlier.seconds.clear()
            scores: dict[Any, float] = {}
            results = []
            for start in openings(game, pairs, OPENING, seed):
                played = [play(start, seat, seconds, earlier, theirs) for seat in range(2)]
                results += [result for result, _ in played]
                scores[(start.unwrapped.position(), *(moves for _, moves in played))] = (
                    sum(result for result, _ in played) / 2
                )  # fmt: skip
            found = score(list(scores.values()))
            counts = [str(results.count(result)) for result in (1.0, 0.5, 0.0)]
            grid.add_row(
                game, theirs, f"{np.mean(earlier.seconds):.3f} s", *counts, str(len(scores)), f"{found.value:.3f}",
                elo_text(found),
            )  # fmt: skip
            show(grid)


@main.command()
@click.option("--python", required=True, help="The earlier version's interpreter.")
@click.option("--game", default=GAMES[0], show_default=True)
@click.option("--depth", default=4, show_default=True)
@click.option("--positions", default=40, show_default=True)
@click.option("--seed", default=1, show_default=True)
def depth(python: str, game: str, depth: int, positions: int, seed: int) -> None:
    """Times a search to a depth from midgame positions, each from nothing."""
    envs = midgames(game, positions, seed)
    env, engine, own = envs[0].unwrapped.clone(), Expectimax(depth), []
    for place in (envs[0], *envs):  # the first may compile
        env.reset(options={"position": place.unwrapped.position()})
        env.table.show()
        began = time.thread_time()
        engine.consider(GamesView(env.table))
        own.append(time.thread_time() - began)
    with earlier_version(python) as earlier:
        theirs = earlier.mean_seconds(envs, f"expectimax:{depth}")
    ours = float(np.mean(own[1:]))
    print(f"{game}, depth {depth}, {positions} positions, mean: {1e3 * ours:.2f} ms; earlier {1e3 * theirs:.2f} ms")
    print(f"{theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
