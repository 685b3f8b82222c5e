"""What an environment has played since its `reset`, so that the game can be written down at any time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.forced_dice import set_forced_dice
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words, stream_starts
from parlour.rulebook.state_records import copied

if TYPE_CHECKING:
    from parlour.aec import GameEnv
    from parlour.records import GameRecord

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


class Replayed(NamedTuple):
    """A game played again up to the ply of its latest record, so that the next record need not begin at the start."""

    env: GameEnv
    moves: list[str]
    returns: NDArray[np.float64]
    throws: list[list[int]]


class History:
    """The actions of one game, and what else is needed to play them again."""

    def __init__(self, seed: int | None, start: str, stretches: list[Stretch]) -> None:
        """``seed``: None for a game that continues the stream of another. ``start``: the text of the position
        that it began from; empty for a new game. ``stretches``: the first one, in a game with dice."""
        self.seed, self.start, self.stretches = seed, start, stretches
        self.actions: list[int] = []
        self.replayed: Replayed | None = None

    def copy(self) -> History:
        """An independent copy."""
        twin = History(self.seed, self.start, self.stretches.copy())
        twin.actions = self.actions.copy()
        return twin

    def open_stretch(self, games: Games) -> None:
        """Call this when the next throws have been set."""
        if games.game.rules.DICE:
            stretch = Stretch(
                len(self.actions), False, copied(games.states), copied(games.dice_rng), games.forced_dice
            )  # fmt: skip
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
        count = games.game.compiled.stepwise.list_throws(
            stretch.begins, played, stretch.states.copy(), games.variants, stretch.dice_rng.copy(), stretch.forced_dice,
            games.history.copy(), np.zeros(games.layout.seats), throws,
        )  # fmt: skip
        if count <= room:
            return [faces[: faces[-1]] for faces in throws[:count].tolist()]
        room = count


def record_of(env: GameEnv, history: History, players: Sequence[str] | None) -> GameRecord:
    """The game that ``env`` plays, up to now, as a record: see `GameEnv.record`."""
    from parlour.records import VERSION, GameRecord

    throws = history.throws(env.games) if env.game.rules.DICE else None
    replayed = _replayed(env, history, throws or [])
    seated = list(env.possible_agents) if players is None else list(players)
    if len(seated) != len(env.possible_agents) or not all(isinstance(name, str) for name in seated):
        raise ValueError(f"players must be {len(env.possible_agents)} texts, one per seat, not {players!r}")
    return GameRecord(
        env.game.id, VERSION, env.variant, env.values, history.seed, seated, replayed.moves.copy(),
        replayed.returns.tolist(), replayed.env.games.ending(0), history.start, throws,
    )  # fmt: skip


def _replayed(env: GameEnv, history: History, throws: list[list[int]]) -> Replayed:
    """The game played again from where it was for its latest record, or from the start."""
    if history.replayed is None:
        twin = env.clone()
        twin.render_mode = None
        twin.reset(
            history.seed or 0, {"position": history.start or None, "dice": throws if env.game.rules.DICE else None}
        )
        history.replayed = Replayed(twin, [], np.zeros(len(twin.possible_agents)), throws.copy())
    again = history.replayed
    if len(throws) > len(again.throws):
        set_forced_dice(again.env.games, [tuple(faces) for faces in throws[len(again.throws) :]])
        again.throws[:] = throws
    for action in history.actions[len(again.moves) :]:
        again.moves.append(again.env.move_name(action))
        again.env.step(action)
        again.returns[:] += list(again.env.rewards.values())
    return again
