"""What holds at every ply of Crown and Anchor."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.state_records import as_record


def invariant(env: Any) -> None:
    """Chips are conserved; stakes are the seats' own, within the limits, and only of seats that have had a turn; only
    a throw changes chips, and by the rewards."""
    state, values = as_record(env.games.states, 0), env.values
    players = values["players"]
    chips = state.chips[:players].tolist()
    assert sum(chips) == players * values["start_chips"]
    assert not state.chips[players:].any()
    assert abs(sum(env.rewards.values())) < 1e-12
    if values["bank"] == "limited":
        assert min(chips) >= 0
        assert (sum(count > 0 for count in chips) == 1) == (env.games.ending(0) == "all_chips")
    assert (env.games.ending(0) == "rounds") <= (state.throws == values["rounds"])
    stakes = state.stakes[:players]
    assert not state.stakes[players:].any()
    assert not stakes[state.banker].any()
    assert stakes.min() >= 0
    assert stakes.max() <= values["max_stake"]
    assert (stakes.sum(axis=1) <= np.maximum(chips, 0)).all()
    if values["bets"] == "one":
        assert ((stakes > 0).sum(axis=1) <= 1).all()
    waiting = range(1, (int(state.banker) - int(state.to_act)) % players)  # seats after the one to act
    assert not any(stakes[(int(state.to_act) + k) % players].any() for k in waiting)
    assert len(env.dice) == (3 if state.throws else 0)
    if env.agent_selection != f"player_{state.banker}":
        assert chips[int(state.to_act)] > 0
    assert env.state()[0].sum() == stakes.sum()
