"""Measures of skill and chance: a weaker player against a stronger one, and search against twice as much search."""

from __future__ import annotations

from functools import partial
from typing import Any

from parlour.arena.measures.kinds import ELO, NORMALISED_ELO, SCORE, SHARE, mean_of
from parlour.arena.measures.registry import OURS, SKILL, SKILL_AND_CHANCE, SKILL_TRACE, TRACE, Pair
from parlour.arena.measures.registry import measure as register
from parlour.arena.setting.game_specs import DRAW, Played, points
from parlour.engine.game import Game

PAIRED = "the two games of a pair have the same dice and exchanged seats"

measure = partial(register, group=SKILL_AND_CHANCE)


def has_dice(game: Game, values: dict[str, Any]) -> bool:
    """Whether the game has dice."""
    return bool(game.rules.DICE)


def stronger_score(pair: Pair) -> float:
    """The mean score of the stronger player in the two games."""
    return sum(points(pair.stronger, game) for game in pair.games) / 2


measure(
    "skill",
    series=SKILL,
    title="Score of the stronger player",
    meaning="the mean score of the stronger player",
    kind=SCORE,
    source=OURS,
    tested=True,
    even_at=DRAW,
)(stronger_score)
measure(
    "skill_elo",
    series=SKILL,
    title="Lead of the stronger player",
    meaning="the score of the stronger player as a difference in Elo points",
    kind=ELO,
    source="Elo 1978",
)(stronger_score)
measure(
    "skill_nelo",
    series=SKILL,
    title="Lead in normalised Elo",
    kind=NORMALISED_ELO,
    meaning="the same lead in units of a game's standard deviation, so that draws do not shrink it",
    source="Van den Bergh 2020",
)(stronger_score)


@measure(
    "same_seat",
    series=SKILL,
    title="Decided by the dice",
    kind=SHARE,
    tested=True,
    applies=has_dice,
    meaning=f"pairs in which one seat won both games, whichever player had it; {PAIRED}",
    source=OURS,
)
def same_seat(pair: Pair) -> bool:
    """Whether one seat won both games, whichever player had it."""
    first, second = (game.winner for game in pair.games)
    return first == second >= 0


@measure(
    "same_player",
    series=SKILL,
    title="Decided by the players",
    kind=SHARE,
    tested=True,
    applies=has_dice,
    meaning=f"pairs in which one player won both games, in either seat; {PAIRED}",
    source=OURS,
)
def same_player(pair: Pair) -> bool:
    """Whether one player won both games, in either seat."""
    names = [game.spec.players[game.winner] if game.winner >= 0 else "" for game in pair.games]
    return names[0] == names[1] != ""


@measure(
    "regret", traced=False, exact=True, title="Regret", kind=mean_of("a choice", 5, 0), tested=True, source=OURS,
)  # fmt: skip
def regret(game: Played) -> float | None:
    """What a choice gives away of the exact value on average, where the table has it."""
    lost = [one.lost for one in game.regrets]
    return sum(lost) / len(lost) if lost else None


measure(
    "skill_trace",
    group=SKILL_TRACE,
    series=TRACE,
    title="Elo per doubling",
    kind=ELO,
    meaning="the Elo gain from twice as much search",
    source="Ludii, SkillTrace, with intervals",
)(stronger_score)
