"""Backgammon here and in pgx, turn by turn: the same throws, the same positions after the whole turn.

pgx 2.6.0 lets a player leave numbers unplayed that could be played, and take the lower where only one can be. So of its
turns those count that play as many numbers as possible, and the higher of two. A man on the bar is no backgammon there.

Games are played side by side: a call of pgx's compiled code takes as long for one position as for hundreds.

Axis letters: B positions, as their boards: points 24 to 1, bars, men off; the other's men are negative.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import numpy as np
import pgx.backgammon as rules

from tests.support.backgammon_turns import Position, after_turn, position_of, start, throw, variant_of

NO_OP, OFF, MEN = 6, 26, 15  # actions below 6 pass; where the mover's men off are counted
LEAST = 64
"""A call takes at least so many positions, and else a power of two: each number is compiled for itself."""


class Theirs(NamedTuple):
    """A position within a turn of theirs."""

    game: int
    played: tuple[int, ...]
    """numbers, in order"""
    board: bytes
    """as the seat that plays sees it: int32 (28,)"""

    @property
    def men(self) -> Any:
        """The board as an array."""
        return np.frombuffer(self.board, np.int32)


@functools.cache
def compiled() -> tuple[Any, Any, Any]:
    """Their legal moves (B, 156) of boards and numbers left, the boards after moves, and boards seen by the other."""
    return tuple(jax.jit(jax.vmap(call)) for call in (rules._legal_action_mask, rules._move, rules._flip_board))


def of_many(call: Callable[..., Any], *rows: Any) -> Any:
    """``call`` for arrays (B, …), with rows of zeros up to a number that is compiled already."""
    count = len(rows[0])
    room = max(LEAST, 1 << (count - 1).bit_length())
    padded = [np.concatenate([row, np.zeros((room - count, *row.shape[1:]), row.dtype)]) for row in rows]
    return np.array(call(*padded))[:count]


def their_position(board: Any) -> Position:
    """As its seat sees it: men on the bar and on the points 24 to 1, of either."""
    points, own_bar, other_bar = board[:24].tolist(), int(board[24]), int(-board[25])
    return (own_bar, *[max(n, 0) for n in points], other_bar, *[max(-n, 0) for n in reversed(points)])


def left_of(faces: tuple[int, int], played: tuple[int, ...]) -> list[int]:
    """The numbers that are left to play, as they write them: four, from 0; −1 for none."""
    left = list(faces if faces[0] != faces[1] else faces * 2)
    for number in played:
        left.remove(number)
    return [number - 1 for number in left] + [-1] * (4 - len(left))


def their_turns(boards: Any, throws: list[tuple[int, int]]) -> list[dict[Position, Any]]:
    """Of each game every position after a whole turn that plays as much as can be played, with its board."""
    legal, move, _ = compiled()
    ends: list[list[Theirs]] = [[] for _ in throws]
    waiting = [Theirs(game, (), board.tobytes()) for game, board in enumerate(boards)]
    while waiting:
        dice = np.array([left_of(throws[before.game], before.played) for before in waiting], np.int32)
        boards = np.stack([before.men for before in waiting])
        mask = of_many(legal, boards, dice)
        mask[:, :NO_OP] = False
        for before, goes_on in zip(waiting, mask.any(axis=1)):
            if not goes_on or before.men[OFF] == MEN:
                ends[before.game].append(before)
        rows, actions = mask.nonzero()
        after = of_many(move, boards[rows], actions.astype(np.int32)) if len(rows) else boards[:0]
        found = {}
        for row, action, board in zip(rows.tolist(), actions.tolist(), after):
            before = waiting[row]
            one = Theirs(before.game, (*before.played, action % 6 + 1), board.tobytes())
            found[one.game, tuple(sorted(one.played)), one.board] = one
        waiting = list(found.values())
    return [{their_position(end.men): end.men for end in whole_turns(own)} for own in ends]


def whole_turns(ends: list[Theirs]) -> Iterable[Theirs]:
    """Those of one game's turns that play as much as can be played."""
    most = max(len(end.played) for end in ends)
    whole = [end for end in ends if len(end.played) == most or end.men[OFF] == MEN]
    highest = max(end.played[0] for end in whole) if most == 1 else 0
    return [end for end in whole if most != 1 or end.played[0] == highest]


def compare(seeds: Iterable[int]) -> int:
    """Random games in both, side by side. Returns how many turns were compared; AssertionError where they differ."""
    variant, turns = variant_of(setup="standard"), 0
    running = [(random.Random(seed), start(variant, seed % 2)) for seed in seeds]
    boards = np.tile(np.asarray(rules._make_init_board(), np.int32), (len(running), 1))
    while running:
        throws = [(rng.randint(1, 6), rng.randint(1, 6)) for rng, _ in running]
        ended, going = [], []
        for (rng, ours), board, faces, expected in zip(running, boards, throws, their_turns(boards, throws)):
            throw(ours, variant, faces)
            before = position_of(ours, int(ours["to_act"][0]))
            assert before == their_position(board)
            found = after_turn(ours, variant)
            assert found.keys() == expected.keys(), (before, faces, found.keys() ^ expected.keys())
            turns += 1
            chosen = rng.choice(sorted(found))
            after, theirs = found[chosen], expected[chosen]
            assert bool(after.reward) == (theirs[OFF] == MEN)
            if not after.reward:
                ended.append(theirs)
                going.append((rng, after.states))
            elif not chosen[25]:  # nobody on the bar
                assert after.reward == rules._calc_win_score(theirs)
        running = going
        boards = of_many(compiled()[2], np.stack(ended)) if ended else boards[:0]
    return turns
