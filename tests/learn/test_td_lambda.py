"""Self-play that learns: targets against the definition, the same on any number of threads, resumed exactly, and
stronger than random play within seconds."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.arena import Threads, match
from parlour.engine.kernels.td_self_play import pay
from parlour.interfaces.registry import find
from parlour.learn import GenerationsSettings, SelfPlaySettings, TDLambda, TDLambdaSettings
from parlour.learn.gradient import Positions
from parlour.learn.turn_play import TurnPlay, joined_play
from parlour.players.value import Evaluator, load, new_network, save
from parlour.players.value_players import TurnPlayer
from tests.players.value.networks import LONG, network_for

SMALL = TDLambdaSettings(positions=192, rows=4, batch=32)


BACKGAMMON = "backgammon-v0"


def learner(game: str, settings: TDLambdaSettings = SMALL, **how: Any) -> TDLambda:
    return TDLambda(network_for(game, outputs=3 if game == BACKGAMMON else 1), settings, seed=3, **how)


def parts_of(value: float, outputs: int) -> Any:
    """A sure return as parts of a value: up to 1, what is won beyond, and what is lost beyond."""
    return np.array([value] if outputs == 1 else [np.clip(value, -1, 1), max(value - 1, 0), min(value + 1, 0)])


def shares_of(parts: Any, scale: float) -> Any:
    """What the network's outputs should be for the parts of a value."""
    shares = [(1 + parts[0]) / 2] if len(parts) == 1 else [(1 + parts[0]) / 2, *abs(parts[1:]) / (scale - 1)]
    return np.clip(shares, 0, 1)


@pytest.mark.parametrize("game", ["pig-v0", BACKGAMMON, LONG])
def test_targets_are_lambda_returns(game: str) -> None:
    td = learner(game)
    positions, experience, lambda_ = td.play(), td.turn_play.experience, SMALL.lambda_
    for _ in range(20):
        positions = positions if experience.is_last.any() else td.play()
    rows, count, seats, outputs = experience.values.shape
    lookers = experience.heads.shape[1] // count
    assert experience.is_last.any()
    assert (experience.paid != 0).any()
    for i in range(rows):
        for seat in range(seats):
            target = experience.values[i, -1, seat]
            for q in reversed(range(count)):
                if experience.is_last[i, q]:
                    target = parts_of(experience.paid[i, q, seat], outputs)
                elif q < count - 1:
                    target = (1 - lambda_) * experience.values[i, q + 1, seat] + lambda_ * target
                    target[0] += experience.paid[i, q, seat]  # with three outputs nothing is paid before the end
                for k in range(q * lookers, (q + 1) * lookers):
                    if experience.seats[i, k] == seat:
                        shares = shares_of(target, td.network.scale)
                        np.testing.assert_allclose(experience.targets[i, k], shares, atol=1e-6)
    assert len(positions.targets) == rows * count * lookers


def test_a_payment_beyond_1_goes_to_what_is_won_or_lost_beyond_it() -> None:
    """Whenever it is paid; the value is the sum of the parts."""
    for amount, before, after in (
        (2.0, (0.0, 0.0, 0.0), (1.0, 1.0, 0.0)),
        (-3.0, (0.0, 0.0, 0.0), (-1.0, 0.0, -2.0)),
        (0.5, (0.25, 0.5, -0.125), (0.75, 0.5, -0.125)),
        (1.0, (0.5, 0.25, -0.5), (1.0, 0.75, -0.5)),
    ):
        parts = np.array(before)
        pay(amount, parts)
        assert parts.tolist() == list(after)


def test_what_one_seat_wins_beyond_1_the_other_loses() -> None:
    td = learner(BACKGAMMON)
    td.play()
    first, second = np.moveaxis(td.turn_play.experience.values, 2, 0)
    assert (first == -second[..., [0, 2, 1]]).all()
    for parts in (first, second):
        assert (parts[..., 1] > 0).all()
        assert (parts[..., 2] < 0).all()


def test_a_network_of_three_outputs_learns_what_games_pay() -> None:
    """From nothing, in games of three men each, of which more than half are won double or triple."""
    td = TDLambda(network_for(BACKGAMMON, outputs=3), TDLambdaSettings(positions=2048), seed=1)
    losses = [td.round().loss for _ in range(12)]
    assert np.mean(losses[-3:]) < np.mean(losses[:3])
    shares = td.turn_play.experience.targets.reshape(-1, 3)
    assert (shares.max(axis=0) > 0.6).all()


@pytest.mark.parametrize("game", ["pig-v0", BACKGAMMON, LONG])
def test_the_values_noted_are_those_of_the_network(game: str) -> None:
    td = learner(game)
    network = td.latest
    positions, experience = td.play(), td.turn_play.experience
    seats = experience.seats.ravel().astype(np.int64)
    values = experience.values.sum(axis=3).reshape(-1, network.seats)
    values = values.repeat(1 if network.seats == 2 else network.seats, axis=0)
    values = values[np.arange(len(seats)), seats]
    numbers = experience.numbers.reshape(len(seats), -1)[:, : network.number_count]
    own = network.values(numbers, positions.heads)
    np.testing.assert_allclose(values, own, atol=2e-3)
    assert set(positions.heads.tolist()) == set(range(network.seats))


@pytest.mark.long
def test_a_win_is_paid_to_the_last_position_before_it() -> None:
    td, games = learner("acey_ducey-v0"), 0
    for _ in range(12):
        td.play()
        experience = td.turn_play.experience
        games += experience.is_last.sum()
        assert (abs(experience.paid[experience.is_last]) == 1).all()  # a win: the lead is 2, half of it 1
        assert (experience.paid[~experience.is_last] == 0).all()
    assert games > 4


