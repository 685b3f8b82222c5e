"""Plays the games of a network against itself, with search, and records positions: the training data of generations.

Each game begins with some random plies. Later plies are random with a small probability, to reach positions that good
play would avoid. A game ends early when the search has proved the winner. Positions at the beginning of a turn are
recorded if there is more than one legal action. Other seats may be fixed players' (`parlour.learn.against`).

Axis letters: N games of a batch, K positions, M units that are on at once, P seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED
from parlour.engine.games import Games
from parlour.engine.search_arrays import LEAF, TIE
from parlour.engine.seeds import seed_words
from parlour.engine.view import GamesView
from parlour.learn.against import ALL_SEATS, Opponents
from parlour.learn.learner import joined, unit_indices
from parlour.learn.settings import SelfPlaySettings
from parlour.players.search.expectimax import Expectimax
from parlour.players.value.inputs import numbers_of
from parlour.players.value.network import ValueNetwork, variant_mix_of
from parlour.rulebook.chance import row_seeds
from parlour.rulebook.protocol import MAX_PLIES, REPETITION, RUNNING

TABLE_MIB = 1


class SearchedPositions(NamedTuple):
    """K positions, each seen by the seat to act."""

    units: NDArray[np.int16]
    """(K, M), see `parlour.learn.gradient.Positions`"""
    heads: NDArray[np.int64]
    """(K,), likewise"""
    results: NDArray[np.float32]
    """(K,), half of the difference between the seat's and the other seat's later rewards, times
    `SelfPlaySettings.discount` for each ply up to the end of the game"""
    search_values: NDArray[np.float32]
    """(K,), the values of the search, on the same scale"""
    cut: NDArray[np.bool_]
    """(K,), whether the game was truncated later"""

    def targets(self, result_share: float, scale: float) -> NDArray[np.float32]:
        """Targets (K,), from 0 to 1: means of the result, with the weight ``result_share``, and the search value."""
        mean = result_share * self.results + (1 - result_share) * self.search_values
        return np.clip(0.5 + 0.5 * mean / scale, 0, 1).astype(np.float32)


@dataclass(frozen=True)
class Played:
    """The results of some games. ``met``: int64 (B, 2), games against each fixed player, and the half points won."""

    positions: SearchedPositions
    games: int
    plies: int
    met: NDArray[np.int64]


def play_positions(
    network: ValueNetwork, count: int, settings: SelfPlaySettings, random_shares: NDArray[np.float64], seed: int,
    by_potential: bool = False, threads: int = 1, against: Sequence[str] = (),
    drawn: NDArray[np.float64] | None = None,
) -> Played:  # fmt: skip
    """Plays games.

    Args:
        network: values the leaves of the search.
        count: games are begun until there are this many positions; all of them are played to their end.
        settings: see `SelfPlaySettings`.
        random_shares: float64 (V,), the probability of a random ply in each variant of the network.
        by_potential: whether the search values positions by the game's potential instead, while the network is
            untrained.
        threads: the number of threads; the positions are the same on any.
        against: names of fixed players, see `parlour.learn.against`.
        drawn: the probability (B,) of drawing each of them.
    """
    play = _Play(network, settings, random_shares, seed, by_potential, threads, against, drawn)
    return play.run(count)


def joined_play(parts: Sequence[Played]) -> Played:
    """The games of all parts as one."""
    return Played(
        joined([part.positions for part in parts]), sum(part.games for part in parts),
        sum(part.plies for part in parts), np.sum([part.met for part in parts], axis=0),
    )  # fmt: skip


def random_shares(
    settings: SelfPlaySettings, network: ValueNetwork, latest: SearchedPositions | None
) -> NDArray[np.float64]:
    """The probability of a random ply in each variant, after the generation ``latest``: float64 (V,).

    A network that can't win yet may play cautiously and never end a game; random plies help to end it. So the
    probability depends on the share of the latest positions that are from truncated games: up to one half it is
    `SelfPlaySettings.random_share`, and from there it rises to `SelfPlaySettings.max_random_share`, when all are.
    """
    shares = np.full(len(network.variants), settings.random_share)
    if latest is not None:
        variants = latest.heads // network.seats
        for v in range(len(shares)):
            cut = float(latest.cut[variants == v].mean()) if (variants == v).any() else 0.0
            shares[v] += (settings.max_random_share - settings.random_share) * max(0.0, 2 * cut - 1)
    return shares


class _Play:
    """Games in N rows, one after another.

    Attributes:
        game_of_row: (N,), the number of each row's present game.
        openings: (N,), how many random plies are left in it.
        margins: (N,), half of the difference between the rewards of seats 0 and 1 in it.
        ends: for each game its margin, its plies, and whether it was truncated.
        records: what was recorded at each step: the arrays that `_record` makes.
    """

    def __init__(
        self, network: ValueNetwork, settings: SelfPlaySettings, random_shares: NDArray[np.float64], seed: int,
        by_potential: bool, threads: int, against: Sequence[str], drawn: NDArray[np.float64] | None,
    ) -> None:  # fmt: skip
        n = settings.games
        self.settings, self.network, self.random_shares = settings, network, random_shares
        self.games = Games(network.game, variant_mix_of(network), n, threads)
        self.view = GamesView(self.games)
        self.opponents, self.drawn = Opponents(against, self.games), drawn
        self.player = Expectimax(settings.depth, table_mib=TABLE_MIB, network=None if by_potential else network)
        self.variant_heads = network.variant_heads(self.games.variant_mix.entries, network.game)
        self.rng = np.random.default_rng([seed, n])
        self.game_of_row, self.openings, self.margins = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n)
        self.ends: list[tuple[float, int, bool]] = []
        self.plies = 0
        self.records: list[tuple[NDArray[Any], ...]] = []
        self._begin(np.ones(n, np.bool_), seed_words(row_seeds(seed, n).tolist()))

    def run(self, count: int) -> Played:
        """See `play_positions`."""
        recorded, actions = 0, np.full(self.settings.games, -1)
        while True:
            ended = self.games.states["end"] != RUNNING
            if recorded < count and ended.any():
                self._begin(ended)
            running = self.games.states["end"] == RUNNING
            if not running.any():
                return Played(self._positions(), len(self.ends), self.plies, self.opponents.met.sum(axis=0))
            actions[:] = -1
            recorded += self._choose(running, actions)
            self._step(actions)

    def _begin(self, row_mask: NDArray[np.bool_], seeds: NDArray[np.uint64] | None = None) -> None:
        row_ids, (low, high) = np.flatnonzero(row_mask), self.settings.openings
        self.games.begin(seeds, row_mask)
        self.openings[row_ids] = self.rng.integers(low, high + 1, len(row_ids))
        self.game_of_row[row_ids] = len(self.ends) + np.arange(len(row_ids))
        self.ends += [(0.0, 0, False)] * len(row_ids)
        self.margins[row_ids] = 0
        if self.drawn is not None:
            self.opponents.draw(row_ids, self.drawn)

    def _choose(self, running: NDArray[np.bool_], actions: NDArray[np.int64]) -> int:
        """Writes an action for each running row. Returns how many positions were recorded."""
        games = self.games
        opening = running & (self.openings > 0)
        answered = self.opponents.waiting(running & ~opening)
        searched = running & ~opening & ~answered
        self.openings[opening] -= 1
        recorded = 0
        if answered.any():
            self.opponents.choose(answered, actions)
            recorded += self._record(answered & (games.counts > 1), searched=False)
        if searched.any():
            self.player.choose(self.view, searched, actions)
            at_turns = games.states["turn_over"] == 1  # the search values only positions at the beginning of a turn
            recorded += self._record(searched & at_turns & (games.counts > 1))
        random_plies = searched & (self.rng.random(len(running)) < self.random_shares[games.variant_index])
        games.sample(actions, opening | random_plies)
        self._end_early(searched)
        return recorded

    def _end_early(self, searched: NDArray[np.bool_]) -> None:
        """Ends games with a proved win (its value is beyond a network's range), and those of `max_plies`."""
        values, scale = self.player.values(self.view), self.network.scale
        margin = 0.5 * (values[:, 0] - values[:, 1])
        proved = np.abs(margin) > LEAF * scale + TIE
        # a loss to a fixed player is not proved: it may not find the winning plies
        learners = self.opponents.learners
        proved &= (learners == ALL_SEATS) | (np.where(learners == 0, margin, -margin) > 0)
        cut = searched & ~proved & (self.games.states["plies"] >= self.settings.max_plies)
        over = cut | (searched & proved)
        self.margins[over] += np.clip(margin / LEAF, -scale, scale)[over]
        self.games.states["end"][over] = REPETITION  # of a proved win any ending will do: the row is not played on
        self.games.states["end"][cut] = MAX_PLIES
        self._end(over, cut)

    def _end(self, row_mask: NDArray[np.bool_], cut: NDArray[np.bool_]) -> None:
        plies = self.games.states["plies"]
        for row in np.flatnonzero(row_mask).tolist():
            self.ends[self.game_of_row[row]] = float(self.margins[row]), int(plies[row]), bool(cut[row])
        self.opponents.returns[:] = self.margins[:, None] * (1, -1)
        self.opponents.record(np.flatnonzero(row_mask))

    def _record(self, row_mask: NDArray[np.bool_], searched: bool = True) -> int:
        """Records positions; returns how many. ``searched``: whether they just were; else their search values are 0."""
        games, row_ids = self.games, np.flatnonzero(row_mask)
        seats = games.states["to_act"][row_ids].astype(np.int64)
        search_values = self.player.values(self.view)[row_ids, seats] if searched else np.zeros(len(row_ids))
        self.records.append((
            unit_indices(self.network, numbers_of(games, row_ids, seats)),
            self.variant_heads[games.variant_index[row_ids]] + seats, search_values, self.game_of_row[row_ids],
            self.margins[row_ids], seats, games.states["plies"][row_ids].astype(np.int64),
        ))  # fmt: skip
        return len(row_ids)

    def _step(self, actions: NDArray[np.int64]) -> None:
        games = self.games
        running = games.states["end"] == RUNNING
        games.step(np.where(running, actions, -1), DISABLED)
        self.plies += int(running.sum())
        self.margins[running] += 0.5 * (games.rewards[running, 0] - games.rewards[running, 1])
        self._end(running & (games.states["end"] != RUNNING), np.zeros_like(running))

    def _positions(self) -> SearchedPositions:
        units, heads, search_values, game, before, seats, plies = joined(self.records)
        margins, lengths, cut = (np.array(column)[game] for column in zip(*self.ends))
        results = np.where(seats == 0, 1, -1) * (margins - before)
        results *= self.settings.discount ** (lengths - plies)
        search_values = np.clip(search_values / LEAF, -self.network.scale, self.network.scale)
        return SearchedPositions(units, heads, results.astype(np.float32), search_values.astype(np.float32), cut)
