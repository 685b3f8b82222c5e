"""What holds at every ply of the Royal Game of Ur."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.state_records import as_record
from tests.reference.royal_ur import OTHER_SIDE, WAYS


def invariant(env: Any) -> None:
    """All men are somewhere, no two of them on one tile; the dice show their number; rewards sum to 0."""
    state, values = as_record(env.games.states, 0), env.values
    way = WAYS[str(values["path"])].split()
    tiles = []
    for seat in range(2):
        squares = [k for k in range(64) if int(state.held[seat]) >> k & 1]
        assert len(squares) + state.hand[seat] + state.off[seat] == values["men"]
        assert all(1 <= square <= len(way) for square in squares)
        tiles += [way[square - 1] if seat == 0 else way[square - 1].translate(OTHER_SIDE) for square in squares]
        assert (state.off[seat] == values["men"]) == (env.rewards[f"player_{seat}"] > 0)
    assert len(set(tiles)) == len(tiles)
    assert len(env.dice) == (3 if values["dice"] == "three" else 4)
    assert list(env.dice) == sorted(env.dice)
    assert set(env.dice) <= {0, 1}
    assert state.number == (sum(env.dice) or (4 if values["dice"] == "three" else 0))
    assert sum(env.rewards.values()) == 0
