"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.protocol import Record

from . import notation, rules

FOUR = "players=4"
BETS = "chips 20 20 20 20 | banker 1 | throws 0 | bets 2:crown*2 3:spade*1 0:diamond*3 | player_1 | dice - | 3"
LESSONS = (
    Lesson(
        "All seats but the Banker bet chips on designs, in turn: player_2 has put 2 on the crown.",
        "chips 20 20 20 20 | banker 1 | throws 0 | bets | player_2 | dice - | 0",
        ("crown*2",),
        when=FOUR,
    ),
    Lesson(
        "The Banker throws three dice. Two crowns pay the bet on the crown twice; all other chips go to the Banker.",
        BETS,
        ("roll",),
        ((0, 0, 4),),
        when=f"{FOUR}, bets=one",
    ),
    Lesson(
        "A seat may bet on several designs, and says done after that.",
        "chips 20 20 20 20 | banker 1 | throws 0 | bets | player_2 | dice - | 0",
        ("crown*2", "heart*1", "done"),
        when=f"{FOUR}, bets=many",
    ),
    Lesson(
        "The Banker throws three dice. Two crowns pay the bet on the crown twice; all chips on designs that do not "
        "show go to the Banker.",
        BETS,
        ("roll",),
        ((0, 0, 2),),
        when=f"{FOUR}, bets=many",
    ),
    Lesson(
        "Three alike pay three times, and then the bank passes to the left.", BETS, ("roll",), ((4, 4, 4),), when=FOUR
    ),
    Lesson(
        "After `rounds` throws whoever has the most chips has done best.",
        "chips 31 22 17 10 | banker 3 | throws 40 | bets | player_0 | dice 0 3 5 | 160",
        when=FOUR,
    ),
)
LEGEND = (
    (">", "the seat to act", "bold green"),
    ("B", "the Banker", "bold yellow"),
    ("heart*3", "the move: bet 3 chips on the heart", ""),
    ("roll", "the move: the Banker throws", ""),
    ("done", "the move: bet nothing (more)", ""),
)

FACES = dict(enumerate(notation.DESIGN_NAMES))


def instruction(state: Record, variant: Record) -> str:
    """A throw or a bet."""
    if state.to_act == state.banker:
        return "You are the Banker: throw the dice."
    if variant.bets == rules.MANY:
        return "Choose a design, then how many chips you bet on it; say done when you have bet enough."
    return "Choose a design, then how many chips you bet on it."


def clicks(action: int, state: Record, variant: Record) -> tuple[str, ...]:
    """The design, then the number of chips, which is a button; the other moves are buttons too."""
    design, chips = divmod(action, int(state.max_stake))
    if design >= rules.DESIGNS:
        return (notation.move_name(action, state) or "",)
    return notation.DESIGN_NAMES[design], f"{chips + 1} chip{'s' if chips else ''}"


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    most, seat = int(state.max_stake), int(state.to_act)
    if seat == state.banker:
        return "the Banker doesn't bet: throw the dice"
    if action == rules.DESIGNS * most + 1:
        return "only the Banker throws"
    if action == rules.DESIGNS * most:
        return "you must bet on a design in this round"
    design, chips = divmod(action, most)
    if chips + 1 > state.chips[seat] - int(rules.staked(state, seat)):
        return f"you have only {state.chips[seat] - int(rules.staked(state, seat))} chips left to bet"
    return f"at most {most} chips may lie on one design" if state.stakes[seat, design] else ""


def outcomes(before: Record, after: Record, variant: Record) -> list[tuple[int, str, int]]:
    """After a throw: how often each seat's designs have come, and the chips that it has won or lost."""
    if after.throws == before.throws:
        return []
    outcomes = []
    for seat in range(int(variant.players)):
        bets = [
            f"{name} × {sum(int(face) == design for face in after.dice)}"
            for design, name in enumerate(notation.DESIGN_NAMES)
            if before.stakes[seat, design]
        ]
        if bets or seat == before.banker:
            change = int(after.chips[seat]) - int(before.chips[seat])
            outcomes.append((seat, ", ".join(bets) or "the bank", change))
    return outcomes
