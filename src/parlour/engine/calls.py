"""How the engine, which is compiled once for all games, calls a game's functions, which are compiled for each game: by
their addresses.

A kernel of the engine takes the functions of its game as ``rules``. In compiled code that is the address of a list of
functions, and ``rules.apply(…)`` calls one of them. In the interpreter it is a module with these functions.

Each argument is passed as one word: a whole number, or the address of a record or an array. `from_words` makes records
and arrays of them again. To the engine, states and option values are rows of words; `state_at` and `variant_at` show
the fields that all games have. (In a kernel that is compiled for one game, ``rules`` is the module, and states are
records.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, signature
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from parlour.rulebook.compiling import COMPILED, kernel
from parlour.rulebook.options import COMMON_OPTIONS
from parlour.rulebook.protocol import HEADER
from parlour.rulebook.word_records import in_words

WORD = ir.IntType(64)
VARIANT_HEADER = in_words(COMMON_OPTIONS)
"""The fields of option values that all games have"""


# --- from addresses ---


def array_at(target: Any, builder: Any, kind: Any, address: Any, shape: Sequence[Any], owner: Any = None) -> Any:
    """The array of Numba type ``kind`` that begins at an address. ``owner``: of its memory, which counts the references
    to it."""
    array, number = target.make_array(kind)(target, builder), target.get_data_type(kind.dtype)
    size = target.get_constant(types.intp, target.get_abi_sizeof(number))
    strides = [size]
    for length in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length))
    populate_array(array, builder.inttoptr(address, number.as_pointer()), shape, strides, size, owner)
    return array._getvalue()


class ArrayAt(NamedTuple):
    """The array that an address stands for."""

    shape: tuple[int, ...]
    dtype: Any


def from_words(meanings: Sequence[Any]) -> Any:
    """A function for kernels that unpacks a tuple of words. ``meanings``: of each word None (a whole number), the dtype
    of the record at that address, or an `ArrayAt`."""
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
                    parts.append(array_at(target, builder, kind, word, lengths))
                else:
                    parts.append(word if meaning is None else builder.inttoptr(word, target.get_value_type(kind)))
            return target.make_tuple(builder, signature.return_type, parts)

        return types.Tuple(kinds)(words), generate

    return unpacked


# --- states and option values in rows ---


def _row(rows: Any, place: Sequence[Any], shared: np.dtype[Any]) -> Any:
    """The signature and the code of an intrinsic that returns the record at the index ``place`` of ``rows``. Rows are
    records, or words, of which the fields that all games have (``shared``) are shown."""
    is_record = isinstance(rows.dtype, types.Record)
    kind = rows.dtype if is_record else from_dtype(shared)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, *places = arguments
        where = places if is_record else [*places, places[0].type(0)]
        pointer = cgutils.get_item_pointer(
            target, builder, rows, target.make_array(rows)(target, builder, array), where
        )
        return builder.bitcast(pointer, target.get_value_type(kind))

    return kind(rows, *(types.int64 for _ in place)), generate


def _size(target: Any, builder: Any, rows: Any, array: Any) -> Any:
    """The bytes of a row."""
    if isinstance(rows.dtype, types.Record):
        return target.get_constant(types.intp, rows.dtype.size)
    shape = cgutils.unpack_tuple(builder, target.make_array(rows)(target, builder, array).shape)
    return builder.mul(shape[-1], WORD(8))


if COMPILED:

    @intrinsic
    def state_at(context: Any, states: Any, i: Any) -> Any:
        """The state in row i of ``states``: uint64 (N, state size / 8), in the interpreter records. Kernels of the
        engine see the fields that all games share."""
        return _row(states, (i,), HEADER)

    @intrinsic
    def state_in(context: Any, states: Any, i: Any, k: Any) -> Any:
        """The state in place k of row i of ``states``: uint64 (N, M, state size / 8)."""
        return _row(states, (i, k), HEADER)

    @intrinsic
    def variant_at(context: Any, variants: Any, i: Any) -> Any:
        """`state_at`, for option values."""
        return _row(variants, (i,), VARIANT_HEADER)

    @intrinsic
    def copy_state(context: Any, state: Any, states: Any, i: Any) -> Any:
        """Copies a whole state, the fields that the kernel does not see included, to row i of ``states``."""
        signature, place = _row(states, (i,), HEADER)

        def generate(target: Any, builder: Any, _: Any, arguments: Any) -> Any:
            to = place(target, builder, signature, arguments[1:])
            cgutils.raw_memcpy(builder, to, arguments[0], _size(target, builder, states, arguments[1]), 1)
            return target.get_dummy_value()

        return types.void(state, states, types.int64), generate

else:

    def state_at(states: Any, i: int) -> Any:
        """See above."""
        return states[i]

    def state_in(states: Any, i: int, k: int) -> Any:
        """See above."""
        return states[i, k]

    def variant_at(variants: Any, i: int) -> Any:
        """See above."""
        return variants[i]

    def copy_state(state: Any, states: Any, i: int) -> None:
        """See above."""
        states[i] = state


@kernel
def copy_row(source: Any, k: int, goal: Any, i: int) -> None:
    """Copies the state or the option values in row k of ``source`` to row i of ``goal``."""
    copy_state(state_at(source, k), goal, i)


# --- calls by address ---


RULES = types.uint64
"""The type of ``rules`` in kernels: the address of a list of functions. No other uint64 has the functions' names."""


