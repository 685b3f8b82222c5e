"""Exact chances of winning, with few men and perfect play: every position by the kernels, values of all throws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlour.engine.game import load_game
from parlour.rulebook.chance import weigh
from parlour.rulebook.state_records import records
from tests.reference.exact_values import royal_ur

GAME = load_game("parlour.envs.royal_ur")
Key = tuple[int, int, int, int]
"""Own men on the board and the other's, as sets of squares; men in hand: of the seat to act, which is Light."""
WON = -1


def key_of(state: Any) -> Key:
    own = int(state["to_act"])
    return tuple(int(state[name][seat]) for name in ("held", "hand") for seat in (own, 1 - own))  # type: ignore[return-value]


def state_of(key: Key, men: int) -> Any:
    states = records(1, GAME.rules.STATE)
    state = states[0]
    state["held"], state["hand"] = key[:2], key[2:]
    for seat in range(2):
        state["off"][seat] = men - key[2 + seat] - key[seat].bit_count()
    state["due"] = 1
    return states


def plies_from(key: Key, men: int, faces: tuple[int, ...], variant: Any) -> list[tuple[Any, bool]]:
    """The positions that the plies after a throw lead to, None for a win, and whether the same seat throws again."""
    rules, thrown, words = GAME.rules, state_of(key, men), np.zeros(4, np.uint64)
    rules.throw(thrown[0], variant, np.array(faces, np.int8), np.zeros(2))
    rules.legal(thrown[0], variant, words.view(np.int8), words)
    found = []
    for action in np.flatnonzero(words.view(np.int8)).tolist():
        after, rewards = thrown.copy(), np.zeros(2)
        rules.apply(after[0], variant, action, rewards)
        found.append((None if rewards[0] > 0 else key_of(after[0]), int(after[0]["to_act"]) == 0))
    return found


def first_seat_wins(men: int, **options: Any) -> tuple[float, float]:
    """Bounds on the chance that the first seat wins: values from below and from above until they meet."""
    variant = records(1, GAME.variant_dtype)[0]
    GAME.fill_variant(variant, GAME.resolve("finkel", {"men": men, **options})[1])
    throws = weigh(GAME.rules.DICE[: GAME.dice_thrown(variant)])
    start = (0, 0, men, men)
    numbers: dict[Key, int] = {start: 0}
    waiting, plies = [start], []
    while waiting:
        key = waiting.pop()
        for t, faces in enumerate(throws):
            for m, (after, again) in enumerate(plies_from(key, men, faces, variant)):
                if after is not None and after not in numbers:
                    numbers[after] = len(numbers)
                    waiting.append(after)
                plies.append((numbers[key], t, m, WON if after is None else numbers[after], again))
    place = np.array(plies)
    most = place[:, 2].max() + 1
    chances = np.array([float(chance) for chance in throws.values()])
    bounds = [np.zeros(len(numbers)), np.ones(len(numbers))]
    while bounds[1][0] - bounds[0][0] > 1e-8:
        for k, values in enumerate(bounds):
            after = np.where(place[:, 4] == 1, values[place[:, 3]], 1 - bounds[1 - k][place[:, 3]])
            worth = np.full((len(numbers), len(throws), most), -1.0)
            worth[place[:, 0], place[:, 1], place[:, 2]] = np.where(place[:, 3] == WON, 1.0, after)
            bounds[k] = worth.max(axis=2) @ chances
    return bounds[0][0], bounds[1][0]


@pytest.mark.parametrize(
    ("men", "chance"), [(1, 0.53005), (2, 0.5185729), pytest.param(3, 0.5162011, marks=pytest.mark.long)]
)
def test_the_first_seats_chance_with_finkels_rules(men: int, chance: float) -> None:
    """The figures of an independent program, to as many digits as it gave."""
    low, high = first_seat_wins(men)
    assert low <= high
    digits = len(str(chance)) - 2
    assert round(low, digits) == round(high, digits) == chance


@pytest.mark.parametrize(("men", "chance"), [(1, 0.53005), pytest.param(2, 0.5185729, marks=pytest.mark.long)])
def test_a_plain_solver_finds_the_same_chance(men: int, chance: float) -> None:
    """It plays by the plain referee, position by position, and knows no kernel."""
    start = (0,) * men
    assert round((1 + royal_ur(men)[start, start]) / 2, len(str(chance)) - 2) == chance


def test_three_dice_are_a_shorter_game_with_a_larger_lead() -> None:
    assert first_seat_wins(1, dice="three")[0] > first_seat_wins(1)[1]
