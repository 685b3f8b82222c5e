"""`TurnBasedParallel`: a turn-based game as a PettingZoo ParallelEnv."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from parlour.engine.seeds import check_seed
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.spaces import ActionSpace
from parlour.support.arguments import as_index, shown
from parlour.support.errors import IllegalMove, listing
from parlour.wrappers.base import bottom_of

WAIT = "wait"
"""The name of doing nothing."""

Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class TurnBasedParallel(ParallelEnv[str, Any, int]):
    """A `pettingzoo.ParallelEnv`: every seat gives an action at each step, and only that of the seat to act counts.

    * observation: every seat's own, as in ``env``, except the mask: int8 (A,) becomes int8 (A + 1,). The seat to act
      may play what it may play in ``env``; every other has one legal action, the last, which does nothing. All masks
      are those of the very position that is observed; after the end they are all zeros.
    * action: ``Discrete(A)`` becomes ``Discrete(A + 1)``.
    * reward: of this ply, to every seat that it concerns: the ``rewards`` of ``env``.
    * info: as in ``env``.

    An off-turn seat that does something, or a seat to act that does nothing, has made an illegal move: with
    ``illegal_move="raise"`` that raises `parlour.IllegalMove` and leaves everything as it was; with ``"terminate"`` it
    costs the seat 1, warns, and ends the game for all, which are then terminated and truncated.

    Attributes:
        env: the AEC environment beneath.
        noop: the action that does nothing: A.
    """

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """``env``: an environment of `parlour.make`, in wrappers or not, with an ``"action_mask"`` in its observations
        and actions from 0; ValueError for any other."""
        bottom_of(env)
        self.env = env
        self.possible_agents = list(env.possible_agents)
        self.agents: list[str] = []
        self.metadata: dict[str, Any] = {**env.metadata, "is_parallelizable": True}
        self.render_mode = env.render_mode
        first = self.possible_agents[0]
        seen, actions = env.observation_space(first), env.action_space(first)
        masked = isinstance(seen, spaces.Dict) and "action_mask" in seen.spaces
        if not masked or not isinstance(actions, spaces.Discrete) or actions.start != 0:
            raise ValueError(
                f"TurnBasedParallel needs observations with 'action_mask' and actions from 0, not {seen} and {actions}"
            )
        self.noop = int(actions.n)
        self.observation_spaces = {agent: self._seen_space(agent) for agent in self.possible_agents}
        self.action_spaces = {agent: ActionSpace(self.noop + 1) for agent in self.possible_agents}
        self._waiting = np.zeros(self.noop + 1, np.int8)
        self._waiting[self.noop] = 1

    @property
    def game_env(self) -> GameEnv:
        """The innermost environment."""
        return bottom_of(self.env)

    @property
    def state_space(self) -> spaces.Space[Any]:
        """See `GameEnv.state`."""
        return self.env.state_space

    def _seen_space(self, agent: str) -> spaces.Dict:
        seen = self.env.observation_space(agent)
        assert isinstance(seen, spaces.Dict)
        return spaces.Dict({**seen.spaces, "action_mask": spaces.Box(0, 1, (self.noop + 1,), np.int8)})

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """The same object at each call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begins a new game, or resumes one: see `GameEnv.reset`. Where it is over already ``agents`` is empty."""
        self.env.reset(seed, options)
        over = self.env.terminations[self.possible_agents[0]] or self.env.truncations[self.possible_agents[0]]
        self.agents = [] if over else self.possible_agents[:]
        return self._seen(), self._infos()

    def step(self, actions: Mapping[str, int]) -> Step:
        """Plays one ply. ``actions``: one (int, np.int32 or np.int64) for each of ``agents``; ValueError for other
        seats or for what is no action. After the end all that it returns is empty."""
        acting = self.env.agent_selection
        if not self.agents:
            return {}, {}, {}, {}, {}
        indices = self._read(actions)
        offenders = [agent for agent in self.agents if (indices[agent] == self.noop) == (agent == acting)]
        if offenders:
            return self._refuse(offenders, indices)
        self.env.step(indices[acting])
        env, agents = self.env, self.agents
        terminations = {agent: env.terminations[agent] for agent in agents}
        truncations = {agent: env.truncations[agent] for agent in agents}
        if terminations[acting] or truncations[acting]:
            self.agents = []
        rewards = {agent: float(env.rewards[agent]) for agent in agents}
        return self._seen(), rewards, terminations, truncations, self._infos()

    def observe(self, agent: str) -> Any:
        """What a seat sees, in new arrays."""
        observation = self.env.observe(agent)
        if self.agents and agent != self.env.agent_selection:
            mask: NDArray[np.int8] = self._waiting.copy()
        else:
            mask = np.zeros(self.noop + 1, np.int8)
            if self.agents:
                mask[: self.noop] = observation["action_mask"]
        return {**observation, "action_mask": mask}

    def state(self) -> Any:
        """See `GameEnv.state`."""
        return self.env.state()

    def render(self) -> Any:
        """See `GameEnv.render`."""
        return self.env.render()

    def close(self) -> None:
        """See `GameEnv.close`."""
        self.env.close()

    def clone(self, seed: int | None = None) -> TurnBasedParallel:
        """An independent copy: see `GameEnv.clone`."""
        twin = copy.deepcopy(self)
        if seed is not None:
            twin.game_env.reseed(check_seed(seed))
        return twin

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.env!r}>"

    def _seen(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in self.possible_agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        infos = self.env.infos
        return {agent: dict(infos.get(agent, {})) for agent in self.possible_agents}

    def _read(self, actions: Mapping[str, int]) -> dict[str, int]:
        """The action of each seat as int; ValueError for what is none."""
        if not isinstance(actions, Mapping):
            raise ValueError(f"actions are a mapping from agents to actions, not {shown(actions)}")
        if set(actions) != set(self.agents):
            raise ValueError(f"actions are one each for {listing(self.agents)}, not for {listing(list(actions))}")
        indices = {}
        for agent, action in actions.items():
            try:
                indices[agent] = as_index(action)
            except TypeError:
                indices[agent] = -1
            if not 0 <= indices[agent] <= self.noop:
                raise ValueError(
                    f"{agent}: {shown(action)} is no action; actions are whole numbers from 0 to {self.noop}"
                )
        return indices

    def _refuse(self, offenders: list[str], indices: dict[str, int]) -> Step:
        """What it brings to act off turn, or to do nothing on turn: see the class."""
        game_env = self.game_env
        if game_env.illegal_move == "raise":
            agent = offenders[0]
            acting = game_env.agent_selection
            if agent == acting:
                problem, name, legal = f"{agent} is to act and can't {WAIT}", WAIT, game_env.legal_moves()
            else:
                problem, name, legal = f"{agent} is not to act, {acting} is: it can only {WAIT}", None, [WAIT]
            problem = f"{problem} (action {self.noop}), not play action {indices[agent]}" if name is None else problem
            raise IllegalMove(problem, indices[agent], name, game_env.position(), legal)
        EnvLogger.warn_on_illegal_move()
        over, self.agents = dict.fromkeys(self.agents, True), []
        rewards = {agent: -1.0 if agent in offenders else 0.0 for agent in over}
        return self._seen(), rewards, over, dict(over), self._infos()
