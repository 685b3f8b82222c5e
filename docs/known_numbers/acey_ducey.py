"""Exact facts about Acey Ducey, computed from the rules by going through every throw and every way to play it.

``python -m docs.known_numbers.acey_ducey`` prints the tables of the game's README. `off_within` gives the exact worth
of a bearing-off position, for search or for checking a learnt value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from parlour.envs.acey_ducey import rules
from parlour.envs.acey_ducey.variants import OPTIONS, VARIANTS
from parlour.rulebook.points import put_men
from parlour.rulebook.protocol import Record
from parlour.rulebook.state_records import as_record, records, variant_record

Men = tuple[int, ...]
"""The points, 1 to 6, of the men in the home table, highest first; the others of the 15 have been borne off."""

MAX_MEN = 6
FACES = range(1, rules.TABLE + 1)
SHOWN: tuple[Men, ...] = (
    (1,), (6,), (1, 1), (3, 2), (6, 6), (2, 1, 1), (6, 5, 4), (1, 1, 1, 1), (4, 3, 2, 1), (5, 4, 3, 2, 1),
    (1,) * 6, (3, 3, 2, 2, 1, 1), (6, 5, 4, 3, 2, 1), (6,) * 6,
)  # fmt: skip
TURNS = range(1, 7)


@cache
def printed_rules() -> Record:
    """The option values of the variant `parker`."""
    return variant_record(OPTIONS, VARIANTS)


def bearing_off(men: Men) -> Record:
    """Red's turn, before its throw, with ``men`` still to bear off against no opposition: all of Black's men are in the
    Dog House, where they close no point and can't be sent."""
    state = as_record(records(1, rules.STATE), 0)
    rules.clear_board(state)
    for point, count in Counter(men).items():
        put_men(state, rules.RED, rules.STEPS - point, count)
    state.off[rules.RED] = rules.MEN - len(men)
    state.dog_house[rules.BLACK] = rules.MEN
    state.to_act = rules.RED
    return state


def men_of(state: Record) -> Men:
    """Red's men in the home table."""
    counts = ((point, int(state.men[rules.RED, rules.STEPS - point])) for point in reversed(FACES))
    return tuple(point for point, count in counts for _ in range(count))


def throws() -> Iterator[tuple[tuple[int, int], Fraction]]:
    """The 21 distinct throws as sorted faces, each with its probability."""
    counts = Counter(tuple(sorted(faces)) for faces in product(FACES, repeat=len(rules.DICE)))
    for (low, high), count in sorted(counts.items()):
        yield (low, high), Fraction(count, rules.TABLE ** len(rules.DICE))


@cache
def numbers_of(faces: tuple[int, int]) -> tuple[int, ...]:
    """The numbers that a throw lets a seat play; ACEY-DUCEY those of `again`: 1 and 2."""
    state = after_throw(bearing_off((1,)), faces)
    return tuple(sorted(int(number) for number in state.left))


def after_throw(state: Record, faces: tuple[int, int]) -> Record:
    """A copy of the state after the throw, and after the choice of `again` where there is one."""
    thrown, rewards = state.copy(), np.zeros(2)
    rules.throw(thrown, printed_rules(), np.array(faces, np.int8), rewards)
    if thrown.choosing:
        rules.apply(thrown, printed_rules(), rules.AGAIN, rewards)
    return thrown


@cache
def plays(men: Men, numbers: tuple[int, ...]) -> frozenset[Men]:
    """Every position to which the numbers of one throw can lead, all ways to play them gone through with the rules."""
    faces = next(faces for faces, _ in throws() if numbers_of(faces) == numbers)
    return frozenset(_ends(after_throw(bearing_off(men), faces)))


def _ends(state: Record) -> Iterator[Men]:
    words = np.zeros(-(-rules.ACTIONS // 8), np.uint64)
    rules.legal(state, printed_rules(), words.view(np.int8), words)
    for action in np.flatnonzero(words.view(np.int8)):
        after = state.copy()
        rules.apply(after, printed_rules(), int(action), np.zeros(2))
        over = after.end or after.due
        yield from (men_of(after),) if over else _ends(after)


@cache
def off_within(men: Men, turns: int) -> float:
    """The greatest probability with which ``men`` (points 1 to 6, highest first, at most six of them) can all be borne
    off within ``turns`` turns of their seat, with no opponent: the exact value of a bearing-off position.

    Best play: at every throw the way to play it that makes this probability greatest, knowing the turns that are left;
    ACEY-DUCEY is played as `again` (there is nobody to send). ValueError for other men or a negative number of turns.
    """
    if len(men) > MAX_MEN or any(point not in FACES for point in men) or list(men) != sorted(men, reverse=True):
        raise ValueError(f"men {men!r} are not at most {MAX_MEN} points from 6 to 1, highest first")
    if turns < 0:
        raise ValueError(f"{turns} turns; at least 0")
    if not men or not turns:
        return 0.0 if men else 1.0
    total = 0.0
    for (numbers, further), chance in _kinds_of_throw().items():
        total += chance * max(off_within(end, turns if further else turns - 1) for end in plays(men, numbers))
    return total


@cache
def _kinds_of_throw() -> dict[tuple[tuple[int, ...], bool], float]:
    """The numbers to play, and whether a further throw of the same turn follows, with the probability of each."""
    kinds: Counter[tuple[tuple[int, ...], bool]] = Counter()
    for faces, probability in throws():
        kinds[numbers_of(faces), faces == (rules.ACEY, rules.DUCEY)] += probability  # type: ignore[assignment]
    return {kind: float(probability) for kind, probability in kinds.items()}


def chance_to_play(number: int) -> Fraction:
    """How likely one throw is to let a seat play ``number``."""
    return sum((chance for faces, chance in throws() if number in numbers_of(faces)), Fraction(0))


def mean_pips() -> Fraction:
    """The mean sum of the numbers of one throw, ACEY-DUCEY counted as 1 and 2."""
    return sum((chance * sum(numbers_of(faces)) for faces, chance in throws()), Fraction(0))


def chance_table() -> str:
    """A Markdown table: the chance that one throw lets a seat play each number."""
    rows = [f"| {number} | {chance_to_play(number)} |" for number in FACES]
    return "\n".join(["| number | can be played |", "|---|---|", *rows])


def bearing_off_table() -> str:
    """A Markdown table: `off_within` for some positions."""
    head = [
        "| men on points | " + " | ".join(f"{turns} turn{'s' * (turns > 1)}" for turns in TURNS) + " |",
        "|---" * (len(TURNS) + 1) + "|",
    ]
    rows = [
        f"| {' '.join(map(str, men))} | " + " | ".join(f"{off_within(men, turns):.6f}" for turns in TURNS) + " |"
        for men in SHOWN
    ]
    return "\n".join(head + rows)


def main() -> None:
    """Prints the tables."""
    print(chance_table(), f"Mean pips of a throw: {mean_pips()}", bearing_off_table(), sep="\n\n")


if __name__ == "__main__":
    main()
