"""Moves of PDN played by the rules: what squares mean where they stand, however they are linked.

A move names where a piece begins and where it comes, and as many squares between as its writer liked. One with all its
squares means just that; else every turn that fits is meant, turns that lead to the same position being one. A
multi-jump may also be written jump by jump, as several moves. Where several turns fit, what follows decides: a game has
a meaning if just one of its readings is legal to its end.

`follow` plays a game whose moves all mean one thing, which is nearly every game, in machine code; `Readings` takes any.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.compiling import kernel
from parlour.rulebook.options import Value, fill, variant_dtype
from parlour.rulebook.positions import listing
from parlour.rulebook.protocol import RUNNING, Record
from parlour.rulebook.state_records import as_record, records

from . import board, notation, rules
from .variants import OPTIONS

MAX_JUMPS = notation.MAX_PIECES
MAX_MEANT, MAX_READINGS = 16, 64
"""At most this many turns may fit a move, and this many readings of a game may be left at any of its moves."""
NOW, MEANT = 0, MAX_JUMPS + 2
"""Rows of `Workspace.states`: the position, followed by those within a turn; and the ends of the turns that fit."""
PLY_NAMES = [name for seat in notation.NAMES for both in seat for name in both]
"""[(128 × seat + action) × 2 + 1 if it jumps]"""


class Workspace:
    """Room to play in: positions, the variant that people play, and what `meant` finds."""

    def __init__(self) -> None:
        self.states = records(MEANT + MAX_MEANT, rules.STATE)
        self.variants = records(1, variant_dtype(OPTIONS))
        values: dict[str, Value] = {"draw_rule": "none", "repetition": 0, "repeats": "draw", "max_plies": 0}
        fill(as_record(self.variants, 0), OPTIONS, values)
        self.work = np.zeros((3, MAX_JUMPS + 2), np.int64)
        self.ways = np.zeros((MAX_MEANT, MAX_JUMPS + 1), np.int64)
        """[k]: how many plies the k-th turn that fits has, and these"""
        self.rewards = np.zeros(2)

    @property
    def now(self) -> Record:
        """The position."""
        return as_record(self.states, NOW)


@kernel
def meant(states: Any, variants: Any, work: Any, ways: Any, rewards: Any, wanted: Any, first: int, last: int) -> int:
    """Finds the turns that fit the squares ``wanted[first : last + 1]`` in ``states[NOW]``, and how many they are; −1
    if they are more than `MAX_MEANT`. Each turn's plies are written to ``ways``, its end behind ``states[MEANT]``.

    ``work``: [0], the ply at each depth; [1], the next direction to try; [2], how many squares on the way were met."""
    if states[NOW].end != RUNNING or last - first > MAX_JUMPS:
        return 0
    seat = np.int64(states[NOW].to_act)
    count, depth, square = 0, 0, wanted[first]
    if square == board.NO_SQUARE or (states[NOW].jumper != board.NO_SQUARE and states[NOW].jumper != square):
        return 0
    work[1, 0] = 0
    work[2, 0] = 0
    while depth >= 0:
        direction = work[1, depth]
        if direction == board.DIRECTIONS:
            depth -= 1
            continue
        work[1, depth] += 1
        state = states[depth]
        square = state.jumper if depth > 0 else wanted[first]
        jumps = rules.all_jumpers(state, seat) != board.ZERO
        able = rules.jumpers(state, seat, direction) if jumps else rules.steppers(state, seat, direction)
        if able & board.BIT[square] == board.ZERO:
            continue
        action = board.SQUARES * direction + square
        if seat == rules.WHITE:
            action = board.ACTIONS - 1 - action
        target = board.BEYOND[seat, action] if jumps else board.BESIDE[seat, action]
        work[0, depth] = (seat * board.ACTIONS + action) * 2 + (1 if jumps else 0)
        states[depth + 1] = states[depth]
        rules.apply(states[depth + 1], variants[0], action, rewards)
        met, whole = work[2, depth], states[depth + 1].turn_over != 0
        arrived = met == last - first - 1 and target == wanted[last]
        exact = arrived and depth + 1 == last - first
        if arrived and (whole or exact):
            if whole and exact:
                count = 0  # this is what it means, whatever else fits
            known = same_end(states, depth + 1, count)
            if known == MAX_MEANT:
                return -1
            if known == count or exact:
                states[MEANT + known] = states[depth + 1]
                ways[known, 0] = depth + 1
                for ply in range(depth + 1):
                    ways[known, ply + 1] = work[0, ply]
                count = max(count, known + 1)
            if whole and exact:
                return count
        if not whole and depth < MAX_JUMPS:
            on_way = met < last - first - 1 and target == wanted[first + 1 + met]
            depth += 1
            work[1, depth] = 0
            work[2, depth] = met + (1 if on_way else 0)
    return count


@kernel
def same_end(states: Any, row: int, count: int) -> int:
    """The number of the first of ``count`` turns found that ends in the position of a row; ``count`` if none does."""
    for k in range(count):
        if (
            states[MEANT + k].pieces[0] == states[row].pieces[0]
            and states[MEANT + k].pieces[1] == states[row].pieces[1]
            and states[MEANT + k].kings == states[row].kings
            and states[MEANT + k].jumper == states[row].jumper
        ):
            return k
    return count


@kernel
def follow(
    states: Any, variants: Any, work: Any, ways: Any, rewards: Any, wanted: Any, starts: Any, plies: Any, counts: Any
) -> int:
    """Plays moves from ``states[NOW]`` on as long as just one turn fits each; how many those are. The k-th has the
    squares from ``starts[k]`` on. Their plies are written to ``plies``, how many each has to ``counts``."""
    written = 0
    for k in range(len(starts) - 1):
        if meant(states, variants, work, ways, rewards, wanted, starts[k], starts[k + 1] - 1) != 1:
            return k
        for ply in range(ways[0, 0]):
            plies[written + ply] = ways[0, ply + 1]
        counts[k] = ways[0, 0]
        written += ways[0, 0]
        states[NOW] = states[MEANT]
    return len(starts) - 1


class Unplayable(ValueError):
    """A move that has no meaning, or more than one; ``place``: its number, from 0."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(reason)
        self.place = place


