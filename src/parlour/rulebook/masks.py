"""Action masks: how many actions they allow, and which.

A mask is int8 (A₈,), 1 where an action is legal; ``words`` are the same bytes as uint64 (A₈ / 8,). ``bits`` are the
same mask with a bit for each action, uint64 (A₆₄ / 64,): action a is bit a mod 64 of word a div 64. The bytes are what
callers see and may overwrite; the engine keeps the bits to itself and relies only on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from parlour.rulebook.bits import ONE, count_bits, lowest, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel

ZERO, SEVEN, EIGHT = np.uint64(0), np.uint64(7), np.uint64(8)
BYTES_SUM, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)  # word × BYTES_SUM: its bytes' sum in the top byte
TOP_BITS = np.uint64(0x8080808080808080)  # of the eight bytes
EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
PAIRS_SUM, TOP_PAIR = np.uint64(0x0001000100010001), np.uint64(48)  # the same for 16-bit numbers
TO_BITS = np.uint64(0x0102040810204080)  # word × TO_BITS: its bytes, 0 or 1 each, as the bits of the top byte
OWN_BITS = np.uint64(0x8040201008040201)  # bit j of byte j
TWOS, FOURS, NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
TWO, FOUR, LOW_BYTE, LOW_BITS = np.uint64(2), np.uint64(4), np.uint64(255), np.uint64(0x7F7F7F7F7F7F7F7F)
BLOCK, LARGE = 8, 64
"""Masks of at least this many words are mostly zeros, so they are searched by blocks first."""


@kernel
def count_legal(words: Any) -> int:
    """How many actions a mask allows: how many of its bytes are 1."""
    pairs = ZERO  # four counts side by side, of 16 bits each
    for k in range(words.shape[0]):
        pairs += (words[k] & EVEN_BYTES) + ((words[k] >> EIGHT) & EVEN_BYTES)
    return np.int64((pairs * PAIRS_SUM) >> TOP_PAIR)


@kernel
def nth_legal(words: Any, n: int) -> int:
    """The n-th (from 0) action that a mask allows; n must be less than their number."""
    k = 0
    while words.shape[0] >= LARGE and k + BLOCK <= words.shape[0]:
        block = ZERO
        for j in range(k, k + BLOCK):
            block += words[j]
        count = np.int64((block * BYTES_SUM) >> TOP_BYTE)
        if n < count:
            break
        n -= count
        k += BLOCK
    count = np.int64((words[k] * BYTES_SUM) >> TOP_BYTE)
    while n >= count:
        n -= count
        k += 1
        count = np.int64((words[k] * BYTES_SUM) >> TOP_BYTE)
    upto = words[k] * BYTES_SUM  # byte j: how many of the bytes 0 to j are 1
    not_yet = ((np.uint64(n) * BYTES_SUM | TOP_BITS) - upto) & TOP_BITS  # the top bit of byte j: whether that is ≤ n
    return 8 * k + np.int64(((not_yet >> SEVEN) * BYTES_SUM) >> TOP_BYTE)


@kernel
def random_legal(words: Any, count: int, stream: Any) -> int:
    """One of the ``count`` actions that a mask allows, uniformly at random; −1 if there is none."""
    return nth_legal(words, below(stream, count)) if count else -1


@kernel
def list_masked(actions: Any, words: Any) -> int:
    """Lists the actions that a mask allows, uint64 (A₈ / 8,), in ``actions`` (int32 (A,)). Returns how many."""
    count = 0
    for k in range(words.shape[0]):
        word = words[k]
        while word:
            actions[count] = 8 * k + (lowest(word) >> 3)
            word = without_lowest(word)
            count += 1
    return count


# --- masks of bits ---


def bit_words(actions: int) -> int:
    """A₆₄ / 64: how many words hold a bit for each action."""
    return -(-actions // 64)


def allowed(bits: NDArray[np.uint64], actions: int) -> NDArray[np.int8]:
    """Masks as bytes, int8 (…, A), from those of bits, (…, A₆₄ / 64)."""
    small_first = bits.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(small_first, axis=-1, count=actions, bitorder="little").view(np.int8)


def block_bits(words: Any, k: int) -> Any:
    """The 64 bytes of ``words[k]`` to ``words[k + 7]`` as 64 bits: whether each is not 0."""
    return np.packbits(words[k : k + 8].view(np.int8) != 0, bitorder="little").view(np.uint64)[0]


@intrinsic
def _block_bits(context: Any, words: Any, k: Any) -> Any:
    """One comparison of 64 bytes; processors compare 16, 32 or 64 at a time."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
        block = ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(data, [arguments[1]]), block.as_pointer())
        loaded = builder.load(place, align=8)
        return builder.bitcast(builder.icmp_unsigned("!=", loaded, ir.Constant(block, [0] * 64)), ir.IntType(64))

    return types.uint64(words, types.int64), generate


