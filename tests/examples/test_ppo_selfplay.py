"""`examples/ppo_selfplay.py`: advantages on rollouts worked out by hand, and a run that goes on as if never stopped."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.files import UNFINISHED
from parlour.players import GamesView
from tests.support.faults import disk_full_from, files_limited_to, run_and_kill, tree

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("tensorboard", reason="tensorboard is not installed")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ppo_selfplay.py"


def load_example() -> Any:
    """The example as a module, under which its objects can be pickled."""
    spec = importlib.util.spec_from_file_location("ppo_selfplay", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo_selfplay"] = module
    spec.loader.exec_module(module)
    return module


ppo = load_example()
TINY = ppo.Settings(game="acey_ducey-v0", updates=4, games=6, pool_games=4, steps=12, width=16, snapshot_every=1)


def rollout_of(values: list[float], rewards: list[float], following: list[int], waiting: list[bool]) -> Any:
    """One game's plies; what advantages do not depend on is left empty."""
    column = {"values": values, "rewards": rewards, "following": following, "waiting": waiting}
    arrays = {name: np.array(part)[:, None] for name, part in column.items()}
    empty = np.zeros((len(values), 1))
    return ppo.Rollout(observation=empty, action_mask=empty, actions=empty, log_probs=empty, **arrays)


def test_advantages_run_along_each_seats_own_plies() -> None:
    """Seats a, b, a, b, b, a: a wins with the last ply, b has lost by then."""
    rollout = rollout_of(
        values=[0.1, -0.2, 0.3, -0.4, -0.5, 0.6],
        rewards=[0, 0, 0, 0, -1, 1],
        following=[2, 3, 5, 4, -1, -1],
        waiting=[False] * 6,
    )
    gamma, gae_lambda = 0.9, 0.5
    a5 = 1 - 0.6
    a2 = 0.9 * 0.6 - 0.3 + 0.45 * a5
    a0 = 0.9 * 0.3 - 0.1 + 0.45 * a2
    b4 = -1 + 0.5
    b3 = 0.9 * -0.5 + 0.4 + 0.45 * b4
    b1 = 0.9 * -0.4 + 0.2 + 0.45 * b3
    expected = [a0, b1, a2, b3, b4, a5]
    assert ppo.estimate_advantages(rollout, gamma, gae_lambda)[:, 0].tolist() == pytest.approx(expected)


def test_a_waiting_row_is_not_learnt_but_its_value_is_looked_ahead_to() -> None:
    rollout = rollout_of(values=[0.2, -0.2, 0.5], rewards=[0, 7, 7], following=[2, -1, -1], waiting=[False, True, True])
    advantages = ppo.estimate_advantages(rollout, 0.9, 0.5)
    assert advantages[:, 0].tolist() == pytest.approx([0.9 * 0.5 - 0.2, 0, 0])
    learnt = ppo.rollout_buffer([rollout, rollout], 0.9, 0.5)
    assert learnt.returns.tolist() == pytest.approx([0.45, 0.45])


def test_with_lambda_one_advantages_are_the_returns_of_whole_games() -> None:
    """With λ = 1 and γ = 1 an advantage is what the seat still gets less what it thought it would."""
    trainer_batch = parlour.make_batch("acey_ducey-v0", 3, seed=1, max_plies=30)
    collector = ppo.BothSeatsRollout(trainer_batch, 80)
    generator = np.random.default_rng(0)

    def learner(observation: Any, mask: Any) -> Any:
        values = generator.normal(size=len(mask)).astype(np.float32)
        return trainer_batch.sample_actions(), {"values": values, "log_probs": values}

    played = collector.collect(learner)
    rollout = ppo.Rollout(
        played.observation, played.action_mask, played.actions, played.extras["log_probs"], played.extras["values"],
        played.rewards, played.following, played.waiting,
    )  # fmt: skip
    advantages = ppo.estimate_advantages(rollout, 1.0, 1.0)
    whole = ~played.unfinished
    assert whole.any()
    np.testing.assert_allclose(advantages[whole], (played.returns - rollout.values)[whole], atol=1e-5)


