"""A check of what people at the board use: areas to click, moves to type, a guide."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.moves import named_actions, read_move
from parlour.players.people.board import clicks, hit_areas, instruction, legal_actions, why_not
from parlour.players.people.choosing import choose
from parlour.players.people.option_words import words_of
from parlour.players.people.rule_texts import lessons
from parlour.rulebook.clauses import OPTION, conditions
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject

EVERY, PLIES, TRIED = 6, 40, 12


def check_people(subject: Subject) -> None:
    """People can choose every legal action by clicks and by typing its name; areas are within the picture; the guide
    has a text for every position and for every action that is not legal, and its lessons can be played; the README's
    clauses and words of options are of options that there are."""
    _check_clauses(subject.game)
    words_of(subject.game)
    _check_lessons(subject.game)
    for ply, env in enumerate(subject.play(0, plies=PLIES)):
        if ply % EVERY == 0 and not env.is_over():
            _check_areas(env)
            rng = np.random.default_rng(ply)
            actions = legal_actions(env)
            for action in rng.choice(actions, min(TRIED, len(actions)), replace=False).tolist():
                _check_choice(env, action)
            named = list(named_actions(env.games, 0))
            for action in named:  # a click on any place must be answered, also where nothing can be played
                places = clicks(env, action, [])
                require(all(isinstance(place, str) for place in places), "guide.clicks() must give names")
            for action in rng.choice(named, min(TRIED, len(named)), replace=False).tolist():
                require(isinstance(why_not(env, action), str), "guide.why_not() must give a text")
            require(instruction(env), "guide.instruction() gives an empty text")


def _check_clauses(game: Game) -> None:
    """Every clause of the README names options and values of the game, in its condition and in its text."""
    options = {option.name: option for option in game.options}
    goal, rules = game.clauses
    for clause in (*goal, *rules):
        named = conditions(clause.when)
        for name in (*named, *OPTION.findall(clause.text)):
            require(name in options, f"README: a clause names the option {name!r}, which the game does not have")
        for name, wanted in named.items():
            for value in wanted:
                read = str(options[name].read(options[name].parse(value)))
                require_same(f"README: a value of {name!r} in the condition of a clause", value, read)


def _check_lessons(game: Game) -> None:
    """Under every variant the lessons that hold can be played, and their texts filled in."""
    for variant in game.variants:
        try:
            lessons(game, variant.name)
        except (KeyError, ValueError) as error:
            raise AssertionError(f"guide: a lesson of {variant.name} can't be shown: {error}") from error


def _check_areas(env: GameEnv) -> None:
    """Names are unique, areas are within the picture, and pieces are elements of it."""
    areas, root = hit_areas(env), ElementTree.fromstring(env.svg())
    require_same("the number of different names of areas", len({area.name for area in areas}), len(areas))
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    ids = {element.attrib.get("id") for element in root.iter()}
    for area in areas:
        right, down = area.width / 2, area.height / 2
        inside = right <= area.x <= width - right and down <= area.y <= height - down
        require(inside and right > 0 and down > 0, f"the area {area.name!r} is not within the picture")
        require(area.label, f"the area {area.name!r} has no label")
        require(not area.piece or area.piece in ids, f"the picture has no element with the id {area.piece!r}")


def _check_choice(env: GameEnv, action: int) -> None:
    """A legal action can be chosen by its clicks, if need be with a button after them, and by its name."""
    name, areas = env.move_name(action), [area.name for area in hit_areas(env)]
    clicked = clicks(env, action, areas)
    choosing = choose(env, clicked)
    chosen = [choosing.action, *(choose(env, button).action for _, button in choosing.buttons)]
    require(action in chosen, f"the clicks {clicked} do not choose {name!r}")
    require_same(f"what {name.upper()!r} means when typed", read_move(env.games, 0, name.upper()).actions, (action,))
