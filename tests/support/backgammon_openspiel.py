"""Backgammon here and in OpenSpiel, turn by turn: the same throws, the same positions after the whole turn."""

from __future__ import annotations

import random
from typing import Any

from tests.support.backgammon_turns import Position, after_turn, position_of, start, throw, variant_of

BAR = 100  # their number for it
OPTIONS = {"standard": "hyper_backgammon=false", "hyper": "hyper_backgammon=true"}
MOST_TURNS = 10_000


def their_game(setup: str) -> Any:
    """OpenSpiel's game, with gammons and backgammons counted."""
    import pyspiel

    return pyspiel.load_game(f"backgammon({OPTIONS[setup]},scoring_type=full_scoring,max_player_turns={MOST_TURNS})")


def their_position(state: Any, seat: int) -> Position:
    """As ``seat`` sees it. Their player 0 moves up the board, so that its places are its steps."""
    at, first, second = state.board, seat, 1 - seat
    places = range(24) if seat == 0 else range(23, -1, -1)
    own = [at(first, BAR), *[at(first, place) for place in places]]
    return (*own, at(second, BAR), *[at(second, place) for place in reversed(places)])


def their_turns(state: Any, seat: int) -> dict[Position, Any]:
    """Every position after the whole turn: a double is two actions of theirs."""
    found, seen, waiting = [], set(), [state]
    while waiting:
        before = waiting.pop()
        for action in before.legal_actions():
            after = before.child(action)
            text = str(after)  # the whole board; quicker than its places one by one
            if text in seen:
                continue
            seen.add(text)
            (found if after.is_terminal() or after.current_player() != seat else waiting).append(after)
    return {their_position(after, seat): after for after in found}


def faces_of(state: Any, outcome: int) -> tuple[int, int]:
    """The throw of one of their chance outcomes."""
    text = state.action_to_string(outcome).rpartition("roll: ")[2]
    return int(text[0]), int(text[1])


def compare(setup: str, seed: int) -> int:
    """One random game in both. Returns how many turns were compared; AssertionError where they differ."""
    rng, variant = random.Random(seed), variant_of(setup=setup)
    theirs = their_game(setup).new_initial_state()
    ours, turns = None, 0
    while not theirs.is_terminal():
        outcome = rng.choice([outcome for outcome, _ in theirs.chance_outcomes()])
        faces = faces_of(theirs, outcome)
        theirs.apply_action(outcome)
        seat = theirs.current_player()
        if ours is None:
            ours = start(variant, seat)
        assert ours["to_act"][0] == seat
        throw(ours, variant, faces)
        before = position_of(ours, seat)
        assert before == their_position(theirs, seat)
        found, expected = after_turn(ours, variant), their_turns(theirs, seat)
        assert found.keys() == expected.keys(), (before, faces, found.keys() ^ expected.keys())
        turns += 1
        chosen = rng.choice(sorted(found))
        (ours, reward, _), theirs = found[chosen], expected[chosen]
        if setup == "standard" and theirs.is_terminal():  # in hypergammon 2.0.2 never pays: it waits for 15 men off
            assert reward == theirs.returns()[seat]
        assert bool(reward) == theirs.is_terminal()
    return turns
