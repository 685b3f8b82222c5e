"""The functions of a game for the engine (`GameFunctions`), each compiled once and kept on disk.

The engine itself knows no game. A game's rules are compiled into the functions here, and a kernel of the engine that
is handed a `RulesTable` calls them.
"""

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
from numpy.typing import NDArray

from parlour.engine.calls import ArrayAt, from_words, offer, offer_number
from parlour.engine.game_functions import TIER_SHIFT, GameFunctions
from parlour.engine.kernels import ply, repeats
from parlour.engine.kernels.throws import make_throws
from parlour.engine.kernels.throws import next_faces as draw_faces
from parlour.rulebook import no_evaluation
from parlour.rulebook.chance import STREAM, dice_tables, multiset
from parlour.rulebook.compiler.dependencies import reachable
from parlour.rulebook.compiling import COMPILED, announce, inner_loop, kernel, make_kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.masks import count_legal, list_masked, pack_legal, random_legal
from parlour.rulebook.protocol import HEADER, RUNNING, Layout, Record, first_state_dtype
from parlour.rulebook.state_records import records

NUMBERS = tuple(GameFunctions.__annotations__)
FUNCTIONS = tuple(
    name for name, part in vars(GameFunctions).items() if isinstance(part, FunctionType) and name[0] != "_"
)
RESULTS = {type(None): types.void, int: types.int64, float: types.float64, np.uint64: types.uint64}
CONVERT = {type(None): None, int: np.int64, float: np.float64, np.uint64: np.uint64}
ZERO, ONE, BYTE = np.uint64(0), np.uint64(1), np.uint64(255)
TO_ACT_WORD, TO_ACT_SHIFT = divmod(8 * HEADER.fields["to_act"][1], 64)
NUMBERED = (
    "action", "seat", "due", "k", "salt", "plies", "tier", "index", "count", "max_plies", "max_effort",
)  # fmt: skip
"""Parameters of `GameFunctions` that are whole numbers"""
MANY = 1 << 40
"""In place of a length that a function need not know: of the forced throws, as the streams tell which are meant, and of
the history, as the engine makes room."""
WHERE_FORBIDDEN, WHERE_SCORED = "parlour.engine.kernels.repeats", "parlour.engine.kernels.scoring"
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


@kernel
def never_out(state: Record, variant: Record, seat: int) -> int:
    """`Rules.is_out` of a game in which every seat plays to the end."""
    return 0


@kernel
def pass_turn(state: Record, variant: Record) -> None:
    """`Rules.null_move` of a game of two seats whose turns depend only on ``to_act``."""
    state.to_act = 1 - state.to_act


