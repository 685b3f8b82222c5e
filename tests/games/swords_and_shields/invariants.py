"""What holds at every ply of Swords & Shields."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.state_records import as_record


def invariant(env: Any) -> None:
    """Counts of pieces, lines that agree with the sets, the throne for the Chief alone, the Chief's end."""
    rules, state = env.game.rules, as_record(env.games.states, 0)
    letters = env.game.notation.piece_letters(state)
    assert letters.count("s") <= 16
    assert letters.count("o") <= 8
    assert letters.count("c") == (0 if env.games.ending(0) == "capture" else 1)
    assert letters[40] in ".c"
    for dot, letter in enumerate(letters):
        assert bool(state.ranks[dot // 9] >> dot % 9 & 1) == (letter != ".")
        assert bool(state.files[dot % 9] >> dot // 9 & 1) == (letter != ".")
    escaped = state.chief != rules.OFF and rules.ESCAPE_DOT[env.games.variants["escape"][0], state.chief]
    assert escaped == (env.games.ending(0) == "escape")
    if env.variant == "corner_escape":
        assert all(letters[corner] in ".c" for corner in (0, 8, 72, 80))
    planes = env.state()
    assert planes[0].sum() == letters.count("s")
    assert planes[1].sum() == letters.count("o")
    assert sum(env.rewards.values()) == 0
