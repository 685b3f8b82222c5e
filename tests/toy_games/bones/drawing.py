"""A number a seat."""

from __future__ import annotations

from parlour.rulebook.protocol import Record

from .notation import write


def svg(state: Record, variant: Record) -> str:
    bars = "".join(
        f'<rect x="{20 * k}" y="0" width="15" height="{5 + min(int(state.scores[k]), 90)}" fill="#444"/>'
        for k in range(2)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="240" height="100" viewBox="0 0 240 100">{bars}</svg>'


def ansi(state: Record, variant: Record) -> str:
    return write(state, variant)
