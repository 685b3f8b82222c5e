"""The plan of an atlas, as its file ``atlas.toml`` has it."""

from __future__ import annotations

import json
from glob import escape, glob
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from parlour.arena.setting.plans import MAX_GAMES, MIN_GAMES, prefix_errors
from parlour.arena.setting.rulesets import read_toml
from parlour.arena.study.plans import WITHOUT_CHAMPION
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.players.champion import NAME, champion_plays
from parlour.players.exact import VARIANT
from parlour.players.names import player_in_file
from parlour.players.value.exact.tables import INFO
from parlour.players.value_players import TWO_TURNS, ValuePlayer
from parlour.rulebook.options import Value
from parlour.support.errors import listing
from parlour.support.paths import PathsInFile
from parlour.support.typed_json import Struct

PLAN = "atlas.toml"
VALUE = ValuePlayer.KIND
SECOND = "second"
"""What the second network is called."""
DEPTHS, QUICK_DEPTHS = (2, 4), (1, 2)
QUICK_SIZES = {"games": 8, "openings": 8, "positions": 24, "fitted": 8, "doublings": 2}
Some = Annotated[int, Meta(ge=MIN_GAMES, le=MAX_GAMES)]


class AtlasPlan(Struct, frozen=True, kw_only=True):
    """Everything that determines an atlas.

    Attributes:
        game: an id.
        variants: the variants, by name, or as tables of options with the variant under ``variant``, and a ``name``.
        players: who plays all seats: by their names on the page, names that `parlour.players.parse_player` reads.
        games: of each variant and player; even.
        softened: the names of those players whose policies are measured, and who play the openings; they value single
            actions, as networks one turn deep do, and searches to a depth in games without dice.
        openings: sampled for each variant and each softened player.
        plies: of such an opening; even, so that the seat that usually begins acts first after it.
        positions: shared by variants that begin alike, on which policies are compared.
        fitted: the number of games in which a temperature is tried; even.
        elo_lost: a player is softened at the highest temperature at which it loses no more than this to itself.
        trace: a player whose simulations are doubled, such as ``mcts:10``.
        doublings: how often they are doubled; 0 for no trace.
        examined: the player that values positions while single rules are changed.
        seed: the random seed.
        exact: the folder of a table of `parlour.solve`; ``{variant}`` in it stands for the variant's name. Empty for
            none.
    """

    game: str
    variants: list[str | dict[str, Value]]
    players: dict[str, str]
    softened: list[str] = msgspec.field(default_factory=list)
    games: Some = 40
    openings: Some = 60
    plies: Annotated[int, Meta(ge=2, le=100, multiple_of=2)] = 10
    positions: Some = 200
    fitted: Some = 60
    elo_lost: Annotated[float, Meta(ge=0, le=800)] = 30.0
    trace: str = "mcts:10"
    doublings: Annotated[int, Meta(ge=0, le=20)] = 4
    examined: str = "expectimax:3"
    seed: Annotated[int, Meta(ge=0)] = 1
    exact: str = ""

    def __post_init__(self) -> None:
        unknown = [name for name in self.softened if name not in self.players]
        if unknown:
            raise ValueError(f"softened: {unknown[0]!r} is none of the players, {listing(list(self.players))}")

    def toml(self, folder: Path) -> str:
        """As the content of a TOML file in a folder; `read_plan` reads it back. Networks in the folder are named
        without it, so that the folder can be moved."""
        entries = {name: getattr(self, name) for name in self.__struct_fields__ if name != "players"}
        entries |= {name: without_folder(entries[name], folder) for name in ("trace", "examined", "exact")}
        lines = [f"{name} = {_toml(value)}" for name, value in entries.items()]
        players = [
            f"{json.dumps(name)} = {json.dumps(without_folder(text, folder))}" for name, text in self.players.items()
        ]
        return "\n".join([*lines, "", "[players]", *players, ""])


def without_folder(player: str, folder: Path) -> str:
    """The name of a player or of a file, without ``folder`` before the files in it."""
    return f":{player}".replace(f":{folder}/", ":")[1:]


def _toml(value: object) -> str:
    """A value as TOML, which is JSON but for tables."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(name)} = {_toml(own)}' for name, own in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def read_plan(file: Path, trusted: bool = False) -> AtlasPlan:
    """The plan in a file, with paths relative to the file resolved. ``trusted``: see `PathsInFile`. ValueError, which
    names the file and the entry, for any other content; OSError if it can't be read."""
    plan, paths = plan_in(file), PathsInFile(file, trusted)
    with prefix_errors(str(file)):
        game = find(plan.game)
        players = {name: player_in_file(text, game, paths) for name, text in plan.players.items()}
        examined = player_in_file(plan.examined, game, paths)
        trace = player_in_file(plan.trace, game, paths) if plan.doublings else plan.trace
        exact = paths(plan.exact) if plan.exact else ""
        if exact and not glob(f"{escape(exact).replace(VARIANT, '*')}/{INFO}"):
            raise ValueError(f"exact: there is no table {exact}")
    return msgspec.structs.replace(plan, players=players, examined=examined, trace=trace, exact=exact)


def plan_in(file: Path) -> AtlasPlan:
    """The plan in a file, with paths as they are written there. Errors as in `read_plan`."""
    try:
        return msgspec.convert(read_toml(file), AtlasPlan)
    except msgspec.ValidationError as error:
        raise ValueError(f"{file}: {error}") from None


def default_plan(game: Game, second: str | None, quick: bool, seed: int, exact: str = "") -> AtlasPlan:
    """The plan of ``parlour atlas GAME`` without a file. ``second``: the file of a second network."""
    depths = QUICK_DEPTHS if quick else DEPTHS
    players = default_players(game, second, depths)
    softened = [name for name in players if name in (NAME, SECOND) or name.endswith(f":{depths[0]}")]
    plan = AtlasPlan(
        game=game.id, variants=[one.name for one in game.variants], players=players, softened=softened, seed=seed,
        exact=exact,
    )  # fmt: skip
    return msgspec.structs.replace(plan, **QUICK_SIZES) if quick else plan


def default_players(game: Game, second: str | None, depths: tuple[int, ...]) -> dict[str, str]:
    """The champion and a second network, at two depths each; in games with dice one turn deep and two. Without a
    champion for all variants: a small tree search and ``greedy``."""
    if not champion_plays(game, [game.resolve(one.name, {})[1] for one in game.variants]):
        return {name: name for name in (WITHOUT_CHAMPION, "greedy")}
    networks = {NAME: NAME} | ({SECOND: f"value:{second}"} if second else {})
    if game.layout(game.resolve(None, {})[1]).seats != 2:
        return networks
    ends = ["", f":{TWO_TURNS}"] if game.rules.DICE else [f":{depth}" for depth in depths]
    return {f"{name}{end}": f"{text}{end}" for name, text in networks.items() for end in ends}


def networks_of(plan: AtlasPlan) -> dict[str, list[str]]:
    """The different networks that play, each with the names of its players: those that differ in their budgets."""
    names_of: dict[str, list[str]] = {}
    for name, text in plan.players.items():
        parts = text.split(":")
        if parts[0] in (NAME, VALUE):
            names_of.setdefault(":".join(parts[: 1 + (parts[0] == VALUE)]), []).append(name)
    return names_of
