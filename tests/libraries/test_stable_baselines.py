"""`StableBaselinesVecEnv`: the same games as beneath, told as stable-baselines3 tells them, and MaskablePPO on them.
`LegalActions`: its distribution; `export_torch`: its policies as players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("sb3_contrib", reason="sb3-contrib (stable-baselines3) is not installed")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN
from stable_baselines3.common.vec_env import VecExtractDictObs, VecMonitor

import parlour
from parlour.arena import match
from parlour.players import GamesView, export_torch, parse_player
from parlour.wrappers import LegalActions, LegalActionsPolicy, SelfPlayVectorEnv, StableBaselinesVecEnv
from tests.support.cases import GAMES

ROWS = 6


def rows_of(game: str, **options: Any) -> SelfPlayVectorEnv:
    return SelfPlayVectorEnv(game, ROWS, max_plies=30, **options)


def same(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_environment_beneath(game: str) -> None:
    """Observations, masks, rewards and ends of the same games, those that begin again included."""
    env, plain = StableBaselinesVecEnv(rows_of(game)), rows_of(game)
    env.seed(7)
    seen, (expected, _) = env.reset(), plain.reset(seed=[7 + row for row in range(ROWS)])
    rng, ended = np.random.default_rng(7), 0
    for _ in range(40):
        assert same(seen, expected)
        assert np.array_equal(get_action_masks(env), plain.action_masks())
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in plain.action_masks()])
        seen, rewards, dones, infos = env.step(actions)
        expected, plain_rewards, terminations, truncations, told = plain.step(actions)
        assert rewards.dtype == np.float32
        assert np.array_equal(rewards, plain_rewards.astype(np.float32))
        assert np.array_equal(dones, terminations | truncations)
        for row, info in enumerate(infos):
            if dones[row]:
                assert same(info["terminal_observation"], told["final_obs"][row])
                assert info["TimeLimit.truncated"] == truncations[row]
                assert info["seat"] == told["final_info"]["seat"][row]
                assert env.reset_infos[row] == {"seat": told["seat"][row]}
            else:
                assert info == {"seat": told["seat"][row]}
        ended += int(dones.sum())
    assert ended >= ROWS


def test_infos_tell_the_variant() -> None:
    env = StableBaselinesVecEnv(rows_of("agon-v0", variant=["classic", "ring"], seed=1))
    env.reset()
    assert {info["variant"] for info in env.reset_infos} == {0, 1}


def test_options_are_those_of_the_environment() -> None:
    env = StableBaselinesVecEnv(rows_of("agon-v0", variant=["classic", "ring"], seed=1))
    env.set_options({"variant": "ring"})
    env.reset()
    assert {info["variant"] for info in env.reset_infos} == {1}
    env.set_options([{"variant": row % 2} for row in range(ROWS)])
    with pytest.raises(ValueError, match="same options"):
        env.reset()


def test_attributes_and_methods_by_row() -> None:
    env = StableBaselinesVecEnv(rows_of("agon-v0", seed=1))
    env.reset()
    assert is_masking_supported(env)
    assert not env.has_attr("no_such_thing")
    assert env.get_attr("num_envs", [0, 2]) == [ROWS, ROWS]
    assert len(env.env_method("action_masks", indices=3)) == 1
    assert env.env_is_wrapped(VecMonitor) == [False] * ROWS
    with pytest.raises(ValueError, match="seed_of"):
        env.env_method("seed_of", 0)
    with pytest.raises(ValueError, match="all 6 rows"):
        env.set_attr("copy", False, [0])


def test_what_it_does_not_wrap() -> None:
    with pytest.raises(ValueError, match="SelfPlayVectorEnv"):
        StableBaselinesVecEnv(parlour.make_batch("agon-v0", 2))
    with pytest.raises(ValueError, match="same_step"):
        StableBaselinesVecEnv(rows_of("agon-v0", autoreset="next_step"))


def test_maskable_ppo_learns_and_plays_what_is_legal() -> None:
    env = VecMonitor(StableBaselinesVecEnv(rows_of("acey_ducey-v0", seed=3)))
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=48, n_epochs=1, seed=0)
    model.learn(2 * 16 * ROWS)
    assert model.ep_info_buffer[0]["l"] > 1
    seen = env.reset()
    for _ in range(20):
        masks = get_action_masks(env)
        actions, _ = model.predict(seen, action_masks=masks)
        assert masks[np.arange(ROWS), actions].all()
        seen, _, _, _ = env.step(actions)


def test_legal_actions_have_the_probabilities_of_sb3_contribs_own_distribution() -> None:
    env = StableBaselinesVecEnv(rows_of("swords_and_shields-v0", seed=1))
    policy = MaskablePPO("MultiInputPolicy", env, seed=1).policy
    seen, masks = env.reset(), np.array(env.env_method("action_masks"))
    (obs, _), actions = policy.obs_to_tensor(seen), torch.as_tensor([np.flatnonzero(mask)[-1] for mask in masks])
    expected = policy.evaluate_actions(obs, actions, masks)
    own = policy.get_distribution(obs, masks)
    policy.action_dist = LegalActions(int(env.action_space.n))
    for one, other in zip(policy.evaluate_actions(obs, actions, masks), expected):
        assert torch.allclose(one, other, atol=1e-5)
    distribution = policy.get_distribution(obs, masks)
    assert torch.equal(distribution.mode(), own.mode())
    drawn = torch.stack([distribution.sample() for _ in range(2000)])
    for row, mask in enumerate(masks):
        shares = np.bincount(drawn[:, row], minlength=len(mask)) / len(drawn)
        assert not shares[~mask].any()
        assert np.abs(shares - own.distribution.probs[row].detach().numpy()).max() < 0.05


ILLEGAL = 10
"""How many of 16 actions are illegal in the tests of logits: the first ones."""


def masked(logits: Any, kind: type = LegalActions) -> Any:
    """The distribution of logits (N, 16)."""
    distribution = kind(16).proba_distribution(logits)
    distribution.apply_masking(np.broadcast_to(np.arange(16) >= ILLEGAL, logits.shape).copy())
    return distribution


@pytest.mark.parametrize("low", [-1e8, -1e9, -1e12, -3e38])
def test_no_logit_is_so_low_that_an_illegal_action_is_drawn(low: float) -> None:
    logits = torch.zeros(300, 16)
    logits[:, ILLEGAL:] = low
    distribution = masked(logits)
    assert (distribution.mode() >= ILLEGAL).all()
    assert (distribution.sample() >= ILLEGAL).all()
    assert torch.allclose(distribution.logits[:, ILLEGAL:].exp(), torch.tensor(1 / 6))
    assert torch.allclose(distribution.entropy(), torch.tensor(6.0).log())


@pytest.mark.parametrize("wrong", [torch.nan, torch.inf])
@pytest.mark.parametrize("action", [0, 15])
def test_logits_that_are_no_numbers_are_refused(wrong: float, action: int) -> None:
    logits = torch.zeros(3, 16)
    logits[1, action] = wrong
    with pytest.raises(ValueError, match="NaN or \\+inf"):
        LegalActions(16).proba_distribution(logits)


def test_a_row_without_anything_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="a legal action"):
        LegalActions(16).proba_distribution(torch.zeros(2, 16)).apply_masking(np.arange(32).reshape(2, 16) > 20)
    logits = torch.zeros(3, 16)
    logits[2, ILLEGAL:] = -torch.inf
    with pytest.raises(ValueError, match="a logit above -inf"):
        masked(logits)


def test_masks_that_are_no_numbers_are_refused() -> None:
    masks = np.ones((2, 16), np.float32)
    masks[1, 3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        LegalActions(16).proba_distribution(torch.zeros(2, 16)).apply_masking(masks)


def test_nothing_is_drawn_without_masks() -> None:
    distribution = LegalActions(16).proba_distribution(torch.zeros(3, 16))
    for ask in (distribution.sample, distribution.mode, distribution.entropy):
        with pytest.raises(ValueError, match="action_masks"):
            ask()


@pytest.mark.parametrize("noise", [0.0, torch.inf])
def test_extreme_random_numbers_draw_nothing_illegal(monkeypatch: pytest.MonkeyPatch, noise: float) -> None:
    """Everywhere, for a single action, for all that are illegal or legal."""
    for actions in (slice(16), slice(1), slice(ILLEGAL), slice(ILLEGAL, 16)):

        def draw(array: Any, actions: slice = actions) -> Any:
            array.fill_(1.0)[:, actions] = noise
            return array

        with monkeypatch.context() as patch:
            patch.setattr(torch.Tensor, "exponential_", draw)
            assert (masked(torch.randn(300, 16)).sample() >= ILLEGAL).all()


def test_gradients_are_those_of_sb3_contribs_own_distribution() -> None:
    gradients = []
    for kind in (LegalActions, MaskableCategoricalDistribution):
        logits = torch.linspace(-3, 3, 64).reshape(4, 16).requires_grad_()
        distribution = masked(logits, kind)
        (distribution.entropy() + distribution.log_prob(torch.full((4,), 12))).sum().backward()
        gradients.append(logits.grad)
    assert torch.allclose(*gradients, atol=1e-6)
    assert gradients[0][:, ILLEGAL:].all()


@pytest.mark.parametrize("plain", [False, True], ids=["dict", "plain"])
def test_a_model_with_legal_actions_is_saved_and_loaded_as_any_other(plain: bool, tmp_path: Path) -> None:
    env = learnable(plain)
    model = MaskablePPO(LegalActionsPolicy, env, n_steps=8, batch_size=48, n_epochs=1, seed=1)
    model.learn(8 * ROWS)
    seen, masks = env.reset(), np.array(env.env_method("action_masks"))
    expected, _ = model.predict(seen, action_masks=masks, deterministic=True)
    assert masks[np.arange(ROWS), expected].all()
    with pytest.raises(ValueError, match="action_masks"):
        model.predict(seen)
    model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip", env)
    assert isinstance(again.policy.action_dist, LegalActions)
    assert np.array_equal(again.predict(seen, action_masks=masks, deterministic=True)[0], expected)
    again.learn(8 * ROWS)


# --- as policy files ---


def learnable(plain: bool, **options: Any) -> Any:
    """Games for MaskablePPO, with or without the mask in what is seen."""
    env = StableBaselinesVecEnv(rows_of("acey_ducey-v0", seed=1, **options))
    return VecExtractDictObs(env, "observation") if plain else env


def check_plays_as_exported(policy: Any, file: Path, env: Any, inputs: str, best: Any) -> None:
    """That the file, as a player, and the policy choose the same in the same positions."""
    export_torch(policy, file, "acey_ducey-v0", inputs=inputs)
    games = env.unwrapped.env.batch.games
    player, actions = parse_player(f"policy:{file}", games.game), np.zeros(ROWS, np.int64)
    seen = env.reset()
    for _ in range(12):
        player.choose(GamesView(games), np.ones(ROWS, np.bool_), actions)
        assert np.array_equal(best(seen, np.array(env.env_method("action_masks"))), actions)
        seen = env.step(actions)[0]


@pytest.mark.parametrize("inputs", ["planes", "thermometer", "features"])
@pytest.mark.parametrize("plain", [False, True], ids=["dict", "plain"])
@pytest.mark.parametrize("policy", ["usual", LegalActionsPolicy], ids=["usual", "legal"])
def test_a_policy_is_exported_as_it_is(policy: Any, plain: bool, inputs: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    env = learnable(plain, inputs=inputs)
    usual = "MlpPolicy" if plain else "MultiInputPolicy"
    model = MaskablePPO(usual if policy == "usual" else policy, env, n_steps=8, batch_size=48, n_epochs=1, seed=1)
    model.learn(8 * ROWS)
    check_plays_as_exported(
        model.policy, tmp_path / "policy.onnx", env, inputs,
        lambda seen, masks: model.predict(seen, action_masks=masks, deterministic=True)[0],
    )  # fmt: skip


def test_its_value_guides_a_tree_search(tmp_path: Path) -> None:
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    model = MaskablePPO("MlpPolicy", learnable(True), n_steps=8, seed=1)
    export_torch(model.policy, tmp_path / "net.onnx", "acey_ducey-v0", outputs=("logits", "value"))
    assert match("acey_ducey-v0", f"az:{tmp_path / 'net.onnx'}:2", "random", games=2, max_plies=20).games == 2


def test_a_dqn_is_exported_by_the_values_of_its_actions(tmp_path: Path) -> None:
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    env = learnable(True, inputs="features")
    policy = DQN("MlpPolicy", env, buffer_size=10, seed=1).policy

    def best(seen: Any, masks: Any) -> Any:
        values = policy.q_net(torch.as_tensor(seen)).detach().numpy()
        return np.where(masks, values, -np.inf).argmax(axis=1)

    check_plays_as_exported(policy, tmp_path / "dqn.onnx", env, "features", best)
    with pytest.raises(ValueError, match="outputs of DQNPolicy are 'logits', not 'logits' and 'value'"):
        export_torch(policy, tmp_path / "no.onnx", "acey_ducey-v0", inputs="features", outputs=("logits", "value"))


def test_a_policy_that_sees_something_else_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxscript", reason="onnxscript is not installed, which torch.onnx.export needs")
    model = MaskablePPO("MlpPolicy", learnable(True, inputs="features"), n_steps=8, seed=1)
    with pytest.raises(ValueError, match=r"is no PyTorch module; of a model of stable-baselines3 it is model\.policy"):
        export_torch(model, tmp_path / "no.onnx", "acey_ducey-v0", inputs="features")
    policy = model.policy
    with pytest.raises(ValueError, match=r"sees 'observation' \(527,\); valid .*'observation' \(22, 1"):
        export_torch(policy, tmp_path / "no.onnx", "acey_ducey-v0")
    assert not list(tmp_path.iterdir())