@overload(block_bits)
def _block_bits_compiled(words: Any, k: Any) -> Any:
    def implementation(words: Any, k: Any) -> Any:
        return _block_bits(words, k)

    return implementation


@kernel
def pack_legal(words: Any, bits: Any) -> int:
    """Writes a mask as ``bits``. Returns how many actions it allows."""
    count, blocks = 0, words.shape[0] >> 3
    for b in range(blocks):
        block = block_bits(words, 8 * b)
        bits[b] = block
        count += count_bits(block)
    if blocks < bits.shape[0]:
        rest = ZERO
        for k in range(8 * blocks, words.shape[0]):
            rest |= ((words[k] * TO_BITS) >> TOP_BYTE) << np.uint64(8 * (k - 8 * blocks))
        bits[blocks] = rest
        count += count_bits(rest)
    return count


@kernel
def allows(bits: Any, action: int) -> bool:
    """Whether a mask allows ``action`` (0 to A − 1)."""
    return ((bits[action >> 6] >> np.uint64(action & 63)) & ONE) != ZERO


@kernel
def allows_in(legal_bits: Any, i: int, action: int) -> bool:
    """`allows` for row i of ``legal_bits`` (uint64 (N, A₆₄ / 64)): taking each row as an array in a loop would count
    references, which takes longer than the test itself."""
    return ((legal_bits[i, action >> 6] >> np.uint64(action & 63)) & ONE) != ZERO


@kernel
def nth_bit(word: Any, n: int) -> int:
    """The index of the n-th (from 0) bit that is set in ``word``; n must be less than their number.

    Vigna, *Broadword Implementation of Rank/Select Queries*, WEA 2008.
    """
    sums = word - ((word >> ONE) & TWOS)
    sums = (sums & FOURS) + ((sums >> TWO) & FOURS)
    upto = ((sums + (sums >> FOUR)) & NIBBLES) * BYTES_SUM  # byte j: how many bits are set in the bytes 0 to j
    not_yet = ((np.uint64(n) * BYTES_SUM | TOP_BITS) - upto) & TOP_BITS  # as in `nth_legal`
    place = (((not_yet >> SEVEN) * BYTES_SUM) >> TOP_BYTE) * EIGHT
    before = ((upto << EIGHT) >> place) & LOW_BYTE
    marked = (((word >> place) & LOW_BYTE) * BYTES_SUM) & OWN_BITS  # not 0 in the bytes j whose bit j is set
    upto = (((marked + LOW_BITS) & TOP_BITS) >> SEVEN) * BYTES_SUM
    not_yet = (((np.uint64(n) - before) * BYTES_SUM | TOP_BITS) - upto) & TOP_BITS
    return np.int64(place + (((not_yet >> SEVEN) * BYTES_SUM) >> TOP_BYTE))


@kernel
def random_allowed(bits: Any, count: int, stream: Any) -> int:
    """One of the ``count`` actions that a mask allows, the same as `random_legal` draws; −1 if there is none."""
    if count == 0:
        return -1
    n, k = below(stream, count), 0
    size = count_bits(bits[0])
    while n >= size:
        n -= size
        k += 1
        size = count_bits(bits[k])
    return 64 * k + nth_bit(bits[k], n)
