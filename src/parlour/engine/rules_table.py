"""The functions of a game (`GameFunctions`) by their addresses, for kernels that are compiled once for all games. Each
function is compiled by itself, when it is first needed, and kept on disk."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, cast, get_type_hints

import numpy as np
from numba import types

from parlour.engine.calls import ArrayAt, calling_apply, declare_method, declare_number, from_words, name_code
from parlour.engine.game_functions import GameFunctions
from parlour.engine.inlined import inlined
from parlour.rulebook.chance import STREAM
from parlour.rulebook.compiler.dependencies import code_digest, reachable
from parlour.rulebook.compiling import COMPILED, announce, inner_loop, make_kernel
from parlour.rulebook.protocol import Layout

NUMBERS = tuple(GameFunctions.__annotations__)
FUNCTIONS = tuple(
    name for name, part in vars(GameFunctions).items() if isinstance(part, FunctionType) and name[0] != "_"
)
RESULTS = {type(None): types.void, int: types.int64, float: types.float64, np.uint64: types.uint64}
CONVERT = {type(None): None, int: np.int64, float: np.float64, np.uint64: np.uint64}
WHOLE_NUMBERS = (
    "action", "seat", "due", "k", "salt", "plies", "tier", "index", "listed", "forcing", "max_plies", "max_effort",
)  # fmt: skip
"""Parameters of `GameFunctions` that are whole numbers"""
ANY_LENGTH = 1 << 40
"""A length that no function reads: of the forced throws, whose range is in the streams, and of the history, in which
the engine makes room."""
FORBIDDING, SCORING = "parlour.engine.kernels.repeats", "parlour.engine.kernels.scoring"
"""Modules of kernels that are called only under variants that forbid repetitions, or only for potentials
and events."""
PLYING = ("play_ply", "play_on", "play_at_random")
"""Functions with `apply` in them"""
LARGE = 6_000
"""An `apply` whose functions have more bytes of Python's bytecode (Agon's has 10,000) is compiled once and called by
`PLYING`, which takes about 2 % of a ply. A smaller one is inlined there: calling it takes up to 5 %."""
_MAKING = RLock()

for _place, _name in enumerate(NUMBERS):
    declare_number(_name, _place)
for _place, _name in enumerate(FUNCTIONS, len(NUMBERS)):
    declare_method(_name, _place, RESULTS[get_type_hints(getattr(GameFunctions, _name))["return"]])


class RulesTable:
    """The functions of a game for kernels of the engine, as `GameFunctions`; each is compiled when a kernel that calls
    it is first used.

    Attributes:
        layout: the sizes of arrays.
        address: where the list of numbers and functions lies, uint64; valid as long as the table is kept.
    """

    def __init__(self, game: Any, layout: Layout, player: str | None = None) -> None:
        """``layout``: that of the game's own planes. ``player``: see `parlour.engine.inlined.inlined`."""
        self.layout, self._game, self._player = layout, game, player
        self._functions = inlined(game, player)
        self._list = np.zeros(len(NUMBERS) + len(FUNCTIONS), np.int64)
        self._list[: len(NUMBERS)] = [getattr(self._functions, name) for name in NUMBERS]
        if COMPILED:
            self._list[len(NUMBERS) :] = _address(not_compiled, ())
        self.address = np.uint64(self._list.ctypes.data)
        self._compiled: dict[str, Any] = {}
        self._ready: set[Any] = set()

    def ready_for(
        self, kernel: Any, forbids: bool = True, scores: bool = True, without: Sequence[str] = ()
    ) -> GameFunctions:
        """Compiles the functions that a kernel of the engine may call, unless they are, and returns ``rules`` for it.
        ``forbids``, ``scores``: whether it may call `FORBIDDING` and `SCORING`. ``without``: functions that it will not
        call, because of its other arguments."""
        if not COMPILED:
            return cast(GameFunctions, self._functions)
        key = kernel, forbids, scores, *without
        if key not in self._ready:
            with _MAKING:
                for name in called(kernel, forbids, scores):
                    if name not in self._compiled and name not in without and self._has(name):
                        self._compile(name)
            self._ready.add(key)
        return cast(GameFunctions, self.address)

    def _has(self, name: str) -> bool:
        """Whether the game has a function: kernels don't call those that only games with dice or endings have."""
        needed = {"make_throws": self._functions.dice, "rank": self._game.has_endings, "place": self._game.has_endings}
        return bool(needed.get(name, True))

    def _compile(self, name: str) -> None:
        shares = name in PLYING and _size(self._game.rules.apply) > LARGE
        functions = self._sharing_apply() if shares else self._functions
        function = of_words(name, getattr(functions, name), self._game, self.layout)
        count = len(_arguments(name))
        announce_rules = functools.partial(announce, f"the rules of {self._game.name}")
        compiled: Any = make_kernel(function, f"{self._game.name}-rules", inline=False, compiling=announce_rules)
        signature = (types.StarArgUniTuple(types.int64, count),)
        self._list[len(NUMBERS) + FUNCTIONS.index(name)] = _address(compiled, signature)
        self._compiled[name] = compiled

    def _sharing_apply(self) -> ModuleType:
        """The functions of the game, which call its compiled `apply`."""
        if "apply" not in self._compiled:
            self._compile("apply")
        symbol = f"{self._game.name}.apply.{code_digest(self._compiled['apply'])}"
        name_code(symbol, int(self._list[len(NUMBERS) + FUNCTIONS.index("apply")]))
        return inlined(self._game, self._player, calling_apply(symbol))


