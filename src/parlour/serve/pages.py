"""Pages: templates filled with the state of a game."""

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

from parlour.arena.setting.ladder import EASY, grades, in_words
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players.people.advice import marks
from parlour.players.people.board import hit_areas, instruction, sees_turned, thrown
from parlour.players.people.choosing import Choosing, choose
from parlour.players.people.option_words import option_words, own_words, value_words
from parlour.players.people.rule_texts import goal
from parlour.players.people.rule_texts import rules as rule_clauses
from parlour.rulebook.options import Choice, Count, Flag, Option, Value
from parlour.rulebook.protocol import HitArea
from parlour.serve.drawn import pictured_lessons
from parlour.serve.opponents import PERSON, suggestions
from parlour.serve.plies import latest_outcomes, trail, turn_of_others
from parlour.serve.sessions import DELAYS, Session
from parlour.serve.settings import MAX_RECORDS, Settings
from parlour.serve.setup import GRADE, OPTION, OTHERS, SEAT, USUAL, Setup, seated
from parlour.serve.store import Stored
from parlour.serve.table import Table
from parlour.support.signed import signed

TEMPLATES = Environment(
    loader=PackageLoader("parlour", "serve/templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
MAX_SUMMARY = 120
ALIGNED = re.compile(r' style="text-align:(left|center|right)"')
"""The inline style of a table's cell, which the content security policy of the page refuses."""
LOCAL_LINK = re.compile(r'<a href="(?!https?:)[^"]*">(.*?)</a>', re.DOTALL)
"""A link to another file of the repository, which this server does not have."""
AGAIN = (("rematch", False), ("swap seats", True))
MANY_BUTTONS = 24
"""If there are more choices, they are shown as a list instead of buttons."""


def summary(setup: str) -> str:
    """A stored setup in one line."""
    try:
        stored = Setup.from_json(setup)
    except ValueError:
        return "a damaged game"
    try:
        title = find(stored.game).title
    except ValueError:  # a game that is no longer registered
        title = stored.game
    players = ["you" if player == PERSON else player_words(stored, player) for player in stored.seats]
    return f"{title}, {stored.variant.replace('_', ' ')}: {' – '.join(players)}"[:MAX_SUMMARY]


def player_words(setup: Setup, player: str) -> str:
    """What people call a player of a stored game; its name, if the game or the variant is not there any more."""
    try:
        return in_words(find(setup.game), setup.variant, player)
    except ValueError:
        return player


def is_turned(setup: str) -> bool:
    """Whether the board of a stored setup is turned for who plays it."""
    try:
        stored = Setup.from_json(setup)
        return sees_turned(find(stored.game), stored.you)
    except ValueError:
        return False


TEMPLATES.filters.update(summary=summary, is_turned=is_turned, signed=signed)


def page(template: str, root: str, status_code: int = 200, **values: Any) -> HTMLResponse:
    """A filled template as a response. ``root``: the path before all addresses (`Settings.root_path`)."""
    return HTMLResponse(TEMPLATES.get_template(template).render(root=root, **values), status_code)


def problem(text: str, root: str, status_code: int, game: str = "") -> HTMLResponse:
    """A page with an error message. ``game``: the id of a stored game that can be deleted and saved there, or empty."""
    return page("problem.html", root, status_code, problem=text, game=game)


def setup_page(
    game: Game, settings: Settings, form: Mapping[str, str], error: str, status_code: int = 200
) -> HTMLResponse:
    """The form for a new game, filled with the values in ``form``. ``error``: a message to show, or empty."""
    variants = {variant.name: variant for variant in game.variants}
    variant = variants.get(form.get("variant", ""), game.variants[0])
    values = game.resolve(variant.name, {})[1]
    opponents, order = grades(game, variant.name)
    by_player = {grade.player: GRADE + grade.name for grade in opponents}
    offered = [*by_player.values(), PERSON]
    chosen = [_player(form, seat, by_player) for seat in range(game.layout(values).seats)]
    return page(
        "setup.html",
        settings.root_path,
        status_code,
        game=game,
        goal=goal(game, values) or game.summary,
        options=[
            _option(game, option, values[option.name], form.get(OPTION + option.name, "")) for option in game.options
        ],
        seats=[
            {
                "field": f"{SEAT}{seat}",
                "name": game.seat_name(seat),
                "chosen": player,
                "other": "" if player in offered else player,
            }
            for seat, player in enumerate(chosen)
        ],
        who=[
            (PERSON, "you", "or a friend here", ""),
            *((GRADE + grade.name, grade.name, grade.note, grade.player) for grade in opponents),
        ],
        order=order,
        players=[PERSON, *(grade.name for grade in opponents[:-1]), *suggestions(game, settings)],
        more_seats=any(option.name == "players" for option in game.options),
        form=form,
        changed=bool(error)
        or any(form.get(name) for name in ("position", "seed"))
        or any(value for name, value in form.items() if name.startswith(OPTION)),
        variant=variant,
        others=form.get(OTHERS) or EASY,
        error=error,
    )


def _player(form: Mapping[str, str], seat: int, by_player: Mapping[str, str]) -> str:
    """Who the form shows in a seat; one of the six opponents by its grade."""
    given = seated(form, seat)
    return by_player.get(given, given) if given else PERSON if seat == 0 else USUAL


def _option(game: Game, option: Option, of_variant: Value, given: str) -> dict[str, Any]:
    """An option for the form: in the game's words, with what the variant says as its default."""
    words = option_words(game, option)
    values = option.values if isinstance(option, Choice) else ("True", "False") if isinstance(option, Flag) else ()
    return {
        "name": option.name,
        "field": OPTION + option.name,
        "label": words.label,
        "values": [(value, value_words(words, value)) for value in values if value != str(of_variant)],
        "default": value_words(words, of_variant),
        "step": "1" if isinstance(option, Count) else "any",
        "value": "" if given == str(of_variant) else given,
        "meaning": option.meaning,
    }


def game_page(session: Session) -> HTMLResponse:
    """The complete page of a game."""
    with session.table.guard:
        game, setup, values = session.table.env.game, session.table.setup, session.table.env.values
        return page(
            "game.html",
            session.root,
            game=game,
            goal=goal(game, values),
            changed=own_words(game, game.resolve(setup.variant, {})[1], setup.values),
            turned=sees_turned(game, setup.you),
            **_shown(session, Choosing(), ""),
        )


def table(session: Session, choosing: Choosing, typed: str) -> HTMLResponse:
    """The part of the page that changes during the game. ``typed``: a move that can't be played."""
    with session.table.guard:
        return page("table.html", session.root, **_shown(session, choosing, typed))


def _shown(session: Session, choosing: Choosing, typed: str) -> dict[str, Any]:
    """The values for ``table.html``."""
    table, env, setup, mine = session.table, session.table.env, session.table.setup, session.table.person_to_act
    shown = choose(env, choosing.chosen) if mine else Choosing()
    seats = [
        {
            "name": env.game.seat_name(seat),
            "player": player,
            "words": "you" if seat == setup.you else player_words(setup, player),
            "acts": not table.over and seat == table.seat,
        }
        for seat, player in enumerate(setup.seats)
    ]
    return {
        "session": session,
        "table": table,
        "seats": seats,
        "mine": mine,
        "picture": Markup(picture(table, shown, mine)),
        "status": table.status,
        "instruction": instruction(env) if mine else "",
        "problem": choosing.problem or table.problem or table.note,
        "buttons": [(words, json.dumps(clicks)) for words, clicks in shown.buttons],
        "as_list": len(shown.buttons) > MANY_BUTTONS,
        "chosen": shown.chosen,
        "thinking": session.thinking,
        "hint": table.hint,
        "typed": typed,
        "position": env.position(),
        "start_here": start_here(table),
        "dice": thrown(env),
        "outcomes": latest_outcomes(table),
        "latest": turn_of_others(table),
        "turns": [ply == 0 or table.moves[ply - 1][1] != seat for ply, (_, seat) in enumerate(table.moves)],
        "again": [(words, again(setup, turned)) for words, turned in AGAIN],
        "speeds": list(DELAYS),
        "valued": len(seats) == 2,
        "form": env.game.notation.MOVE_FORM,
    }


def is_finished(stored: Stored) -> bool:
    """Whether a stored game has ended; a damaged one has."""
    try:
        return bool(json.loads(stored.record)["end"]) or Setup.from_json(stored.setup).resigned >= 0
    except (ValueError, TypeError, KeyError):
        return True


def again(setup: Setup, turned: bool) -> list[tuple[str, str]]:
    """The form's fields for the same game, ``turned`` by one seat."""
    seats = [*setup.seats[turned:], *setup.seats[:turned]]
    options = [(OPTION + name, str(value)) for name, value in setup.values.items()]
    players = [(f"{SEAT}{seat}", player) for seat, player in enumerate(seats)]
    return [("variant", setup.variant), ("position", setup.position), *options, *players]


def how(game: Game, variant: str, root: str) -> HTMLResponse:
    """How a game is played, in a few pictures, and then all rules of the variant in words."""
    values = game.resolve(variant, {})[1]
    return page(
        "how.html",
        root,
        game=game,
        variant=variant,
        goal=goal(game, values) or game.summary,
        texts=[text for text, _ in pictured_lessons(game, variant)],
        clauses=rule_clauses(game, values),
    )


def lesson(game: Game, variant: str, number: int) -> str | None:
    """The picture of a lesson, from 1 up; None if there are fewer."""
    lessons = pictured_lessons(game, variant)
    return lessons[number - 1][1] if 1 <= number <= len(lessons) else None


def start_here(table: Table) -> str:
    """The query string of the form for a new game from the current position, under the same rules."""
    options = {OPTION + name: str(value) for name, value in table.setup.values.items()}
    return urlencode({"variant": table.setup.variant, "position": table.env.position(), **options})


def picture(table: Table, choosing: Choosing, mine: bool) -> str:
    """The board as SVG, with plies and the hint's marks, and areas to click if ``mine``: if a person is to act."""
    env = table.env
    areas = "".join(_area(area, choosing) for area in hit_areas(env)) if mine else ""
    hint = marks(env, table.hint) if table.hint else ""
    svg = env.svg().replace('role="img"', 'role="group"', 1) if areas else env.svg()  # an image holds no buttons
    return svg.replace("</svg>", f'{trail(table)}<g class="areas">{areas}</g>{hint}</svg>')


def _area(area: HitArea, choosing: Choosing) -> str:
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


def records(name: str, root: str, address: str, count: int) -> HTMLResponse:
    """A list of links to the ``count`` games of a file or folder, with `MAX_RECORDS` games on each page."""
    starts = range(1, count + 1, MAX_RECORDS)
    parts = [(first, min(first + MAX_RECORDS - 1, count)) for first in starts]
    return page("records.html", root, name=name, address=address, count=count, parts=parts)


@cache
def _rules(game: Game) -> Markup:
    """A README as HTML. Raw HTML and images in it are disabled."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("image", lambda *arguments: "")
    text = LOCAL_LINK.sub(r"\1", markdown.render(game.readme))
    return Markup(ALIGNED.sub(r' class="\1"', text))


def rules(game: Game, root: str) -> HTMLResponse:
    """A game's rules with their sources."""
    return page("rules.html", root, game=game, text=_rules(game))
