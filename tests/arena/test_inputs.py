"""What players see that are functions: `inputs=` of matches, tournaments, ratings and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.arena import Threads, compare, match, rate, tournament
from parlour.interfaces.registry import find
from parlour.players.inputs import INPUTS, inputs_shape, thermometer_of
from tests.support.games import layout_of

UR, CHECKERS = "royal_ur-v0", "checkers-v0"
Policy = Callable[[NDArray[Any], NDArray[np.int8]], NDArray[np.int64]]


class Seen:
    """A function that notes what it is shown, and plays by all of it."""

    def __init__(self) -> None:
        self.shown: set[tuple[tuple[int, ...], str]] = set()

    def __call__(self, observation: NDArray[Any], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        assert len(observation) == len(action_mask)
        self.shown.add((observation.shape[1:], observation.dtype.name))
        assert observation.dtype.kind != "f" or (observation.min() >= 0 and observation.max() <= 1)
        return weighing(observation, action_mask)


def weighing(observation: NDArray[Any], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Legal actions by the sums of what is seen under weights."""
    flat = observation.reshape(len(observation), -1).astype(np.float64)
    weights = np.random.default_rng(1).standard_normal((flat.shape[1], action_mask.shape[1])).round(2)
    chosen: NDArray[np.int64] = np.where(action_mask, flat @ weights, -np.inf).argmax(axis=1)
    return chosen


CALLS: dict[str, Callable[..., Any]] = {
    "match": lambda player, **how: match(UR, {"mine": player}, "greedy", games=6, **how),
    "tournament": lambda player, **how: tournament(UR, {"mine": player, "greedy": "greedy"}, games=6, **how),
    "rate": lambda player, **how: rate(UR, {"mine": player}, games=128, within=400, **how),
    "compare": lambda player, **how: compare(
        UR, variants=["finkel"], players={"mine": player}, skill={"mine": player, "greedy": "greedy"}, games=6,
        measures=["plies"], **how,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "inputs"), [*(("match", inputs) for inputs in INPUTS), *((call, "features") for call in list(CALLS)[1:])]
)
def test_a_function_sees_what_was_asked_for(call: str, inputs: str) -> None:
    player, game = Seen(), find(UR)
    CALLS[call](player, inputs=inputs, workers=Threads(2), progress=False)
    kind = "int8" if inputs in ("planes", "thermometer:int8") else "float32"
    assert player.shown == {(inputs_shape(inputs, game, layout_of(UR)), kind)}


@pytest.mark.parametrize("game", [UR, CHECKERS])
@pytest.mark.parametrize("inputs", ["thermometer", "thermometer:int8"])
def test_it_sees_the_position_that_it_is_to_play_in(game: str, inputs: str) -> None:
    """The same games as those of a function that makes the inputs itself."""

    def from_planes(observation: NDArray[np.int8], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        return weighing(thermometer_of(inputs, layout_of(game))(observation), action_mask)

    def played(policy: Policy, **how: Any) -> list[list[int]]:
        games: dict[int, list[int]] = {}
        match(
            game, {"mine": policy}, "random", games=8, seed=3, workers=Threads(1), max_plies=60, progress=False,
            on_played=lambda some: games.update((one.spec.index, one.moves.tolist()) for one in some), **how,
        )  # fmt: skip
        return [games[k] for k in sorted(games)]

    assert played(weighing, inputs=inputs) == played(from_planes)
    assert played(weighing, inputs=inputs) != played(weighing)


def test_both_functions_see_it_and_players_by_name_know_what_they_see() -> None:
    first, second = Seen(), Seen()
    how: dict[str, Any] = {"games": 4, "inputs": "features", "workers": Threads(1), "progress": False}
    match(UR, {"first": first}, {"second": second}, **how)
    assert first.shown == second.shown == {(inputs_shape("features", find(UR), layout_of(UR)), "float32")}
    match(UR, {"first": first}, "champion", **how)


@pytest.mark.parametrize("call", CALLS)
def test_inputs_that_are_not_there_are_refused_before_the_first_game(call: str) -> None:
    player = Seen()
    with pytest.raises(ValueError, match=r"inputs .*'feature'.*features"):
        CALLS[call](player, inputs="feature", progress=False)
    with pytest.raises(ValueError, match="checkers-v0 has no features of its own"):
        match(CHECKERS, {"mine": player}, "random", inputs="features", progress=False)
    with pytest.raises(ValueError, match="checkers-v0 has no features of its own"):
        rate(CHECKERS, {"mine": player}, inputs="features", progress=False)
    assert not player.shown


def test_a_run_goes_on_with_the_same_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "version", "1", raising=False)

    def play(games: int, **how: Any) -> Any:
        return match(
            UR, {"mine": weighing}, "random", games=games, folder=tmp_path, workers=Threads(1), progress=False, **how
        )

    play(4, inputs="features")
    assert '"inputs": "features"' in (tmp_path / "config.json").read_text()
    assert play(8, inputs="features").games == 8
    with pytest.raises(ValueError, match="inputs"):
        play(8)
