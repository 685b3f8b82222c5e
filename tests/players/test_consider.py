"""What players tell of a position: the same shape for all that can."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.players import Analysis, Considering, GamesView, parse_player
from tests.players.test_network_player import network
from tests.support import games

CHECKERS, ACEY, PIG = "checkers-v0", "acey_ducey-v0", "pig-v0"
JUMPS = "B:W18,K25,32:B4,K14,15"


begun = partial(games.begun, seed=2, illegal_move="raise")


def considered(name: str, env: Any) -> Analysis:
    player = parse_player(name, env.games.game)
    assert isinstance(player, Considering)
    return player.consider(GamesView(env.games))


def assert_sound(analysis: Analysis, env: Any, judges: bool) -> None:
    """Probabilities and values are what `Analysis` says, and the variation can be played."""
    mask, seats = env.games.action_mask[0], env.games.layout.seats
    assert analysis.probabilities.shape == mask.shape
    assert analysis.probabilities.dtype == np.float64
    assert (analysis.probabilities >= 0).all()
    assert (analysis.probabilities[mask == 0] == 0).all()
    assert analysis.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert (analysis.values is not None) == judges
    if analysis.values is not None:
        assert analysis.values.shape == (seats,)
        assert np.isfinite(analysis.values).all()
    for action in analysis.principal_variation:
        env.step(action)
    assert analysis.principal_variation


@pytest.mark.parametrize("game", [CHECKERS, ACEY, PIG])
@pytest.mark.parametrize(
    ("name", "judges"), [("random", False), ("greedy", False), ("mcts:40", True), ("expectimax:2", True)]
)
def test_players_without_a_network(name: str, judges: bool, game: str) -> None:
    env = begun(game)
    assert_sound(considered(name, env), env, judges)


@pytest.mark.parametrize("game", [CHECKERS, ACEY])
@pytest.mark.parametrize(("kind", "judges"), [("policy:{}", False), ("policy:{}:sample", False), ("az:{}:20", True)])
def test_players_with_a_network(kind: str, judges: bool, game: str, tmp_path: Path) -> None:
    env, file = begun(game), network(tmp_path / "some.onnx", game)
    assert_sound(considered(kind.format(file), env), env, judges)


def test_greedy_favours_the_best_alike() -> None:
    """It takes whichever of them chance has it."""
    env = begun(CHECKERS)
    favoured = np.flatnonzero(considered("greedy", env).probabilities)
    player, view, taken, actions = parse_player("greedy"), GamesView(env.games), set(), np.zeros(1, np.int64)
    for _ in range(60):
        player.choose(view, np.ones(1, np.bool_), actions)
        taken.add(int(actions[0]))
    assert taken == set(favoured.tolist())
    assert len(taken) > 1


def test_mcts_sees_a_win_and_plays_the_line() -> None:
    """A jump that takes the last man: all agree that it is worth 1, and nothing comes after it."""
    env = begun(CHECKERS, position="B:W18:B14")
    analysis = considered("mcts:50", env)
    assert [env.move_name(action) for action in analysis.principal_variation] == ["14x23"]
    assert analysis.values is not None
    assert analysis.values.tolist() == [1, -1]
    assert analysis.nodes == 50


def test_a_longer_line_of_mcts_is_what_was_visited_most() -> None:
    env = begun(CHECKERS, position=JUMPS)
    analysis = considered("mcts:2000", env)
    assert len(analysis.principal_variation) > 3
    assert analysis.principal_variation[0] == analysis.probabilities.argmax()


@pytest.mark.parametrize("name", ["random", "greedy", "mcts:5", "expectimax:1"])
def test_nothing_is_to_be_considered_after_the_end(name: str) -> None:
    env = begun(CHECKERS, position="B:W18:B14")
    env.step(env.parse_move("14x23"))
    assert env.is_over()
    with pytest.raises(ValueError, match="the game in row 0 is over"):
        considered(name, env)
    with pytest.raises(ValueError, match="there is no row 1; rows: 0 to 0"):
        parse_player(name).consider(GamesView(env.games), 1)  # type: ignore[attr-defined]
