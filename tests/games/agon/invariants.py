"""What holds at every ply of Agon."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import parlour
from parlour.envs.agon.actions import TURNED
from tests.games.agon.geometry import (
    CELLS,
    ROW_LENGTHS,
    distance,
    half_turned,
    lines_through,
    mirrored,
    ring_neighbours,
)

Pieces = dict[str, str]
"""Piece letters by cell."""
CELL = re.compile("[a-k][1-9][01]?")


def pieces_in(text: str) -> Pieces:
    """The pieces of a position text."""
    pieces = {}
    for name, row in zip(reversed(ROW_LENGTHS), text.split()[0].split("/")):
        letters = re.sub("[0-9]+", lambda run: "." * int(run[0]), row)
        pieces.update({f"{name}{n}": letter for n, letter in enumerate(letters, 1) if letter != "."})
    return pieces


def board_text(pieces: Pieces) -> str:
    """Eleven rows, row k first."""
    rows = ("".join(pieces.get(cell, ".") for cell in CELLS if cell[0] == row) for row in reversed(ROW_LENGTHS))
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))


def stands_trapped(pieces: Pieces, cell: str, geometry: str) -> bool:
    """Whether enemies stand on both sides of the piece on ``cell``."""
    own = pieces[cell].isupper()
    pairs = lines_through(cell) if geometry == "line" else ring_neighbours(cell)
    return any(all(flanker in pieces and pieces[flanker].isupper() != own for flanker in pair) for pair in pairs)


def invariant(env: Any) -> None:
    """Counts of pieces, the theorems that the README names, and the two symmetries."""
    text, values = env.position(), env.values
    pieces, end = pieces_in(text), text.partition(" end=")[2]
    letters = "".join(pieces.values())
    assert sum(distance(cell) == 5 for cell in pieces) < 30  # the outer ring is never full
    assert pieces.get("f6", "Q") in "Qq"
    assert max(letters.count("G"), letters.count("g")) <= 6
    if "phase=place" not in text:
        assert letters.count("Q") == letters.count("q") == 1
        if values["capture"] == "relocate":
            assert letters.count("G") == letters.count("g") == 6
        elif end != "guardless":
            assert letters.count("G") >= 1 <= letters.count("g")
    if values["capture"] == "relocate":
        check_traps(env, pieces, end)
    assert sum(env.rewards.values()) == 0
    if env.games.states["plies"][0] % 16 == 0 or end:
        if "phase=place" not in text:  # Light places first, so the position with colours swapped never arises
            check_symmetry(env, text, half_turned, swap_colours=True)
        if not re.search("put:|exchange:", text):  # there the order of relocations is Light's or Dark's left to right
            check_symmetry(env, text, mirrored, swap_colours=False)


def check_traps(env: Any, pieces: Pieces, end: str) -> None:
    """No one steps into a trap where that is forbidden; how games are won where lines are straight."""
    values, state = env.values, env.games.states[0]
    name = last_move(env)
    target = name.rpartition("-")[2].strip("@")
    arrived = target if target in pieces else ""
    if values["entering"] == "forbidden" and arrived:
        assert not stands_trapped(pieces, arrived, values["geometry"])
    if end == "enthroned":
        winner = "QG" if env.rewards["player_0"] > 0 else "qg"
        if values["geometry"] == "line" and any(env.rewards.values()):
            home = {cell: letter for cell, letter in pieces.items() if distance(cell) <= 1}
            assert set(home.values()) == set(winner)
            assert len(home) == 7
            assert not any(stands_trapped(pieces, cell, "line") for cell in home)
            if state["plies"] > 1:
                assert "-" in name
                assert pieces[arrived] == winner[1]
                assert distance(arrived) == 1


def last_move(env: Any) -> str:
    """The name of the latest ply; "" where a text tells nothing of it."""
    state = env.games.states[0]
    if state["last_action"] < 0:
        return ""
    notation, action = env.game.notation, int(state["last_action"])
    return str(notation.MOVE_NAMES[int(TURNED[action]) if state["last_seat"] else action])


@cache
def twin_of(options: tuple[tuple[str, Any], ...]) -> Any:
    """An environment for positions that come from the same options."""
    return parlour.make("agon-v0", illegal_move="raise", **dict(options))


def check_symmetry(env: Any, text: str, image: Callable[[str], str], swap_colours: bool) -> None:
    """The image of a position has the images of its legal actions. Half turned with colours swapped it even looks the
    same to the seat to act."""
    rest = text.split()[1:]
    pieces = {image(cell): letter for cell, letter in pieces_in(text).items()}
    if swap_colours:
        pieces = {cell: letter.swapcase() for cell, letter in pieces.items()}
        rest[0] = {"l": "d", "d": "l"}[rest[0]]
    words = [
        CELL.sub(lambda name: image(name[0]), word) if word.startswith("phase=") and ":" in word else word
        for word in rest
        if not word.startswith("seen=")
    ]
    bloody = env.values["capture"] == "bloody"
    idle = ("geometry", "entering", "guard_goes", "queen_goes", "queen_placed_by") if bloody else ("relocated_by",)
    twin = twin_of(tuple((name, value) for name, value in env.values.items() if name not in idle))
    twin.reset(options={"position": " ".join([board_text(pieces), *words])})
    assert sorted(twin.legal_moves()) == sorted(CELL.sub(lambda name: image(name[0]), n) for n in env.legal_moves())
    if swap_colours:
        mine, other = env.agent_selection, twin.agent_selection
        assert mine != other
        seen, twins = env.observe(mine), twin.observe(other)
        assert (seen["action_mask"] == twins["action_mask"]).all()
        occurred = 10  # the twin knows no earlier positions
        seen["observation"][occurred] = twins["observation"][occurred] = 0
        assert (seen["observation"] == twins["observation"]).all()
