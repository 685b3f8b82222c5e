"""Forced throws, given by the caller instead of the random stream: whether a game can use them."""

from __future__ import annotations

from parlour.arguments import is_whole, shown
from parlour.engine.game import Game
from parlour.rulebook.chance import FACES


def check_throws(game: Game, throws: object) -> list[tuple[int, ...]]:
    """Forced throws as tuples of ints. ValueError for one that the game's dice can't show."""
    dice, first = game.rules.DICE, game.rules.FIRST_FACE
    if not isinstance(throws, (list, tuple)):
        raise ValueError(f"dice are given as a list of throws, each a tuple of faces, not {shown(throws)}")
    if throws and not dice:
        raise ValueError(f"{game.id} is played without dice, so no throw can be given: {shown(throws)}")
    checked = []
    for g, throw in enumerate(throws):
        faces = tuple(throw) if isinstance(throw, (list, tuple)) or getattr(throw, "ndim", 0) == 1 else ()
        if not 0 < len(faces) <= dice:
            raise ValueError(f"throw {g}: {shown(throw)} is no throw of {game.id}; a throw is a tuple of {dice} faces")
        for face in faces:
            if not (is_whole(face) and first <= face < first + FACES):
                raise ValueError(f"throw {g}: {shown(face)} is no face of a die; faces: {first} to {first + FACES - 1}")
        checked.append(tuple(int(face) for face in faces))
    return checked


def check_lengths(game: Game, throws: list[tuple[int, ...]], opening: int = 0) -> None:
    """ValueError for a throw, after the first ``opening`` ones, that has another number of dice than a throw of the
    game has."""
    dice = game.rules.DICE
    for g, faces in enumerate(throws[opening:], opening):
        if len(faces) != dice:
            raise wrong_length(g, faces, dice)


def wrong_length(g: int, faces: tuple[int, ...], dice: int) -> ValueError:
    """The error for a given throw with another number of dice than are due."""
    return ValueError(f"throw {g}: {faces!r} comes where {dice} {'die is' if dice == 1 else 'dice are'} thrown")