def play(table: Workspace, moves: Sequence[str], may_stop: bool) -> list[list[str]]:
    """The names of the plies of each move, played from ``table.now`` on, which becomes the last position. ``may_stop``:
    whether the last move may end in the middle of a multi-jump. Raises `Unplayable`."""
    squares = [notation.squares_in(move) for move in moves]
    if any(len(one) > MAX_JUMPS + 1 for one in squares):
        return Readings(table, moves, squares).play(may_stop)
    begin = table.states[NOW : NOW + 1].copy()
    wanted = np.array([square for one in squares for square in one], np.int64)
    starts = np.cumsum([0, *map(len, squares)])
    plies, counts = np.zeros(MAX_JUMPS * len(moves), np.int64), np.zeros(len(moves), np.int64)
    done = follow(
        table.states, table.variants, table.work, table.ways, table.rewards, wanted, starts, plies, counts
    )  # fmt: skip
    if done < len(moves) or not (table.now.turn_over or may_stop):
        table.states[NOW : NOW + 1] = begin
        return Readings(table, moves, squares).play(may_stop)
    ends = np.cumsum(counts).tolist()
    names = [str(PLY_NAMES[ply]) for ply in plies[: ends[-1] if ends else 0].tolist()]
    return [names[start:end] for start, end in pairwise([0, *ends])]


class MoveReading(NamedTuple):
    """One of the ways to read a game up to now: the position, where its last turn began and at which move, and the
    plies of each move."""

    state: NDArray[Any]
    began: NDArray[Any]
    since: int
    moves: tuple[tuple[str, ...], ...]


