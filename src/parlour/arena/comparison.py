"""The comparison of a game's variants: which games it plays, and the variants' samples made of them.

Each variant plays two series: ``even``, one player in all seats, a seed for each game; and ``skill``, a weaker player
against a stronger one, two games a seed with the seats exchanged. No two series or variants share a seed, so samples of
different variants are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from importlib.metadata import version
from typing import Any

from parlour.arena.fixtures import Plan, Played, Series
from parlour.arena.measures import Pair, Sample
from parlour.arena.openings import AUTO, OpeningChoice, read_openings
from parlour.arena.rulesets import Ruleset, read_rulesets
from parlour.arena.tally import counted_units
from parlour.players import parse_player
from parlour.players.identity import identity_of, is_deterministic
from parlour.registry import find
from parlour.strict_json import JsonValue

KIND = "compare"
EDITION = ("kind", "parlour", "rules", "identities")
"""Entries of a config file that follow from what is installed."""
MIN_GAMES, MAX_GAMES = 4, 1_000_000
"""Of a series: two pairs at least, since one sampling unit tells nothing about the variance."""


@dataclass(frozen=True)
class Comparison:
    """All that a comparison follows from: what its ``config.json`` holds.

    Attributes:
        game: the game's id.
        variants: the variants, as `parlour.arena.rulesets` reads them.
        options: options on top of each of them.
        player: the player in all seats of the series ``even``.
        weaker, stronger: the players of the series ``skill``.
        games: how many games each series has, an even number.
        seed: the random seed.
        openings: how games begin: see `parlour.arena.openings`.
    """

    game: str
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    player: str
    weaker: str
    stronger: str
    games: int
    seed: int
    openings: str | tuple[str, ...] = AUTO

    def check(self) -> None:
        """ValueError, which names the entry, for anything that can't be played."""
        game = find(self.game)
        seats = {ruleset.label: ruleset.seats for ruleset in self.rulesets}
        if min(seats.values()) != max(seats.values()):
            raise ValueError(f"variants with different numbers of seats can't be compared: {seats}")
        if self.seed < 0:
            raise ValueError(f"seed must be a whole number from 0 up, not {self.seed}")
        for name in (self.player, self.weaker, self.stronger):
            parse_player(name, game)
        if self.weaker == self.stronger:
            raise ValueError(f"the two players whose skill is compared are both {self.weaker!r}; give different ones")
        if not MIN_GAMES <= self.games <= MAX_GAMES or self.games % 2:
            raise ValueError(
                f"games must be an even number from {MIN_GAMES} to {MAX_GAMES}, as they are played in pairs, not "
                f"{self.games}"
            )
        _ = self.opening_choice

    @cached_property
    def rulesets(self) -> list[Ruleset]:
        """The variants. ValueError for an unknown variant or option, or a variant that is named twice."""
        return read_rulesets(find(self.game), self.variants, self.options)

    @cached_property
    def opening_choice(self) -> OpeningChoice:
        """The openings. ValueError for what is not valid."""
        return read_openings(self.openings, find(self.game), self.rulesets)

    def plan(self) -> Plan:
        """All games, variant by variant, those of ``even`` before those of ``skill``."""
        game, players = find(self.game), (self.player, self.weaker, self.stronger)
        fixed = {name: not game.rules.DICE and is_deterministic(name, game) for name in players}
        series = [
            Series(ruleset, first, second, self.games, self.seed, self.opening_choice.between(both), both)
            for ruleset in self.rulesets
            for first, second in ((self.player, self.player), (self.weaker, self.stronger))
            for both in [fixed[first] and fixed[second]]
        ]
        config = self.as_config()
        return Plan(game, tuple(series), {}, config["identities"], config)

    def samples(self, played: Iterable[Played]) -> tuple[dict[str, Sample], list[str]]:
        """The sampling units of each variant, from all games of the plan in any order; and sentences on the games that
        are not counted (see `parlour.arena.tally`)."""
        plan = self.plan()
        games: dict[str, list[Played]] = {series.key: [] for series in plan.series}
        for one in sorted(played, key=lambda found: found.fixture.index):
            games[one.fixture.series].append(one)
        samples, said = {}, []
        for ruleset, even, skill in zip(self.rulesets, plan.series[::2], plan.series[1::2]):
            singles, about_singles = counted_units(even, games[even.key])
            pairs, about_pairs = counted_units(skill, games[skill.key])
            if not singles or not pairs:
                raise ValueError(f"{ruleset.label}: all games ended within their random opening; ask for fewer plies")
            samples[ruleset.label] = Sample([unit[0] for unit in singles], [Pair((a, b)) for a, b in pairs])
            said += [f"{even.key}: {note}." for note in about_singles]
            said += [f"{skill.key}: {note}." for note in about_pairs]
        return samples, said

    def as_config(self) -> dict[str, Any]:
        """As JSON holds it, with the edition of Parlour, of the rules and of the players' files."""
        game = find(self.game)
        identities = {name: identity_of(name, game) for name in (self.player, self.weaker, self.stronger)}
        return {
            "kind": KIND,
            **asdict(self),
            "variants": list(self.variants),
            "openings": self.opening_choice.as_config(),
            "identities": {name: identity for name, identity in identities.items() if identity},
            "parlour": version("parlour"),
            "rules": game.digest,
        }


def read_comparison(config: JsonValue) -> Comparison:
    """The comparison in a config file, checked; its edition is not looked at. ValueError that names file and place, and
    says what is valid."""
    kind = config.members().get("kind", config)
    if kind.value != KIND:
        raise kind.misfit(f"{KIND!r}, the kind of a plan of a comparison")
    entries = config.entries((*EDITION, *(field.name for field in fields(Comparison))))
    openings: Any = entries["openings"].value
    if not isinstance(openings, str):
        openings = tuple(text.text() for text in entries["openings"].elements())
    comparison = Comparison(
        game=entries["game"].text(),
        variants=tuple(variant.text() for variant in entries["variants"].elements()),
        options={name: option.value for name, option in entries["options"].members().items()},
        player=entries["player"].text(),
        weaker=entries["weaker"].text(),
        stronger=entries["stronger"].text(),
        games=entries["games"].whole(MIN_GAMES, MAX_GAMES),
        seed=entries["seed"].whole(0),
        openings=openings,
    )
    entries["identities"].members()
    try:
        comparison.check()
    except (ValueError, OSError) as error:
        raise config.error(str(error)) from None
    return comparison
