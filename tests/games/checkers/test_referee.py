"""The plain referee side by side with the kernels, ply by ply: random play and play biased towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from tests.reference.checkers import Referee
from tests.support.beside_referee import Choose, at_random, greedily, is_forbidden, side_by_side, taking_back

GAME = "checkers-v0"
ENDS = {"count": "no_progress"}
"""The referee's words where they differ."""


def roams(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Never takes the own ply before back if it can help it, so that counts grow without repetition."""
    own = env.metadata.setdefault("own last move", {})
    source, _, target = own.get(env.agent_selection, "").partition("-")
    others = [move for move in legal if move != f"{target}-{source}"]
    own[env.agent_selection] = rng.choice(others or legal)
    return str(own[env.agent_selection])


BIASES: dict[str, Choose] = {
    "random": at_random, "greedy": greedily(0.8), "shuffles": taking_back(0.97), "roams": roams,
}  # fmt: skip


def scattered(rng: random.Random, most: int = 14, kings: float = 0.6) -> str:
    """A text with a few pieces, more kings than men, anywhere that men may stand."""
    squares = rng.sample(range(1, 33), rng.randint(2, most))
    half = rng.randint(1, len(squares) - 1)

    def field(own: list[int], king_row: range) -> str:
        crowned = {square: square in king_row or rng.random() < kings for square in own}
        return ",".join(f"{'K' if king else ''}{square}" for square, king in crowned.items())

    white, black = field(squares[:half], range(1, 5)), field(squares[half:], range(29, 33))
    return f"{rng.choice('BW')}:W{white}:B{black}"


def ending(rng: random.Random) -> str:
    """A text with two to four kings, where positions soon come again, or nearly: pieces in one another's places."""
    return scattered(rng, most=4, kings=1)


STARTING_COUNTS = {
    "wcdf": ((0, 0), (90, 60), (79, 78), (79, 79), (80, 80)),
    "openspiel": ((0, 0), (30, 30), (37, 5), (39, 39), (40, 3)),
    "none": ((0, 0), (90, 90)),
}
"""[draw rule]: counts of (steps, king steps) that games begin with; the last is over the limit, if there is one."""


def both(options: dict[str, Any], position: str | None, counts: tuple[int, int]) -> tuple[Any, Referee] | None:
    """A game in both from a text without words, with counts of (steps, king steps); None if both refuse it."""
    env = parlour.make(GAME, illegal_move="raise", **options)
    theirs = {name: value for name, value in options.items() if name != "variant"}
    if position is None:
        env.reset(seed=0)
        return env, Referee(**theirs)
    steps, king_steps = counts
    try:
        referee = Referee.from_text(f"{position} wcdf={king_steps} openspiel={steps}", **theirs)
    except ValueError:
        with pytest.raises(ValueError):
            env.reset(seed=0, options={"position": f"{position} steps={steps} king_steps={king_steps}"})
        return None
    env.reset(seed=0, options={"position": f"{position} steps={steps} king_steps={king_steps}"})
    return env, referee


GAMES = {"draw": 100, "loses": 20, "forbidden": 8}
"""Endings under each value of `repeats`; where it forbids, the referee plays every ply of a position."""


def same(env: GameEnv, referee: Referee) -> None:
    """Positions, counts, plies and occurrences are the same."""
    state = env.games.states
    assert (state["steps"][0], state["king_steps"][0]) == (referee.openspiel, referee.wcdf), env.position()
    assert env.position().startswith(f"{referee.text().partition(' wcdf=')[0]} steps="), env.position()
    assert state["plies"][0] == referee.plies
    if env.values["repetition"] and referee.jumping is None:
        assert state["occurrences"][0] == referee.occurrences


def play(
    options: dict[str, Any], seed: int, bias: Choose, start: Callable[[random.Random], str] | None
) -> Counter[str]:
    """One game in both, from the set-up or a random start; what occurred in it."""
    rng, counts = random.Random(seed), Counter[str]()
    position = start(rng) if start else None
    games = both(options, position, rng.choice(STARTING_COUNTS[options["draw_rule"]]))
    if games is None:
        return Counter({"texts that both refuse": 1})
    env, referee = games

    def choose(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
        counts["forbidden"] += options.get("repeats") == "forbidden" and is_forbidden(referee)
        return bias(rng, env, legal)

    for _ in side_by_side(env, referee, choose, rng, same, ENDS):
        counts["plies"] += 1
        counts.update(referee.events)
    counts[referee.end] += 1
    return counts


GAMES_EACH = 5
EVENTS = (
    "capture", "king_captured", "goes_on", "jumped_on", "crowned", "crowned_stop", "king_row_goes_on", "compulsory",
    "choice", "no_pieces", "blocked", "no_move", "count", "repetition", "max_plies", "jump_cut", "result_on_limit",
    "repetition_over_limit", "texts that both refuse",
)  # fmt: skip
"""What must occur; other ends that fall together are set up in test_rules.py."""


def test_side_by_side(counts: Counter[str]) -> None:
    """All values of all options together, and every bias."""
    cases = itertools.product(STARTING_COUNTS, (None, 0, 2, 3), (None, 60, 8, 1), BIASES.values())
    for number, (draw_rule, repetition, max_plies, bias) in enumerate(cases):
        if draw_rule == "none" and not repetition and max_plies is None:
            max_plies = 150  # else kings roam for a thousand plies
        overrides = {"repetition": repetition, "max_plies": max_plies}
        options = {"draw_rule": draw_rule, **{name: value for name, value in overrides.items() if value is not None}}
        for seed in range(GAMES_EACH):
            counts.update(play(options, 1000 * number + seed, bias, scattered if seed else None))
    for event in EVENTS:
        assert counts[event], f"{event} never occurred"


@pytest.mark.parametrize("repeats", GAMES)
def test_repetition_in_endings(repeats: str, counts: Counter[str]) -> None:
    """The first repetition, from endings with kings alone."""
    for seed in range(GAMES[repeats]):
        bias = (at_random, roams)[seed % 2]
        options = {"draw_rule": "none", "repetition": 2, "repeats": repeats, "max_plies": 100}
        counts.update(play(options, seed, bias, ending))
    assert counts["forbidden" if repeats == "forbidden" else "repetition"] > GAMES[repeats] / 5
    assert not (counts["repetition"] and repeats == "forbidden")
