"""The Royal Game of Ur here and in the package `royalur`: the same throws and moves, ply by ply, never set right
again."""

from __future__ import annotations

import random
from typing import Any

import royalur
from royalur.model import PlayerType, Roll
from royalur.model.path import PathType
from royalur.model.shape import BoardType

import parlour

GAME = "royal_ur-v0"
MOST_PLIES = 1500
SEATS = (PlayerType.LIGHT, PlayerType.DARK)
DEFAULTS = {"path": "bell", "men": 7, "safe_rosettes": True, "rosette_throws": True, "capture_throws": False}


def game_of(options: dict[str, Any]) -> Any:
    """Their game under these options. (Their three dice can't be thrown: a fault of 0.0.6; so all throws are given.)"""
    chosen = {**DEFAULTS, **options}
    board = BoardType.ASEB if chosen["path"] == "aseb" else BoardType.STANDARD
    builder = royalur.Game.builder().board_shape(board).paths(PathType[chosen["path"].upper()])
    builder = builder.starting_piece_count(chosen["men"]).safe_rosettes(chosen["safe_rosettes"])
    builder = builder.rosettes_grant_extra_rolls(chosen["rosette_throws"])
    return builder.captures_grant_extra_rolls(chosen["capture_throws"]).build()


def text_of(game: Any) -> tuple[list[str], int]:
    """Men, men in hand and men off, as our texts have them; and the seat to act, −1 at the end."""
    board, on = game.get_board(), ([], [])
    for piece in map(board.get, board.shape.tiles):
        if piece is not None:
            on[SEATS.index(piece.owner)].append(piece.path_index + 1)
    players = [game.get_player(seat) for seat in SEATS]
    men = [" ".join([name, *map(str, sorted(squares))]) for name, squares in zip(("light", "dark"), on)]
    hand = "hand " + " ".join(str(player.piece_count) for player in players)
    off = "off " + " ".join(str(player.score) for player in players)
    return [*men, hand, off], -1 if game.is_finished() else SEATS.index(game.get_turn())


def name_of(move: Any) -> str:
    return str(move.get_source_piece().path_index + 1) if move.has_source() else "in"


def compare(options: dict[str, Any], seeds: range) -> int:
    """Random games in both; returns how many plies were compared."""
    env = parlour.make(GAME, illegal_move="raise", **{**options, "max_plies": 0})
    plies = 0
    for seed in seeds:
        rng, theirs = random.Random(seed), game_of(options)
        env.reset(seed=seed)
        for _ in range(MOST_PLIES):
            parts, over = env.position().split(" | "), env.is_over()
            assert text_of(theirs) == (parts[:4], -1 if over else ("light", "dark").index(parts[4])), env.position()
            if over:
                assert env.rewards[f"player_{SEATS.index(theirs.get_winner())}"] == 1
                break
            ours, plies = env.legal_moves(), plies + 1
            theirs.roll_dice(Roll(sum(env.dice) or (4 if options.get("dice") == "three" else 0)))
            moves = (
                {name_of(move): move for move in theirs.find_available_moves()} if theirs.is_waiting_for_move() else {}
            )
            assert sorted(ours) == sorted(moves or ["pass"]), env.position()
            chosen = rng.choice(ours)
            if moves:
                theirs.make_move(moves[chosen])
            env.step(env.parse_move(chosen))
    return plies
