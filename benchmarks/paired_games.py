"""Pairs of games between two players, for benchmarks of strength: both games of a pair begin with the same random
opening, with the seats exchanged. One thread. Every pair is written to a log at once, so that a run can be resumed.
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
from parlour.registry import find
from parlour.search.expectimax import Expectimax

MAX_PLIES = 400
"""After so many plies a game without dice is cut off. (Games with dice come to an end by themselves.)"""
OPENING = (4, 10)
"""The minimum and maximum number of random plies before a pair of games."""
MIDGAME = 16
"""Plies from an opening to a midgame position, whose search is timed."""
PLAYING = 4
"""The depth of `expectimax` that plays from openings to midgame positions."""

Mover: TypeAlias = Callable[[Any, "tuple[str, ...]"], int]
"""``(env, moves) -> action``: chooses an action. ``moves``: the names of all moves since the opening."""


class Pair(NamedTuple):
    """Two games from the same opening."""

    variant: str
    scores: tuple[float, ...]
    """of the first player: 1, ½ or 0, first with it in seat 0, then in seat 1"""
    plies: int
    """of both games"""
    digest: str
    """a hash of the opening and all moves of both games"""


def mover(player: Player) -> Mover:
    """A player as a `Mover`."""
    actions, row_mask = np.zeros(1, np.int64), np.ones(1, np.bool_)

    def choose(env: Any, _moves: tuple[str, ...]) -> int:
        player.choose(GamesView(env.games), row_mask, actions)
        return int(actions[0])

    return choose


# --- positions ---


def plies_limit(game: str) -> int:
    """The option ``max_plies`` of a game; 0 is no limit."""
    return 0 if find(game).rules.DICE else MAX_PLIES


def opened(game: str, variant: str, plies: int, seed: int) -> Any:
    """A game after ``plies`` random plies. If the game is over before, another seed is tried."""
    env = parlour.make(game, variant=variant, max_plies=plies_limit(game))
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(plies):
        if env.unwrapped.is_over():
            return opened(game, variant, plies, seed + 1_000_003)
        mask = env.unwrapped.observe(env.unwrapped.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    return opened(game, variant, plies, seed + 1_000_003) if env.unwrapped.is_over() else env.unwrapped


def opening(game: str, k: int, seed: int, variants: Sequence[str] = ()) -> Any:
    """Opening number ``k`` of a seed. It takes ``variants`` in turn; by default all variants of the game."""
    variants = variants or list(parlour.variants(game))
    length = int(np.random.default_rng([seed, k]).integers(OPENING[0], OPENING[1] + 1))
    return opened(game, variants[k % len(variants)], length, 1000 * seed + k)


def played_on(env: Any, plies: int) -> Any:
    """The position ``plies`` plies later; None if the game is over before."""
    choose = mover(Expectimax(PLAYING))
    for _ in range(plies):
        if env.is_over():
            return None
        env.step(choose(env, ()))
    return None if env.is_over() else env


def midgames(game: str, count: int, seed: int) -> list[Any]:
    """``count`` midgame positions of the game's first variant."""
    found: list[Any] = []
    variant = next(iter(parlour.variants(game)))
    while len(found) < count:
        seed += 1
        start = opened(game, variant, OPENING[0] + seed % (OPENING[1] - OPENING[0] + 1), 1000 * seed)
        found += [env for env in [played_on(start, MIDGAME)] if env is not None]
    return found


def stages(game: str, count: int, apart: int, seed: int) -> list[Any]:
    """Positions from all stages of play, one from each of ``count`` games: that of game k is k · ``apart`` plies after
    its opening. Games that are over before are left out."""
    found = [played_on(opening(game, k, seed), apart * k) for k in range(count)]
    return [env for env in found if env is not None]


# --- games ---


def play_pair(start: Any, movers: Callable[[], tuple[Mover, Mover]]) -> Pair:
    """Plays two games from a position. ``movers``: makes both players, anew for each game."""
    scores, record, plies = [], [start.position()], 0
    for own_seat in range(2):
        env, (own, other), returns, moves = start.clone(), movers(), np.zeros(2), list[str]()
        while not env.is_over():
            action = (own if env.agent_selection == f"player_{own_seat}" else other)(env, tuple(moves))
            moves.append(env.move_name(action))
            env.step(action)
            returns += list(env.rewards.values())
        scores.append(0.5 + 0.5 * float(np.sign(returns[own_seat] - returns[1 - own_seat])))
        record += ["", *moves]
        plies += len(moves)
    return Pair(start.variant, tuple(scores), plies, hashlib.sha256("\n".join(record).encode()).hexdigest())


def resumed_pairs(log: Path | None, about: dict[str, Any]) -> list[Pair]:
    """The pairs in a log. ``about``: describes the run, and is the log's first line; if there is no log, one is begun.
    Raises ValueError if the log is of another run."""
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


# --- results ---


def distinct(pairs: list[Pair]) -> list[Pair]:
    """Each pair once: of pairs with exactly the same opening and moves, only one is kept."""
    return list({pair.digest: pair for pair in pairs}.values())


def score_of(pairs: list[Pair]) -> Estimate:
    """The score of the first player, with pairs as sampling units."""
    return score([math.fsum(pair.scores) / 2 for pair in distinct(pairs)])


def elo_of(pairs: list[Pair]) -> Estimate:
    """The Elo difference of the first player to the second, with pairs as sampling units."""
    return elo(score_of(pairs))


def elo_text(found: Estimate) -> str:
    """An Elo difference with its 95 % interval, as text."""
    return f"{found.value:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"
