"""Policies of stable-baselines3 and sb3-contrib as networks to export: see `parlour.players.export_torch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.preprocessing import preprocess_obs

from parlour.players.onnx import ACTION_MASK, LOGITS, OBSERVATION, VALUE
from parlour.support.errors import listing

Shapes = Mapping[str, tuple[int, ...]]
"""Of what a network sees of one position, by its name"""


class PolicyNetwork(torch.nn.Module):
    """What a policy computes of a position, without a distribution over actions."""

    def __init__(self, policy: Any, names: Sequence[str], outputs: Sequence[str]) -> None:
        """``names``: what it sees, none for a plain observation. ``outputs``: what it gives."""
        super().__init__()
        self.policy, self.names, self.outputs = policy, names, outputs

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor | None = None) -> tuple[torch.Tensor, ...]:
        """float32 (N, C, H, W) or (N, F), and where the policy sees it (N, A), to the ``outputs``: (N, A), (N, 1)."""
        seen = {OBSERVATION: observation, ACTION_MASK: action_mask}
        given: Any = {name: seen[name] for name in self.names} if self.names else observation
        results = {LOGITS: self._logits, VALUE: self._value}
        return tuple(results[name](given) for name in self.outputs)

    def _logits(self, observation: Any) -> Any:
        policy = self.policy
        if hasattr(policy, "q_net"):
            return policy.q_net(observation)
        features = self._features(observation, policy.pi_features_extractor)
        return policy.action_net(policy.mlp_extractor.forward_actor(features))

    def _value(self, observation: Any) -> Any:
        policy = self.policy
        features = self._features(observation, policy.vf_features_extractor)
        return policy.value_net(policy.mlp_extractor.forward_critic(features))

    def _features(self, observation: Any, extractor: Any) -> Any:
        policy = self.policy
        return extractor(preprocess_obs(observation, policy.observation_space, policy.normalize_images))


def as_network(
    policy: Any, shapes: Shapes, actions: int, outputs: Sequence[str]
) -> tuple[PolicyNetwork, dict[str, tuple[int, ...]]]:
    """A policy as a network for a game of A = ``actions``, and the shapes of all that it sees. ``shapes``: of what it
    is said to see beside the mask. ValueError if it sees anything else, or does not give the ``outputs``."""
    space = policy.observation_space
    given = space.spaces if isinstance(space, spaces.Dict) else {OBSERVATION: space}
    valid = {**shapes, ACTION_MASK: (actions,)}
    for name, part in given.items():
        if valid.get(name) != part.shape:
            expected = " or ".join(f"{key!r} {shape}" for key, shape in valid.items())
            raise ValueError(
                f"the policy sees {name!r} {part.shape}; valid with these inputs: {expected}, as SelfPlayVectorEnv and "
                "SelfPlayEnv show them"
            )
    has = (LOGITS,) if hasattr(policy, "q_net") else (LOGITS, VALUE)
    if not set(outputs) <= set(has):
        raise ValueError(f"outputs of {type(policy).__name__} are {listing(has)}, not {listing(outputs)}")
    names = list(given) if isinstance(space, spaces.Dict) else []
    return PolicyNetwork(policy, names, outputs), {name: shape for name, shape in valid.items() if name in given}