@functools.cache
def _size(kernel: Any) -> int:
    """See `LARGE`."""
    return sum(len(function.__code__.co_code) for function in reachable([kernel]))


@inner_loop
def not_compiled() -> None:
    """Fills the places of functions that are not compiled: calling one is an error, not a jump to a wrong address."""
    raise RuntimeError("a kernel has called a function of its game that was not compiled for it")


def _address(kernel: Any, signature: tuple[Any, ...]) -> int:
    """Where a kernel's machine code for arguments of these types begins."""
    kernel.compile(signature)
    result = kernel.overloads[signature]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


@functools.cache
def called(kernel: Any, forbids: bool, scores: bool) -> tuple[str, ...]:
    """The functions of a game that a kernel may call, directly or indirectly: see `RulesTable.ready_for`. The kernel's
    own module always counts."""
    without = {FORBIDDING: forbids, SCORING: scores, kernel.__module__: True}
    inside = reachable([kernel], lambda function: without.get(function.__module__, True))
    names = {name for function in inside for name in function.__code__.co_names}
    return tuple(name for name in FUNCTIONS if name in names)


def of_words(name: str, function: Any, game: Any, layout: Layout) -> Callable[..., Any]:
    """The form of a game's function ``name`` that is compiled: its arguments are words (`calls.from_words`). Sizes of
    arrays are constants in it, which makes it faster."""
    convert: Any = CONVERT[get_type_hints(getattr(GameFunctions, name))["return"]]
    unpacked = from_words([_meanings(game, layout)[argument] for argument in _arguments(name)])

    def with_result(*words: Any) -> Any:
        return convert(function(*unpacked(words)))

    def without_result(*words: Any) -> None:
        function(*unpacked(words))

    return without_result if convert is None else with_result


def _meanings(game: Any, layout: Layout) -> dict[str, Any]:
    """What the parameters of `GameFunctions` are, by their names: see `calls.from_words`."""
    state, dice, evaluation = game.rules.STATE, len(game.rules.DICE), game.evaluation
    words, planes = -(-layout.actions // 8), math.prod(layout.shape)
    numbers = sum(each.count for each in evaluation.FEATURES) if hasattr(evaluation, "features") else planes
    return {
        "state": state, "before": state, "after": state, "variant": game.variant_dtype, "dice_rng": STREAM,
        "stream": STREAM, **dict.fromkeys(WHOLE_NUMBERS),
        **dict.fromkeys(("own_words", "next_words"), ArrayAt((state.itemsize // 8,), np.uint64)),
        "bounds": ArrayAt((3,), np.float64),
        "actions": ArrayAt((layout.actions,), np.int32), "marks": ArrayAt((layout.actions,), np.int32),
        "rewards": ArrayAt((layout.seats,), np.float64), "faces": ArrayAt((max(dice, 1),), np.int8),
        "forced_dice": ArrayAt((ANY_LENGTH, dice + 1), np.int8), "seen": ArrayAt((ANY_LENGTH,), np.uint64),
        "mask": ArrayAt((8 * words,), np.int8), "words": ArrayAt((words,), np.uint64),
        "bits": ArrayAt((-(-words // 8),), np.uint64), "planes": ArrayAt((planes,), np.int8),
        "numbers": ArrayAt((numbers,), np.int8), "counts": ArrayAt((len(evaluation.EVENTS),), np.int64),
    }  # fmt: skip


def _arguments(name: str) -> list[str]:
    """The names of the parameters of one of `FUNCTIONS`."""
    return list(inspect.signature(getattr(GameFunctions, name)).parameters)[1:]


@functools.cache
def rules_table(game: Any, layout: Layout, player: str | None = None) -> RulesTable:
    """The table of a game under options with this layout: one per process. ``player``: see
    `parlour.engine.inlined.inlined`."""
    return RulesTable(game, layout, player)
