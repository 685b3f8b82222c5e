"""A single game that waits for an action or a throw, and is quick to copy: for callers that make the throws themselves,
or look ahead."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.games import FIRST_HISTORY, Games
from parlour.engine.kernels import stepwise
from parlour.engine.repetition import FILTER_WORDS, keys_of
from parlour.engine.rules_table import rules_table
from parlour.engine.variant_mix import VariantMix
from parlour.rulebook.chance import Faces
from parlour.rulebook.positions import write_position
from parlour.rulebook.protocol import RUNNING
from parlour.rulebook.state_records import as_record, as_words, records
from parlour.support.errors import IllegalMove

Outcomes = list[tuple[Faces, float]]


class Rulebook:
    """What all moments of one game share: the game and its variant."""

    def __init__(self, game: Game, variant_mix: VariantMix, variants: NDArray[Any] | None = None) -> None:
        """``variants``: one record (1,); None: that of a mix of a single variant."""
        self.game = game
        self.variant_mix, self.notation = variant_mix, game.notation
        self.layout, self.variants = variant_mix.layout, variant_mix.records if variants is None else variants
        self.words = -(-self.layout.actions // 8)
        self.counts_positions = variant_mix.counts_positions

    @cached_property
    def throws(self) -> list[Outcomes]:
        """``throws[n]``: the distinct outcomes of a throw of n dice."""
        return [self.game.outcomes(due) for due in range(len(self.game.rules.DICE) + 1)]

    def functions_for(self, kernel: Any) -> Any:
        """The game's functions for a kernel of the engine."""
        return rules_table(self.game, self.layout).ready_for(kernel)

    def __deepcopy__(self, memo: dict[int, Any]) -> Rulebook:
        """Never written to, so never copied."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Rulebook, (self.game, self.variant_mix, self.variants)


class Moment:
    """A game that waits for an action or a throw. ``mask`` and ``returns`` are replaced, never changed, so that copies
    share them."""

    __slots__ = ("book", "due", "end", "history", "mask", "returns", "states", "to_act")

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.states = records(1, book.game.rules.STATE)
        self.history = np.zeros((1, FIRST_HISTORY if book.counts_positions else 1), np.uint64)
        self.returns: NDArray[Any] = np.zeros(book.layout.seats)
        self._advance(stepwise.begin_alone)

    @classmethod
    def of_row(cls, games: Games, row: int) -> Moment:
        """Row ``row`` of ``games``, whose game is running."""
        moment = cls.__new__(cls)
        moment.book = Rulebook(games.game, games.variant_mix, games.variants[row : row + 1])
        moment.states, moment.history = games.states[row : row + 1].copy(), games.history[row : row + 1].copy()
        moment.due, moment.to_act, moment.end = 0, int(moment.states["to_act"][0]), RUNNING
        moment.returns = np.zeros(moment.book.layout.seats)
        moment.mask = np.zeros(8 * moment.book.words, np.int8)
        moment.mask[: games.layout.actions] = games.legal_in(np.array([row]))[0]
        return moment

    def after(self, action: int) -> Moment:
        """A copy in which the seat to act has played ``action``. `IllegalMove` for one that is not legal."""
        twin = self.__deepcopy__({})
        twin.act(action)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        """The copy that `pyspiel.State.clone` makes."""
        twin = Moment.__new__(Moment)
        twin.book, twin.due, twin.end, twin.to_act = self.book, self.due, self.end, self.to_act
        twin.mask, twin.returns, twin.states = self.mask, self.returns, self.states.copy()
        twin.history = self.history.copy() if self.book.counts_positions else self.history
        return twin

    def _advance(self, call: Any, *first: Any) -> None:
        """Plays on, by a kernel of `stepwise`, to the next decision, throw or end."""
        words, rewards = np.zeros(self.book.words, np.uint64), np.zeros(self.book.layout.seats)
        self.mask = words.view(np.int8)
        arrays = as_words(self.states), as_words(self.book.variants), self.history
        rules = self.book.functions_for(call)
        self.due, self.to_act, self.end = call(rules, *first, *arrays, self.mask, words, rewards)
        if rewards.any():
            self.returns = self.returns + rewards

    def act(self, action: int) -> None:
        """Plays a ply of the seat to act. `IllegalMove` for one that is not legal."""
        if not 0 <= action < self.book.layout.actions or not self.mask[action]:
            self._refuse(action)
        if self.book.counts_positions and FILTER_WORDS + self.states["seen"][0] + 1 >= self.history.shape[1]:
            self.history = np.concatenate([self.history, np.zeros_like(self.history)], axis=1)
        self._advance(stepwise.act_alone, action)

    def throw(self, outcome: int) -> None:
        """Makes the throw that is due. ``outcome``: an index in ``Rulebook.throws[due]``. ValueError for any other
        number."""
        possible = self.book.throws[self.due]
        if not 0 <= outcome < len(possible):
            raise ValueError(f"{outcome} is no outcome of a throw of {self.due} dice: 0 to {len(possible) - 1}")
        faces = np.zeros(len(self.book.game.rules.DICE), np.int8)
        faces[: self.due] = possible[outcome][0]
        self._advance(stepwise.throw_alone, faces)

    def _refuse(self, action: int) -> None:
        seat = f"player_{self.to_act}"
        raise IllegalMove(f"{seat} can't play action {action}", action, None, self.text(), self.legal_names())

    def legal(self) -> list[int]:
        """The legal actions, in ascending order."""
        return np.flatnonzero(self.mask).tolist()

    def legal_names(self) -> list[str]:
        """Their names."""
        return [self.name(action) for action in self.legal()]

    def name(self, action: int) -> str:
        """The name of an action of the seat to act."""
        return str(self.book.notation.move_name(action, as_record(self.states, 0)))

    def text(self) -> str:
        """The position as the environments write it; where a throw is due, how many dice it has."""
        book = self.book
        state, variant = as_record(self.states, 0), as_record(book.variants, 0)
        text = write_position(book.notation, book.game.rules, state, variant, keys_of(self.history[0]))
        return f"{text} throw={self.due}" if self.due else text

    def observe_seat(self, seat: int) -> NDArray[np.int8]:
        """The planes (C · H · W,) from the view of a seat."""
        book = self.book
        planes = np.empty(int(np.prod(book.layout.shape)), np.int8)
        rules = book.functions_for(stepwise.observe_alone)
        stepwise.observe_alone(rules, seat, as_words(self.states), as_words(book.variants), planes)
        return planes
