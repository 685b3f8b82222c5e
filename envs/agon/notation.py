"""Names of actions (``a5-b5``, ``@c4``, ``c4^``, ``pass``) and texts of positions."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.bits import members
from parlour.rulebook.positions import listing, own_words_refused, read_rows, write_rows
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

from . import actions, board, position, rules
from .actions import DARK, LIGHT

MOVE_FORM = "a5-b5, @c4, c4^ or pass"
DICE_TEXT = False
SEATS = "ld"  # the letters of the seats: Light, Dark
QUEENS, GUARDS = "Qq", "Gg"  # the letters of their pieces

ROW_NAMES = "abcdefghijk"
CELL_NAMES = tuple(f"{ROW_NAMES[row]}{place + 1}" for row, place in zip(board.CELL_ROW, board.CELL_PLACE))
CELLS = {name: cell for cell, name in enumerate(CELL_NAMES)}
MAX_PIECES = {"Q": (1, "light queens"), "q": (1, "dark queens"), "G": (6, "light guards"), "g": (6, "dark guards")}
ROWS = {f"row {name}": length for name, length in zip(ROW_NAMES, board.ROW_LENGTHS)}


def _move_names() -> dict[int, str]:
    """The names of the 513 actions that can ever be played, Light's numbering."""
    names = {
        board.DIRECTIONS * cell + d: f"{CELL_NAMES[cell]}-{CELL_NAMES[board.NEIGHBOUR[cell, d]]}"
        for cell in range(board.CELLS)
        for d in board.STEP_DIRECTIONS[board.QUEEN][cell]
    }
    names |= {actions.PUTS + cell: f"@{name}" for cell, name in enumerate(CELL_NAMES)}
    names |= {actions.CHOICES + cell: f"{name}^" for cell, name in enumerate(CELL_NAMES)}
    return {**names, actions.PASS: "pass"}


MOVE_NAMES = _move_names()
MOVES = {name: action for action, name in MOVE_NAMES.items()}

PHASE_FORMS = ("place", "touched:c4", "chosen:c4", "exile", "exchange", "exchange:h5,g7", "put:h5,g7")
NO_REWARDS = np.zeros(2)  # choosing brings none


def absolute(action: int, state: Record) -> int:
    """The action in Light's numbering, or from it: the same for both."""
    return int(actions.TURNED[action]) if state.to_act == DARK else action


def move_name(action: int, state: Record) -> str | None:
    """None for steps that no piece may ever take: outward, off the board, off the throne."""
    return MOVE_NAMES.get(absolute(action, state))


def parse_move(text: str, state: Record) -> int | None:
    """In the numbering of the seat to act."""
    return absolute(MOVES[text], state) if text in MOVES else None


def piece_letters(state: Record) -> list[str]:
    """For each cell ``Q``, ``G``, ``q``, ``g`` or ``.``."""
    letters = ["."] * board.CELLS
    for seat, (guards, queen) in enumerate(zip(state.guards.tolist(), state.queens.tolist())):
        for cell in members(guards):
            letters[cell] = GUARDS[seat]
        if queen != board.NOWHERE:
            letters[queen] = QUEENS[seat]
    return letters


# --- writing ---


def write(state: Record, variant: Record) -> str:
    """Eleven rows, row k first, runs of empty cells as numbers; the seat to act; then `phase=` and `passes=`."""
    words = [write_rows(piece_letters(state), board.ROW_LENGTHS), SEATS[state.to_act]]
    phase = phase_word(state)
    if phase:
        words.append(f"phase={phase}")
    if state.passes:
        words.append(f"passes={state.passes}")
    return " ".join(words)


def phase_word(state: Record) -> str:
    """The value of `phase=`; empty at the start of the turn of the seat to act."""
    phase, hand = int(state.phase), int(state.hand)
    if phase in (position.TOUCHED, position.CHOSEN):
        return f"{'touched' if phase == position.TOUCHED else 'chosen'}:{CELL_NAMES[hand]}"
    if phase == position.PUT:
        return "put:" + ",".join(CELL_NAMES[cell] for cell in in_turn(state, [hand, *members(state.waiting)]))
    if phase == position.EXCHANGE:
        waiting = ",".join(CELL_NAMES[cell] for cell in in_turn(state, members(state.waiting)))
        return f"exchange:{waiting}" if waiting else "exchange"
    return {position.PLACE: "place", position.EXILE: "exile"}.get(phase, "")


def in_turn(state: Record, cells: list[int]) -> list[int]:
    """Guards in the order in which they are put down: as the stepping seat sees the board."""
    return sorted(cells, reverse=bool(state.turn_of == DARK))


# --- reading ---


