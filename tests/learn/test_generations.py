"""Learning from search: what is noted of self-play, symmetries, the same on any number of threads, resumed exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parlour.interfaces.registry import find
from parlour.learn import Generations, GenerationsSettings, SelfPlaySettings
from parlour.learn.generations import STEPS_AT_ONCE
from parlour.learn.gradient import Positions
from parlour.learn.learner import Learner, unit_indices, unit_symmetries
from parlour.learn.self_play import Played, SearchedPositions, play_positions, random_shares
from parlour.players.value import load, new_network, save
from parlour.players.value.inputs import active_units
from tests.players.value.networks import network_for

UNDISCOUNTED = SelfPlaySettings(depth=3, games=16, max_plies=200, discount=1)
SMALL = GenerationsSettings(positions=300, window=2, self_play=SelfPlaySettings(depth=2, games=8, max_plies=100))


def played_by_potential(count: int, how: SelfPlaySettings) -> Played:
    """Games of Checkers, whose search values positions by the game's potential."""
    network = network_for("checkers-v0")
    return play_positions(network, count, how, random_shares(how, network, None), seed=2, by_potential=True)


@pytest.fixture(scope="module")
def many() -> Played:
    return played_by_potential(4000, UNDISCOUNTED)


@pytest.fixture
def played(many: Played) -> SearchedPositions:
    return many.positions


def test_a_proved_win_is_the_result_of_its_game(played: SearchedPositions) -> None:
    """Seen by the seat to act: what the search has proved is how the game ended for this seat."""
    proved = np.abs(played.search_values) == 1
    assert proved.sum() > 10
    assert {-1.0, 1.0} <= set(played.search_values[proved])
    assert (played.results[proved] == played.search_values[proved]).all()


def test_results_are_those_of_both_seats(many: Played) -> None:
    played = many.positions
    assert {-1.0, 0.0, 1.0} <= set(played.results)
    assert np.abs(played.results).max() == 1
    assert len(played.heads) >= 4000
    assert many.games > 16
    assert many.plies > len(played.heads)
    assert set(played.heads) == {0, 1}
    decided = played.results != 0
    # who is ahead in search wins more often
    assert (played.search_values[decided] * played.results[decided]).mean() > 0.1


def test_a_game_that_is_cut_off_is_worth_what_the_search_finds() -> None:
    """The last position of such a game has the result that was found for it."""
    played = played_by_potential(
        120, SelfPlaySettings(depth=2, games=8, openings=(2, 2), max_plies=12, discount=1)
    ).positions
    last = np.flatnonzero(~np.isin(np.abs(played.results), (0, 1)))
    assert len(last) > 50
    assert (played.results == played.search_values)[last].sum() >= 5
    assert played.cut[last].all()


def test_a_discount_makes_results_count_less_for_each_ply_that_they_are_away(played: SearchedPositions) -> None:
    """The games are the same ones with any discount. A proved win counts in full, since its game ends with it."""
    discounted = played_by_potential(4000, replace(UNDISCOUNTED, discount=0.9)).positions
    decided = played.results != 0
    assert (discounted.results[~decided] == 0).all()
    plies = np.log(discounted.results[decided] / played.results[decided]) / np.log(0.9)
    np.testing.assert_allclose(plies, np.rint(plies), atol=1e-3)
    assert (plies >= -1e-3).all()
    assert plies.max() > 20
    proved = np.abs(played.search_values[decided]) == 1
    np.testing.assert_allclose(plies[proved], 0, atol=1e-3)


def test_the_more_games_are_cut_off_the_more_plies_are_random(played: SearchedPositions) -> None:
    network, how = network_for("checkers-v0"), SelfPlaySettings(random_share=0.1, max_random_share=0.5)
    for cut_share, expected in ((0.0, 0.1), (0.5, 0.1), (0.75, 0.3), (1.0, 0.5)):
        cut = np.arange(len(played.cut)) < cut_share * len(played.cut)
        found = random_shares(how, network, played._replace(cut=cut))
        np.testing.assert_allclose(found, [expected], atol=1e-3)


def test_targets_mix_results_and_values(played: SearchedPositions) -> None:
    targets = played.targets(0.25, 1.0)
    assert targets.min() >= 0
    assert targets.max() <= 1
    np.testing.assert_allclose(2 * targets - 1, 0.25 * played.results + 0.75 * played.search_values, atol=1e-6)


def test_unit_indices_are_the_units_that_are_on() -> None:
    network = network_for("checkers-v0")
    numbers = np.random.default_rng(0).integers(0, 2, (50, network.number_count)).astype(np.int8)
    active = active_units(network.units, numbers)
    assert active.sum(axis=1).max() > 64
    for row, units in zip(active, unit_indices(network, numbers)):
        assert sorted(units[units >= 0]) == list(np.flatnonzero(row))
        assert (units[: row.sum()] >= 0).all()


