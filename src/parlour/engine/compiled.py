"""The templates of `parlour.engine.kernels` with one game's rules compiled in: ``game.compiled.step.step_rows``."""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, Protocol

from parlour.rulebook.compiler.cache import sources_digest
from parlour.rulebook.compiler.dependencies import source_files
from parlour.rulebook.compiling import SOURCES, make_kernel
from parlour.support.errors import listing

INSTANCES: dict[tuple[str, str, str], ModuleType] = {}
"""Every module made so far, by game package, template, and player or network: code is compiled once."""
_MAKING = RLock()
ENGINE = Path(__file__).parent
TEMPLATES = ENGINE / "kernels"
SHARED = (
    *(
        ENGINE / f"{name}.py"
        for name in (
            "arrays",
            "calls",
            "game_functions",
            "one_game",
            "ply",
            "prefetch",
            "repeats",
            "repetition",
            "rules_table",
            "scoring",
            "search_arrays",
            "solving_arrays",
            "step",
            "throws",
            "value_arrays",
        )
    ),
    ENGINE / "trees",
)
"""What templates use besides one another, as far as games depend on it."""
ROLES = {
    "leaf": {
        "": "potential_leaf",
        "network": "network_leaf",
        "exact": "exact_leaf",
        "exact_network": "exact_network_leaf",
    },
    "outcome": {"": "played_outcome", "network": "network_outcome"},
    "position_value": {"": "network_value", "exact": "table_value"},
    "repeats": {"": "repeats_allowed", "superko": "repeats_forbidden"},
}
"""Names by which templates need others that may be exchanged: the usual one; those by a small network
(`parlour.players.value`), by a table of exact values (`parlour.players.value.exact`) and by both; and for variants that
forbid repetitions."""
VALUES = frozenset({"leaf", "outcome", "position_value"})
ANNOUNCED = ("mcts", "alpha_beta", "max_n", "network_search")
"""Templates that take seconds to compile, so that people are told why they wait; how many depends on the machine."""


class Source(Protocol):
    """What is compiled: the modules of a game, see `parlour.engine.game.Game`."""

    @property
    def package(self) -> str:
        """The game's package"""

    @property
    def name(self) -> str:
        """Its name"""

    @property
    def forbids_repeats(self) -> bool:
        """Whether to compile for variants that forbid repetitions"""

    @property
    def rules(self) -> Any:
        """Its ``rules.py``"""

    @property
    def evaluation(self) -> Any:
        """Its ``evaluation.py`` with all defaults"""

    @property
    def endings(self) -> Any:
        """Its ``endings.py``; ValueError if it has none"""

    @property
    def variant_dtype(self) -> Any:
        """The record of its option values"""

    @property
    def own_players(self) -> Mapping[str, Any]:
        """Players that only this game has: names, and scores"""


class Compiled:
    """A game's compiled modules, one attribute for each template, made when first asked for.

    A template says what it needs by annotations without a value: ``rules``, ``evaluation``, ``endings`` and
    ``variant_dtype`` are the game's own, one of `ROLES` is one of several templates, any other name is another
    template.
    """

    def __init__(self, game: Source, player: str | None = None, by: str = "") -> None:
        """``player``: one of `Game.own_players`, whose kernel takes the place of ``evaluation.greedy_score``.
        ``by``: what values positions for searches, a key of the first two of `ROLES`."""
        self._game, self._player, self._by = game, player, by
        self._superko = "superko" if game.forbids_repeats else ""

    def __getattr__(self, name: str) -> ModuleType:
        """The module of a template, whichever thread asks first. AttributeError if there is no such template."""
        if name not in template_names():
            raise AttributeError(f"there is no template {name!r}; templates: {listing(template_names())}")
        own = [self._player] if self._player else []
        if self._by and not _all_needs(name).isdisjoint(VALUES):
            own.append(self._by)
        if self._superko and "repeats" in _all_needs(name):
            own.append(self._superko)
        key = self._game.package, name, "_".join(own)
        with _MAKING:
            if key not in INSTANCES:
                label = "_".join([self._game.name, *own])
                INSTANCES[key] = instantiate(name, label, self._needed)
            module = vars(self)[name] = INSTANCES[key]
            return module

    def _needed(self, name: str) -> Any:
        if name in ("rules", "variant_dtype", "endings"):
            return getattr(self._game, name)
        if name == "evaluation":
            return self._evaluation()
        if name in ROLES:
            choices = ROLES[name]
            name = choices.get(self._by if name in VALUES else self._superko, choices[""])
        return getattr(self, name)

    def _evaluation(self) -> ModuleType:
        evaluation: ModuleType = self._game.evaluation
        if self._player is None:
            return evaluation
        with_score = ModuleType(f"{evaluation.__name__}_{self._player}")  # Numba reads attributes of modules alone
        vars(with_score).update(vars(evaluation), greedy_score=self._game.own_players[self._player])
        return with_score


