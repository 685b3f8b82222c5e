"""Checks of the parts of a game's package: they exist, and fit together."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.protocol import COMMON_ENDS
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject


def check_parts(subject: Subject) -> None:
    """The package has all parts of a game, and its words for ends and events are sound."""
    game = subject.game
    require(isinstance(game.title, str) and game.title, "TITLE must be a text")
    require(game.readme.strip(), "README.md is empty")
    _ = game.rules, game.notation, game.drawing  # ValueError for one that lacks something
    for what, entries in (
        ("ENDS", list(game.rules.ENDS)),
        ("EVENTS", list(game.evaluation.EVENTS)),
    ):
        require_same(f"the number of different names of {what}", len(set(entries)), len(entries))
    require("max_plies" in [option.name for option in game.options], "there is no option max_plies")
    require_same(f"the first {len(COMMON_ENDS)} of ENDS", tuple(game.rules.ENDS[: len(COMMON_ENDS)]), COMMON_ENDS)
    for name in game.evaluation.EVENTS:
        require(name.isidentifier() and name.islower(), f"the event {name!r} is not a word in lower case")


def check_state(subject: Subject) -> None:
    """The state record shows the dice, and `setup` sets all of the game's own fields."""
    rules = subject.game.rules
    names = rules.STATE.names or ()
    if rules.DICE:
        require("dice" in names, "a game with DICE has a field dice in STATE")
        require_same("the shape of the field dice", rules.STATE["dice"].shape, (len(rules.DICE),))
    fresh, used = subject.make(), subject.make()
    subject.watch(fresh, 0)
    fresh.reset(seed=0)
    used.games.states.view(np.uint8, np.ndarray)[:] = 85
    used.reset(seed=0)
    for name in names:
        same = np.array_equal(used.games.states[name], fresh.games.states[name])
        require(same, f"the field {name!r} of a new game depends on the game before: setup() must set it")


def check_layout(subject: Subject) -> None:
    """The sizes and the planes are valid."""
    game = subject.game
    layout = game.layout(game.resolve(subject.variant, {})[1])
    for c, plane in enumerate(layout.planes):
        require(plane.kind == "board" or game.rules.DICE, f"plane {c} shows dice in a game without")
