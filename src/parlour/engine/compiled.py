"""The templates of `parlour.engine.kernels` with one game's rules compiled in: ``game.compiled.step.step_rows``."""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from parlour.compiler.cache import sources_digest
from parlour.errors import listing
from parlour.rulebook.compiling import SOURCES, make_kernel

if TYPE_CHECKING:
    from parlour.engine.game import Game

INSTANCES: dict[tuple[str, str, str], ModuleType] = {}
"""Every module made so far, by game package, template, and player or network where there is one: one of
each, so that code is compiled once."""
_MAKING = RLock()
ENGINE = Path(__file__).parent
TEMPLATES = ENGINE / "kernels"
SHARED = (
    ENGINE / "arrays.py",
    ENGINE / "one_game.py",
    ENGINE / "prefetch.py",
    ENGINE / "repetition.py",
    ENGINE / "search_arrays.py",
    ENGINE / "spin.py",
    ENGINE / "trees",
    ENGINE / "value_arrays.py",
)
"""What templates use besides one another."""
ROLES = {"leaf": ("potential_leaf", "network_leaf"), "outcome": ("played_outcome", "network_outcome")}
"""Names by which templates need others that may be exchanged: the usual one, and the one by a small network."""
USUAL_SECONDS = {
    "step": "2 to 7",
    "mcts": "3 to 7",
    "alpha_beta": "5 to 15",
    "max_n": "3 to 7",
    "network_search": "3 to 7",
}
"""How long it usually takes to compile what is called of a template; any other takes less."""


class Compiled:
    """A game's compiled modules, one attribute for each template, made when first asked for.

    A template says what it needs by annotations without a value: ``rules``, ``evaluation`` and ``variant_dtype`` are
    the game's own, one of `ROLES` is what values positions for a search, any other name is another template.
    """

    def __init__(self, game: Game, player: str | None = None, by_network: bool = False) -> None:
        """``player``: one of `Game.own_players`, whose kernel takes the place of ``evaluation.greedy_score``.
        ``by_network``: whether a small network (`parlour.value`) values positions for searches."""
        self._game, self._player, self._by_network = game, player, by_network

    def __getattr__(self, name: str) -> ModuleType:
        """The module of a template, whichever thread asks first. AttributeError if there is no such template."""
        if name not in template_names():
            raise AttributeError(f"there is no template {name!r}; templates: {listing(template_names())}")
        own = [self._player] if self._player else []
        if self._by_network and not _all_needs(name).isdisjoint(ROLES):
            own.append("network")
        key = self._game.package, name, "_".join(own)
        with _MAKING:
            if key not in INSTANCES:
                label = "_".join([self._game.name, *own])
                INSTANCES[key] = instantiate(name, label, game_sources(self._game), self._needed)
            module = vars(self)[name] = INSTANCES[key]
            return module

    def _needed(self, name: str) -> Any:
        if name in ("rules", "variant_dtype"):
            return getattr(self._game, name)
        if name == "evaluation":
            return self._evaluation()
        return getattr(self, ROLES[name][self._by_network] if name in ROLES else name)

    def _evaluation(self) -> ModuleType:
        evaluation: ModuleType = self._game.evaluation
        if self._player is None:
            return evaluation
        with_score = ModuleType(f"{evaluation.__name__}_{self._player}")  # Numba reads attributes of modules alone
        vars(with_score).update(vars(evaluation), greedy_score=self._game.own_players[self._player])
        return with_score


def instantiate(template: str, label: str, sources: tuple[Path, ...], needed: Callable[[str], Any]) -> ModuleType:
    """The file ``template`` of `parlour.engine.kernels`, run as a module of its own, so that Numba compiles the rules
    of one game right into it.

    Every name that the template annotates at its top level without giving it a value is bound before it runs:
    ``kernel`` and ``loop`` here, all others to ``needed(name)``. A ``loop`` is a kernel that stays a function of its
    own where another kernel calls it: loops over rows that are compiled into one function take half as long again.

    Args:
        template: one of `template_names`.
        label: the game, and the player if the module is for one of its own players.
        sources: what machine code depends on besides the templates.
        needed: gives what the template needs.
    """
    path = TEMPLATES / f"{template}.py"
    spec = importlib.util.spec_from_file_location(f"parlour.engine.kernels.{template}_of_{label}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    here = functools.partial(
        make_kernel, label=f"{label}-{template}", sources=(*SHARED, *sorted(_with_needs(template)), *sources),
        compiling=functools.partial(_announce, template, label),
    )  # fmt: skip
    decorators = {"kernel": here, "loop": functools.partial(here, inline=False)}
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
                left += ROLES.get(need, (need,) if need in template_names() else ())
    return frozenset(found)


def _with_needs(template: str) -> set[Path]:
    """The file of a template, and those of all templates that it needs."""
    needs = _all_needs(template)
    names = {template, *needs, *(name for need in needs for name in ROLES.get(need, ()))}
    return {TEMPLATES / f"{name}.py" for name in names if name in template_names()}


@functools.cache
def _announce(template: str, label: str) -> None:
    """Says on a terminal, once a process, that a template has yet to be compiled for a game."""
    if template in USUAL_SECONDS and sys.stderr.isatty():
        print(
            f"parlour: compiling {template} for {label}, usually {USUAL_SECONDS[template]} seconds …", file=sys.stderr
        )


def game_sources(game: Game) -> tuple[Path, ...]:
    """The folder that a game's rules and evaluation come from."""
    return (Path(game.rules.__file__).parent,)


def game_digest(game: Game) -> str:
    """Sixteen hex digits that differ wherever the sources of a game's play and of its built-in players do."""
    return sources_digest((*SOURCES, *SHARED, TEMPLATES, *game_sources(game)))
