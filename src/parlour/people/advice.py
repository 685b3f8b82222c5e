"""What a player thinks of a position, in words and as marks on the picture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, hypot, isnan, sin

from parlour.aec import GameEnv
from parlour.engine.analysis import Analysis
from parlour.engine.view import GamesView
from parlour.people.board import clicks, hit_areas
from parlour.players import Considering, Player

MARK, MARK_EDGE = "#d81b8c", "#ffffff"
"""A colour that no board has, and the edge that sets it off from each."""
LABEL_INK = "#8c0f58"
"""Of a value on an arrow: 8:1 against its white box."""
LABEL_HEIGHT = 22.0
"""The most that a value's letters have, in the picture's own measure: places may be as large as a card."""
MAX_LINE = 8
"""Plies of a principal variation that are shown."""


@dataclass(frozen=True)
class Thought:
    """What a player thinks of a position.

    Attributes:
        moves: the names of its favourite moves, each with its probability.
        value: the expected result of the seat to act, where 1 is a win; None if the player doesn't value positions.
        line: the names of the moves that it expects, as far as it knows them.
        values: the expected result of the seat to act after each of ``moves``, None where the player doesn't know it;
            or empty.
    """

    moves: tuple[tuple[str, float], ...]
    value: float | None
    line: tuple[str, ...]
    values: tuple[float | None, ...] = ()

    def value_of(self, place: int) -> float | None:
        """What the seat to act can expect after the move at a place of ``moves``."""
        return self.values[place] if place < len(self.values) else None


def think(env: GameEnv, player: Player, count: int = 5) -> Thought | None:
    """What ``player`` thinks of the position, with at most ``count`` moves; None for a player that can't say. Nothing
    is played, and the game's random numbers are not used. The game must not be over."""
    if not isinstance(player, Considering):
        return None
    trial = env.clone()
    trial.render_mode = None
    analysis = player.consider(GamesView(trial.games))
    best = (-analysis.probabilities).argsort(kind="stable")[:count].tolist()
    best = [action for action in best if analysis.probabilities[action] > 0]
    moves = [(env.move_name(action), float(analysis.probabilities[action])) for action in best]
    seat = env.possible_agents.index(env.agent_selection)
    value = None if analysis.values is None else float(analysis.values[seat])
    after = [] if analysis.action_values is None else analysis.action_values[best, seat].tolist()
    values = tuple(None if isnan(number) else number for number in after)
    return Thought(tuple(moves), value, _line(trial, analysis), values)


def _line(env: GameEnv, analysis: Analysis) -> tuple[str, ...]:
    """The names of the principal variation; ``env`` is played along it."""
    names = []
    for action in analysis.principal_variation[:MAX_LINE]:
        if env.is_over() or not env.observe(env.agent_selection)["action_mask"][action]:
            break
        names.append(env.move_name(action))
        env.step(action)
    return tuple(names)


def marks(env: GameEnv, thought: Thought) -> str:
    """SVG to lay over the picture: for each move an arrow from place to place, or a ring; thicker for more probable
    moves, and with the move's value where that is known."""
    areas = {area.name: area for area in hit_areas(env)}
    shapes: list[str] = []
    labels: list[str] = []
    for number in sorted(range(len(thought.moves)), key=lambda k: thought.moves[k][1]):
        name, share = thought.moves[number]
        way = [areas[place] for place in clicks(env, env.parse_move(name), list(areas)) if place in areas]
        points = [(area.x, area.y) for area in way]
        width, value = 2 + 9 * share, thought.value_of(number)
        if points and value is not None:
            (x0, y0), (x1, y1) = points[-2:] if len(points) > 1 else points * 2  # moves to one place have middles apart
            height = min(0.24 * min(way[-1].width, way[-1].height), LABEL_HEIGHT)
            labels.append(_label((x0 + x1) / 2, (y0 + y1) / 2, height, value))
        if len(points) > 1:
            shapes += [_arrow(*first, *second, width) for first, second in pairwise(points)]
        elif points:
            radius = 0.4 * min(way[0].width, way[0].height)
            ring = f'<circle cx="{points[0][0]:g}" cy="{points[0][1]:g}" r="{radius:g}" fill="none"'
            shapes.append(
                f'{ring} stroke="{MARK_EDGE}" stroke-width="{width + 3:.1f}"/>'
                f'{ring} stroke="{MARK}" stroke-width="{width:.1f}"/>'
            )
    return f'<g class="marks" pointer-events="none">{"".join(shapes + labels)}</g>' if shapes else ""


def _label(x: float, y: float, height: float, value: float) -> str:
    """A value in a box around (x, y). It is text, since marks are shown by browsers alone."""
    text = f"{value:+.2f}".replace("-", "−")
    width = 0.62 * height * len(text) + 0.4 * height
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y - 0.7 * height:.1f}" width="{width:.1f}" height="{1.4 * height:.1f}" '
        f'rx="{0.3 * height:.1f}" fill="{MARK_EDGE}" stroke="{MARK}"/>'
        f'<text x="{x:g}" y="{y + 0.36 * height:.1f}" font-family="system-ui, sans-serif" font-size="{height:.1f}" '
        f'text-anchor="middle" fill="{LABEL_INK}">{text}</text>'
    )


def _arrow(x0: float, y0: float, x1: float, y1: float, width: float) -> str:
    """An arrow as one shape."""
    length, turn = hypot(x1 - x0, y1 - y0), atan2(y1 - y0, x1 - x0)
    head, half = min(3 * width + 8, 0.6 * length), width / 2
    corners = (
        (0, -half), (length - head, -half), (length - head, -half - head / 2.6), (length, 0),
        (length - head, half + head / 2.6), (length - head, half), (0, half),
    )  # fmt: skip
    points = " ".join(
        f"{x0 + x * cos(turn) - y * sin(turn):.1f},{y0 + x * sin(turn) + y * cos(turn):.1f}" for x, y in corners
    )
    style = f'fill="{MARK}" fill-opacity="0.85" stroke="{MARK_EDGE}" stroke-width="1.5" stroke-linejoin="round"'
    return f'<polygon points="{points}" {style}/>'
