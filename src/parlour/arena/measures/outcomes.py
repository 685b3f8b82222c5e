"""Measures of outcomes: who wins, draws, truncations, the advantage of a seat; a weaker player against a stronger one,
and search against twice as much search.

Where a throw decides who begins, both seats have the same chances before it. The first seat then scores ½ on average,
even if it is an advantage to begin.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour.arena.measures.kinds import (
    BALANCE,
    ELO,
    FAIRNESS,
    NORMALISED_ELO,
    SCORE,
    SHARE,
    UNIFORMITY,
    count_of,
    mean_of,
)
from parlour.arena.measures.registry import (
    EVEN,
    OURS,
    OUTCOMES,
    SKILL,
    SKILL_AND_CHANCE,
    SKILL_TRACE,
    TRACE,
    Measure,
    Pair,
    family,
    measure,
)
from parlour.arena.setting.plans import ALIKE, DRAW, Played, points
from parlour.engine.game import Game

LUDII = "Ludii"
FIRST_SEAT, SEAT_THAT_BEGINS = "first_seat", "seat_that_begins"

outcome = partial(measure, group=OUTCOMES, traced=False)
skill = partial(measure, group=SKILL_AND_CHANCE, series=SKILL)


@outcome("undecided", title="Undecided games", kind=SHARE, tested=True, source=f"{LUDII}, one minus Completion")
def undecided(game: Played) -> bool:
    """Games without a winner, drawn or truncated."""
    return game.winner < 0


@outcome("drawn", title="Drawn games", kind=SHARE, source=f"{LUDII}, Drawishness")
def drawn(game: Played) -> bool:
    """Games that ended by the rules without a winner."""
    return game.winner < 0 and not game.truncated


@outcome(
    "truncated", title="Truncated games", kind=SHARE, source=f"{LUDII}, Timeouts",
    applies=lambda game, values: bool(values.get("max_plies")),
)  # fmt: skip
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
            FIRST_SEAT, f"Score of {name}", meaning, FAIRNESS, partial(seat_score, 0), OUTCOMES,
            f"after {LUDII}, AdvantageP1, with draws as halves", tested=True, even_at=DRAW, traced=False,
        )
    ]  # fmt: skip


@outcome(
    SEAT_THAT_BEGINS, title="Score of the seat that begins", kind=FAIRNESS, tested=True, even_at=DRAW,
    meaning="the score of the seat that begins, by the throw, where one decides; a draw is ½",
    source=f"after {LUDII}, AdvantageP1, with draws as halves",
)  # fmt: skip
def beginner_score(game: Played) -> float:
    """The score of the seat that begins."""
    return seat_score(game.begins, game)


def seat_score(seat: int, game: Played) -> float:
    """The score of a seat against the others: 1 for each other seat with a lower return, ½ for each with the same,
    divided by the number of other seats. ½ in a truncated game."""
    if game.truncated:
        return DRAW
    result, others = game.returns[seat], [value for p, value in enumerate(game.returns) if p != seat]
    return sum(DRAW if abs(result - other) < ALIKE else float(result > other) for other in others) / len(others)


@outcome("balance", title="Balance", kind=BALANCE, source=f"{LUDII}, Balance")
def winner(game: Played) -> int:
    """One minus the greatest difference between two seats' shares of wins."""
    return game.winner


outcome(
    "outcome_uniformity", title="Outcome uniformity", kind=UNIFORMITY,
    meaning="one minus the variance of the outcome for a seat (win 1, none 0, loss −1), averaged over seats",
    source=f"{LUDII}, OutcomeUniformity",
)(winner)  # fmt: skip


@outcome(
    "score_difference", title="Score difference", kind=count_of("points"), source=f"{LUDII}, ScoreDifference at the end"
)
def score_difference(game: Played) -> float:
    """By how much the highest return exceeds the next."""
    first, second = sorted(game.returns, reverse=True)[:2]
    return first - second


def has_dice(game: Game, values: dict[str, Any]) -> bool:
    """Whether the game has dice."""
    return bool(game.rules.DICE)


def stronger_score(pair: Pair) -> float:
    """The mean score of the stronger player in the two games."""
    return sum(points(pair.stronger, game) for game in pair.games) / 2


skill(
    "skill", title="Score of the stronger player", meaning="the mean score of the stronger player", kind=SCORE,
    source=OURS, tested=True, even_at=DRAW,
)(stronger_score)  # fmt: skip
skill(
    "skill_elo", title="Lead of the stronger player",
    meaning="the score of the stronger player as a difference in Elo points", kind=ELO, source="Elo 1978",
)(stronger_score)  # fmt: skip
skill(
    "skill_nelo", title="Lead in normalised Elo", kind=NORMALISED_ELO,
    meaning="the same lead in units of a game's standard deviation, so that draws do not shrink it",
    source="Van den Bergh 2020",
)(stronger_score)  # fmt: skip


@skill("same_seat", title="Decided by the dice", kind=SHARE, tested=True, applies=has_dice, source=OURS)
def same_seat(pair: Pair) -> bool:
    """Pairs in which one seat won both games, whichever player had it; the two games of a pair have the same dice and
    exchanged seats."""
    first, second = (game.winner for game in pair.games)
    return first == second >= 0


@skill("same_player", title="Decided by the players", kind=SHARE, tested=True, applies=has_dice, source=OURS)
def same_player(pair: Pair) -> bool:
    """Pairs in which one player won both games, in either seat; the two games of a pair have the same dice and
    exchanged seats."""
    names = [game.spec.players[game.winner] if game.winner >= 0 else "" for game in pair.games]
    return names[0] == names[1] != ""


@skill(
    "regret", series=EVEN, traced=False, exact=True, title="Regret", kind=mean_of("a choice", 5, 0), tested=True,
    source=OURS,
)  # fmt: skip
def regret(game: Played) -> float | None:
    """What a choice gives away of the exact value on average, where the table has it."""
    lost = [regret.lost for regret in game.regrets]
    return sum(lost) / len(lost) if lost else None


skill(
    "skill_trace", group=SKILL_TRACE, series=TRACE, title="Elo per doubling", kind=ELO,
    meaning="the Elo gain from twice as much search", source="Ludii, SkillTrace, with intervals",
)(stronger_score)  # fmt: skip
