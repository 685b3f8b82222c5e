"""The check of ``symmetries.py``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.protocol import Symmetries
from parlour.testing.comparing import name_of, require, require_same, require_same_view
from parlour.testing.subject import Subject, random_action

LIMIT = 80


def check_symmetries(subject: Subject) -> None:
    """Symmetries are a group of permutations, and a transformed game follows from transformed actions."""
    if not subject.game.has_symmetries:
        return
    env = subject.make()
    symmetries = subject.game.symmetries(env.values)
    _require_group(symmetries, env.games.layout.height * env.games.layout.width, env.games.layout.actions)
    require(
        not subject.game.rules.DICE, "a game with dice can't have symmetries: throws would have to be transformed too"
    )
    for s in range(1, len(symmetries.names)):
        _play_both(subject, symmetries, s)


def _require_group(symmetries: Symmetries, cells: int, actions: int) -> None:
    count = len(symmetries.names)
    require_same("the number of different names of symmetries", len(set(symmetries.names)), count)
    for what, maps, size in (("cells", symmetries.cells, cells), ("actions", symmetries.actions, actions)):
        require_same(f"the shape of {what}", maps.shape, (count, size))
        require((np.sort(maps) == np.arange(size)).all(), f"a row of {what} is not a permutation")
        require((maps[0] == np.arange(size)).all(), f"the first row of {what} is not the identity")
    pairs = {_pair(symmetries.cells[s], symmetries.actions[s]): name for s, name in enumerate(symmetries.names)}
    require_same("the number of different symmetries", len(pairs), count)
    for s, symmetry in enumerate(symmetries.names):
        for t, other in enumerate(symmetries.names):
            both = symmetries.cells[t][symmetries.cells[s]], symmetries.actions[t][symmetries.actions[s]]
            require(_pair(*both) in pairs, f"{symmetry!r} and then {other!r} is not one of the symmetries")


def _pair(cells: NDArray[np.int64], actions: NDArray[np.int64]) -> tuple[bytes, bytes]:
    return cells.tobytes(), actions.tobytes()


def _play_both(subject: Subject, symmetries: Symmetries, s: int) -> None:
    """Plays two games from the start: the actions of the second are those of the first, transformed."""
    first, other = (subject.make(max_plies=LIMIT) for _ in range(2))
    rng = np.random.default_rng(s)
    subject.watch(first, s)
    first.reset(seed=0)
    other.reset(seed=0)
    while not first.is_over():
        for agent in first.possible_agents:
            expected = transformed(first.observe(agent), symmetries, s)
            require_same_view(f"{agent} under {symmetries.names[s]!r}", first, other.observe(agent), expected)
        action = random_action(first, rng)
        what = f"after {name_of(first, action)} under {symmetries.names[s]!r}"
        first.step(action)
        other.step(int(symmetries.actions[s][action]))
        for name in ("agent_selection", "rewards", "terminations", "truncations"):
            require_same(f"{name} {what}", getattr(other, name), getattr(first, name))


def transformed(seen: dict[str, Any], symmetries: Symmetries, s: int) -> dict[str, Any]:
    """An observation under symmetry ``s``."""
    planes, mask = np.empty_like(seen["observation"]), np.empty_like(seen["action_mask"])
    planes.reshape(len(planes), -1)[:, symmetries.cells[s]] = seen["observation"].reshape(len(planes), -1)
    mask[symmetries.actions[s]] = seen["action_mask"]
    return {"observation": planes, "action_mask": mask}
