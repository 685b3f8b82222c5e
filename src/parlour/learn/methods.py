"""Methods of learning: which one suits a game, and with which settings.

Games with dice, or with a number of seats other than two, are learnt by TD(λ) over whole turns. Games between two seats
without dice are learnt by generations with alpha-beta search, which looks ahead further than one turn; except for long
games. There a result says little about a position far before it, and TD(λ) learns from the values in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parlour.arguments import one_of
from parlour.engine.game import Game
from parlour.engine.variant_mix import VariantMix
from parlour.learn.generations import Generations, Recipe
from parlour.learn.jobs import SHARES, RunJobs, run_here
from parlour.learn.learner import Round
from parlour.learn.self_play import SelfPlay
from parlour.learn.td_lambda import Settings, TDLambda
from parlour.players import Player
from parlour.players.built_in import Random
from parlour.rulebook.chance import row_seeds
from parlour.search.expectimax import Expectimax
from parlour.simulate import Results, play_games
from parlour.value.network import ValueNetwork, new_network, variant_mix_of
from parlour.value.players import TurnPlayer

TD, GENERATIONS = "td", "generations"
METHODS = (TD, GENERATIONS)
HIDDEN = {TD: 80, GENERATIONS: 64}
"""Hidden units of a new network."""
WITHOUT_DICE = Settings(noise=0.1, openings=8)
"""Settings of TD(λ) for games without dice. Without noise all games would be the same."""
SCALE_ROOM = 1.5
"""The scale of values, as a multiple of the highest sum of rewards in random games."""
RANDOM_GAMES = 200
"""The number of random games per variant from which the size of rewards and the number of actions are estimated."""
LONG = 150
"""The mean number of plies of random games from which TD(λ) is the default. ``docs/learning.md`` has what it rests on:
generations are ahead in the games of 71 and 132 plies, TD(λ) in that of 196 (in one variant) and 377 (in all)."""
LEAVES, DEPTHS = 400, (2, 4)
"""About how many positions a search of self-play would look at without pruning; its smallest and largest depth."""
LENGTH_ROOM, BELOW_LIMIT = 2.0, 0.9
"""See `length_for`."""
DEPTH = 2
"""The search depth with which the strength of a network of generations is measured."""


class Method(Protocol):
    """A learner: `parlour.learn.TDLambda` or `parlour.learn.Generations`."""

    positions: int
    games: int
    plies: int

    @property
    def network(self) -> ValueNetwork:
        """The network that plays."""

    def round(self) -> Round:
        """Plays, and learns from it."""

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to continue exactly from here."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Continues from a checkpoint. ValueError for arrays that don't fit."""


def methods_for(game: Game, seats: int) -> tuple[str, ...]:
    """The methods that can learn a game between ``seats`` seats."""
    return (GENERATIONS, TD) if seats == 2 and not game.rules.DICE else (TD,)


def choose_method(variant_mix: VariantMix, method: str | None = None) -> str:
    """``method``, or the default for the variants. ValueError for a method that can't learn the game."""
    game = variant_mix.game
    valid = methods_for(game, variant_mix.layout.seats)
    if method is not None:
        one_of("method", method, METHODS)
        if method not in valid:
            raise ValueError(f"generations learn games between two seats without dice, not {game.id}; valid: td")
        return method
    if GENERATIONS in valid and mean_plies(random_games(variant_mix)) < LONG:
        return GENERATIONS
    return TD


def variants_learnt(game: Game, variants: Sequence[str], overrides: Mapping[str, object]) -> VariantMix:
    """The variants that one network learns. ValueError for invalid arguments, such as variants of different sizes."""
    return variant_mix_of(new_network(game, list(variants), 1, overrides=overrides))


def new_method(
    game: Game, variants: Sequence[str], overrides: Mapping[str, object], method: str, hidden: int | None,
    seed: int, threads: int, run: RunJobs = run_here,
) -> Method:  # fmt: skip
    """A new learner.

    Args:
        game: what is learnt.
        variants: names of variants; one network learns all of them.
        overrides: option values that replace those of the variants.
        method: one of `METHODS`: see `choose_method`.
        hidden: hidden units of the network; None: the default.
        seed: the random seed.
        threads: for self-play; the result is the same on any number.
        run: the function that does the jobs of self-play.

    Raises:
        ValueError: for invalid arguments, such as variants of different sizes.
    """
    variant_mix = variants_learnt(game, variants, overrides)
    played = random_games(variant_mix)
    scale = value_scale(played)
    units = HIDDEN[method] if hidden is None else hidden
    network = new_network(game, list(variants), units, scale, seed, overrides)
    if method == GENERATIONS:
        self_play = SelfPlay(depth=depth_for(played), max_plies=length_for(played, variant_mix))
        return Generations(network, Recipe(self_play=self_play), seed, threads, run)
    return TDLambda(network, None if game.rules.DICE else WITHOUT_DICE, seed, threads, run)


def compile_for(method: Method) -> None:
    """Compiles the kernels of a method, by learning from a few positions and discarding the result."""
    network = method.network
    if isinstance(method, Generations):
        Generations(network, Recipe(positions=SHARES, self_play=SelfPlay(depth=1, games=1))).round()
    else:
        TDLambda(network, Settings(positions=16 * network.seats)).round()


def random_games(variant_mix: VariantMix) -> list[Results]:
    """`RANDOM_GAMES` games of random play in each variant."""
    players: list[Player] = [Random()] * variant_mix.layout.seats
    seeds = row_seeds(0, RANDOM_GAMES).tolist()
    return [play_games(variant_mix.game, entry.values, players, seeds) for entry in variant_mix.entries]


def value_scale(played: Sequence[Results]) -> float:
    """The scale of values. It is 1 if no return in the random games ``played`` is beyond −1 to 1, else `SCALE_ROOM`
    times the highest return. With two seats, half of the difference between their returns is used."""
    highest = 0.0
    for one in played:
        returns = 0.5 * (one.returns[:, :1] - one.returns[:, 1:]) if one.returns.shape[1] == 2 else one.returns
        highest = max(highest, float(np.abs(returns).max(initial=0)))
    return 1.0 if highest <= 1 else SCALE_ROOM * highest


def depth_for(played: Sequence[Results]) -> int:
    """The search depth of self-play: the more legal actions in the random games ``played``, the smaller."""
    branching = sum(one.choices.sum() for one in played) / sum(one.plies.sum() for one in played)
    return int(np.clip(np.rint(np.log(LEAVES) / np.log(max(branching, 2.0))), *DEPTHS))


def mean_plies(played: Sequence[Results]) -> float:
    """The mean number of plies of the random games ``played``, where each variant counts the same."""
    return float(np.mean([one.plies.mean() for one in played]))


def length_for(played: Sequence[Results], variant_mix: VariantMix) -> int:
    """After how many plies a game of self-play is truncated: `LENGTH_ROOM` times the mean length of the random games
    ``played``, but at most `BELOW_LIMIT` times the lowest `max_plies`. Near `max_plies` a search would see the end of
    the game, and value all positions as draws."""
    plies = LENGTH_ROOM * mean_plies(played)
    limits = [int(entry.values.get("max_plies", 0)) for entry in variant_mix.entries]
    return round(min([plies, *(BELOW_LIMIT * limit for limit in limits if limit)]))


def player_of(method: Method) -> Player:
    """The player whose strength is measured."""
    if isinstance(method, Generations):
        return Expectimax(DEPTH, network=method.network)
    return TurnPlayer(method.network)
