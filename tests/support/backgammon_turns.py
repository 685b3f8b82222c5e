"""Whole turns of Backgammon, through the compiled rules alone: what other programs are compared with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.game import load_game
from parlour.rulebook.state_records import copied, records

GAME = load_game("parlour.envs.backgammon")
ACTIONS = GAME.rules.PASS + 1
Position = tuple[int, ...]
"""Of the seat that has played, then of the other: men on the bar, then on each of its steps. The rest are off."""


def variant_of(**options: Any) -> Any:
    """The variant record of these options."""
    variant = records(1, GAME.variant_dtype)[0]
    GAME.fill_variant(variant, GAME.resolve("standard", options)[1])
    return variant


def start(variant: Any, seat: int) -> Any:
    """One state record: the start of a game that ``seat`` begins; a throw is due."""
    states = records(1, GAME.rules.STATE)
    GAME.rules.setup(states[0], variant)
    states["opening"], states["due"], states["to_act"] = -1, 2, seat
    return states


def throw(states: Any, variant: Any, faces: tuple[int, int]) -> None:
    """Takes a throw."""
    GAME.rules.throw(states[0], variant, np.array(faces, np.int8), np.zeros(2))


def position_of(states: Any, seat: int) -> Position:
    """As ``seat`` sees it."""
    men, bar, other = states["men"][0].tolist(), states["bar"][0].tolist(), 1 - seat
    return (bar[seat], *men[seat], bar[other], *men[other])


class After(NamedTuple):
    """Where a turn has ended."""

    states: Any
    """one state record"""
    reward: float
    """of the seat that has played"""
    actions: tuple[int, ...]
    """a way to play it"""


def after_turn(states: Any, variant: Any) -> dict[Position, After]:
    """Every position that the turn of the seat to act can end in."""
    seat, rules = int(states["to_act"][0]), GAME.rules
    waiting: list[tuple[Any, tuple[int, ...]]] = [(states, ())]
    seen, found = {states.tobytes()}, {}
    actions, rewards = np.zeros(ACTIONS, np.int32), np.zeros(2)
    while waiting:
        before, played = waiting.pop()
        for action in actions[: rules.moves(before[0], variant, actions)].tolist():
            after = copied(before)
            rewards[:] = 0
            rules.apply(after[0], variant, action, rewards)
            if after["turn_over"][0]:
                found[position_of(after, seat)] = After(after, float(rewards[seat]), (*played, action))
            elif after.tobytes() not in seen:
                seen.add(after.tobytes())
                waiting.append((after, (*played, action)))
    return found
