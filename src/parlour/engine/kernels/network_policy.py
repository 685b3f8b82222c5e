"""What a small value network says of the leaves of a tree search: their values, and logits of actions by the values of
the positions right after them, before any throw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.trees.updates import Leaves
from parlour.engine.value_arrays import NetworkEvaluation
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.protocol import RUNNING, Rules

rules: Rules
network_value: Any
turn_choice: Any
loop: Callable[[Any], Any]


@loop
def answer_rows(
    low: int, high: int, per_tree: int, ranks: Any, leaves: Leaves, states: Any, variants: Any, temperature: float,
    evaluation: NetworkEvaluation, logits: Any, values: Any,
) -> None:  # fmt: skip
    """Writes the logits (float32 (M, A)) and the values (float32 (M, P), the seat to act first) of the leaves with
    ``ranks`` (int64 (N · L,)) from 0 up. ``states``: (N, R), those of the trees' nodes; the memory's row ``low`` is
    used for all."""
    after, rewards = states[low, :1].copy(), np.zeros((1, values.shape[1]))
    seats, scale = values.shape[1], evaluation.network.scale
    for slot in range(low * per_tree, high * per_tree):
        k = ranks[slot]
        if k < 0:
            continue
        i = slot // per_tree
        state, variant, head = states[i, leaves.nodes[slot]], variants[i], evaluation.network.row_heads[i]
        acts = np.int64(state.to_act)
        for seat in range(seats):
            values[k, seat] = network_value.value_to(low, head, (acts + seat) % seats, state, variant, evaluation)
        for w in range(leaves.legal_bits.shape[1]):
            bits = leaves.legal_bits[slot, w]
            while bits:
                action = 64 * w + lowest(bits)
                bits = without_lowest(bits)
                after[0] = state
                rewards[:] = 0
                rules.apply(after[0], variant, action, rewards[0])
                worth = turn_choice.paid_to(acts, rewards, 0)
                if after[0].end == RUNNING:
                    worth += network_value.value_to(low, head, acts, after[0], variant, evaluation)
                logits[k, action] = turn_choice.logit_of(worth, scale) / temperature
