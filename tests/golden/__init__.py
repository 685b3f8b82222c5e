"""Golden playthroughs: games written down once, to be played the same for ever. One file a game and variant.

After a change that is meant to alter them, write them anew with ``python -m tests.golden`` and read the difference.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import parlour

FOLDER = Path(__file__).parent
SEEDS = (1, 2)


def path_of(game: str, variant: str) -> Path:
    """Where a variant's playthroughs are."""
    return FOLDER / game.partition("-")[0] / f"{variant}.txt"


def playthrough(game: str, variant: str) -> str:
    """Two random games: every ply's move, and now and then position, dice, legal moves and a digest of all that is
    seen."""
    env = parlour.make(game, variant=variant, illegal_move="raise")
    lines = []
    for seed in SEEDS:
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        lines.append(f"game {seed}")
        ply = 0
        while True:
            if ply % 10 == 0 or env.is_over():
                views = [env.observe(agent) for agent in env.possible_agents]
                digest = sum(int(np.dot(view["observation"].ravel().astype(np.int64),
                                        np.arange(1, view["observation"].size + 1))) for view in views)  # fmt: skip
                lines.append(f"  position {env.position()}")
                lines.append(f"  dice {env.dice} seen {digest} legal {len(env.legal_moves())}: "
                             + " ".join(env.legal_moves()[:200]))  # fmt: skip
            if env.is_over():
                break
            move = str(rng.choice(env.legal_moves()))
            agent = env.agent_selection
            env.step(env.parse_move(move))
            ply += 1
            lines.append(f"{ply} {agent} {move} {' '.join(f'{reward:g}' for reward in env.rewards.values())}")
    return "\n".join(lines) + "\n"