def read(text: str, state: Record, variant: Record) -> None:
    """Puts the pieces on the board and sets the seat to act and the phase."""
    rows, *words = text.split(" ")
    if not words or words[0] not in ("l", "d"):
        raise ValueError("after the board must come the seat to act, 'l' or 'd'")
    phase, passes = read_words(words[1:])
    letters = read_board(rows)
    position.clear_board(state)
    for seat, (guard, queen) in enumerate(zip(GUARDS, QUEENS)):
        cells = np.array([cell for cell, letter in enumerate(letters) if letter == guard], np.int64)
        state.guards[seat] = np.bitwise_or.reduce(board.BIT[cells], axis=0)
        if queen in letters:
            state.queens[seat] = letters.index(queen)
    state.passes, state.victims = passes, 0
    read_phase(phase, SEATS.index(words[0]), state, variant)


def read_words(words: list[str]) -> tuple[str | None, int]:
    """The values of `phase=` (None: not there) and `passes=`."""
    known = ("phase=", "passes=", "plies=", "seen=", "end=")
    phase, passes, rest = None, "0", list(words)
    if rest and rest[0].startswith("phase="):
        phase = rest.pop(0).removeprefix("phase=")
    if rest and rest[0].startswith("passes="):
        passes = rest.pop(0).removeprefix("passes=")
    if rest:
        raise own_words_refused(rest, known)
    if passes not in ("0", "1", "2"):
        raise ValueError(f"passes={passes!r} is no count of turns that ended in a pass: 0, 1, or 2 with end=passes")
    return phase, int(passes)


def read_board(text: str) -> str:
    """91 letters, cell a1 first; ValueError if the rows or the numbers of pieces are wrong."""
    letters = read_rows(text, ROWS, MAX_PIECES)
    if letters[board.THRONE] in GUARDS:
        raise ValueError(f"{letters[board.THRONE]!r} on f6, the throne, where only a queen may stand")
    return letters


def read_phase(phase: str | None, seat: int, state: Record, variant: Record) -> None:
    """Sets the phase, in which ``seat`` is to act; ValueError if it does not fit the board or the options."""
    kind, colon, names = (phase or "").partition(":")
    if kind in ("place", "exchange", "put") and state.passes:
        raise ValueError(f"passes={state.passes} with phase={phase}, but the ply before was no pass")
    if phase != "place":
        for owner, what in enumerate(("light", "dark")):
            if state.queens[owner] == board.NOWHERE:
                raise ValueError(f"no {what} queen {QUEENS[owner]!r} on the board; only phase=place can be without")
    if phase is None:
        rules.begin_turn(state, variant, seat, False)
    elif phase == "place":
        read_place(seat, state, variant)
    elif phase == "exile":
        if variant.capture == rules.BLOODY or variant.queen_placed_by != rules.BY_OPPONENT:
            option = "capture='bloody'" if variant.capture == rules.BLOODY else "queen_placed_by='owner'"
            raise ValueError(f"phase=exile, but with the option {option} nobody puts down the other seat's queen")
        rules.begin_turn(state, variant, 1 - seat, False)
        if state.phase != position.EXILE:
            raise ValueError(f"phase=exile, but {SEATS[seat]!r} has no trapped queen of the other seat to put down")
    elif kind in ("touched", "chosen") and colon:
        read_choice(kind, names, seat, state, variant)
    elif (kind == "exchange" and bool(names) == bool(colon)) or (kind == "put" and names):
        read_consequences(kind, names, seat, state, variant)
    else:
        raise ValueError(f"phase={phase!r} is no phase; phases look like {listing(PHASE_FORMS)}")


def read_cell(name: str) -> int:
    """A cell by its name."""
    if name not in CELLS:
        raise ValueError(f"phase= names {name!r}, which is no cell; cells are a1 to k6")
    return CELLS[name]


def read_place(seat: int, state: Record, variant: Record) -> None:
    """Placing in set-up: what comes next follows from the counts."""
    if variant.setup == rules.FIXED:
        raise ValueError("phase=place, but with the option setup='fixed' nothing is placed")
    guards = [int(position.count_guards(state, owner)) for owner in (LIGHT, DARK)]
    queens = [int(state.queens[owner] != board.NOWHERE) for owner in (LIGHT, DARK)]
    placed = [guards[owner] + queens[owner] for owner in (LIGHT, DARK)]
    queens_first = all(queens) or (variant.setup == rules.QUEENS_TOO and not any(guards))
    due = placed[LIGHT] - placed[DARK] == seat and placed[DARK] <= position.GUARDS_EACH
    if not (queens_first and due):
        raise ValueError(
            f"phase=place with {SEATS[seat]!r} to act does not fit the counts: {queens[LIGHT]} queen and "
            f"{guards[LIGHT]} guards light, {queens[DARK]} and {guards[DARK]} dark"
        )
    rules.begin_turn(state, variant, seat, True)


