"""What the engine calls of a game: `GameFunctions`. Kernels of the engine take them as ``rules``.

There are two kinds. A `parlour.engine.rules_table.RulesTable` calls a function by its address, so that a kernel is
compiled once for all games. A module (`parlour.engine.rules_table.inlined`) has the functions themselves, so that a
kernel that is compiled for one game takes them in; and it is what the interpreter takes.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from parlour.rulebook.protocol import Record


class GameFunctions(Protocol):
    """What a kernel of the engine can call of a game. See `parlour.rulebook.protocol` for what is not explained."""

    dice: int
    """How many dice the game has"""
    passing: int
    """Its ``PASS``, −1 without one"""
    no_move: int
    """Its ``NO_MOVE``, RUNNING without one"""
    state_words: int
    """The size of a state, in 64-bit words"""

    def begin_game(
        self, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any, rewards: Any
    ) -> None:
        """`parlour.engine.ply.begin`: sets up a game, with the throws before its first ply."""

    def play_ply(
        self, state: Record, variant: Record, action: int, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any,
        rewards: Any,
    ) -> None:  # fmt: skip
        """`parlour.engine.ply.play`: a whole ply, with the throws after it and the endings that all games share."""

    def show(self, state: Record, variant: Record, mask: Any, words: Any, bits: Any, planes: Any) -> int:
        """`legal` and `observe` for the seat to act, and the mask as ``bits`` (see `parlour.rulebook.masks`). Returns
        how many actions are legal."""

    def setup(self, state: Record, variant: Record) -> None:
        """`Rules.setup`"""

    def apply(self, state: Record, variant: Record, action: int, rewards: Any) -> None:
        """`Rules.apply`"""

    def make_throws(
        self, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, rewards: Any
    ) -> None:
        """See `parlour.engine.throws.make_throws`. Only for games with dice."""

    def legal(self, state: Record, variant: Record, mask: Any, words: Any) -> None:
        """`Rules.legal`"""

    def observe(self, state: Record, variant: Record, seat: int, planes: Any) -> None:
        """`Rules.observe`; ``planes`` may be longer than what the game writes."""

    def position_key(self, state: Record) -> np.uint64:
        """`Rules.position_key`"""

    def seat_of_turn(self, state: Record) -> int:
        """`Rules.seat_of_turn`; without it the seat to act."""

    def potential(self, state: Record, variant: Record, seat: int) -> float:
        """`Evaluation.potential`"""

    def most_to_win(self, state: Record, variant: Record, seat: int) -> float:
        """`Evaluation.most_to_win`. Only for games that have it."""

    def note_events(self, before: Record, after: Record, variant: Record, counts: Any) -> None:
        """`Evaluation.events`"""
