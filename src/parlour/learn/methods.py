"""Which way a game is learnt, and with which settings.

Games with dice, or with more or fewer than two seats: TD(λ) over whole turns. Games between two seats without dice:
generations under alpha-beta, which looks deeper than any turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parlour.arguments import one_of
from parlour.engine.game import Game
from parlour.engine.variant_mix import VariantMix
from parlour.learn.generations import SHARES, Generations, PlayAll, Recipe
from parlour.learn.learner import Round
from parlour.learn.self_play import SelfPlay, play_all
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
"""TD(λ) in games without dice, which would all be the same without noise."""
SCALE_ROOM = 1.5
"""How many times as much as in random games is expected to be paid."""
RANDOM_GAMES = 200
"""Games in each variant by which is found out what can be paid, and among how many actions seats choose."""
LEAVES, DEPTHS = 400, (2, 4)
"""About how many positions a search of self-play is to look at without pruning, and its depth at least and at most."""
SLOWER, BEFORE_LIMIT = 2.0, 0.9
"""Games of self-play are cut off after as many times the plies of random games, and this share of `max_plies`."""
DEPTH = 2
"""Plies that a network of generations searches, and its opponent, where its strength is measured."""


class Method(Protocol):
    """What learns: `parlour.learn.TDLambda` or `parlour.learn.Generations`."""

    positions: int
    games: int
    plies: int

    @property
    def network(self) -> ValueNetwork:
        """What plays."""

    def round(self) -> Round:
        """Plays, and learns from it."""

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on exactly from here."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Goes on from there. ValueError for arrays that don't fit."""


def choose_method(game: Game, seats: int, method: str | None = None) -> str:
    """``method``, or the one for the game. ValueError for one that does not learn it."""
    fits = seats == 2 and not game.rules.DICE
    if method is None:
        return GENERATIONS if fits else TD
    one_of("method", method, METHODS)
    if method == GENERATIONS and not fits:
        raise ValueError(f"generations learn games between two seats without dice, and {game.id} is none; valid: td")
    return method


def new_method(
    game: Game, variants: Sequence[str], overrides: Mapping[str, object], method: str | None, hidden: int | None,
    seed: int, threads: int, play: PlayAll = play_all,
) -> Method:  # fmt: skip
    """A learner that knows nothing yet.

    Args:
        game: what is learnt.
        variants: names of variants, all of which one network learns.
        overrides: option values on top of them.
        method: one of `METHODS`; None: the one for the game.
        hidden: hidden units of the network; None: the usual number.
        seed: of all that is random.
        threads: for self-play; what is learnt is the same on any number.
        play: what plays the games of generations.

    Raises:
        ValueError: for what is not valid, such as variants that no one network can see.
    """
    blank = new_network(game, list(variants), 1, overrides=overrides)
    chosen = choose_method(game, blank.seats, method)
    scale = highest_pay(variant_mix_of(blank))
    units = HIDDEN[chosen] if hidden is None else hidden
    network = new_network(game, list(variants), units, scale, seed, overrides)
    if chosen == GENERATIONS:
        how = SelfPlay(depth=depth_for(variant_mix_of(blank)), max_plies=length_for(variant_mix_of(blank)))
        return Generations(network, Recipe(self_play=how), seed, threads, play)
    return TDLambda(network, None if game.rules.DICE else WITHOUT_DICE, seed, threads)


def compile_for(method: Method) -> None:
    """Compiles what a method needs, by learning from a few positions for nothing."""
    network = method.network
    if isinstance(method, Generations):
        Generations(network, Recipe(positions=SHARES, self_play=SelfPlay(depth=1, games=1))).round()
    else:
        TDLambda(network, Settings(positions=16 * network.seats)).round()


def highest_pay(variant_mix: VariantMix) -> float:
    """The scale of values: 1 where no seat is ever paid more in a game (between two seats: no more than the other is
    paid less), else what it takes in random games, and room for more."""
    highest = 0.0
    for played in _random_games(variant_mix):
        returns = played.returns
        paid = 0.5 * (returns[:, :1] - returns[:, 1:]) if returns.shape[1] == 2 else returns
        highest = max(highest, float(np.abs(paid).max(initial=0)))
    return 1.0 if highest <= 1 else SCALE_ROOM * highest


def depth_for(variant_mix: VariantMix) -> int:
    """How deep self-play searches: the less, the more actions there are to choose from."""
    played = _random_games(variant_mix)
    branching = sum(one.choices.sum() for one in played) / sum(one.plies.sum() for one in played)
    return int(np.clip(np.rint(np.log(LEAVES) / np.log(max(branching, 2.0))), *DEPTHS))


def length_for(variant_mix: VariantMix) -> int:
    """After how many plies games of self-play are cut off: `SLOWER` times as many as random games have on average, and
    some plies before the game itself does so, which a search would see as a draw."""
    played = _random_games(variant_mix)
    plies = SLOWER * float(np.mean([one.plies.mean() for one in played]))
    limits = [int(entry.values.get("max_plies", 0)) for entry in variant_mix.entries]
    return round(min([plies, *(BEFORE_LIMIT * limit for limit in limits if limit)]))


def _random_games(variant_mix: VariantMix) -> list[Results]:
    """Games of random play, a lot for each variant."""
    players: list[Player] = [Random()] * variant_mix.layout.seats
    seeds = row_seeds(0, RANDOM_GAMES).tolist()
    return [play_games(variant_mix.game, entry.values, players, seeds) for entry in variant_mix.entries]


def player_of(method: Method) -> Player:
    """Who plays by what has been learnt so far, to measure its strength."""
    if isinstance(method, Generations):
        return Expectimax(DEPTH, network=method.network)
    return TurnPlayer(method.network)
