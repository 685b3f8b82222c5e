"""What `LegalActions` saves beside sb3-contrib's own masked distribution: processor time of one update of MaskablePPO
(the log probabilities and the entropy of 256 positions, and the gradient) and of one choice of actions, as the median
ratio of pairs measured by turns. It needs ``parlour[learn]``.

python benchmarks/legal_actions.py [--rounds 50]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click
import numpy as np
import torch
from peers import games_option, show, table
from sb3_contrib import MaskablePPO

from parlour.wrappers import LegalActions, SelfPlayVectorEnv, StableBaselinesVecEnv

ROWS = 256


@click.command()
@click.option("--rounds", default=50, show_default=True, help="How many pairs are measured.")
@games_option
def main(rounds: int, games: tuple[str, ...]) -> None:
    """Prints a row for each game."""
    torch.set_num_threads(1)
    grid = table("sb3-contrib's own distribution / LegalActions", "game", "actions", "update ×", "choice ×")
    for game in games:
        env = StableBaselinesVecEnv(SelfPlayVectorEnv(game, ROWS, "random", seed=1))
        grid.add_row(game, str(env.action_space.n), *(f"{times:.2f}" for times in ratios(env, rounds)))
    show(grid)


def ratios(env: StableBaselinesVecEnv, rounds: int) -> tuple[float, float]:
    """Of an update, and of a choice of actions."""
    policy = MaskablePPO("MultiInputPolicy", env, seed=1).policy
    seen, masks = env.reset(), np.array(env.env_method("action_masks"))
    (obs, _), actions = policy.obs_to_tensor(seen), torch.as_tensor(masks.argmax(1))
    distributions = policy.action_dist, LegalActions(int(env.action_space.n))

    def update() -> None:
        values, log_probs, entropy = policy.evaluate_actions(obs, actions, masks)
        (values.mean() - log_probs.mean() - entropy.mean()).backward()

    def choose() -> None:
        with torch.no_grad():
            policy(obs, action_masks=masks)

    return ratio(policy, distributions, update, rounds), ratio(policy, distributions, choose, rounds)


def ratio(policy: Any, distributions: tuple[Any, Any], work: Callable[[], None], rounds: int) -> float:
    """By how much the first distribution takes longer than the second, the median of pairs."""
    pairs = []
    for _ in range(rounds + 1):
        times = []
        for policy.action_dist in distributions:
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
        pairs.append(times[0] / times[1])
    return float(np.median(pairs[1:]))  # the first pair warms up


if __name__ == "__main__":
    main()
