"""A measure over all variants as a picture: a dot and its interval for each variant and player, as SVG."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from parlour.arena.measures import Kind, Measure
from parlour.arena.statistics import Estimate

WIDTH = 440
LABEL_WIDTH, VALUE_WIDTH = 7.4, 7.2
"""Of a letter of a row's name, and of its estimate, at the size of the text."""
TITLE_LETTERS, CAPTION_LETTERS, MAX_LETTERS = 52, 64, 54
"""In a line of the title, of what is written below the axis, and of a row's name."""
MAX_LABEL = 26
"""Letters of a row's name beside its line; where a name is longer, all stand above their lines."""
ROW_HEIGHT, ROW_HEIGHT_ABOVE = 24, 40
MAX_TICKS = 6
GAP = 12
COLOURS = 6
"""The number of colours for players. Further players use them again."""

BREAKS = re.compile(r"(?<=[:=+_,])(?=\S)")
"""Where a long name may be broken."""
TEMPLATES = Environment(
    loader=PackageLoader("parlour.arena", "reporting"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def breakable(name: str) -> Markup:
    """A name with places at which a browser may break it."""
    return Markup("<wbr>").join(BREAKS.split(name))


TEMPLATES.filters["breakable"] = breakable


@dataclass(frozen=True)
class Bar:
    """What a plot shows in a row: its name, its estimate, and the number of its colour."""

    label: str
    found: Estimate
    colour: int = 0


@dataclass(frozen=True)
class Row:
    """A row as it is drawn: its name, where its dot and its interval's ends lie across, and its estimate as text."""

    label: str
    dot: float
    low: float
    high: float
    text: str
    colour: int


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


def plot(measure: Measure, bars: Sequence[Bar], title: str = "", legend: Sequence[str] = ()) -> str:
    """The SVG of a measure. With a title it stands alone; without, it is to be set into a page that has the style of
    ``plot.css``. ``legend``: what the colours stand for, in their order."""
    caption = f"{measure.meaning} (%)" if measure.kind.unit == "%" else measure.meaning
    return draw(measure.kind, bars, caption, title, measure.even_at, legend=legend)


def draw(
    kind: Kind,
    bars: Sequence[Bar],
    caption: str,
    title: str = "",
    even_at: float | None = None,
    bounded: bool | None = None,
    legend: Sequence[str] = (),
) -> str:
    """The SVG of some estimates of one kind. ``even_at``: a value to be marked by a line; the plot then shows all of
    the scale where it is ``bounded``, as the kind says by default."""
    shown = [bar for bar in bars if bar.found.count]
    whole = kind.bounded if bounded is None else bounded
    texts = [kind.show(bar.found.value) for bar in shown]
    marks = ticks(*(kind.scale * end for end in _reach([bar.found for bar in shown], even_at, whole)))
    labels = [textwrap.shorten(bar.label, MAX_LETTERS, placeholder="…") for bar in shown]
    longest = max(map(len, labels), default=0)
    above = longest > MAX_LABEL
    left = GAP if above else LABEL_WIDTH * longest + GAP
    axis = Axis(marks[0], marks[-1], left, WIDTH - VALUE_WIDTH * max(map(len, texts), default=0) - 1.5 * GAP)
    rows = [
        Row(
            label, axis.at(kind.scale * bar.found.value), axis.at(kind.scale * bar.found.low),
            axis.at(kind.scale * bar.found.high), text, bar.colour % COLOURS,
        )
        for label, bar, text in zip(labels, shown, texts)
    ]  # fmt: skip
    digits = next(d for d in (0, 1, 2, 3) if d == 3 or all(abs(m - round(m, d)) < 1e-9 for m in marks))
    return TEMPLATES.get_template("plot.svg").render(
        width=WIDTH,
        title=title,
        legend=legend,
        lines=textwrap.wrap(title, TITLE_LETTERS),
        rows=rows,
        above=above,
        row_height=ROW_HEIGHT_ABOVE if above else ROW_HEIGHT,
        axis=axis,
        marks=[(axis.at(mark), f"{mark:,.{digits}f}".replace("-", "−")) for mark in marks],
        reference=None if even_at is None else axis.at(kind.scale * even_at),
        captions=textwrap.wrap(caption, CAPTION_LETTERS),
    )


def _reach(estimates: Sequence[Estimate], even_at: float | None, bounded: bool) -> tuple[float, float]:
    """The values that a plot must hold: all intervals, 0, and all of the scale where it has a middle."""
    if even_at is not None and bounded:
        return 0.0, 1.0
    ends = [end for found in estimates for end in (found.low, found.value, found.high) if math.isfinite(end)]
    return min(0.0, *ends, 0.0), max([*ends, even_at or 0.0])
