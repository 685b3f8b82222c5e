"""What an environment has played since its `reset`, so that the game can be written down at any time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.forced_dice import set_forced_dice
from parlour.engine.games import Games
from parlour.engine.kernels.stepwise import list_throws
from parlour.engine.one_game import NO_ROOM
from parlour.engine.rows import Loaded, load_positions, read_positions
from parlour.engine.seeds import seed_words, stream_starts
from parlour.rulebook.state_records import as_words, copied

FIRST_THROWS = 64


class Stretch(NamedTuple):
    """A part of a game in which the dice come from one stream and one list of forced throws. To list its throws,
    its plies are played again in one call, since the engine keeps only the latest throw."""

    first: int
    """How many actions were played before it"""
    begins: bool
    """Whether the throws that begin a game are the first of it"""
    states: NDArray[Any]
    dice_rng: NDArray[Any]
    forced_dice: NDArray[np.int8]


class History:
    """The actions of one game, and what else is needed to play them again."""

    def __init__(self, seed: int | None, start: str, stretches: list[Stretch]) -> None:
        """``seed``: None for a game that continues the stream of another. ``start``: the text of the position
        that it began from; empty for a new game. ``stretches``: the first one, in a game with dice."""
        self.seed, self.start, self.stretches = seed, start, stretches
        self.actions: list[int] = []

    def copy(self) -> History:
        """An independent copy."""
        twin = History(self.seed, self.start, self.stretches.copy())
        twin.actions = self.actions.copy()
        return twin

    def open_stretch(self, games: Games) -> None:
        """Call this when the next throws have been set."""
        if games.game.rules.DICE:
            stretch = Stretch(len(self.actions), False, copied(games.states), copied(games.dice_rng), games.forced_dice)
            self.stretches.append(stretch)

    def throws(self, games: Games) -> list[list[int]]:
        """All throws of the game that ``games`` plays, in order."""
        ends = [*(stretch.first for stretch in self.stretches[1:]), len(self.actions)]
        return [
            faces
            for stretch, end in zip(self.stretches, ends)
            for faces in _throws_of(stretch, self.actions[stretch.first : end], games)
        ]


def first_stretch(games: Games, dice_rng: NDArray[Any], seed: int | None) -> Stretch:
    """The stretch of a new game that has just begun; ``dice_rng``: as it was before."""
    if seed is not None:
        dice_rng["counter"] = stream_starts(seed_words([seed]))[0]
    dice_rng["forced_used"] = dice_rng["misfit"] = 0
    dice_rng["forced_end"] = len(games.forced_dice)
    return Stretch(0, True, copied(games.states), dice_rng, games.forced_dice)


def _throws_of(stretch: Stretch, actions: Sequence[int], games: Games) -> list[list[int]]:
    played, room = np.array(actions, np.int64), FIRST_THROWS
    while True:
        throws = np.zeros((room, stretch.forced_dice.shape[1]), np.int8)
        count = list_throws(
            games.functions_for(list_throws), stretch.begins, played, as_words(stretch.states.copy()),
            games.arrays.variants, stretch.dice_rng.copy(), stretch.forced_dice,
            games.history.copy(), np.zeros(games.layout.seats), throws,
        )  # fmt: skip
        if count <= room:
            return [faces[: faces[-1]] for faces in throws[:count].tolist()]
        room = count


def begin_game(
    games: Games, seeds: NDArray[np.uint64] | None, loaded: Loaded | None, throws: Sequence[tuple[int, ...]]
) -> None:
    """Begins the game of the only row anew, or resumes it at a position that was read. ``seeds``: None continues the
    random stream; ``throws``: the throws to come, those of the game's beginning included."""
    set_forced_dice(games, () if loaded else throws)
    games.begin(seeds)
    if loaded:
        set_forced_dice(games, throws)
        load_positions(games, loaded)


def played_again(games: Games, history: History, throws: Sequence[Sequence[int]]) -> tuple[list[str], list[float], str]:
    """The names of all moves of the game that ``games`` plays, each seat's sum of rewards, and how it ended: played
    again on a copy, since a name may depend on the position. ``throws``: from `History.throws`."""
    twin = games.copy()
    loaded = read_positions(twin, [history.start]) if history.start else None
    begin_game(twin, seed_words([history.seed or 0]), loaded, [tuple(faces) for faces in throws])
    moves, returns = [], np.zeros(twin.layout.seats)
    for action in history.actions:
        moves.append(twin.move_name(0, action))
        while twin.step_one(action) == NO_ROOM:
            twin.widen_history()
        returns += twin.rewards[0]
    return moves, returns.tolist(), twin.ending(0)
