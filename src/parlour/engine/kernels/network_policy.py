"""Evaluates the leaves of a tree search by a small value network: values, and logits of actions from the values of the
positions right after them, before any throw."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.calls import copy_state, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels.network_value import logit_of, paid_to, value_to
from parlour.engine.own_arrays import new_states, zeros
from parlour.engine.trees.updates import Leaves
from parlour.engine.value_arrays import NetworkEvaluation
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.compiling import loop
from parlour.rulebook.protocol import RUNNING


@loop
def evaluate_leaves(
    low: int, high: int, rules: GameFunctions, per_tree: int, ranks: Any, leaves: Leaves, states: Any, variants: Any,
    temperature: float, evaluation: NetworkEvaluation, logits: Any, values: Any,
) -> None:  # fmt: skip
    """Writes the logits (float32 (M, A)) and the values (float32 (M, P), the seat to act first) of the leaves with
    ``ranks`` (int64 (N · L,)) from 0 up. ``states``: N times R, those of the trees' nodes. Row ``low`` of the network's
    memory is used for all."""
    scratch, rewards = new_states(rules, 1), zeros((1, values.shape[1]), np.float64)
    after, seats, scale = state_at(scratch, 0), values.shape[1], evaluation.network.scale
    for slot in range(low * per_tree, high * per_tree):
        k = ranks[slot]
        if k < 0:
            continue
        i = slot // per_tree
        state, variant = state_at(states[i], leaves.nodes[slot]), variant_at(variants, i)
        to_act, head = np.int64(state.to_act), evaluation.network.row_heads[i]
        for seat in range(seats):
            values[k, seat] = value_to(rules, low, head, (to_act + seat) % seats, state, variant, evaluation)
        for w in range(leaves.legal_bits.shape[1]):
            bits = leaves.legal_bits[slot, w]
            while bits:
                action = 64 * w + lowest(bits)
                bits = without_lowest(bits)
                copy_state(state, scratch, 0)
                rewards[:] = 0
                rules.apply(after, variant, action, rewards[0])
                value = paid_to(to_act, rewards, 0)
                if after.end == RUNNING:
                    value += value_to(rules, low, head, to_act, after, variant, evaluation)
                logits[k, action] = logit_of(value, scale) / temperature
