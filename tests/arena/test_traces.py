"""What is kept of every ply of a game, held against the same game played by the AEC environment."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.arena.measures import MEASURES, Measure, measures_of
from parlour.arena.measures.play import shuffles, threefold
from parlour.arena.measures.traces import FIRST_CAPACITY, Trace
from parlour.arena.runs import playing
from parlour.arena.runs.playing import Threads, play_plan
from parlour.arena.setting.plans import Plan, Played
from parlour.interfaces.registry import find
from tests.arena.made_up import series

GAMES = 6


def played(game: str, player: str, measures: list[Measure]) -> list[Played]:
    one, found = series(game, player, player, GAMES, seed=5), list[Played]()
    play_plan(Plan(find(game), (one,), {}, {}, {}, tuple(measures)), Threads(1), found.extend)
    return sorted(found, key=lambda each: each.spec.index)


def picture(planes: NDArray[np.int8]) -> dict[int, NDArray[np.int8]]:
    """The planes (C, H, W) that are not the same number everywhere, by their place."""
    return {place: plane for place, plane in enumerate(planes) if len(np.unique(plane)) > 1}


def plain_trace(game: str, each: Played) -> dict[str, Any]:
    """What `Trace` says, worked out ply by ply."""
    env = parlour.make(game)
    env.reset(seed=each.spec.seed)
    one, shown = env.unwrapped, [env.unwrapped.observe("player_0")["observation"]]
    found: dict[str, Any] = {name: [] for name in ("seats", "legal", "changed", "distance")}
    potentials, used = [[one.games.potential_one(seat) for seat in (0, 1)]], np.zeros(shown[0].shape[1:], np.bool_)
    for action in each.moves:
        found["seats"].append(one.possible_agents.index(one.agent_selection))
        found["legal"].append(len(one.legal_moves()))
        env.step(int(action))
        shown.append(one.observe("player_0")["observation"])
        potentials.append([one.games.potential_one(seat) for seat in (0, 1)])
        before, after = (picture(planes) for planes in shown[-2:])
        differs = np.zeros(used.shape, np.bool_)
        for place in {*before, *after}:
            differs |= shown[-2][place] != shown[-1][place]
        used |= differs
        rows, columns = np.nonzero(differs)
        found["changed"].append(len(rows))
        found["distance"].append(max(np.ptp(rows), np.ptp(columns)) if len(rows) else 0)
    boards = [tuple((place, plane.tobytes()) for place, plane in picture(planes).items()) for planes in shown]
    own = np.array(potentials, np.float32)
    return {**found, "potentials": own, "leads": own - own[:, ::-1], "boards": boards, "used": int(used.sum())}


@pytest.mark.parametrize(("game", "player"), [("acey_ducey-v0", "greedy"), ("checkers-v0", "random")])
def test_a_trace_is_what_a_plain_replay_shows(game: str, player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    traces: dict[int, Trace] = {}

    def keep(own: Played) -> None:
        traces[own.spec.index] = copy.deepcopy(own.trace)  # the row's next game overwrites it

    monkeypatch.setattr(Played, "forget_trace", keep)
    games = played(game, player, [MEASURES["drama"]])
    assert max(each.plies for each in games) > FIRST_CAPACITY  # so the arrays had to be enlarged
    for each in games:
        trace, plain = traces[each.spec.index], plain_trace(game, each)
        for name in ("seats", "legal", "changed", "distance"):
            assert getattr(trace, name).tolist() == plain[name], name
        np.testing.assert_array_equal(trace.potentials, plain["potentials"])
        np.testing.assert_array_equal(trace.leads, plain["leads"])
        keys, boards = trace.keys.tolist(), plain["boards"]
        assert len(set(zip(keys, boards))) == len(set(keys)) == len(set(boards)) == trace.boards
        assert (trace.used, trace.actions.tolist()) == (plain["used"], each.moves.tolist())
        assert trace.lead_changes == each.lead_changes
        assert dict(zip(trace.event_names, trace.events.sum(axis=0).tolist())) == each.events


def test_without_a_measure_that_reads_them_plies_are_not_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("checkers-v0")
    everything = measures_of(game, 2)
    plain = [one for one in everything if not one.traced and one.series == "even"]
    traced = played(game.id, "random", [one for one in everything if one.series == "even"])
    monkeypatch.delattr(playing, "TraceRecorder")
    for each, other in zip(played(game.id, "random", plain), traced):
        assert str(each.numbers) == str({one.key: other.numbers[one.key] for one in plain})  # NaN is not NaN
        assert (each.events, each.lead_changes, each.digest) == (other.events, other.lead_changes, other.digest)


@pytest.mark.parametrize(
    ("keys", "ply"), [([7, 8, 7, 9, 7, 7], 4), ([7, 8, 8, 7, 7, 8], 4), ([7, 8, 7, 8], None), ([7, 7, 7], 2)]
)
def test_the_first_board_that_is_there_for_the_third_time(keys: list[int], ply: int | None) -> None:
    game: Any = SimpleNamespace(trace=SimpleNamespace(keys=np.array(keys, np.uint64)))
    assert threefold(game) == ply
    assert shuffles(game) == (ply is not None)
