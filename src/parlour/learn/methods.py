"""Methods of learning: which one suits a game, and with which settings.

Games with dice, or with a number of seats other than two, are learnt by TD(λ) over whole turns. Games between two seats
without dice are learnt by generations with alpha-beta search, which looks ahead further than one turn; except for long
games. There a result says little about a position far before it, and TD(λ) learns from the values in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parlour.engine.game import Game
from parlour.engine.variant_mix import VariantMix, read_variants
from parlour.learn.against import SELF, row_limit
from parlour.learn.generations import Generations
from parlour.learn.method import Method
from parlour.learn.settings import GenerationsSettings, SelfPlaySettings, TDLambdaSettings
from parlour.learn.td_lambda import TDLambda
from parlour.players import Player
from parlour.players.built_in import Random
from parlour.players.search.expectimax import Expectimax
from parlour.players.simulate import Results, play_games
from parlour.players.value.network import MAX_HIDDEN, ValueNetwork, new_network
from parlour.players.value_players import TurnPlayer
from parlour.rulebook.chance import row_seeds
from parlour.support.arguments import one_of
from parlour.support.jobs import SHARES, RunJobs, run_here

TD, GENERATIONS = "td", "generations"
METHODS = (TD, GENERATIONS)
HIDDEN = {TD: 80, GENERATIONS: 64}
"""Hidden units of a new network."""
HIDDEN_RANGE = 1, MAX_HIDDEN
"""The fewest and the most hidden units."""
WITHOUT_DICE = TDLambdaSettings(temperature=0.1, openings=8)
"""The settings of TD(λ) for games without dice. Without temperature all games would be the same."""
FOR_STAKES = TDLambdaSettings(lambda_=0.5, learning_rate=3e-4, decay_positions=1e7)
"""The settings of TD(λ) for games between two seats that pay more than 1, such as Backgammon with gammons. Returns vary
more there; with larger steps most hidden units would be off in all positions, and learn no more."""
SCALE_ROOM = 1.5
"""The scale of values, as a multiple of the highest sum of rewards in random games."""
RANDOM_GAMES = 200
"""The number of random games per variant from which the size of rewards and the number of actions are estimated."""
LONG = 150
"""The mean number of plies of random games from which TD(λ) is the default (``docs/learning_tried.md``):
generations play better in the games of 71 and 132 plies, TD(λ) in those of 196 (in one variant) and 377 (in all)."""
LEAVES, DEPTHS = 400, (2, 4)
"""About how many positions a search of self-play would look at without pruning; its smallest and largest depth."""
LENGTH_ROOM, BELOW_LIMIT = 2.0, 0.9
"""See `length_for`."""
ROWS_AGAINST = 64
"""Games side by side of TD(λ) against fixed players."""
OPENINGS_AGAINST = 2
"""The highest number of the learner's own random turns at the beginning of such a game. Without dice the temperature is
also twice the usual one, since a fixed player brings no variety."""
STEPS_AGAINST = 3.0
"""The learning rate against fixed players alone, as a multiple of the usual one. They always play alike, so there
is less to forget, and moves that are seldom played are valued rightly sooner (``docs/learning_tried.md``). Not with
`FOR_STAKES`, since hidden units would be off."""
DEPTH = 2
"""The search depth with which the strength of a network of generations is measured."""


def methods_for(game: Game, seats: int) -> tuple[str, ...]:
    """The methods that can learn a game between ``seats`` seats."""
    return (GENERATIONS, TD) if seats == 2 and not game.rules.DICE else (TD,)


@dataclass(frozen=True)
class Preparation:
    """What is to be learnt, and random games of it.

    Attributes:
        variants: names of variants, which one network learns.
        overrides: option values that replace those of the variants.
        played: the results of `RANDOM_GAMES` games of random play, for each variant.
    """

    game: Game
    variants: tuple[str, ...]
    overrides: Mapping[str, Any]
    variant_mix: VariantMix
    played: tuple[Results, ...]


def prepare(game: Game, variants: Sequence[str], overrides: Mapping[str, Any]) -> Preparation:
    """Plays random games in the variants. ValueError for invalid arguments, such as variants of different sizes."""
    variant_mix = read_variants(game, list(variants), overrides)
    return Preparation(game, tuple(variants), overrides, variant_mix, random_games(variant_mix))


def choose_method(prepared: Preparation, method: str | None = None) -> str:
    """``method``, or the default for the variants. ValueError for a method that can't learn the game."""
    game = prepared.game
    valid = methods_for(game, prepared.variant_mix.layout.seats)
    if method is not None:
        one_of("method", method, METHODS)
        if method not in valid:
            raise ValueError(f"generations learn games between two seats without dice, not {game.id}; valid: td")
        return method
    return GENERATIONS if GENERATIONS in valid and mean_plies(prepared.played) < LONG else TD


