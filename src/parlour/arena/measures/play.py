"""Measures of play: decisions, length, openings, events and endings, the board, and leads by the game's own evaluation.

The lead of a seat is its potential minus the highest potential of the other seats. Positions after an end by the rules
have the potential 0 and are left out. Measures of leads are only as good as the evaluation. Openings are measured of
games without a random opening or a given position; in games with dice they differ by the throws alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import DIVERSITY, ENTROPY, PERCENT, SHARE, SPREAD, count_of, mean_of
from parlour.arena.measures.registry import (
    BOARD,
    DECISIONS,
    DURATION,
    ENDINGS,
    EVENTS,
    LEADS,
    OPENINGS,
    OURS,
    Measure,
    family,
    measure,
)
from parlour.arena.setting.plans import Played
from parlour.engine.game import Game
from parlour.rulebook.options import ends_by_repetition
from parlour.rulebook.protocol import COMMON_ENDS

decision = partial(measure, group=DECISIONS)
length = partial(measure, group=DURATION)
on_board = partial(measure, group=BOARD)
evaluated = partial(measure, group=LEADS)
LENGTHS = (4, 8, 12)
BROWNE = "Browne, Automatic Generation and Evaluation of Recombination Games, 2008"


@decision(
    "branching", traced=False, title="Branching factor",
    kind=mean_of("actions", low=1), tested=True, source="Ludii, BranchingFactor average",
)  # fmt: skip
def branching(game: Played) -> float:
    """Legal actions per ply."""
    return game.choices / game.plies


@decision(
    "forced", traced=False, title="Forced plies",
    kind=count_of("in 100", 1), tested=True, source="Ludii, one minus DecisionMoves",
)  # fmt: skip
def forced(game: Played) -> float:
    """Percentage of plies with a single legal action."""
    return 100 * game.forced / game.plies


@decision(
    "decision_factor", traced=False, title="Decision factor", kind=mean_of("actions", low=1),
    source="Ludii, DecisionFactor average",
)  # fmt: skip
def decision_factor(game: Played) -> float | None:
    """Legal actions per ply with at least two legal actions."""
    unforced = game.plies - game.forced
    return (game.choices - game.forced) / unforced if unforced else None


@decision(
    "game_tree", title="Game tree", kind=mean_of("digits", 0, 0),
    source="Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; Ludii, GameTreeComplexity",
)  # fmt: skip
def game_tree(game: Played) -> float:
    """Number of decimal digits of the product of the numbers of legal actions of all plies."""
    return float(np.log10(game.trace.legal).sum())


@length(
    "plies", traced=False, title="Length", kind=mean_of("plies", low=0), tested=True, cut=True,
    source="Ludii, DurationMoves",
)  # fmt: skip
def plies(game: Played) -> int:
    """Plies per game."""
    return game.plies


length(
    "plies_spread", traced=False, title="Spread of length", kind=SPREAD, source="Ludii, DurationTurnsStdDev, in plies",
    meaning="the standard deviation of the plies per game",
)(plies)  # fmt: skip


@length(
    "plies_decided", traced=False, title="Length of decided games", kind=mean_of("plies", low=0),
    source="Ludii, DurationTurnsNotTimeouts, in plies",
)  # fmt: skip
def plies_decided(game: Played) -> int | None:
    """Plies per game that a seat won."""
    return game.plies if game.winner >= 0 else None


@length("turns", title="Turns", kind=mean_of("", low=1), cut=True, source="Ludii, DurationTurns")
def turns(game: Played) -> int:
    """Changes of the seat that acts, plus one."""
    return 1 + int(np.count_nonzero(np.diff(game.trace.seats)))


@family
def openings(game: Game, seats: int) -> list[Measure]:
    """The effective number and the entropy of the first plies."""
    measures = []
    for count in LENGTHS:
        first = f"of the first {count} plies"
        code = partial(opening_code, count)
        measures += [
            Measure(
                f"openings_{count}", f"Openings, {count} plies", f"effective number of different openings {first}",
                DIVERSITY, code, OPENINGS, "Hill 1973, order 2, of Simpson's index 1949", traced=False,
            ),
            Measure(
                f"opening_entropy_{count}", f"Opening entropy, {count} plies", f"collision entropy {first}",
                ENTROPY, code, OPENINGS, "Rényi 1961, order 2", traced=False,
            ),
        ]  # fmt: skip
    return measures


def opening_code(count: int, game: Played) -> float | None:
    """A hash of the first ``count`` actions; None for a shorter game, or one with an opening or a given position."""
    if game.plies < count or game.spec.random_plies or game.spec.position:
        return None
    hasher = hashlib.blake2b(game.moves[:count].astype("<i4").tobytes(), digest_size=6)
    return float(int.from_bytes(hasher.digest(), "little"))


@family
def endings(game: Game, seats: int) -> list[Measure]:
    """One measure for each word of the game's ``rules.ENDS``, except for truncation."""
    words = [word for word in game.rules.ENDS if word not in COMMON_ENDS[:2]]
    return [
        Measure(
            f"end_{word}", word.replace("_", " ").capitalize(), f"games that ended by `{word}`", SHARE,
            partial(ended_by, word), ENDINGS, OURS, applies=partial(can_end_by, word), traced=False,
        )
        for word in words
    ]  # fmt: skip


