"""What a seat is told: the rules once, then what is new, the position and what it has to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from parlour.engine.games import Games
from parlour.interfaces.rendering import ansi
from parlour.rulebook.state_records import as_record
from parlour.text.reading import RULE
from parlour.text.state import NOBODY, TextState

VIEWS = ("board", "list", "text")
MOST_LISTED = 60
"""A message lists at most so many legal moves."""
ASK = "End your answer with a line of this form: Move: and the move."
SEEN = re.compile(r" seen=\S*")
"""The part of a position's text that only a program can use."""


def legal_names(games: Games, row: int, text_state: TextState) -> dict[int, str]:
    """The legal actions of a row and their names."""
    if text_state.legal is None:
        state, name = as_record(games.states, row), games.game.notation.move_name
        (actions,) = games.legal_in(np.array([row]))[0].nonzero()
        text_state.legal = {action: str(name(action, state)) for action in actions.tolist()}
    return text_state.legal


def listed(names: Sequence[str]) -> str:
    """Legal moves in a line, not too many."""
    more = f" … ({len(names)} in all)" if len(names) > MOST_LISTED else ""
    between = ", " if any(" " in name for name in names) else " "
    return f"Legal moves: {between.join(names[:MOST_LISTED])}{more}"


@dataclass(frozen=True)
class Messages:
    """How a batch's messages are written: the rules (may be empty), one of `VIEWS`, whether legal moves are listed."""

    sheet: str
    view: str
    legal_moves: bool

    def write(self, games: Games, row: int, text_state: TextState, seat: int, done: bool) -> str:
        """What a seat has not been told yet, and what it has to do."""
        game = games.game
        note_throw(games, row, text_state)
        first = [self.sheet, f"You are {game.seat_name(seat)} (player_{seat}).", RULE]
        parts = [] if text_state.log_read[seat] >= 0 else first
        parts.append(_since_told(games, text_state, seat))
        state, variant = as_record(games.states, row), as_record(games.variants, row)
        board = ansi(game, state, variant)
        if done:
            by_forfeit = text_state.forfeiter != NOBODY
            how = f"{game.seat_name(text_state.forfeiter)} has forfeited it" if by_forfeit else board.splitlines()[-1]
            parts.append(f"The game is over: {how}.")
        else:
            parts += [
                board if self.view == "board" else self._in_words(games, row, board),
                str(game.guide.instruction(state, variant)),
                listed([*legal_names(games, row, text_state).values()]) if self.legal_moves else "",
                ASK,
            ]
        return "\n".join(filter(None, parts))

    def _in_words(self, games: Games, row: int, board: str) -> str:
        """The pieces and the position's text, or the text alone. A game whose picture has no pieces shows its board."""
        position = f"Position: {SEEN.sub('', games.position(row))}"
        if self.view == "text":
            return position
        find = getattr(games.game.drawing, "hit_areas", None)
        areas = find(as_record(games.states, row), as_record(games.variants, row)) if find else ()
        pieces = "; ".join(area.label for area in areas if area.piece)
        return f"Pieces: {pieces}.\n{position}" if pieces else f"{board}\n{position}"


def note_throw(games: Games, row: int, text_state: TextState) -> None:
    """Logs the latest throw by the names of its faces, if there has been one since this was called last."""
    if games.game.rules.DICE:
        stream, names = games.dice_rng[row], games.game.guide.FACES
        throws = int(stream["counter"]) + int(stream["forced_used"])
        faces = games.dice(row)
        if throws != text_state.throws and faces:
            text_state.log.append((NOBODY, ", ".join(names.get(face, str(face)) for face in faces)))
        text_state.throws = throws


def _since_told(games: Games, text_state: TextState, seat: int) -> str:
    """What has happened since the seat's last message: a sentence for plies of one seat in a row, and for throws."""
    log = text_state.log[max(0, int(text_state.log_read[seat])) :]
    text_state.log_read[seat] = len(text_state.log)
    sentences = []
    for who, entries in groupby(log, itemgetter(0)):
        name = "Dice:" if who == NOBODY else "You played" if who == seat else f"{games.game.seat_name(who)} played"
        sentences.append(f"{name} {', '.join(text for _, text in entries)}.")
    return " ".join(sentences)
