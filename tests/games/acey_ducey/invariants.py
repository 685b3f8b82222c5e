"""What holds at every ply of Acey Ducey."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.state_records import as_record


def invariant(env: Any) -> None:
    """Fifteen men of each colour; never both on a point; nobody beyond the starting table before all are entered; sets
    of points that agree with the men; pips fall except through hits and sends; rewards that sum to 0."""
    rules, state = env.game.rules, as_record(env.games.states, 0)
    pips = []
    for seat in range(2):
        men = state.men[seat].tolist()
        assert sum(men) + state.unentered[seat] + state.dog_house[seat] + state.off[seat] == 15
        assert min(men) >= 0
        for step, count in enumerate(men):
            other = state.men[1 - seat, 23 - step]
            assert not (count and other)
            assert bool(int(state.held[seat]) >> step & 1) == (count > 0)
            assert bool(int(state.closed[seat]) >> step & 1) == (other > 1)
        if state.unentered[seat]:
            assert not any(men[6:])
            assert state.off[seat] == 0
        assert (state.off[seat] == 15) == (env.games.ending(0) == "borne_off" and env.rewards[f"player_{seat}"] > 0)
        waiting = int(state.unentered[seat] + state.dog_house[seat])
        pips.append(
            (25 * waiting + sum(count * (24 - step) for step, count in enumerate(men)), int(state.dog_house[seat]))
        )
    before = env.metadata.get("pips before") if state.plies else None
    if before is not None:
        for seat in range(2):
            sent = seat != state.last_seat and pips[seat][1] > before[seat][1]
            assert pips[seat][0] > before[seat][0] if sent else pips[seat][0] <= before[seat][0]
    env.metadata["pips before"] = pips
    assert sum(env.rewards.values()) == 0
    assert set(env.dice) <= {1, 2, 3, 4, 5, 6}
    assert len(env.dice) == 2
    assert not state.choosing or sorted(env.dice) == [1, 2]
    assert rules.ENDS[state.end] == env.games.ending(0)