def ended_by(word: str, game: Played) -> bool:
    """Whether a game ended in this way."""
    return game.end == word


def can_end_by(word: str, game: Game, values: dict[str, Any]) -> bool:
    """Whether an ending is possible with these option values: repetition may be off, or forbidden."""
    return word != "repetition" or ends_by_repetition(values)


@family
def events(game: Game, seats: int) -> list[Measure]:
    """Two measures for each of the game's ``evaluation.EVENTS``."""
    measures = []
    for word in game.evaluation.EVENTS:
        title = word.replace("_", " ").capitalize()
        readme = f"`{word}` in the game's README"
        measures += [
            Measure(
                f"event_{word}", title, f"{readme}, per game", count_of("per game"), partial(times, word), EVENTS, OURS,
                traced=False,
            ),
            Measure(
                f"games_with_{word}", f"{title}, games", f"games in which {readme} occurs", SHARE,
                partial(occurs, word), EVENTS, OURS, traced=False,
            ),
        ]  # fmt: skip
    return measures


def times(word: str, game: Played) -> int:
    """How often an event happened."""
    return game.events[word]


def occurs(word: str, game: Played) -> bool:
    """Whether an event happened."""
    return game.events[word] > 0


@on_board(
    "positions", title="Different boards",
    kind=mean_of("boards", low=1), source="Ludii, the states of StateSpaceComplexity that one game visits",
)  # fmt: skip
def positions(game: Played) -> int:
    """Boards per game that differ from all earlier ones."""
    return int(game.trace.boards)


@on_board(
    "repetition", title="Repetition", kind=count_of("in 100", 1), tested=True, source="Ludii, PositionalRepetition"
)
def repetition(game: Played) -> float:
    """Percentage of boards that the same game had shown before."""
    return 100 * (1 - game.trace.boards / len(game.trace.keys))


@on_board("threefold", title="Ply of the first threefold", kind=mean_of("plies", low=0), source=OURS)
def threefold(game: Played) -> int | None:
    """Plies until a board is there for the third time, over games that have such a board."""
    times: Counter[int] = Counter()
    for ply, key in enumerate(game.trace.keys.tolist()):
        times[key] += 1
        if times[key] == 3:
            return ply
    return None


@on_board("shuffles", title="Games with a threefold", kind=SHARE, source=OURS)
def shuffles(game: Played) -> bool:
    """Share of games in which a board is there for the third time, whether or not the rules end them."""
    return threefold(game) is not None


@on_board(
    "irreversible", title="Irreversible plies", kind=PERCENT, source=OURS,
    applies=lambda game, values: not game.rules.DICE,  # with dice, rules mark no such plies
)  # fmt: skip
def irreversible(game: Played) -> float | None:
    """Percentage of plies, but the last, after which no earlier position can come again."""
    return 100 * game.trace.irreversible / (game.plies - 1) if game.plies > 1 else None


@on_board("coverage", title="Board coverage", kind=PERCENT, source="after Ludii, BoardCoverageDefault")
def coverage(game: Played) -> float:
    """Percentage of the cells of the board's planes on which anything changed in the game."""
    return 100 * game.trace.used / game.trace.cells


