"""`FactoredActions`: an action as two smaller choices: the piece first, then where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from parlour.interfaces.spaces import ActionSpace
from parlour.rulebook.protocol import Plane
from parlour.support.errors import ActionOutOfRange, IllegalMove, listing
from parlour.wrappers.base import ObservationWrapper, bottom_of, index_of, parts_of, planes_of


class FactoredActions(ObservationWrapper):
    """Splits an action into two steps of the same seat, as the game declares (`ActionFactors`).

    * action: 0 to F − 1 is a first choice (the piece), F to F + K − 1 a second one (where it goes): Discrete(F + K).
      A first choice that belongs to only one action plays it at once, in any position. If the game declares no
      factors, this holds for all actions: F is A and K is 0.
    * observation: int8 (C, H, W) becomes int8 (C + 1, H, W): the last plane is 1 on the cell of the piece that
      the seat to act has chosen (everywhere if the piece has no cell). It is 0 for other seats and before the first
      choice. The mask, int8 (F + K,), allows the first choices of legal actions, or the second choices that complete
      the first.
    * reward: 0 for all seats after a first choice; the action's rewards come with the second.
    * info: unchanged.

    Between the two steps the seat to act stays the same and the position does not change; its text does not contain the
    choice. A choice cannot be taken back. `legal_moves` names first choices (``d9``), then whole moves (``d9-d6``);
    `parse_move` takes a whole move at both steps and returns the next step towards it.

    Attributes:
        first_choice: the first choice made, or None when one is due.
    """

    made = frozenset({"observation", "action_mask"})

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        """``env``: its actions are the game's own and its observation has planes; ValueError for any other."""
        game_env = bottom_of(env)
        factors = game_env.game.factors(game_env.values)
        self._first, self._second, self._cells = factors.first, factors.second, factors.cells
        self._firsts, sizes = len(factors.cells), np.bincount(factors.first, minlength=len(factors.cells))
        several = sizes[factors.first] > 1
        self._seconds = int(factors.second[several].max()) + 1 if several.any() else 0
        self._table = np.full((self._firsts, self._seconds), -1)
        self._table[factors.first[several], factors.second[several]] = np.flatnonzero(several)
        self._alone = np.full(self._firsts, -1)
        self._alone[factors.first[~several]] = np.flatnonzero(~several)
        self.first_choice: int | None = None
        self._allowed: bytes | None = None  # the mask of the seat to act, while it is known
        super().__init__(env)
        self.action_spaces = {agent: ActionSpace(self._firsts + self._seconds) for agent in env.possible_agents}

    @property
    def planes(self) -> tuple[Plane, ...]:
        """Those beneath, and that of the choice."""
        return (*super().planes, Plane("the piece that the seat to act has chosen"))

    def seen_space(self, space: spaces.Space[Any]) -> spaces.Space[Any]:
        """One more plane, and another mask."""
        planes, parts = planes_of(space), parts_of(space)
        if parts["action_mask"].shape != (len(self._first),):
            raise ValueError(f"FactoredActions needs the game's own {len(self._first)} actions beneath it, not {space}")
        channel = np.zeros((1, *planes.shape[1:]), planes.dtype)
        parts["observation"] = spaces.Box(
            np.concatenate([planes.low, channel]),
            np.concatenate([planes.high, channel + 1]),
            dtype=planes.dtype.type,
        )
        parts["action_mask"] = spaces.Box(0, 1, (self._firsts + self._seconds,), np.int8)
        return spaces.Dict(parts)

    def see(self, observation: Any, agent: str) -> Any:
        """Adds the plane of the choice, and the mask of the choice that is due."""
        planes, mask = observation["observation"], observation["action_mask"]
        channels = len(planes)
        shown = np.zeros((channels + 1, *planes.shape[1:]), planes.dtype)
        shown[:channels] = planes
        choices = np.zeros(self._firsts + self._seconds, np.int8)
        if agent == self.env.agent_selection:
            if self.first_choice is None:
                choices[self._first[mask.view(np.bool_).nonzero()[0]]] = 1
            else:
                cell = self._cells[self.first_choice]
                shown[channels].reshape(-1)[cell if cell >= 0 else slice(None)] = 1
                row = self._table[self.first_choice]
                choices[self._firsts :] = mask[row] & (row >= 0)  # −1, where there is no action, reads some byte
            self._allowed = choices.tobytes()
        observation["observation"], observation["action_mask"] = shown, choices
        return observation

    # --- between the two steps nothing has been rewarded ---

    @property
    def rewards(self) -> dict[str, float]:
        """Those of the latest step."""
        return self.env.rewards if self.first_choice is None else dict.fromkeys(self.env.rewards, 0.0)

    @property
    def _cumulative_rewards(self) -> dict[str, float]:
        cumulative = self.env._cumulative_rewards
        return cumulative if self.first_choice is None else {**cumulative, self.env.agent_selection: 0.0}

    # --- steps ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See `GameEnv.reset`; a first choice is due."""
        self.env.reset(seed, options)
        self.first_choice = self._allowed = None

    def step(self, action: int | None) -> None:
        """Makes a choice. One that is illegal or not due is handled as `GameEnv.step` handles illegal actions."""
        env = self.env
        agent = env.agent_selection
        if action is None or env.terminations[agent] or env.truncations[agent]:
            env.step(action)
            return
        index = index_of(action, self._firsts + self._seconds)
        allowed = self._allowed or self.observe(agent)["action_mask"]
        if index is None or not allowed[index]:
            self._refuse(action, index)
            return
        own = self._completed(index)
        if own is None:
            self.first_choice = index
            self.game_env._has_updated = True  # loops over `agent_iter` want a step between two seats
            self.game_env.games.happened = False  # `EventReward` around it has been told already what has happened
        else:
            env.step(own)
            self.first_choice = None
        self._allowed = None

    def _completed(self, choice: int) -> int | None:
        """The game's action that a choice which is due completes; None for one that needs, or has, no second."""
        if (self.first_choice is None) != (choice < self._firsts):
            return None
        own = (
            self._alone[choice] if self.first_choice is None else self._table[self.first_choice, choice - self._firsts]
        )
        return int(own) if own >= 0 else None

    def _refuse(self, action: object, index: int | None) -> None:
        """Handles an illegal choice: see `parlour.make`."""
        if index is None or self.game_env.illegal_move == "raise":
            due = "first" if self.first_choice is None else "second"
            last = self._firsts + self._seconds - 1
            ranges = f"first choices: 0 to {self._firsts - 1}, second ones: {self._firsts} to {last}"
            problem = f"{self.agent_selection} can't make the {due} choice {action!r} ({ranges})"
            error = ActionOutOfRange if index is None else IllegalMove
            raise error(problem, action, None, self.position(), self.legal_moves())
        mask = self.env.observe(self.agent_selection)["action_mask"]
        illegal = np.flatnonzero(mask == 0).tolist()
        self.env.step(illegal[0] if illegal else len(mask))  # what is not legal beneath either
        self.first_choice = self._allowed = None

    # --- names ---

    def legal_moves(self) -> list[str]:
        """The names of the choices that are legal now, in the order of their numbers; [] after the end."""
        if self.game_env.is_over():
            return []
        legal = np.flatnonzero(self.observe(self.agent_selection)["action_mask"])
        return [self.move_name(int(choice)) for choice in legal]

    def move_name(self, action: int) -> str:
        """The name of a choice that is due: the beginning of its moves' names, or the name of the move that it
        completes. ValueError for any other."""
        index = index_of(action, self._firsts + self._seconds)
        own = None if index is None else self._completed(index)
        if own is not None:
            return str(self.env.move_name(own))
        name = next(self._beginnings(index), None) if index is not None and self.first_choice is None else None
        if name is None:
            raise ValueError(f"{action!r} is no choice that can be made now; legal: {listing(self.legal_moves())}")
        return name

    def _beginnings(self, choice: int) -> Iterator[str]:
        """For each move that begins with a first choice, the part of its name that stands for that choice."""
        for own in self._table[choice][self._table[choice] >= 0] if choice < self._firsts else ():
            with suppress(ValueError):  # of moves that can never be played
                yield self.game_env.game.first_name(self.env.move_name(int(own)))

    def parse_move(self, text: str) -> int:
        """The choice that a text means now: the name of a first choice, or of a move, whose next step is returned.
        ValueError for any other text, and for a move that does not begin with the choice made."""
        try:
            own = self.env.parse_move(text)
        except ValueError:
            named = (choice for choice in range(self._firsts) if next(self._beginnings(choice), None) == text)
            choice = next(named, None) if self.first_choice is None else None
            if choice is None:
                raise
            return choice
        first = int(self._first[own])
        if self.first_choice is None:
            return first
        if first != self.first_choice:
            raise ValueError(f"{text!r} does not begin with the choice made; legal: {listing(self.legal_moves())}")
        return self._firsts + int(self._second[own])
