"""Forced throws: throws that the caller sets, instead of the random stream. This checks them, and sets, drops and
copies those of rows.

The array ``Games.forced_dice`` holds the forced throws of all rows. In ``Games.dice_rng``, ``forced_used`` and
``forced_end`` are the range of a row's next throws in it, and ``misfit`` is the number of dice that were due when a
throw did not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.support.arguments import is_whole, shown


def check_throws(game: Game, throws: object) -> list[tuple[int, ...]]:
    """Forced throws as tuples of ints. ValueError for one that the game's dice can't show."""
    dice = game.rules.DICE
    if not isinstance(throws, (list, tuple)):
        raise ValueError(f"dice are given as a list of throws, each a tuple of faces, not {shown(throws)}")
    if throws and not dice:
        raise ValueError(f"{game.id} is played without dice, so no throw can be given: {shown(throws)}")
    checked = []
    for g, throw in enumerate(throws):
        faces = tuple(throw) if isinstance(throw, (list, tuple)) or getattr(throw, "ndim", 0) == 1 else ()
        if not 0 < len(faces) <= len(dice):
            raise ValueError(
                f"throw {g}: {shown(throw)} is no throw of {game.id}; a throw is a tuple of {len(dice)} faces"
            )
        for face, die in zip(faces, dice):
            if not (is_whole(face) and face in die.faces):
                raise ValueError(f"throw {g}: {shown(face)} is no face of a die; faces: {_listed(die.faces)}")
        checked.append(tuple(int(face) for face in faces))
    return checked


def _listed(faces: tuple[int, ...]) -> str:
    if faces == tuple(range(faces[0], faces[-1] + 1)):
        return f"{faces[0]} to {faces[-1]}"
    return ", ".join(map(str, faces))


def check_lengths(game: Game, variant: Any, throws: list[tuple[int, ...]], opening: int = 0) -> None:
    """ValueError for a throw after the first ``opening`` ones whose number of dice is not that of ``variant``."""
    dice = game.dice_thrown(variant)
    for g, faces in enumerate(throws[opening:], opening):
        if len(faces) != dice:
            raise wrong_length(g, faces, dice)


def wrong_length(g: int, faces: tuple[int, ...], dice: int) -> ValueError:
    """The error for a given throw with another number of dice than are due."""
    return ValueError(f"throw {g}: {faces!r} comes where {dice} {'die is' if dice == 1 else 'dice are'} thrown")


def set_forced_dice(games: Games, throws: Sequence[tuple[int, ...]], row: int | None = None) -> None:
    """Replaces the next forced throws by ``throws`` (from `check_throws`), in one row, or in all (None)."""
    games.await_helpers()
    added = np.zeros((len(throws), len(games.game.rules.DICE) + 1), np.int8)
    for k, faces in enumerate(throws):
        added[k, : len(faces)] = faces
        added[k, -1] = len(faces)
    if row is None:
        rows_set = slice(None)
        if throws or len(games.forced_dice):
            games.replace_forced_dice(added)
    else:
        rows_set = slice(row, row + 1)
        drop_forced_dice(games, np.array([row]))
        games.replace_forced_dice(np.concatenate([games.forced_dice, added]))
    games.dice_rng["forced_used"][rows_set] = len(games.forced_dice) - len(added)
    games.dice_rng["forced_end"][rows_set] = len(games.forced_dice)
    games.dice_rng["misfit"][rows_set] = 0


def drop_forced_dice(games: Games, row_ids: NDArray[np.int64]) -> None:
    """Drops the unused forced throws of ``row_ids`` (M,); removes used ones from the array once they are most of it."""
    dice_rng = games.dice_rng
    dice_rng["forced_used"][row_ids] = dice_rng["forced_end"][row_ids]
    waiting = np.flatnonzero(dice_rng["forced_used"] < dice_rng["forced_end"])
    first, last = dice_rng["forced_used"][waiting], dice_rng["forced_end"][waiting]
    if 2 * int((last - first).sum()) < len(games.forced_dice):
        left = [games.forced_dice[low:high] for low, high in zip(first, last)]
        ends = np.cumsum(last - first)
        games.replace_forced_dice(np.concatenate([games.forced_dice[:0], *left]))
        dice_rng["forced_used"], dice_rng["forced_end"] = 0, 0
        dice_rng["forced_used"][waiting], dice_rng["forced_end"][waiting] = ends - (last - first), ends


def copy_forced_dice(source: Games, from_rows: NDArray[np.int64], games: Games, to_rows: NDArray[np.int64]) -> None:
    """Copies the next forced throws of ``from_rows`` (M,) of ``source`` to ``to_rows`` (M,) of ``games``, where the
    streams are already copies."""
    games.dice_rng["forced_used"][to_rows] = games.dice_rng["forced_end"][to_rows] = 0
    dice_rng = source.dice_rng[from_rows]
    for m in np.flatnonzero(dice_rng["forced_used"] < dice_rng["forced_end"]):
        throws = source.forced_dice[dice_rng["forced_used"][m] : dice_rng["forced_end"][m]]
        misfit = dice_rng["misfit"][m]
        set_forced_dice(games, [tuple(faces[: faces[-1]].tolist()) for faces in throws], int(to_rows[m]))
        games.dice_rng["misfit"][to_rows[m]] = misfit


def opening_throws(games: Games, throws: list[tuple[int, ...]]) -> int:
    """How many of ``throws`` a new game uses before its first ply, tried on a copy of ``games`` (one row). Raises
    ValueError if one of them has another number of dice than are due."""
    if not throws:
        return 0
    trial = games.copy()
    set_forced_dice(trial, throws)
    trial.begin(None)
    used, due = int(trial.dice_rng["forced_used"][0]), int(trial.dice_rng["misfit"][0])
    if due:
        raise wrong_length(used, throws[used], due)
    return used
