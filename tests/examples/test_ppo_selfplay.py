"""`examples/ppo_selfplay.py`: advantages on rollouts worked out by hand, and a run that goes on as if never stopped."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.players import GamesView, export_torch
from parlour.support.files import UNFINISHED
from tests.support.faults import disk_full_from, files_limited_to, run_and_kill, tree
from tests.support.processes import run_simulated

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("tensorboard", reason="tensorboard is not installed")

import torch

from examples import ppo_selfplay as ppo

torch.set_num_threads(1)  # of small matrices; more threads only wait for one another
TINY = ppo.Args(
    game="acey_ducey-v0", updates=4, num_games=6, num_pool_games=4, num_steps=12, width=16, snapshot_every=1
)


def rollout_of(values: list[float], rewards: list[float], following: list[int], waiting: list[bool]) -> Any:
    """One game's plies; what advantages do not depend on is left empty."""
    column = {"values": values, "rewards": rewards, "following": following, "waiting": waiting}
    arrays = {name: np.array(part)[:, None] for name, part in column.items()}
    empty = np.zeros((len(values), 1))
    return SimpleNamespace(
        extras={}, **dict.fromkeys(("observation", "action_mask", "actions", "logprobs"), empty), **arrays
    )


def test_advantages_run_along_each_seats_own_plies() -> None:
    """Seats a, b, a, b, b, a: a wins with the last ply, b has lost by then."""
    rollout = rollout_of(
        values=[0.1, -0.2, 0.3, -0.4, -0.5, 0.6],
        rewards=[0, 0, 0, 0, -1, 1],
        following=[2, 3, 5, 4, -1, -1],
        waiting=[False] * 6,
    )
    a5 = 1 - 0.6
    a2 = 0.9 * 0.6 - 0.3 + 0.45 * a5
    a0 = 0.9 * 0.3 - 0.1 + 0.45 * a2
    b4 = -1 + 0.5
    b3 = 0.9 * -0.5 + 0.4 + 0.45 * b4
    b1 = 0.9 * -0.4 + 0.2 + 0.45 * b3
    expected = [a0, b1, a2, b3, b4, a5]
    *_, advantages, returns = ppo.learning_rows(rollout, ppo.Args(gamma=0.9, gae_lambda=0.5))
    assert advantages.tolist() == pytest.approx(expected)
    assert (returns - advantages).tolist() == pytest.approx(rollout.values[:, 0].tolist())


def test_a_waiting_row_is_not_learnt_but_its_value_is_looked_ahead_to() -> None:
    rollout = rollout_of(values=[0.2, -0.2, 0.5], rewards=[0, 7, 7], following=[2, -1, -1], waiting=[False, True, True])
    *_, advantages, returns = ppo.learning_rows(rollout, ppo.Args(gamma=0.9, gae_lambda=0.5))
    assert advantages.tolist() == pytest.approx([0.9 * 0.5 - 0.2])
    assert returns.tolist() == pytest.approx([0.45])


def test_with_lambda_one_advantages_are_the_returns_of_whole_games() -> None:
    """With λ = 1 and γ = 1 an advantage is what the seat still gets less what it thought it would."""
    trainer_batch = parlour.make_batch("acey_ducey-v0", 3, seed=1, max_plies=30)
    collector = ppo.BothSeatsRollout(trainer_batch, 80)
    generator = np.random.default_rng(0)

    def learner(observation: Any, mask: Any) -> Any:
        values = generator.normal(size=len(mask)).astype(np.float32)
        return trainer_batch.sample_actions(), {"values": values, "logprobs": values}

    played = collector.collect(learner)
    *_, advantages, returns = ppo.learning_rows(played, ppo.Args(gamma=1.0, gae_lambda=1.0))
    complete = ~played.waiting
    whole = (~played.unfinished)[complete]
    assert whole.any()
    np.testing.assert_allclose(returns[whole], played.returns[complete][whole], atol=1e-5)
    np.testing.assert_allclose((returns - advantages)[whole], played.extras["values"][complete][whole], atol=1e-5)


def agent_of(actions: int, on_gpu: bool) -> Any:
    return ppo.Agent(torch.randn(100, 2, 3, 3), actions, 8, on_gpu)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_invalid_actions_have_no_probability(on_gpu: bool) -> None:
    """Softmax over the legal actions alone, also where two rows have different numbers of them."""
    agent = agent_of(4, on_gpu)
    mask = torch.tensor([[1, 0, 1, 1], [0, 0, 1, 0]], dtype=torch.int8)
    agent.forward = lambda obs: (torch.tensor([[1.0, 9.0, 2.0, 3.0], [5.0, 6.0, 7.0, 8.0]]), torch.zeros(2))
    weights = np.exp([1.0, 2.0, 3.0])
    for action, probability in zip((0, 2, 3), weights / weights.sum()):
        _, logprob, entropy, _ = agent.get_action_and_value(None, mask, torch.tensor([action, 2]))
        assert logprob.exp().tolist() == pytest.approx([probability, 1])
        assert entropy[1] == 0


