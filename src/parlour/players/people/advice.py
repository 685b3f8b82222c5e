"""What a player thinks of a position, in words and as marks on the picture."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, exp, hypot, isnan, sin
from typing import NamedTuple

import numpy as np

from parlour.engine.analysis import Analysis
from parlour.engine.view import GamesView
from parlour.interfaces.aec import GameEnv
from parlour.players import Considering, Player
from parlour.players.champion import NAME as CHAMPION
from parlour.players.champion import champion_plays, usual_depth
from parlour.players.exact import Exact
from parlour.players.names import innermost, limited, parse_player
from parlour.players.people.board import has_thrown, hit_areas, legal_actions, way
from parlour.support.signed import signed

MARK, MARK_EDGE = "#d81b8c", "#ffffff"
"""A colour that no board has, and the edge that sets it off from each."""
LABEL_INK = "#8c0f58"
"""Of a value on an arrow: 8:1 against its white box."""
LABEL_HEIGHT = 22.0
"""The most that a value's letters have, in the picture's own measure: places may be as large as a card."""
SHORT = 1.5
"""Arrows up to so many times as long as a value is wide would be hidden by it."""
HINT_SECONDS, LEAST_SECONDS = 5.0, 2.0
"""The most time that the values of a hint's moves may take, and the least that a search by time has."""
SEARCH, NETWORKS = "mcts", ("value", "az", "policy")
ABOUT_EQUAL = 0.04
"""Two results, from −1 to 1, that differ by less than this are about equal: by 2 % of a win."""
FAVOUR = 0.05
"""How much worse a move's result is where the player favours the move e times less."""
STANDING = ((0.75, "Winning", "Losing"), (0.3, "Ahead", "Behind"), (0.1, "A little ahead", "A little behind"))
"""From which expected result on, or below its negative, a seat stands so in words."""
SCALE = "1 is a win, −1 a loss"
Point = tuple[float, float]
"""Of a picture, from its left and its top."""
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
        exact: whether values are those of a table of exact values.
        forced: whether the move is the only legal one.
        brings: what happens by the first move, in the words of the game's events.
    """

    moves: tuple[tuple[str, float], ...]
    value: float | None
    line: tuple[str, ...]
    values: tuple[float | None, ...] = ()
    exact: bool = False
    forced: bool = False
    brings: tuple[str, ...] = ()

    def value_of(self, place: int) -> float | None:
        """What the seat to act can expect after the move at a place of ``moves``."""
        return self.values[place] if place < len(self.values) else None

    @property
    def why(self) -> str:
        """In words: how the seat to act stands, what it can expect before and after the first move and what happens by
        it, and which moves are about as good; empty if that is not known."""
        if self.forced:
            return f"{self.moves[0][0]} is the only legal move."
        if self.value is None:
            return ""
        after, names = self.value_of(0), [move for move, _ in self.moves]
        known = [(move, value) for move, value in zip(names, self.values) if value is not None]
        equal = [move for move, value in known if abs(value - (after or 0.0)) < ABOUT_EQUAL]
        if self.exact:
            as_good = [move for move, value in known if value == after] or names[:1]
            return f"Exact value {signed(self.value, 4)} ({SCALE}), kept by {', '.join(as_good)}."
        text = f"{standing(self.value)}. Expected result ({SCALE}): {signed(self.value, 2)}"
        if after is None:
            return f"{text}."
        happens = f" ({', '.join(self.brings)})" if self.brings else ""
        text += f" before, {signed(after, 2)} after {names[0]}{happens}."
        return text if len(equal) < 2 else f"{text} These are about equal: {', '.join(equal)}."


def standing(value: float) -> str:
    """In words, how a seat stands that can expect this result, from −1 to 1."""
    texts = next((words for least, *words in STANDING if abs(value) >= least), ["About even"] * 2)
    return texts[value < 0]


def adviser(env: GameEnv, opponents: Iterable[Player]) -> Player:
    """A new player that gives hints, never weaker than an opponent. It is the champion, if that knows the variant, else
    a tree search, with the time or the depth of the strongest opponent. An opponent with a network of its own gives the
    hints itself; so does one that searches to a depth where there is no champion."""
    game, usual, seconds, depth = env.game, usual_depth(env.game), 0.0, 0
    knows = champion_plays(game, [env.values])
    for each in map(innermost, opponents):
        kind, colon, _ = each.name.partition(":")
        if kind in NETWORKS or (kind == CHAMPION and colon and usual is None) or (hasattr(each, "depth") and not knows):
            return limited(parse_player(each.name, game), HINT_SECONDS)
        seconds = max(seconds, getattr(each, "seconds", None) or 0.0)
        depth = max(depth, getattr(each, "depth", None) or 0)
    if not knows or seconds:
        return parse_player(f"{CHAMPION if knows else SEARCH}:{max(seconds, LEAST_SECONDS):g}s", game)
    name = f"{CHAMPION}:{depth}" if usual is not None and depth > usual else CHAMPION
    return limited(parse_player(name, game), HINT_SECONDS)


def advise(env: GameEnv, player: Player) -> Thought | None:
    """A hint. It is what `think` says, with two differences: a single legal move needs no search, and in games with
    dice each move is valued over all throws that may follow. It also says what happens by the best move."""
    legal = env.legal_moves()
    if len(legal) == 1:
        return Thought(((legal[0], 1.0),), None, (), forced=True)
    thought = think(env, player, dice=True)
    return None if thought is None else replace(thought, brings=_events(env, env.parse_move(thought.moves[0][0])))


def think(env: GameEnv, player: Player, count: int = 5, dice: bool = False) -> Thought | None:
    """What ``player`` thinks of the position, with at most ``count`` moves; None for a player that can't say. Nothing
    is played, and the game's random numbers are not used. The game must not be over. ``dice``: whether each move is
    valued in games with dice, too, over all throws that may follow."""
    if not isinstance(player, Considering):
        return None
    trial = env.clone()
    trial.render_mode = None
    analysis = player.consider(GamesView(trial.games))
    seat = env.possible_agents.index(env.agent_selection)
    value = None if analysis.values is None else float(analysis.values[seat])
    shares, after = analysis.probabilities, {}
    if analysis.action_values is not None:
        after = dict(enumerate(analysis.action_values[:, seat].tolist()))
    elif value is not None and (dice or not env.game.rules.DICE):
        after = _values_after(env, player, seat)
        shares = np.zeros(len(shares))
        for action, each in after.items():
            shares[action] = exp((each - max(after.values())) / FAVOUR)
        shares = shares / shares.sum() if after else analysis.probabilities
    expected = analysis.principal_variation[:1]  # first among equals
    known = {action: each for action, each in after.items() if not isnan(each)}
    ranked = sorted(
        {*np.flatnonzero(shares > 0).tolist(), *known},
        key=lambda action: (-shares[action], action not in expected, -known.get(action, 0.0)),
    )
    best = ranked[:count]
    moves = [(env.move_name(action), float(shares[action])) for action in best]
    values = tuple(None if isnan(after[action]) else after[action] for action in best if action in after)
    return Thought(tuple(moves), value, _line(trial, analysis) if best[0] in expected else (), values)


def think_exactly(env: GameEnv, tables: Iterable[Exact], count: int) -> Thought | None:
    """What the first of the tables that has the position says of it, with the values of at most ``count`` legal moves,
    the best ones; None if no table has it. ValueError for a table of another game or variant."""
    for table in tables:
        if table.knows(GamesView(env.games)):
            thought = think(env, table, count)
            return None if thought is None else replace(thought, exact=True)
    return None


def _values_after(env: GameEnv, player: Considering, seat: int) -> dict[int, float]:
    """What a seat can expect after each legal action, as the player values the positions that it leads to: the mean
    over all throws that may follow. Empty if that takes too long."""
    end, values, actions = time.monotonic() + HINT_SECONDS, {}, legal_actions(env)
    if env.game.rules.DICE and (getattr(innermost(player), "seconds", None) or 0.0) * len(actions) > HINT_SECONDS:
        return {}
    for action in actions:
        values[action] = 0.0
        for child, chance in _after(env, action):
            estimates = None if child.is_over() else player.consider(GamesView(child.games)).values
            if time.monotonic() > end or (estimates is None and not child.is_over()):
                return {}
            value = 0.0 if estimates is None else float(estimates[seat])
            values[action] += chance * (value + float(child.rewards[f"player_{seat}"]))
    return values


def _after(env: GameEnv, action: int) -> Iterator[tuple[GameEnv, float]]:
    """The positions after an action, one for each throw that may follow, with their probabilities. Their random numbers
    are not those of the game, which must not be seen."""
    for faces, chance in env.chance_outcomes() if env.game.rules.DICE else [((), 1.0)]:
        child = env.clone(seed=0)
        child.render_mode = None
        child.set_dice([faces] if faces else [])
        child.step(action)
        if not has_thrown(env, child):
            yield child, 1.0
            return
        yield child, chance


def _events(env: GameEnv, action: int) -> tuple[str, ...]:
    """What happens by an action, whatever is thrown next, in the words of the game's events."""
    names = env.game.evaluation.EVENTS
    counts, happens = np.zeros((1, len(names)), np.int64), np.ones(len(names), np.bool_)
    for child, _ in _after(env, action):
        child.games.events(env.games.states, counts)
        happens &= counts[0] > 0
    return tuple(name.replace("_", " ") for name, each in zip(names, happens) if each)


