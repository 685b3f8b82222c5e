"""Checks of the parts of a game's package: they exist, and fit together."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.protocol import COMMON_ENDS, COMMON_FIELDS
from parlour.testing.comparing import require, require_same
from parlour.testing.subject import Subject

KERNELS = ("setup", "dice_due", "throw", "apply", "legal", "observe", "position_key")
NOTATION = ("MOVE_FORM", "DICE_TEXT", "move_name", "parse_move", "write", "read", "check")
DRAWING = ("svg", "ansi")


def check_parts(subject: Subject) -> None:
    """The package has all parts of a game, and names are unique."""
    game = subject.game
    require(isinstance(game.title, str) and game.title, "TITLE must be a text")
    require(game.readme.strip(), "README.md is empty")
    for module, names in ((game.rules, KERNELS), (game.notation, NOTATION), (game.drawing, DRAWING)):
        missing = [name for name in names if not hasattr(module, name)]
        require(not missing, f"{module.__name__} does not define {', '.join(missing)}")
    for what, entries in (
        ("options", [option.name for option in game.options]),
        ("variants", [variant.name for variant in game.variants]),
        ("ENDS", list(game.rules.ENDS)),
        ("EVENTS", list(game.evaluation.EVENTS)),
    ):
        require_same(f"the number of different names of {what}", len(set(entries)), len(entries))
    require(game.variants, "there is no variant")
    require("max_plies" in [option.name for option in game.options], "there is no option max_plies")
    require_same(f"the first {len(COMMON_ENDS)} of ENDS", tuple(game.rules.ENDS[: len(COMMON_ENDS)]), COMMON_ENDS)
    for name in game.evaluation.EVENTS:
        require(name.isidentifier() and name.islower(), f"the event {name!r} is not a word in lower case")


def check_state(subject: Subject) -> None:
    """The state record is made by `state_dtype`, and `setup` sets all of the game's own fields."""
    rules = subject.game.rules
    names = rules.STATE.names or ()
    missing = [name for name, *_ in COMMON_FIELDS if name not in names]
    require(not missing, f"STATE lacks {', '.join(missing)}: make it with protocol.state_dtype")
    require_same("the size of STATE modulo 8", rules.STATE.itemsize % 8, 0)
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
    """Numbers of seats and actions, the shape of observations and the ranges of planes are valid."""
    game = subject.game
    layout = game.layout(game.resolve(subject.variant, {})[1])
    require(layout.seats >= 2, f"a game has two seats or more, not {layout.seats}")
    require(layout.actions >= 1, f"a game has an action or more, not {layout.actions}")
    require(layout.planes and min(layout.shape) > 0, f"observations of the shape {layout.shape} are empty")
    for c, plane in enumerate(layout.planes):
        fits = -128 <= plane.low <= plane.high <= 127
        require(fits, f"plane {c} ({plane.meaning!r}) goes from {plane.low} to {plane.high}; int8 holds −128 to 127")
        require(plane.kind == "board" or game.rules.DICE, f"plane {c} shows dice in a game without")
