"""For people at the board and for language models: the goal, the rules, the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Clause, Lesson, OptionWords
from parlour.rulebook.protocol import Record

from . import actions, board, notation, rules

CLASSIC, BLOODY = {"capture": "relocate"}, {"capture": "bloody"}

GOAL = (
    Clause(
        "Goal",
        "Bring your queen to the throne in the middle with your six guards on the six cells round it.",
        CLASSIC,
    ),
    Clause(
        "Winning",
        "Bring your queen to the throne in the middle, with all the guards that you still have on cells beside it.",
        BLOODY,
    ),
    Clause(
        "Moving",
        "A piece steps to a neighbouring empty cell on its own ring or one ring further in, never outward.",
    ),
    Clause("The throne", "Only a queen may enter the throne."),
    Clause("", "A piece caught between two enemies is trapped: it must be put back before anything else.", CLASSIC),
    Clause(
        "",
        "A step traps the enemies that it catches between the piece moved and another of its side: guards are put back "
        "or taken off at once, a queen changes places with a guard that is taken off.",
        BLOODY,
    ),
)
OPTIONS = {
    "capture": OptionWords(
        "Trapped pieces", {"relocate": "are put back, one a turn", "bloody": "are dealt with at once (Bloody Queen)"}
    ),
    "geometry": OptionWords(
        "Enemies trap", {"line": "from two sides in a line", "ring": "from two sides along a ring"}
    ),
    "entering": OptionWords(
        "Stepping between two enemies", {"forbidden": "is not allowed", "trapped": "is allowed, and traps the piece"}
    ),
    "guard_goes": OptionWords(
        "A trapped guard goes to", {"outer": "the outer ring", "next_ring": "the ring just outside its own"}
    ),
    "queen_goes": OptionWords(
        "A trapped queen goes to",
        {"anywhere": "any empty cell", "next_ring": "the ring just outside her own", "outer": "the outer ring"},
    ),
    "queen_placed_by": OptionWords(
        "A trapped queen is put back by", {"owner": "her own side", "opponent": "the other side"}
    ),
    "setup": OptionWords(
        "The start",
        {"fixed": "as printed", "guards": "guards are placed by turns", "all": "queens, then guards, are placed"},
    ),
    "surround_loses": OptionWords(
        "Six guards round the throne without their queen on it",
        {"queen_absent": "lose", "throne_empty": "lose if the throne is empty"},
    ),
    "relocated_by": OptionWords(
        "Guards trapped in Bloody Queen are put back by", {"trapper": "the side that traps", "owner": "their own side"}
    ),
    "touch_move": OptionWords("A piece that is touched", {"True": "must be moved", "False": "may be left for another"}),
}
RULES = (
    Clause(
        "Turns",
        "The board has 91 cells in five rings round the throne, f6. Rows are a to k from the bottom; the cells of a "
        "row are numbered from 1 at the left. Each seat has a queen and six guards. Light begins.",
    ),
    Clause("", "The pieces begin on the cells where the first board shows them.", {"setup": "fixed"}),
    Clause(
        "Placing",
        "The queens begin on a1 and k6. Then the seats place their guards in turn, on any free cell but the throne.",
        {"setup": "guards"},
    ),
    Clause(
        "Placing",
        "The board begins empty. The seats place in turn first their queens, then their guards, on any free cell but"
        " the throne.",
        {"setup": "all"},
    ),
    Clause(
        "Trapping in line",
        "A piece is trapped while enemies stand on two adjacent cells opposite each other, in a straight line with it. "
        "The line may cross rings and the throne.",
        {**CLASSIC, "geometry": "line"},
    ),
    Clause(
        "Trapping along a ring",
        "A piece is trapped while enemies stand on both adjacent cells of its own ring, also round a corner of the "
        "ring. A piece on the throne is never trapped.",
        {**CLASSIC, "geometry": "ring"},
    ),
    Clause(
        "A trapped piece is relocated",
        "If a piece of yours is trapped when your turn begins, the turn is used to put it down on another cell; "
        "nothing else may be played. If it can go nowhere, you must pass.",
        CLASSIC,
    ),
    Clause(
        "Several at once",
        "If several are trapped, the queen goes first, then the guards in any order, each in a turn of its own.",
        CLASSIC,
    ),
    Clause(
        "Guards go", "A trapped guard goes to any empty cell of the outer ring.", {**CLASSIC, "guard_goes": "outer"}
    ),
    Clause(
        "Guards go",
        "A trapped guard goes to any empty cell of the ring just outside its own, from the outer ring to another "
        "cell of the outer ring.",
        {**CLASSIC, "guard_goes": "next_ring"},
    ),
    Clause(
        "The queen goes",
        "A trapped queen goes to any empty cell, the throne included.",
        {**CLASSIC, "queen_goes": "anywhere"},
    ),
    Clause(
        "The queen goes",
        "A trapped queen goes to any empty cell of the ring just outside her own, from the outer ring to another "
        "cell of the outer ring.",
        {**CLASSIC, "queen_goes": "next_ring"},
    ),
    Clause(
        "The queen goes",
        "A trapped queen goes to any empty cell of the outer ring.",
        {**CLASSIC, "queen_goes": "outer"},
    ),
    Clause("", "Each seat puts down its own trapped queen.", {**CLASSIC, "queen_placed_by": "owner"}),
    Clause(
        "Exile",
        "The other seat puts down a trapped queen, and that ends her owner's turn.",
        {**CLASSIC, "queen_placed_by": "opponent"},
    ),
    Clause(
        "Blocking",
        "No piece may step, or be put down, where it would stand trapped.",
        {**CLASSIC, "entering": "forbidden"},
    ),
    Clause(
        "Walking into a trap",
        "A piece may step, or be put down, between two enemies; it is then trapped as well.",
        {**CLASSIC, "entering": "trapped"},
    ),
    Clause(
        "No blocking; only the piece that has just stepped traps",
        "A piece may step between two enemies unharmed. Traps are in a straight line with the piece that has just "
        "stepped.",
        BLOODY,
    ),
    Clause(
        "A guard trapped by two guards",
        "It is put one ring further out, or further if that ring is full; on the outer ring, elsewhere on it.",
        BLOODY,
    ),
    Clause("", "The seat that trapped it chooses the cell.", {**BLOODY, "relocated_by": "trapper"}),
    Clause("", "The seat that owns it chooses the cell.", {**BLOODY, "relocated_by": "owner"}),
    Clause("A guard trapped by a guard and the queen", "It is taken off the board.", BLOODY),
    Clause(
        "A trapped queen",
        "She goes to the cell of one of her outermost guards, which is taken off; the seat that trapped her chooses "
        "which.",
        BLOODY,
    ),
    Clause("Losing", "A side that has lost its last guard loses.", BLOODY),
    Clause(
        "Six guards round the throne without their queen lose",
        "Whoever has six guards round the throne while its queen is not on it loses at once.",
        {"surround_loses": "queen_absent"},
    ),
    Clause(
        "Six guards round the throne without their queen lose",
        "Whoever has six guards round the throne while nobody is on it loses at once.",
        {"surround_loses": "throne_empty"},
    ),
    Clause(
        "Touch and move",
        "A turn begins with touching a piece. That piece must then be moved, or you pass and lose the move. What is "
        "put down needs no touch.",
        {"touch_move": True},
    ),
    Clause("", "A turn in which nothing else can be played is passed.", {"touch_move": False}),
    Clause("", "Two turns in a row that end in a pass, one of each seat, are a draw."),
)
CAUGHT = "g4q/7/8/9/10/1G9/2g7/2G6/8/7/Q3G1 l"
LESSONS = (
    Lesson(
        "Each seat has a queen and six guards on the outer ring. A piece steps to a neighbouring empty cell on its own "
        "ring or one ring further in, never outward.",
        moves=("a5-b6",),
        when={"setup": "fixed"},
    ),
    Lesson("The board begins without guards: the seats place them in turn, one at a time.", when={"setup": "guards"}),
    Lesson("The board begins empty: the seats place their queens, then their guards, in turn.", when={"setup": "all"}),
    Lesson(
        "Light steps to f3: the dark guard on e3 is caught between two enemies, and is trapped.", CAUGHT, ("f2-f3",)
    ),
    Lesson(
        "Dark must use its turn to put the trapped guard down again, on the outer ring.",
        CAUGHT,
        ("f2-f3", "@k3"),
        when={**CLASSIC, "guard_goes": "outer"},
    ),
    Lesson(
        "Dark must use its turn to put the trapped guard down again, one ring further out.",
        CAUGHT,
        ("f2-f3", "@d2"),
        when={**CLASSIC, "guard_goes": "next_ring"},
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
        rules.STEP: "Choose a piece, then the neighbouring cell that it steps to, on its ring or further in.",
        rules.PLACE: f"Setting up: choose a free cell for {'your queen' if queen else 'a guard'}.",
        rules.TOUCH: "Touch the piece that you will move.",
        rules.TOUCHED: f"Choose where {held} steps to, or pass: the piece that you touched must move.",
        rules.CHOOSE: "Several of your guards are trapped. Choose the one that you put back now.",
        rules.CHOSEN: f"Choose the cell where you put {held}.",
        rules.RELOCATE: f"Trapped: choose the cell where you put {held}. You can't do anything else in this turn.",
        rules.EXILE: f"The other seat's queen is trapped: choose the cell where you put {held}.",
        rules.STUCK: "Your trapped piece can go nowhere: you must pass.",
        rules.EXCHANGE: "You have trapped the queen. Choose the guard that is taken off for her.",
        rules.PUT: f"Your step has trapped {held}: choose the cell, one ring further out, where it goes.",
    }[phase]


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    phase, number = int(state.phase), notation.absolute(action, state)
    if number == actions.PASS:
        return "you may pass only when nothing else can be played"
    letters, names = notation.piece_letters(state), notation.CELL_NAMES
    if phase in (rules.RELOCATE, rules.CHOSEN, rules.EXILE, rules.PUT) and number < actions.PUTS:
        return f"you must first put down the {KINDS[letters[int(state.hand)]]} from {names[int(state.hand)]}"
    if phase in (rules.CHOOSE, rules.EXCHANGE, rules.TOUCH) and number < actions.CHOICES:
        return "you must first choose a piece"
    if phase == rules.PLACE and number < actions.PUTS:
        return "the pieces are still being set up: choose a free cell"
    if number < actions.PUTS:
        source, direction = divmod(number, board.DIRECTIONS)
        return _why_no_step(source, int(board.NEIGHBOUR[source, direction]), state, letters)
    if phase in (rules.STEP, rules.TOUCHED):
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
    if state.phase == rules.TOUCHED and source != state.hand:
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
