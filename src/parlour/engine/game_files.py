"""What the files of a game must define, checked where they are first read, so that every command says what is wrong in
one sentence. `parlour.testing` finds what takes playing to find."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature, isbuiltin, signature
from types import FunctionType, ModuleType
from typing import Any

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.options import Amount, Choice, Count, Flag, Option, Variant
from parlour.rulebook.protocol import (
    HEADER,
    MAX_ACTIONS,
    MAX_SEATS,
    Drawing,
    Endings,
    Evaluation,
    Feature,
    Layout,
    Notation,
    Plane,
    RecordForm,
    Rules,
    Variants,
)
from parlour.support.arguments import is_whole, shown
from parlour.support.errors import listing

NEEDED: Mapping[type, Sequence[str]] = {
    Variants: ("OPTIONS", "VARIANTS"),
    Rules: (
        "STATE", "ENDS", "DICE", "layout", "setup", "dice_due", "throw", "apply", "legal", "observe", "position_key",
    ),
    Notation: ("MOVE_FORM", "DICE_TEXT", "move_name", "parse_move", "write", "read", "check"),
    Drawing: ("svg", "ansi"),
    Endings: ("LIMIT", "tiers", "rank", "place"),
    RecordForm: ("write_games", "find_games", "read_games"),
}  # fmt: skip
"""What these files of a game must define."""
TUPLES: Mapping[str, tuple[Any, str]] = {
    "ENDS": (str, "words"), "EVENTS": (str, "words"),
    "OPTIONS": ((Choice, Flag, Count, Amount), "Choice, Flag, Count and Amount"),
    "VARIANTS": (Variant, "Variant, one or more"), "FEATURES": (Feature, "Feature"), "LESSONS": (Lesson, "Lesson"),
}  # fmt: skip
"""What their tuples hold, for Python and in words."""
WITH_KERNELS = (Rules, Evaluation, Endings)
NO_KERNELS = ("layout", "dice_thrown", "tiers", "network_values")
"""Functions of `WITH_KERNELS` that need not be kernels."""
RESERVED = (
    "actions", "autoreset", "copy", "device", "game", "illegal_move", "inputs", "num_envs", "num_games", "opponent",
    "options", "render_mode", "seat", "seed", "threads", "variant", "variant_planes", "weights",
)  # fmt: skip
"""What no option is called: the field ``actions`` of variant records, and arguments of the functions that make
environments of a game, or begin one, to which options are given by name."""
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
    for plane in layout.planes:
        if not isinstance(plane, Plane):
            raise ValueError(f"{game}: layout() gives the plane {shown(plane)}, not a Plane")
        if not (is_whole(plane.low) and is_whole(plane.high) and -128 <= plane.low <= plane.high <= 127):
            limits = f"{shown(plane.low)} to {shown(plane.high)}"
            raise ValueError(f"{game}: plane {shown(plane.meaning)} goes from {limits}; valid: −128 to 127")


def checked(module: ModuleType, protocol: type) -> Any:
    """A file of a game that defines what it must, and whose tuples and functions are as a protocol says. ValueError for
    any other."""
    missing = [name for name in NEEDED.get(protocol, ()) if not hasattr(module, name)]
    if missing:
        raise ValueError(f"{module.__name__} does not define {', '.join(missing)}")
    for name in TUPLES:
        if name in protocol.__annotations__ and hasattr(module, name):
            _require_tuple(module, name)
    for name, method in vars(protocol).items():
        if isinstance(method, FunctionType) and not name.startswith("_") and hasattr(module, name):
            due = list(signature(method).parameters)[1:]
            require_arguments(f"{module.__name__}: {name}", getattr(module, name), due)
    if protocol in WITH_KERNELS:
        _require_kernels(module, protocol)
    return module


def read_variants_file(module: ModuleType) -> Any:
    """A game's ``variants.py``. ValueError for one that is not as `parlour.rulebook.protocol.Variants` says, for a name
    that is no word or means something else already, and for an option or a value that is not valid."""
    checked(module, Variants)
    options = {option.name: option for option in module.OPTIONS}
    for what, entries, taken in (("option", module.OPTIONS, RESERVED), ("variant", module.VARIANTS, ("all",))):
        names = [entry.name for entry in entries]
        for name in names:
            if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9_]*", name):
                valid = "valid: lower-case letters, digits and _, a letter first"
                raise ValueError(f"{module.__name__}: {what} {shown(name)} is not a valid name; {valid}")
            if name in taken:
                raise ValueError(f"{module.__name__}: no {what} can be called {name!r}; reserved: {listing(taken)}")
            if names.count(name) > 1:
                raise ValueError(f"{module.__name__}: {what} {name!r} occurs {names.count(name)} times")
    for option in module.OPTIONS:
        _require_value(f"{module.__name__}: the default of", option, option.default)
    for variant in module.VARIANTS:
        where = f"{module.__name__}: variant {variant.name!r}:"
        for name, value in variant.values.items():
            if name not in options:
                raise ValueError(f"{where} there is no option {shown(name)}; options: {listing([*options])}")
            _require_value(where, options[name], value)
    return module


def _require_value(where: str, option: Option, value: object) -> None:
    """ValueError, which begins with ``where``, for a value that ``option`` does not take."""
    try:
        option.read(value)
    except ValueError as error:
        raise ValueError(f"{where} {error}") from None


def _require_tuple(module: ModuleType, name: str) -> None:
    """ValueError for what is none of `TUPLES`."""
    entries, (kind, words) = getattr(module, name), TUPLES[name]
    if (
        not isinstance(entries, (tuple, list))
        or not all(isinstance(each, kind) for each in entries)
        or (name == "VARIANTS" and not entries)
    ):
        raise ValueError(f"{module.__name__}: {name} is {shown(entries)}; it must be a tuple of {words}")


def require_arguments(where: str, function: Any, due: Sequence[str]) -> None:
    """ValueError, which begins with ``where``, for what can't be called with the arguments ``due``."""
    if isinstance(function, type) or isbuiltin(function):
        return  # of many of these, such as max, Python does not tell the arguments
    given = shown(function)
    try:
        taken = signature(function)
        bare = [each.replace(annotation=Parameter.empty) for each in taken.parameters.values()]
        given = str(taken.replace(parameters=bare, return_annotation=Signature.empty))
        taken.bind(*due)
    except TypeError:
        raise ValueError(f"{where} must be a function of ({', '.join(due)}), not {given}") from None