class Readings:
    """All ways to read the moves of a game, side by side."""

    def __init__(self, table: Workspace, moves: Sequence[str], squares: Sequence[Sequence[int]]) -> None:
        self.table, self.moves, self.squares = table, moves, squares

    def play(self, may_stop: bool) -> list[list[str]]:
        """See the function `play`."""
        begin = self.table.states[NOW : NOW + 1].copy()
        left, parted = [MoveReading(begin, begin, 0, ())], 0
        for place in range(len(self.moves)):
            last = place == len(self.moves) - 1
            before, left = left, self._after(left, place, last and may_stop)
            if not left:
                self._refuse(before[0], place)
            if len(before) == 1 < len(left):
                parted = place
        if len(left) > 1:
            self._refuse_several(begin, left, parted)
        self.table.states[NOW : NOW + 1] = left[0].state
        return [list(names) for names in left[0].moves]

    def _after(self, left: Sequence[MoveReading], place: int, may_stop: bool) -> list[MoveReading]:
        """The readings after a move, each position once. Behind the last move a turn is whole, unless ``may_stop``."""
        table = self.table
        readings: dict[tuple[int, ...], MoveReading] = {}
        wanted = np.array(self.squares[place], np.int64)
        last = place == len(self.moves) - 1
        for reading in left:
            table.states[NOW : NOW + 1] = reading.state
            count = meant(
                table.states, table.variants, table.work, table.ways, table.rewards, wanted, 0, len(wanted) - 1
            )  # fmt: skip
            if count < 0:
                raise Unplayable(f"{self.moves[place]!r} can mean more than {MAX_MEANT} moves", place)
            for k in range(count):
                state = table.states[MEANT + k : MEANT + k + 1].copy()
                after = as_record(state, 0)
                if last and not after.turn_over and not may_stop:
                    continue
                names = tuple(str(PLY_NAMES[ply]) for ply in table.ways[k, 1 : 1 + table.ways[k, 0]].tolist())
                goes_on = as_record(reading.state, 0).jumper != board.NO_SQUARE
                began, since = (reading.began, reading.since) if goes_on else (reading.state, place)
                key = (*after.pieces.tolist(), int(after.kings), int(after.jumper), int(after.to_act))
                readings.setdefault(key, MoveReading(state, began, since, (*reading.moves, names)))
        if len(readings) > MAX_READINGS:
            raise Unplayable(f"{self.moves[place]!r} leaves more than {MAX_READINGS} ways to read the game", place)
        return list(readings.values())

    def _refuse(self, reading: MoveReading, place: int) -> None:
        """Says why a move does not fit; one that goes on with a multi-jump is refused where that began."""
        state = as_record(reading.state, 0)
        if state.end != RUNNING:
            raise Unplayable(f"{self.moves[place]!r} comes after the end ({rules.ENDS[state.end]})", place)
        if state.jumper != board.NO_SQUARE:
            place, state = reading.since, as_record(reading.began, 0)
        legal = listing([in_pdn(turn) for turn in turns(self.table, state)])
        position = notation.write(state, None)
        raise Unplayable(f"{self.moves[place]!r} is not legal in {position!r}; legal: {legal}", place)

    def _refuse_several(self, begin: NDArray[Any], left: Sequence[MoveReading], parted: int) -> None:
        """Names the turns that a move can mean."""
        self.table.states[NOW : NOW + 1] = begin
        state = self.table.now
        for name in (name for names in left[0].moves[:parted] for name in names):
            action = notation.MOVES[state.to_act][name]
            rules.apply(state, as_record(self.table.variants, 0), action, self.table.rewards)
        several = listing(list(dict.fromkeys(in_pdn(one.moves[parted]) for one in left)))
        position = notation.write(state, None)
        raise Unplayable(f"{self.moves[parted]!r} can mean several moves in {position!r}: {several}", parted)


def turns(table: Workspace, state: Record) -> list[list[str]]:
    """Every whole turn of the seat to act, as the names of its plies."""
    actions, sequences = np.zeros(board.ACTIONS, np.int64), []
    for action in actions[: rules.moves(state, None, actions)].tolist():
        name = str(notation.move_name(action, state))
        after = records(1, rules.STATE)
        after[0] = state
        twin = as_record(after, 0)
        rules.apply(twin, as_record(table.variants, 0), action, table.rewards)
        sequences += [[name]] if twin.turn_over else [[name, *rest] for rest in turns(table, twin)]
    return sequences


def in_pdn(turn: Sequence[str]) -> str:
    """``10x19x28``"""
    link = "x" if "x" in turn[0] else "-"
    return link.join([turn[0].split(link)[0], *(name.split(link)[1] for name in turn)])
