"""Games in words as environments of verifiers (package ``verifiers``), for one model or two.

verifiers finds an environment by the name of a module. Make one, such as ``parlour_game.py``, with one of the two:

from parlour.text.adapters.verifiers import GameTaskset, OneSeat
__all__ = ["GameTaskset", "OneSeat"]
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from parlour.text.game import TextGame

UNFINISHED = -1.0
"""The reward besides of a model that stops in the middle of a game, since otherwise it need never lose."""


class GameConfig(vf.TasksetConfig):
    """Which games are played."""

    game: str = "checkers-v0"
    settings: dict[str, Any] = Field(default_factory=dict)
    """Those of `parlour.text.TextBatch`, except ``seat`` where two models play."""
    first_seed: int = Field(0, ge=0)
    regret_weight: float = 0.0
    """How much each unit of ``value_lost`` takes from the reward; it is measured if the settings name a judge."""


class GameData(vf.TaskData):
    """One game: its seed fixes dice, seats, openings and opponents."""

    game: str
    settings: dict[str, Any]
    seed: int
    regret_weight: float


class GameTask(vf.Task[GameData]):
    """One game to play."""


class GameTaskset(vf.Taskset[GameTask, GameConfig]):
    """A game for each seed, without end."""

    INFINITE = True

    def load(self) -> Iterator[GameTask]:
        """The tasks, one a seed."""
        config = self.config
        for seed in itertools.count(config.first_seed):
            data = GameData(
                name=f"{config.game}#{seed}", prompt=None, game=config.game, settings=config.settings, seed=seed,
                regret_weight=config.regret_weight,
            )  # fmt: skip
            yield GameTask(data, config.task)


class OneSeatConfig(vf.EnvConfig):
    """One model; the other seats are played by ``opponent`` of the settings."""

    player: vf.AgentConfig = vf.AgentConfig()


class TwoSeatsConfig(vf.EnvConfig):
    """Two models, both trainable."""

    first: vf.AgentConfig = vf.AgentConfig()
    second: vf.AgentConfig = vf.AgentConfig()


class OneSeat(vf.Env[OneSeatConfig]):
    """A model against players of this package."""

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Plays the game of a task."""
        await _play(task, [agents.player], {})


class TwoSeats(vf.Env[TwoSeatsConfig]):
    """Two models against each other; ``first`` has the first seat."""

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Plays the game of a task."""
        await _play(task, [agents.first, agents.second], {"seat": "all"})


async def _play(task: GameTask, agents: list[Any], settings: dict[str, Any]) -> None:
    """Plays a game between agents, or of one against players by name, and scores every agent's trace."""
    data = task.data
    game = await asyncio.to_thread(TextGame, data.game, **data.settings, **settings)
    message = await asyncio.to_thread(game.reset, data.seed)
    returns, regrets, illegal = ([0.0] * len(agents) for _ in range(3))
    async with AsyncExitStack() as stack:
        talks = [await stack.enter_async_context(agent.interaction(task)) for agent in agents]
        while not game.done:
            k = game.to_act if len(agents) > 1 else 0
            segment = await talks[k].turn(message)
            if segment.terminated:
                returns[k] += UNFINISHED
                break
            reply = await asyncio.to_thread(game.step, segment.last_reply)
            message, illegal[k] = reply.text, float(reply.info["illegal"])
            regrets[k] += reply.info["value_lost"] or 0.0
            if len(agents) == 1:
                returns[0] += reply.reward
            else:
                returns = [sum(pair) for pair in zip(returns, reply.info["rewards"])]
    for talk, result, regret, count in zip(talks, returns, regrets, illegal):
        talk.trace.record_reward("result", result, 1.0)
        talk.trace.record_reward("regret", -regret, data.regret_weight)
        talk.trace.record_metric("illegal", count)