def first_network(prepared: Preparation, method: str, hidden: int | None, seed: int) -> ValueNetwork:
    """A network with random weights. ``hidden``: its hidden units; None: the default of the method."""
    units = HIDDEN[method] if hidden is None else hidden
    scale = value_scale(prepared.played)
    outputs = 3 if method == TD and prepared.variant_mix.layout.seats == 2 and scale > 1 else 1
    return new_network(prepared.game, list(prepared.variants), units, scale, seed, prepared.overrides, outputs)


def new_method(
    prepared: Preparation, method: str, network: ValueNetwork, learnt: int, seed: int, threads: int,
    run: RunJobs = run_here, against: Sequence[str] = (),
) -> Method:  # fmt: skip
    """A new learner by one of `METHODS`, which begins with ``network``. All else is as in `parlour.learn.TDLambda`."""
    if method == TD:
        return TDLambda(network, td_settings(network, against), seed, threads, run, learnt, against)
    played = prepared.played
    self_play = SelfPlaySettings(depth=depth_for(played), max_plies=length_for(played, prepared.variant_mix))
    self_play = replace(self_play, games=row_limit(against, prepared.game, self_play.games))
    return Generations(network, GenerationsSettings(self_play=self_play), seed, threads, run, learnt, against)


def td_settings(network: ValueNetwork, against: Sequence[str] = ()) -> TDLambdaSettings:
    """The settings of TD(λ) for a network's game. Against fixed players more games are played side by side, since
    asking a player for many actions at once is faster."""
    if against:
        usual, rows = td_settings(network), row_limit(against, network.game, ROWS_AGAINST)
        larger = STEPS_AGAINST if SELF not in against and usual is not FOR_STAKES else 1.0
        return replace(
            usual, rows=rows, openings=OPENINGS_AGAINST, temperature=2 * usual.temperature,
            learning_rate=larger * usual.learning_rate,
        )  # fmt: skip
    if not network.game.rules.DICE:
        return WITHOUT_DICE
    return FOR_STAKES if network.seats == 2 and network.scale > 1 else TDLambdaSettings()


def compile_for(method: Method) -> None:
    """Compiles the kernels of a method: learns from a few positions, and discards the result."""
    settings: Any = TDLambdaSettings(positions=16 * method.network.seats)
    if isinstance(method, Generations):
        settings = GenerationsSettings(positions=SHARES, self_play=SelfPlaySettings(depth=1, games=1))
    learner: Any = type(method)
    learner(method.network, settings, learnt=0, against=method.against).round()


def random_games(variant_mix: VariantMix) -> tuple[Results, ...]:
    """`RANDOM_GAMES` games of random play in each variant."""
    players: list[Player] = [Random()] * variant_mix.layout.seats
    seeds = row_seeds(0, RANDOM_GAMES).tolist()
    return tuple(play_games(variant_mix.game, entry.values, players, seeds) for entry in variant_mix.entries)


def value_scale(played: Sequence[Results]) -> float:
    """The scale of values. It is 1 if all returns in the random games ``played`` are from −1 to 1, else `SCALE_ROOM`
    times the highest. With two seats, half of the difference between their returns counts."""
    highest = 0.0
    for results in played:
        returns = (
            0.5 * (results.returns[:, :1] - results.returns[:, 1:])
            if results.returns.shape[1] == 2
            else results.returns
        )
        highest = max(highest, float(np.abs(returns).max(initial=0)))
    return 1.0 if highest <= 1 else SCALE_ROOM * highest


def depth_for(played: Sequence[Results]) -> int:
    """The search depth of self-play: the more legal actions in the random games ``played``, the smaller."""
    branching = sum(results.choices.sum() for results in played) / sum(results.plies.sum() for results in played)
    return int(np.clip(np.rint(np.log(LEAVES) / np.log(max(branching, 2.0))), *DEPTHS))


def mean_plies(played: Sequence[Results]) -> float:
    """The mean number of plies of the random games ``played``, where each variant counts the same."""
    return float(np.mean([results.plies.mean() for results in played]))


def length_for(played: Sequence[Results], variant_mix: VariantMix) -> int:
    """After how many plies a game of self-play is truncated: `LENGTH_ROOM` times the mean length of the random games
    ``played``, but at most `BELOW_LIMIT` times the lowest `max_plies`. Near `max_plies` a search would see the
    truncation, and give all positions the value of a draw."""
    plies = LENGTH_ROOM * mean_plies(played)
    limits = [int(entry.values.get("max_plies", 0)) for entry in variant_mix.entries]
    return round(min([plies, *(BELOW_LIMIT * limit for limit in limits if limit)]))


def player_of(method: Method) -> Player:
    """The player whose strength is measured during the run."""
    if isinstance(method, Generations):
        return Expectimax(DEPTH, network=method.network)
    return TurnPlayer(method.network)
