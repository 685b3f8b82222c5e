"""Players by name: the texts that ``--players`` and functions accept."""

from __future__ import annotations

from typing import Any, TypeGuard, cast

from parlour.engine.game import Game
from parlour.engine.player import Function, Player, PlayerLike, is_player
from parlour.players.built_in import Greedy, OnePly, Random
from parlour.players.champion import Champion
from parlour.players.checked import CheckedPlayer
from parlour.players.exact import Exact
from parlour.players.inputs import PLANES
from parlour.players.kind import NotInForm, PlayerKind
from parlour.players.network_player import NetworkPlayer
from parlour.players.onnx import OnnxPlayer
from parlour.players.python import PythonPlayer
from parlour.players.search.expectimax import Expectimax
from parlour.players.search.mcts import Mcts
from parlour.players.soft import Soft
from parlour.players.value_players import ValuePlayer
from parlour.players.weaker import Blundering, Weaker
from parlour.support.arguments import shown
from parlour.support.errors import listing, near_miss
from parlour.support.paths import TRUST, Paths, PathsInFile, as_typed

_ALL: tuple[type[PlayerKind], ...] = (
    Random, Greedy, Mcts, Expectimax, OnnxPlayer, NetworkPlayer, ValuePlayer, Champion, Exact, Blundering, Soft,
    PythonPlayer,
)  # fmt: skip
KINDS = {kind.KIND: kind for kind in _ALL}
NAMES = {name: meaning for kind in KINDS.values() for name, meaning in kind.NAMES.items()}
"""Every name as it may be typed, and what it plays: the reference of players' names."""
MAX_COLONS = 50
"""The most colons in a name: names within names without end would exhaust the interpreter's stack."""
PLAYERS = [kind.KIND for kind in KINDS.values() if list(kind.NAMES) == [kind.KIND]]
"""Names that are one word, in every game."""


def parse_player(text: str, game: Game | None = None, paths: Paths = as_typed) -> Player:
    """The player that a text names: of a kind of `KINDS`, or one that only ``game`` has. Paths in the text are opened
    where ``paths`` says. ValueError for any other."""
    if not isinstance(text, str):
        raise ValueError(f"a player's name is a text, not {shown(text)}")
    if text.count(":") > MAX_COLONS:
        raise ValueError(f"there is no player {text!r:.60}…: it has more than {MAX_COLONS} colons")
    of_game = list(game.own_players) if game is not None else []
    if text in of_game:
        return OnePly(text, text)
    name, colon, rest = text.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        near = near_miss(text, [*PLAYERS, *of_game])
        others = [next(iter(each.NAMES)) for each in KINDS.values() if each.KIND not in PLAYERS]
        players = listing([*PLAYERS, *of_game, *others])
        raise ValueError(f"there is no player {text!r}; players: {players}; 'parlour players' lists all forms{near}")
    try:
        if issubclass(kind, Weaker):
            text_of_number, _, other = rest.partition(":")
            number = kind.read_number(text_of_number)
            if not other:
                raise NotInForm("a player is missing")
            return cast(Player, kind(number, parse_player(other, game, paths)))
        return kind.parse(rest if colon else None, game, paths)
    except NotInForm as error:
        valid = ", ".join(f"{name} ({meaning})" for name, meaning in kind.NAMES.items())
        raise ValueError(f"there is no player {text!r} ({error}); valid: {valid}") from None


def player_in_file(name: str, game: Game, paths: PathsInFile) -> str:
    """The name by which `parse_player` finds a player that a file names: the same, but for its paths. ValueError for a
    name that would run code (`is_code`) or open other paths, unless the file is trusted; and as `parse_player`."""
    if is_code(name) and not paths.trusted:
        raise ValueError(f"the player {name!r:.200} is code, which a file of others must not run; {TRUST}")
    opened: dict[str, str] = {}
    player = parse_player(name, game, lambda path: opened.setdefault(path, paths(path)))
    return name if all(path == given for given, path in opened.items()) else player.name


def is_code(name: str) -> bool:
    """Whether finding a player of this name imports a module, also for a player within it. Nothing is imported here."""
    return PythonPlayer.KIND in name.split(":")


def parse_players(text: str, seats: int, game: Game | None = None) -> list[Player]:
    """One player per seat from names with commas; a single name is for all seats. ValueError for another number."""
    players = [parse_player(name, game) for name in text.split(",")]
    if len(players) not in (1, seats):
        raise ValueError(f"{text!r} names {len(players)} players; give one for all seats, or {seats}, one per seat")
    return players * seats if len(players) == 1 else players


def name_of(player: PlayerLike) -> str:
    """What to call a player in results and messages."""
    if isinstance(player, str):
        return player
    return str(getattr(player, "name", getattr(player, "__name__", repr(player))))


def is_function(player: PlayerLike) -> TypeGuard[Function]:
    """Whether a player is a function ``(observation, action_mask) -> actions``."""
    return callable(player) and not hasattr(player, "choose")


def checked_player(player: PlayerLike, name: str, game: Game, inputs: str = PLANES) -> CheckedPlayer:
    """``player`` as a checked player of ``game``, called ``name`` in messages. If it is a function, it sees ``inputs``
    (`parlour.players.inputs`). ValueError if it is not a player."""
    if is_function(player):
        return CheckedPlayer(name, None, player, inputs)
    if isinstance(player, str):
        player = parse_player(player, game)
    if not is_player(player):
        raise ValueError(
            f"{name}: {player!r} is not valid; valid: a player's name, a player, or a function (observation, "
            "action_mask) -> actions"
        )
    return CheckedPlayer(name, player, None)


def innermost(player: Any) -> Any:
    """The player that others weaken: in ``blunder:5:soft:0.1:champion`` the champion; else the player itself."""
    while isinstance(player, Weaker):
        player = player.player
    return player


def limited(player: Player, seconds: float) -> Player:
    """The player, which from now on chooses by what it has found after this time, if it searches for longer; so does a
    player within it."""
    search = innermost(player)
    search = getattr(search, "_player", search)  # a network has a search of its own
    if hasattr(search, "max_seconds"):
        search.max_seconds = seconds
    return player
