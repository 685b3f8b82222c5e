"""Players within others (`blunder:`, `soft:`, `python:`): nothing of what they know, play and think is lost."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.arena import Threads, compare, match
from parlour.engine.player import ANY_ROWS
from parlour.engine.rows import load_positions, read_positions
from parlour.interfaces.registry import find
from parlour.players import Analysis, Considering, GamesView, parse_player
from parlour.players.exact import Exact
from parlour.players.identity import identity_of, is_deterministic, is_timed, network_of
from parlour.players.names import KINDS, limited
from parlour.players.people.advice import adviser
from parlour.players.simulate import game_seeds, play_games
from parlour.players.soft import Soft, Valuing, softened
from tests.players.test_network_player import network
from tests.support.games import batch_of

CHECKERS = "checkers-v0"
POSITIONS = ("W:WK18:BK11", "W:WK32:BK1", "B:WK14:BK5", "W:W6:BK32")
"""Of the table, and so are all that follow."""
VALUING = (
    "expectimax:1", "expectimax:2", "expectimax:3:exact", "champion:2", "value:{champion}", "value:{champion}:2",
    "expectimax:1:exact:{table}", "expectimax:2:exact:{table}", "expectimax:3:exact:{table}",
    "champion:2:exact:{table}", "value:{champion}:1:exact:{table}",
)  # fmt: skip
TIMED = ("expectimax:0.01s", "expectimax:0.01s:exact:{table}", "mcts:0.01s:greedy", "champion:0.01s", "az:{file}:0.01s")
OTHERS = (
    "random", "greedy", "mcts:20", "mcts:9:greedy", "mcts:9:value:{champion}", "exact:{table}", "champion:2turns",
    "value:{champion}:2turns", "champion:exact:{table}", "policy:{file}", "policy:{file}:sample", "az:{file}:8",
    f"python:{__name__}:Thinker", "soft:0.1:expectimax:2:exact:{table}", "soft:0.5:value:{champion}",
    "blunder:50:mcts:20", "blunder:30:blunder:40:champion:2:exact:{table}", "blunder:30:soft:0.1:expectimax:1",
)  # fmt: skip
ALL = (*VALUING, *TIMED, *OTHERS)


class Thinker:
    """A player with all that built-in ones may have."""

    max_rows, seconds, depth = 3, 0.01, 2
    most = 0
    """The most games in which it has been asked at once."""

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        Thinker.most = max(Thinker.most, view.num_games)
        actions[row_mask] = view.action_mask[row_mask].argmax(axis=1)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        probabilities = np.zeros(view.num_actions)
        probabilities[view.action_mask[row].argmax()] = 1
        return Analysis(probabilities, (int(probabilities.argmax()),), np.array([0.25, -0.25]))

    def values(self, view: GamesView) -> NDArray[np.float64]:
        return np.full((view.num_games, 2), [0.25, -0.25])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What stands in braces in names."""
    folder = tmp_path_factory.mktemp("players")
    parlour.solve(CHECKERS, out=folder / "table", pieces=2)
    file = network(folder / "some.onnx", CHECKERS)
    return {"table": str(folder / "table"), "file": file, "champion": str(find(CHECKERS).champion)}


def view_of(seed: int = 0) -> GamesView:
    """Each of `POSITIONS` twice, with random streams of their own."""
    batch = batch_of(CHECKERS, 2 * len(POSITIONS), seed=seed)
    load_positions(batch.games, read_positions(batch.games, POSITIONS * 2))
    return GamesView(batch.games)


def parsed(name: str) -> Any:
    return parse_player(name, find(CHECKERS))


def chosen(name: str, view: GamesView, rows: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Any]:
    actions, player = np.full(view.num_games, -1), parsed(name)
    player.choose(view, rows, actions)
    return actions, player


def test_every_kind_is_tried_within_others() -> None:
    assert {name.partition(":")[0] for name in ALL} == set(KINDS)


