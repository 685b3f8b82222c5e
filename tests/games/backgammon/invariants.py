"""What holds at every ply of Backgammon."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.state_records import as_record

MEN = {"standard": 15, "nackgammon": 15, "hyper": 3}


def invariant(env: Any) -> None:
    """All men are somewhere; never both seats' on a point; sets of points that agree with the men; pips fall except
    through hits; numbers left that the throw gives; rewards that sum to 0."""
    rules, state = env.game.rules, as_record(env.games.states, 0)
    men_each, pips = MEN[env.values["setup"]], []
    for seat in range(2):
        men = state.men[seat].tolist()
        assert sum(men) + state.bar[seat] + state.off[seat] == men_each
        assert min(men) >= 0
        for step, count in enumerate(men):
            other = state.men[1 - seat, 23 - step]
            assert not (count and other)
            assert bool(int(state.held[seat]) >> step & 1) == (count > 0)
            assert bool(int(state.closed[seat]) >> step & 1) == (other > 1)
        assert (state.off[seat] == men_each) == (env.rewards[f"player_{seat}"] > 0)
        on_bar = int(state.bar[seat])
        pips.append((25 * on_bar + sum(count * (24 - step) for step, count in enumerate(men)), on_bar))
    before = env.metadata.get("pips before") if state.plies else None
    if before is not None:
        for seat in range(2):
            hit = seat != state.last_seat and pips[seat][1] > before[seat][1]
            assert pips[seat][0] > before[seat][0] if hit else pips[seat][0] <= before[seat][0]
    env.metadata["pips before"] = pips
    assert sum(env.rewards.values()) == 0
    first, second = env.dice
    assert {first, second} <= {1, 2, 3, 4, 5, 6}
    assert state.left[0] in range(5 if first == second else 2)
    assert state.left[1] in range(1 if first == second else 2)
    assert rules.ENDS[state.end] == env.games.ending(0)
