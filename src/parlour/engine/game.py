"""A game as one object: it gives access to the modules of the game's folder, each imported when first needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from parlour.engine.game_files import check_layout, checked, read_rules, read_variants_file, require_arguments
from parlour.rulebook.clauses import Clause, read_clauses
from parlour.rulebook.options import Option, Value, Variant, fill, resolve, variant_dtype
from parlour.rulebook.protocol import (
    Drawing,
    Endings,
    Evaluation,
    Guide,
    Layout,
    Notation,
    RecordForm,
    Symmetries,
    TurnNotation,
)

if TYPE_CHECKING:
    from parlour.rulebook.chance import Faces

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
        try:
            return import_module(f"{self.package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{self.package}.{name}":  # a module that the game's own code imports
                raise
            raise ValueError(f"{self.package} has no {name}.py, which its game needs") from None

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
    def folder(self) -> Path:
        """Where its files are."""
        return Path(str(self._root.__file__)).parent

    @property
    def title(self) -> str:
        """The name as people write it, such as Acey Ducey."""
        return str(self._root.TITLE)

    @property
    def summary(self) -> str:
        """A one-line description; the title for a package without a docstring (``python -OO`` takes them all away)."""
        return (self._root.__doc__ or "").strip().partition("\n")[0] or self.title

    def seat_name(self, seat: int) -> str:
        """The name of the seat in this game, such as Light."""
        names: Sequence[str] = self._root.SEAT_NAMES
        return names[seat] if seat < len(names) else f"Player {seat}"

    @property
    def readme(self) -> str:
        """The game's README: rules, sources, rulings. ValueError for a game without, and for one that is not UTF-8."""
        file = resources.files(self.package) / "README.md"
        try:
            return file.read_text(encoding="utf-8")
        except FileNotFoundError:
            advice = "to install it with a game, see CONTRIBUTING.md, 'A game as a distribution'"
            raise ValueError(f"{self.package} has no README.md, which its game needs ({advice})") from None
        except UnicodeDecodeError as error:
            raise ValueError(f"{file}: save it as UTF-8: {error}") from None

    @cached_property
    def clauses(self) -> tuple[Sequence[Clause], Sequence[Clause]]:
        """The rules in words, from the README: the clauses of the goal, and all others. ValueError for a table that is
        not as `parlour.rulebook.clauses` says."""
        return read_clauses(self.readme)

    @property
    def champion(self) -> Path | None:
        """The file of its strongest network, if there is one: see `parlour.players.champion`."""
        path = self.folder / CHAMPION
        return path if path.is_file() else None

    @cached_property
    def _variants(self) -> Any:
        """`parlour.rulebook.protocol.Variants`"""
        return read_variants_file(self._module("variants"))

    @property
    def options(self) -> Sequence[Option]:
        """The options, in the order of the rules."""
        options: Sequence[Option] = self._variants.OPTIONS
        return options

    @property
    def variants(self) -> Sequence[Variant]:
        """The named variants; the first is the default."""
        variants: Sequence[Variant] = self._variants.VARIANTS
        return variants

    @cached_property
    def rules(self) -> Any:
        """`parlour.rulebook.protocol.Rules`, as they were when first used: what is compiled fits these records, also
        after an author has reloaded the module. ValueError as in `parlour.engine.game_files`."""
        return read_rules(self._module("rules"))

    @property
    def is_reloaded(self) -> bool:
        """Whether the module of its rules was imported again after its rules were used."""
        return "rules" in vars(self) and self._module("rules").STATE is not self.rules.STATE

    @cached_property
    def has_symmetries(self) -> bool:
        """Whether it has the optional ``symmetries.py``."""
        return find_spec(f"{self.package}.symmetries") is not None

    def symmetries(self, values: Mapping[str, Value]) -> Symmetries:
        """The symmetries for these option values."""
        made: Any = getattr(self._module("symmetries"), "symmetries", None)
        require_arguments(f"{self.package}.symmetries: symmetries", made, ("values",))
        symmetries: Symmetries = made(values)
        return symmetries

    @cached_property
    def notation(self) -> Any:
        """`parlour.rulebook.protocol.Notation`"""
        return checked(checked(self._module("notation"), Notation), TurnNotation)

    @cached_property
    def drawing(self) -> Any:
        """`parlour.rulebook.protocol.Drawing`"""
        return checked(self._module("drawing"), Drawing)

    @cached_property
    def guide(self) -> Any:
        """`parlour.rulebook.protocol.Guide`: ``guide.py`` with the defaults of `parlour.rulebook.no_guide`. ValueError
        for one written for version 0.3.0, which had the rules in words there."""
        from parlour.rulebook import no_guide

        merged = ModuleType(f"{self.package}.guide")
        vars(merged).update(vars(no_guide))
        if find_spec(f"{self.package}.guide") is not None:
            vars(merged).update(vars(checked(self._module("guide"), Guide)))
        if {"GOAL", "RULES", "OPTIONS"} & vars(merged).keys():
            raise ValueError(
                f"{merged.__name__}: GOAL, RULES and OPTIONS stand in README.md now, as tables: see "
                "parlour.rulebook.clauses"
            )
        return merged

    @cached_property
    def evaluation(self) -> Any:
        """`parlour.rulebook.protocol.Evaluation`: ``evaluation.py`` with the defaults of `no_evaluation`."""
        from parlour.rulebook import no_evaluation

        merged = ModuleType(f"{self.package}.evaluation")  # Numba reads attributes of modules alone
        has_own = find_spec(f"{self.package}.evaluation") is not None
        vars(merged).update(no_evaluation.with_defaults(vars(self._module("evaluation")) if has_own else {}))
        for name, score in getattr(merged, "PLAYERS", {}).items():
            require_arguments(f"{merged.__name__}: PLAYERS[{name!r}]", score, ("before", "after", "variant", "seat"))
        return checked(merged, Evaluation)

    @property
    def has_potential(self) -> bool:
        """Whether the game has a potential: a heuristic value of positions."""
        from parlour.rulebook import no_evaluation

        return self.evaluation.potential is not no_evaluation.potential

    @property
    def own_players(self) -> Mapping[str, Any]:
        """Players that only this game has: each name with the score (a kernel) that the player maximises."""
        return getattr(self.evaluation, "PLAYERS", {})

    @property
    def functions(self) -> ModuleType:
        """The game's kernels with all defaults, and what the engine adds to them, as one module:
        `parlour.engine.game_functions.GameFunctions`, and ``close_ply``."""
        from parlour.engine.inlined import inlined

        return inlined(self)

    @property
    def compiled(self) -> Any:
        """Gone since the engine is compiled once for all games. AttributeError."""
        raise AttributeError("Game.compiled is gone: Game.functions has close_ply, which was compiled.ply.close_ply")

    @property
    def digest(self) -> str:
        """Sixteen hex digits: a hash of the sources of its rules and players."""
        from parlour.engine.sources import game_digest

        return game_digest(self.package, self.rules, self.evaluation)

    @cached_property
    def has_endings(self) -> bool:
        """Whether it has the optional ``endings.py``."""
        return find_spec(f"{self.package}.endings") is not None

    @cached_property
    def endings(self) -> Any:
        """`parlour.rulebook.protocol.Endings`; ValueError for a game without ``endings.py``."""
        if not self.has_endings:
            raise ValueError(f"{self.id} can't be solved: it has no endings.py, which numbers its positions")
        return checked(self._module("endings"), Endings)

    def unrated(self, values: Mapping[str, Value]) -> str:
        """Why ratings mean nothing under these option values, as ``variants.unrated`` says; empty where they do."""
        return str(getattr(self._variants, "unrated", lambda values: "")(values))

    @property
    def record_forms(self) -> Mapping[str, str]:
        """The game's own forms of record: the endings of file names, and the modules that read and write them."""
        return getattr(self._root, "RECORD_FORMS", {})

    def record_form(self, suffix: str) -> RecordForm:
        """One of `record_forms`."""
        form: RecordForm = checked(self._module(self.record_forms[suffix]), RecordForm)
        return form

    def resolve(self, variant: object, overrides: Mapping[str, object]) -> tuple[Variant, dict[str, Value]]:
        """The variant (None: the first) and all option values; ValueError for anything unknown or invalid."""
        resolve_dependent = getattr(self._variants, "resolve_dependent", lambda values, explicit: None)
        return resolve(self.id, self.options, self.variants, resolve_dependent, variant, overrides)

    def overrides_in(self, variant: object, values: Mapping[str, Any]) -> dict[str, Any]:
        """The fewest overrides by which ``variant`` gets all of ``values``. Values that it has anyway are left out,
        since some could be refused as contradictions. ValueError for an unknown variant, and for values that are not
        valid."""
        overrides: dict[str, Any] = {}
        for _ in range(2):  # the first overrides may change defaults
            _, usual = self.resolve(variant, overrides)
            overrides |= {name: value for name, value in values.items() if name not in usual or value != usual[name]}
        return overrides

    def nearest_variant(self, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The named variant that needs the fewest overrides to get all of ``values``, and these overrides. ValueError
        for values that are not valid."""
        candidates: list[tuple[str, dict[str, Any]]] = []
        for variant in self.variants:
            with suppress(ValueError):
                candidates.append((variant.name, self.overrides_in(variant.name, values)))
        if not candidates:
            self.resolve(None, values)  # raises the error that names the value
        return min(candidates, key=lambda candidate: len(candidate[1]))

    @cached_property
    def variant_dtype(self) -> np.dtype[Any]:
        """The dtype of the record from which the rules read option values."""
        return variant_dtype(self.options)

    def fill_variant(self, record: Any, values: Mapping[str, Value]) -> None:
        """Writes option values, and what follows from them, into a variant record."""
        fill(record, self.options, values)
        record["actions"] = self.layout(values).actions

    def dice_thrown(self, variant: Any) -> int:
        """How many dice a throw of the game proper has under the options of a variant record."""
        from parlour.rulebook.compiling import plain
        from parlour.rulebook.state_records import readable

        if not hasattr(self.rules, "dice_thrown"):
            return len(self.rules.DICE)
        return int(plain(self.rules.dice_thrown)(variant.view(readable(variant.dtype))))  # once: not worth compiling

    def outcomes(self, dice: int) -> list[tuple[Faces, float]]:
        """The distinct outcomes of a throw of the first ``dice`` dice, each with its probability."""
        from parlour.rulebook.chance import multiset, outcomes

        return outcomes(self.rules.DICE[:dice], getattr(self.rules, "THROW_KEY", multiset))

    def layout(self, values: Mapping[str, Value]) -> Layout:
        """The sizes for these option values. ValueError for sizes that no game can have."""
        layout: Layout = self.rules.layout(values)
        check_layout(self.id, layout)
        return layout


@cache
def load_game(package: str) -> Game:
    """The `Game` of a package: always the same object."""
    return Game(package)
