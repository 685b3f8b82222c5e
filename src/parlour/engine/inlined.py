"""The functions of a game as one module (`GameFunctions`): those of its rules, with defaults for what it leaves out,
and those that the engine builds from them.

Kernels that are compiled for one game inline them. For kernels that are compiled for all games,
`parlour.engine.rules_table` compiles each by itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game_functions import FORCING_SHIFT, TIER_SHIFT
from parlour.engine.kernels import ply, repeats
from parlour.rulebook import no_evaluation
from parlour.rulebook.chance import below, dice_tables, multiset
from parlour.rulebook.compiling import kernel, make_kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.masks import count_legal, list_masked, pack_legal, random_legal
from parlour.rulebook.protocol import HEADER, RUNNING, Record, first_state_dtype
from parlour.rulebook.state_records import records

ZERO, ONE, BYTE = np.uint64(0), np.uint64(1), np.uint64(255)
Functions = tuple[Callable[..., Any], ...]
TO_ACT_WORD, TO_ACT_SHIFT = divmod(8 * HEADER.fields["to_act"][1], 64)


@kernel
def seat_to_act(state: Record) -> int:
    """Whose turn it is in a game where nobody acts in another's turn."""
    return state.to_act


@kernel
def never_out(state: Record, variant: Record, seat: int) -> int:
    """`Rules.is_out` of a game in which every seat plays to the end."""
    return 0


@kernel
def reward_margin(before: Record, after: Record, variant: Record, rewards: Any) -> float:
    """What `greedy` maximises in a game without a score: the reward of the ply for its seat minus the best reward of
    the others, which is highest for a ply that wins at once."""
    seat = before.to_act
    best = -np.inf
    for other in range(rewards.shape[0]):
        if other != seat:
            best = max(best, rewards[other])
    return float(rewards[seat] - best)


