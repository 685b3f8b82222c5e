"""Pairs of games between two ways of choosing plies, for benchmarks of strength: random openings, played with the seats
exchanged, one thread, every pair noted as soon as it is played, so that a run can be resumed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

import parlour
from parlour.arena.statistics import Estimate, elo, score
from parlour.players import GamesView, Player
from parlour.search.expectimax import Expectimax

MAX_PLIES = 400
OPENING = (4, 10)
"""Random plies before a pair of games: at least, at most."""
MIDGAME = 16
"""Plies of play from an opening to a position whose search is timed."""
PLAYING = 4
"""To what depth positions are played to that are not part of a match."""

Mover: TypeAlias = Callable[[Any, "tuple[str, ...]"], int]
"""``(env, moves) -> action``: what is played in a position, ``moves`` being those since the opening."""


class Pair(NamedTuple):
    """Two games from the same opening."""

    variant: str
    scores: tuple[float, ...]
    """of the first way of choosing: 1, ½ or 0, with it in seat 0, then in seat 1"""
    plies: int
    """of both games"""
    digest: str
    """tells the opening and all moves of both games"""


def mover(player: Player) -> Mover:
    """What a player chooses."""
    actions, row_mask = np.zeros(1, np.int64), np.ones(1, np.bool_)

    def choose(env: Any, _moves: tuple[str, ...]) -> int:
        player.choose(GamesView(env.games), row_mask, actions)
        return int(actions[0])

    return choose


# --- positions ---


def opened(game: str, variant: str, plies: int, seed: int) -> Any:
    """A game after ``plies`` random plies. If it is over by then, the next seed is tried."""
    env = parlour.make(game, variant=variant, max_plies=MAX_PLIES)
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(plies):
        if env.unwrapped.is_over():
            return opened(game, variant, plies, seed + 1_000_003)
        mask = env.unwrapped.observe(env.unwrapped.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    return opened(game, variant, plies, seed + 1_000_003) if env.unwrapped.is_over() else env.unwrapped


def opening(game: str, k: int, seed: int, variants: Sequence[str] = ()) -> Any:
    """Opening k of a seed. The variants, or all of the game, come in turn."""
    variants = variants or list(parlour.variants(game))
    length = int(np.random.default_rng([seed, k]).integers(OPENING[0], OPENING[1] + 1))
    return opened(game, variants[k % len(variants)], length, 1000 * seed + k)


def played_on(env: Any, plies: int) -> Any:
    """The position ``plies`` plies later; None if the game is over by then."""
    choose = mover(Expectimax(PLAYING))
    for _ in range(plies):
        if env.is_over():
            return None
        env.step(choose(env, ()))
    return None if env.is_over() else env


def midgames(game: str, count: int, seed: int) -> list[Any]:
    """Positions of the game's first variant in mid-game."""
    found: list[Any] = []
    variant = next(iter(parlour.variants(game)))
    while len(found) < count:
        seed += 1
        start = opened(game, variant, OPENING[0] + seed % (OPENING[1] - OPENING[0] + 1), 1000 * seed)
        found += [env for env in [played_on(start, MIDGAME)] if env is not None]
    return found


def stages(game: str, count: int, apart: int, seed: int) -> list[Any]:
    """Positions from all stages of games, one for each of ``count`` games: the first at its opening, each other
    ``apart`` plies later than the one before. Games that are over by then are left out."""
    found = [played_on(opening(game, k, seed), apart * k) for k in range(count)]
    return [env for env in found if env is not None]


# --- games ---


def play_pair(start: Any, movers: Callable[[], tuple[Mover, Mover]]) -> Pair:
    """Two games from a position. ``movers``: makes both players for each game."""
    scores, told, plies = [], [start.position()], 0
    for own_seat in range(2):
        env, (own, other), returns, moves = start.clone(), movers(), np.zeros(2), list[str]()
        while not env.is_over():
            action = (own if env.agent_selection == f"player_{own_seat}" else other)(env, tuple(moves))
            moves.append(env.move_name(action))
            env.step(action)
            returns += list(env.rewards.values())
        scores.append(0.5 + 0.5 * float(np.sign(returns[own_seat] - returns[1 - own_seat])))
        told += ["", *moves]
        plies += len(moves)
    return Pair(start.variant, tuple(scores), plies, hashlib.sha256("\n".join(told).encode()).hexdigest())


def resumed_pairs(log: Path | None, about: dict[str, Any]) -> list[Pair]:
    """The pairs that a log holds of a run told by ``about``; a new log is begun with that. ValueError for another
    run's."""
    if log is None:
        return []
    if not log.exists():
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(json.dumps(about) + "\n")
        return []
    first, *lines = log.read_text().splitlines()
    if json.loads(first) != about:
        raise ValueError(f"{log} is of another run: {first}, not {json.dumps(about)}")
    return [Pair(**json.loads(line)) for line in lines]


def note_pair(log: Path | None, pair: Pair) -> None:
    """Appends a pair to a log."""
    if log is not None:
        with log.open("a") as file:
            file.write(json.dumps(pair._asdict()) + "\n")


# --- what has come of them ---


def distinct(pairs: list[Pair]) -> list[Pair]:
    """Each pair once, though both games of it be played again ply for ply."""
    return list({pair.digest: pair for pair in pairs}.values())


def elo_of(pairs: list[Pair]) -> Estimate:
    """The difference in Elo of the first way of choosing, pairs being the sampling units."""
    return elo(score([math.fsum(pair.scores) / 2 for pair in distinct(pairs)]))


def elo_text(found: Estimate) -> str:
    """With its 95 % interval."""
    return f"{found.value:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
