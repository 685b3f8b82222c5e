"""How lucky the throws of a game were, by a judge: for every throw what the position is worth after it, minus the mean
of that over all throws that might have been made.

Whatever the judge thinks of positions, the mean of this luck is exactly 0, since a throw is drawn with the
probabilities that the mean is made with. So a result minus any fixed multiple of it has the same mean as the result,
and a smaller variance if the judge is good (a control variate; Burch, Schmid, Moravčík, Morrill and Bowling, *AIVAT: A
New Variance Reduction Technique for Agent Evaluation in Imperfect Information Games*, AAAI 2018). Throws before the
first ply, and within a random opening, are left out: the games of a pair have them in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from parlour.engine.after_states import CHOICE_POSITIONS, lookahead_arrays, turn_tree
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.kernels.luck import add_luck
from parlour.engine.solving_arrays import PositionValues, unused
from parlour.engine.variant_mix import single
from parlour.interfaces.registry import find
from parlour.players.champion import NAME, champion_plays
from parlour.players.exact import Exact
from parlour.players.names import parse_player
from parlour.players.simulate import Numbers, Observer
from parlour.players.value.evaluator import Evaluator
from parlour.players.value.exact.solution import Solution
from parlour.players.value_players import TWO_TURNS, ValuePlayer
from parlour.rulebook.options import Value

CANDIDATES = 1
"""Of a judge that looks two turns ahead: of how many ends of a turn it looks at the replies."""
JUDGES = f"{NAME}, {NAME}:{TWO_TURNS}, value:FILE, value:FILE:{TWO_TURNS}, exact:FOLDER"
NO_JUDGE = "none"
TABLES = 2
"""Tables of exact values that are kept in memory."""


class Judge:
    """What values positions: a network, one turn ahead or two, or a table of exact values.

    Attributes:
        name: the player that it is.
        identity: what tells it from others of this name: the SHA-256 of its file.
        key: its name among the identities of a run.
        candidates: see `parlour.engine.kernels.luck.write_throw_values`.
        network: None for a table.
    """

    def __init__(self, name: str, game: Game, parsed_as: object = None) -> None:
        """``name``: one of `JUDGES`. ``parsed_as``: the name by which `parse_player` opens its file; None: ``name``.
        ValueError for any other player."""
        player = parse_player(str(parsed_as or name), game)
        turns = player.turns if isinstance(player, ValuePlayer) else None
        if turns is None and not isinstance(player, Exact):
            raise ValueError(f"{name!r} can't judge throws; valid: {JUDGES}")
        self.name, self.key, self.identity = name, judge_key(name), dict(getattr(player, "identity", {}))
        self.candidates = CANDIDATES if turns is not None and turns.ahead else 0
        self.network = None if turns is None else turns.network
        self._folder = player.folder if isinstance(player, Exact) else ""

    def evaluation(self, games: Games) -> PositionValues:
        """What the kernels value positions of ``games`` by. ValueError for a game or variant that it does not know."""
        if self.network is not None:
            if self.candidates and games.layout.seats != 2:
                raise ValueError(f"{self.name}: {TWO_TURNS} is for games between two seats, not for {games.game.id}")
            return PositionValues(Evaluator(self.network, games).refresh())
        solution = _solution(self._folder, games.game.id)
        solution.check_games(games)
        return PositionValues(table=solution.search_values)


def judge_key(name: str) -> str:
    """See `Judge`."""
    return f"judge {name}"


def find_judge(
    game: Game, variants: Iterable[Mapping[str, Value]], wanted: str | None, parsed_as: object = None
) -> Judge | None:
    """The judge of games under ``variants``, each given by the values of its options.

    ``wanted``: one of `JUDGES`; `NO_JUDGE`; or None for the champion, if the game has dice, two seats and a champion
    that knows the variants. ``parsed_as``: see `Judge`. ValueError for a judge of a game without dice, one that does
    not know the variants, and any other name.
    """
    values = list(variants)
    usual = game.rules.DICE and game.layout(values[0]).seats == 2 and champion_plays(game, values)
    if wanted == NO_JUDGE or (wanted is None and not usual):
        return None
    if not game.rules.DICE:
        raise ValueError(f"{game.id} is played without dice, so there is no luck to judge; leave the judge out")
    judge = Judge(wanted or NAME, game, parsed_as)
    for each in values:
        judge.evaluation(Games(game, single(game, each), 1))
    return judge


@lru_cache(TABLES)
def _solution(folder: str, game: str) -> Solution:
    return Solution.load(folder, find(game))


class LuckRecorder(Observer):
    """Adds up the luck of each seat in the throws of every game while it is played."""

    def __init__(self, judge: Judge, random_plies: Sequence[int]) -> None:
        """``random_plies``: for each game, of how many plies at its start the throws don't count."""
        self.judge, self._random_plies = judge, np.array(random_plies, np.int64)
        self._games: Games | None = None
        self._row_of: dict[int, int] = {}

    def begin(self, games: Games, row_ids: Numbers, game_numbers: Numbers) -> None:
        """See `parlour.players.simulate.Observer`. ValueError for a game or variant that the judge does not know."""
        if self._games is not games:
            self._games = games
            self._evaluation = self.judge.evaluation(games)
            replies = CHOICE_POSITIONS if self.judge.candidates else 2
            self._trees = turn_tree(games, CHOICE_POSITIONS), turn_tree(games, replies)
            self._words = np.zeros_like(games.words[0])
            self._luck, self._opening = np.zeros(games.rewards.shape), np.zeros(games.num_games, np.int64)
        self._row_of.update(zip(game_numbers.tolist(), row_ids.tolist()))
        self._luck[row_ids], self._opening[row_ids] = 0, self._random_plies[game_numbers]

    def before_step(self, games: Games, row_ids: Numbers, game_numbers: Numbers, actions: Numbers) -> None:
        """See `parlour.players.simulate.Observer`."""
        judged = row_ids[self._opening[row_ids] <= 0]
        self._opening[row_ids] -= 1
        add_luck(
            games.functions_for(add_luck, without=unused(self.judge.network is not None, self.judge.network is None)),
            judged, actions, self.judge.candidates, lookahead_arrays(games), games.dice_rng, games.forced_dice,
            *self._trees, games.player_rng, self._words, self._evaluation, self._luck,
        )  # fmt: skip

    def luck_of(self, game: int) -> NDArray[np.float64]:
        """The luck of each seat (P,) in a game that has just ended, in rewards; of two seats half of the difference."""
        return self._luck[self._row_of[game]].copy()
