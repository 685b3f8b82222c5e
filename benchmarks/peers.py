"""Shared by the benchmarks: environments to compare with, loops that are timed, and printing of tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table


class DoNothing(AECEnv[str, Any, int]):
    """An AEC environment with the spaces of another one, which does only what the API requires: the seats alternate,
    the observation is always the same object, and a game ends after 100 plies."""

    metadata = {"name": "do_nothing_v0"}  # noqa: RUF012

    def __init__(self, like: Any) -> None:
        """``like``: an environment after `reset`, whose agents and spaces are used."""
        self.possible_agents = like.possible_agents
        self.observation_spaces = like.observation_spaces
        self.action_spaces = like.action_spaces
        self.seen = like.observe(like.agent_selection)

    def observation_space(self, agent: str) -> Any:
        """That of the other environment."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """That of the other environment."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.plies = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Any:
        """Always the same object."""
        return self.seen

    def step(self, action: int) -> None:
        """Counts the ply."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self.plies += 1
        self.agent_selection = self.possible_agents[self.plies % len(self.possible_agents)]
        self._accumulate_rewards()
        if self.plies >= 100:
            self.terminations = dict.fromkeys(self.agents, True)


def aec_loop(env: Any, plies: int, choose: Callable[[Any, Any], Any]) -> float:
    """Plies per second of random play: ``reset``, ``last``, a legal action by ``choose(env, mask)``, ``step``."""
    env.reset(seed=0)
    done, began = 0, time.perf_counter()
    while done < plies:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(choose(env, seen["action_mask"]))
        done += 1
    return plies / (time.perf_counter() - began)


def by_the_space(env: Any, mask: Any) -> Any:
    """A random legal action by the space's `sample`, as in PettingZoo's documentation."""
    return env.action_space(env.agent_selection).sample(mask)


_GENERATOR = np.random.default_rng(0)


def by_numpy(env: Any, mask: Any) -> int:
    """A random legal action by NumPy, with as little work as possible in Python."""
    legal = mask.nonzero()[0]
    return int(legal[int(_GENERATOR.random() * len(legal))])


def rounds(measures: Sequence[Callable[[], float]], count: int) -> list[float]:
    """The median of each measure over ``count`` rounds. Each round takes all measures in turn, so that all of them have
    the same conditions."""
    return np.median([[measure() for measure in measures] for _ in range(count)], axis=0).tolist()  # type: ignore[no-any-return]


def show(*tables: Table) -> None:
    """Prints tables: with lines on a terminal; as Markdown, for docs/speed.md, if the output goes to a file or to
    another program."""
    console = Console()
    if console.is_terminal:
        console.print(*tables, sep="\n")
        return
    for table in tables:
        title, table.title, table.box = table.title, None, MARKDOWN
        print(f"{title}:\n")
        Console(width=1000).print(table)
