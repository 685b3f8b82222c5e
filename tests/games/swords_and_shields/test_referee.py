"""The plain referee side by side with the kernels, ply by ply: random play and play biased towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from parlour.rulebook.state_records import as_record
from tests.games.swords_and_shields.texts import board_text
from tests.games.swords_and_shields.variants import VARIANT_OPTIONS
from tests.reference.swords_and_shields import Referee
from tests.support.beside_referee import Choose, at_random, greedily, is_forbidden, side_by_side, taking_back
from tests.support.games import begun

GAME = "swords_and_shields-v0"


def chief_runs(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Shields move the Chief half of the time; swords go beside him."""
    row = env.game.notation.piece_letters(as_record(env.games.states, 0))
    chief = env.game.notation.DOT_NAMES[row.index("c")]
    file, rank = "abcdefghi".index(chief[0]), int(chief[1])

    def distance(move: str) -> int:
        target = move.partition("-")[2]
        return abs("abcdefghi".index(target[0]) - file) + abs(int(target[1]) - rank)

    if env.agent_selection == "player_1":
        runs = [move for move in legal if move.startswith(chief)]
        return rng.choice(runs) if runs and rng.random() < 0.4 else rng.choice(legal)
    near = [move for move in legal if distance(move) == 1]
    return rng.choice(near) if near and rng.random() < 0.7 else rng.choice(legal)


GAMES = {"draw": 60, "loses": 15, "forbidden": 2}
"""Endings under each value of `repeats`; where it forbids, the referee plays every ply of a position."""


def same(env: GameEnv, referee: Referee) -> None:
    """Positions, plies and occurrences are the same."""
    assert env.position().startswith(referee.text()), f"{env.position()} is not {referee.text()}"
    assert env.games.states["plies"][0] == referee.plies
    if env.values["repetition"]:
        assert env.games.states["occurrences"][0] == referee.occurrences


def play(options: dict[str, Any], seed: int, bias: Choose, position: str | None = None) -> Counter[str]:
    """One game in both; what occurred in it."""
    counts: Counter[str] = Counter()
    env = begun(GAME, seed=seed, position=position, illegal_move="raise", **options)
    referee = Referee(position=position, **options)

    def choose(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
        counts["forbidden"] += options.get("repeats") == "forbidden" and is_forbidden(referee)
        return bias(rng, env, legal)

    for _ in side_by_side(env, referee, choose, random.Random(seed), same):
        counts["plies"] += 1
        counts["captures"] += len(referee.captured)
        counts["captures of several"] += len(referee.captured) > 1
    counts[referee.end] += 1
    return counts


BIASES: dict[str, tuple[Choose, int]] = {
    "random": (at_random, 12), "captures": (greedily(0.75), 12), "chief runs": (chief_runs, 40),
    "shuffles": (taking_back(0.95), 6),
}  # fmt: skip


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, counts: Counter[str]) -> None:
    """Every kind of end and of capture occurs."""
    for name, (bias, games) in BIASES.items():
        for seed in range(games):
            limit = {"max_plies": 40} if bias is at_random and seed % 2 else {}  # else few games would be truncated
            counts.update(play({**VARIANT_OPTIONS[variant], **limit}, 1000 * len(name) + seed, bias))
    for event in ("captures", "captures of several", "capture", "escape", "repetition", "max_plies"):
        assert counts[event], f"{event} never occurred"


ALL_OPTIONS = [
    dict(zip(("throne_hostile", "chief_beside_throne", "escape"), values))
    for values in itertools.product(("chief", "all"), ("one", "three"), ("edge", "corner"))
]


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=lambda options: "-".join(options.values()))
def test_side_by_side_for_every_combination_of_options(options: dict[str, Any]) -> None:
    limits: dict[str, Any] = {"repetition": 2, "max_plies": 150}
    for seed in range(6):
        for bias in (at_random, chief_runs):
            assert play({**options, **limits}, seed, bias)["plies"]


def ending(rng: random.Random) -> str:
    """A running position with two to four swords, up to two shields and the Chief, anywhere that they may stand."""
    while True:
        dots = rng.sample([dot for dot in range(81) if dot not in (0, 8, 40, 72, 80)], rng.randint(3, 7))
        letters = dict(zip(dots, "css" + "".join(rng.sample("ssoo", len(dots) - 3))))
        board = board_text({f"{'abcdefghi'[dot % 9]}{dot // 9 + 1}": letter for dot, letter in letters.items()})
        text = f"{board} {rng.choice('so')}"
        try:
            return Referee(position=text).text()
        except ValueError:
            continue  # the Chief has escaped, or nobody can move


@pytest.mark.parametrize("repeats", GAMES)
def test_repetition_in_endings(repeats: str, counts: Counter[str]) -> None:
    """The first repetition, from endings where many positions differ by an exchange."""
    for seed in range(GAMES[repeats]):
        bias, position = (at_random, taking_back(0.95))[seed % 2], ending(random.Random(seed))
        options = {"repetition": 2, "repeats": repeats, "max_plies": 100, "escape": "corner"}
        counts.update(play(options, seed, bias, position))
    assert counts["forbidden" if repeats == "forbidden" else "repetition"] > GAMES[repeats] / 5
    assert not (counts["repetition"] and repeats == "forbidden")
