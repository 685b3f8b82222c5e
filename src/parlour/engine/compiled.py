"""The templates of `parlour.engine.kernels` with one game's rules compiled in: ``game.compiled.step.step_rows``."""

from __future__ import annotations

from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from parlour.errors import listing
from parlour.rulebook.compiling import instantiate, template_names

if TYPE_CHECKING:
    from parlour.engine.game import Game

INSTANCES: dict[tuple[str, str, str], ModuleType] = {}
"""Every module made so far, by game package, template and player: one of each, so that code is compiled once."""
_MAKING = RLock()


class Compiled:
    """A game's compiled modules, one attribute for each template, made when first asked for.

    A template says what it needs by annotations without a value: ``rules`` and ``evaluation`` are the game's modules,
    any other name is another template.
    """

    def __init__(self, game: Game, player: str | None = None) -> None:
        """``player``: one of `Game.own_players`, whose kernel takes the place of ``evaluation.greedy_score``."""
        self._game, self._player = game, player

    def __getattr__(self, name: str) -> ModuleType:
        """The module of a template, whichever thread asks first. AttributeError if there is no such template."""
        if name not in template_names():
            raise AttributeError(f"there is no template {name!r}; templates: {listing(template_names())}")
        key = self._game.package, name, self._player or ""
        with _MAKING:
            if key not in INSTANCES:
                label = f"{self._game.name}_{self._player}" if self._player else self._game.name
                INSTANCES[key] = instantiate(name, label, self._game.rules, self._needed)
            module = vars(self)[name] = INSTANCES[key]
            return module

    def _needed(self, name: str) -> Any:
        if name == "rules":
            return self._game.rules
        return self._evaluation() if name == "evaluation" else getattr(self, name)

    def _evaluation(self) -> ModuleType:
        evaluation: ModuleType = self._game.evaluation
        if self._player is None:
            return evaluation
        judge = ModuleType(f"{evaluation.__name__}_{self._player}")  # Numba reads attributes of modules alone
        vars(judge).update(vars(evaluation), greedy_score=self._game.own_players[self._player])
        return judge
