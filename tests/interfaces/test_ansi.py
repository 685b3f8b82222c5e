"""Positions as text."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.support.games import begun
from tests.support.pictures import SWORDS


@pytest.mark.parametrize("variant", ["milton_bradley", "tablut", "corner_escape"])
def test_ansi_shows_the_position(variant: str) -> None:
    """Ply by ply: the pieces of the position's text, the last ply in brackets, the seat to act."""
    env = begun(SWORDS, variant=variant, render_mode="ansi")
    rng = np.random.default_rng(5)
    move = ""
    for ply in range(1, 80):
        text = env.render()
        assert text == env.ansi()
        assert text.isascii()
        above, *rows, files, status = text.splitlines()
        assert files.split() == above.split() == list("abcdefghi")
        assert [row[0] for row in rows] == [row[-1] for row in rows] == list("987654321")
        letters = [re.sub(r"[ ()\[\]]", "", row[1:-1]) for row in rows]
        special = {".": "1", "+": "1", "*": "1"}
        found = "/".join("".join(special.get(letter, letter) for letter in row) for row in letters)
        position = env.position().split(" ")[0]
        assert found == re.sub("[1-9]", lambda run: int(run[0]) * "1", position)
        corners = letters[0][0] + letters[0][8] + letters[8][0] + letters[8][8]
        assert ("*" in corners) == (variant == "corner_escape")
        assert "".join(letters).count("*") <= 4
        assert (letters[4][4] == "+") == (env.state()[:, 4, 4][:4].sum() == 0)
        if move:
            marks = {mark: "abcdefghi"[text_column(row, mark)] + row[0] for row in rows for mark in "([" if mark in row}
            assert f"{marks['(']}-{marks['[']}" == move
        else:
            assert not re.search(r"[()\[\]]", "".join(rows))
        if env.is_over():
            break
        seat = int(env.agent_selection[-1])
        assert status == f"{('Swords', 'Shields')[seat]} to act (player_{seat}), ply {ply}"
        move = str(rng.choice(env.legal_moves()))
        env.step(env.parse_move(move))


def text_column(row: str, mark: str) -> int:
    """The file (from 0) of the cell that begins with a bracket."""
    return (row.index(mark) - 2) // 3