def _require_kernels(module: ModuleType, protocol: type) -> None:
    """ValueError for functions that lack the decorator ``kernel``."""
    from parlour.rulebook.compiling import COMPILED  # imports the compiler

    names = [name for name in vars(protocol) if name not in NO_KERNELS]
    plain = [name for name in names if isinstance(getattr(module, name, None), FunctionType)]
    if COMPILED and plain:
        raise ValueError(f"{module.__name__}: the decorator @kernel is missing before {listing(plain)}")


def read_rules(module: ModuleType) -> ModuleType:
    """A copy of a game's ``rules.py``, which stays as it is when the author imports that again. ValueError for one that
    is not as `parlour.rulebook.protocol.Rules` says."""
    rules: Any = ModuleType(module.__name__)
    vars(rules).update(vars(checked(module, Rules)))
    from parlour.rulebook.chance import Die  # imports the compiler, which lists of games don't need

    if not isinstance(rules.DICE, (tuple, list)) or not all(isinstance(die, Die) for die in rules.DICE):
        raise ValueError(f"{rules.__name__}: DICE is a tuple of dice, such as (fair(6),) * 2, not {shown(rules.DICE)}")
    if hasattr(rules, "THROW_KEY"):
        require_arguments(f"{rules.__name__}: THROW_KEY", rules.THROW_KEY, ("faces",))
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