def test_choices_are_the_softmax_over_the_legal_actions() -> None:
    mask = torch.tensor([[1, 0, 1, 1], [0, 0, 1, 0]], dtype=torch.int8)
    legal = ppo.choices(torch.tensor([[1.0, 9.0, 2.0, 3.0], [5.0, 6.0, 7.0, 8.0]]), mask)
    assert legal.actions[0].tolist() == [0, 2, 3]
    assert legal.actions[1, 0] == 2
    weights = np.exp([1.0, 2.0, 3.0])
    assert legal.log_probs[0].exp().tolist() == pytest.approx((weights / weights.sum()).tolist())
    assert legal.log_probs[1].exp().tolist() == pytest.approx([1, 0, 0])


def weights(trainer: Any) -> list[Any]:
    return [tensor.clone() for tensor in trainer.network.state_dict().values()]


def test_a_run_that_was_stopped_goes_on_with_the_same_weights(tmp_path: Path) -> None:
    """Two updates, a checkpoint and two more give what four give: games in progress, the pool and chance included. What
    the stopped run did after its checkpoint is undone, snapshots that it dropped among them."""
    whole = ppo.Trainer(TINY, tmp_path / "whole")
    for _ in range(4):
        whole.update()
    half = ppo.Trainer(TINY, tmp_path / "half")
    for _ in range(2):
        half.update()
    half.save()
    for _ in range(4):
        half.update()
    assert set(half.pool.names).isdisjoint({"snapshot_0", "snapshot_1"})
    torch.manual_seed(12345)  # as in a new process
    resumed = ppo.Trainer.load(tmp_path / "half")
    for _ in range(2):
        resumed.update()
    assert resumed.progress == 1
    assert resumed.plies == whole.plies
    assert resumed.pool.games == whole.pool.games
    for one, other in zip(weights(whole), weights(resumed)):
        assert torch.equal(one, other)
    assert any(not torch.equal(one, other) for one, other in zip(weights(half), weights(resumed)))


TRAINING = """
import sys
from pathlib import Path
from tests.examples.test_ppo_selfplay import TINY, ppo
trainer = ppo.Trainer(TINY, Path(sys.argv[1]))
trainer.update()
trainer.save()
print("ready", flush=True)
while True:
    trainer.update()
    trainer.save()
"""


@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.long)])
def test_a_run_that_was_killed_can_be_resumed(kills: int, tmp_path: Path) -> None:
    for kill in range(kills):
        folder = tmp_path / str(kill)
        run_and_kill(TRAINING, folder, delay=0.05 + 0.023 * (kill % 13))
        trainer = ppo.Trainer.load(folder)
        assert not list(folder.glob(f"{UNFINISHED}*"))
        assert all(file.is_file() for file in trainer.pool.snapshot_files)
        updates = trainer.updates
        trainer.update()
        trainer.save()
        assert ppo.Trainer.load(folder).updates == updates + 1