METHODS: dict[str, Any] = {}
"""The methods of ``rules``, as Numba types"""
NUMBERS: dict[str, int] = {}
"""The whole numbers of ``rules``, with their places in the list"""


@infer_getattr
class _Functions(AttributeTemplate):
    key = RULES

    def generic_resolve(self, rules: Any, name: str) -> Any:
        """See `numba.core.typing.templates.AttributeTemplate`."""
        if name in METHODS:
            return types.BoundFunction(METHODS[name], rules)
        return types.int64 if name in NUMBERS else None


@lower_getattr_generic(RULES)
def _read_number(target: Any, builder: Any, kind: Any, rules: Any, name: str) -> Any:
    return in_list(builder, rules, NUMBERS[name])


def in_list(builder: Any, rules: Any, place: int) -> Any:
    """The word at a place of the list whose address is ``rules``."""
    return builder.load(builder.gep(builder.inttoptr(rules, WORD.as_pointer()), [ir.Constant(WORD, place)]))


def declare_number(name: str, place: int) -> None:
    """Lets kernels read ``rules.name``, the whole number at ``place`` of the list."""
    NUMBERS[name] = place


def declare_method(name: str, place: int, result: Any) -> None:
    """Lets kernels call ``rules.name(…)``, the function whose address is at ``place`` of the list. It returns
    ``result``, a Numba type. Its parameters are words: whole numbers, and addresses of records and arrays."""

    class Method(AbstractTemplate):
        key = f"rules.{name}"

        def generic(self, arguments: Any, keywords: Any) -> Any:
            return signature(result, *arguments, recvr=self.this)

    METHODS[name] = Method

    @lower_builtin(Method.key, RULES, types.VarArg(types.Any))
    def call(target: Any, builder: Any, typed: Any, given: Any) -> Any:
        address = in_list(builder, given[0], place)
        function = builder.inttoptr(address, _type_of(target, result, len(given) - 1).as_pointer())
        return _call(target, builder, function, result, typed.args[1:], given[1:])


def calling_apply(symbol: str) -> Any:
    """`GameFunctions.apply` for kernels of one game: calls the machine code of this name (`name_code`)."""

    @intrinsic
    def apply(context: Any, state: Any, variant: Any, action: Any, rewards: Any) -> Any:
        def generate(target: Any, builder: Any, typed: Any, given: Any) -> Any:
            kind = _type_of(target, types.void, len(given))
            function = cgutils.get_or_insert_function(builder.module, kind, symbol)
            return _call(target, builder, function, types.void, typed.args, given)

        return types.void(state, variant, action, rewards), generate

    return apply


def name_code(symbol: str, address: int) -> None:
    """Gives machine code a name. Code that calls it by that name can be loaded only afterwards."""
    llvm.add_symbol(symbol, address)


def _type_of(target: Any, result: Any, words: int) -> Any:
    """The LLVM type of a function of so many words."""
    return target.call_conv.get_function_type(result, [types.int64] * words)


def _call(target: Any, builder: Any, function: Any, result: Any, kinds: Any, given: Any) -> Any:
    """Calls a function of words with arguments of these Numba types."""
    parts = [_as_word(target, builder, kind, value) for kind, value in zip(kinds, given)]
    words = [types.int64] * len(parts)
    status, value = target.call_conv.call_function(builder, function, result, words, parts)
    with cgutils.if_unlikely(builder, status.is_error):
        target.call_conv.return_status_propagate(builder, status)
    return value


def _as_word(target: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A number, or the address of a record or an array, as a word."""
    if isinstance(kind, types.Record):
        return builder.ptrtoint(value, WORD)
    if isinstance(kind, types.Array):
        return builder.ptrtoint(target.make_array(kind)(target, builder, value).data, WORD)
    return target.cast(builder, value, kind, types.int64)
