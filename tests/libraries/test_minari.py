"""Minari reads what `Dataset.to_minari` writes: an episode for each seat of each game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

minari = pytest.importorskip("minari", reason="Minari is not installed")

import parlour
from parlour.players.simulate import game_seeds
from tests.support.cases import GAMES

pytestmark = pytest.mark.filterwarnings("ignore:.*is set to None:UserWarning", "ignore:env_spec is None:UserWarning")
NAME = "parlour/games/expert-v0"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))


def episodes_of(loaded: Any) -> list[Any]:
    return list(loaded.iterate_episodes())


@pytest.mark.parametrize("game", GAMES)
def test_what_is_loaded_was_played(game: str) -> None:
    """Of each seat what it saw, what it played, and what it got until its next ply."""
    data = parlour.dataset(game, player="greedy", games=2, noise=0.3, seed=4, max_plies=40)
    data.to_minari(NAME, author="the authors")
    loaded = minari.load_dataset(NAME)
    own = list(data.episodes())
    assert (loaded.total_episodes, loaded.total_steps) == (len(own), len(data))
    for episode, plies in zip(episodes_of(loaded), own, strict=True):
        assert np.array_equal(episode.observations["observation"][:-1], data.observation[plies])
        assert np.array_equal(episode.observations["action_mask"][:-1] == 1, data.action_mask[plies])
        assert not episode.observations["action_mask"][-1].any()
        assert np.array_equal(episode.actions, data.played[plies])
        assert np.array_equal(episode.infos["expert_action"][:-1], data.action[plies])
        assert set(episode.infos["seat"]) == set(data.seat[plies])
        assert set(episode.infos["game"]) == set(data.game[plies])
        assert np.allclose(episode.rewards[::-1].cumsum()[::-1], data.returns[plies])
        cut_off = bool(data.truncated[plies[0]])
        assert (episode.terminations[-1], episode.truncations[-1]) == (not cut_off, cut_off)
        assert not (episode.terminations | episode.truncations)[:-1].any()


def test_rewards_come_when_they_are_paid() -> None:
    """In a game that pays all the time: those from each ply to the seat's next one."""
    data = parlour.dataset("crown_and_anchor-v0", player="random", games=1, seed=4, noise=0, max_plies=60)
    data.to_minari(NAME)
    env = parlour.make("crown_and_anchor-v0", max_plies=60).unwrapped
    env.reset(seed=game_seeds(4, 1)[0])
    got: list[list[float]] = [[] for _ in env.possible_agents]
    for action, seat in zip(data.played, data.seat):
        got[seat].append(0.0)
        env.step(int(action))
        for one, reward in zip(got, env.rewards.values()):
            if one:
                one[-1] += reward
    for episode in episodes_of(minari.load_dataset(NAME)):
        assert np.allclose(episode.rewards, got[episode.infos["seat"][0]], atol=1e-5)


def test_the_environment_comes_back() -> None:
    """The same game and options, against the expert."""
    data = parlour.dataset("royal_ur-v0", player="greedy", games=2, seed=4, variant="masters", men=3)
    loaded = data.to_minari(NAME)
    env = loaded.recover_environment()
    assert env.observation_space == loaded.observation_space
    assert env.action_space == loaded.action_space
    game = env.unwrapped.env.unwrapped
    assert (game.variant, game.values["men"]) == ("masters", 3)
    assert "opponent" not in gymnasium.spec("parlour/RoyalUr-v0").kwargs  # the registered one is as before
    assert loaded.spec.env_spec.kwargs["opponent"] == "greedy"
    env.close()


def test_other_inputs_and_recorded_games(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text('[Result "1-0"]\n1. 11-15 23-18 2. 8-11 27-23 1-0\n')
    parlour.dataset.from_records(file, inputs="thermometer").to_minari(NAME)
    black, white = episodes_of(minari.load_dataset(NAME))
    assert black.observations["observation"].dtype == np.float32
    assert (black.rewards.tolist(), white.rewards.tolist()) == ([0, 1], [0, -1])
    with pytest.raises(ValueError, match="already exists"):
        parlour.dataset.from_records(file).to_minari(NAME)