def test_a_full_disk_leaves_the_checkpoint_as_it_was(tmp_path: Path) -> None:
    """Whether it is PyTorch that can't write on, or one of the calls after that."""
    trainer = ppo.Trainer(TINY, tmp_path)
    trainer.update()
    trainer.save()
    before = tree(tmp_path)
    trainer.network.policy.bias.data += 1
    size = len(before[ppo.CHECKPOINT])
    for limit in (0, 1, size // 2, size - 1):
        with files_limited_to(limit), pytest.raises((OSError, RuntimeError)):
            trainer.save()
        assert tree(tmp_path) == before
    for call in range(3):
        with disk_full_from(call), pytest.raises(OSError, match=ppo.CHECKPOINT):
            trainer.save()
        assert tree(tmp_path) == before
    trainer.save()
    assert tree(tmp_path) != before


def test_what_is_exported_plays_as_the_network_does(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    torch.manual_seed(0)
    batch = parlour.make_batch(TINY.game, 32, seed=3)
    seen, _ = batch.reset()
    network = ppo.Network(batch.single_observation_space["observation"].shape, batch.single_action_space.n, 16)
    network.set_scale(ppo.random_planes(TINY))
    torch.nn.init.normal_(network.policy.weight)
    path = tmp_path / "policy.onnx"
    ppo.export(network, TINY, path)
    player = parlour.players.parse_player(f"policy:{path}", batch.game)
    actions = np.zeros(32, np.int64)
    for _ in range(20):
        player.choose(GamesView(batch.games), np.ones(32, np.bool_), actions)
        own = ppo.ArgmaxPolicy(network)(seen["observation"], seen["action_mask"])
        assert actions.tolist() == own.tolist()
        seen = batch.step(actions)[0]


def test_bfloat16_is_for_matrix_products_alone(tmp_path: Path) -> None:
    """Weights and logits stay float32, the logits differ a little, and those of an exported file do not."""
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    torch.manual_seed(0)
    seen, _ = parlour.make_batch(TINY.game, 32, seed=3).reset()
    sizes = (seen["observation"].shape[1:], seen["action_mask"].shape[1], 64)
    exact, quick = ppo.Network(*sizes, "float32"), ppo.Network(*sizes, "bfloat16")
    torch.nn.init.normal_(exact.policy.weight)
    quick.load_state_dict(exact.state_dict())
    expected, found = (network(torch.from_numpy(seen["observation"]))[0].detach() for network in (exact, quick))
    assert found.dtype == torch.float32
    assert {weights.dtype for weights in quick.parameters()} == {torch.float32}
    assert 1e-4 < (found - expected).abs().mean() / expected.abs().mean() < 0.03
    ppo.export(quick, TINY, tmp_path / "policy.onnx")
    session = runtime.InferenceSession(tmp_path / "policy.onnx")
    exported = session.run(["logits"], {session.get_inputs()[0].name: seen["observation"].astype(np.float32)})[0]
    np.testing.assert_allclose(exported, expected, rtol=1e-3, atol=1e-3)
    assert quick.precision == "bfloat16"


@pytest.mark.parametrize("game", parlour.games())
def test_it_learns_from_every_game(game: str, tmp_path: Path) -> None:
    settings = ppo.Settings(game=game, updates=1, games=6, pool_games=3, steps=8, width=16)
    trainer = ppo.Trainer(settings, tmp_path)
    before = weights(trainer)
    told = trainer.update()
    assert told["plies"] > 0
    assert all(np.isfinite(value) for value in told.values())
    assert any(not torch.equal(one, other) for one, other in zip(before, weights(trainer)))


def test_a_curve_goes_on_where_the_checkpoint_was(tmp_path: Path) -> None:
    """What was written after the checkpoint comes again, and stands there once."""
    trainer = argparse.Namespace(folder=tmp_path, updates=0, plies=0)
    for first, updates in ((1, 3), (2, 4)):
        diary = ppo.Logger(trainer)
        for update in range(first, updates + 1):
            diary.write(update, dict.fromkeys(ppo.COLUMNS[1:], 10.0 * update))
        diary.close()
        trainer.updates, trainer.plies = 1, 10
    with (tmp_path / ppo.CURVE).open(newline="") as file:
        lines = list(ppo.csv.DictReader(file))
    assert [int(line["update"]) for line in lines] == [1, 2, 3, 4]
    assert [float(line["plies"]) for line in lines] == [10, 20, 30, 40]


@pytest.mark.parametrize(
    ("asked_for", "message"),
    [
        ({"minutes": 0.0}, "--minutes must be above 0, not 0"),
        ({"updates": -3}, "--updates must be above 0, not -3"),
        ({"resume": Path("nowhere")}, r"nowhere has no checkpoint\.pt to resume from"),
        ({"variant": "chess"}, "'chess'"),
    ],
)
def test_what_can_not_be_run_is_refused(asked_for: dict[str, Any], message: str, tmp_path: Path) -> None:
    usual = {"game": TINY.game, "variant": None, "seed": 1, "threads": 1, "out": tmp_path / "run", "quick": True}
    asked = {**usual, "precision": "float32", "minutes": None, "updates": None, "resume": None, **asked_for}
    with pytest.raises(ValueError, match=message):
        ppo.begin(argparse.Namespace(**asked))


def test_a_folder_with_a_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ppo.CURVE).write_text("update\n")
    asked = argparse.Namespace(
        game=TINY.game,
        variant=None,
        seed=1,
        threads=1,
        precision="float32",
        out=tmp_path,
        quick=True,
        minutes=None,
        updates=None,
        resume=None,
    )
    with pytest.raises(ValueError, match="holds a run; resume it with --resume"):
        ppo.begin(asked)
