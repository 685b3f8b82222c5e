"""`examples/own_kernels.py` against the same sum, worked out by the environment: clone, given throw, step."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from examples.own_kernels import make_chooser

PAGE = Path(__file__).resolve().parents[2] / "docs" / "own_kernels.md"


def worth(env: Any, seat: int) -> float:
    """The rewards of the latest ply, and the potential if the game runs."""
    potentials = np.zeros((1, len(env.possible_agents)), np.float32)
    env.games.potentials(potentials)
    over = env.is_over()
    return float(env.rewards[f"player_{seat}"]) + (0.0 if over else float(potentials[0, seat]))


def value(env: Any, action: int, seat: int) -> float:
    """Over all throws that may follow, each by its probability."""
    after = env.after_states()
    if not after.chance_due[after.actions.tolist().index(action)]:
        twin = env.clone()
        twin.step(action)
        return worth(twin, seat)
    total = 0.0
    for faces, probability in env.chance_outcomes():
        twin = env.clone()
        twin.set_dice([faces])
        twin.step(action)
        total += probability * worth(twin, seat)
    return total


@pytest.mark.parametrize("game", ["acey_ducey-v0", "checkers-v0"])
def test_the_action_of_the_highest_value(game: str) -> None:
    options = {"repetition": 0} if "repetition" in parlour.options(game) else {}
    batch = parlour.make_batch(game, 4, seed=5, max_plies=0, **options)
    batch.reset()
    choose = make_chooser(batch)
    spread = 0.0
    for step in range(60):
        batch.step(batch.sample_actions())
        if step % 20 < 18:
            continue
        row, actions = step % 4, choose().copy()
        env: Any = parlour.make(game, max_plies=0, **options)
        env.reset(options={"position": batch.position(row)})
        seat = env.possible_agents.index(env.agent_selection)
        values = {int(a): value(env, int(a), seat) for a in env.after_states().actions}
        assert values[actions[row]] == pytest.approx(max(values.values()), abs=1e-6)
        spread = max(spread, max(values.values()) - min(values.values()))
    assert spread > 0


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The code on docs/own_kernels.md, as it stands there."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, "own_kernels.md", "exec"), {})
    assert capsys.readouterr().out.strip().isdecimal()
