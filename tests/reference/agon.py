"""A slow, plain referee for Agon, or Queen's Guard, to be held side by side against a fast kernel.

Written only from the rules (envs/agon/README.md and docs/common_rules.md) and the printed sheets
(Woolson, Kato, Neto); it shares no code with the package. Each rule is a small function that quotes the sentence it
stands for; quotations marked Woolson, Kato or Neto are the sheets', all others the rulings'.

A cell is a pair (row, number), rows 0 to 10 for a to k, so f6 is (5, 6). The board is a dict from a cell to the letter
of the piece on it (`Q` `G` Light's, `q` `g` Dark's); an empty cell is not in the dict.

Words of `end` (rulings of this file, the rules name none):
    win          a seat's queen is on the throne among her guards
    forfeit      a seat's six guards hold ring 1 without her: that seat loses
    no_guards    Bloody Queen: a side's last guard is off the board
    passes       a draw: two turns in a row that ended in `pass`
    repetition   a draw by repetition
    max_plies    truncated

Words of the text after the board and the seat to act, in this order:
    phase=…      only if there is one
    passes=0     always; turns in a row that ended in `pass`
    plies=0      always
    end=win      only after the end
The word `seen=` is not written here and is refused on reading. After an end the seat and the phase in the text are
those with which the game would have gone on.

Words of `events` (a Counter, of the last ply only):
    trap              a piece that was not trapped before stands trapped (Bloody Queen: is a victim of the step)
    queen_trap        … and it is a queen
    throne_trap       … and it stands on the throne
    bent_trap         … by flankers that are not in a straight line with it
    self_trap         … and it is the piece that has just arrived
    old_trap          Bloody Queen: a piece stepped between two enemies and is safe
    freed             a trapped piece is free again, for a flanker has left
    step              a step
    placement         a piece was placed in set-up
    relocation        a guard was relocated (Bloody Queen's too)
    queen_relocation  a queen was relocated by her owner
    exile             a queen was put down by the opponent
    guards_first      a guard was relocated, or chosen for it, though the queen is trapped: she has no legal cell
    stuck_guard       a relocation turn in which some trapped guard has no legal cell
    exchange          Bloody Queen: a queen changed places with a guard
    exchanged_victim  … and that guard was waiting to be relocated
    removal           Bloody Queen: a guard trapped by a guard and a queen was removed
    several_victims   Bloody Queen: a step that trapped two or more
    ring_skipped      Bloody Queen: a guard was relocated beyond a full ring
    owner_put         Bloody Queen: a guard was relocated by its owner
    choice            one of several trapped guards was chosen
    exchange_choice   one of several outermost guards was chosen
    touch             a piece was touched
    touch_stuck       … and it can't step
    blocked           a ply before which "Blocking" forbade some arrival
    pass              a pass
    stuck_pass        … because no trapped piece has a legal cell
    no_step_pass      … because nothing can step
    lost_move         … after a touch
    win, forfeit, no_guards
                      the game ended so
    others_result     … by the win or loss of the seat that did not act (Bloody Queen: that did not step)
    set_up_forfeit    … in set-up
    not_lost          six guards hold ring 1 round the enemy's queen, which `throne_empty` allows
    result_on_limit, passes_over_repetition, repetition_over_limit
                      ends that fell together with a later one of the order of ends
    turn_cut          `max_plies` fell within a turn
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from typing import Any

from tests.reference import check_count, check_repeats

Cell = tuple[int, int]
Board = dict[Cell, str]

LIGHT, DARK = 0, 1
"""`player_0` is Light (queen `Q`, guards `G`), `player_1` Dark (`q`, `g`)."""

QUEENS = ("Q", "q")
GUARDS = ("G", "g")
SEAT_LETTERS = ("l", "d")

ROW_LETTERS = "abcdefghijk"
ROW_LENGTHS = (6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6)
"""Rows are named `a` (bottom, Light's side) to `k` (top): a6 b7 c8 d9 e10 f11 g10 h9 i8 j7 k6 (letter and length)."""

THRONE: Cell = (5, 6)
"""The throne is `f6`."""

QUEEN_CELLS: tuple[Cell, Cell] = ((0, 1), (10, 6))
"""Queens on a1 and k6."""

GUARD_COUNT = 6
OUTERMOST_RING = 5
PASS_LIMIT = 2

SET_UP = "1g1G1q/G6/7G/9/g8g/11/G8G/9/g7/6g/Q1g1G1 l"

OPTION_VALUES: dict[str, tuple[str, ...]] = {
    "capture": ("relocate", "bloody"),
    "geometry": ("line", "ring"),
    "entering": ("forbidden", "trapped"),
    "guard_goes": ("outer", "next_ring"),
    "queen_goes": ("anywhere", "next_ring", "outer"),
    "queen_placed_by": ("owner", "opponent"),
    "setup": ("fixed", "guards", "all"),
    "surround_loses": ("queen_absent", "throne_empty"),
    "relocated_by": ("trapper", "owner"),
}
"""The options with named values, "the first value listed is the default". """

OTHER_OPTIONS = ("touch_move", "repetition", "repeats", "max_plies")

NO_EFFECT = {
    "bloody": ("geometry", "entering", "guard_goes", "queen_goes", "queen_placed_by"),
    "relocate": ("relocated_by",),
}
"""`geometry`, `entering`, `guard_goes`, `queen_goes`, `queen_placed_by` have no effect in Bloody Queen …

"…, `relocated_by` none elsewhere: giving one of them explicitly there is a `ValueError` that says so."
"""

VARIANTS: dict[str, dict[str, str]] = {
    "classic": {},
    "classic_placing": {"setup": "guards"},
    "classic_exile": {"queen_placed_by": "opponent"},
    "lion_coffee": {"entering": "trapped"},
    "bell": {"entering": "trapped", "setup": "guards"},
    "parlett": {"entering": "trapped", "setup": "all"},
    "ring": {
        "geometry": "ring",
        "entering": "trapped",
        "guard_goes": "next_ring",
        "queen_goes": "next_ring",
        "surround_loses": "throne_empty",
    },
    "ring_outer": {
        "geometry": "ring",
        "entering": "trapped",
        "guard_goes": "outer",
        "queen_goes": "outer",
        "surround_loses": "throne_empty",
    },
    "bloody_queen": {"capture": "bloody"},
}

END_WORDS = ("win", "forfeit", "no_guards", "passes", "repetition", "max_plies")
WORD_ORDER = ("phase", "passes", "plies", "end")


# -------------------------------------------------------------------------------- the board


CELLS: tuple[Cell, ...] = tuple((row, number) for row in range(11) for number in range(1, ROW_LENGTHS[row] + 1))
"""Cell index: 0 for a1, counting along each row, then up: 90 for k6."""

INDEX_OF: dict[Cell, int] = {cell: index for index, cell in enumerate(CELLS)}

LINES = (("left", "right"), ("up-left", "down-right"), ("up-right", "down-left"))
"""The three lines, each by its two directions."""

DIRECTIONS = tuple(direction for line in LINES for direction in line)


def cell_name(cell: Cell) -> str:
    """The name of a cell: (5, 6) is "f6"; cells are numbered from 1 at the left: `a1` … `k6`."""
    return ROW_LETTERS[cell[0]] + str(cell[1])


CELL_OF_NAME: dict[str, Cell] = {cell_name(cell): cell for cell in CELLS}


def next_cell(cell: Cell, direction: str) -> Cell | None:
    """The adjacent cell in a direction, or None off the board.

    "In rows a to e cell n touches n and n+1 of the row above, in rows f to j n−1 and n, where they exist; and left and
    right in its own row." So, the other way round, in rows b to f cell n touches n−1 and n of the row below, in rows g
    to k n and n+1.
    """
    row, number = cell
    if direction == "left":
        found = (row, number - 1)
    elif direction == "right":
        found = (row, number + 1)
    elif direction == "up-left":
        found = (row + 1, number if row <= 4 else number - 1)
    elif direction == "up-right":
        found = (row + 1, number + 1 if row <= 4 else number)
    elif direction == "down-left":
        found = (row - 1, number - 1 if row <= 5 else number)
    else:
        found = (row - 1, number if row <= 5 else number + 1)
    return found if found in INDEX_OF else None


NEXT: dict[Cell, dict[str, Cell | None]] = {
    cell: {direction: next_cell(cell, direction) for direction in DIRECTIONS} for cell in CELLS
}


def neighbours(cell: Cell) -> list[Cell]:
    """The cells adjacent to a cell."""
    return [other for other in NEXT[cell].values() if other is not None]


def distances_to_throne() -> dict[Cell, int]:
    """Ring of a cell = its distance to the throne, 0 to 5 (sizes 1, 6, 12, 18, 24, 30)."""
    found = {THRONE: 0}
    outermost = [THRONE]
    while outermost:
        reached = []
        for cell in outermost:
            for other in neighbours(cell):
                if other not in found:
                    found[other] = found[cell] + 1
                    reached.append(other)
        outermost = reached
    return found


RING_OF: dict[Cell, int] = distances_to_throne()

CELLS_OF_RING: dict[int, tuple[Cell, ...]] = {
    ring: tuple(cell for cell in CELLS if RING_OF[cell] == ring) for ring in range(OUTERMOST_RING + 1)
}


def pieces_of(board: Board, seat: int) -> list[Cell]:
    """The cells of a seat's pieces, in index order."""
    return sorted(cell for cell, piece in board.items() if piece in (QUEENS[seat], GUARDS[seat]))


def guards_of(board: Board, seat: int) -> list[Cell]:
    """The cells of a seat's guards, in index order."""
    return sorted(cell for cell, piece in board.items() if piece == GUARDS[seat])


def queen_of(board: Board, seat: int) -> Cell | None:
    """The cell of a seat's queen, or None before she is placed."""
    for cell, piece in board.items():
        if piece == QUEENS[seat]:
            return cell
    return None


def seat_of(piece: str) -> int:
    """The seat that a piece belongs to."""
    return LIGHT if piece in ("Q", "G") else DARK


def is_enemy(board: Board, cell: Cell, seat: int) -> bool:
    """Whether a piece of the other seat stands on the cell (queens count)."""
    return cell in board and seat_of(board[cell]) != seat


# -------------------------------------------------------------------------------- moving


def may_step(piece: str, start: Cell, target: Cell) -> bool:
    """To an adjacent … cell of the same ring or of the next inner ring; never outward.

    "Only a queen may enter the throne." "A queen on the throne can't leave it by moving": all cells are outward of it.
    """
    if target == THRONE and piece not in QUEENS:
        return False
    return RING_OF[target] in (RING_OF[start], RING_OF[start] - 1)


STEPS_OF: dict[bool, dict[Cell, list[Cell]]] = {
    is_queen: {start: [cell for cell in neighbours(start) if may_step(piece, start, cell)] for start in CELLS}
    for is_queen, piece in ((True, "Q"), (False, "G"))
}


def step_cells(board: Board, start: Cell) -> list[Cell]:
    """One piece, one step, to an adjacent empty cell … (Blocking apart)."""
    return [target for target in STEPS_OF[board[start] in QUEENS][start] if target not in board]


# -------------------------------------------------------------------------------- trapping


def flanking_pairs(cell: Cell, geometry: str) -> list[tuple[Cell, Cell]]:
    """The pairs of cells between which a piece on `cell` would stand trapped.

    **line**: "adjacent to it on opposite sides, along any of the three lines, rings crossed or not, the throne
    included". **ring**: "its two neighbours *along its own ring* …, round a ring's corners too; a piece on the throne
    is never trapped".
    """
    if geometry == "line":
        pairs = [(NEXT[cell][one], NEXT[cell][other]) for one, other in LINES]
        return [(one, other) for one, other in pairs if one is not None and other is not None]
    if cell == THRONE:
        return []
    one, other = (beside for beside in neighbours(cell) if RING_OF[beside] == RING_OF[cell])
    return [(one, other)]


PAIRS: dict[str, dict[Cell, list[tuple[Cell, Cell]]]] = {
    geometry: {cell: flanking_pairs(cell, geometry) for cell in CELLS} for geometry in ("line", "ring")
}


def is_bent(cell: Cell) -> bool:
    """Whether the cell is a corner of its ring: its two neighbours there are not in a straight line with it."""
    straight = [set(pair) for pair in PAIRS["line"][cell]]
    return any(set(pair) not in straight for pair in PAIRS["ring"][cell])


def stands_trapped(board: Board, cell: Cell, seat: int, geometry: str) -> bool:
    """Whether a piece of the seat stands trapped on the cell, or would if it stood there.

    **line**: "when it stands between two enemy pieces"; **ring**: "when both of its two neighbours … are enemies".
    """
    return any(is_enemy(board, one, seat) and is_enemy(board, other, seat) for one, other in PAIRS[geometry][cell])


def trapped_pieces(board: Board, seat: int, geometry: str) -> list[Cell]:
    """Trapping is a property of the position, whatever put the flankers there."""
    return [cell for cell in pieces_of(board, seat) if stands_trapped(board, cell, seat, geometry)]


def goal_cells(start: Cell, goes: str) -> tuple[Cell, ...]:
    """The cells, empty or not, among which a relocated piece goes, for a value of `guard_goes` or `queen_goes`.

    `outer` (any … cell of ring 5 …) | `next_ring` (any … cell of the ring just outside its own; from ring 5, any other
    … cell of ring 5 …; "from the throne ring 1") | `anywhere` (any … cell, the throne included …). "A full next ring
    is not skipped".
    """
    if goes == "anywhere":
        return CELLS
    if goes == "outer":
        return CELLS_OF_RING[OUTERMOST_RING]
    return CELLS_OF_RING[min(RING_OF[start] + 1, OUTERMOST_RING)]


# -------------------------------------------------------------------------------- Bloody Queen


def bloody_victims(board: Board, moved: Cell, seat: int) -> list[tuple[Cell, Cell]]:
    """The pieces trapped by the step to `moved`, each with the mover's other piece behind it.

    "A trap arises only through the piece that has just stepped: an enemy piece adjacent to it, with another piece of
    the mover on the opposite side of it, in a straight line, the throne included."
    """
    found = []
    for direction in DIRECTIONS:
        victim = NEXT[moved][direction]
        if victim is None or not is_enemy(board, victim, seat):
            continue
        behind = NEXT[victim][direction]
        if behind is not None and behind in board and not is_enemy(board, behind, seat):
            found.append((victim, behind))
    return found


def trapped_by_guard_and_queen(board: Board, moved: Cell, behind: Cell) -> bool:
    """… by a guard **and** a queen: one of the two flankers is the mover's queen."""
    return board[moved] in QUEENS or board[behind] in QUEENS


def outermost_guards(board: Board, seat: int) -> list[Cell]:
    """The *outermost* guards … (those of the greatest ring number among her guards still on the board …)."""
    guards = guards_of(board, seat)
    greatest = max((RING_OF[cell] for cell in guards), default=0)
    return [cell for cell in guards if RING_OF[cell] == greatest]


def in_order_of(cells: list[Cell], seat: int) -> list[Cell]:
    """In cell-index order as the stepping seat sees the board (for Dark from k6 down)."""
    return sorted(cells, key=lambda cell: INDEX_OF[cell], reverse=seat == DARK)


def bloody_goal_cells(board: Board, start: Cell) -> list[Cell]:
    """The cells to which Bloody Queen relocates the guard on `start`.

    "To a cell of the next outer ring (counted from the guard's own cell) that is empty at that moment, or if that ring
    is full of the one after, and so on; from ring 5 to any other empty cell of ring 5".
    """
    ring = min(RING_OF[start] + 1, OUTERMOST_RING)
    while ring < OUTERMOST_RING and all(cell in board for cell in CELLS_OF_RING[ring]):
        ring += 1
    return [cell for cell in CELLS_OF_RING[ring] if cell not in board]


# -------------------------------------------------------------------------------- winning and losing


def holds_ring_one(board: Board, seat: int) -> bool:
    """Whether the seat's six guards hold ring 1."""
    return all(board.get(cell) == GUARDS[seat] for cell in CELLS_OF_RING[1])


def wins(board: Board, seat: int, capture: str) -> bool:
    """A seat **wins** when its queen is on the throne and its six guards hold ring 1.

    Bloody Queen: "queen on the throne and **all its remaining guards** (at least one) in ring 1".
    """
    if board.get(THRONE) != QUEENS[seat]:
        return False
    if capture == "bloody":
        guards = guards_of(board, seat)
        return len(guards) >= 1 and all(RING_OF[cell] == 1 for cell in guards)
    return holds_ring_one(board, seat)


def forfeits(board: Board, seat: int, surround_loses: str) -> bool:
    """A seat **loses** when its six guards hold ring 1 without its queen on the throne.

    `surround_loses` = `queen_absent` (…: whether the throne is empty or holds the enemy queen) | `throne_empty`.
    """
    if not holds_ring_one(board, seat):
        return False
    if surround_loses == "throne_empty":
        return THRONE not in board
    return board.get(THRONE) != QUEENS[seat]


def wins_for(seat: int) -> tuple[float, float]:
    """Reward +1 / −1 / 0 (win, loss, draw) at the end."""
    return (1.0, -1.0) if seat == LIGHT else (-1.0, 1.0)


# -------------------------------------------------------------------------------- position text


def write_board(board: Board) -> str:
    """Rows from k down to a; "numbers are runs of empty cells, 11 is eleven"."""
    lines = []
    for row in range(10, -1, -1):
        line = ""
        empty = 0
        for number in range(1, ROW_LENGTHS[row] + 1):
            if (row, number) in board:
                line += (str(empty) if empty else "") + board[(row, number)]
                empty = 0
            else:
                empty += 1
        lines.append(line + (str(empty) if empty else ""))
    return "/".join(lines)


def read_board(rows: str) -> Board:
    """The board of the text's rows; "no guard on the throne, at most six guards a side"."""
    lines = rows.split("/")
    if len(lines) != 11:
        raise ValueError(f"a position has eleven rows, not {len(lines)}: {rows!r}")
    board: Board = {}
    for row, line in zip(range(10, -1, -1), lines):
        number = 1
        for token in re.findall("[0-9]+|[^0-9]", line):
            if token in QUEENS or token in GUARDS:
                board[(row, number)] = token
                number += 1
            elif re.fullmatch("[1-9]|1[01]", token):
                number += int(token)
            else:
                raise ValueError(f"{token!r} has no place in a row: {line!r}")
        if number != ROW_LENGTHS[row] + 1:
            raise ValueError(f"row {ROW_LETTERS[row]} has {ROW_LENGTHS[row]} cells, not {number - 1}: {line!r}")
    if board.get(THRONE) in GUARDS:
        raise ValueError(f"no guard on the throne: {rows!r}")
    pieces = list(board.values())
    for seat in (LIGHT, DARK):
        if pieces.count(QUEENS[seat]) > 1 or pieces.count(GUARDS[seat]) > GUARD_COUNT:
            raise ValueError(f"one queen a side, at most six guards a side: {rows!r}")
    return board


def read_words(words: list[str]) -> dict[str, str]:
    """The `key=value` words of a text: "in one fixed order; on reading any may be missing".

    "An unknown, repeated or malformed word is a `ValueError`."
    """
    found: dict[str, str] = {}
    last = -1
    for word in words:
        key, _, value = word.partition("=")
        if key not in WORD_ORDER or WORD_ORDER.index(key) <= last:
            raise ValueError(f"{word!r} is unknown, repeated or out of order; the words are {WORD_ORDER}")
        if key in ("passes", "plies") and not re.fullmatch("0|[1-9][0-9]*", value):
            raise ValueError(f"{word!r} is malformed")
        if key == "end" and value not in END_WORDS:
            raise ValueError(f"{word!r} is malformed; ends are {END_WORDS}")
        last = WORD_ORDER.index(key)
        found[key] = value
    return found


def read_cell(name: str) -> Cell:
    """The cell of a name."""
    if name not in CELL_OF_NAME:
        raise ValueError(f"{name!r} is no cell")
    return CELL_OF_NAME[name]


def read_phase(value: str) -> tuple[str, list[Cell]]:
    """The kind of a phase and the cells it names.

    `phase=` `place` | `touched:c4` | `chosen:c4` | `exile` | `exchange` | `exchange:h5,g7` | `put:h5,g7`.
    """
    kind, colon, names = value.partition(":")
    cells = [read_cell(name) for name in names.split(",")] if colon else []
    if (
        (kind in ("place", "exile") and not colon)
        or (kind in ("touched", "chosen") and len(cells) == 1)
        or kind == "exchange"
        or (kind == "put" and cells)
    ):
        return kind, cells
    raise ValueError(f"phase={value} is malformed")


# -------------------------------------------------------------------------------- options


def read_options(variant: object, overrides: dict[str, Any]) -> dict[str, Any]:
    """All options: the defaults, over them the variant's, over them the given ones, checked.

    "Any option can still be overridden on top of a named variant; an unknown variant, option or value raises a
    `ValueError` that names what was given and lists what is possible."
    """
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise ValueError(f"variant must be one of {tuple(VARIANTS)}, not {variant!r}")
    options: dict[str, Any] = {option: values[0] for option, values in OPTION_VALUES.items()}
    options.update({"touch_move": False, "repetition": 0, "repeats": "draw", "max_plies": 500})
    options.update(VARIANTS[variant])
    for option, value in overrides.items():
        if option not in options:
            raise ValueError(f"option must be one of {tuple(OPTION_VALUES) + OTHER_OPTIONS}, not {option!r}")
        if option in OPTION_VALUES and (not isinstance(value, str) or value not in OPTION_VALUES[option]):
            raise ValueError(f"{option} must be one of {OPTION_VALUES[option]}, not {value!r}")
        options[option] = value
    for option in NO_EFFECT[options["capture"]]:
        if option in overrides:
            raise ValueError(f"{option} has no effect with capture {options['capture']!r}, given {overrides[option]!r}")
    if options["touch_move"] is not True and options["touch_move"] is not False:
        raise ValueError(f"touch_move must be False or True, not {options['touch_move']!r}")
    check_count("repetition", options["repetition"], "0 (off) or an integer of at least 2", forbidden=(1,))
    check_repeats(options["repeats"], options["repetition"])
    check_count("max_plies", options["max_plies"], "an integer of at least 0 (0 = no limit)")
    return options


# -------------------------------------------------------------------------------- the game


class Referee:
    """Plays one game by the rules. Options not given are those of the variant.

    `seat` is the seat to act (after the end: the seat that would be), `phase` "" at the start of a turn, else "place",
    "touched", "chosen", "exile", "exchange" or "put", with `held` the touched or chosen piece and `waiting` the guards
    still to be relocated. `plies` counts plies, `turns` the turns that have ended since the game was set up or read,
    `passes` the turns in a row that ended in `pass`. `end` is "" while the game runs, else a word of the module's list.
    `rewards` and `events` are those of the last ply. `occurrences` says how often the present position (phase
    included, so positions within a turn are counted apart) has occurred so far, whatever the repetition option.
    """

    def __init__(self, variant: str = "classic", position: str | None = None, **overrides: Any) -> None:
        """Start a game from the set-up, or from a text (then its own first occurrence)."""
        options = read_options(variant, overrides)
        self.capture: str = options["capture"]
        self.geometry: str = options["geometry"]
        self.entering: str = options["entering"]
        self.guard_goes: str = options["guard_goes"]
        self.queen_goes: str = options["queen_goes"]
        self.queen_placed_by: str = options["queen_placed_by"]
        self.setup: str = options["setup"]
        self.surround_loses: str = options["surround_loses"]
        self.relocated_by: str = options["relocated_by"]
        self.touch_move: bool = options["touch_move"]
        self.repetition: int = options["repetition"]
        self.repeats: str = options["repeats"]
        self.max_plies: int = options["max_plies"]

        self._legal: list[str] | None = None  # of the present position, once asked for
        self.board: Board = {}
        self.seat: int = LIGHT
        self.phase: str = ""
        self.held: Cell | None = None
        self.waiting: list[Cell] = []
        self.passes: int = 0
        self.plies: int = 0
        self.turns: int = 0
        self.end: str = ""
        self.rewards: tuple[float, float] = (0.0, 0.0)
        self.events: Counter[str] = Counter()
        if position is None:
            self._set_up()
        else:
            self._read(position)
        self.occurrences: int = 1  # "the starting position counts as an occurrence"
        self._seen: dict[str, int] = {self._position(): 1}

    @classmethod
    def from_text(cls, text: str, variant: str = "classic", **overrides: Any) -> Referee:
        """A game that goes on from a position's text."""
        if not isinstance(text, str) or not text:
            raise ValueError(f"a position must be a text, not {text!r}")
        return cls(variant, text, **overrides)

    def _set_up(self) -> None:
        """`setup` = `fixed` | `guards` (queens on a1 and k6; then the seats alternately place … Light first …) | `all`.

        "Light moves first."
        """
        if self.setup == "fixed":
            self.board = read_board(SET_UP.split(" ")[0])
            return
        self.phase = "place"
        if self.setup == "guards":
            for seat in (LIGHT, DARK):
                self.board[QUEEN_CELLS[seat]] = QUEENS[seat]

    # ---------------------------------------------------------------------------- what is legal

    def _is_blocked(self, cell: Cell, seat: int) -> bool:
        """With `forbidden`, no arrival of any kind is allowed there: a step, a relocation, a placement.

        Kato: "When two of your pieces flank an empty hex on the same line, no enemy piece can enter that hex." Bloody
        Queen: "No blocking."
        """
        if self.capture == "bloody" or self.entering == "trapped":
            return False
        return stands_trapped(self.board, cell, seat, self.geometry)

    def _steps(self, start: Cell) -> list[Cell]:
        """The cells to which the piece on `start` can step."""
        seat = seat_of(self.board[start])
        return [target for target in step_cells(self.board, start) if not self._is_blocked(target, seat)]

    def _step_names(self, start: Cell) -> list[str]:
        """Action names: `a5-b5` step."""
        return [f"{cell_name(start)}-{cell_name(target)}" for target in self._steps(start)]

    def _relocation_cells(self, start: Cell) -> list[Cell]:
        """The legal cells of the trapped piece on `start`, empty and not blocked.

        "A piece is never put back on the cell it was taken from": it still stands there.
        """
        piece = self.board[start]
        goes = self.queen_goes if piece in QUEENS else self.guard_goes
        cells = [cell for cell in goal_cells(start, goes) if cell not in self.board]
        return [cell for cell in cells if not self._is_blocked(cell, seat_of(piece))]

    def _trapped(self, seat: int) -> list[Cell]:
        """Each of its pieces that then stands trapped (none in Bloody Queen, where "nothing else … ever traps")."""
        return [] if self.capture == "bloody" else trapped_pieces(self.board, seat, self.geometry)

    def _queen_must_go(self, seat: int) -> bool:
        """The queen first, if she has a legal cell."""
        queen = queen_of(self.board, seat)
        return queen is not None and queen in self._trapped(seat) and bool(self._relocation_cells(queen))

    def _candidates(self, seat: int) -> list[Cell]:
        """The pieces of which one must be relocated: the queen, "otherwise, and after her, the guards".

        "Only trapped guards that have a legal cell are candidates".
        """
        if self._queen_must_go(seat):
            return [cell for cell in self._trapped(seat) if self.board[cell] in QUEENS]
        guards = [cell for cell in self._trapped(seat) if self.board[cell] in GUARDS]
        return [cell for cell in guards if self._relocation_cells(cell)]

    def _placement_cells(self, seat: int) -> list[Cell]:
        """On any empty cell but the throne … placing where the piece would stand trapped is forbidden too."""
        cells = [cell for cell in CELLS if cell not in self.board and cell != THRONE]
        return [cell for cell in cells if not self._is_blocked(cell, seat)]

    def _piece_to_place(self) -> str:
        """The queens are placed first …; then the guards: "the next piece follows from the counts"."""
        return QUEENS[self.seat] if queen_of(self.board, self.seat) is None else GUARDS[self.seat]

    def _piece_to_put(self) -> Cell | None:
        """The cell of the piece that the seat to act is about to put down, or None.

        "With one, its cells (`@`) are offered at once".
        """
        if self.phase == "chosen":
            return self.held
        if self.phase == "exile":
            return queen_of(self.board, 1 - self.seat)
        if self.phase == "put":
            return self.waiting[0]
        if self.phase == "":
            candidates = self._candidates(self.seat)
            return candidates[0] if len(candidates) == 1 else None
        return None

    def _turn_names(self) -> list[str]:
        """The legal actions at the start of a turn in which no single piece must be put down."""
        if self._trapped(self.seat):
            candidates = self._candidates(self.seat)
            # "If no trapped piece has a legal cell the only action is `pass`, even if other pieces could step."
            return [cell_name(cell) + "^" for cell in candidates] or ["pass"]
        if self.touch_move:  # "… one of the seat's own pieces (any, movable or not, also where nothing can step)"
            return [cell_name(cell) + "^" for cell in pieces_of(self.board, self.seat)]
        names = [name for cell in pieces_of(self.board, self.seat) for name in self._step_names(cell)]
        return names or ["pass"]  # "No legal action: `pass`."

    def _names(self) -> list[str]:
        """The names of all legal actions: `a5-b5`, `@c4`, `c4^`, `pass`."""
        if self.phase == "place":
            return ["@" + cell_name(cell) for cell in self._placement_cells(self.seat)]
        if self.phase == "touched" and self.held is not None:  # "(`pass`, always legal then)"
            return self._step_names(self.held) + ["pass"]
        if self.phase == "exchange":
            return [cell_name(cell) + "^" for cell in outermost_guards(self.board, 1 - self.seat)]
        start = self._piece_to_put()
        if start is None:
            return self._turn_names()
        if self.phase == "put":
            return ["@" + cell_name(cell) for cell in bloody_goal_cells(self.board, start)]
        return ["@" + cell_name(cell) for cell in self._relocation_cells(start)]

    def legal(self) -> list[str]:
        """The names of all legal actions, sorted. "After the end there is no legal action." """
        if self._legal is None:
            self._legal = [] if self.end else sorted(self._permitted(self._names()))
        return list(self._legal)

    def _permitted(self, names: list[str]) -> list[str]:
        """`forbidden`: a ply is masked if it would end a turn in a position that has occurred n − 1 times already.

        "If this leaves a seat without a ply at the start of its turn … in Agon it passes: `pass` is never masked; in
        the middle of a turn the mask is lifted".
        """
        if self.repeats != "forbidden":
            return names
        kept = [name for name in names if name == "pass" or not self._would_repeat(name)]
        if kept:
            return kept
        return names if self.phase in ("touched", "chosen", "exchange", "put") else ["pass"]

    def _would_repeat(self, name: str) -> bool:
        """Whether a ply ends a turn in the n-th occurrence of a position."""
        after = self.copy()
        after.repeats = "draw"
        after.play(name)
        return after.turns > self.turns and after.occurrences >= self.repetition

    # ---------------------------------------------------------------------------- playing

    def play(self, name: str) -> None:
        """Play one ply: "one action by one seat"."""
        if name not in self.legal():
            raise ValueError(f"{name!r} is not legal in {self.text()!r}")
        self.events = Counter()
        self.rewards = (0.0, 0.0)
        self._note_before(name)
        self._legal = None
        trapped_before = self._all_trapped()
        actor = self.seat
        turns_before = self.turns
        placing = self.phase == "place"
        arrived: Cell | None = None
        self.plies += 1

        if name == "pass":
            self._pass()
        elif name.startswith("@"):
            arrived = CELL_OF_NAME[name[1:]]
            actor = self._put(arrived)
        elif name.endswith("^"):
            self._choose(CELL_OF_NAME[name[:-1]])
        else:
            start_name, target_name = name.split("-")
            arrived = CELL_OF_NAME[target_name]
            self._step(CELL_OF_NAME[start_name], arrived)

        self._note_traps(trapped_before, arrived)
        position = self._position()
        self.occurrences = self._seen.get(position, 0) + 1
        self._seen[position] = self.occurrences
        self._look_for_end(actor, self.turns > turns_before, placing)

    def _start_turn(self, seat: int) -> None:
        """A seat's turn begins; the opponent is selected if its queen is to be exiled.

        `opponent`: "if at the start of a seat's turn its queen stands trapped and has a legal cell, the opponent is
        selected and puts her down, on a cell legal for the queen; … A queen without a legal cell leaves the turn to
        her owner."
        """
        self.phase = ""
        self.held = None
        self.waiting = []
        self.seat = seat
        if self.queen_placed_by == "opponent" and self._queen_must_go(seat):
            self.phase = "exile"
            self.seat = 1 - seat

    def _end_turn(self, owner: int) -> None:
        """The turn of the seat `owner` has ended and the other's begins."""
        self.turns += 1
        self._start_turn(1 - owner)

    def _pass(self) -> None:
        """Two turns in a row … that end in `pass`, chosen or forced: the count."""
        self.passes += 1
        self._end_turn(1 - self.seat if self.phase == "exile" else self.seat)

    def _choose(self, cell: Cell) -> None:
        """`c4^` choose which piece (which trapped guard, which guard to exchange, which piece to touch).

        "Touches and choices do not interrupt, every step, put or exchange does".
        """
        if self.phase == "exchange":
            self.passes = 0
            self.events["exchange_choice"] += 1
            self._exchange(self.seat, cell)
            return
        self.held = cell
        if self._trapped(self.seat):
            self.events["choice"] += 1
            self.phase = "chosen"
        else:
            self.events["touch"] += 1
            if not self._steps(cell):
                self.events["touch_stuck"] += 1
            self.phase = "touched"

    def _put(self, target: Cell) -> int:
        """`@c4` place or put down (a relocation, a placement in set-up). Returns the seat for which ends come first.

        That is "the seat that acted", but in Bloody Queen "the mover first".
        """
        self.passes = 0
        actor = self.seat
        if self.phase == "place":
            self._place(target)
            return actor
        start = self._piece_to_put()
        assert start is not None
        if self.phase == "put":
            return self._bloody_put(start, target)
        piece = self.board.pop(start)
        self.board[target] = piece
        if self.phase == "exile":
            self.events["exile"] += 1
        else:
            self.events["queen_relocation" if piece in QUEENS else "relocation"] += 1
        self._end_turn(seat_of(piece))  # "Each relocation is that seat's whole turn"; an exile too is its owner's
        return actor

    def _place(self, target: Cell) -> None:
        """The seats alternately place one …, Light first; play proper begins "with Light's turn after the last"."""
        self.events["placement"] += 1
        self.board[target] = self._piece_to_place()
        if all(len(guards_of(self.board, seat)) == GUARD_COUNT for seat in (LIGHT, DARK)):
            self._end_turn(self.seat)
        else:
            self.turns += 1
            self.seat = 1 - self.seat

    def _step(self, start: Cell, target: Cell) -> None:
        """One piece, one step; in Bloody Queen the consequences follow."""
        self.passes = 0
        self.events["step"] += 1
        self.board[target] = self.board.pop(start)
        if self.capture == "bloody":
            self._bloody_step(self.seat, target)
        else:
            self._end_turn(self.seat)

    def _bloody_step(self, mover: int, moved: Cell) -> None:
        """The victims are fixed right after the step. Then, in this order …: (1), (2), (3)."""
        victims = bloody_victims(self.board, moved, mover)
        self._note_victims([victim for victim, _ in victims], moved, mover)
        removed = []
        relocated = []
        queen_trapped = False
        for victim, behind in victims:
            if self.board[victim] in QUEENS:
                queen_trapped = True
            elif trapped_by_guard_and_queen(self.board, moved, behind):
                removed.append(victim)
            else:
                relocated.append(victim)
        # (1) every guard trapped by a guard **and** a queen is removed
        for victim in removed:
            self.events["removal"] += 1
            del self.board[victim]
        self.waiting = in_order_of(relocated, mover)
        if not guards_of(self.board, 1 - mover):
            self._end_turn(mover)
            return
        # (2) a trapped queen changes places with … one of the *outermost* guards of her own side
        if queen_trapped:
            guards = outermost_guards(self.board, 1 - mover)
            if len(guards) == 1:  # "A choice among pieces that has just one candidate is not asked"
                self._exchange(mover, guards[0])
            else:  # "the stepping seat chooses among several"
                self.phase = "exchange"
                self.seat = mover
                self.held = None
            return
        self._go_on_putting(mover)

    def _exchange(self, mover: int, guard: Cell) -> None:
        """A trapped queen changes places with, that is moves to the cell of, [a guard], and that guard is removed."""
        self.events["exchange"] += 1
        queen = queen_of(self.board, 1 - mover)
        assert queen is not None
        self.board[guard] = self.board.pop(queen)
        if guard in self.waiting:  # (3) … "that is still on the board"
            self.events["exchanged_victim"] += 1
            self.waiting.remove(guard)
        if not guards_of(self.board, 1 - mover):  # "that side has lost; nothing more is done or checked"
            self._end_turn(mover)
            return
        self._go_on_putting(mover)

    def _go_on_putting(self, mover: int) -> None:
        """(3) every guard trapped by two guards that is still on the board is relocated, …

        "`relocated_by` = `trapper` | `owner` (… with `owner` the owner is selected for each put, within the stepping
        seat's turn)"; "a single cell is asked for all the same".
        """
        self.held = None
        if not self.waiting:
            self._end_turn(mover)
            return
        self.phase = "put"
        self.seat = mover if self.relocated_by == "trapper" else 1 - mover

    def _bloody_put(self, start: Cell, target: Cell) -> int:
        """Relocate the first waiting guard. Returns the stepping seat."""
        self.events["relocation"] += 1
        if self.relocated_by == "owner":
            self.events["owner_put"] += 1
        if RING_OF[target] > RING_OF[start] + 1:
            self.events["ring_skipped"] += 1
        mover = 1 - seat_of(self.board[start])
        self.board[target] = self.board.pop(start)
        self.waiting = self.waiting[1:]
        self._go_on_putting(mover)
        return mover

    # ---------------------------------------------------------------------------- the end

    def _lost_all_guards(self, seat: int) -> bool:
        """As soon as a side's last guard is off the board, in (1) or (2), that side has lost.

        "'A side without guards loses' begins only with play proper."
        """
        return self.capture == "bloody" and self.phase != "place" and not guards_of(self.board, seat)

    def _result(self, actor: int) -> tuple[str, int] | None:
        """The word of a decided position and its winner, "for the seat that acted first, then for the other"."""
        for seat in (actor, 1 - actor):
            if self._lost_all_guards(seat):
                return "no_guards", 1 - seat
        for seat in (actor, 1 - actor):
            if wins(self.board, seat, self.capture):
                return "win", seat
            if forfeits(self.board, seat, self.surround_loses):
                return "forfeit", 1 - seat
        return None

    def _in_consequences(self) -> bool:
        """Bloody Queen's mid-turn phases."""
        return self.phase in ("exchange", "put")

    def _repetition_draw(self, turn_over: bool) -> bool:
        """The n-th occurrence of a position … is a draw, looked at when a turn has ended."""
        if self.repeats == "forbidden":
            return False
        return self.repetition != 0 and turn_over and self.occurrences >= self.repetition

    def _at_limit(self) -> bool:
        """When ply number `max_plies` has been played."""
        return self.max_plies != 0 and self.plies >= self.max_plies

    def _look_for_end(self, actor: int, turn_over: bool, placing: bool) -> None:
        """Set `end` and `rewards` after a ply.

        "Checked after every ply (in Bloody Queen after the ply that finishes the turn's consequences)". "Order of
        ends, where several fall together: the ply itself wins; …; a draw by a count; a draw by repetition;
        `max_plies`."
        """
        result = None if self._in_consequences() else self._result(actor)
        if result is not None:
            self.end, winner = result
            self.rewards = wins_for(winner)
            self._note_result(winner, actor, placing)
        elif self.passes >= PASS_LIMIT:
            self.end = "passes"
        elif self._repetition_draw(turn_over):
            self.end = "repetition"
            if self.repeats == "loses":  # "loses it for the seat that played that turn"; the next turn is the other's
                self.rewards = wins_for(self.seat if self.phase != "exile" else 1 - self.seat)
        elif self._at_limit():
            self.end = "max_plies"
        self._note_end(turn_over)

    # ---------------------------------------------------------------------------- events

    def _all_trapped(self) -> set[Cell]:
        """The cells of all trapped pieces of both seats (none in Bloody Queen)."""
        return set(self._trapped(LIGHT)) | set(self._trapped(DARK))

    def _blocks_something(self) -> bool:
        """Whether Blocking forbids an arrival that would be legal without it."""
        if self.capture == "bloody" or self.entering == "trapped":
            return False
        free = copy.copy(self)
        free.entering = "trapped"
        return sorted(free._names()) != self.legal()

    def _note_before(self, name: str) -> None:
        """Note what is to be said of the position before the ply."""
        if self._blocks_something():
            self.events["blocked"] += 1
        trapped = self._trapped(self.seat)
        if name == "pass":
            self.events["pass"] += 1
            if self.phase == "touched":
                self.events["lost_move"] += 1
            else:
                self.events["stuck_pass" if trapped else "no_step_pass"] += 1
        elif self.phase in ("", "chosen") and trapped:
            queen = queen_of(self.board, self.seat)
            if queen in trapped and not self._queen_must_go(self.seat):
                self.events["guards_first"] += 1
            guards = [cell for cell in trapped if self.board[cell] in GUARDS]
            if not all(self._relocation_cells(cell) for cell in guards):
                self.events["stuck_guard"] += 1

    def _note_trap(self, cell: Cell) -> None:
        """Note one trapped piece."""
        self.events["trap"] += 1
        if self.board[cell] in QUEENS:
            self.events["queen_trap"] += 1
        if cell == THRONE:
            self.events["throne_trap"] += 1

    def _note_traps(self, before: set[Cell], arrived: Cell | None) -> None:
        """Note which pieces have become trapped and which are free again (not Bloody Queen)."""
        after = self._all_trapped()
        for cell in after - before:
            self._note_trap(cell)
            if cell == arrived:
                self.events["self_trap"] += 1
            if self.geometry == "ring" and is_bent(cell):
                self.events["bent_trap"] += 1
        for cell in before - after:
            if cell in self.board:
                self.events["freed"] += 1

    def _note_victims(self, victims: list[Cell], moved: Cell, mover: int) -> None:
        """Note the victims of a step in Bloody Queen."""
        for victim in victims:
            self._note_trap(victim)
        if len(victims) > 1:
            self.events["several_victims"] += 1
        if stands_trapped(self.board, moved, mover, "line"):
            self.events["old_trap"] += 1

    def _note_result(self, winner: int, actor: int, placing: bool) -> None:
        """Note a win or a loss."""
        self.events[self.end] += 1
        decided = winner if self.end == "win" else 1 - winner
        if self.end in ("win", "forfeit") and decided != actor:
            self.events["others_result"] += 1
        if placing:
            self.events["set_up_forfeit"] += 1

    def _note_end(self, turn_over: bool) -> None:
        """Note which ends fell together, and what nearly was one."""
        if self.end in ("win", "forfeit", "no_guards", "passes") and self._at_limit():
            self.events["result_on_limit"] += 1
        if self.end == "passes" and self._repetition_draw(turn_over):
            self.events["passes_over_repetition"] += 1
        if self.end == "repetition" and self._at_limit():
            self.events["repetition_over_limit"] += 1
        if self.end == "max_plies" and not turn_over:
            self.events["turn_cut"] += 1
        for seat in (LIGHT, DARK):
            if not self.end and holds_ring_one(self.board, seat) and self.board.get(THRONE) == QUEENS[1 - seat]:
                self.events["not_lost"] += 1

    # ---------------------------------------------------------------------------- text

    def _phase_word(self) -> str:
        """The word of the phase, with a space before it, or nothing."""
        if self.phase == "":
            return ""
        cells = self.waiting if self.held is None else [self.held]
        names = ",".join(cell_name(cell) for cell in cells)
        return f" phase={self.phase}" + (":" + names if names else "")

    def _position(self) -> str:
        """A position (pieces, seat to act, phase; not counters)."""
        return f"{write_board(self.board)} {SEAT_LETTERS[self.seat]}{self._phase_word()}"

    def text(self) -> str:
        """The rows; "then the seat to act now, `l` or `d`; then `key=value` words"."""
        text = f"{self._position()} passes={self.passes} plies={self.plies}"
        return text + (f" end={self.end}" if self.end else "")

    def _read(self, text: str) -> None:
        """Take over a position's text. "A finished game's text … can be read back as well … rewards 0"."""
        if not isinstance(text, str) or not text:
            raise ValueError(f"position must be a text, not {text!r}")
        rows, *words = text.split(" ")
        if not words or words[0] not in SEAT_LETTERS:
            raise ValueError(f"after the rows comes the seat to act, one of {SEAT_LETTERS}: {text!r}")
        self.board = read_board(rows)
        named_seat = SEAT_LETTERS.index(words[0])
        found = read_words(words[1:])
        self.passes = int(found.get("passes", "0"))
        self.plies = int(found.get("plies", "0"))
        self.end = found.get("end", "")
        kind, cells = read_phase(found["phase"]) if "phase" in found else ("", [])
        if kind == "place":
            self._check_placing(named_seat, text)
        else:
            self._check_counts(text)
        if kind in ("touched", "chosen", "exile"):
            self._read_phase_of_turn(kind, cells, named_seat, text)
        elif kind in ("exchange", "put"):
            self._read_consequences(kind, cells, named_seat, text)
        elif kind == "" and not self.end:  # "Without a phase it is the start of the named seat's turn."
            self._start_turn(named_seat)
        else:
            self.phase = kind
            self.seat = named_seat
        self._refuse_what_is_over(text)

    def _check_placing(self, seat: int, text: str) -> None:
        """In `phase=place` the next piece follows from the counts, and counts that do not fit are refused."""
        if self.setup == "fixed":
            raise ValueError(f"setup 'fixed' has no phase=place: {text!r}")
        queens = [queen_of(self.board, side) is not None for side in (LIGHT, DARK)]
        guards = [len(guards_of(self.board, side)) for side in (LIGHT, DARK)]
        dark_before = guards[DARK] + int(queens[DARK])
        light_before = guards[LIGHT] + int(queens[LIGHT])
        fits = light_before == dark_before + (1 if seat == DARK else 0)
        fits = fits and (self.setup == "all" or all(queens))
        fits = fits and all(queens[side] or guards[side] == 0 for side in (LIGHT, DARK))
        if not fits or guards[seat] == GUARD_COUNT:
            raise ValueError(f"the counts of pieces do not fit the set-up: {text!r}")

    def _check_counts(self, text: str) -> None:
        """One queen a side …, at most six guards a side (at least one in Bloody Queen's play …)."""
        for side in (LIGHT, DARK):
            if queen_of(self.board, side) is None:
                raise ValueError(f"one queen a side: {text!r}")
            if not self.end and self._lost_all_guards(side):
                raise ValueError(f"at least one guard a side in Bloody Queen: {text!r}")

    def _read_phase_of_turn(self, kind: str, cells: list[Cell], seat: int, text: str) -> None:
        """Read `touched:`, `chosen:` or `exile`, which must follow from the start of the turn."""
        self._start_turn(1 - seat if kind == "exile" else seat)
        if kind == "exile":
            fits = self.phase == "exile"
        else:
            forced = bool(self._trapped(seat))
            fits = self.phase == "" and forced == (kind == "chosen") and cell_name(cells[0]) + "^" in self._names()
            self.held = cells[0]
        if not fits:
            raise ValueError(f"the phase does not fit the position: {text!r}")
        self.phase = kind

    def _read_consequences(self, kind: str, cells: list[Cell], seat: int, text: str) -> None:
        """Read `exchange`, `exchange:h5,g7` or `put:h5,g7` (guards still to be relocated)."""
        mover = 1 - seat if kind == "put" and self.relocated_by == "owner" else seat
        fits = self.capture == "bloody" and all(self.board.get(cell) == GUARDS[1 - mover] for cell in cells)
        fits = fits and len(set(cells)) == len(cells) and cells == in_order_of(cells, mover)
        if kind == "exchange":
            fits = fits and len(outermost_guards(self.board, 1 - mover)) > 1
        if not fits:
            raise ValueError(f"the phase does not fit the position: {text!r}")
        self.phase = kind
        self.seat = seat
        self.waiting = cells

    def _refuse_what_is_over(self, text: str) -> None:
        """A decided position without `end=` is refused, except in Bloody Queen's mid-turn phases."""
        if self.passes > PASS_LIMIT:
            raise ValueError(f"the game ends after {PASS_LIMIT} passes: {text!r}")
        if self.end:
            return
        if not self._in_consequences() and self._result(self.seat) is not None:
            raise ValueError(f"the game is decided: {text!r}")
        if self.passes == PASS_LIMIT:
            raise ValueError(f"{PASS_LIMIT} turns in a row have ended in pass: {text!r}")
        if self._at_limit():
            raise ValueError(f"all {self.max_plies} plies have been played: {text!r}")

    def copy(self) -> Referee:
        """An independent copy of the game as it stands, its earlier positions included."""
        other = copy.copy(self)
        other.board = dict(self.board)
        other.waiting = list(self.waiting)
        other.events = Counter(self.events)
        other._seen = dict(self._seen)
        other._legal = None
        return other


def perft(referee: Referee, turns: int) -> int:
    """The number of ways to play `turns` whole turns from here; a finished game has no continuation.

    "By turns": a turn of several plies (a choice and a put, a touch and a step, Bloody Queen's "counting each way its
    consequences can be played as a turn") is one turn. Outside Bloody Queen every ply but a `c4^` ends a turn, so the
    last turn's need not be played to be counted.
    """
    if turns == 0:
        return 1
    total = 0
    for name in referee.legal():
        if turns == 1 and referee.capture == "relocate" and not name.endswith("^"):
            total += 1
            continue
        after = referee.copy()
        after.play(name)
        total += perft(after, turns - (after.turns - referee.turns))
    return total
