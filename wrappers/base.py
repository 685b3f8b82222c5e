"""What the wrappers of AEC environments share: a wrapper that changes nothing, and one for each kind of change.

They pass the calls of a training loop straight on to the next layer. PettingZoo's own `BaseWrapper` looks up every
attribute through all layers, which costs more than a ply.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.wrappers import BaseWrapper

from parlour.engine.games import Games
from parlour.engine.seeds import check_seed
from parlour.interfaces.aec import PLAIN_INTEGERS, GameEnv
from parlour.rulebook.protocol import Plane
from parlour.support.arguments import as_index
from parlour.support.copied import CopiedWhole
from parlour.support.errors import listing


def bottom_of(env: Any) -> GameEnv:
    """The innermost environment, which `parlour.make` made; ValueError if it is of another kind."""
    bottom = getattr(env, "unwrapped", None)
    if not isinstance(bottom, GameEnv):
        raise ValueError(f"{env!r} can't be wrapped: it is not an environment of parlour.make()")
    return bottom


def parts_of(space: spaces.Space[Any]) -> dict[str, spaces.Space[Any]]:
    """The spaces of an observation's parts; ValueError without ``"observation"`` and ``"action_mask"``."""
    parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {}
    if not {"observation", "action_mask"} <= set(parts):
        raise ValueError(
            "the wrapper needs an observation with 'observation' and 'action_mask' beneath it, and finds "
            f"{listing(list(parts)) if parts else space}; put wrappers that take an observation apart outside"
        )
    return parts


def planes_of(space: spaces.Space[Any]) -> spaces.Box:
    """The space of an observation's planes, (C, H, W); ValueError if there are none."""
    planes = parts_of(space)["observation"]
    if not isinstance(planes, spaces.Box) or len(planes.shape) != 3:
        raise ValueError(
            f"the wrapper needs planes (C, H, W) beneath it, and finds {planes}; put wrappers that flatten them outside"
        )
    return planes


def index_of(action: object, count: int) -> int | None:
    """An action as int; None unless it is a whole number from 0 to ``count`` − 1."""
    try:
        index = int(action) if type(action) in PLAIN_INTEGERS else as_index(action)  # type: ignore[call-overload]
    except TypeError:
        return None
    return index if 0 <= index < count else None


def wrappers_of(env: Any) -> Iterator[Any]:
    """All wrappers of an environment, the outermost first."""
    while env is not env.unwrapped:
        yield env
        env = env.env


def renumbers(env: Any) -> bool:
    """Whether a wrapper gives actions another meaning: such a one has move names of its own."""
    return any("parse_move" in vars(type(wrapper)) for wrapper in wrappers_of(env))


class Wrapper(CopiedWhole, BaseWrapper[str, Any, Any]):
    """Changes nothing in observation, action, reward and info.

    Attributes:
        env: the wrapped environment; all its attributes are available here too.
    """

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """``env``: an environment of `parlour.make`, wrapped or not; ValueError for any other."""
        bottom_of(env)
        super().__init__(env)
        self.action_spaces = {agent: env.action_space(agent) for agent in env.possible_agents}
        self._peek_beneath = env._peek if isinstance(env, (GameEnv, Wrapper)) else env.observe

    @property
    def game_env(self) -> GameEnv:
        """The innermost environment."""
        return bottom_of(self.env)

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The meaning of each plane of ``"observation"``, as long as the observation consists of planes."""
        return self.env.planes

    # As properties that run no Python: `BaseWrapper.__getattr__` is many times slower.

    agent_selection = property(attrgetter("env.agent_selection"), doc="The seat to act.")
    agents = property(attrgetter("env.agents"), doc="The seats whose game is not over for them.")
    terminations = property(attrgetter("env.terminations"), doc="Which seats' games have ended by a result.")
    truncations = property(attrgetter("env.truncations"), doc="Which seats' games have been truncated.")
    infos = property(attrgetter("env.infos"), doc="Further information for each seat.")

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at each call."""
        return self.action_spaces[agent] if agent in self.action_spaces else self.env.action_space(agent)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See `pettingzoo.AECEnv.last`."""
        return self.env.last(observe)

    def _peek(self, agent: str) -> Any:
        return self.observe(agent)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """See `pettingzoo.AECEnv.agent_iter`."""
        return self.env.agent_iter(max_iter)

    def clone(self, seed: int | None = None) -> Any:
        """An independent copy, wrappers included: see `GameEnv.clone`."""
        twin = copy.deepcopy(self)
        if seed is not None:
            twin.game_env.reseed(check_seed(seed))
        return twin

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.env!r}>"


class ChangingWrapper(Wrapper):
    """One with observations, rewards or infos of its own, which `last` returns."""

    def _info(self, agent: str) -> dict[str, Any]:
        """What is told to the seat to act."""
        return self.env.infos[agent]

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See `pettingzoo.AECEnv.last`."""
        env = self.env
        agent = env.agent_selection
        seen = self.observe(agent) if observe else None
        reward = self._cumulative_rewards[agent]
        return seen, reward, env.terminations[agent], env.truncations[agent], self._info(agent)


