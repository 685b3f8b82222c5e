"""The pile as a picture and as text."""

from __future__ import annotations

from parlour.rulebook.protocol import RUNNING, Record

from .notation import SEATS
from .variants import MAX_PILE

ACROSS, STEP = 20, 12
WIDTH, HEIGHT = ACROSS * STEP, -(-MAX_PILE // ACROSS) * STEP
COLOURS = ("#a33", "#338")  # of the seat to act


def svg(state: Record, variant: Record) -> str:
    """A disc for each counter, in the colour of the seat to act."""
    colour = COLOURS[state.to_act] if state.end == RUNNING else "#999"
    places = [(STEP * (k % ACROSS) + STEP // 2, STEP * (k // ACROSS) + STEP // 2) for k in range(state.pile)]
    discs = "".join(f'<circle cx="{x}" cy="{y}" r="5" fill="{colour}"/>' for x, y in places)
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    frame = f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" fill="none" stroke="{colour}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{frame}{discs}</svg>'


def ansi(state: Record, variant: Record) -> str:
    """``ooooo (5), first to act``"""
    then = f"{SEATS[state.to_act]} to act" if state.end == RUNNING else "the end"
    return f"{'o' * int(state.pile)} ({state.pile}), {then}"
