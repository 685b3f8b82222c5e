"""The functions of a game for the engine (`GameFunctions`), each compiled once and kept on disk.

The engine itself knows no game. A game's rules are compiled into the functions here, and a kernel of the engine that
is handed a `RulesTable` calls them.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, cast, get_type_hints

import numpy as np
from numba.core import types

from parlour.engine import ply
from parlour.engine.calls import ArrayAt, from_words, offer, offer_number, seen_in_kernels
from parlour.engine.game_functions import GameFunctions
from parlour.engine.throws import make_throws
from parlour.rulebook.chance import STREAM, dice_tables
from parlour.rulebook.compiler.dependencies import reachable
from parlour.rulebook.compiling import COMPILED, kernel, make_kernel
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import RUNNING, Layout, Record
from parlour.rulebook.state_records import records

NUMBERS = tuple(GameFunctions.__annotations__)
FUNCTIONS = tuple(
    name for name, part in vars(GameFunctions).items() if isinstance(part, FunctionType) and name[0] != "_"
)
RESULTS = {type(None): types.void, int: types.int64, float: types.float64, np.uint64: types.uint64}
CONVERT = {type(None): None, int: np.int64, float: np.float64, np.uint64: np.uint64}
MANY = 1 << 40
"""In place of a length that a function need not know: of the forced throws, as the streams tell which are meant, and of
the history, as the engine makes room."""
WHERE_FORBIDDEN, WHERE_SCORED = "parlour.engine.repeats", "parlour.engine.scoring"
"""Modules of kernels that are called only under variants that forbid repetitions, or where somebody asks for scores."""
_MAKING = RLock()

for _place, _name in enumerate(NUMBERS):
    offer_number(_name, _place)
for _place, _name in enumerate(FUNCTIONS, len(NUMBERS)):
    offer(_name, _place, RESULTS[get_type_hints(getattr(GameFunctions, _name))["return"]])


@kernel
def seat_to_act(state: Record) -> int:
    """Whose turn it is in a game where nobody acts in another's turn."""
    return state.to_act


@functools.cache
def inlined(game: Any) -> ModuleType:
    """The functions of a game themselves, as `GameFunctions`: what kernels take that are compiled for this game alone,
    and the interpreter."""
    rules, evaluation = game.rules, game.evaluation
    sides, shown, *_ = dice_tables(rules.DICE)

    def throws(state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, rewards: Any) -> None:
        make_throws(rules, sides, shown, state, variant, dice_rng, forced_dice, faces, rewards)

    def begin_game(
        state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any, rewards: Any
    ) -> None:
        ply.begin(functions, state, variant, dice_rng, forced_dice, faces, seen, rewards)

    def play_ply(
        state: Record, variant: Record, action: int, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any,
        rewards: Any,
    ) -> None:  # fmt: skip
        ply.play(functions, state, variant, action, dice_rng, forced_dice, faces, seen, rewards)

    def show(state: Record, variant: Record, mask: Any, words: Any, bits: Any, planes: Any) -> int:
        rules.legal(state, variant, mask, words)
        rules.observe(state, variant, state.to_act, planes)
        return pack_legal(words, bits)

    functions: Any = ModuleType(f"{game.package}.functions")  # Numba reads attributes of modules alone
    label = f"{game.name}-rules"
    vars(functions).update(
        dice=len(rules.DICE), passing=getattr(rules, "PASS", -1), no_move=getattr(rules, "NO_MOVE", RUNNING),
        state_words=rules.STATE.itemsize // 8, new_states=lambda count: records(count, rules.STATE),
        setup=rules.setup, apply=rules.apply, legal=rules.legal, observe=rules.observe,
        position_key=rules.position_key, seat_of_turn=getattr(rules, "seat_of_turn", seat_to_act),
        potential=evaluation.potential, note_events=evaluation.events,
        most_to_win=getattr(evaluation, "most_to_win", evaluation.potential),
        make_throws=make_kernel(throws, label), begin_game=make_kernel(begin_game, label),
        play_ply=make_kernel(play_ply, label),
        show=make_kernel(show, label),
    )  # fmt: skip
    return cast(ModuleType, functions)


