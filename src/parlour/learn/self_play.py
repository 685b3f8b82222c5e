"""Positions from games that a network plays against itself with search: the training data of generations.

Each game begins with some random plies, and now and then a random ply is played later on, to reach positions that good
play would avoid. A game ends early when the search has proved the winner. Positions at the beginning of a turn are
recorded, where there is a choice.

Axis letters: N games side by side, K positions, M units that are on at once, P seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED
from parlour.engine.games import Games
from parlour.engine.search_arrays import LEAF, TIE
from parlour.engine.seeds import seed_words
from parlour.engine.view import GamesView
from parlour.learn.learner import places_of
from parlour.rulebook.chance import row_seeds
from parlour.rulebook.protocol import REPETITION, RUNNING
from parlour.search.expectimax import Expectimax
from parlour.value.inputs import numbers_of
from parlour.value.network import ValueNetwork, variant_mix_of

TABLE_MIB = 1


@dataclass(frozen=True)
class SelfPlay:
    """The settings of self-play.

    Attributes:
        depth: plies of search.
        games: N, side by side.
        openings: random plies at the beginning of a game: at least, at most.
        random_share: the probability of a random ply later on, at least.
        max_random_share: the same at most, see `random_shares`.
        max_plies: plies after which a game is cut off, whose result is then what the search finds, as is usual for
            truncated episodes. The search itself knows nothing of this limit.
    """

    depth: int = 3
    games: int = 64
    openings: tuple[int, int] = (2, 10)
    random_share: float = 0.07
    max_random_share: float = 0.5
    max_plies: int = 240


@dataclass(frozen=True)
class Played:
    """K positions, each seen by the seat to act.

    Attributes:
        places: int16 (K, M), see `parlour.learn.gradient.Positions`.
        heads: int64 (K,), likewise.
        results: float32 (K,), half of the difference between the seat's and the other's rewards from there on.
        found: float32 (K,), the value that the search found, on the same scale.
        cut: bool (K,), whether the game was cut off later on.
        games: the number of games.
        plies: of all games.
    """

    places: NDArray[np.int16]
    heads: NDArray[np.int64]
    results: NDArray[np.float32]
    found: NDArray[np.float32]
    cut: NDArray[np.bool_]
    games: int
    plies: int

    def targets(self, result_share: float, scale: float) -> NDArray[np.float32]:
        """Targets (K,), from 0 to 1: means of result and search value, with the weights ``result_share`` and the
        rest."""
        mean = result_share * self.results + (1 - result_share) * self.found
        return np.clip(0.5 + 0.5 * mean / scale, 0, 1).astype(np.float32)


@dataclass(frozen=True)
class Job:
    """Games to be played.

    Attributes:
        network: the network that values the leaves of the search.
        count: games are begun until there are this many positions; all of them are played to their end.
        how: see `SelfPlay`.
        random_shares: float64 (V,), the probability of a random ply in each variant of the network.
        seed: the random seed.
        by_potential: whether the search values positions by the game's potential instead, while the network is
            untrained.
        threads: the number of threads; the positions are the same on any.
    """

    network: ValueNetwork
    count: int
    how: SelfPlay
    random_shares: NDArray[np.float64]
    seed: int
    by_potential: bool = False
    threads: int = 1


def play_positions(job: Job) -> Played:
    """Plays the games of a job."""
    return _Play(job).run(job.count)


def play_all(jobs: Sequence[Job]) -> list[Played]:
    """Plays the games of several jobs, one after another."""
    return [play_positions(job) for job in jobs]


def joined(parts: Sequence[Played]) -> Played:
    """Several sets of positions as one."""
    return Played(
        joined_places([part.places for part in parts]),
        np.concatenate([part.heads for part in parts]),
        np.concatenate([part.results for part in parts]),
        np.concatenate([part.found for part in parts]),
        np.concatenate([part.cut for part in parts]),
        sum(part.games for part in parts),
        sum(part.plies for part in parts),
    )


def random_shares(how: SelfPlay, network: ValueNetwork, latest: Played | None) -> NDArray[np.float64]:
    """The probability of a random ply in each variant, after the generation ``latest``: float64 (V,).

    Careful play that does not know yet how to win may never end, and random play may. So the probability rises from
    `SelfPlay.random_share`, where no more than half of the latest positions are of games that were cut off, to
    `SelfPlay.max_random_share`, where all of them are.
    """
    shares = np.full(len(network.variants), how.random_share)
    if latest is not None:
        variants = latest.heads // network.seats
        for v in range(len(shares)):
            cut = float(latest.cut[variants == v].mean()) if (variants == v).any() else 0.0
            shares[v] += (how.max_random_share - how.random_share) * max(0.0, 2 * cut - 1)
    return shares


class _Play:
    """Games that are being played."""

    def __init__(self, job: Job) -> None:
        self.how, self.network = how, network = job.how, job.network
        self.random_shares = job.random_shares
        self.games = Games(network.game, variant_mix_of(network), how.games, job.threads)
        self.view = GamesView(self.games)
        self.player = Expectimax(how.depth, table_mib=TABLE_MIB, network=None if job.by_potential else network)
        self.variant_heads = network.variant_heads(self.games.variant_mix.entries, network.game)
        n = how.games
        self.games.begin(seed_words(row_seeds(job.seed, n).tolist()))
        self.rng = np.random.default_rng([job.seed, n])
        self.openings = self._drawn_openings(n)
        self.game_of_row, self.lead = np.arange(n), np.zeros(n)
        self.leads: list[float] = [0.0] * n  # of seat 0 at the end of each game
        self.cut_games: set[int] = set()
        self.plies = 0
        self.rows: list[tuple[NDArray[Any], ...]] = []

    def run(self, count: int) -> Played:
        """See `play_positions`."""
        noted, actions = 0, np.full(self.how.games, -1)
        while True:
            running = self.games.states["end"] == RUNNING
            self._begin(~running & (noted < count))
            running = self.games.states["end"] == RUNNING
            if not running.any():
                return self._positions()
            actions[:] = -1
            noted += self._choose(running, actions)
            self._step(actions)

    def _begin(self, row_mask: NDArray[np.bool_]) -> None:
        """New games in some rows."""
        if row_mask.any():
            self.games.begin(None, row_mask)
            new = int(row_mask.sum())
            self.openings[row_mask] = self._drawn_openings(new)
            self.game_of_row[row_mask] = len(self.leads) + np.arange(new)
            self.leads += [0.0] * new
            self.lead[row_mask] = 0

    def _drawn_openings(self, count: int) -> NDArray[np.int64]:
        low, high = self.how.openings
        return self.rng.integers(low, high + 1, count)

    def _choose(self, running: NDArray[np.bool_], actions: NDArray[np.int64]) -> int:
        """Writes an action for each running row. Returns how many positions were recorded."""
        games = self.games
        opening = running & (self.openings > 0)
        thinking = running & ~opening
        self.openings[opening] -= 1
        noted = 0
        if thinking.any():
            self.player.choose(self.view, thinking, actions)
            at_turns = games.states["turn_over"] == 1  # searches value no others
            noted = self._note(np.flatnonzero(thinking & at_turns & (games.counts > 1)))
        strayed = thinking & (self.rng.random(len(running)) < self.random_shares[games.variant_index])
        games.sample(actions, opening | strayed)
        self._end_early(thinking)
        return noted

    def _end_early(self, thinking: NDArray[np.bool_]) -> None:
        """Ends games in which the search found more than a network can say, which is a win, and games that have lasted
        for `SelfPlay.max_plies`."""
        values, scale = self.player.values(self.view), self.network.scale
        lead = 0.5 * (values[:, 0] - values[:, 1])
        proved = np.abs(lead) > LEAF * scale + TIE
        cut = thinking & ~proved & (self.games.states["plies"] >= self.how.max_plies)
        self.cut_games.update(self.game_of_row[cut].tolist())
        over = cut | (thinking & proved)
        self.lead[over] += np.clip(lead / LEAF, -scale, scale)[over]
        self._end(over)
        self.games.states["end"][over] = REPETITION  # any end will do: the row is not played on

    def _end(self, row_mask: NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(row_mask):
            self.leads[self.game_of_row[row]] = float(self.lead[row])

    def _note(self, row_ids: NDArray[np.int64]) -> int:
        """Records the rows' positions, which have just been searched."""
        games = self.games
        seats = games.states["to_act"][row_ids].astype(np.int64)
        numbers = numbers_of(games, row_ids, seats)
        found = self.player.values(self.view)[row_ids, seats]
        heads = self.variant_heads[games.variant_index[row_ids]] + seats
        self.rows.append((
            places_of(self.network, numbers), heads, found, self.game_of_row[row_ids], self.lead[row_ids], seats
        ))  # fmt: skip
        return len(row_ids)

    def _step(self, actions: NDArray[np.int64]) -> None:
        """Plays the actions of the rows that still run."""
        games = self.games
        running = games.states["end"] == RUNNING
        games.step(np.where(running, actions, -1), DISABLED)
        self.plies += int(running.sum())
        self.lead[running] += 0.5 * (games.rewards[running, 0] - games.rewards[running, 1])
        self._end(running & (games.states["end"] != RUNNING))

    def _positions(self) -> Played:
        """All recorded positions, with the results of the games."""
        heads, found, games, before, seats = (
            np.concatenate([part[k] for part in self.rows]) for k in range(1, len(self.rows[0]))
        )
        results = np.where(seats == 0, 1, -1) * (np.array(self.leads)[games] - before)
        worth = np.clip(found / LEAF, -self.network.scale, self.network.scale)
        places = joined_places([part[0] for part in self.rows])
        cut = np.isin(games, list(self.cut_games))
        return Played(
            places, heads, results.astype(np.float32), worth.astype(np.float32), cut, len(self.leads), self.plies
        )  # fmt: skip


def joined_places(parts: Sequence[NDArray[np.int16]]) -> NDArray[np.int16]:
    """Several arrays (K, M) as one, with the largest M of them."""
    width = max(part.shape[1] for part in parts)
    return np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=-1) for part in parts])
