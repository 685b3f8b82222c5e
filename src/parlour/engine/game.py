"""A game as one object: it gives access to the modules of the game's folder, each imported when first needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from parlour.rulebook.options import Option, ResolveDependent, Value, Variant, fill, resolve, variant_dtype
from parlour.rulebook.protocol import ActionFactors, Layout, RecordForm, Symmetries

if TYPE_CHECKING:
    from parlour.engine.compiled import Compiled

CHAMPION = "champion.value"
"""The name of a file in a game's folder; ``CHAMPION.md`` beside it says how it was trained and how strong it is."""


@dataclass(frozen=True)
class Game:
    """The game in the package ``package``, such as ``parlour.envs.agon``; the folder's layout is in CONTRIBUTING.md."""

    package: str

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies keep only the name: there is one object per game, with its compiled code."""
        return load_game, (self.package,)

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self.package}.{name}")

    @cached_property
    def _root(self) -> ModuleType:
        return import_module(self.package)

    @property
    def name(self) -> str:
        """``agon``"""
        return self.package.rpartition(".")[2]

    @property
    def id(self) -> str:
        """``agon-v0``"""
        return f"{self.name}-v{self._root.VERSION}"

    @property
    def title(self) -> str:
        """The name on the box."""
        return str(self._root.TITLE)

    @property
    def summary(self) -> str:
        """A one-line description."""
        return (self._root.__doc__ or "").strip().splitlines()[0]

    def seat_name(self, seat: int) -> str:
        """The name of the seat in this game, such as Light."""
        names: Sequence[str] = self._root.SEAT_NAMES
        return names[seat] if seat < len(names) else f"Player {seat}"

    @property
    def readme(self) -> str:
        """The game's README: rules, sources, rulings."""
        return (resources.files(self.package) / "README.md").read_text(encoding="utf-8")

    @property
    def champion(self) -> Path | None:
        """The file of its strongest network, if there is one: see `parlour.value.champion`."""
        path = Path(self.rules.__file__).with_name(CHAMPION)
        return path if path.is_file() else None

    @property
    def options(self) -> Sequence[Option]:
        """The options, in the order of the rules."""
        return self._module("variants").OPTIONS

    @property
    def variants(self) -> Sequence[Variant]:
        """The named variants; the first is the default."""
        return self._module("variants").VARIANTS

    @cached_property
    def rules(self) -> Any:
        """`parlour.rulebook.protocol.Rules`"""
        return self._module("rules")

    @cached_property
    def has_symmetries(self) -> bool:
        """Whether it has the optional ``symmetries.py``."""
        return find_spec(f"{self.package}.symmetries") is not None

    def symmetries(self, values: Mapping[str, Value]) -> Symmetries:
        """The symmetries for these option values."""
        return self._module("symmetries").symmetries(values)

    @cached_property
    def has_factors(self) -> bool:
        """Whether it has the optional ``factors.py``."""
        return find_spec(f"{self.package}.factors") is not None

    def factors(self, values: Mapping[str, Value]) -> ActionFactors:
        """How actions split into two choices for these option values. Without ``factors.py`` the first choice alone
        selects the action."""
        if self.has_factors:
            return self._module("factors").factors(values)
        count = self.layout(values).actions
        return ActionFactors(np.arange(count), np.zeros(count, np.int64), np.full(count, -1))

    def first_name(self, move: str) -> str:
        """The part of an action's name that names its first choice (see `factors`); the whole name without
        ``factors.py``."""
        return str(self._module("factors").first_name(move)) if self.has_factors else move

    @cached_property
    def notation(self) -> Any:
        """`parlour.rulebook.protocol.Notation`"""
        return self._module("notation")

    @cached_property
    def drawing(self) -> Any:
        """`parlour.rulebook.protocol.Drawing`"""
        return self._module("drawing")

    @cached_property
    def guide(self) -> Any:
        """`parlour.rulebook.protocol.Guide`: the optional ``guide.py``; `parlour.rulebook.no_guide` has the
        defaults."""
        from parlour.rulebook import no_guide

        merged = ModuleType(f"{self.package}.guide")
        vars(merged).update(vars(no_guide))
        if find_spec(f"{self.package}.guide") is not None:
            vars(merged).update(vars(self._module("guide")))
        return merged

    @cached_property
    def evaluation(self) -> Any:
        """`parlour.rulebook.protocol.Evaluation`: the optional ``evaluation.py``; `parlour.rulebook.no_evaluation` has
        the defaults."""
        from parlour.rulebook import no_evaluation

        merged = ModuleType(f"{self.package}.evaluation")  # Numba reads attributes of modules alone
        vars(merged).update(vars(no_evaluation))
        if find_spec(f"{self.package}.evaluation") is not None:
            vars(merged).update(vars(self._module("evaluation")))
        return merged

    @property
    def has_potential(self) -> bool:
        """Whether the game has a potential: a heuristic value of positions."""
        from parlour.rulebook import no_evaluation

        return self.evaluation.potential is not no_evaluation.potential

    @property
    def own_players(self) -> Mapping[str, Any]:
        """Players that only this game has: each name with the score (a kernel) that the player maximises."""
        return getattr(self.evaluation, "PLAYERS", {})

    @cached_property
    def compiled(self) -> Compiled:
        """The compiled modules of this game, such as ``compiled.step``: see `parlour.engine.compiled.Compiled`."""
        from parlour.engine.compiled import Compiled

        return Compiled(self)

    def compiled_for(self, player: str) -> Compiled:
        """`compiled`, with the score of one of `own_players` in place of `greedy_score`."""
        from parlour.engine.compiled import Compiled

        return Compiled(self, player)

    @cached_property
    def compiled_with_network(self) -> Compiled:
        """`compiled`, with searches that value positions by a small network (`parlour.value`)."""
        from parlour.engine.compiled import Compiled

        return Compiled(self, by_network=True)

    @property
    def digest(self) -> str:
        """Sixteen hex digits: a hash of the sources of its rules and players."""
        from parlour.engine.compiled import game_digest

        return game_digest(self)

    @property
    def record_forms(self) -> Mapping[str, str]:
        """The game's own forms of record: the endings of file names, and the modules that read and write them."""
        return getattr(self._root, "RECORD_FORMS", {})

    def record_form(self, suffix: str) -> RecordForm:
        """One of `record_forms`."""
        return self._module(self.record_forms[suffix])

    def resolve(self, variant: object, overrides: Mapping[str, object]) -> tuple[Variant, dict[str, Value]]:
        """The variant (None: the first) and all option values; ValueError for anything unknown or invalid."""
        resolve_dependent: ResolveDependent = getattr(
            self._module("variants"), "resolve_dependent", lambda values, explicit: None
        )
        return resolve(self.id, self.options, self.variants, resolve_dependent, variant, overrides)

    def overrides_in(self, variant: object, values: Mapping[str, Any]) -> dict[str, Any]:
        """The option values that differ from the variant's own. (Given explicitly, the others could be refused as
        contradictions.) ValueError for an unknown variant."""
        _, usual = self.resolve(variant, {})
        return {name: value for name, value in values.items() if name not in usual or value != usual[name]}

    @cached_property
    def variant_dtype(self) -> np.dtype[Any]:
        """The dtype of the record from which the rules read option values."""
        return variant_dtype(self.options)

    def fill_variant(self, record: Any, values: Mapping[str, Value]) -> None:
        """Writes option values into a variant record."""
        fill(record, self.options, values)

    def layout(self, values: Mapping[str, Value]) -> Layout:
        """The sizes for these option values."""
        return self.rules.layout(values)


@cache
def load_game(package: str) -> Game:
    """The one `Game` of a package."""
    return Game(package)