def read_choice(kind: str, name: str, seat: int, state: Record, variant: Record) -> None:
    """After a touch, or after a choice among trapped guards."""
    if kind == "touched" and not variant.touch_move:
        raise ValueError(f"phase=touched:{name}, but with the option touch_move=False no piece is touched")
    cell = read_cell(name)
    rules.begin_turn(state, variant, seat, False)
    if kind == "touched":
        fits = state.phase == position.TOUCH and piece_letters(state)[cell] in QUEENS[seat] + GUARDS[seat]
    else:
        fits = state.phase == position.CHOOSE and cell in members(state.waiting)
    if not fits:
        asked = "a piece to touch" if kind == "touched" else "one of several trapped guards to choose"
        raise ValueError(f"phase={kind}:{name}, but {name} is not {asked} for {SEATS[seat]!r}")
    rules.choose(state, variant, NO_REWARDS, cell)
    state.turn_over = 0


def read_consequences(kind: str, names: str, seat: int, state: Record, variant: Record) -> None:
    """In the middle of Bloody Queen's consequences of a step."""
    if variant.capture != rules.BLOODY:
        raise ValueError(f"phase={kind}, but the option capture is not 'bloody'")
    cells = [read_cell(name) for name in names.split(",")] if names else []
    stepping = 1 - seat if kind == "put" and variant.relocated_by == rules.BY_OWNER else seat
    enemy, letters = 1 - stepping, piece_letters(state)
    for k, cell in enumerate(cells):
        if cell in cells[:k]:
            raise ValueError(f"phase={kind} names {CELL_NAMES[cell]} twice")
        if letters[cell] != GUARDS[enemy] or not stands_between(cell, GUARDS[stepping], letters):
            raise ValueError(
                f"phase={kind} names {CELL_NAMES[cell]}, but there is no {GUARDS[enemy]!r} between two "
                f"{GUARDS[stepping]!r} there"
            )
    rules.begin_turn(state, variant, stepping, False)
    state.waiting[:] = np.bitwise_or.reduce(board.BIT[cells], axis=0)
    state.turn_over = 0
    if kind == "put":
        rules.put_next(state, variant, NO_REWARDS)
        return
    low, high = rules.outermost_guards(state, enemy)
    if not stands_between(int(state.queens[enemy]), QUEENS[stepping] + GUARDS[stepping], letters):
        raise ValueError(f"phase=exchange, but {QUEENS[enemy]!r} does not stand between two pieces of the other seat")
    if len(members((low, high))) < 2:
        raise ValueError(f"phase=exchange, but there are no several outermost {GUARDS[enemy]!r} to choose among")
    rules.begin_exchange(state, variant, NO_REWARDS)


def stands_between(cell: int, flankers: str, letters: list[str]) -> bool:
    """Whether two pieces with letters in ``flankers`` stand on opposite sides of a cell, in a straight line."""
    around = [letters[n] if n != board.NOWHERE else "." for n in board.NEIGHBOUR[cell]]
    return any(around[d] in flankers and around[board.OPPOSITE[d]] in flankers for d in board.FORWARD)


# --- checking ---


def check(state: Record, variant: Record) -> None:
    """ValueError for a position that cannot occur in a running game, or an end that does not fit the board."""
    end, mid_turn = int(state.end), not state.turn_over
    if mid_turn and end not in (RUNNING, MAX_PLIES):
        raise ValueError(f"end={rules.ENDS[end]} in the middle of a turn, phase={phase_word(state)}")
    if (state.passes == position.MAX_PASSES and end != rules.PASSES) or (end == rules.PASSES and state.passes == 1):
        raise ValueError(f"passes={state.passes} {'without' if end != rules.PASSES else 'with'} end=passes")
    check_guards(state, variant)
    if end == rules.GUARDLESS or state.phase in (position.EXCHANGE, position.PUT):
        return  # nothing more is looked at when the last guard is off; nor before all consequences are done
    decided = int(rules.decide(state, variant, LIGHT)[0])
    if decided != RUNNING and end != decided:
        raise ValueError(f"the board is decided: it needs end={rules.ENDS[decided]}")
    if end in (rules.ENTHRONED, rules.FORFEIT) and end != decided:
        raise ValueError(f"end={rules.ENDS[end]}, but the board shows no such end")


def check_guards(state: Record, variant: Record) -> None:
    """In Bloody Queen's play a side without guards has lost."""
    without = [SEATS[seat] for seat in (LIGHT, DARK) if position.count_guards(state, seat) == 0]
    in_play = variant.capture == rules.BLOODY and state.phase != position.PLACE
    if state.end == rules.GUARDLESS and not (in_play and len(without) == 1):
        raise ValueError("end=guardless, but it is not Bloody Queen's play with one side without guards")
    if in_play and without and state.end != rules.GUARDLESS:
        raise ValueError(f"{without[0]!r} has no guards, without end=guardless")
