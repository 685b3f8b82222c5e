"""What a data set is made of: which games are played, by whom, and what of them is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, json, structs

from parlour.arena.runs.playing import seat_player
from parlour.arena.setting.openings import Openings, OpeningsLike, random_text, read_openings
from parlour.arena.setting.rulesets import read_ruleset
from parlour.engine.game import Game
from parlour.engine.player import Player, PlayerLike
from parlour.engine.seeds import check_seed
from parlour.interfaces.game_record import VERSION
from parlour.interfaces.registry import find
from parlour.players.identity import identity_of, is_deterministic, play_pin
from parlour.players.inputs import PLANES, inputs_shape
from parlour.players.names import is_function, name_of
from parlour.players.python import OneAtATime
from parlour.players.value.pins import Pin, fits, pin_of
from parlour.rulebook.options import Value
from parlour.support.arguments import is_number, shown, whole_number
from parlour.support.typed_json import Count, Struct

MAX_GAMES = 10_000_000
GAMES_A_SHARD = 256
"""Games that are played side by side and written together."""
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Shard(Struct, frozen=True):
    """A file of a data set."""

    games: Count
    """Without those that are left out"""
    plies: Count
    sha256: Sha256


class Config(Struct, frozen=True):
    """What stands in ``config.json``."""

    format: Literal[1]
    parlour: str
    """The version that played the games"""
    game: str
    variant: str
    options: dict[str, Value]
    """The value of every option"""
    rules: str
    """A digest of how the game plays: `parlour.players.identity.play_pin`"""
    player: str
    """Empty for recorded games"""
    identity: dict[str, str]
    """What tells the player from others of its name, such as the SHA-256 of its network; of recorded games that of
    their file"""
    noise: Annotated[float, Meta(ge=0, le=1)]
    seed: Annotated[int, Meta(ge=0)]
    openings: str | list[str]
    inputs: str
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)]
    """How many there were, those included that are left out since they are like others"""
    shards: list[Shard]
    """Those that are written, of `GAMES_A_SHARD` games each"""
    sha256: str = ""
    """Of all that, and of the pin"""
    pin: Pin | UnsetType = UNSET
    """Of the rules by which it was played, in whole games: see `parlour.players.value.pins`"""

    def sealed(self) -> Config:
        """The same with its SHA-256."""
        text = json.encode(structs.replace(self, sha256=""))
        return structs.replace(self, sha256=hashlib.sha256(text).hexdigest())

    @property
    def num_shards(self) -> int:
        """Of the whole data set."""
        return -(-self.games // GAMES_A_SHARD)

    def games_of(self, shard: int) -> range:
        """The numbers of the games of a shard."""
        return range(shard * GAMES_A_SHARD, min((shard + 1) * GAMES_A_SHARD, self.games))

    @property
    def found_game(self) -> Game:
        """The game. ValueError if it is not known."""
        return find(self.game)

    def checked(self, where: str) -> Config:
        """The same. ValueError, which begins with ``where``, if it is altered, or if the game, its rules, the variant
        or the inputs are not what they are here."""
        if self.sha256 != self.sealed().sha256:
            raise ValueError(f"{where}: altered or damaged: its SHA-256 is not that of its content")
        try:
            game = self.found_game
            _, values = game.resolve(self.variant, game.overrides_in(self.variant, self.options))
            inputs_shape(self.inputs, game, game.layout(values))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        same = values == self.options and self.game == game.id and self.rules == play_pin(game, values)
        if not same or not fits(where, [self.pin], lambda number: pin_of(game, values)):
            raise ValueError(f"{where}: made under other rules than {game.id} has now; make it again")
        if len(self.shards) > self.num_shards:
            raise ValueError(f"{where}: {len(self.shards)} shards, where {self.games} games have {self.num_shards}")
        return self


@dataclass(frozen=True)
class DatasetPlan:
    """Games to be played."""

    config: Config
    player: PlayerLike
    openings: Openings

    @cached_property
    def game(self) -> Game:
        """Which game it is."""
        return self.config.found_game

    def seated(self) -> Player:
        """The player, anew for each shard, since it keeps what it has searched. ValueError if its file has changed."""
        name, player = self.config.player, self.player
        if is_function(player):
            player = OneAtATime(player)
        custom = {} if isinstance(player, str) else {name: player}
        return seat_player(name, custom, {name: self.config.identity}, self.game)


def config_of(
    game: Game, variant: str, values: Mapping[str, Value], inputs: str, games: int, **others: object
) -> Config:
    """The head of a data set without shards. ValueError for inputs that the game lacks."""
    options = dict(values)
    inputs_shape(inputs, game, game.layout(options))
    usual = {"player": "", "identity": {}, "noise": 0.0, "seed": 0, "openings": random_text(0)}
    return Config(
        format=1, parlour=VERSION, game=game.id, variant=variant, options=options, rules=play_pin(game, options),
        inputs=inputs, games=games, shards=[], pin=pin_of(game, options), **{**usual, **others},  # type: ignore[arg-type]
    )  # fmt: skip


def make_plan(
    game: Game,
    variant: str | None = None,
    values: Mapping[str, object] | None = None,
    player: PlayerLike = "champion",
    games: int = 1000,
    noise: float = 0.05,
    seed: int = 0,
    openings: OpeningsLike = "none",
    inputs: str = PLANES,
) -> DatasetPlan:
    """The plan of `parlour.dataset`, which says what the arguments are. ValueError for any that is not valid."""
    ruleset = read_ruleset(game, variant, values or {})
    if not is_number(noise) or not 0 <= noise <= 1:
        raise ValueError(f"noise must be a number from 0 to 1, the share of random plies, not {shown(noise)}")
    seed = check_seed(seed)
    choice = read_openings(openings, game, [ruleset], [player], seed)
    begun = choice.between(not game.rules.DICE and is_deterministic(player, game), ruleset.label)
    text: str | Sequence[str] = list(begun.positions) or random_text(begun.random_plies)
    config = config_of(
        game, ruleset.variant, ruleset.values, inputs, whole_number("games", games, 1, MAX_GAMES),
        player=name_of(player), identity=identity_of(player, game), noise=float(noise), seed=seed, openings=text,
    )  # fmt: skip
    plan = DatasetPlan(config, player, begun)
    plan.seated()
    return plan