class ObservationWrapper(ChangingWrapper):
    """Changes observations: a subclass defines `see` and `seen_space`.

    Attributes:
        made: the parts of the observation that `see` creates. The outermost wrapper copies the others, once per call.
    """

    made: frozenset[str] = frozenset({"observation"})
    _cumulative_rewards = property(attrgetter("env._cumulative_rewards"), doc="The rewards that `last` returns.")

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        super().__init__(env)
        self.observation_spaces = {
            agent: self.seen_space(env.observation_space(agent)) for agent in env.possible_agents
        }
        space = self.observation_spaces[env.possible_agents[0]]
        self._passed_on = (
            [key for key in space.spaces if key not in self.made] if isinstance(space, spaces.Dict) else []
        )

    def see(self, observation: Any, agent: str) -> Any:
        """The observation of ``agent`` in place of ``observation``. The wrapper may change the dict. It may pass on its
        arrays (those that are not `made`), but must neither change nor keep them."""
        raise NotImplementedError

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """The space of the changed observation, where ``space`` is that of the original."""
        raise NotImplementedError

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object at each call."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> Any:
        """See `pettingzoo.AECEnv.observe`."""
        seen = self.see(self._peek_beneath(agent), agent)
        for key in self._passed_on:
            seen[key] = seen[key].copy()
        return seen

    def _peek(self, agent: str) -> Any:
        return self.see(self._peek_beneath(agent), agent)


class Ply(NamedTuple):
    """What a step has done in each of N games: bool (N,) each."""

    going_on: NDArray[np.bool_]
    """A ply was played in it, and it goes on."""
    ended: NDArray[np.bool_]
    """A ply was played in it and ended it."""
    terminations: NDArray[np.bool_]
    """It has a result, since this ply or an earlier one."""
    any_ended: bool
    """Whether ``ended`` is true of any."""


class RewardRows:
    """Changes the rewards of N games of P seats: what a reward wrapper does, told once for batches and environments.

    A subclass defines `changed`, and may prepare in `begun` and `before_ply`. With `BatchRewardWrapper` it becomes a
    wrapper of batches, with `RewardWrapper`, the case of one game, one of environments.
    """

    _games: Games

    if TYPE_CHECKING:

        def __init__(self, env: Any) -> None: ...

    @property
    def _restarts(self) -> bool:
        """Whether a game that ends begins again in the same step; `Games.finals` then has its end."""
        return False

    def begun(self, row_mask: NDArray[np.bool_]) -> None:
        """Called when games have begun again in the rows of ``row_mask`` (bool (N,))."""

    def before_ply(self) -> None:
        """Called before each step."""

    def changed(self, rewards: NDArray[np.float64], ply: Ply) -> bool:
        """Changes ``rewards`` (N, P) of a step in place. Returns False if they stay as they are."""
        raise NotImplementedError

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """See `GameEnv.reset` or `Batch.reset`."""
        raise NotImplementedError


ONE = np.ones(1, np.bool_)
NONE = ~ONE
GOING_ON, BY_RESULT, OTHERWISE = Ply(ONE, NONE, NONE, False), Ply(NONE, ONE, ONE, True), Ply(NONE, ONE, NONE, True)
PLIES = ((GOING_ON, OTHERWISE), (BY_RESULT, OTHERWISE))
"""[terminated][truncated]: a ply of one game. Both stand for an illegal move."""


class RewardWrapper(ChangingWrapper, RewardRows):
    """Changes the rewards of one game: its other base, a `RewardRows`, says how.

    `rewards` holds the rewards of the latest ply. `last` returns their sum since the agent's own latest ply, as without
    the wrapper.
    """

    rewards: dict[str, float]
    _cumulative_rewards: dict[str, float]

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        super().__init__(env)
        self._games = self.game_env.games

    def _peek(self, agent: str) -> Any:
        return self._peek_beneath(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See `GameEnv.reset`."""
        self.env.reset(seed, options)
        self.rewards = dict(self.env.rewards)
        self._cumulative_rewards = dict.fromkeys(self.rewards, 0.0)
        self.begun(ONE)

    def step(self, action: int | None) -> None:
        """See `GameEnv.step`."""
        env, cumulative = self.env, self._cumulative_rewards
        agent = env.agent_selection
        if action is not None:
            self.before_ply()
        env.step(action)
        if action is None:  # the last step of a seat whose game is over, where PettingZoo takes only None
            self.rewards = dict(env.rewards)
            self._cumulative_rewards = {name: cumulative[name] for name in env.agents}
            return
        cumulative[agent] = 0.0
        rewards = np.zeros((1, len(env.rewards)))
        if any(env.rewards.values()):
            rewards[0] = [*env.rewards.values()]
        ply = PLIES[env.terminations[agent]][env.truncations[agent]]
        self.rewards = dict(zip(env.rewards, rewards.tolist()[0])) if self.changed(rewards, ply) else env.rewards
        for name, reward in self.rewards.items():
            if reward:
                cumulative[name] += reward
