"""`SelfPlayEnv`: one learning seat of a game as a `gymnasium.Env`; opponents play the other seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from parlour.engine.seeds import check_seed
from parlour.engine.view import GamesView
from parlour.interfaces.registry import make
from parlour.players import CheckedPlayer, PlayerLike
from parlour.support.copied import CopiedWhole
from parlour.wrappers.base import bottom_of, parts_of, renumbers
from parlour.wrappers.matchmaker import MAX_BEGINNINGS, Matchmaker, check_not_from, never_to_act
from parlour.wrappers.opponent_pool import OpponentPool


class SelfPlayEnv(CopiedWhole, gymnasium.Env[Any, Any]):
    """One seat of a game: the learner's. An opponent plays all other seats, inside `reset` and `step`.

    * observation: of the learner's seat: ``{"observation", "action_mask"}``, int8 (C, H, W) and int8 (A,)
      unless a wrapper of ``env`` says otherwise. After the end the mask is all zeros.
    * action: as in ``env``, from the view of the learner's seat. An illegal one is handled by ``env``:
      ``illegal_move="raise"`` raises `parlour.IllegalMove`, ``"terminate"`` costs 1 and ends the game.
    * reward: the sum of the learner's rewards from its ply to its next one; those before its first ply come with the
      first.
    * info: ``"seat"``, an int: the learner's.

    A function as opponent is called only where there is a choice; a single legal action is played at once. If the
    learner can never act again, such as a seat without chips, its episode ends though the others play on.

    The learner's seat and its opponent are drawn for each game. A game that is over before the learner can act
    is not an episode: a new one begins in its place.

    All randomness comes from the seed, except that of functions: ``reset(seed=…)`` begins the same games against the
    same opponents again. What an opponent raises is raised to the caller; `reset` is needed then, as after an
    interruption (Ctrl-C).
    """

    _interrupted = False
    """Whether an opponent's ply is still to be played."""

    def __init__(
        self, env: AECEnv[str, Any, Any], opponent: PlayerLike | OpponentPool = "random", seat: str | int = "random"
    ) -> None:
        """
        Args:
            env: an environment of `parlour.make`, in wrappers or not.
            opponent: a player's name (``"random"``, ``"greedy"``, …); a `parlour.players.Player`; a function
                ``(observation, action_mask) -> actions`` of arrays with one more axis in front, for the games that
                wait, as one learner sees them; or an `OpponentPool`, from which each game takes one. Over wrappers
                that change what actions mean it must be a function.
            seat: the learner's: a number; ``"random"``; or ``"alternate"``: drawn for the first game, then in turn.

        Raises:
            ValueError: for anything that is not valid.
        """
        self.env, self._game_env = env, bottom_of(env)
        agents = env.possible_agents
        self.observation_space = env.observation_space(agents[0])
        parts_of(self.observation_space)  # refuses those without a mask
        self.action_space = env.action_space(agents[0])
        self.render_mode = self._game_env.render_mode
        self.metadata = {
            "render_modes": self._game_env.metadata["render_modes"],
            "render_fps": self._game_env.metadata["render_fps"],
        }
        self._renumbered = renumbers(env)
        self._matchmaker = Matchmaker(self._game_env.game, len(agents), 1, opponent, seat)
        for known in self._matchmaker.at_first:
            self._check_actions(known)
        self._seeded = False
        self._learner = agents[0]
        self._totals = [0.0] * len(agents)  # since the learner's latest ply
        self._returns = np.zeros((1, len(agents)))

    @property
    def seat(self) -> int:
        """The learner's seat in this game."""
        return int(self._matchmaker.learners[0])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a new game and plays on to the learner's first ply.

        ``seed`` and ``options`` are those of the environment's own `reset`. Raises ValueError for one that is not
        valid, or if the learner never gets to act.
        """
        if seed is not None or not self._seeded:
            seed = check_seed(seed)
        super().reset(seed=seed)
        self.env.reset(seed=seed, options=options)
        self._interrupted = True
        if seed is not None:
            self._matchmaker.seed(np.zeros(1, np.int64), [seed])
            self._seeded = True
        self._matchmaker.draw(np.zeros(1, np.int64))
        self._learner = self.env.possible_agents[self.seat]
        for _ in range(MAX_BEGINNINGS):
            self._totals = [0.0] * len(self._totals)
            self._returns[:] = 0
            self._play_on()
            if not self._is_over():
                self._interrupted = False
                return self.env.observe(self._learner), {"seat": self.seat}
            check_not_from(options)
            options = None
            self.env.reset()
        raise never_to_act()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action, then the opponent's up to the learner's next ply or the end."""
        assert self._seeded, "reset() needs to be called before step."
        assert not self._interrupted, "a call was interrupted: reset() needs to be called before step."
        assert not self._is_over(), "the game is over: reset() needs to be called before step."
        self.env.step(action)
        self._interrupted = True
        self._add_rewards()
        self._play_on()
        self._interrupted = False
        reward = self._totals[self.seat]
        self._returns[0] += self._totals
        self._totals = [0.0] * len(self._totals)
        terminated = self.env.terminations[self._learner] or self._is_out()
        truncated = self.env.truncations[self._learner] and not terminated  # both stand for an illegal move
        if terminated or truncated:
            self._matchmaker.record(np.zeros(1, np.int64), self._returns, np.array([truncated]))
        return self.env.observe(self._learner), reward, terminated, truncated, {"seat": self.seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of the learner, bool (A,), under the name that sb3-contrib uses."""
        mask: NDArray[np.bool_] = self.env.observe(self._learner)["action_mask"].astype(np.bool_)
        return mask

    def render(self) -> Any:
        """The picture of the environment's ``render_mode``."""
        return self.env.render()

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def _repr_svg_(self) -> str | None:
        return self._game_env._repr_svg_()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.env!r}>"

    # --- inside ---

    def _is_over(self) -> bool:
        learner = self._learner
        return bool(self.env.terminations[learner] or self.env.truncations[learner] or self._is_out())

    def _is_out(self) -> bool:
        return self._game_env.games.is_out(0, self.seat)

    def _play_on(self) -> None:
        """The opponent's plies up to the learner's next one or the end."""
        env, opponent = self.env, self._matchmaker.opponent_of(0)
        while env.agent_selection != self._learner and not self._is_over():
            env.step(self._answer(opponent))
            self._add_rewards()

    def _answer(self, opponent: CheckedPlayer) -> int:
        """The opponent's action. Raises what `CheckedPlayer.answer` does."""
        if opponent.function is not None:
            seen = self.env.observe(self.env.agent_selection)
            legal = np.flatnonzero(seen["action_mask"])
            if len(legal) == 1:
                return int(legal[0])
            return opponent.answer(seen["observation"], seen["action_mask"], GamesView(self._game_env.games))
        self._check_actions(opponent)
        return self._game_env.ask(opponent)

    def _check_actions(self, opponent: CheckedPlayer) -> None:
        """ValueError for one that plays by the game's own actions where a wrapper has changed what they mean."""
        if self._renumbered and opponent.function is None:
            raise ValueError(
                f"{opponent.name} plays by the game's own actions, and {self.env!r} has others; valid: a function"
            )

    def _add_rewards(self) -> None:
        for seat, reward in enumerate(self.env.rewards.values()):
            self._totals[seat] += reward


def make_self_play(
    game: str, opponent: PlayerLike | OpponentPool = "random", seat: str | int = "random", **options: Any
) -> SelfPlayEnv:
    """A `SelfPlayEnv` over `parlour.make` of a game with all its options: what ``gymnasium.make`` calls."""
    return SelfPlayEnv(make(game, **options), opponent, seat)
