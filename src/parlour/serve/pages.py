"""Pages: templates filled with the state of a session."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from parlour.engine.game import Game
from parlour.people.advice import marks
from parlour.people.board import hit_areas, instruction, status
from parlour.people.choosing import Choosing, choose
from parlour.registry import find
from parlour.rulebook.options import Choice, Count, Flag, option_line
from parlour.rulebook.protocol import HitArea
from parlour.serve.opponents import PERSON, suggestions
from parlour.serve.sessions import DELAYS, Session
from parlour.serve.settings import MAX_RECORDS, Settings
from parlour.serve.setup import OPTION, OTHERS, SEAT

TEMPLATES = Environment(
    loader=PackageLoader("parlour", "serve/templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
MAX_SUMMARY = 120
ALIGNED = re.compile(r' style="text-align:(left|center|right)"')
"""The inline style of a table's cell, which the content security policy of the page refuses."""
LOCAL_LINK = re.compile(r'<a href="(?!https?:)[^"]*">(.*?)</a>', re.DOTALL)
"""A link to another file of the repository, which this server does not have."""
MANY_BUTTONS = 24
"""If there are more choices, they are shown as a list instead of buttons."""


def summary(setup: str) -> str:
    """A stored setup in one line."""
    stored = json.loads(setup)
    try:
        title = find(stored["game"]).title
    except ValueError:  # a game that is no longer registered
        title = stored["game"]
    return f"{title}, {stored['variant']}: {' – '.join(stored['seats'])}"[:MAX_SUMMARY]


TEMPLATES.filters["summary"] = summary


def page(template: str, status_code: int = 200, **values: Any) -> HTMLResponse:
    """A filled template as a response."""
    return HTMLResponse(TEMPLATES.get_template(template).render(**values), status_code)


def problem(text: str, status_code: int) -> HTMLResponse:
    """A page with an error message."""
    return page("problem.html", status_code, problem=text)


def setup_page(
    game: Game, settings: Settings, form: Mapping[str, str], error: str, status_code: int = 200
) -> HTMLResponse:
    """The form for a new game, filled with the values in ``form``. ``error``: a message to show, or empty."""
    seats = game.layout(game.resolve(None, {})[1]).seats
    return page(
        "setup.html",
        status_code,
        game=game,
        options=[_option(option, form.get(OPTION + option.name, "")) for option in game.options],
        seats=[(f"{SEAT}{seat}", game.seat_name(seat), _player(form, seat)) for seat in range(seats)],
        players=[PERSON, *suggestions(game, settings)],
        more_seats=any(option.name == "players" for option in game.options),
        form=form,
        variant=form.get("variant", game.variants[0].name),
        others=form.get(OTHERS, "greedy"),
        error=error,
    )


def _player(form: Mapping[str, str], seat: int) -> str:
    return form.get(f"{SEAT}{seat}") or (PERSON if seat == 0 else "greedy")


def _option(option: Any, value: str) -> dict[str, Any]:
    """An option as a field of the form."""
    if isinstance(option, (Choice, Flag)):
        values = [str(value) for value in (option.values if isinstance(option, Choice) else (True, False))]
    else:
        values = []
    number = "1" if isinstance(option, Count) else "any"
    return {
        "name": option.name,
        "field": OPTION + option.name,
        "values": values,
        "step": number,
        "value": value,
        "line": option_line(option),
    }


def game_page(session: Session) -> HTMLResponse:
    """The complete page of a game."""
    game = session.env.game
    return page("game.html", session=session, game=game, goal=game.guide.GOAL, table=_table(session, None, ""))


def table(session: Session, choosing: Choosing | None = None, typed: str = "") -> HTMLResponse:
    """The part of the page that changes during the game."""
    return HTMLResponse(_table(session, choosing, typed))


def _table(session: Session, choosing: Choosing | None, typed: str) -> Markup:
    with session.guard:
        return _filled_table(session, choosing, typed)


