"""Positions from games that a network plays against itself with search: the training data of generations.

Each game begins with some random plies. Later plies are random with a small probability, to reach positions that good
play would avoid. A game ends early when the search has proved the winner. Positions at the beginning of a turn are
recorded if there is more than one legal action. Other seats may be fixed players' (`parlour.learn.against`).

Axis letters: N games of a batch, K positions, M units that are on at once, P seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED
from parlour.engine.games import Games
from parlour.engine.search_arrays import LEAF, TIE
from parlour.engine.seeds import seed_words
from parlour.engine.view import GamesView
from parlour.learn.against import EVERY, Opponents
from parlour.learn.learner import joined_units, unit_indices
from parlour.players.search.expectimax import Expectimax
from parlour.players.value.inputs import numbers_of
from parlour.players.value.network import ValueNetwork, variant_mix_of
from parlour.rulebook.chance import row_seeds
from parlour.rulebook.protocol import REPETITION, RUNNING

TABLE_MIB = 1


@dataclass(frozen=True)
class SelfPlaySettings:
    """The settings of self-play.

    Attributes:
        depth: the depth of the search, in plies.
        games: N, the number of games of the batch.
        openings: the smallest and the largest number of random plies at the beginning of a game.
        random_share: the smallest probability of a random ply later on.
        max_random_share: the largest one, see `random_shares`.
        max_plies: the number of plies after which a game is truncated. Its result is then the value of the search
            (bootstrapping). The search itself does not use this limit.
        discount: the factor by which a result counts less for each ply that it is away. Below 1, a network prefers the
            shorter way to a win. At 1 all positions from which a game is won look alike, and a search that can't see
            the end may not come nearer to it.
    """

    depth: int = 3
    games: int = 64
    openings: tuple[int, int] = (2, 10)
    random_share: float = 0.07
    max_random_share: float = 0.5
    max_plies: int = 240
    discount: float = 0.995


@dataclass(frozen=True)
class SearchedPositions:
    """K positions, each seen by the seat to act.

    Attributes:
        units: int16 (K, M), see `parlour.learn.gradient.Positions`.
        heads: int64 (K,), likewise.
        results: float32 (K,), half of the difference between the seat's and the other seat's later rewards, times
            `SelfPlaySettings.discount` for each ply up to the end of the game.
        search_values: float32 (K,), the values of the search, on the same scale.
        cut: bool (K,), whether the game was truncated later.
        met: int64 (B, 2), games against each fixed player, and the half points won.
    """

    units: NDArray[np.int16]
    heads: NDArray[np.int64]
    results: NDArray[np.float32]
    search_values: NDArray[np.float32]
    cut: NDArray[np.bool_]
    games: int
    plies: int
    met: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))

    def targets(self, result_share: float, scale: float) -> NDArray[np.float32]:
        """Targets (K,), from 0 to 1: means of the result, with the weight ``result_share``, and the search value."""
        mean = result_share * self.results + (1 - result_share) * self.search_values
        return np.clip(0.5 + 0.5 * mean / scale, 0, 1).astype(np.float32)


def play_positions(
    network: ValueNetwork, count: int, settings: SelfPlaySettings, random_shares: NDArray[np.float64], seed: int,
    by_potential: bool = False, threads: int = 1, against: Sequence[str] = (),
    drawn: NDArray[np.float64] | None = None,
) -> SearchedPositions:  # fmt: skip
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


def joined(parts: Sequence[SearchedPositions]) -> SearchedPositions:
    """Several sets of positions as one."""
    return SearchedPositions(
        joined_units([part.units for part in parts]),
        np.concatenate([part.heads for part in parts]),
        np.concatenate([part.results for part in parts]),
        np.concatenate([part.search_values for part in parts]),
        np.concatenate([part.cut for part in parts]),
        sum(part.games for part in parts),
        sum(part.plies for part in parts),
        np.sum([part.met for part in parts], axis=0),
    )


def random_shares(
    settings: SelfPlaySettings, network: ValueNetwork, latest: SearchedPositions | None
) -> NDArray[np.float64]:
    """The probability of a random ply in each variant, after the generation ``latest``: float64 (V,).

    A network that has not learnt yet how to win may play cautiously and never end a game; random plies help to end it.
    So the probability depends on the share of the latest positions that are from truncated games: up to one half it is
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
    def __init__(
        self, network: ValueNetwork, settings: SelfPlaySettings, random_shares: NDArray[np.float64], seed: int,
        by_potential: bool, threads: int, against: Sequence[str], drawn: NDArray[np.float64] | None,
    ) -> None:  # fmt: skip
        self.settings, self.network, self.random_shares = settings, network, random_shares
        self.games = Games(network.game, variant_mix_of(network), settings.games, threads)
        self.view = GamesView(self.games)
        self.opponents, self.drawn = Opponents(against, self.games), drawn
        self.player = Expectimax(settings.depth, table_mib=TABLE_MIB, network=None if by_potential else network)
        self.variant_heads = network.variant_heads(self.games.variant_mix.entries, network.game)
        n = settings.games
        self.games.begin(seed_words(row_seeds(seed, n).tolist()))
        self.rng = np.random.default_rng([seed, n])
        self.openings = self._drawn_openings(n)
        self._draw_opponents(np.arange(n))
        self.game_of_row, self.margins = np.arange(n), np.zeros(n)
        self.leads: list[float] = [0.0] * n  # of seat 0 at the end of each game
        self.lengths: list[int] = [0] * n  # plies of each game
        self.cut_games: set[int] = set()
        self.plies = 0
        self.rows: list[tuple[NDArray[Any], ...]] = []

    def run(self, count: int) -> SearchedPositions:
        """See `play_positions`."""
        recorded, actions = 0, np.full(self.settings.games, -1)
        while True:
            running = self.games.states["end"] == RUNNING
            self._begin(~running & (recorded < count))
            running = self.games.states["end"] == RUNNING
            if not running.any():
                return self._positions()
            actions[:] = -1
            recorded += self._choose(running, actions)
            self._step(actions)

    def _begin(self, row_mask: NDArray[np.bool_]) -> None:
        if row_mask.any():
            self.games.begin(None, row_mask)
            new = int(row_mask.sum())
            self.openings[row_mask] = self._drawn_openings(new)
            self.game_of_row[row_mask] = len(self.leads) + np.arange(new)
            self.leads += [0.0] * new
            self.lengths += [0] * new
            self.margins[row_mask] = 0
            self._draw_opponents(np.flatnonzero(row_mask))

    def _draw_opponents(self, row_ids: NDArray[np.int64]) -> None:
        if self.drawn is not None:
            self.opponents.draw(row_ids, self.drawn)

    def _drawn_openings(self, count: int) -> NDArray[np.int64]:
        low, high = self.settings.openings
        return self.rng.integers(low, high + 1, count)

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
            recorded += self._record(np.flatnonzero(answered & (games.counts > 1)), searched=False)
        if searched.any():
            self.player.choose(self.view, searched, actions)
            at_turns = games.states["turn_over"] == 1  # the search values only positions at the beginning of a turn
            recorded += self._record(np.flatnonzero(searched & at_turns & (games.counts > 1)))
        random_plies = searched & (self.rng.random(len(running)) < self.random_shares[games.variant_index])
        games.sample(actions, opening | random_plies)
        self._end_early(searched)
        return recorded

    def _end_early(self, searched: NDArray[np.bool_]) -> None:
        """Ends games with a proved win (its value is beyond a network's range), and those of `max_plies`."""
        values, scale = self.player.values(self.view), self.network.scale
        margin = 0.5 * (values[:, 0] - values[:, 1])
        proved = np.abs(margin) > LEAF * scale + TIE
        # against a fixed player a loss is not proved: it may not find the way
        learners = self.opponents.learners
        proved &= (learners == EVERY) | (np.where(learners == 0, margin, -margin) > 0)
        cut = searched & ~proved & (self.games.states["plies"] >= self.settings.max_plies)
        self.cut_games.update(self.game_of_row[cut].tolist())
        over = cut | (searched & proved)
        self.margins[over] += np.clip(margin / LEAF, -scale, scale)[over]
        self._end(over)
        self.games.states["end"][over] = REPETITION  # any ending would do, since the row is not played on

    def _end(self, row_mask: NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(row_mask):
            self.leads[self.game_of_row[row]] = float(self.margins[row])
            self.lengths[self.game_of_row[row]] = int(self.games.states["plies"][row])
        self.opponents.returns[:] = self.margins[:, None] * (1, -1)
        self.opponents.record(np.flatnonzero(row_mask))

    def _record(self, row_ids: NDArray[np.int64], searched: bool = True) -> int:
        """Records positions; returns how many. ``searched``: whether they just were; else their search values are 0."""
        games = self.games
        seats = games.states["to_act"][row_ids].astype(np.int64)
        numbers = numbers_of(games, row_ids, seats)
        search_values = self.player.values(self.view)[row_ids, seats] if searched else np.zeros(len(row_ids))
        heads = self.variant_heads[games.variant_index[row_ids]] + seats
        self.rows.append((
            unit_indices(self.network, numbers), heads, search_values, self.game_of_row[row_ids], self.margins[row_ids],
            seats, games.states["plies"][row_ids].astype(np.int64),
        ))  # fmt: skip
        return len(row_ids)

    def _step(self, actions: NDArray[np.int64]) -> None:
        games = self.games
        running = games.states["end"] == RUNNING
        games.step(np.where(running, actions, -1), DISABLED)
        self.plies += int(running.sum())
        self.margins[running] += 0.5 * (games.rewards[running, 0] - games.rewards[running, 1])
        self._end(running & (games.states["end"] != RUNNING))

    def _positions(self) -> SearchedPositions:
        heads, search_values, games, before, seats, plies = (
            np.concatenate([part[k] for part in self.rows]) for k in range(1, len(self.rows[0]))
        )
        away = np.array(self.lengths)[games] - plies
        results = np.where(seats == 0, 1, -1) * (np.array(self.leads)[games] - before)
        results *= self.settings.discount**away
        search_values = np.clip(search_values / LEAF, -self.network.scale, self.network.scale)
        units = joined_units([part[0] for part in self.rows])
        cut = np.isin(games, list(self.cut_games))
        return SearchedPositions(
            units, heads, results.astype(np.float32), search_values.astype(np.float32), cut, len(self.leads),
            self.plies, self.opponents.met.sum(axis=0),
        )  # fmt: skip
