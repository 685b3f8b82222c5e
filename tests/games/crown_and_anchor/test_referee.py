"""The plain referee side by side with the kernels, ply by ply: random play and play biased towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from tests.reference.crown_and_anchor import VARIANTS, Referee
from tests.support.beside_referee import Choose, at_random, side_by_side, with_throws

GAME = "crown_and_anchor-v0"


def high(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """The highest stakes on few designs, so that seats, and Bankers, are soon ruined."""
    bets = [name for name in legal if "*" in name]
    if not bets or rng.random() < 0.1:
        return rng.choice(legal)
    most = max(int(name.partition("*")[2]) for name in bets)
    return rng.choice([name for name in bets if name.endswith(f"*{most}")])


def low(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Small bets, added to one another; more often than not nothing, where that is allowed."""
    if "done" in legal and rng.random() < 0.4:
        return "done"
    bets = [name for name in legal if name.startswith(("crown", "club")) and name.endswith(("*1", "*2"))]
    return rng.choice(bets or legal)


BIASES: tuple[Choose, ...] = (at_random, high, low)


def some_throws(rng: random.Random, rounds: int) -> list[tuple[int, ...]]:
    """The opening, then throws of which many are triples, and many of crowns and clubs."""
    opening = [(face,) for face in itertools.takewhile(bool, (rng.randrange(6) for _ in itertools.count()))]
    throws = []
    for _ in range(rounds):
        faces = tuple(rng.choice((0, 1, 2, 3, 4, 5, 0, 5)) for _ in range(3))
        throws.append(faces[:1] * 3 if rng.random() < 0.2 else faces)
    return [*opening, (0,), *throws]


def same(env: GameEnv, referee: Referee) -> None:
    """Both have the same position and throw."""
    assert env.position() == referee.text()
    assert env.dice == referee.dice


def play(options: dict[str, Any], seed: int, bias: Choose) -> Counter[str]:
    """One game in both; what occurred in it."""
    rng = random.Random(seed)
    throws = some_throws(rng, options.get("rounds", 100))
    env, referee = with_throws(GAME, Referee, throws, seed, options)
    counts: Counter[str] = Counter()
    for _ in side_by_side(env, referee, bias, rng, same):
        counts.update(referee.events)
        counts["plies"] += 1
    counts[referee.end] += 1
    return counts


ALWAYS = ("plies", "matched_0", "matched_1", "matched_2", "matched_3", "triple", "bank_passed", "skipped", "rounds",
          "max_plies", "void")  # fmt: skip
OF = {
    "parker": ("below_zero", "no_bets"),
    "many_bets": ("below_zero", "added", "forced_done"),
    "gross": (),
    "limited_bank": ("banker_broke", "paid_in_part", "not_paid", "seat_passed_over", "all_chips"),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_side_by_side(variant: str, counts: Counter[str]) -> None:
    """All seat counts; whatever can happen under the variant occurs."""
    for players in range(2, 13):
        for k, bias in enumerate(BIASES):
            cut = {"max_plies": 17} if (players + k) % 4 == 0 else {}
            chips = 3 if (players + k) % 2 else 12
            options = {"players": players, "start_chips": chips, "rounds": 14, **VARIANTS[variant], **cut}
            counts += play(options, 100 * players + 10 * k, bias)
    for event in (*ALWAYS, *OF[variant]):
        assert counts[event], f"{event} never occurred"


ALL_OPTIONS = [
    dict(zip(("bets", "sit_out", "payout", "bank"), values))
    for values in itertools.product(("one", "many"), (False, True), ("net", "gross"), ("unlimited", "limited"))
]


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_every_combination_of_options(options: dict[str, Any]) -> None:
    """Seats, stakes and chips go through their values besides."""
    counts: Counter[str] = Counter()
    for k, (players, stake, chips) in enumerate(((2, 1, 1), (3, 5, 20), (4, 5, 7), (7, 3, 2))):
        sizes = {"players": players, "max_stake": stake, "start_chips": chips, "rounds": 8}
        for bias in BIASES:
            counts += play({**options, **sizes}, k, bias)
    assert counts["plies"] > 200
    assert counts["sat_out"] > 0 or not options["sit_out"]


def test_side_by_side_with_stakes_of_more_than_a_byte() -> None:
    """Stakes, and actions, beyond 127."""
    for options in ({"bets": "many", "players": 12}, {"bank": "limited", "players": 3}):
        counts = play({"max_stake": 130, "start_chips": 400, "rounds": 3, **options}, 1, high)
        assert counts["matched_1"]