class RulesTable:
    """The functions of a game for kernels of the engine, as `GameFunctions`; each is compiled when a kernel that calls
    it is first used.

    Attributes:
        address: where the list of numbers and functions lies, for compiled kernels.
    """

    def __init__(self, game: Any, layout: Layout) -> None:
        self._game, self._layout, self._functions = game, layout, inlined(game)
        self._list = np.zeros(len(NUMBERS) + len(FUNCTIONS), np.int64)
        self._list[: len(NUMBERS)] = [getattr(self._functions, name) for name in NUMBERS]
        self.address = self._list.ctypes.data
        self._compiled: dict[str, Any] = {}
        self._ready: set[Any] = set()

    def ready_for(self, kernel: Any, forbids: bool = True, scores: bool = True) -> GameFunctions:
        """What to hand to a kernel of the engine as ``rules``, when all is compiled that it may call. ``forbids``,
        ``scores``: whether it may get to `WHERE_FORBIDDEN` and `WHERE_SCORED`."""
        if not COMPILED:
            return cast(GameFunctions, self._functions)
        asked = kernel, forbids, scores
        if asked not in self._ready:
            with _MAKING:
                for name in called(*asked):
                    if name not in self._compiled and (self._functions.dice or name != "make_throws"):
                        self._compile(name)
            self._ready.add(asked)
        return cast(GameFunctions, self)

    def _compile(self, name: str) -> None:
        function, count = of_words(name, self._game, self._layout), len(_arguments(name))
        announce = functools.partial(_announce, self._game.name)
        compiled: Any = make_kernel(function, f"{self._game.name}-rules", inline=False, compiling=announce)
        signature = (types.StarArgUniTuple(types.int64, count),)
        compiled.compile(signature)
        result = compiled.overloads[signature]
        place = len(NUMBERS) + FUNCTIONS.index(name)
        self._list[place] = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        self._compiled[name] = compiled


@functools.cache
def called(kernel: Any, forbids: bool, scores: bool) -> tuple[str, ...]:
    """The functions of a game that a kernel may call, directly or indirectly: see `RulesTable.ready_for`."""
    without = {WHERE_FORBIDDEN: forbids, WHERE_SCORED: scores}
    inside = reachable([kernel], lambda function: without.get(function.__module__, True))
    names = {name for function in inside for name in function.__code__.co_names}
    return tuple(name for name in FUNCTIONS if name in names)


def of_words(name: str, game: Any, layout: Layout) -> Callable[..., Any]:
    """A function of a game to be compiled: its arguments are whole numbers, and the addresses of records and arrays,
    whose sizes are constants in it, which makes it faster."""
    function, convert = getattr(inlined(game), name), CONVERT[get_type_hints(getattr(GameFunctions, name))["return"]]
    unpacked = from_words([_meanings(game, layout)[argument] for argument in _arguments(name)])

    def tell(*words: Any) -> Any:
        return convert(function(*unpacked(words)))

    def do(*words: Any) -> None:
        function(*unpacked(words))

    return do if convert is None else tell


def _meanings(game: Any, layout: Layout) -> dict[str, Any]:
    """What the parameters of `GameFunctions` are, by their names: see `calls.from_words`."""
    state, dice = game.rules.STATE, len(game.rules.DICE)
    words = -(-layout.actions // 8)
    return {
        "state": state, "before": state, "after": state, "variant": game.variant_dtype, "dice_rng": STREAM,
        "action": None, "seat": None,
        "rewards": ArrayAt((layout.seats,), np.float64), "faces": ArrayAt((max(dice, 1),), np.int8),
        "forced_dice": ArrayAt((MANY, dice + 1), np.int8), "seen": ArrayAt((MANY,), np.uint64),
        "mask": ArrayAt((8 * words,), np.int8), "words": ArrayAt((words,), np.uint64),
        "bits": ArrayAt((-(-words // 8),), np.uint64), "planes": ArrayAt((math.prod(layout.shape),), np.int8),
        "counts": ArrayAt((len(game.evaluation.EVENTS),), np.int64),
    }  # fmt: skip


def _arguments(name: str) -> list[str]:
    """The names of the parameters of one of `FUNCTIONS`."""
    return list(inspect.signature(getattr(GameFunctions, name)).parameters)[1:]


@functools.cache
def rules_table(game: Any, layout: Layout) -> RulesTable:
    """The table of a game under options with this layout, one a process."""
    return RulesTable(game, layout)


@functools.cache
def _announce(name: str) -> None:
    """Says on a terminal, once a process, that the rules of a game have yet to be compiled."""
    if sys.stderr.isatty():
        print(f"parlour: compiling the rules of {name} …", file=sys.stderr)


seen_in_kernels(RulesTable)