def key_masks(state: np.dtype[Any]) -> tuple[NDArray[np.uint64], int]:
    """For `GameFunctions.state_key`: a mask for each word of a game's own fields, and at which bit of these words the
    seat to act is added. The other shared fields are left out: they depend on how the position was reached. (This is
    the layout of version 0.3.0, so that keys, and with them ladders, stay the same.)"""
    old: Any = first_state_dtype(state)
    mask = np.zeros(old.itemsize, np.uint8)
    for name, (dtype, offset, *_) in old.fields.items():
        if name not in HEADER.names:
            mask[offset : offset + dtype.itemsize] = 255
    to_act = old.fields["to_act"][1]
    return mask.view(np.uint64)[: to_act // 8 + 1], 8 * to_act


@functools.cache
def inlined(game: Any, player: str | None = None, apply: Any = None) -> ModuleType:
    """The functions of a game as a module (`GameFunctions`), for kernels that are compiled for this game alone and for
    the interpreter. ``player``: one of `Game.own_players`, whose score `greedy_score` is; None: the game's own.
    ``apply``: what to call instead of `Rules.apply` (`parlour.engine.calls.calling_apply`)."""
    rules, evaluation = game.rules, game.evaluation
    functions: Any = ModuleType(f"{game.package}.functions")  # Numba reads attributes of modules alone
    vars(functions).update(
        dice=len(rules.DICE), passing=getattr(rules, "PASS", -1), no_move=getattr(rules, "NO_MOVE", RUNNING),
        state_words=rules.STATE.itemsize // 8, has_features=int(hasattr(evaluation, "features")),
        has_forcing=int(evaluation.is_forcing is not no_evaluation.is_forcing),
        has_sharp=int(evaluation.is_sharp is not no_evaluation.is_forcing),  # its default is `is_forcing`
        has_wins_at_once=int(evaluation.wins_at_once is not no_evaluation.wins_at_once),
        STATE=rules.STATE, new_states=lambda count: records(count, rules.STATE),
        setup=rules.setup, apply=apply or rules.apply, dice_due=rules.dice_due, throw=rules.throw, legal=rules.legal,
        observe=rules.observe, position_key=rules.position_key,
        seat_of_turn=getattr(rules, "seat_of_turn", seat_to_act), is_out=getattr(rules, "is_out", never_out),
        place=getattr(game.endings, "place", None) if game.has_endings else None,
        write_numbers=getattr(evaluation, "features", rules.observe),
        potential=evaluation.potential, note_events=evaluation.events, heuristic_value=evaluation.heuristic_value,
        greedy_score=reward_margin, wins_at_once=evaluation.wins_at_once,
        most_to_win=getattr(evaluation, "most_to_win", evaluation.potential),
    )  # fmt: skip
    for function in (
        *_throws(rules, functions), *_choices(rules, evaluation, functions), *_plies(functions), *_values(game, player),
        _state_key(rules.STATE),
    ):  # fmt: skip
        name = function.__name__
        allocates = name == "close_ply"  # its search for a legal ply that repeats nothing has arrays of its own
        setattr(functions, name, make_kernel(function, f"{game.name}-rules", allocates=allocates))
    return cast(ModuleType, functions)


def _throws(rules: Any, functions: Any) -> Functions:
    """The functions about dice. ``sides`` and ``shown``: see `parlour.rulebook.chance.DiceTables`."""
    sides, shown, outcomes, chances, first = dice_tables(rules.DICE, getattr(rules, "THROW_KEY", multiset))

    def make_throws(
        state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, rewards: Any
    ) -> None:
        due = ply.throws_due(functions, state, variant)
        while due > 0:
            functions.next_faces(due, dice_rng, forced_dice, faces)
            rules.throw(state, variant, faces, rewards)
            due = ply.throws_due(functions, state, variant)

    def next_faces(due: int, dice_rng: Record, forced_dice: Any, faces: Any) -> None:
        forced = dice_rng.forced_used < dice_rng.forced_end and dice_rng.misfit == 0
        if forced and forced_dice[dice_rng.forced_used, sides.shape[0]] != due:
            dice_rng.misfit = due
            forced = False
        for k in range(due):
            faces[k] = forced_dice[dice_rng.forced_used, k] if forced else shown[k, below(dice_rng, sides[k])]
        if forced:
            dice_rng.forced_used += 1

    def set_throw(faces: Any, due: int, k: int) -> None:
        for die in range(due):
            faces[die] = outcomes[first[due] + k, die]

    def chance_of(due: int, k: int) -> float:
        return chances[first[due] + k]

    def count_of(due: int) -> int:
        return first[due + 1] - first[due]

    return make_throws, next_faces, set_throw, chance_of, count_of


def _choices(rules: Any, evaluation: Any, functions: Any) -> Functions:
    """The functions about legal actions. A game without `Rules.moves` or `Rules.draw_legal` has its mask."""
    has_sharp = functions.has_sharp

    def show(state: Record, variant: Record, mask: Any, words: Any, bits: Any, planes: Any) -> int:
        rules.legal(state, variant, mask, words)
        rules.observe(state, variant, state.to_act, planes)
        return pack_legal(words, bits)

    if hasattr(rules, "moves"):

        def list_legal(state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
            return rules.moves(state, variant, actions)
    else:

        def list_legal(state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
            rules.legal(state, variant, mask, words)
            return list_masked(actions, words)

    if hasattr(rules, "draw_legal"):

        def draw_legal(state: Record, variant: Record, stream: Record, mask: Any, words: Any) -> int:
            return rules.draw_legal(state, variant, stream)
    else:

        def draw_legal(state: Record, variant: Record, stream: Record, mask: Any, words: Any) -> int:
            rules.legal(state, variant, mask, words)
            return random_legal(words, count_legal(words), stream)

    def list_marked(
        state: Record, variant: Record, actions: Any, marks: Any, mask: Any, words: Any, listed: int, forcing: int
    ) -> int:
        count = listed if listed >= 0 else functions.list_legal(state, variant, actions, mask, words)
        in_front = 0
        for k in range(count if forcing else 0):
            if evaluation.is_forcing(state, variant, actions[k]):
                actions[k], actions[in_front] = actions[in_front], actions[k]
                in_front += 1
        if has_sharp:
            for k in range(in_front if forcing else count):
                marks[k] = 1 if evaluation.is_sharp(state, variant, actions[k]) else 0
        return count + (np.int64(in_front) << FORCING_SHIFT)

    return show, list_legal, draw_legal, list_marked


def _plies(functions: Any) -> Functions:
    """The functions that play plies."""
    size = functions.state_words

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

    def play_on(own_words: Any, next_words: Any, after: Record, variant: Record, action: int, rewards: Any) -> int:
        for k in range(size):
            next_words[k] = own_words[k]
        ply.open_ply(functions, after, variant, action, rewards)
        return ply.throws_due(functions, after, variant)

    return begin_game, play_ply, close_ply, play_at_random, play_on


def _values(game: Any, player: str | None) -> Functions:
    """The functions that say what a position is worth."""
    evaluation = game.evaluation
    score: Any = game.own_players[player] if player else getattr(evaluation, "greedy_score", None)

    def heuristic_bounds(state: Record, variant: Record, seat: int, plies: int, bounds: Any) -> None:
        bounds[0], bounds[1], bounds[2] = evaluation.heuristic_bounds(state, variant, seat, plies)

    def greedy_score(before: Record, after: Record, variant: Record, rewards: Any) -> float:
        return score(before, after, variant, before.to_act)

    endings: Any = game.endings if game.has_endings else None

    def rank(state: Record, variant: Record) -> int:
        tier, index = endings.rank(state, variant)
        return (np.int64(tier) << TIER_SHIFT) + np.int64(index)

    return heuristic_bounds, rank, *([greedy_score] if score else [])


def _state_key(state_dtype: np.dtype[Any]) -> Callable[..., Any]:
    """`GameFunctions.state_key`"""
    masks, to_act = key_masks(state_dtype)
    to_act_word, to_act_shift = to_act // 64, np.uint64(to_act % 64)
    key_words, first_own, size = len(masks), HEADER.itemsize // 8, state_dtype.itemsize // 8

    def state_key(own_words: Any, salt: Any) -> Any:
        key = add_word(NO_WORDS, np.uint64(salt))
        for k in range(key_words):
            word = own_words[first_own + k] & masks[k] if first_own + k < size else ZERO
            if k == to_act_word:
                word |= (own_words[TO_ACT_WORD] >> TO_ACT_SHIFT & BYTE) << to_act_shift
            key = add_word(key, word)
        return key | ONE  # 0 marks an empty place of a table

    return state_key
