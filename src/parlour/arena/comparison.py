"""The comparison of a game's variants: which games it plays, and the variants' samples made of them.

Each variant plays two series: ``even``, one player in all seats, a seed for each game; and ``skill``, a weaker player
against a stronger one, two games a seed with the seats exchanged. No two series or variants share a seed, so samples of
different variants are independent.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from typing import Any

from parlour.arena.fixtures import Fixture, Played, pair_series
from parlour.arena.measures import EVEN, SKILL, Pair, Sample
from parlour.engine.game import Game
from parlour.errors import listing
from parlour.players import parse_player
from parlour.registry import find
from parlour.rulebook.chance import row_seeds
from parlour.strict_json import JsonValue

KIND = "compare"
EDITION = ("kind", "parlour", "rules")
"""Entries of a config file that are not the user's to choose."""
MIN_GAMES, MAX_GAMES = 4, 1_000_000
"""Of a series: two pairs at least, since one unit tells nothing of how much units vary."""


@dataclass(frozen=True)
class Comparison:
    """All that a comparison follows from: what its ``config.json`` holds.

    Attributes:
        game: the game's id.
        variants: names of the variants.
        options: options on top of each of them.
        player: who sits in all seats of the series ``even``.
        weaker, stronger: who play the series ``skill``.
        games: how many each series has, an even number.
        seed: what all chance comes from.
    """

    game: str
    variants: tuple[str, ...]
    options: Mapping[str, Any]
    player: str
    weaker: str
    stronger: str
    games: int
    seed: int

    def check(self) -> None:
        """ValueError, which names the entry, for anything that can't be played."""
        game = find(self.game)
        if not self.variants or len(set(self.variants)) < len(self.variants):
            raise ValueError(f"variants {listing(self.variants)} are not valid; name one or more, each once")
        seats = {variant: self.seats(game, variant) for variant in self.variants}
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

    def seats(self, game: Game, variant: str) -> int:
        """P under a variant. ValueError for a variant or an option that the game does not have."""
        return game.layout(game.resolve(variant, self.options)[1]).seats

    def fixtures(self) -> list[Fixture]:
        """All games, variant by variant, those of ``even`` before those of ``skill``."""
        game, plan = find(self.game), list[Fixture]()
        for variant in self.variants:
            seats = self.seats(game, variant)
            seeds = row_seeds(self._seed_of(variant, EVEN), self.games).tolist()
            plan += [
                Fixture(len(plan) + g, EVEN, variant, (self.player,) * seats, seed) for g, seed in enumerate(seeds)
            ]
            seed = self._seed_of(variant, SKILL)
            plan += pair_series(SKILL, variant, self.weaker, self.stronger, seats, self.games, seed, len(plan))
        return plan

    def _seed_of(self, variant: str, series: str) -> int:
        """By name, so that a variant's games are the same whichever others are played."""
        return self.seed << 32 | zlib.crc32(f"{variant} {series}".encode())

    def samples(self, fixtures: Sequence[Fixture], played: Sequence[Played]) -> dict[str, Sample]:
        """Each variant's sampling units, from all games in the order of the fixtures."""
        games: dict[tuple[str, str], list[int]] = {}
        for k, fixture in enumerate(fixtures):
            games.setdefault((fixture.variant, fixture.series), []).append(k)
        return {
            variant: Sample(
                [played[k] for k in games[variant, EVEN]],
                [
                    Pair((played[k], played[m]), (fixtures[k], fixtures[m]))
                    for k, m in zip(games[variant, SKILL][::2], games[variant, SKILL][1::2])
                ],
            )
            for variant in self.variants
        }

    def as_config(self) -> dict[str, Any]:
        """As JSON holds it, with the edition of Parlour and of the rules that its games follow from."""
        entries = {**asdict(self), "variants": list(self.variants)}
        return {"kind": KIND, **entries, "parlour": version("parlour"), "rules": find(self.game).digest}


def read_comparison(config: JsonValue) -> Comparison:
    """The comparison in a config file, checked; its edition is not looked at. ValueError that names file and place, and
    says what is valid."""
    kind = config.members().get("kind", config)
    if kind.value != KIND:
        raise kind.misfit(f"{KIND!r}, the kind of a plan of a comparison")
    entries = config.entries((*EDITION, *(field.name for field in fields(Comparison))))
    comparison = Comparison(
        game=entries["game"].text(),
        variants=tuple(variant.text() for variant in entries["variants"].elements()),
        options={name: option.value for name, option in entries["options"].members().items()},
        player=entries["player"].text(),
        weaker=entries["weaker"].text(),
        stronger=entries["stronger"].text(),
        games=entries["games"].whole(MIN_GAMES, MAX_GAMES),
        seed=entries["seed"].whole(0),
    )
    try:
        comparison.check()
    except ValueError as error:
        raise config.error(str(error)) from None
    return comparison
