"""`examples/alphazero.py`: returns worked out by hand, what is learnt from, and every game learnt by the same code."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.players import GamesView, export_torch, parse_player
from parlour.players.search import Gumbel, NetworkSearch

pytest.importorskip("torch", reason="PyTorch (torch) is not installed")

import torch

from examples import alphazero


def network_for(batch: Any, width: int = 16) -> Any:
    torch.manual_seed(0)
    return alphazero.Network(
        batch.single_observation_space["observation"], batch.single_action_space.n, batch.num_seats, width
    )


def test_lambda_returns() -> None:
    """Two games of one seat: one goes on, the other ends with its second ply and begins anew."""
    rewards = np.array([[[0.0], [0.0]], [[0.5], [1.0]], [[0.0], [0.0]]], np.float32)
    values = np.array([[[0.1], [0.2]], [[0.3], [9.0]], [[0.4], [0.6]]])
    over = np.array([[False, False], [False, True], [False, False]])
    found = alphazero.lambda_returns(rewards, values, over, lambda_=0.75)
    third = 0.4
    second = 0.5 + 0.25 * 0.3 + 0.75 * third
    first = 0.25 * 0.1 + 0.75 * second
    assert found[:, 0, 0] == pytest.approx([first, second, third])
    assert found[:, 1, 0] == pytest.approx([0.25 * 0.2 + 0.75 * 1.0, 1.0, 0.6])


def test_lambda_one_is_what_was_paid_and_zero_looks_a_ply_ahead() -> None:
    rng = np.random.default_rng(0)
    rewards, values = rng.normal(size=(5, 2, 3)).astype(np.float32), rng.normal(size=(5, 2, 3))
    over = np.zeros((5, 2), np.bool_)
    over[3, 0] = True
    played = alphazero.lambda_returns(rewards, values, over, lambda_=1.0)
    np.testing.assert_allclose(played[0, 0], rewards[:4, 0].sum(axis=0), rtol=1e-5)
    np.testing.assert_allclose(played[0, 1], rewards[:, 1].sum(axis=0) + values[-1, 1], rtol=1e-5)
    ahead = alphazero.lambda_returns(rewards, values, over, lambda_=0.0)
    np.testing.assert_allclose(ahead, rewards + np.where(over[..., None], 0, values), rtol=1e-6)


def test_the_newest_positions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphazero, "BUFFER", 10)
    monkeypatch.setattr(alphazero, "BATCH", 200)
    buffer = alphazero.ReplayBuffer((1, 1, 1), 1, 1)
    for first in (0, 4, 8):
        numbers = np.arange(first, first + 4)
        buffer.add(*(numbers.reshape(shape) for shape in ((4, 1, 1, 1), (4, 1), (4, 1), (4, 1))))
    observations, masks, policies, values = buffer.sample(np.random.default_rng(0))
    assert set(values[:, 0].tolist()) == set(range(2, 12))
    for other in (observations[:, 0, 0], masks, policies):
        assert torch.equal(other, values)


def test_positions_are_learnt_as_their_seat_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four seats: values that name the seats by their numbers come out with the seat to act first."""
    monkeypatch.setattr(alphazero, "STEPS", 6)
    games = parlour.make_batch("crown_and_anchor-v0", 3, seed=0)
    network = network_for(games)
    self_play = alphazero.SelfPlay(games, NetworkSearch(network.evaluate, 2, keep_tree=False), 0.9)
    monkeypatch.setattr(alphazero, "lambda_returns", lambda rewards, *_: np.zeros(rewards.shape) + np.arange(4))
    seats = []
    step = games.step
    monkeypatch.setattr(games, "step", lambda actions: (seats.extend(self_play.infos["to_act"]), step(actions))[1])
    buffer = alphazero.ReplayBuffer(games.single_observation_space["observation"].shape, 32, 4)
    self_play.play(buffer)
    assert len(set(seats)) > 1
    for values, seat in zip(buffer.values, seats, strict=False):
        assert values.tolist() == [(seat + k) % 4 for k in range(4)]


ORDINARY = "acey_ducey-v0"
"""The game with the longest games, and dice; the others are learnt in `nox -s long`."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == ORDINARY else pytest.mark.long) for game in parlour.games()]
)
def test_it_learns_every_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of self-play and learning, with a checkpoint of it; then the same positions again and again, whose loss
    falls."""
    monkeypatch.setattr(alphazero, "STEPS", 8)
    args = argparse.Namespace(
        game=game, variant=None, games=16, simulations=2, seed=0, minutes=0.0, lambda_=0.9, resume=None,
        out=tmp_path,
    )  # fmt: skip
    network = alphazero.train(args)
    kept = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, kept["network"][name])
    games = parlour.make_batch(game, 16, seed=1)
    buffer = alphazero.ReplayBuffer(
        games.single_observation_space["observation"].shape, games.single_action_space.n, games.num_seats
    )
    alphazero.SelfPlay(games, NetworkSearch(network.evaluate, 2, keep_tree=False), 0.9).play(buffer)
    optimizer, rng = torch.optim.AdamW(network.parameters(), lr=1e-3), np.random.default_rng(0)
    before = alphazero.learn(network, optimizer, buffer, 1, rng)
    alphazero.learn(network, optimizer, buffer, 20, rng)
    after = alphazero.learn(network, optimizer, buffer, 1, rng)
    assert sum(after) < sum(before)
    assert buffer.added == 8 * 16


@pytest.mark.parametrize(
    ("checkpoint", "message"),
    [
        ({"network": {}, "optimizer": {}}, "it is not a checkpoint of this version"),
        ({"game": "pig-v0", "variant": None, "network": {}, "optimizer": {}}, "it is of pig-v0, variant None"),
        (7, "it is not a checkpoint of this version"),
    ],
)
def test_resume_refuses_other_files_and_checkpoints_of_other_games(
    checkpoint: Any, message: str, tmp_path: Path
) -> None:
    torch.save(checkpoint, tmp_path / "other.pt")
    args = argparse.Namespace(
        game=ORDINARY, variant=None, games=2, simulations=2, seed=0, minutes=0.0, lambda_=0.9,
        resume=tmp_path / "other.pt", out=tmp_path,
    )  # fmt: skip
    with pytest.raises(SystemExit, match=f"can't resume from .*other.pt: .*{message}"):
        alphazero.train(args)


def test_the_file_searches_as_the_network_does(tmp_path: Path) -> None:
    """``az:FILE`` finds what `NetworkSearch` finds with the network itself."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    batch = parlour.make_batch("checkers-v0", 8, seed=3)
    batch.reset()
    network, path = network_for(batch), tmp_path / "policy.onnx"
    export_torch(network, path, "checkers-v0", outputs=("logits", "value"))
    actions = np.zeros(8, np.int64)
    parse_player(f"az:{path}:32", batch.game).choose(GamesView(batch.games), np.ones(8, np.bool_), actions)
    several = batch.games.action_mask.sum(axis=1) > 1
    own = NetworkSearch(network.evaluate, 32, method=Gumbel(gumbel_scale=0)).run(batch).actions
    assert several.sum() > 4
    assert actions[several].tolist() == own[several].tolist()
