"""The player ``champion``: the strongest value network of a game, which comes with the package.

It is the file ``champion.value`` in the game's folder, in the format of `parlour.players.value.files`. ``CHAMPION.md``
beside it says how it was trained and how strong it is. A file that was trained under other rules is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from parlour.engine.game import CHAMPION, Game
from parlour.engine.variant_mix import Entry
from parlour.players.kind import Budget, NotInForm, PlayerKind, read_budget
from parlour.players.value.files import load
from parlour.players.value_players import EXACT, TWO_TURNS, ValuePlayer, split_table
from parlour.rulebook.options import Value
from parlour.support.errors import listing
from parlour.support.paths import Paths

NAME = "champion"
DEPTH = 4


class Champion(PlayerKind):
    """The kind of player ``champion``: see `parlour.players.kind.PlayerKind`."""

    KIND, NAMES = NAME, {
        NAME: "the network that comes with the game: one turn deep with dice or other than two seats, else four plies",
        f"{NAME}:{TWO_TURNS}": "the same two turns deep",
        f"{NAME}:6": "the same six plies deep",
        f"{NAME}:0.1s": "the same for 0.1 seconds a ply",
        f"{NAME}:0.1s:exact:FOLDER": "the same, which looks positions up in a table of parlour solve",
    }  # fmt: skip

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> ValuePlayer:
        """The player ``champion``, or ``champion:text``. ValueError for a game without a champion, or if the game is
        not known; and as `ValuePlayer` raises it."""
        if game is None:
            raise ValueError(f"{NAME!r} plays one particular game, which must be given")
        if game.champion is None:
            raise ValueError(
                f"{game.id} has no champion; {how_to_make(game)}; or play its file as value:FILE; {_others()}"
            )
        text, table = split_table(text, paths)
        name = ":".join([NAME, *([text] if text is not None else [])]) + (f"{EXACT}{table}" if table else "")
        ahead = text == TWO_TURNS
        budget = Budget(usual_depth(game)) if text is None else Budget() if ahead else read_budget(text)
        try:
            return ValuePlayer(str(game.champion), budget.count, budget.seconds, game, name, ahead, table)
        except NotInForm:
            raise
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


def usual_depth(game: Game) -> int | None:
    """How many plies deep a value network plays a game well and quickly; None: one turn deep."""
    return None if game.rules.DICE or game.layout(game.resolve(None, {})[1]).seats != 2 else DEPTH


def how_to_make(game: Game, file: object = None) -> str:
    """How a network becomes the champion of a game: which file to copy, and where. ``file``: the network's file; None
    for the one that ``parlour train`` writes."""
    trained = f"the file that 'parlour train {game.name}' writes" if file is None else str(file)
    return f"to make a network its champion, copy {trained} to {game.folder / CHAMPION}"


def champion_plays(game: Game, variants: Iterable[Mapping[str, Value]]) -> bool:
    """Whether the game has a champion that plays all of ``variants``, each given by the values of its options. A
    champion for rules that the game no longer has plays none."""
    if game.champion is None:
        return False
    try:
        load(game.champion, game).variant_heads([Entry("", "", dict(values)) for values in variants], game)
    except ValueError:
        return False
    return True


def _others() -> str:
    from parlour.interfaces.registry import find, games

    return f"games that have one: {listing([name for name in games() if find(name).champion is not None])}"