def _filled_table(session: Session, choosing: Choosing | None, typed: str) -> Markup:
    env = session.env
    choosing = choosing or Choosing()
    shown = choose(env, choosing.chosen) if session.person_to_act else Choosing()
    seats = [
        {"name": env.game.seat_name(seat), "player": player, "acts": not env.is_over() and seat == session.seat}
        for seat, player in enumerate(session.setup.seats)
    ]
    template = TEMPLATES.get_template("table.html")
    return Markup(
        template.render(
            session=session,
            seats=seats,
            picture=Markup(picture(session, shown)),
            status=status(env),
            instruction=instruction(env) if session.person_to_act else "",
            problem=choosing.problem or session.problem,
            buttons=[(words, json.dumps(clicks)) for words, clicks in shown.buttons],
            as_list=len(shown.buttons) > MANY_BUTTONS,
            chosen=shown.chosen,
            thinking=session.thinking,
            hint=session.hint,
            typed=typed,
            position=env.position(),
            start_here=start_here(session),
            dice=dice(session),
            speeds=list(DELAYS),
            graph=graph(session.potentials),
            form=env.game.notation.MOVE_FORM,
        )
    )


def start_here(session: Session) -> str:
    """The query string of the form for a new game from the current position, under the same rules."""
    options = {OPTION + name: str(value) for name, value in session.setup.values.items()}
    return urlencode({"variant": session.setup.variant, "position": session.env.position(), **options})


def dice(session: Session) -> str:
    """The faces of the latest throw in words; empty if there is none."""
    game = session.env.game
    names = game.guide.FACES
    return ", ".join(names[face - game.rules.FIRST_FACE] if names else str(face) for face in session.env.dice)


def picture(session: Session, choosing: Choosing) -> str:
    """The board as SVG, with its areas to click and the marks of the hint."""
    env = session.env
    areas = "".join(_area(area, choosing) for area in hit_areas(env)) if session.person_to_act else ""
    hint = marks(env, session.hint) if session.hint else ""
    return env.svg().replace("</svg>", f'<g class="areas">{areas}</g>{hint}</svg>')


def _area(area: HitArea, choosing: Choosing) -> str:
    """An area of the board as a button over the picture."""
    can, chosen = area.name in choosing.places, area.name in choosing.chosen
    kind = "area" + (" can" if can else "") + (" chosen" if chosen else "")
    state = ", can be chosen" if can else ", chosen" if chosen else ""
    clicks = escape(json.dumps([*choosing.chosen, area.name]))
    attributes = (
        f'id="area-{escape(area.name)}" class="{kind}" role="button" tabindex="-1" data-clicks="{clicks}" '
        f'data-area="{escape(area.name)}" data-piece="{escape(area.piece)}" '
        f'aria-label="{escape(area.label + state)}"' + (' aria-pressed="true"' if chosen else "")
    )
    x, y = area.x - area.width / 2, area.y - area.height / 2
    if area.round:
        return (
            f'<ellipse {attributes} cx="{area.x:g}" cy="{area.y:g}" rx="{area.width / 2:g}" ry="{area.height / 2:g}"/>'
        )
    return f'<rect {attributes} x="{x:g}" y="{y:g}" width="{area.width:g}" height="{area.height:g}" rx="4"/>'


def graph(potentials: list[float | None]) -> dict[str, Any] | None:
    """The height of the bar, in percent for the first seat, and the points of the graph; None for a game without
    potentials."""
    points = [(k, value) for k, value in enumerate(potentials) if value is not None]
    if not points:
        return None
    return {
        "last": max(len(potentials) - 1, 1),
        "points": " ".join(f"{k},{1 - value:.3f}" for k, value in points),
        "value": points[-1][1],
        "percent": round(50 + 50 * points[-1][1]),
    }


def records(name: str, address: str, count: int) -> HTMLResponse:
    """A list of links to the ``count`` games of a file or folder, with `MAX_RECORDS` games on each page."""
    starts = range(1, count + 1, MAX_RECORDS)
    parts = [(first, min(first + MAX_RECORDS - 1, count)) for first in starts]
    return page("records.html", name=name, address=address, count=count, parts=parts)


@cache
def _rules(game: Game) -> Markup:
    """A README as HTML. Raw HTML and images in it are disabled."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("image", lambda *arguments: "")
    text = LOCAL_LINK.sub(r"\1", markdown.render(game.readme))
    return Markup(ALIGNED.sub(r' class="\1"', text))


def rules(game: Game) -> HTMLResponse:
    """A game's rules with their sources."""
    return page("rules.html", game=game, text=_rules(game))
