"""A second, plain solver: values of small games, found position by position with the plain referees."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations, product
from math import comb

from tests.reference.checkers import (
    BLACK,
    KINGS,
    MEN,
    WHITE,
    Board,
    all_moves,
    crowned,
    jumps,
    reaches_king_row,
    seat_of,
    write_fen,
)
from tests.reference.royal_ur import Man, Referee

Outcome = tuple[int, int]
"""1 a win, −1 a loss, 0 a draw for the seat to act; and after how many turns, 0 for a draw."""


def checkers_endings(pieces: int) -> dict[str, Outcome]:
    """Every position with so many pieces, of both seats, by its FEN."""
    after: dict[str, list[str]] = {}
    for squares in combinations(range(1, 33), pieces):
        for letters in product((*MEN, *KINGS), repeat=pieces):
            board = dict(zip(squares, letters))
            if {seat_of(piece) for piece in letters} != {BLACK, WHITE}:
                continue
            if not any(reaches_king_row(piece, square) for square, piece in board.items()):
                for seat in (BLACK, WHITE):
                    ends = turn_ends(board, seat)
                    after[write_fen(board, seat)] = [write_fen(end, 1 - seat) for end in ends]
    return backwards(after, pieces)


def turn_ends(board: Board, seat: int, jumping: int | None = None) -> list[Board]:
    """The boards after each turn that is possible."""
    found = []
    for start, target, victim in all_moves(board, seat, jumping):
        then = {square: piece for square, piece in board.items() if square not in (start, victim)}
        piece = board[start]
        crown = reaches_king_row(piece, target)
        then[target] = crowned(piece) if crown else piece
        goes_on = victim is not None and not crown and jumps(then, target)
        found += turn_ends(then, seat, target) if goes_on else [then]
    return found


def backwards(after: dict[str, list[str]], pieces: int) -> dict[str, Outcome]:
    """Sweeps until nothing changes. A position that is not in ``after`` has fewer pieces, and is solved first; without
    pieces a seat has lost."""
    known: dict[str, Outcome] = {}
    if pieces > 2:
        known.update(checkers_endings(pieces - 1))
    for end in {end for ends in after.values() for end in ends} - after.keys() - known.keys():
        side, white, black = end.split(":")
        assert (white if side == "W" else black)[1:] == "", f"{end} is not known"
        known[end] = -1, 0
    turns = 0
    while True:
        found = {}
        for position, ends in after.items():
            if position in known:
                continue
            outcomes = [known.get(end, (0, 0)) for end in ends]
            if any(value < 0 and length == turns - 1 for value, length in outcomes):
                found[position] = 1, turns
            elif all(value > 0 for value, _ in outcomes) and max((n for _, n in outcomes), default=-1) == turns - 1:
                found[position] = -1, turns
        if not found and turns > max((length for _, length in known.values()), default=0):
            break
        known.update(found)
        turns += 1
    return {position: known.get(position, (0, 0)) for position in after}


UrMen = tuple[tuple[int, ...], tuple[int, ...]]
"""Squares of the men of the seat that throws next, and of the other's, in order (0: in hand, 15: off)."""


def royal_ur(men: int) -> dict[UrMen, float]:
    """What the Royal Game of Ur by Finkel's rules is worth to the seat that throws next, in every position that can
    come before a throw."""
    start = (0,) * men, (0,) * men
    turns: dict[UrMen, list[list[tuple[bool, bool, UrMen]]]] = {}
    waiting = [start]
    while waiting:
        places = waiting.pop()
        if places not in turns:
            turns[places] = [_ur_turns(*places, number) for number in range(5)]
            waiting += [then for ends in turns[places] for won, _, then in ends if not won]
    values = dict.fromkeys(turns, 0.0)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for places, by_number in turns.items():
            mean = 0.0
            for number, ends in enumerate(by_number):
                best = max(1.0 if won else values[then] * (1 if again else -1) for won, again, then in ends)
                mean += comb(4, number) / 16 * best
            change = max(change, abs(mean - values[places]))
            values[places] = mean
    return values


def _ur_turns(own: tuple[int, ...], other: tuple[int, ...], number: int) -> list[tuple[bool, bool, UrMen]]:
    """For each move: whether it wins, whether the same seat throws again, and where the men stand then."""
    game = Referee(lambda dice: tuple([1] * number + [0] * (dice - number)), men=len(own))
    game.all = [Man(seat, square) for seat, squares in enumerate((own, other)) for square in squares]
    found = []
    for move in game.legal():
        then = deepcopy(game)
        then.play(move)
        first, second = (tuple(sorted(man.square for man in then.all if man.seat == seat)) for seat in range(2))
        again = then.seat == 0
        found.append((bool(then.end), again, (first, second) if again else (second, first)))
    return found