def _line(env: GameEnv, analysis: Analysis) -> tuple[str, ...]:
    """The names of the principal variation; ``env`` is played along it."""
    names = []
    for action in analysis.principal_variation[:MAX_LINE]:
        if env.is_over() or not env.observe(env.agent_selection)["action_mask"][action]:
            break
        names.append(env.move_name(action))
        env.step(action)
    return tuple(names)


def value_lost(env: GameEnv, player: Considering, action: int) -> float:
    """How much less the seat to act can expect after a legal action than after the player's own, by the player and
    under the same throws; at least 0. Nothing is played."""
    best = int(player.consider(GamesView(env.clone().games)).probabilities.argmax())
    if action == best:
        return 0.0
    return max(0.0, _value_of_ply(env, player, best) - _value_of_ply(env, player, action))


def _value_of_ply(env: GameEnv, player: Considering, action: int) -> float:
    """What the seat to act gets by an action, and can expect after it by the player."""
    seat, trial = env.possible_agents.index(env.agent_selection), env.clone()
    trial.render_mode = None
    trial.step(action)
    values = None if trial.is_over() else player.consider(GamesView(trial.games)).values
    return float(trial.games.rewards[0, seat]) + (0.0 if values is None else float(values[seat]))


def marks(env: GameEnv, thought: Thought) -> str:
    """SVG to lay over the picture: for each move an arrow from place to place, or a ring; thicker for more probable
    moves, and with the move's value where that is known."""
    areas = hit_areas(env)
    left = min((area.x - area.width / 2 for area in areas), default=0.0)
    right = max((area.x + area.width / 2 for area in areas), default=0.0)
    shapes: dict[tuple[Point, ...], str] = {}
    labels: list[_Label] = []
    for number in sorted(range(len(thought.moves)), key=lambda k: -thought.moves[k][1]):
        name, share = thought.moves[number]
        places = way(env, env.parse_move(name))
        points = tuple((area.x, area.y) for area in places)
        if not points or points in shapes:  # of several moves of one way the best is marked
            continue
        value, least = thought.value_of(number), min(places[-1].width, places[-1].height)
        if value is not None:
            label = _Label(*points[-1], min(0.24 * least, LABEL_HEIGHT), signed(value, 2))
            if len(points) > 1:  # the last step of a way: moves to one place have middles apart
                label = _on_arrow(label, points[-2], points[-1], (left, right))
            labels.append(_clear(label, labels))
        width = 2 + 9 * share
        arrows = "".join(_arrow(*start, *end, width) for start, end in pairwise(points))
        shapes[points] = arrows or _ring(*points[0], least, width)
    if not shapes:
        return ""
    drawn, values = "".join(reversed(shapes.values())), "".join(label.svg() for label in labels)
    return f'<g class="marks" pointer-events="none">{drawn}<g class="values">{values}</g></g>'


