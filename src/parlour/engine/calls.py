"""How the engine, which is compiled once for all games, reaches what is compiled for each: by addresses. No other
module knows that.

A kernel of the engine takes the functions of its game as ``rules``. Compiled, that is the address of a list of
functions, and ``rules.apply(…)`` calls one of them. In the interpreter it is a module that has them.

Records of states, of option values and of random streams, and arrays, are handed over by their addresses, so that the
functions have plain types; `from_words` makes records and arrays of them again. States and option values are rows of
words to the engine, `state_at` and `variant_at` show what all games have in them. (Where a kernel is compiled for one
game, and ``rules`` is the module, states are records too.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import (
    intrinsic,
    overload,
    overload_attribute,
    overload_method,
)
from numba.np.arrayobj import populate_array

from parlour.rulebook.options import COMMON_OPTIONS
from parlour.rulebook.protocol import HEADER
from parlour.rulebook.word_records import in_words

WORD = ir.IntType(64)
VARIANT_HEADER = in_words(COMMON_OPTIONS)
"""The fields of option values that all games have"""


# --- from addresses ---


@intrinsic
def numbers_at(context: Any, address: Any, shape: Any, dtype: Any) -> Any:
    """The array of a shape and dtype at an address."""
    kind = types.Array(dtype.dtype, len(shape), "C")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _array_at(target, builder, kind, arguments[0], cgutils.unpack_tuple(builder, arguments[1], len(shape)))

    return kind(address, shape, dtype), generate


def _array_at(target: Any, builder: Any, kind: Any, address: Any, shape: Any) -> Any:
    array, number = target.make_array(kind)(target, builder), target.get_data_type(kind.dtype)
    size = target.get_constant(types.intp, target.get_abi_sizeof(number))
    strides = [size]
    for length in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length))
    populate_array(array, builder.inttoptr(address, number.as_pointer()), shape, strides, size, None)
    return array._getvalue()


class ArrayAt(NamedTuple):
    """The array that an address stands for."""

    shape: tuple[int, ...]
    dtype: Any


def from_words(meanings: Sequence[Any]) -> Any:
    """A function for kernels that makes of words what they stand for: where the meaning is None a whole number, where
    it is a dtype the record at that address, where it is an `ArrayAt` the array."""
    kinds = [
        types.int64 if meaning is None
        else types.Array(from_dtype(np.dtype(meaning.dtype)), len(meaning.shape), "C") if isinstance(meaning, ArrayAt)
        else from_dtype(meaning)
        for meaning in meanings
    ]  # fmt: skip

    @intrinsic
    def unpacked(context: Any, words: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            parts = []
            for kind, meaning, word in zip(kinds, meanings, cgutils.unpack_tuple(builder, arguments[0], len(kinds))):
                if isinstance(meaning, ArrayAt):
                    lengths = [target.get_constant(types.intp, length) for length in meaning.shape]
                    parts.append(_array_at(target, builder, kind, word, lengths))
                else:
                    parts.append(word if meaning is None else builder.inttoptr(word, target.get_value_type(kind)))
            return target.make_tuple(builder, signature.return_type, parts)

        return types.Tuple(kinds)(words), generate

    return unpacked


def state_at(states: Any, i: int) -> Any:
    """The state in row i of ``states``, of which kernels of the engine see the fields that all games share. ``states``:
    uint64 (N, state size / 8), and in the interpreter records."""
    return states[i]


def state_in(states: Any, i: int, k: int) -> Any:
    """The state in place k of row i of ``states``: uint64 (N, M, state size / 8), and in the interpreter records."""
    return states[i, k]


def variant_at(variants: Any, i: int) -> Any:
    """The same of option values."""
    return variants[i]


def new_states(rules: Any, count: int) -> Any:
    """Room for ``count`` states of the game."""
    return rules.new_states(count)


def copy_state(state: Any, states: Any, i: int) -> None:
    """Copies a state, of which the kernel sees the common fields alone, to row i of ``states``."""
    states[i] = state


def copy_row(source: Any, k: int, target: Any, i: int) -> None:
    """Copies the state or the option values in row k of ``source`` to row i of ``target``."""
    target[i] = source[k]


@intrinsic
def _row_at(context: Any, rows: Any, place: Any, dtype: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = target.make_array(rows)(target, builder, arguments[0])
        places = cgutils.unpack_tuple(builder, arguments[1], rows.ndim - 1)
        place = cgutils.get_item_pointer(target, builder, rows, array, [*places, places[0].type(0)])
        return builder.bitcast(place, target.get_value_type(signature.return_type))

    return dtype.dtype(rows, types.UniTuple(types.int64, rows.ndim - 1), dtype), generate


@overload(state_in)
def _state_in(states: Any, i: Any, k: Any) -> Any:
    def implementation(states: Any, i: Any, k: Any) -> Any:
        return _row_at(states, (i, k), HEADER)

    return implementation


@overload(state_at)
def _state_at(states: Any, i: Any) -> Any:
    if isinstance(states.dtype, types.Record):

        def record(states: Any, i: Any) -> Any:
            return states[i]

        return record

    def implementation(states: Any, i: Any) -> Any:
        return _row_at(states, (i,), HEADER)

    return implementation


@overload(variant_at)
def _variant_at(variants: Any, i: Any) -> Any:
    def implementation(variants: Any, i: Any) -> Any:
        return _row_at(variants, (i,), VARIANT_HEADER)

    return implementation


@overload(new_states)
def _new_states(rules: Any, count: Any) -> Any:
    if isinstance(rules, types.Module):

        def for_one_game(rules: Any, count: Any) -> Any:
            return np.zeros(count, rules.STATE)

        return for_one_game

    def implementation(rules: Any, count: Any) -> Any:
        return np.zeros((count, rules.state_words), np.uint64)

    return implementation


@intrinsic
def _words_of(context: Any, record: Any, count: Any) -> Any:
    kind = types.Array(types.uint64, 1, "C")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = target.make_array(kind)(target, builder)
        size = ir.Constant(WORD, 8)
        data = builder.bitcast(arguments[0], WORD.as_pointer())
        populate_array(array, data, [arguments[1]], [size], size, None)
        return array._getvalue()

    return kind(record, types.int64), generate


@overload(copy_state)
def _copy_state(state: Any, states: Any, i: Any) -> Any:
    if isinstance(states.dtype, types.Record):

        def record(state: Any, states: Any, i: Any) -> None:
            states[i] = state

        return record

    def implementation(state: Any, states: Any, i: Any) -> None:
        words = _words_of(state, states.shape[1])
        for word in range(states.shape[1]):
            states[i, word] = words[word]

    return implementation


@overload(copy_row)
def _copy_row(source: Any, k: Any, target: Any, i: Any) -> Any:
    def implementation(source: Any, k: Any, target: Any, i: Any) -> None:
        for word in range(target.shape[1]):
            target[i, word] = source[k, word]

    return implementation


# --- calls by address ---


RULES = types.uint64
"""The type of ``rules`` in kernels: the address of a list of functions. No other uint64 has the functions' names."""


