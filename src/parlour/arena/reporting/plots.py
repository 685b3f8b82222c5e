"""Plots of a measure as SVG: a dot and a line (its interval) for each variant and player."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from parlour.arena.measures import Kind, Measure
from parlour.arena.statistics import Estimate

WIDTH = 440
LABEL_WIDTH, VALUE_WIDTH = 7.4, 7.2
"""The width of a letter of a row's label, and of its value, in units of the SVG."""
TITLE_LETTERS, CAPTION_LETTERS, MAX_LETTERS = 44, 64, 54
"""The largest number of letters in a line of the title, in a line of the caption, and in a row's label."""
MAX_LABEL = 26
"""The largest number of letters of a label beside its line. If one label is longer, all are drawn above their lines."""
ROW_HEIGHT, ROW_HEIGHT_ABOVE = 24, 40
MAX_TICKS = 6
GAP = 12
COLOURS = 6
"""The number of colours for players. With more players, colours are used again."""

BREAKS = re.compile(r"(?<=[:=+_,])(?=\S)")
"""Where a long name may be wrapped."""
TEMPLATES = Environment(
    loader=PackageLoader("parlour.arena", "reporting"), autoescape=True, trim_blocks=True, lstrip_blocks=True,
    undefined=StrictUndefined,
)  # fmt: skip


def breakable(name: str) -> Markup:
    """A name with points at which a browser may wrap it."""
    return Markup("<wbr>").join(BREAKS.split(name))


TEMPLATES.filters |= {"breakable": breakable, "short": "{:.4g}".format}


@dataclass(frozen=True)
class Bar:
    """A row of a plot: its label, its estimate, and the number of its colour."""

    label: str
    estimate: Estimate
    colour: int = 0


@dataclass(frozen=True)
class Axis:
    """An axis: the values from ``low`` to ``high`` at the x coordinates from ``left`` to ``right``."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """The x coordinate of a value, limited to the axis."""
        within = min(max(value, self.low), self.high)
        return round(self.left + (within - self.low) / (self.high - self.low) * (self.right - self.left), 1)


def shortened(labels: Sequence[str], room: int) -> list[str]:
    """Labels of at most ``room`` letters. "…" replaces the end of longer labels. If different labels would then look
    the same, it replaces their middle instead."""
    cut = [label if len(label) <= room else f"{label[: room - 1].rstrip(' ,')}…" for label in labels]
    for tail in range(room // 3, room):
        if len(set(cut)) == len(set(labels)):
            break
        head = room - 1 - tail
        cut = [label if len(label) <= room else f"{label[:head]}…{label[-tail:]}" for label in labels]
    return cut


def ticks(low: float, high: float) -> list[float]:
    """Round numbers, 1, 2 or 5 times a power of ten apart, from one at or below ``low`` to one at or above ``high``."""
    extent = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(extent / MAX_TICKS))
    step = next(power * k for k in (1, 2, 5, 10, 20) if extent / (power * k) <= MAX_TICKS - 1)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [k * step for k in range(first, max(last, first + 1) + 1)]


def stacked(
    title: str, legend: Sequence[tuple[str, str]], rows: Mapping[str, Sequence[float]], heading: str = ""
) -> str:
    """The SVG of divided bars. ``legend``: for each part its name and its class in ``plot.css``; ``rows``: by label the
    shares of the parts, which add up to 1; ``heading``: if it is given, the SVG has it and is a file of its own."""
    labels = dict(zip(rows, shortened(list(rows), MAX_LABEL)))
    left = LABEL_WIDTH * max(map(len, labels.values()), default=0) + 2 * GAP
    parts = []
    for row, shares in enumerate(rows.values()):
        x = left
        for share, (_, colour) in zip(shares, legend):
            length = round(share * (WIDTH - GAP - left), 1)
            part = {"row": row, "x": round(x, 1), "length": length, "share": f"{100 * share:.0f}", "colour": colour}
            parts += [part] if length else []
            x += length
    lines = textwrap.wrap(heading, TITLE_LETTERS)
    return TEMPLATES.get_template("stacked.svg").render(
        width=WIDTH, title=title, lines=lines, alone=bool(heading), legend=legend,
        rows=list(labels.values()), parts=parts, left=left,
    )  # fmt: skip


def captioned(measure: Measure) -> str:
    """What a measure means, with its unit, below a plot."""
    return f"{measure.meaning} ({measure.kind.unit})" if measure.kind.unit else measure.meaning


def draw(
    kind: Kind,
    bars: Sequence[Bar],
    caption: str,
    title: str = "",
    even_at: float | None = None,
    differences: bool = False,
    legend: Sequence[str] = (),
) -> str:
    """The SVG of estimates of one kind. With a title it can be a file of its own. Without a title it is for a page that
    includes ``plot.css`` and a legend.

    ``even_at``: a value to be marked with a line. If the kind has a smallest and a largest value, the axis then goes
    from one to the other. ``differences``: whether the estimates are differences between values of the kind.
    ``legend``: what the colours mean, in their order.
    """
    shown, legend = [bar for bar in bars if bar.estimate.count], legend if title else []
    texts = [kind.figure(bar.estimate) for bar in shown]
    whole = even_at is not None and not differences and math.isfinite(kind.high - kind.low)
    estimates = [kind.scaled(bar.estimate) for bar in shown]
    marks = ticks(*((kind.low, kind.high) if whole else _extent(estimates, kind.scale * (even_at or 0))))
    labels = shortened([bar.label for bar in shown], MAX_LETTERS)
    longest = max(map(len, labels), default=0)
    above = longest > MAX_LABEL
    left = GAP if above else LABEL_WIDTH * longest + GAP
    axis = Axis(marks[0], marks[-1], left, WIDTH - VALUE_WIDTH * max(map(len, texts), default=0) - 1.5 * GAP)
    lines, row_height = textwrap.wrap(title, TITLE_LETTERS), ROW_HEIGHT_ABOVE if above else ROW_HEIGHT
    top = 8 + 20 * (len(lines) + bool(legend))
    rows = [
        {
            "label": label, "y": top + row_height * number - 12, "text": text, "colour": bar.colour % COLOURS,
            "dot": axis.at(estimate.value), "low": axis.at(estimate.low), "high": axis.at(estimate.high),
        }
        for number, (label, bar, estimate, text) in enumerate(zip(labels, shown, estimates, texts), 1)
    ]  # fmt: skip
    digits = next(d for d in (0, 1, 2, 3) if d == 3 or all(abs(m - round(m, d)) < 1e-9 for m in marks))
    return TEMPLATES.get_template("plot.svg").render(
        width=WIDTH, title=title, legend=legend, lines=lines, top=top, bottom=top + row_height * len(rows), rows=rows,
        above=above, axis=axis, marks=[(axis.at(mark), f"{mark:,.{digits}f}".replace("-", "−")) for mark in marks],
        reference=None if even_at is None else axis.at(kind.scale * even_at),
        captions=textwrap.wrap(caption, CAPTION_LETTERS),
    )  # fmt: skip


def _extent(estimates: Sequence[Estimate], even_at: float) -> tuple[float, float]:
    """The range of a plot: all intervals, 0 and ``even_at``."""
    ends = [end for one in estimates for end in (one.low, one.value, one.high) if math.isfinite(end)]
    return min(0.0, *ends, 0.0), max([*ends, even_at])