class _Label(NamedTuple):
    """A value in a box around a point."""

    x: float
    y: float
    height: float
    text: str

    @property
    def width(self) -> float:
        return 0.62 * self.height * len(self.text) + 0.4 * self.height

    def svg(self) -> str:
        """It is text, since marks are shown by browsers alone."""
        x, y, height, width = self.x, self.y, self.height, self.width
        return (
            f'<rect x="{x - width / 2:.1f}" y="{y - 0.7 * height:.1f}" width="{width:.1f}" height="{1.4 * height:.1f}" '
            f'rx="{0.3 * height:.1f}" fill="{MARK_EDGE}" stroke="{MARK}"/>'
            f'<text x="{x:g}" y="{y + 0.36 * height:.1f}" font-family="system-ui, sans-serif" font-size="{height:.1f}" '
            f'text-anchor="middle" fill="{LABEL_INK}">{self.text}</text>'
        )


def _on_arrow(label: _Label, start: Point, end: Point, sides: tuple[float, float]) -> _Label:
    """The label in an arrow's middle; of a short arrow, which it would hide, just beyond the head, between the board's
    sides."""
    right, down = end[0] - start[0], end[1] - start[1]
    if hypot(right, down) > SHORT * label.width:
        return label._replace(x=start[0] + right / 2, y=start[1] + down / 2)
    turn, half = atan2(down, right), label.width / 2
    x, y = end[0] + cos(turn) * (half + 2), end[1] + sin(turn) * (0.7 * label.height + 2)
    return label._replace(x=min(max(x, sides[0] + half), sides[1] - half), y=y)


def _clear(label: _Label, others: Sequence[_Label]) -> _Label:
    """The label where it is, or below, where it hides none of the others."""
    while any(
        abs(label.x - other.x) < (label.width + other.width) / 2
        and abs(label.y - other.y) < 0.7 * (label.height + other.height)
        for other in others
    ):
        label = label._replace(y=label.y + 0.5 * label.height)
    return label


def _ring(x: float, y: float, size: float, width: float) -> str:
    strokes = ((MARK_EDGE, width + 3), (MARK, width))
    return "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{0.4 * size:g}" fill="none" stroke="{colour}" stroke-width="{wide:.1f}"/>'
        for colour, wide in strokes
    )


def _arrow(x0: float, y0: float, x1: float, y1: float, width: float) -> str:
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
