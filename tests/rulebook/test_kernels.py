"""The kernels that all games share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlour.rulebook import bits, chance, masks
from parlour.rulebook.compiling import COMPILED, plain
from parlour.rulebook.protocol import COMMON_FIELDS, HEADER, state_dtype
from parlour.rulebook.state_records import records


def dice_rng(counter: int) -> Any:
    made = records(1, chance.STREAM).view(np.recarray)
    made["counter"] = counter
    return made


def test_splitmix64_gives_its_published_numbers() -> None:
    """The reference program's first outputs for the seed 1234567 (Vigna, prng.di.unimi.it/splitmix64.c)."""
    stream = dice_rng(1234567)[0]
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    with np.errstate(over="ignore"):
        assert [int(chance.draw(stream)) for _ in expected] == expected


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 80, 1296] if COMPILED else [1, 2, 3, 6, 80])
def test_below_is_uniform(bound: int) -> None:
    """Chi-squared: the statistic stays under mean + 6 standard deviations (p < 10⁻⁶ at these degrees of freedom)."""
    stream = dice_rng(99)[0]
    draws = 200 * bound
    counts = np.bincount([chance.below(stream, bound) for _ in range(draws)], minlength=bound)
    assert len(counts) == bound
    statistic = ((counts - 200) ** 2 / 200).sum()
    freedom = bound - 1
    assert abs(statistic - freedom) <= 6 * np.sqrt(2 * freedom) + 1e-9


def test_below_rejects_what_would_be_unfair() -> None:
    """With a bound of 3·2³⁰ a quarter of the 32-bit words must be thrown away: without it 0 would come half of the time
    as often again. The three thirds of the range are each hit as often."""
    stream = dice_rng(5)[0]
    bound = 3 << 30
    thirds = np.bincount([chance.below(stream, bound) >> 30 for _ in range(9000)], minlength=3)
    assert np.abs(thirds - 3000).max() < 6 * np.sqrt(9000 * 2 / 9)


def test_streams_of_a_seed_differ_by_purpose_and_seed() -> None:
    seeds = np.array([0, 1, 2**63], np.uint64)
    dice, players = chance.start(seeds, chance.FOR_DICE), chance.start(seeds, chance.FOR_PLAYERS)
    assert len({*dice.tolist(), *players.tolist()}) == 6


def test_sets_of_cells() -> None:
    words = np.zeros(2, np.uint64)
    cells = [0, 5, 62, 63, 64, 80, 127]
    for cell in cells:
        assert not bits.has(words, cell)
        bits.toggle(words, cell)
        assert bits.has(words, cell)
    found = []
    for half in range(2):
        word = words[half]
        while word:
            found.append(64 * half + bits.lowest(word))
            word = np.uint64(bits.without_lowest(word))
    assert found == cells
    assert [bits.highest(word) for word in words] == [63, 127 - 64]
    bits.toggle(words, 63)
    assert bits.highest(words[0]) == 62
    assert not bits.has(words, 63)
    bits.clear(words)
    assert not words.any()


def test_plain_gives_the_python_function() -> None:
    assert plain(chance.mix).__name__ == "mix"
    assert plain(len) is len


def test_fractions_of_many_streams_are_those_of_each() -> None:
    counters = np.array([1, 2, 3, 2**63], np.uint64)
    rows = np.array([0, 3])
    for _ in range(3):
        expected = []
        for row in rows:
            stream = dice_rng(int(counters[row]))
            with np.errstate(over="ignore"):
                expected.append(chance.fraction(stream[0]))
        assert chance.fractions(counters, rows).tolist() == expected
    assert counters[1:3].tolist() == [2, 3]


@pytest.mark.parametrize("actions", [1, 2, 8, 63, 64, 65, 340, 729, 1296, 5000])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.05, 0.5, 1.0])
def test_masks_as_bytes_and_as_bits_allow_and_draw_the_same(actions: int, share: float) -> None:
    generator = np.random.default_rng(actions)
    mask = np.zeros(-(-actions // 8) * 8, np.int8)
    mask[:actions] = generator.random(actions) < share
    legal, words = np.flatnonzero(mask).tolist(), mask.view(np.uint64)
    packed = np.full(masks.bit_words(len(mask)), 99, np.uint64)
    with np.errstate(over="ignore"):
        assert masks.pack_legal(words, packed) == masks.count_legal(words) == len(legal)
        assert [action for action in range(actions) if masks.allows(packed, action)] == legal
        some = range(0, len(legal), max(len(legal) // 50, 1))
        assert [masks.nth_legal(words, n) for n in some] == [legal[n] for n in some]
        numbered = [
            64 * k + masks.nth_bit(word, n) for k, word in enumerate(packed) for n in range(bits.count_bits(word))
        ]
        assert numbered == legal
        one, other = dice_rng(actions)[0], dice_rng(actions)[0]
        draws = [masks.random_allowed(packed, len(legal), one) for _ in range(50)]
        assert draws == [masks.random_legal(words, len(legal), other) for _ in range(50)]


@pytest.mark.parametrize("size", range(1, 17))
def test_a_state_is_padded_to_whole_words(size: int) -> None:
    """Whatever its fields: searches read it as 64-bit words. The shared fields come first, at the same places in every
    game; a game's own lie behind them as NumPy puts them."""
    fields: list[tuple[Any, ...]] = [("cells", np.int8, (size,)), ("count", np.int32)]
    dtype: Any = state_dtype(fields)
    shared, own = np.dtype(COMMON_FIELDS, align=True), np.dtype(fields, align=True)
    assert dtype.itemsize % 8 == 0
    assert 0 <= dtype.itemsize - HEADER.itemsize - own.itemsize < 8
    assert dtype.isalignedstruct
    assert {name: dtype.fields[name] for name in shared.names} == dict(shared.fields) == dict(HEADER.fields)
    for name, (kind, place) in own.fields.items():
        assert dtype.fields[name] == (kind, HEADER.itemsize + place)
    assert records(3, dtype).view(np.uint64).shape == (3 * dtype.itemsize // 8,)
