"""The player ``soft:TEMPERATURE:PLAYER``: another player that now and then plays an action it thinks a little worse."""

from __future__ import annotations

import math
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, drawn, in_proportion, only
from parlour.engine.player import Player
from parlour.engine.view import GamesView
from parlour.players.search.kind import NotInForm, PlayerKind


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


class Soft(PlayerKind):
    """Plays each action with a probability in proportion to exp(value / temperature), by what another player thinks it
    is worth, where a win is 1 and a loss −1. The lower the temperature, the less is given away, and the more the
    games are alike."""

    deterministic = False
    KIND, FORMS = "soft", ("soft:TEMPERATURE:PLAYER",)
    EXAMPLES = "soft:0.05:champion:2 (a win is 1; actions 0.05 worse are played e times less often)"

    def __init__(self, temperature: float, player: Player) -> None:
        """``temperature``: above 0; ``player``: values single actions (`Valuing`). NotInForm for anything else."""
        if not (math.isfinite(temperature) and temperature > 0):
            raise NotInForm(f"a temperature is a number above 0, not {temperature}")
        if not isinstance(player, Valuing):
            raise NotInForm(f"{player.name} does not value single actions; players that do: champion:2, expectimax:3")
        self.temperature, self.player = temperature, player
        self.name = f"{self.KIND}:{temperature:g}:{player.name}"
        self.identity: dict[str, str] = getattr(player, "identity", {})

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most."""
        return int(getattr(self.player, "max_rows", 1 << 30))

    def policies(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of the actions in the rows ``row_ids`` (M,): float64 (M, A)."""
        return softened(self.player.action_values(view, row_ids), self.temperature)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`. ValueError as the other player raises it."""
        row_ids = np.flatnonzero(row_mask)
        actions[row_ids] = drawn(self.policies(view, row_ids), view.random_numbers(row_ids))

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`."""
        only(view, row)
        return in_proportion(self.policies(view, np.array([row]))[0])
