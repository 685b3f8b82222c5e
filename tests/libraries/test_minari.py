"""Minari reads what `Dataset.to_minari` writes: an episode for each seat of each game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

minari = pytest.importorskip("minari", reason="Minari is not installed")

import parlour
from parlour.players import parse_player
from parlour.players.simulate import game_seeds
from parlour.records import record_game, write_records
from tests.support.cases import GAMES
from tests.support.command_line import Run, check_refused

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
        assert np.array_equal(episode.infos["value"][:-1], data.value[plies], equal_nan=True)
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
    """The same game and options, against whom one likes."""
    data = parlour.dataset("royal_ur-v0", player="greedy", games=2, seed=4, variant="masters", men=3)
    loaded = data.to_minari(NAME)
    env = loaded.recover_environment(opponent="greedy")
    assert env.observation_space == loaded.observation_space
    assert env.action_space == loaded.action_space
    game = env.unwrapped.env.unwrapped
    assert (game.variant, game.values["men"]) == ("masters", 3)
    assert gymnasium.spec("parlour/RoyalUr-v0").kwargs == {"game": "royal_ur-v0"}  # the registered one is as before
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


# --- the command ---

UR = ("dataset", "royal_ur", "--variant", "finkel", "-o", "men=2", "--player", "greedy", "--games", 5, "--seed", 3)


@pytest.mark.usefixtures("_plain_wide_terminal")
@pytest.mark.filterwarnings("default")
def test_the_command_writes_the_same(run: Run) -> None:
    ran = run(*UR, "--noise", 0.2, "--inputs", "features", "--threads", 2, "--out", NAME)
    how: dict[str, Any] = {"variant": "finkel", "player": "greedy", "games": 5, "noise": 0.2, "seed": 3}
    data = parlour.dataset("royal_ur-v0", inputs="features", men=2, **how)
    message = f"{NAME}: {len(data)} positions of 5 games of royal_ur-v0, finkel\n"
    assert (ran.status, ran.out, ran.err) == (0, message, "")
    arrays = [episode.actions for episode in episodes_of(minari.load_dataset(NAME))]
    assert np.array_equal(np.concatenate(arrays), np.concatenate([data.played[plies] for plies in data.episodes()]))
    check_refused(run(*UR, "--out", NAME), NAME, "already exists", "give another version")


@pytest.mark.usefixtures("_plain_wide_terminal")
def test_recorded_games_become_data(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    env = parlour.make("royal_ur-v0", men=2).unwrapped
    write_records(file, [record_game(env, [parse_player("greedy")] * 2, seed) for seed in (1, 2, 1)])
    ran = run("dataset", "royal_ur", "--from", file, "--out", NAME)
    plies = minari.load_dataset(NAME).total_steps
    message = f"{NAME}: {plies} positions of 2 games of royal_ur-v0, {env.variant}; 1 are left out, like others"
    assert ran.out == f"{message} or over within their opening\n"
    other = ("--from", file, "--out", "other-v0")
    check_refused(run("dataset", "agon", *other), "games of royal_ur-v0, not of agon-v0")
    check_refused(run("dataset", "royal_ur", "--noise", 0.1, *other), "--noise can't be given with it")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("dataset", "royal_ur"), ["--out"]),
        ((*UR, "--out", "data/royal_ur"), ["'data/royal_ur' is no id of a Minari data set", "folders"]),
        ((*UR, "--noise", 2, "--out", NAME), ["--noise", "0<=x<=1"]),
        ((*UR, "--player", "nobody", "--out", NAME), ["there is no player 'nobody'"]),
        ((*UR, "--openings", "random:x", "--out", NAME), ["random:PLIES"]),
        (("dataset", "royal_ur", "--from", "no.pdn", "--out", NAME), ["no.pdn"]),
    ],
)
def test_errors_of_the_command_are_a_line(arguments: tuple[object, ...], parts: list[str], run: Run) -> None:
    check_refused(run(*arguments), *parts)