@pytest.mark.parametrize("name", [*VALUING, *OTHERS])
def test_a_player_and_its_copies_play_alike(name: str, files: dict[str, str]) -> None:
    """In equal games with equal streams, one after another."""
    text, everyone = name.format(**files), np.ones(2 * len(POSITIONS), np.bool_)
    expected, player = chosen(text, view_of(), everyone)[0].tolist(), parsed(text)
    for twin in (player, player, copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        actions = np.zeros(len(expected), np.int64)
        twin.choose(view_of(), everyone, actions)
        assert (twin.name, actions.tolist()) == (text, expected)


@pytest.mark.parametrize("name", ["mcts:30", "expectimax:3", "champion:2", "az:{file}:12"])
def test_games_are_the_same_on_any_number_of_threads(name: str, files: dict[str, str]) -> None:
    game, player = find(CHECKERS), parsed(name.format(**files))
    values = game.resolve(None, {"max_plies": 12})[1]
    runs = [play_games(game, values, [player] * 2, game_seeds(4, 6), threads) for threads in (1, 2, 3)]
    for other in runs[1:]:
        assert other.returns.tolist() == runs[0].returns.tolist()
        assert other.choices.tolist() == runs[0].choices.tolist()


@pytest.mark.parametrize("name", [*VALUING, *OTHERS])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_does_not_blunder_is_played_and_valued_as_by_the_player_within(
    name: str, seed: int, files: dict[str, str]
) -> None:
    inner, all_rows = name.format(**files), np.ones(2 * len(POSITIONS), np.bool_)
    seen, view = view_of(seed), view_of(seed)
    actions, player = chosen(f"blunder:40:{inner}", seen, all_rows)
    blunders = view.random_numbers(np.flatnonzero(all_rows)) < 0.4
    expected = np.full(view.num_games, -1)
    view.sample(blunders, expected)
    assert 0 < blunders.sum() < view.num_games
    alone, other = chosen(inner, view, ~blunders)
    assert actions.tolist() == np.where(blunders, expected, alone).tolist()
    values = player.values(seen)
    assert np.isnan(values[blunders]).all()
    if hasattr(other, "values"):
        assert np.array_equal(values[~blunders], other.values(view)[~blunders], equal_nan=True)


@pytest.mark.parametrize("name", VALUING)
def test_a_softened_player_values_as_the_player_within(name: str, files: dict[str, str]) -> None:
    """By the search itself where it looks at everything to its depth, and by the table where it knows one."""
    inner, view = name.format(**files), view_of()
    rows, soft, alone = np.arange(view.num_games), parsed(f"soft:0.1:{inner}"), parsed(inner)
    values = alone.action_values(view, rows)
    assert np.array_equal(soft.policies(view, rows), softened(values, 0.1))
    exact = Exact(files["table"])
    for row, seat in enumerate(view.to_act.tolist()):
        best = float(np.nanmax(values[row]))
        if "exact" in name:
            assert best == pytest.approx(alone.consider(view, row).values[seat], abs=1e-9)
        if "table" in name:
            assert values[row] == pytest.approx(exact.consider(view, row).action_values[:, seat], abs=2e-3, nan_ok=True)
        thought = soft.consider(view, row)
        assert thought.probabilities == pytest.approx(softened(values[row][None], 0.1)[0])
        assert thought.principal_variation == (int(thought.probabilities.argmax()),)
        assert np.array_equal(thought.action_values[:, seat], values[row], equal_nan=True)
        assert np.array_equal(thought.action_values[:, 1 - seat], -values[row], equal_nan=True)
        assert np.array_equal(thought.values, alone.consider(view, row).values)
    soft.choose(view, np.ones(len(rows), np.bool_), np.zeros(len(rows), np.int64))
    assert np.array_equal(soft.values(view)[rows, view.to_act], np.nanmax(values, axis=1))


def test_a_table_changes_what_is_softened(files: dict[str, str]) -> None:
    view, rows = view_of(), np.arange(2 * len(POSITIONS))
    for name in ("expectimax:2", "champion:2"):
        with_table = parsed(f"soft:0.05:{name}:exact:{files['table']}")
        assert not np.array_equal(with_table.policies(view, rows), parsed(f"soft:0.05:{name}").policies(view, rows))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("outer", ["blunder:20", "soft:0.1"])
def test_identity_and_limits_are_those_of_the_player_within(name: str, outer: str, files: dict[str, str]) -> None:
    game, inner = find(CHECKERS), name.format(**files)
    alone, text = parsed(inner), f"{outer}:{inner}"
    if outer.startswith("soft") and not isinstance(alone, Valuing):
        with pytest.raises(ValueError, match="does not value single actions"):
            parsed(text)
        return
    player = parsed(text)
    assert player.name == text
    assert identity_of(text, game) == identity_of(inner, game)
    assert not is_deterministic(text, game)
    assert is_timed(text, game) == is_timed(inner, game)
    assert is_timed(inner, game) == (name in TIMED or "python" in name)
    assert (network_of(text, game) is None) == (network_of(inner, game) is None)
    assert player.max_rows == getattr(alone, "max_rows", ANY_ROWS)
    if isinstance(alone, Considering) and not isinstance(player, Soft) and "sample" not in name and "mcts" not in name:
        thought, expected = player.consider(view_of()), alone.consider(view_of())
        if name not in TIMED:
            assert np.array_equal(thought.probabilities, expected.probabilities)
        assert (thought.values is None) == (expected.values is None)


def test_a_limit_of_time_reaches_the_search_within() -> None:
    alone = limited(parsed("mcts:100"), 0.5)
    assert alone.max_seconds == 0.5
    for outer in ("blunder:20", "blunder:20:blunder:30"):
        player: Any = limited(parsed(f"{outer}:mcts:100"), 0.5)
        while hasattr(player, "player"):
            player = player.player
        assert player.max_seconds == 0.5


@pytest.mark.parametrize("name", ["value:{champion}:6", "az:{file}:8", "champion:6", "champion:3s"])
def test_hints_are_not_weaker_than_an_opponent_that_blunders(name: str, files: dict[str, str]) -> None:
    env, opponent = parlour.make(CHECKERS).unwrapped, name.format(**files)
    expected = adviser(env, [parsed(opponent)]).name
    assert expected == opponent
    for outer in ("blunder:20", "blunder:5:blunder:20"):
        assert adviser(env, [parsed(f"{outer}:{opponent}")]).name == expected


def test_a_search_to_a_depth_is_not_traced_in_disguise() -> None:
    with pytest.raises(ValueError, match="searches to a depth"):
        compare(CHECKERS, variants=["american"], trace=("blunder:5:expectimax:2", 1), workers=Threads(1))


def test_a_player_of_ones_own_keeps_all_that_it_can() -> None:
    name = f"python:{__name__}:Thinker"
    player, view = parsed(name), view_of()
    assert isinstance(player, Considering)
    assert player.consider(view).values.tolist() == [0.25, -0.25]
    assert (player.max_rows, player.seconds, player.depth) == (3, 0.01, 2)
    for one in (name, f"blunder:20:{name}", Thinker()):
        Thinker.most = 0
        match(CHECKERS, {"one": one}, "random", games=12, max_plies=6, workers=Threads(1))
        assert 0 < Thinker.most <= 3
    plain = parsed(f"python:{__name__}:last")
    assert not isinstance(plain, Considering)
    assert not hasattr(plain, "seconds")


def last(observation: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """A function has nothing but its choice."""
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


def test_data_sets_hold_the_values_of_players_within_others(files: dict[str, str]) -> None:
    for name in ("blunder:50:expectimax:2", "soft:0.1:expectimax:2"):
        values = parlour.dataset(CHECKERS, player=name, games=4, seed=1, max_plies=20).value
        known = ~np.isnan(values)
        assert known.any()
        assert known.all() == name.startswith("soft")
