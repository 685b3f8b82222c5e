"""`Batch.copy_rows`: games taken over by another batch, bit for bit, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.batch import Batch
from parlour.interfaces.registry import find
from parlour.players.simulate import game_seeds, play_games
from parlour.wrappers.potential_shaping import BatchPotentialShaping
from tests.support.cases import GAMES, VARIANTS
from tests.support.games import batch_of

each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)
DICE_GAMES = [game for game in GAMES if find(game).rules.DICE]


def positions(batch: Batch) -> list[str]:
    return [batch.position(i) for i in range(batch.num_games)]


def step_both(one: Batch, rows: Any, other: Batch, others: Any, actions: Any) -> Any:
    """Plays the same actions in ``rows`` of one batch and ``others`` of the other; what must be alike, as a pair."""
    played_here, played_there = (batch.sample_actions().copy() for batch in (one, other))
    played_here[rows] = played_there[others] = actions
    pairs = []
    for batch, own, played in ((one, rows, played_here), (other, others, played_there)):
        seen, rewards, terminations, truncations, infos = batch.step(played)
        pairs.append(
            [part[own].copy() for part in (*seen.values(), rewards, terminations, truncations, infos["to_act"])]
        )
    return pairs


@each_variant
def test_copies_play_on_alike(game: str, variant: str) -> None:
    """Same masks, observations, dice and results to the end, drawn by the same streams; other rows are left alone."""
    options: dict[str, Any] = {"variant": variant, "max_plies": 90, "autoreset": "disabled"}
    source = batch_of(game, 6, plies=25, seed=1, **options)
    target = batch_of(game, 9, plies=10, seed=2, threads=2, **options)
    rows, into = np.array([5, 0, 0, 3]), np.array([1, 8, 2, 4])
    before, others = positions(target), np.setdiff1d(np.arange(9), into)
    observations, infos = target.copy_rows(source, rows, into)
    seen, looking = source._observations(), source._infos()
    for key in seen:
        np.testing.assert_array_equal(observations[key][into], seen[key][rows])
    np.testing.assert_array_equal(infos["to_act"][into], looking["to_act"][rows])
    assert [target.position(i) for i in into] == [source.position(i) for i in rows]
    assert [target.seed_of(i) for i in into] == [source.seed_of(i) for i in rows]
    assert [target.position(i) for i in others] == [before[i] for i in others]
    for _ in range(70):
        actions = source.sample_actions()[rows]
        np.testing.assert_array_equal(target.sample_actions()[into][[0, 1, 3]], actions[[0, 1, 3]])
        here, there = step_both(source, rows, target, into, actions)
        for one, other in zip(here, there):
            np.testing.assert_array_equal(one, other)
    assert [target.position(i) for i in into] == [source.position(i) for i in rows]


@pytest.mark.parametrize("game", DICE_GAMES)
def test_copies_throw_other_dice_on_streams_of_their_own(game: str) -> None:
    def thrown(seed: int, streams: bool) -> list[str]:
        source, target = batch_of(game, 40, plies=12, seed=3), batch_of(game, 40, seed=seed)
        everyone = np.arange(40)
        target.copy_rows(source, everyone, everyone, streams=streams)
        assert positions(target) == positions(source)
        for _ in range(4):
            target.step(np.argmax(target.games.action_mask, axis=1))
        return positions(target)

    assert thrown(4, streams=True) == thrown(5, streams=True)
    assert thrown(4, streams=False) == thrown(4, streams=False) != thrown(5, streams=False)
    assert thrown(4, streams=False) != thrown(4, streams=True)


def test_players_copy_the_games_that_they_play() -> None:
    class Copier:
        """Plays what copies of the games would play, and keeps what the copy sees."""

        name, agreed = "copier", 0

        def choose(self, view: Any, row_mask: Any, actions: Any) -> None:
            batch = batch_of("acey_ducey-v0", view.num_games, seed=8)
            row_ids = np.flatnonzero(row_mask)
            batch.copy_rows(view, row_ids, row_ids)
            assert [batch.position(i) for i in row_ids] == [view.position(i) for i in row_ids]
            actions[row_ids] = batch.sample_actions()[row_ids]
            self.agreed += len(row_ids)

    game, copier = find("acey_ducey-v0"), Copier()
    _, values = game.resolve(None, {})
    copied = play_games(game, values, [copier] * 2, game_seeds(0, 5))
    assert copier.agreed == copied.plies.sum()


def test_rows_of_one_batch_change_places() -> None:
    batch = batch_of("checkers-v0", 3, plies=15, seed=0)
    first, second, third = positions(batch)
    batch.copy_rows(batch, [0, 1], [1, 0])
    assert positions(batch) == [second, first, third]


def test_variants_go_with_their_games() -> None:
    names = list(parlour.variants("agon-v0"))
    source = batch_of("agon-v0", 12, plies=30, seed=0, variant=names, variant_planes="variant")
    target = batch_of("agon-v0", 12, seed=1, variant=names, variant_planes="variant", weights=[1] + [0] * 8)
    everyone = np.arange(12)
    observations, infos = target.copy_rows(source, everyone, everyone)
    assert len(set(infos["variant"].tolist())) > 1
    np.testing.assert_array_equal(infos["variant"], source._infos()["variant"])
    np.testing.assert_array_equal(observations["observation"], source._observations()["observation"])
    actions = source.sample_actions()
    here, there = step_both(source, everyone, target, everyone, actions)
    for one, other in zip(here, there):
        np.testing.assert_array_equal(one, other)


def test_long_histories_go_along() -> None:
    """More earlier positions than a new batch has room for, all of which count in the copy."""
    options: dict[str, Any] = {"repetition": 120, "max_plies": 0}
    source = batch_of("swords_and_shields-v0", 2, seed=0, **options)
    env = parlour.make("swords_and_shields-v0", **options)
    env.reset()
    for ply in range(396):
        action = env.parse_move(["d9-c9", "e7-d7", "c9-d9", "d7-e7"][ply % 4])
        env.step(action)
        source.step([action, action])
    target = batch_of("swords_and_shields-v0", 5, plies=3, seed=1, **options)
    target.copy_rows(source, [1], [3])
    assert target.position(3) == source.position(1) == env.position()
    assert target.games.states["occurrences"][3] == 100
    step_both(source, [1], target, [3], [env.parse_move("d9-c9")])
    assert target.games.states["occurrences"][3] == source.games.states["occurrences"][1] == 100
    assert target.position(3) == source.position(1)


def test_games_that_are_over_stay_so() -> None:
    source = batch_of("checkers-v0", 2, plies=5, seed=0, max_plies=5, autoreset="disabled")
    target = batch_of("checkers-v0", 3, plies=2, seed=1, max_plies=5, autoreset="disabled")
    target.copy_rows(source, [0], [2])
    actions = target.sample_actions()
    assert actions.tolist().index(-1) == 2
    *_, truncations, _ = target.step(actions)
    assert truncations.tolist() == [False, False, True]


def test_what_it_refuses_changes_nothing() -> None:
    source, target = batch_of("checkers-v0", 3, plies=4, seed=0), batch_of("checkers-v0", 4, plies=7, seed=1)
    before = positions(target)
    for rows, into, message in (
        ([0], [4], "to_rows: there is no game 4; games: 0 to 3"),
        ([3], [0], "from_rows: there is no game 3; games: 0 to 2"),
        ([-1], [0], "from_rows: there is no game -1"),
        ([0, 1], [0], "2 from_rows were given for 1 to_rows"),
        ([0, 1], [2, 2], "each row at most once"),
        ([0.0], [0], r"from_rows must be whole numbers of shape \(M,\), not float64"),
        ([True], [0], "from_rows must be whole numbers"),
        ([[0]], [0], r"not int64 of shape \(1, 1\)"),
        (None, [0], "from_rows must be whole numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            target.copy_rows(source, rows, into)
    for other in (
        batch_of("swords_and_shields-v0", 2),
        batch_of("checkers-v0", 2, variant="openspiel"),
        batch_of("checkers-v0", 2, max_plies=9),
        batch_of("checkers-v0", 2, variant=["american", "openspiel"]),
    ):
        with pytest.raises(ValueError, match=r"same game, variants and options: this is checkers-v0 \(draw_rule=wcdf"):
            target.copy_rows(other, [0], [0])
    with pytest.raises(ValueError, match=r"a batch of parlour.make_batch\(\)"):
        target.copy_rows(parlour.make("checkers-v0"), [0], [0])
    with pytest.raises(ValueError, match="BatchPotentialShaping can't copy games"):
        BatchPotentialShaping(target).copy_rows(source, [0], [0])
    assert positions(target) == before
    for one, other in ((target, parlour.make_batch("checkers-v0", 1)), (parlour.make_batch("checkers-v0", 1), source)):
        with pytest.raises(AssertionError, match="both batches"):
            one.copy_rows(other, [0], [0])