@intrinsic
def rules_at(context: Any, address: Any) -> Any:
    """The rules whose list of functions lies at an address."""
    return RULES(address), lambda target, builder, signature, arguments: arguments[0]


def offer(name: str, place: int, result: Any) -> None:
    """Lets kernels call ``rules.name(…)``: the function whose address is at ``place`` of the list, and which returns
    ``result``, a type of Numba. Its parameters are words: whole numbers, and addresses of records and arrays."""

    @intrinsic
    def call(context: Any, rules: Any, arguments: Any) -> Any:
        words = [types.int64] * len(arguments)

        def generate(target: Any, builder: Any, signature: Any, given: Any) -> Any:
            functions = builder.inttoptr(given[0], WORD.as_pointer())
            address = builder.load(builder.gep(functions, [ir.Constant(WORD, place)]))
            kind = target.call_conv.get_function_type(result, words)
            function = builder.inttoptr(address, kind.as_pointer())
            parts = [
                _as_word(target, builder, part, builder.extract_value(given[1], k)) for k, part in enumerate(arguments)
            ]
            status, value = target.call_conv.call_function(builder, function, result, words, parts)
            with cgutils.if_unlikely(builder, status.is_error):
                target.call_conv.return_status_propagate(builder, status)
            return value

        return result(rules, arguments), generate

    @overload_method(types.Integer, name)
    def method(rules: Any, *arguments: Any) -> Any:
        if rules != RULES:
            return None

        def implementation(rules: Any, *arguments: Any) -> Any:
            return call(rules, arguments)

        return implementation


def offer_number(name: str, place: int) -> None:
    """Lets kernels read ``rules.name``, the whole number at ``place`` of the list."""

    @intrinsic
    def number(context: Any, rules: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.load(builder.gep(builder.inttoptr(given[0], WORD.as_pointer()), [ir.Constant(WORD, place)]))

        return types.int64(rules), generate

    @overload_attribute(types.Integer, name)
    def attribute(rules: Any) -> Any:
        if rules != RULES:
            return None

        def implementation(rules: Any) -> Any:
            return number(rules)

        return implementation


def _as_word(target: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A number, or where a record or an array lies, as a word."""
    if isinstance(kind, types.Record):
        return builder.ptrtoint(value, WORD)
    if isinstance(kind, types.Array):
        return builder.ptrtoint(target.make_array(kind)(target, builder, value).data, WORD)
    return target.cast(builder, value, kind, types.int64)
