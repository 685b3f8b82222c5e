"""Measures by the game's own evaluation, the potential: leads, drama, decisive plies.

The lead of a seat is its potential minus the highest potential of the other seats. Positions after an end by the rules
have the potential 0 and are left out. These measures are only as good as the evaluation.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import PERCENT, count_of, mean_of
from parlour.arena.measures.registry import LEADS
from parlour.arena.measures.registry import measure as register
from parlour.arena.setting.game_specs import Played

BROWNE = "Browne, Automatic Generation and Evaluation of Recombination Games, 2008"

measure = partial(register, group=LEADS)


def leads(game: Played) -> NDArray[np.float32]:
    """The lead of every seat at the start and after every ply that did not end the game by its rules: (L, P)."""
    all_leads: NDArray[np.float32] = game.trace.leads
    return all_leads if game.truncated else all_leads[:-1]


@measure(
    "lead_changes", traced=False, title="Lead changes", kind=count_of("per game"), tested=True,
    source=f"{BROWNE}; Ludii, LeadChange",
)  # fmt: skip
def lead_changes(game: Played) -> int:
    """How often another seat took the lead."""
    return game.lead_changes


@measure(
    "drama", title="Drama", kind=mean_of("of 2", 2, 0, 2), tested=True, source=f"after {BROWNE}; Ludii, Drama average"
)
def drama(game: Played) -> float | None:
    """How far the eventual winner was behind, averaged over the positions of a decided game."""
    return None if game.winner < 0 else float(np.maximum(-leads(game)[:, game.winner], 0).mean())


@measure("comeback", title="Winner behind", kind=PERCENT, source=f"{BROWNE}, the frequency part of drama")
def comeback(game: Played) -> float | None:
    """Percentage of the positions of a decided game in which the eventual winner was behind."""
    if game.winner < 0:
        return None
    lead = leads(game)[:, game.winner]
    return 100 * (np.count_nonzero(lead < 0) / len(lead))


@measure("uncertainty", title="Uncertainty", kind=PERCENT, source=f"after {BROWNE}")
def uncertainty(game: Played) -> float | None:
    """Percentage of positions in which the lead is less than half of the greatest lead of the game."""
    lead = leads(game).max(axis=1)
    greatest = lead.max()
    return 100 * (np.count_nonzero(lead < greatest / 2) / len(lead)) if greatest > 0 else None


@measure("decisiveness", title="Decided after", kind=PERCENT, source=f"{BROWNE}; Ludii, DecisivenessMoves")
def decisiveness(game: Played) -> float | None:
    """Percentage of a decided game before the winner's potential first exceeds every potential of any loser."""
    if game.winner < 0:
        return None
    potentials = game.trace.potentials[:-1]
    threshold = potentials[:, [seat for seat in range(potentials.shape[1]) if seat != game.winner]].max()
    above = np.flatnonzero(potentials[:, game.winner] > threshold)
    return 100 * float(above[0] if len(above) else len(potentials)) / len(potentials)


@measure("killer_moves", title="Killer moves", kind=mean_of("of 2", 2, 0, 2), source=BROWNE)
def killer_moves(game: Played) -> float | None:
    """The greatest gain in lead that one ply of a game brings the seat that plays it."""
    gains = gains_of(game)
    return float(gains.max()) if len(gains) else None


@measure("permanence", title="Permanence", kind=PERCENT, source=f"after {BROWNE}")
def permanence(game: Played) -> float | None:
    """Percentage of the gains in lead that is left after the next ply."""
    lead = leads(game)
    rows = np.arange(max(len(lead) - 2, 0))
    seats = game.trace.seats[: len(rows)]
    gains, lost = gains_of(game)[: len(rows)], lead[rows + 1, seats] - lead[rows + 2, seats]
    gained = gains > 0
    if not gained.any():
        return None
    return 100 * float(1 - np.clip(lost[gained], 0, gains[gained]).sum() / gains[gained].sum())


def gains_of(game: Played) -> NDArray[np.float32]:
    """The gain in lead by each ply for the seat that plays it, without a last ply that ends the game."""
    return game.trace.gains[: len(leads(game)) - 1]
