"""Different positions have different keys, and different states different hashes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.interfaces.registry import find
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.hashing import NO_WORDS, add_word, hash_words
from parlour.rulebook.protocol import RUNNING
from tests.support.cases import GAMES, sampled

CONTENTS = {
    "agon-v0": ("guards", "queens", "phase", "to_act"),
    "checkers-v0": ("pieces", "kings", "to_act"),
    "swords_and_shields-v0": ("men", "chief", "to_act"),
}
"""[game with repetition]: the fields of its state that make up what repetition compares."""
EXCHANGED = {
    "agon-v0": [("guards",), ("queens",)],
    "checkers-v0": [("pieces", "kings")],
    "swords_and_shields-v0": [("men",)],
}
"""[the same]: in groups of words that are exchanged: colours, halves of the board, kinds of pieces."""
FEW, MANY = 20_000, 1_000_000

States = NDArray[Any]
"""(N,) records of a game's state"""
Contents = NDArray[np.uint8]
"""(N, bytes): what is compared"""


def keys_of(game: str, states: States) -> NDArray[np.uint64]:
    """The position key of each state."""
    position_key = find(game).rules.position_key

    @numba.njit
    def fill(states: Any, keys: Any) -> None:
        for i in range(len(states)):
            keys[i] = position_key(states[i])

    keys = np.zeros(len(states), np.uint64)
    fill(states if COMPILED else states.view(np.recarray), keys)
    return keys


@numba.njit
def hash_all(words: Any, hashes: Any) -> None:
    for i in range(len(words)):
        hashes[i] = hash_words(words[i])