@on_board("distance", title="Distance moved", kind=mean_of("cells", 2, 0), source="after Ludii, MoveDistance")
def distance(game: Played) -> float | None:
    """Greatest distance between cells that a ply changes, in king's moves, over plies that change several."""
    moved = game.trace.distance[game.trace.changed > 1]
    return int(moved.sum()) / len(moved) if len(moved) else None


@on_board("changed", title="Cells changed", kind=mean_of("cells", 2, 0), source=OURS)
def changed(game: Played) -> float:
    """Cells of the board that change in a ply."""
    return int(game.trace.changed.sum()) / len(game.trace.changed)


def leads(game: Played) -> NDArray[np.float32]:
    """The lead of every seat at the start and after every ply that did not end the game by its rules: (L, P)."""
    all_leads: NDArray[np.float32] = game.trace.leads
    return all_leads if game.truncated else all_leads[:-1]


@evaluated(
    "lead_changes", traced=False, title="Lead changes", kind=count_of("per game"), tested=True,
    source=f"{BROWNE}; Ludii, LeadChange",
)  # fmt: skip
def lead_changes(game: Played) -> int:
    """How often another seat took the lead."""
    return game.lead_changes


@evaluated(
    "drama", title="Drama", kind=mean_of("of 2", 2, 0, 2), tested=True, source=f"after {BROWNE}; Ludii, Drama average"
)
def drama(game: Played) -> float | None:
    """How far the eventual winner was behind, averaged over the positions of a decided game."""
    return None if game.winner < 0 else float(np.maximum(-leads(game)[:, game.winner], 0).mean())


@evaluated("comeback", title="Winner behind", kind=PERCENT, source=f"{BROWNE}, the frequency part of drama")
def comeback(game: Played) -> float | None:
    """Percentage of the positions of a decided game in which the eventual winner was behind."""
    if game.winner < 0:
        return None
    margins = leads(game)[:, game.winner]
    return 100 * (np.count_nonzero(margins < 0) / len(margins))


@evaluated("uncertainty", title="Uncertainty", kind=PERCENT, source=f"after {BROWNE}")
def uncertainty(game: Played) -> float | None:
    """Percentage of positions in which the lead is less than half of the greatest lead of the game."""
    margins = leads(game).max(axis=1)
    greatest = margins.max()
    return 100 * (np.count_nonzero(margins < greatest / 2) / len(margins)) if greatest > 0 else None


@evaluated("decisiveness", title="Decided after", kind=PERCENT, source=f"{BROWNE}; Ludii, DecisivenessMoves")
def decisiveness(game: Played) -> float | None:
    """Percentage of a decided game before the winner's potential first exceeds every potential of any loser."""
    if game.winner < 0:
        return None
    potentials = game.trace.potentials[:-1]
    threshold = potentials[:, [seat for seat in range(potentials.shape[1]) if seat != game.winner]].max()
    above = np.flatnonzero(potentials[:, game.winner] > threshold)
    return 100 * float(above[0] if len(above) else len(potentials)) / len(potentials)


@evaluated("killer_moves", title="Killer moves", kind=mean_of("of 2", 2, 0, 2), source=BROWNE)
def killer_moves(game: Played) -> float | None:
    """The greatest gain in lead that one ply of a game brings the seat that plays it."""
    gains = gains_of(game)
    return float(gains.max()) if len(gains) else None


@evaluated("permanence", title="Permanence", kind=PERCENT, source=f"after {BROWNE}")
def permanence(game: Played) -> float | None:
    """Percentage of the gains in lead that is left after the next ply."""
    margins = leads(game)
    rows = np.arange(max(len(margins) - 2, 0))
    seats = game.trace.seats[: len(rows)]
    gains, lost = gains_of(game)[: len(rows)], margins[rows + 1, seats] - margins[rows + 2, seats]
    gained = gains > 0
    if not gained.any():
        return None
    return 100 * float(1 - np.clip(lost[gained], 0, gains[gained]).sum() / gains[gained].sum())


def gains_of(game: Played) -> NDArray[np.float32]:
    """The gain in lead by each ply for the seat that plays it, without a last ply that ends the game."""
    return game.trace.gains[: len(leads(game)) - 1]
