"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.protocol import Record

from . import actions, board, notation, position, rules

CLASSIC, BLOODY = "capture=relocate", "capture=bloody"

CAUGHT = "g4q/7/8/9/10/1G9/2g7/2G6/8/7/Q3G1 l"
LESSONS = (
    Lesson(
        "Each seat has a queen and six guards on the outer ring. A piece steps to a neighbouring empty cell on its own "
        "ring or one ring further in, never outward.",
        moves=("a5-b6",),
        when="setup=fixed",
    ),
    Lesson("The board begins without guards: the seats place them in turn, one at a time.", when="setup=guards"),
    Lesson("The board begins empty: the seats place their queens, then their guards, in turn.", when="setup=all"),
    Lesson(
        "Light steps to f3: the dark guard on e3 is caught between two enemies, and is trapped.", CAUGHT, ("f2-f3",)
    ),
    Lesson(
        "Dark must use its turn to put the trapped guard down again, on the outer ring.",
        CAUGHT,
        ("f2-f3", "@k3"),
        when=f"{CLASSIC}, guard_goes=outer",
    ),
    Lesson(
        "Dark must use its turn to put the trapped guard down again, one ring further out.",
        CAUGHT,
        ("f2-f3", "@d2"),
        when=f"{CLASSIC}, guard_goes=next_ring",
    ),
    Lesson(
        "A guard that is trapped by two guards is put down again at once, one ring further out.",
        CAUGHT,
        ("f2-f3", "@d2"),
        when=BLOODY,
    ),
    Lesson(
        "Light wins: the queen stands on the throne, and her six guards stand round it.",
        "g4q/7/8/5G3/4G5/4GQG4/4GG4/9/8/7/2g3 l",
        ("h6-g6",),
        when=CLASSIC,
    ),
    Lesson(
        "Light wins: the queen stands on the throne, and all guards that she still has stand beside it.",
        "g4q/7/8/9/6G3/4GQG4/4GG4/9/8/7/2g3 l",
        ("g7-g6",),
        when=BLOODY,
    ),
    Lesson(
        "Light loses: six guards stand round the throne without their queen.",
        "g4q/7/8/5G3/4G5/4G1G4/4GG4/9/8/7/Q1g3 l",
        ("h6-g6",),
    ),
)
LEGEND = (
    ("Q", "light queen", "bold bright_yellow reverse"),
    ("G", "light guard", "bold bright_yellow"),
    ("q", "dark queen", "bold magenta reverse"),
    ("g", "dark guard", "bold magenta"),
    (".", "an empty cell", "dim"),
    ("+", "the throne, empty", "yellow"),
    ("!", "after a piece that stands trapped", "bold red"),
    ("?", "after guards to choose among, or still to be put down", "bold green"),
    ("*", "after the piece in hand", "bold green"),
    ("( )", "where the latest piece stood", "cyan"),
    ("[ ]", "where the latest piece stands, or which was chosen", "bold cyan"),
)
OWN = ("QG", "qg")
KINDS = {"Q": "queen", "q": "queen", "G": "guard", "g": "guard"}


def instruction(state: Record, variant: Record) -> str:
    """What the phase asks for."""
    phase, letters = int(state.phase), notation.piece_letters(state)
    hand = int(state.hand)
    held = "" if hand == board.NOWHERE else f"the {KINDS.get(letters[hand], 'piece')} from {notation.CELL_NAMES[hand]}"
    queen = state.queens[int(state.to_act)] == board.NOWHERE and variant.setup == rules.QUEENS_TOO
    return {
        position.STEP: "Choose a piece, then the neighbouring cell that it steps to, on its ring or further in.",
        position.PLACE: f"Setting up: choose a free cell for {'your queen' if queen else 'a guard'}.",
        position.TOUCH: "Touch the piece that you will move.",
        position.TOUCHED: f"Choose where {held} steps to, or pass: the piece that you touched must move.",
        position.CHOOSE: "Several of your guards are trapped. Choose the one that you put back now.",
        position.CHOSEN: f"Choose the cell where you put {held}.",
        position.RELOCATE: f"Trapped: choose the cell where you put {held}. You can't do anything else in this turn.",
        position.EXILE: f"The other seat's queen is trapped: choose the cell where you put {held}.",
        position.STUCK: "Your trapped piece can go nowhere: you must pass.",
        position.EXCHANGE: "You have trapped the queen. Choose the guard that is taken off for her.",
        position.PUT: f"Your step has trapped {held}: choose the cell, one ring further out, where it goes.",
    }[phase]


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    phase, number = int(state.phase), notation.absolute(action, state)
    if number == actions.PASS:
        return "you may pass only when nothing else can be played"
    letters, names = notation.piece_letters(state), notation.CELL_NAMES
    if phase in (position.RELOCATE, position.CHOSEN, position.EXILE, position.PUT) and number < actions.PUTS:
        return f"you must first put down the {KINDS[letters[int(state.hand)]]} from {names[int(state.hand)]}"
    if phase in (position.CHOOSE, position.EXCHANGE, position.TOUCH) and number < actions.CHOICES:
        return "you must first choose a piece"
    if phase == position.PLACE and number < actions.PUTS:
        return "the pieces are still being set up: choose a free cell"
    if number < actions.PUTS:
        source, direction = divmod(number, board.DIRECTIONS)
        return _why_no_step(source, int(board.NEIGHBOUR[source, direction]), state, letters)
    if phase in (position.STEP, position.TOUCHED):
        return "nothing is to be put down or chosen now: a piece steps"
    cell = (number - actions.PUTS) % board.CELLS
    if number >= actions.CHOICES:
        return f"{names[cell]} is not one of the pieces to choose among"
    if letters[cell] != ".":
        return f"{names[cell]} is occupied"
    return f"{names[cell]} is not among the cells where it may be put"


def _why_no_step(source: int, target: int, state: Record, letters: list[str]) -> str:
    names, letter = notation.CELL_NAMES, letters[source]
    if letter not in OWN[int(state.to_act)]:
        return f"{names[source]} is empty" if letter == "." else f"the piece on {names[source]} is not yours"
    if state.phase == position.TOUCHED and source != state.hand:
        return f"you have touched the piece on {names[int(state.hand)]}"
    if target == board.NOWHERE:
        return "that leads off the board"
    if letters[target] != ".":
        return f"blocked by the {KINDS[letters[target]]} on {names[target]}"
    if target == board.THRONE and KINDS[letter] == "guard":
        return "only a queen may enter the throne"
    if board.RING_OF[target] > board.RING_OF[source] or source == board.THRONE:
        return "pieces never step outward"
    return f"on {names[target]} it would stand trapped between two enemies"
