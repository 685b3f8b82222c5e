"""`LegalActions`: the masked distribution of sb3-contrib's MaskablePPO, sooner computed.

It needs sb3-contrib (``pip install 'parlour[learn]'``)::

    model = MaskablePPO("MultiInputPolicy", env)
    model.policy.action_dist = LegalActions(env.action_space.n)

Axis letters: N games, A actions.
"""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution


class LegalActions(MaskableCategoricalDistribution):
    """A categorical distribution over the legal actions, with the same probabilities as sb3-contrib's own.

    That one is normalised twice, before and after the mask, and checked each time. This one takes one softmax and
    checks nothing, which saves time (``benchmarks/legal_actions.py``). It draws other samples from the same seed, and
    always needs masks.
    """

    def proba_distribution(self, action_logits: Any) -> LegalActions:
        """Takes the logits of all actions, float32 (N, A)."""
        self.logits = action_logits
        return self

    def apply_masking(self, masks: Any) -> None:
        """``masks``: (N, A), or as many numbers in another shape, not 0 where an action is legal."""
        legal = torch.as_tensor(masks, device=self.logits.device).reshape(self.logits.shape) != 0
        self.logits = self.logits.masked_fill(~legal, -1e9).log_softmax(1)

    def log_prob(self, actions: Any) -> Any:
        """Of actions (N,): (N,)."""
        return self.logits.gather(1, actions.long().reshape(-1, 1)).flatten()

    def entropy(self) -> Any:
        """(N,)."""
        return -(self.logits.exp() * self.logits).sum(1)

    def sample(self) -> Any:
        """Random actions (N,): where the logarithm of the probability, with Gumbel noise, is highest."""
        return (self.logits - torch.empty_like(self.logits).exponential_().log()).argmax(1)

    def mode(self) -> Any:
        """The most probable actions (N,)."""
        return self.logits.argmax(1)