@kernel
def prune_nothing(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """`Rules.prune_nonwinning` of a game in which any action may win."""


@kernel
def lead_of_rewards(before: Record, after: Record, variant: Record, rewards: Any) -> float:
    """What `greedy` maximises in a game without a score: the reward of the ply for its seat minus the best reward of
    the others, which is highest for a ply that wins at once."""
    seat = before.to_act
    best = -np.inf
    for other in range(rewards.shape[0]):
        if other != seat:
            best = max(best, rewards[other])
    return float(rewards[seat] - best)


def key_masks(state: np.dtype[Any]) -> tuple[NDArray[np.uint64], int]:
    """For `GameFunctions.state_key`: a mask for each word of a game's own fields, and where among these words the seat
    to act comes in, as a count of bits. The other shared fields tell how a position was reached. (So keys are those of
    version 0.3.0, which had the shared fields behind a game's own, and ladders stay.)"""
    old: Any = first_state_dtype(state)
    kept = np.zeros(old.itemsize, np.uint8)
    for name, (dtype, offset, *_) in old.fields.items():
        if name not in HEADER.names:
            kept[offset : offset + dtype.itemsize] = 255
    to_act = old.fields["to_act"][1]
    return kept.view(np.uint64)[: to_act // 8 + 1], 8 * to_act


@functools.cache
def inlined(game: Any, player: str | None = None) -> ModuleType:
    """The functions of a game themselves, as `GameFunctions`: what kernels take that are compiled for this game alone,
    and the interpreter. ``player``: one of `Game.own_players`, which `greedy_score` is to be of."""
    rules, evaluation = game.rules, game.evaluation
    sides, shown, outcomes, chances, first = dice_tables(rules.DICE, getattr(rules, "THROW_KEY", multiset))
    masks, to_act = key_masks(rules.STATE)
    to_act_word, to_act_shift = to_act // 64, np.uint64(to_act % 64)
    key_words, own, size = len(masks), HEADER.itemsize // 8, rules.STATE.itemsize // 8

    def next_faces(due: int, dice_rng: Record, forced_dice: Any, faces: Any) -> None:
        draw_faces(sides, shown, due, dice_rng, forced_dice, faces)

    def set_throw(faces: Any, due: int, k: int) -> None:
        for die in range(due):
            faces[die] = outcomes[first[due] + k, die]

    def chance_of(due: int, k: int) -> float:
        return chances[first[due] + k]

    def count_of(due: int) -> int:
        return first[due + 1] - first[due]

    def state_key(own_words: Any, salt: Any) -> Any:
        key = add_word(NO_WORDS, np.uint64(salt))
        for k in range(key_words):
            word = own_words[own + k] & masks[k] if own + k < size else ZERO
            if k == to_act_word:
                word |= (own_words[TO_ACT_WORD] >> TO_ACT_SHIFT & BYTE) << to_act_shift
            key = add_word(key, word)
        return key | ONE  # 0 is an empty place of a table

    def list_moves(state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
        return rules.moves(state, variant, actions)

    def list_by_mask(state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
        rules.legal(state, variant, mask, words)
        return list_masked(actions, words)

    def heuristic_bounds(state: Record, variant: Record, seat: int, plies: int, bounds: Any) -> None:
        bounds[0], bounds[1], bounds[2] = evaluation.heuristic_bounds(state, variant, seat, plies)

    endings: Any = game.endings if game.has_endings else None

    def rank(state: Record, variant: Record) -> int:
        tier, index = endings.rank(state, variant)
        return (np.int64(tier) << TIER_SHIFT) + np.int64(index)

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

    def close_ply(state: Record, variant: Record, seen: Any, rewards: Any) -> None:
        repeats.close_ply(functions, state, variant, seen, rewards)

    def show(state: Record, variant: Record, mask: Any, words: Any, bits: Any, planes: Any) -> int:
        rules.legal(state, variant, mask, words)
        rules.observe(state, variant, state.to_act, planes)
        return pack_legal(words, bits)

    def play_at_random(
        state: Record, variant: Record, stream: Record, mask: Any, words: Any, forced_dice: Any, faces: Any, seen: Any,
        rewards: Any, max_plies: int, max_effort: int,
    ) -> int:  # fmt: skip
        effort = 0
        while state.end == RUNNING and state.plies < max_plies and effort < max_effort:
            effort += 1
            action = functions.draw_legal(state, variant, stream, mask, words)
            ply.play(functions, state, variant, action, stream, forced_dice, faces, seen, rewards)
        return effort

    def keep_forcing(state: Record, variant: Record, actions: Any, count: int) -> int:
        forcing = 0
        for k in range(count):
            if evaluation.is_forcing(state, variant, actions[k]):
                actions[k], actions[forcing] = actions[forcing], actions[k]
                forcing += 1
        return forcing

    def mark_sharp(state: Record, variant: Record, actions: Any, count: int, marks: Any) -> None:
        for k in range(count):
            marks[k] = 1 if evaluation.is_sharp(state, variant, actions[k]) else 0

    def draw_legal(state: Record, variant: Record, stream: Record, mask: Any, words: Any) -> int:
        return rules.draw_legal(state, variant, stream)

    def draw_by_mask(state: Record, variant: Record, stream: Record, mask: Any, words: Any) -> int:
        rules.legal(state, variant, mask, words)
        return random_legal(words, count_legal(words), stream)

    score: Any = game.own_players[player] if player else getattr(evaluation, "greedy_score", None)

    def greedy_score(before: Record, after: Record, variant: Record, rewards: Any) -> float:
        return score(before, after, variant, before.to_act)

    functions: Any = ModuleType(f"{game.package}.functions")  # Numba reads attributes of modules alone
    label = f"{game.name}-rules"
    vars(functions).update(
        dice=len(rules.DICE), passing=getattr(rules, "PASS", -1), no_move=getattr(rules, "NO_MOVE", RUNNING),
        state_words=rules.STATE.itemsize // 8, new_states=lambda count: records(count, rules.STATE),
        setup=rules.setup, apply=rules.apply, dice_due=rules.dice_due, throw=rules.throw,
        legal=rules.legal, observe=rules.observe,
        position_key=rules.position_key, seat_of_turn=getattr(rules, "seat_of_turn", seat_to_act),
        potential=evaluation.potential, note_events=evaluation.events,
        draw_legal=make_kernel(draw_legal if hasattr(rules, "draw_legal") else draw_by_mask, label),
        next_faces=make_kernel(next_faces, label), set_throw=make_kernel(set_throw, label),
        chance_of=make_kernel(chance_of, label), count_of=make_kernel(count_of, label),
        state_key=make_kernel(state_key, label),
        list_legal=make_kernel(list_moves if hasattr(rules, "moves") else list_by_mask, label),
        heuristic_bounds=make_kernel(heuristic_bounds, label), heuristic_value=evaluation.heuristic_value,
        wins_at_once=evaluation.wins_at_once, keep_forcing=make_kernel(keep_forcing, label),
        mark_sharp=make_kernel(mark_sharp, label), play_at_random=make_kernel(play_at_random, label),
        has_forcing=int(evaluation.is_forcing is not no_evaluation.is_forcing),
        has_sharp=int(evaluation.is_sharp is not no_evaluation.is_forcing),
        rank=make_kernel(rank, label), place=getattr(endings, "place", None),
        null_move=getattr(rules, "null_move", pass_turn),
        prune_nonwinning=getattr(rules, "prune_nonwinning", prune_nothing),
        has_features=int(hasattr(evaluation, "features")),
        write_numbers=getattr(evaluation, "features", rules.observe),
        is_out=getattr(rules, "is_out", never_out),
        greedy_score=make_kernel(greedy_score, label) if score else lead_of_rewards,
        most_to_win=getattr(evaluation, "most_to_win", evaluation.potential),
        make_throws=make_kernel(throws, label), begin_game=make_kernel(begin_game, label),
        play_ply=make_kernel(play_ply, label),
        show=make_kernel(show, label), close_ply=make_kernel(close_ply, label, allocates=True), STATE=rules.STATE,
    )  # fmt: skip
    return cast(ModuleType, functions)


class RulesTable:
    """The functions of a game for kernels of the engine, as `GameFunctions`; each is compiled when a kernel that calls
    it is first used.

    Attributes:
        layout: the sizes of arrays.
        address: where the list of numbers and functions lies, uint64; valid as long as the table is kept.
    """

    def __init__(self, game: Any, layout: Layout, player: str | None = None) -> None:
        """``layout``: that of the game's own planes. ``player``: see `inlined`."""
        self.layout, self._game, self._functions = layout, game, inlined(game, player)
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
        """What to hand to a kernel of the engine as ``rules``, when all is compiled that it may call. ``forbids``,
        ``scores``: whether it may get to `WHERE_FORBIDDEN` and `WHERE_SCORED`. ``without``: functions that it will not
        call with the arguments that it is given."""
        if not COMPILED:
            return cast(GameFunctions, self._functions)
        asked = kernel, forbids, scores, *without
        if asked not in self._ready:
            with _MAKING:
                for name in called(kernel, forbids, scores):
                    if name not in self._compiled and name not in without and self._has(name):
                        self._compile(name)
            self._ready.add(asked)
        return cast(GameFunctions, self.address)

    def _has(self, name: str) -> bool:
        """Whether the game has a function: kernels don't call those that only games with dice or endings have."""
        needed = {"make_throws": self._functions.dice, "rank": self._game.has_endings, "place": self._game.has_endings}
        return bool(needed.get(name, True))

    def _compile(self, name: str) -> None:
        function = of_words(name, getattr(self._functions, name), self._game, self.layout)
        count = len(_arguments(name))
        saying = functools.partial(announce, f"the rules of {self._game.name}")
        compiled: Any = make_kernel(function, f"{self._game.name}-rules", inline=False, compiling=saying)
        signature = (types.StarArgUniTuple(types.int64, count),)
        self._list[len(NUMBERS) + FUNCTIONS.index(name)] = _address(compiled, signature)
        self._compiled[name] = compiled


@inner_loop
def not_compiled() -> None:
    """Stands in the list for a function that no kernel was to call: better an error than an address of nothing."""
    raise RuntimeError("a kernel has called a function of its game that was not compiled for it")


def _address(kernel: Any, signature: tuple[Any, ...]) -> int:
    """Where a kernel's machine code for arguments of these types begins."""
    kernel.compile(signature)
    result = kernel.overloads[signature]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


@functools.cache
def called(kernel: Any, forbids: bool, scores: bool) -> tuple[str, ...]:
    """The functions of a game that a kernel may call, directly or indirectly: see `RulesTable.ready_for`."""
    without = {WHERE_FORBIDDEN: forbids, WHERE_SCORED: scores}
    inside = reachable([kernel], lambda function: without.get(function.__module__, True))
    names = {name for function in inside for name in function.__code__.co_names}
    return tuple(name for name in FUNCTIONS if name in names)


def of_words(name: str, function: Any, game: Any, layout: Layout) -> Callable[..., Any]:
    """A function of a game, with the name ``name``, to be compiled: its arguments are whole numbers, and the addresses
    of records and arrays, whose sizes are constants in it, which makes it faster."""
    convert: Any = CONVERT[get_type_hints(getattr(GameFunctions, name))["return"]]
    unpacked = from_words([_meanings(game, layout)[argument] for argument in _arguments(name)])

    def tell(*words: Any) -> Any:
        return convert(function(*unpacked(words)))

    def do(*words: Any) -> None:
        function(*unpacked(words))

    return do if convert is None else tell


def _meanings(game: Any, layout: Layout) -> dict[str, Any]:
    """What the parameters of `GameFunctions` are, by their names: see `calls.from_words`."""
    state, dice, evaluation = game.rules.STATE, len(game.rules.DICE), game.evaluation
    words, planes = -(-layout.actions // 8), math.prod(layout.shape)
    numbers = sum(each.count for each in evaluation.FEATURES) if hasattr(evaluation, "features") else planes
    return {
        "state": state, "before": state, "after": state, "variant": game.variant_dtype, "dice_rng": STREAM,
        "stream": STREAM, **dict.fromkeys(NUMBERED),
        "own_words": ArrayAt((state.itemsize // 8,), np.uint64), "bounds": ArrayAt((3,), np.float64),
        "actions": ArrayAt((layout.actions,), np.int32), "marks": ArrayAt((layout.actions,), np.int32),
        "rewards": ArrayAt((layout.seats,), np.float64), "faces": ArrayAt((max(dice, 1),), np.int8),
        "forced_dice": ArrayAt((MANY, dice + 1), np.int8), "seen": ArrayAt((MANY,), np.uint64),
        "mask": ArrayAt((8 * words,), np.int8), "words": ArrayAt((words,), np.uint64),
        "bits": ArrayAt((-(-words // 8),), np.uint64), "planes": ArrayAt((planes,), np.int8),
        "numbers": ArrayAt((numbers,), np.int8), "counts": ArrayAt((len(evaluation.EVENTS),), np.int64),
    }  # fmt: skip


def _arguments(name: str) -> list[str]:
    """The names of the parameters of one of `FUNCTIONS`."""
    return list(inspect.signature(getattr(GameFunctions, name)).parameters)[1:]


@functools.cache
def rules_table(game: Any, layout: Layout, player: str | None = None) -> RulesTable:
    """The table of a game under options with this layout, one a process. ``player``: see `inlined`."""
    return RulesTable(game, layout, player)
