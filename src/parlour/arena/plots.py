"""A measure over all variants as a picture: a dot and its interval for each variant, as SVG from a template."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from parlour.arena.measures import Figures, Measure
from parlour.arena.statistics import Estimate

WIDTH = 440
LABEL_WIDTH, VALUE_WIDTH = 7.4, 7.2
"""Of a letter of a variant's name, and of its estimate, at the size of the text."""
TITLE_LETTERS, CAPTION_LETTERS = 52, 64
"""In a line of the title, and of what is written below the axis."""
MAX_TICKS = 6
GAP = 12

TEMPLATES = Environment(
    loader=PackageLoader("parlour", "arena"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


@dataclass(frozen=True)
class Row:
    """A variant in a plot: its name, where its dot and its interval's ends lie across, and its estimate as text."""

    label: str
    dot: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Axis:
    """The values from ``low`` to ``high`` between ``left`` and ``right``."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Where a value lies across; at the end of the axis if it lies beyond."""
        within = min(max(value, self.low), self.high)
        return round(self.left + (within - self.low) / (self.high - self.low) * (self.right - self.left), 1)


def ticks(low: float, high: float) -> list[float]:
    """Round numbers, 1, 2 or 5 times a power of ten apart, from one at or below ``low`` to one at or above ``high``."""
    reach = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(reach / MAX_TICKS))
    step = next(power * k for k in (1, 2, 5, 10, 20) if reach / (power * k) <= MAX_TICKS - 1)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [k * step for k in range(first, max(last, first + 1) + 1)]


def plot(measure: Measure, figures: Figures, title: str = "") -> str:
    """The SVG of a measure: with a title it stands alone; without, it is to be set into a page that has the style of
    ``plot.css``."""
    found = {variant: estimates[measure.key] for variant, estimates in figures.items()}
    texts = {variant: measure.kind.show(estimate.value) for variant, estimate in found.items()}
    scale = measure.kind.scale
    marks = ticks(*(scale * end for end in _reach(measure, list(found.values()))))
    left = LABEL_WIDTH * max(map(len, found)) + GAP
    axis = Axis(marks[0], marks[-1], left, WIDTH - VALUE_WIDTH * max(map(len, texts.values())) - GAP)
    rows = [
        Row(name, axis.at(scale * e.value), axis.at(scale * e.low), axis.at(scale * e.high), texts[name])
        for name, e in found.items()
    ]
    digits = (
        0 if all(mark == round(mark) for mark in marks) else 1 if all(10 * m == round(10 * m) for m in marks) else 2
    )
    return TEMPLATES.get_template("plot.svg").render(
        width=WIDTH,
        title=title,
        lines=textwrap.wrap(title, TITLE_LETTERS),
        rows=rows,
        axis=axis,
        marks=[(axis.at(mark), f"{mark:,.{digits}f}") for mark in marks],
        reference=None if measure.even_at is None else axis.at(scale * measure.even_at),
        captions=textwrap.wrap(f"{measure.meaning} (%)" if scale != 1 else measure.meaning, CAPTION_LETTERS),
    )


def _reach(measure: Measure, estimates: Sequence[Estimate]) -> tuple[float, float]:
    """The values that a plot must hold: all intervals, 0, and all of the scale where it has a middle."""
    if measure.even_at is not None:
        return 0.0, 1.0
    ends = [end for found in estimates for end in (found.low, found.value, found.high) if math.isfinite(end)]
    return min(0.0, *ends), max(ends)