def instantiate(template: str, label: str, needed: Callable[[str], Any]) -> ModuleType:
    """The file ``template`` of `parlour.engine.kernels`, run as a module of its own, so that Numba compiles the rules
    of one game right into it.

    Every name that the template annotates at its top level without giving it a value is bound before it runs:
    ``kernel``, ``loop`` and ``inner_loop`` here, all others to ``needed(name)``. A ``loop`` is a kernel that stays a
    function of its own where another kernel calls it: loops over rows that are compiled into one function take half as
    long again. It may allocate arrays, and so counts references to them; an ``inner_loop`` does not.

    Args:
        label: the game, and the player if the module is for one of its own players.
        needed: gives what the template needs.
    """
    path = TEMPLATES / f"{template}.py"
    spec = importlib.util.spec_from_file_location(f"parlour.engine.kernels.{template}_of_{label}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    here = functools.partial(
        make_kernel, label=f"{label}-{template}", compiling=functools.partial(_announce, template, label)
    )
    decorators = {
        "kernel": here,
        "loop": functools.partial(here, inline=False, allocates=True),
        "inner_loop": functools.partial(here, inline=False),
    }
    for need in _needs(template):
        vars(module)[need] = decorators[need] if need in decorators else needed(need)
    sys.modules[spec.name] = module  # Numba looks the module up by its name when it loads kept code
    spec.loader.exec_module(module)
    return module


@functools.cache
def template_names() -> tuple[str, ...]:
    """The templates of `parlour.engine.kernels`, in alphabetical order."""
    return tuple(sorted(path.stem for path in TEMPLATES.glob("[a-z]*.py")))


@functools.cache
def _needs(template: str) -> tuple[str, ...]:
    """The names that a template annotates at its top level without giving them a value."""
    source = (TEMPLATES / f"{template}.py").read_bytes()
    declared = [node for node in ast.parse(source).body if isinstance(node, ast.AnnAssign)]
    return tuple(node.target.id for node in declared if node.value is None and isinstance(node.target, ast.Name))


@functools.cache
def _all_needs(template: str) -> frozenset[str]:
    """The names that a template needs, and those that the templates among them need, with all that may be exchanged."""
    found: set[str] = set()
    left = [template]
    while left:
        for need in _needs(left.pop()):
            if need not in found:
                found.add(need)
                left += ROLES[need].values() if need in ROLES else [need] if need in template_names() else []
    return frozenset(found)


@functools.cache
def _announce(template: str, label: str) -> None:
    """Says on a terminal, once a process, that a template has yet to be compiled for a game."""
    if template in ANNOUNCED and sys.stderr.isatty():
        print(f"parlour: compiling {template} for {label} …", file=sys.stderr)


def game_digest(game: Source) -> str:
    """Sixteen hex digits that differ wherever the sources of a game's play and of its built-in players do: the engine,
    and the files of the game's rules, variants and evaluation with all that these call, in whatever folders."""
    own = [Path(str(import_module(f"{game.package}.{name}").__file__)) for name in ("rules", "variants")]
    called = source_files(value for part in (game.rules, game.evaluation) for value in vars(part).values())
    return sources_digest((*SOURCES, *SHARED, TEMPLATES, *sorted({*called, *own})))