def run_elsewhere(jobs: Sequence[Any]) -> list[Any]:
    """Does jobs as another process would: with copies of what it is given, which can't be written to."""
    return [pickle.loads(pickle.dumps(with_locked_arrays(job)())) for job in jobs]


def with_locked_arrays(job: Any) -> Any:
    twin = pickle.loads(pickle.dumps(job))
    network, _, running, *_ = twin.args
    for array in (*network.weights, *running.values()):
        array.flags.writeable = False
    return twin


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        ("pig-v0", 4),
        ("pig-v0", 6),
        pytest.param("acey_ducey-v0", 4, marks=pytest.mark.long),
        pytest.param("checkers-v0", 6, marks=pytest.mark.long),
    ],
)
def test_the_same_is_learnt_from_jobs(game: str, rows: int) -> None:
    """Also where the rows can't be divided equally, and where positions are counted."""
    settings = TDLambdaSettings(positions=192, rows=rows, temperature=0.1, openings=4)
    here, elsewhere = learner(game, settings), learner(game, settings, run=run_elsewhere)
    for _ in range(4):
        assert here.round() == elsewhere.round()
    assert here.games == elsewhere.games > 0
    kept, also_kept = here.checkpoint(), elsewhere.checkpoint()
    assert kept.keys() == also_kept.keys()
    for name in kept:
        assert (kept[name] == also_kept[name]).all(), name


def test_rows_whose_histories_differ_in_width_are_joined() -> None:
    network = network_for("checkers-v0")
    turn_play = TurnPlay(network, SMALL, rows=4)
    turn_play.begin(seed=0)
    running = turn_play.running()
    wide = {**running, "history": np.pad(running["history"], ((0, 0), (0, 64)), constant_values=7)}
    none = Positions(np.zeros((0, 1), np.int16), np.zeros(0, np.int64), np.zeros((0, 1), np.float32))
    whole = joined_play([(none, running), (none, wide)])[1]["history"]
    assert (whole[4:] == wide["history"]).all()
    assert (whole[:4, :-64] == running["history"]).all()
    assert not whole[:4, -64:].any()


def rates_of(learner: TDLambda) -> list[float]:
    """The learning rates of the next two rounds."""
    rates: list[float] = []
    learn = learner._learner.learn
    learner._learner.learn = lambda *args: rates.append(args[2]) or learn(*args)  # type: ignore[method-assign, func-returns-value]
    learner.round()
    learner.round()
    return rates


def test_a_network_that_was_read_goes_on_at_the_rate_where_it_ended(tmp_path: Path) -> None:
    settings = TDLambdaSettings(positions=188, rows=4, decay_positions=1000)
    first = learner("pig-v0", settings)
    first.round()
    save(first.network, tmp_path / "net.value")
    read = load(tmp_path / "net.value")
    assert read.learnt == first.network.learnt == first.positions > 0
    with pytest.warns(UserWarning, match=rf"learnt from {first.positions:,} positions: .* Adam's moments begin anew"):
        again = TDLambda(read, settings)
    goes_on, ended = rates_of(again), rates_of(first)
    assert goes_on[0] == ended[0] < settings.learning_rate
    assert again.network.learnt == read.learnt + again.positions
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rates_of(TDLambda(read, settings, learnt=read.learnt))[0] == ended[0]
        assert rates_of(TDLambda(read, settings, learnt=0))[0] == settings.learning_rate
        TDLambda(new_network(find("pig-v0"), hidden=8, seed=0), settings)


def test_a_turn_with_many_positions_is_learnt_from_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for less than the first plies of a turn, every ply leads to a position that is learnt from."""
    network = new_network(find("crown_and_anchor-v0"), "many_bets", 8, seed=1)
    whole = TDLambda(network, SMALL, seed=3).round()
    monkeypatch.setattr("parlour.learn.turn_play.CHOICE_POSITIONS", 4)
    parts = TDLambda(network, SMALL, seed=3).round()
    assert whole.positions == parts.positions == parts.plies * network.seats
    assert whole.plies * network.seats > whole.positions


def test_all_variants_are_learnt_by_one_network() -> None:
    network = new_network(find("pig-v0"), "all", 8, seed=1)
    td = TDLambda(network, TDLambdaSettings(positions=512, rows=8, openings=3), seed=0)
    heads = td.play().heads
    assert len(set(heads.tolist())) > len(network.variants)
    Evaluator(td.network, td.turn_play.games)


@pytest.mark.parametrize(
    ("settings", "values", "message"),
    [
        (TDLambdaSettings, {"lambda_": 1.5}, "lambda_ must be a finite number from 0 to 1, not 1.5"),
        (TDLambdaSettings, {"batch": 0}, "batch must be a whole number from 1"),
        (TDLambdaSettings, {"positions": 3}, "positions must be a whole number from 16"),
        (TDLambdaSettings, {"temperature": float("nan")}, "temperature must be a finite number"),
        (GenerationsSettings, {"learning_rate": -1}, "learning_rate must be a finite number from 0 to 1, not -1"),
        (GenerationsSettings, {"passes": 0.5}, "passes must be a whole number from 1"),
        (SelfPlaySettings, {"discount": "much"}, "discount must be a finite number from 0 to 1, not 'much'"),
    ],
)
def test_settings_out_of_range_are_refused(settings: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        settings(**values)


def test_a_few_seconds_make_a_player() -> None:
    """Pig with two seats: from nothing to well above random play."""
    network = new_network(find("pig-v0"), None, 16, seed=1, overrides={"players": 2})
    td = TDLambda(network, TDLambdaSettings(positions=1024), seed=1)
    while td.positions < 60_000:
        td.round()
    found = match("pig-v0", TurnPlayer(td.network), "random", games=200, seed=1, workers=Threads(1), players=2)
    assert found.score.low > 0.5