@pytest.mark.parametrize("on_gpu", [False, True])
def test_the_probability_of_an_action_is_that_with_which_it_is_sampled(on_gpu: bool) -> None:
    torch.manual_seed(0)
    agent = agent_of(5, on_gpu)
    torch.nn.init.normal_(agent.actor.weight)
    obs, mask = torch.ones(4000, 2, 3, 3), torch.tensor([[1, 0, 1, 1, 0]], dtype=torch.int8).repeat(4000, 1)
    sampled, logprobs, entropy, _ = agent.get_action_and_value(obs, mask)
    assert set(sampled.tolist()) == {0, 2, 3}
    again, same, _, _ = agent.get_action_and_value(obs, mask, sampled)
    assert torch.equal(again, sampled)
    assert torch.allclose(same, logprobs)
    shares = {int(action): logprobs[sampled == action][0].exp().item() for action in (0, 2, 3)}
    for action, share in shares.items():
        assert (sampled == action).float().mean().item() == pytest.approx(share, abs=0.04)
    assert entropy[0].item() == pytest.approx(-sum(p * np.log(p) for p in shares.values()), rel=1e-4)


def learn(run: Any, updates: int) -> dict[str, float]:
    """So many updates, or as many as there are left; the row of the last one."""
    return list(islice(ppo.train(run), updates))[-1]


def weights(run: Any) -> list[Any]:
    return [tensor.clone() for tensor in run.agent.state_dict().values()]


def test_a_run_that_was_stopped_goes_on_with_the_same_weights(tmp_path: Path) -> None:
    """Two updates, a checkpoint and two more give what four give: games in progress, the pool and chance included. What
    the stopped run did after its checkpoint is undone, snapshots that it dropped among them."""
    whole = ppo.Run(TINY, tmp_path / "whole")
    learn(whole, 4)
    half = ppo.Run(TINY, tmp_path / "half")
    learn(half, 2)
    half.save()
    half.args = replace(TINY, updates=6)
    learn(half, 4)
    assert set(half.pool.names).isdisjoint({"snapshot_0", "snapshot_1"})
    torch.manual_seed(12345)  # as in a new process
    resumed = ppo.resume(tmp_path / "half")
    learn(resumed, 2)
    assert resumed.update == 4
    assert resumed.plies == whole.plies
    assert resumed.pool.games == whole.pool.games
    for one, other in zip(weights(whole), weights(resumed)):
        assert torch.equal(one, other)
    assert any(not torch.equal(one, other) for one, other in zip(weights(half), weights(resumed)))


def test_it_learns(tmp_path: Path) -> None:
    """A few seconds of tic-tac-toe: from a score of 0.4 against random play to one of 0.8."""
    parlour.register("examples.games.tic_tac_toe")
    args = ppo.Args("tic_tac_toe-v0", updates=30, num_games=128, num_steps=16, width=64, gamma=1.0, ent_coef=0.02)
    run = ppo.Run(args, tmp_path)
    before = run.evaluate("random", 100)
    learn(run, args.updates)
    assert run.evaluate("random", 100).score.low > before.score.high


def test_a_run_whose_snapshots_play_is_saved(tmp_path: Path) -> None:
    parlour.register("examples.games.tic_tac_toe")
    run = ppo.Run(ppo.Args("tic_tac_toe-v0", updates=3, num_games=8, num_steps=16, width=8, snapshot_every=1), tmp_path)
    learn(run, 3)
    assert run.pool.games["snapshot_0"] > 0
    run.save()
    assert ppo.resume(tmp_path).pool.games == run.pool.games


