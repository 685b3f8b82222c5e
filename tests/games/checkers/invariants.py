"""What holds at every ply of Checkers."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.state_records import as_record


def invariant(env: Any) -> None:
    """Sets that fit together, men that never stand on their king row, and planes that show what the sets hold."""
    state = as_record(env.games.states, 0)
    board = env.game.rules.BOARD
    black, white, kings = int(state.pieces[0]), int(state.pieces[1]), int(state.kings)
    assert not black & white
    assert not kings & ~(black | white)
    assert not (black | white) & ~int(board)
    letters = env.game.notation.piece_letters(state)
    assert "b" not in letters[28:]
    assert "w" not in letters[:4]
    assert all(len([letter for letter in letters if letter in side]) <= 12 for side in ("bB", "wW"))
    assert state.king_steps <= state.steps
    if state.jumper >= 0:
        assert letters[state.jumper].upper() == "BW"[state.to_act]
        assert state.steps == 0
        assert all("x" in name and name.startswith(f"{state.jumper + 1}x") for name in env.legal_moves())
    kinds = {name[2 if name[1].isdigit() else 1] for name in env.legal_moves()}
    assert len(kinds) <= 1, "steps beside jumps"
    planes = env.state()
    for plane, letter in enumerate("bBwW"):
        assert planes[plane].sum() == letters.count(letter)
    assert planes[4].sum() == (state.jumper >= 0)
    assert sum(env.rewards.values()) == 0
