"""A game without an ``evaluation.py``: no events, no potential, and `greedy` wins where it can."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import parlour
from parlour.engine.game import Game
from parlour.interfaces import registry
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.players.simulate import game_seeds, play_games
from parlour.rulebook import no_evaluation
from parlour.testing import run_check, subjects_of
from parlour.wrappers import BatchPotentialShaping, EventReward, PotentialShaping
from tests.support.cases import SEARCHING


@pytest.fixture(scope="module")
def starter() -> Iterator[Game]:
    """Take one to three counters; the last one wins, or loses. It is known while these tests run alone."""
    before = dict(registry._GAMES)
    yield parlour.register("parlour.testing.starter")
    registry._GAMES.clear()
    registry._GAMES.update(before)


@pytest.mark.parametrize(("variant", "plays"), [("starter", {"take 3"}), ("misere", {"take 1", "take 2"})])
def test_greedy_plays_a_ply_that_wins_at_once_and_none_that_loses(starter: Game, variant: str, plays: set[str]) -> None:
    """With three counters left; among the rest it draws."""
    env = parlour.make(starter.id, variant=variant)
    greedy, actions = parse_player("greedy"), np.zeros(1, np.int64)
    played = set()
    for seed in range(30):
        env.reset(seed=seed, options={"position": "3 second"})
        env.games.greedy(actions, np.ones(1, np.bool_))
        played.add(env.move_name(int(actions[0])))
    assert played == plays
    values = starter.resolve(variant, {})[1]
    results = play_games(starter, values, [greedy, parse_player("random")], game_seeds(1, 300))
    assert (results.winners == 0).mean() > 0.55  # better than either seat of random play
    assert results.events.shape == (300, 0)


def test_what_needs_an_evaluation_says_so(starter: Game) -> None:
    assert starter.evaluation.EVENTS == ()
    assert not starter.has_potential
    for wrap in (
        lambda: PotentialShaping(parlour.make(starter.id)),
        lambda: BatchPotentialShaping(parlour.make_batch(starter.id, 2)),
    ):
        with pytest.raises(ValueError, match=r"starter-v0 has no potential: its evaluation\.py defines none"):
            wrap()
    PotentialShaping(parlour.make(starter.id), potential=lambda env, seat: 0.0)
    with pytest.raises(ValueError, match="starter-v0 has no event 'won'; events: none"):
        EventReward(parlour.make(starter.id), {"won": 1.0})


def test_searches_play_it(starter: Game) -> None:
    """With 21 counters, who moves first and leaves multiples of four wins."""
    values = starter.resolve(None, {})[1]
    results = play_games(starter, values, [parse_player("mcts:200"), parse_player("random")], game_seeds(2, 30))
    assert (results.winners == 0).mean() > 0.8


@pytest.mark.parametrize("check", SEARCHING)
def test_it_passes_the_checks_that_compile_searches(check: str) -> None:
    for subject in subjects_of("parlour.testing.starter", games=2):
        run_check(check, subject)


def test_parts_that_are_left_out_are_the_same_as_others() -> None:
    game = find("checkers-v0").evaluation
    assert game.is_sharp is game.is_forcing
    assert no_evaluation.with_defaults({})["heuristic_value"] is no_evaluation.potential
    own = {"potential": game.potential, "is_sharp": game.wins_at_once}
    parts = no_evaluation.with_defaults(own)
    assert parts["heuristic_value"] is game.potential
    assert parts["is_sharp"] is game.wins_at_once