TRAINING = """
import sys
from pathlib import Path
from dataclasses import replace
from tests.examples.test_ppo_selfplay import TINY, ppo
run = ppo.Run(replace(TINY, updates=1_000_000), Path(sys.argv[1]))
for row in ppo.train(run):
    run.save()
    if run.update == 1:
        print("ready", flush=True)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.long)])
def test_a_run_that_was_killed_can_be_resumed(kills: int, tmp_path: Path) -> None:
    for kill in range(kills):
        folder = tmp_path / str(kill)
        run_and_kill(TRAINING, folder, delay=0.05 + 0.023 * (kill % 13))
        run = ppo.resume(folder)
        assert not list(folder.glob(f"{UNFINISHED}*"))
        assert all(file.is_file() for file in run.pool.snapshot_files)
        updates = run.update
        learn(run, 1)
        run.save()
        assert ppo.resume(folder).update == updates + 1


def test_a_full_disk_leaves_the_checkpoint_as_it_was(tmp_path: Path) -> None:
    """Whether it is PyTorch that can't write on, or one of the calls after that."""
    run = ppo.Run(TINY, tmp_path)
    learn(run, 1)
    run.save()
    before = tree(tmp_path)
    run.agent.actor.bias.data += 1
    size = len(before[ppo.CHECKPOINT])
    for limit in (0, 1, size // 2, size - 1):
        with files_limited_to(limit), pytest.raises((OSError, RuntimeError)):
            run.save()
        assert tree(tmp_path) == before
    for call in range(7):
        with disk_full_from(call), pytest.raises(OSError, match=f"{ppo.CHECKPOINT}|{ppo.CURVE}"):
            run.save()
        assert tree(tmp_path) == before
    run.save()
    assert tree(tmp_path) != before


def test_what_is_exported_plays_as_the_network_does(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    torch.manual_seed(0)
    batch = parlour.make_batch(TINY.game, 32, seed=3)
    seen, _ = batch.reset()
    agent = ppo.Run(TINY, tmp_path).agent
    torch.nn.init.normal_(agent.actor.weight)
    path = tmp_path / "policy.onnx"
    export_torch(agent.eval(), path, TINY.game, TINY.variant, outputs=("logits", "value"))
    player = parlour.players.parse_player(f"policy:{path}", batch.game)
    actions = np.zeros(32, np.int64)
    for _ in range(20):
        player.choose(GamesView(batch.games), np.ones(32, np.bool_), actions)
        own = agent.choose(seen["observation"], seen["action_mask"])
        assert actions.tolist() == own.tolist()
        seen = batch.step(actions)[0]


ON_A_GPU = """
import sys
from dataclasses import replace
from pathlib import Path
import parlour
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from tests.examples.test_ppo_selfplay import ppo, weights
from tests.libraries.test_rollout_on_a_gpu import simulate

class Calls(TorchDispatchMode):
    def __torch_dispatch__(self, call, types, args=(), kwargs=None):
        names.append(call.overloadpacket.__name__)
        return call(*args, **(kwargs or {}))

parlour.register("tests.toy_games.pig")
simulate(rows=4)
ppo.Agent.to = lambda agent, device: agent
args = ppo.Args("pig-v0", updates=2, num_games=4, num_pool_games=0, num_steps=12, width=8)
on_cpu = ppo.Run(args, Path(sys.argv[1]) / "cpu")
on_cpu.agent.on_gpu = True
assert [*ppo.train(on_cpu)][-1]["plies"] > 0
on_gpu = ppo.Run(replace(args, device="cuda"), Path(sys.argv[1]) / "gpu")
names = []
with Calls():
    next(ppo.train(on_gpu))
assert names.count("nonzero") == 1, names
on_gpu.save()
on_gpu = ppo.resume(on_gpu.folder)
next(ppo.train(on_gpu))
assert all(map(torch.equal, weights(on_cpu), weights(on_gpu)))
"""


def test_on_a_gpu_it_learns_the_same(tmp_path: Path) -> None:
    """In CUDA's simulator, which needs none; an update waits for the GPU once to choose rows, and once to report."""
    ran = run_simulated("-c", ON_A_GPU, str(tmp_path))
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("game", parlour.games())
def test_it_learns_from_every_game(game: str, tmp_path: Path) -> None:
    run = ppo.Run(ppo.Args(game=game, updates=1, num_games=6, num_pool_games=3, num_steps=8, width=16), tmp_path)
    before = weights(run)
    told = learn(run, 1)
    assert told["plies"] > 0
    assert all(np.isfinite(value) for name, value in told.items() if not name.startswith("won_"))
    assert any(not torch.equal(one, other) for one, other in zip(before, weights(run)))


def test_a_curve_goes_on_where_the_checkpoint_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learnt after the checkpoint comes again, and stands there once."""
    args = replace(TINY, evaluate_every=2)
    evaluate = ppo.Run.evaluate
    monkeypatch.setattr(ppo.Run, "evaluate", lambda run, opponent, games: evaluate(run, opponent, 2))
    learn(ppo.Run(args, tmp_path), 3)
    learn(ppo.resume(tmp_path), 3)
    with (tmp_path / ppo.CURVE).open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [int(line["update"]) for line in lines] == [1, 2, 3, 4]
    assert [line["won_random"] == "nan" for line in lines] == [True, False, True, False]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"minutes": 0.0}, "--minutes must be above 0, not 0"),
        ({"updates": -3}, "--updates must be above 0, not -3"),
        ({"resume": Path("nowhere")}, r"nowhere has no checkpoint\.pt to resume from"),
        ({"variant": "chess"}, "'chess'"),
        ({"device": "cuda", "num_pool_games": 3}, "--num-pool-games must be 0 with --device cuda"),
        ({"device": "tpu"}, "device"),
    ],
)
def test_what_can_not_be_run_is_refused(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        ppo.make_run({"game": TINY.game, "out": tmp_path / "run", "quick": True, **given})


def test_a_run_that_is_resumed_may_be_longer(tmp_path: Path) -> None:
    ppo.Run(TINY, tmp_path)
    assert ppo.make_run({"resume": tmp_path}).args == TINY
    assert ppo.make_run({"resume": tmp_path, "updates": 9}).args == replace(TINY, updates=9)
    longer = ppo.make_run({"resume": tmp_path, "minutes": 7.0}).args
    assert longer == replace(TINY, updates=0, minutes=7.0)


def test_a_folder_with_a_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ppo.CURVE).write_text("update\n")
    with pytest.raises(ValueError, match="holds a run; resume it with --resume"):
        ppo.make_run({"game": TINY.game, "out": tmp_path, "quick": True})
