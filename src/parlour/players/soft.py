"""The player ``soft:TEMPERATURE:PLAYER``: another player that now and then plays an action it thinks a little worse."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, drawn, in_proportion, only
from parlour.engine.player import Considering, Player
from parlour.engine.view import GamesView
from parlour.players.kind import NotInForm
from parlour.players.weaker import Weaker


@runtime_checkable
class Valuing(Protocol):
    """Players that value each action of a position: searches to a depth, with or without a network."""

    def action_values(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each legal action is worth to who acts in the rows ``row_ids`` (M,): float64 (M, A), others NaN."""


def softened(values: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Probabilities (M, A) in proportion to exp(value / temperature), 0 where a value is NaN. Each row of ``values``
    has a number; ``temperature`` is above 0."""
    with np.errstate(invalid="ignore"):
        weights = np.exp((values - np.nanmax(values, axis=1, keepdims=True)) / temperature)
    weights = np.nan_to_num(weights)
    policy: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return policy


def for_seats(values: NDArray[np.float64], seats: Any, count: int) -> NDArray[np.float64]:
    """Values (M,) for the seats that act, ``seats`` (M,) or a seat, as values for each of ``count`` seats (M, P): those
    of two are opposite; of more, those of the others are unknown, NaN."""
    rows, acting = np.arange(len(values)), np.broadcast_to(seats, len(values))
    each = np.repeat(-values[:, None], 2, axis=1) if count == 2 else np.full((len(values), count), np.nan)
    each[rows, acting] = values
    return each


class Soft(Weaker):
    """Plays each action with a probability in proportion to exp(value / temperature), by what another player thinks it
    is worth, where a win is 1 and a loss −1. The lower the temperature, the less is given away, and the more the
    games are alike."""

    KIND, NAMES = "soft", {
        "soft:0.05:PLAYER": "each action with a probability in proportion to exp(value / 0.05), the value being what "
        "another player expects of it (a win is 1)",
    }  # fmt: skip

    def __init__(self, temperature: float, player: Player) -> None:
        """``temperature``: above 0; ``player``: values single actions (`Valuing`). NotInForm for anything else."""
        if not (math.isfinite(temperature) and temperature > 0):
            raise NotInForm(f"a temperature is a number above 0, not {temperature}")
        if not isinstance(player, Valuing):
            raise NotInForm(f"{player.name} does not value single actions; players that do: champion:2, expectimax:3")
        super().__init__(temperature, player)
        self.temperature, self._values = temperature, np.zeros((0, 0))

    @classmethod
    def read_number(cls, text: str) -> float:
        """See `Weaker`."""
        try:
            return float(text)
        except ValueError:
            raise NotInForm(f"{text!r} is no temperature") from None

    def policies(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of the actions in the rows ``row_ids`` (M,): float64 (M, A)."""
        return softened(self.player.action_values(view, row_ids), self.temperature)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError as the other player raises it."""
        row_ids = np.flatnonzero(row_mask)
        action_values = self.player.action_values(view, row_ids)
        actions[row_ids] = drawn(softened(action_values, self.temperature), view.random_numbers(row_ids))
        self._values = np.full((view.num_games, view.num_seats), np.nan)
        self._values[row_ids] = for_seats(np.nanmax(action_values, axis=1), view.to_act[row_ids], view.num_seats)

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """See `parlour.players.Estimating`: what the best actions are worth."""
        return self._values

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`: what the other player thinks, and how often which action is played."""
        only(view, row)
        action_values = self.player.action_values(view, np.array([row]))[0]
        played = in_proportion(softened(action_values[None], self.temperature)[0])
        thought = self.player.consider(view, row) if isinstance(self.player, Considering) else played
        return replace(
            thought, probabilities=played.probabilities, principal_variation=played.principal_variation,
            action_values=for_seats(action_values, view.to_act[row], view.num_seats),
        )  # fmt: skip