def test_a_symmetry_of_the_board_is_one_of_the_units() -> None:
    """The units of turned planes are the turned units of the planes."""
    game = find("swords_and_shields-v0")
    network = new_network(game, "all", 8)
    channels, height, width = network.layout.shape
    cells = game.symmetries(network.variants[0].values).cells
    numbers = np.random.default_rng(0).integers(0, 2, (20, channels, height * width)).astype(np.int8)
    numbers[:, 4:] = 1  # planes that are the same all over
    symmetries = unit_symmetries(network)
    assert len(symmetries) == len(cells) == 8
    units = unit_indices(network, numbers.reshape(20, -1))
    for k, moved in enumerate(cells):
        turned = np.zeros_like(numbers)
        turned[:, :, moved] = numbers
        expected = unit_indices(network, turned.reshape(20, -1))
        assert (np.sort(symmetries[k][units]) == np.sort(expected)).all()


def test_a_game_without_symmetries_has_the_identity() -> None:
    network = network_for("acey_ducey-v0")
    assert (unit_symmetries(network) == [*range(len(network.units)), -1]).all()


def test_averaged_weights_follow_those_that_learn() -> None:
    network = network_for("checkers-v0")
    learner = Learner(network, 16, averaged=0.5)
    rng = np.random.default_rng(1)
    units = rng.integers(0, len(network.units), (64, 5)).astype(np.int16)
    positions = Positions(units, np.zeros(64, np.int64), np.ones((64, 1), np.float32))
    first, last = (learner.learn(positions, np.arange(64), 0.01) for _ in range(2))
    assert last < first
    assert learner.steps == 8
    # the first pass is all of the average, the second all of it too: 4 of 0.5 · 8 steps
    assert np.allclose(learner.network.hidden, learner.latest.hidden, atol=1e-6)
    learner.learn(positions, np.arange(64), 0.01)
    assert not np.allclose(learner.network.hidden, learner.latest.hidden, atol=1e-6)


def test_the_window_grows_with_the_run() -> None:
    settings = GenerationsSettings(window=3, max_window=6)
    windows = [settings.window_after(generations) for generations in range(1, 16)]
    assert windows == [1, 2, 3, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6]


def test_the_learning_rate_falls() -> None:
    settings = GenerationsSettings(learning_rate=0.01, decay_generations=10)
    assert [settings.learning_rate_after(generations) for generations in (0, 30, 80)] == pytest.approx(
        [0.01, 0.005, 0.01 / 3]
    )


def test_a_network_that_was_read_goes_on_at_the_rate_where_it_ended(tmp_path: Path) -> None:
    """But for what a generation has more than the positions that were asked for, since games are played to the end."""
    self_play = SelfPlaySettings(depth=1, games=1, max_plies=100)
    settings = GenerationsSettings(positions=3200, decay_generations=2, self_play=self_play)
    first = Generations(new_network(find("checkers-v0"), hidden=8, seed=0), settings)
    first.round()
    before = first.positions
    save(first.network, tmp_path / "net.value")
    with pytest.warns(UserWarning, match="Adam's moments begin anew"):
        again = Generations(load(tmp_path / "net.value"), settings)
    rates: list[float] = []
    for one in (first, again):
        one._learner.learn = lambda *args: rates.append(args[2]) or 0.0  # type: ignore[method-assign, func-returns-value]
        one.round()
    assert rates[0] == pytest.approx(rates[-1], rel=0.02)
    assert rates[0] < 0.9 * settings.learning_rate
    assert again.network.learnt == before + again.positions


def test_no_more_positions_are_learnt_from_than_asked_for() -> None:
    """A pass over the window has more than 300 of them."""
    steps = []
    for samples in (64, 10_000):
        generations = Generations(network_for("checkers-v0"), replace(SMALL, samples=samples, batch=32), seed=4)
        positions = generations.round().positions
        steps.append(int(generations.checkpoint()["counts"][4]))
    assert steps[0] == 2
    parts = -(-2 * positions // (32 * STEPS_AT_ONCE))  # the last step of each may have fewer positions
    assert 2 * positions / 32 <= steps[1] < 2 * positions / 32 + parts


@pytest.mark.parametrize("game", ["acey_ducey-v0", "pig-v0"])
def test_games_with_dice_or_more_seats_are_refused(game: str) -> None:
    with pytest.raises(ValueError, match="dice or more than two seats"):
        Generations(network_for(game))
