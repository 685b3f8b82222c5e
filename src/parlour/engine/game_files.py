"""What the files of a game must define, checked where they are first read, so that every command says what is wrong in
one sentence. `parlour.testing` finds what takes playing to find."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any

from parlour.rulebook.protocol import HEADER, MAX_ACTIONS, MAX_SEATS, Layout, Rules
from parlour.support.arguments import is_whole, shown
from parlour.support.errors import listing

KERNELS = (
    "setup", "dice_due", "throw", "apply", "legal", "observe", "position_key", "seat_of_turn", "is_out", "moves",
    "draw_legal",
)  # fmt: skip
"""The functions of ``rules.py`` that are compiled."""
RULES = ("STATE", "ENDS", "DICE", "layout", *KERNELS[:7])
NOTATION = ("MOVE_FORM", "DICE_TEXT", "move_name", "parse_move", "write", "read", "check")
DRAWING = ("svg", "ansi")
"""What these files of a game must define."""
MAX_LENGTH = 32_767
"""The most rows, columns and planes of an observation."""


def check_layout(game: str, layout: object) -> None:
    """ValueError for what ``layout`` of a game's rules gives, if it is no Layout or has sizes that no game can have.
    ``game``: its id."""
    if not isinstance(layout, Layout):
        raise ValueError(f"{game}: layout() gives {shown(layout)}, not a Layout")
    for name, size, low, high in (
        ("seats", layout.seats, 2, MAX_SEATS), ("actions", layout.actions, 1, MAX_ACTIONS),
        ("rows", layout.height, 1, MAX_LENGTH), ("columns", layout.width, 1, MAX_LENGTH),
        ("planes", len(layout.planes), 1, MAX_LENGTH),
    ):  # fmt: skip
        if not is_whole(size) or not low <= size <= high:
            raise ValueError(f"{game} has {shown(size)} {name}; a game has at most {high}, and at least {low}")


def checked(module: ModuleType, protocol: type, needed: Sequence[str] = ()) -> ModuleType:
    """A file of a game that defines what is ``needed``, and whose functions take the arguments of a protocol.
    ValueError for any other."""
    missing = [name for name in needed if not hasattr(module, name)]
    if missing:
        raise ValueError(f"{module.__name__} does not define {', '.join(missing)}")
    for name, function in vars(protocol).items():
        if isinstance(function, FunctionType) and not name.startswith("_") and hasattr(module, name):
            arguments = list(signature(function).parameters)[1:]
            try:
                signature(getattr(module, name)).bind(*arguments)
            except TypeError:
                due = f"{name}({', '.join(arguments)})"
                raise ValueError(f"{module.__name__}: {name} must take the arguments of {due}") from None
    return module


def read_rules(module: ModuleType) -> ModuleType:
    """A copy of a game's ``rules.py``, which stays as it is when the author imports that again. ValueError for one
    written for version 0.2.0, where ``DICE`` was a number; for functions that are missing, that are no kernels, or that
    take other arguments than `parlour.rulebook.protocol.Rules` says; and for a ``STATE`` not made by `state_dtype`."""
    rules: Any = ModuleType(module.__name__)
    vars(rules).update(vars(checked(module, Rules, RULES)))
    if isinstance(rules.DICE, int):
        raise ValueError(f"{rules.__name__}: DICE is a tuple of dice, such as (fair(6),) * 2, not {rules.DICE}")
    _require_kernels(rules)
    _require_state(rules)
    return rules


def _require_state(rules: ModuleType) -> None:
    """ValueError for a record of states that the engine can't read."""
    state: Any = rules.STATE
    fields = getattr(state, "fields", None) or {}
    missing = [name for name in HEADER.names if fields.get(name, ())[:2] != HEADER.fields[name][:2]]
    if missing or state.itemsize % 8:
        lacks = f" lacks {', '.join(missing)}" if missing else "'s size is no multiple of 8"
        raise ValueError(f"{rules.__name__}: STATE{lacks}: make it with protocol.state_dtype")
    for name, (dtype, *_) in fields.items():
        if dtype.base.kind not in "biuf":
            raise ValueError(f"{rules.__name__}: the field {name!r} of STATE holds {dtype.base}; valid: numbers")


def _require_kernels(rules: ModuleType) -> None:
    """ValueError for functions that lack the decorator ``kernel``."""
    from parlour.rulebook.compiling import COMPILED  # imports the compiler, which lists of games don't need

    plain = [name for name in KERNELS if isinstance(getattr(rules, name, None), FunctionType)]
    if COMPILED and plain:
        raise ValueError(f"{rules.__name__}: the decorator @kernel is missing before {listing(plain)}")
