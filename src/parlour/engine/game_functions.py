"""The functions of a game that the engine calls: `GameFunctions`. Kernels of the engine take them as ``rules``.

There are two kinds. A `parlour.engine.rules_table.RulesTable` calls a function by its address, so that a kernel is
compiled once for all games. A module (`parlour.engine.inlined.inlined`) has the functions themselves: for a kernel that
is compiled for one game, which inlines them, and for the interpreter.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from parlour.rulebook.protocol import Record

FORCING_SHIFT = 32
"""In `GameFunctions.list_marked` the number of forcing actions is shifted left by this many bits."""
TIER_SHIFT = 44
"""`GameFunctions.rank` is the tier, shifted left by this many bits, plus the number in the tier."""


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

    has_features: int
    """1 if value networks see its `Evaluation.features`, 0 if its observation planes"""

    has_forcing: int
    """1 if the game marks actions as forcing"""
    has_sharp: int
    """1 if the game marks actions as sharp"""
    has_wins_at_once: int
    """1 if the game says where a ply wins at once"""

    def begin_game(
        self, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any, rewards: Any
    ) -> None:
        """`parlour.engine.kernels.ply.begin`: sets up a game, with the throws before its first ply."""

    def play_ply(
        self, state: Record, variant: Record, action: int, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any,
        rewards: Any,
    ) -> None:  # fmt: skip
        """`parlour.engine.kernels.ply.play`: a ply, with the throws after it and the endings that all games share."""

    def play_at_random(
        self, state: Record, variant: Record, stream: Record, mask: Any, words: Any, forced_dice: Any, faces: Any,
        seen: Any, rewards: Any, max_plies: int, max_effort: int,
    ) -> int:  # fmt: skip
        """Plays random plies to the end of a game without repetition, until it has ``max_plies`` plies or this call has
        played ``max_effort``. Returns how many it has played. It is one function, since two calls a ply took 25 to 40 %
        longer."""

    def show(self, state: Record, variant: Record, mask: Any, words: Any, bits: Any, planes: Any) -> int:
        """`legal` and `observe` for the seat to act, and the mask as ``bits`` (see `parlour.rulebook.masks`). Returns
        how many actions are legal."""

    def setup(self, state: Record, variant: Record) -> None:
        """`Rules.setup`"""

    def apply(self, state: Record, variant: Record, action: int, rewards: Any) -> None:
        """`Rules.apply`"""

    def play_on(
        self, own_words: Any, next_words: Any, after: Record, variant: Record, action: int, rewards: Any
    ) -> int:
        """A ply up to the throws after it, in a copy: copies the state ``own_words`` (uint64 (state size / 8,)) to
        ``next_words``, whose record is ``after``, and plays there. Returns how many dice are then due."""

    def make_throws(
        self, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, rewards: Any
    ) -> None:
        """Makes every throw that is due: forced throws first, then from the stream. ``faces`` (int8, those of a throw)
        is scratch. Only for games with dice."""

    def dice_due(self, state: Record, variant: Record) -> int:
        """`Rules.dice_due`, for a running game"""

    def throw(self, state: Record, variant: Record, faces: Any, rewards: Any) -> None:
        """`Rules.throw`"""

    def next_faces(self, due: int, dice_rng: Record, forced_dice: Any, faces: Any) -> None:
        """Writes the faces of a throw of ``due`` dice: the next forced throw if it has as many dice (if not, notes the
        misfit), else from the stream."""

    def set_throw(self, faces: Any, due: int, k: int) -> None:
        """Writes the faces of the k-th distinct throw of ``due`` dice."""

    def chance_of(self, due: int, k: int) -> float:
        """The probability of the k-th distinct throw of ``due`` dice."""

    def count_of(self, due: int) -> int:
        """How many distinct throws of ``due`` dice there are."""

    def legal(self, state: Record, variant: Record, mask: Any, words: Any) -> None:
        """`Rules.legal`"""

    def list_legal(self, state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
        """Writes the legal actions into ``actions`` (int32 (A,)), by `Rules.moves` or from the mask. Returns how many.
        ``mask`` and ``words``, the same bytes, are scratch."""

    def draw_legal(self, state: Record, variant: Record, stream: Record, mask: Any, words: Any) -> int:
        """A legal action, uniformly at random, by `Rules.draw_legal` or from the mask. ``mask`` and ``words``, the same
        bytes, are scratch."""

    def observe(self, state: Record, variant: Record, seat: int, planes: Any) -> None:
        """`Rules.observe`; ``planes`` may be longer than what the game writes."""

    def position_key(self, state: Record) -> np.uint64:
        """`Rules.position_key`"""

    def state_key(self, own_words: Any, salt: np.uint64) -> np.uint64:
        """A 64-bit hash of a position, the same whatever plies led to it. ``own_words``: the state, uint64 (state size
        / 8,)."""

    def rank(self, state: Record, variant: Record) -> int:
        """`Endings.rank` as one number, see `TIER_SHIFT`; below 0 for a position in no tier."""

    def place(self, tier: int, index: int, state: Record, variant: Record) -> int:
        """`Endings.place`"""

    def seat_of_turn(self, state: Record) -> int:
        """`Rules.seat_of_turn`; without it the seat to act."""

    def is_out(self, state: Record, variant: Record, seat: int) -> int:
        """`Rules.is_out`: 1 or 0"""

    def greedy_score(self, before: Record, after: Record, variant: Record, rewards: Any) -> float:
        """What the player `greedy`, or one that only this game has, maximises: the score of the ply that led from
        ``before`` to ``after`` and paid ``rewards``."""

    def write_numbers(self, state: Record, variant: Record, seat: int, numbers: Any) -> None:
        """`Evaluation.features`, or `Rules.observe`"""

    def potential(self, state: Record, variant: Record, seat: int) -> float:
        """`Evaluation.potential`"""

    def heuristic_value(self, state: Record, variant: Record, seat: int) -> float:
        """`Evaluation.heuristic_value`"""

    def heuristic_bounds(self, state: Record, variant: Record, seat: int, plies: int, bounds: Any) -> None:
        """Writes `Evaluation.heuristic_bounds` into ``bounds`` (float64 (3,))."""

    def list_marked(
        self, state: Record, variant: Record, actions: Any, marks: Any, mask: Any, words: Any, listed: int, forcing: int
    ) -> int:
        """Lists the legal actions in ``actions`` (int32 (A,)), as `list_legal` does, and prepares them for a search.
        ``listed``: how many are there already; −1 to list them. ``forcing``: 1 to move the forcing ones
        (`Evaluation.is_forcing`) to the front, and to mark these alone; else 0. ``marks`` (int32 (A,)) becomes 1 for a
        sharp action (`Evaluation.is_sharp`), else 0; it stays as it is in a game that has none. Returns the number of
        actions, plus that of forcing ones shifted left by `FORCING_SHIFT`. It is one function, since calls by address
        take longer than most of what it does."""

    def wins_at_once(self, state: Record, variant: Record) -> int:
        """`Evaluation.wins_at_once`: 1 or 0"""

    def most_to_win(self, state: Record, variant: Record, seat: int) -> float:
        """`Evaluation.most_to_win`. Only for games that have it."""

    def note_events(self, before: Record, after: Record, variant: Record, counts: Any) -> None:
        """`Evaluation.events`"""
