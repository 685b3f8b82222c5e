"""Measures of outcomes: who wins, draws, truncations, and the advantage of the first seat and of the seat that begins.

Where a throw decides who begins, both seats are alike before it, and the score of the first seat is a half whatever it
is worth to begin.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour.arena.measures.kinds import BALANCE, FAIRNESS, SHARE, UNIFORMITY, count_of
from parlour.arena.measures.registry import OUTCOMES, Measure, family
from parlour.arena.measures.registry import measure as register
from parlour.arena.setting.game_specs import ALIKE, DRAW, Played
from parlour.engine.game import Game

LUDII = "Ludii"
FIRST_SEAT, SEAT_THAT_BEGINS = "first_seat", "seat_that_begins"

measure = partial(register, group=OUTCOMES, traced=False)


def can_be_truncated(game: Game, values: dict[str, Any]) -> bool:
    """Whether these option values limit the plies."""
    return bool(values.get("max_plies"))


@measure("undecided", title="Undecided games", kind=SHARE, tested=True, source=f"{LUDII}, one minus Completion")
def undecided(game: Played) -> bool:
    """Games without a winner, drawn or truncated."""
    return game.winner < 0


@measure("drawn", title="Drawn games", kind=SHARE, source=f"{LUDII}, Drawishness")
def drawn(game: Played) -> bool:
    """Games that ended by the rules without a winner."""
    return game.winner < 0 and not game.truncated


@measure("truncated", title="Truncated games", kind=SHARE, source=f"{LUDII}, Timeouts", applies=can_be_truncated)
def truncated(game: Played) -> bool:
    """Games that max_plies ended."""
    return game.truncated


@family
def wins(game: Game, seats: int) -> list[Measure]:
    """The share of games that each seat won."""
    names = [game.seat_name(seat) for seat in range(seats)]
    return [
        Measure(
            f"win_{seat}", f"{name} wins", f"games that {name} alone won", SHARE, partial(won_by, seat), OUTCOMES,
            f"{LUDII}, AdvantageP1, for each seat", traced=False,
        )
        for seat, name in enumerate(names)
    ]  # fmt: skip


def won_by(seat: int, game: Played) -> bool:
    """Whether a seat alone won."""
    return game.winner == seat


@family
def first_seat(game: Game, seats: int) -> list[Measure]:
    """The score of the first seat against the others."""
    name = game.seat_name(0)
    meaning = f"the score of {name}, seat 0, where a draw is ½"
    return [
        Measure(
            FIRST_SEAT,
            f"Score of {name}",
            meaning,
            FAIRNESS,
            partial(seat_score, 0),
            OUTCOMES,
            f"after {LUDII}, AdvantageP1, with draws as halves",
            tested=True,
            even_at=DRAW,
            traced=False,
        )
    ]


@measure(
    SEAT_THAT_BEGINS,
    title="Score of the seat that begins",
    kind=FAIRNESS,
    tested=True,
    even_at=DRAW,
    meaning="the score of the seat that begins, by the throw, where one decides; a draw is ½",
    source=f"after {LUDII}, AdvantageP1, with draws as halves",
)
def beginner_score(game: Played) -> float:
    """The score of the seat that begins."""
    return seat_score(game.begins, game)


def seat_score(seat: int, game: Played) -> float:
    """The score of a seat against the others: 1 for each other seat with a lower return, ½ for each with the same,
    divided by the number of other seats. ½ in a truncated game."""
    if game.truncated:
        return DRAW
    own, others = game.returns[seat], [value for p, value in enumerate(game.returns) if p != seat]
    return sum(DRAW if abs(own - other) < ALIKE else float(own > other) for other in others) / len(others)


@measure("balance", title="Balance", kind=BALANCE, source=f"{LUDII}, Balance")
def winner(game: Played) -> int:
    """One minus the greatest difference between two seats' shares of wins."""
    return game.winner


measure(
    "outcome_uniformity",
    title="Outcome uniformity",
    kind=UNIFORMITY,
    meaning="one minus the variance of the outcome for a seat (win 1, none 0, loss −1), averaged over seats",
    source=f"{LUDII}, OutcomeUniformity",
)(winner)


@measure(
    "score_difference", title="Score difference", kind=count_of("points"), source=f"{LUDII}, ScoreDifference at the end"
)
def score_difference(game: Played) -> float:
    """By how much the highest return exceeds the next."""
    first, second = sorted(game.returns, reverse=True)[:2]
    return first - second