def hashes_of(states: States) -> NDArray[np.uint64]:
    """The hash of all bytes of each state."""
    hashes = np.zeros(len(states), np.uint64)
    packed = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1)  # without the padding at the end
    padded = np.zeros((len(states), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    hash_all(padded.view(np.uint64), hashes)
    return hashes


def contents_of(game: str, states: States) -> Contents:
    """The bytes of what repetition compares."""
    fields = [np.ascontiguousarray(states[name]).view(np.uint8) for name in CONTENTS[game]]
    return np.concatenate([field.reshape(len(states), -1) for field in fields], axis=1)


def bytes_of(states: States) -> Contents:
    return np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1)


def firsts(contents: Contents) -> NDArray[np.intp]:
    """The first place of each of the different rows."""
    return np.unique(np.ascontiguousarray(contents).view(f"V{contents.shape[1]}")[:, 0], return_index=True)[1]


def assert_told_apart(contents: Contents, keys: NDArray[np.uint64]) -> None:
    """As many different keys as there are different contents, and equal keys for equal contents."""
    kinds = len(firsts(contents))
    pairs = np.concatenate([contents, keys.view(np.uint8).reshape(len(keys), -1)], axis=1)
    assert len(np.unique(keys)) == kinds
    assert len(firsts(pairs)) == kinds


def reached(game: str, variant: str | None, seed: int, count: int) -> Iterator[States]:
    """The running states of random games, from ``count`` on in all, some ten thousand at a time."""
    batch = parlour.make_batch(game, num_games=1024, variant=variant, seed=seed)
    batch.reset()
    found = 0
    while found < count:
        steps = []
        for _ in range(10):
            batch.step(batch.sample_actions())
            states = np.array(batch.games.states)
            steps.append(states[states["end"] == RUNNING])
            found += len(steps[-1])
        yield np.concatenate(steps)


# --- exchanges ---


def exchanges(game: str, states: States) -> Iterator[States]:
    """The states with the words of each group of `EXCHANGED` in every order, and either seat to act."""
    groups = []
    for fields in EXCHANGED[game]:
        words = np.concatenate([states[name].reshape(len(states), -1) for name in fields], axis=1)
        groups.append([(fields, words[:, order]) for order in itertools.permutations(range(words.shape[1]))])
    for seat in range(2):
        for choice in itertools.product(*groups):
            changed = states.copy()
            changed["to_act"] = seat
            for fields, words in choice:
                ends = np.cumsum([states[name][0].size for name in fields])[:-1]
                for name, part in zip(fields, np.split(words, ends, axis=1)):
                    changed[name] = part.reshape(states[name].shape)
            yield changed


@pytest.mark.parametrize("game", CONTENTS)
def test_exchanges_share_no_key(game: str) -> None:
    some = np.concatenate([next(reached(game, variant, 3, 1))[::97] for variant in parlour.variants(game)])
    states = np.concatenate(list(exchanges(game, some)))
    assert len(states) > 2_000
    assert_told_apart(contents_of(game, states), keys_of(game, states))


# --- all positions with few pieces ---


def few_in_checkers() -> States:
    """A piece each, man or king, anywhere."""
    bit = find("checkers-v0").rules.BIT
    cases = [
        (bit[black], bit[white], np.uint64(black_king) * bit[black] | np.uint64(white_king) * bit[white], seat)
        for black, white in itertools.permutations(range(32), 2)
        for black_king, white_king, seat in itertools.product((0, 1), (0, 1), (0, 1))
    ]
    states = np.zeros(len(cases), find("checkers-v0").rules.STATE)
    black, white, kings, seat = (np.array(column) for column in zip(*cases))
    states["pieces"] = np.stack([black, white], axis=1)
    states["kings"], states["to_act"] = kings, seat
    return states


def few_in_swords_and_shields() -> States:
    """Two swords, two shields, or one of each, anywhere; the Chief on his throne, in a corner or captured."""
    bit = np.zeros((81, 2), np.uint64)
    for dot in range(81):
        bit[dot, dot // 64] = np.uint64(1) << np.uint64(dot % 64)
    nothing = np.zeros(2, np.uint64)
    men = [(bit[one] | bit[other], nothing) for one, other in itertools.combinations(range(81), 2)]
    men += [(shields, swords) for swords, shields in men]
    men += [(bit[one], bit[other]) for one, other in itertools.permutations(range(81), 2)]
    cases = list(itertools.product(range(len(men)), (40, 0, -1), (0, 1)))
    states = np.zeros(len(cases), find("swords_and_shields-v0").rules.STATE)
    places, chief, seat = (np.array(column) for column in zip(*cases))
    states["men"], states["chief"], states["to_act"] = np.array(men)[places], chief, seat
    return states


def few_in_agon() -> States:
    """A guard each or two of one seat, anywhere; the queens on two of four cells or not placed; two phases."""
    bit = find("agon-v0").rules.BIT
    nothing = bit[91]
    guards = [(bit[one], bit[other]) for one, other in itertools.permutations(range(91), 2)]
    guards += [(bit[one] | bit[other], nothing) for one, other in itertools.combinations(range(91), 2)]
    guards += [(nothing, light) for light, none in guards if none is nothing]
    queens = [*itertools.permutations((0, 45, 64, 90), 2), (91, 91)]
    cases = list(itertools.product(range(len(guards)), range(len(queens)), (0, 4), (0, 1)))
    states = np.zeros(len(cases), find("agon-v0").rules.STATE)
    places, pair, phase, seat = (np.array(column) for column in zip(*cases))
    states["guards"], states["queens"] = np.array(guards)[places], np.array(queens)[pair]
    states["phase"], states["to_act"] = phase, seat
    return states


FEW_PIECES: dict[str, Callable[[], States]] = {
    "agon-v0": few_in_agon, "checkers-v0": few_in_checkers, "swords_and_shields-v0": few_in_swords_and_shields,
}  # fmt: skip


@sampled("step", 7, 1)
@pytest.mark.parametrize("game", CONTENTS)
def test_positions_with_few_pieces_share_no_key(game: str, step: int) -> None:
    states = FEW_PIECES[game]()[::step]
    assert_told_apart(contents_of(game, states), keys_of(game, states))


# --- reached positions ---


def check_what_is_reached(game: str, count: int, told_apart: Callable[[States], tuple[Contents, Any]]) -> None:
    """Contents and keys of ``count`` states at least, of all variants, equal ones counted once."""
    variants, parts = list(parlour.variants(game)), []
    for seed, variant in enumerate(variants):
        for states in reached(game, variant, seed, 5 * count // (2 * len(variants))):
            parts.append(told_apart(states))
    contents, keys = (np.concatenate(part) for part in zip(*parts))
    assert_told_apart(contents, keys)
    assert len(firsts(contents)) >= count


@sampled("count", FEW, MANY)
@pytest.mark.parametrize("game", CONTENTS)
def test_reached_positions_share_no_key(game: str, count: int) -> None:
    """At ends of turns, where repetition compares them."""

    def told_apart(states: States) -> tuple[Contents, Any]:
        states = states[states["turn_over"] == 1]
        return contents_of(game, states), keys_of(game, states)

    check_what_is_reached(game, count, told_apart)


@sampled("count", FEW, MANY)
@pytest.mark.parametrize("game", GAMES)
def test_reached_states_share_no_hash(game: str, count: int) -> None:
    """The hash of whole states, by which searches know them again."""
    check_what_is_reached(game, count, lambda states: (bytes_of(states), hashes_of(states)))


# --- the hash itself ---


def test_the_order_of_words_counts() -> None:
    """Small words, single bits and the hash's own first word, four at a time in every order."""
    some = [0, 1, 2, 3, 1 << 32, 1 << 63, int(NO_WORDS), int(NO_WORDS) ^ 1, 2**64 - 1]
    lists = np.array(list(itertools.product(some, repeat=4)), np.uint64)
    hashes = np.zeros(len(lists), np.uint64)
    hash_all(lists, hashes)
    assert len(np.unique(hashes)) == len(lists)


def test_hash_words_adds_word_by_word() -> None:
    words = np.array([5, 0, 2**64 - 1], np.uint64)
    hashed = NO_WORDS
    for word in words:
        hashed = add_word(np.uint64(hashed), word)
    assert np.uint64(hash_words(words)) == np.uint64(hashed)
