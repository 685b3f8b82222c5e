"""The settings of both methods of learning. All are keyword arguments; each is checked against its range."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from parlour.support.arguments import real_number, whole_number, whole_numbers

MANY = 1 << 20


def within(value: float, low: float, high: float) -> Any:
    """A setting with the default ``value``, and whole numbers only if that is one. `Settings` checks the range."""
    return field(default=value, metadata={"low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings, each within its range."""

    def __post_init__(self) -> None:
        """ValueError for a value that is out of range."""
        for setting in fields(self):
            value = getattr(self, setting.name)
            if setting.metadata and isinstance(setting.default, int):
                whole_number(setting.name, value, **setting.metadata)
            elif setting.metadata:
                real_number(setting.name, value, **setting.metadata)


@dataclass(frozen=True, kw_only=True)
class LearningSettings(Settings):
    """What both methods have.

    Attributes:
        learning_rate: of Adam at the start.
        averaged: weights are averaged over about this share of all steps, the latest ones.
        batch: positions in a step of Adam.
        positions: of a round.
    """

    learning_rate: float = within(1e-3, 0, 1)
    averaged: float = within(1 / 8, 0, 1)
    batch: int = within(64, 1, MANY)
    positions: int = within(4096, 1, 1 << 24)


@dataclass(frozen=True, kw_only=True)
class TDLambdaSettings(LearningSettings):
    """The settings of `TDLambda`, beside those of `LearningSettings`.

    Attributes:
        lambda_: λ, from 0 to 1.
        learning_rate: of Adam at the start; after n positions it is this / √(1 + n / ``decay_positions``).
        decay_positions: see ``learning_rate``.
        positions: positions per round, in all rows together.
        rows: games side by side.
        temperature: of the softmax over the logits of values by which turns are drawn; 0: the best turn. Games without
            dice need one above 0, or all games would be the same.
        openings: the highest number of random plies at the beginning of a game; all numbers up to it have the same
            probability.
    """

    lambda_: float = within(0.7, 0, 1)
    decay_positions: float = within(1e6, 1, math.inf)
    rows: int = within(8, 1, MANY)
    temperature: float = within(0.0, 0, 100)
    openings: int = within(0, 0, MANY)

    def __post_init__(self) -> None:
        """ValueError for a value that is out of range."""
        super().__post_init__()
        whole_number("positions", self.positions, 2 * self.rows, 1 << 24)


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings(Settings):
    """The settings of self-play with search.

    Attributes:
        depth: the depth of the search, in plies.
        games: N, the number of games of the batch.
        openings: the smallest and the largest number of random plies at the beginning of a game, each from 0 up.
        random_share: the smallest probability of a random ply later on.
        max_random_share: the largest one, see `parlour.learn.self_play.random_shares`.
        max_plies: the number of plies after which a game is truncated. Its result is then the value of the search
            (bootstrapping). The search itself does not use this limit.
        discount: a result counts less by this factor for each ply until it. Below 1, a network prefers the shorter way
            to a win. At 1 all positions from which a game is won look alike, and a search that can't see the end may
            not come nearer to it.
    """

    depth: int = within(3, 1, 64)
    games: int = within(64, 1, MANY)
    openings: tuple[int, int] = (2, 10)
    random_share: float = within(0.07, 0, 1)
    max_random_share: float = within(0.5, 0, 1)
    max_plies: int = within(240, 1, 1 << 24)
    discount: float = within(0.995, 0, 1)

    def __post_init__(self) -> None:
        """ValueError for a value that is out of range."""
        super().__post_init__()
        low, high = whole_numbers("openings", self.openings, (2,)).tolist()
        if not 0 <= low <= high <= MANY:
            raise ValueError(f"openings must be two numbers from 0 to {MANY}, the smaller first, not {self.openings}")


@dataclass(frozen=True, kw_only=True)
class GenerationsSettings(LearningSettings):
    """The settings of `Generations`, beside those of `LearningSettings`.

    Attributes:
        positions: self-play positions in a generation.
        window: the number of latest generations to learn from, at least. Later on it is half of all generations, so
            that a longer run learns from more positions.
        max_window: the highest number of generations to learn from.
        samples: the highest number of positions to learn from in a generation. They are drawn from the window.
        passes: the highest number of times that the same position is drawn in a generation. So a short window gives
            fewer than ``samples``.
        learning_rate: of Adam in the first generation; in generation g it is this / √(1 + g / ``decay_generations``).
        decay_generations: see ``learning_rate``.
        result_share: the weight of the game's result in a target; the search's value has the rest.
        self_play: how games are played.
    """

    positions: int = within(30_000, 1, 1 << 24)
    window: int = within(8, 1, MANY)
    max_window: int = within(64, 1, MANY)
    samples: int = within(480_000, 1, 1 << 32)
    passes: int = within(2, 1, MANY)
    batch: int = within(256, 1, MANY)
    decay_generations: float = within(20.0, 1, math.inf)
    result_share: float = within(0.5, 0, 1)
    self_play: SelfPlaySettings = field(default_factory=SelfPlaySettings)

    def window_after(self, generations: int) -> int:
        """How many of the latest generations are learnt from after ``generations``. It grows by 1 at most."""
        return min(generations, max(self.window, min(generations // 2, self.max_window)))

    def learning_rate_after(self, generations: float) -> float:
        """The learning rate of the generation that follows ``generations``."""
        return self.learning_rate / math.sqrt(1 + generations / self.decay_generations)
