"""`LegalActionsPolicy`: the policy of sb3-contrib's MaskablePPO, with a masked distribution that is sooner computed.

It needs sb3-contrib (``pip install 'parlour[learn]'``)::

    model = MaskablePPO(LegalActionsPolicy, env)
    model.save("model.zip")
    model = MaskablePPO.load("model.zip")

Axis letters: N games, A actions.
"""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import CombinedExtractor, FlattenExtractor


class LegalActions(MaskableCategoricalDistribution):
    """A categorical distribution over the legal actions, with the same probabilities as sb3-contrib's own.

    That one is normalised twice, before and after the mask, and checked each time. This one takes one softmax and
    checks its logits once, which saves time (``benchmarks/legal_actions.py``). It draws other samples from the same
    seed, and always needs masks: without them, whatever asks it for actions raises ValueError.
    """

    def proba_distribution(self, action_logits: Any) -> LegalActions:
        """Takes the logits of all actions, float32 (N, A). ValueError if one is NaN or +inf."""
        if not (action_logits < torch.inf).all():
            raise ValueError("logits are numbers or -inf, and here are NaN or +inf: has the training diverged?")
        self._unmasked, self._masked = action_logits, None
        return self

    def apply_masking(self, masks: Any) -> None:
        """``masks``: (N, A), or as many numbers in another shape, not 0 where an action is legal. ValueError unless
        each row has a legal action with a logit above -inf, and for masks with NaN."""
        given = torch.as_tensor(masks, device=self._unmasked.device).reshape(self._unmasked.shape)
        if given.is_floating_point() and given.isnan().any():
            raise ValueError("masks must be numbers, 0 where an action is illegal, not NaN")
        legal = given != 0
        masked = self._unmasked.masked_fill(~legal, -torch.inf).log_softmax(1)
        if masked[:, 0].isnan().any():  # where there is nothing to draw, all of the row is NaN
            raise ValueError("each row of masks has a legal action (not 0) with a logit above -inf")
        self._masked = masked

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities (N, A), -inf where an action is illegal."""
        if self._masked is None:
            raise ValueError("LegalActions draws nothing without masks: say which actions are legal (action_masks=...)")
        return self._masked

    def log_prob(self, actions: Any) -> Any:
        """Of actions (N,): (N,)."""
        return self.logits.gather(1, actions.long().reshape(-1, 1)).flatten()

    def entropy(self) -> Any:
        """(N,)."""
        finite = self.logits.masked_fill(self.logits == -torch.inf, 0.0)  # 0 times -inf is NaN, and so is its gradient
        return -(self.logits.exp() * finite).sum(1)

    def sample(self) -> Any:
        """Random actions (N,): where the logarithm of the probability, with Gumbel noise, is highest."""
        noise, numbers = torch.empty_like(self.logits).exponential_(), torch.finfo(self.logits.dtype)
        # Noise of 0 or infinity would lift an illegal action to NaN, or sink the legal ones to -inf beside it.
        return (self.logits - noise.clamp_(numbers.tiny, numbers.max).log_()).argmax(1)

    def mode(self) -> Any:
        """The most probable actions (N,)."""
        return self.logits.argmax(1)


class LegalActionsPolicy(MaskableActorCriticPolicy):
    """A policy of MaskablePPO with `LegalActions`, in place of ``"MlpPolicy"`` for plain observations and of
    ``"MultiInputPolicy"`` for dicts. A saved model has it again when it is loaded."""

    def __init__(self, observation_space: spaces.Space[Any], action_space: Any, *args: Any, **kwargs: Any) -> None:
        """As `MaskableActorCriticPolicy`."""
        extractor = CombinedExtractor if isinstance(observation_space, spaces.Dict) else FlattenExtractor
        super().__init__(observation_space, action_space, *args, **{"features_extractor_class": extractor, **kwargs})
        self.action_dist = LegalActions(int(action_space.n))
