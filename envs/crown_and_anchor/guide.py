"""For people at the board: the goal, the signs, what to do now, where to click, why a bet is not legal."""

from __future__ import annotations

from parlour.rulebook.protocol import Record

from . import notation, rules

GOAL = (
    "Have the most chips when the last throw is made. Each round every seat but the Banker bets chips on one of six"
    " designs; then the Banker throws three dice. A design that shows on one, two or three dice pays its bets once,"
    " twice or three times; all others go to the Banker. The bank passes on as the rules say."
)
LEGEND = (
    (">", "the seat to act", "bold green"),
    ("B", "the Banker", "bold yellow"),
    ("heart*3", "the move: bet 3 chips on the heart", ""),
    ("roll", "the move: the Banker throws", ""),
    ("done", "the move: bet nothing (more)", ""),
)

FACES = notation.DESIGN_NAMES


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
