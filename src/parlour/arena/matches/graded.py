"""Opponents for people: six players of rising strength under the rules of a variant, from beginner to champion."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from parlour.arena.setting.ladder import Rung, changes, read_ladders
from parlour.arena.setting.ladder import rungs as measured_rungs
from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.players.champion import NAME as CHAMPION
from parlour.players.champion import champion_plays
from parlour.support.signed import signed

NAMES = ("beginner", "easy", "medium", "hard", "expert", "champion")
EASY = NAMES[1]
"""The opponent of people who name none."""
UNMEASURED = ("random", "greedy", "mcts:50", "expectimax:2", "mcts:0.5s")
STRONGEST = "expectimax:1s"
MEDIUM = 50
"""The simulations of a tree search of medium strength, where strengths are not measured."""
SIMULATIONS = re.compile(r"mcts:(\d+)(:.*)?")


@dataclass(frozen=True)
class Grade:
    """A player to choose: its name in words, its technical name, and what to say of its strength; may be empty."""

    name: str
    player: str
    note: str = ""


@lru_cache(maxsize=256)
def grades(game: Game, variant: str) -> tuple[tuple[Grade, ...], str]:
    """The six players for a variant, and how their order is known: by the variant's measured ladder; by that of another
    variant, if the champion plays both; or by how far the players look ahead. ValueError for an unknown variant."""
    measured, known = measured_rungs(game, variant), champion_plays(game, [game.resolve(variant, {})[1]])
    if len(measured) >= len(NAMES):
        zero = next((rung.player for rung in measured if rung.elo == 0), measured[0].player)
        told = f"Strengths are measured under the rules of {variant}: Elo above the player {zero}."
        return tuple(Grade(name, rung.player, _elo(rung)) for name, rung in zip(NAMES, _spaced(measured))), told
    ladders = ((other.name, measured_rungs(game, other.name)) for other in game.variants if known)
    for other, rungs in ladders:
        if len(rungs) >= len(NAMES):
            told = f"Strengths are not measured under these rules: the players are those of {other}, in its order."
            return tuple(Grade(name, rung.player) for name, rung in zip(NAMES, _spaced(rungs))), told
    top = CHAMPION if known else STRONGEST
    told = "Strengths are not measured: the players are in the order of how far they look ahead."
    return tuple(Grade(name, player) for name, player in zip(NAMES, (*UNMEASURED, top))), told


def is_weak(player: str) -> bool:
    """Whether a player is weak in any game, by its name: what happens in its games says little of better play."""
    search = SIMULATIONS.fullmatch(player)
    return player == UNMEASURED[0] or (search is not None and int(search[1]) < MEDIUM)


def strength(game: Game, ruleset: Ruleset, player: str) -> str:
    """How strong a player is, in a few words, if it stands on the ladder of these rules, and that still fits; else
    empty."""
    ladder = None if ruleset.overrides else read_ladders(game).get(ruleset.variant)
    if ladder is None or player not in ladder.names or changes(ladder, game, ruleset):
        return ""
    own, best = ladder.rungs[ladder.names.index(player)], ladder.rungs[-1]
    beside = "the best there" if own is best else f"the best there has {signed(best.elo, 0)}"
    return f"{_elo(own)} on the ladder of {ladder.variant} ({beside})"


def in_words(game: Game, variant: str, player: str) -> str:
    """What people call a player: the grade that it has under a variant's rules, or else its name."""
    return next((grade.name for grade in grades(game, variant)[0] if grade.player == player), player)


def _spaced(rungs: list[Rung]) -> list[Rung]:
    """Six rungs, evenly spaced from the weakest to the strongest."""
    chosen, left = [], list(rungs)
    low, high = rungs[0].elo, rungs[-1].elo
    for k in range(len(NAMES)):
        wanted = low + (high - low) * k / (len(NAMES) - 1)
        enough = left[: len(left) - (len(NAMES) - 1 - k)]  # each later one needs a rung as well
        rung = min(enough, key=lambda one: abs(one.elo - wanted))
        chosen.append(rung)
        left = left[left.index(rung) + 1 :]
    return chosen


def _elo(rung: Rung) -> str:
    return f"Elo {signed(rung.elo, 0)}"
