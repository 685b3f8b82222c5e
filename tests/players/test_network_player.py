"""``az:FILE:BUDGET``: search round a network in a file, checked as ``policy:FILE`` is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.arena import Threads, match
from parlour.cli import main
from parlour.engine.player import Estimating
from parlour.interfaces.registry import find
from parlour.players import GamesView, parse_player, stamp
from parlour.players.identity import identity_of
from parlour.players.search import Gumbel, NetworkSearch
from parlour.players.simulate import game_seeds, play_games
from tests.players.search.test_forced_wins import IN_ONE, winning
from tests.support.games import batch_of, chosen, layout_of
from tests.support.networks import constant_network, linear_network

CHECKERS = "checkers-v0"


def network(path: Path, game: str, *, values: int | None = None, number: float = 0.0, spread: int = 2) -> str:
    """Logits and values that are linear in the planes, with whole numbers as weights, so that sums are exact; value
    (N, values), or (N,) for None. ``number`` is added to all weights of logits; ``spread`` 0: all are alike."""
    layout, rng = layout_of(game), np.random.default_rng(3)
    size = int(np.prod(layout.shape))
    weights = rng.integers(-spread, spread + 1, (size, layout.actions)).astype(np.float32)
    value_weights = rng.integers(-spread, spread + 1, (size, values or 1)).astype(np.float32) / 64
    of_value = value_weights[:, 0] if values is None else value_weights
    return linear_network(path, layout.shape, weights + np.float32(number), value_weights=of_value)


@pytest.mark.parametrize("values", [None, 1, 2])
def test_plays_what_the_search_finds(values: int | None, tmp_path: Path) -> None:
    """With a value for the seat to act alone, in either shape, or one a seat."""
    file = network(tmp_path / "net.onnx", CHECKERS, values=values)
    batch = batch_of(CHECKERS, 5, plies=7, seed=2)
    player = parse_player(f"az:{file}:30", batch.game)

    def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
        return player._model.run(batch.games, observation, mask)

    expected = NetworkSearch(evaluate, 30, method=Gumbel(gumbel_scale=0)).run(batch)
    assert chosen(player, batch.games).tolist() == expected.actions.tolist()
    assert isinstance(player, Estimating)
    forced = batch.games.counts == 1  # not searched
    assert np.array_equal(player.values(GamesView(batch.games))[~forced], expected.values[~forced])
    assert np.isnan(player.values(GamesView(batch.games))[forced]).all()


def test_several_seats_and_dice(tmp_path: Path) -> None:
    """A value a seat, by a file that was stamped for the game; no other game takes it."""
    game = "pig-v0"
    seats = layout_of(game).seats
    file = network(tmp_path / "net.onnx", game, values=seats)
    stamp(file, game)
    known = find(game)
    values = known.resolve(None, {"max_plies": 12})[1]
    results = play_games(known, values, [parse_player(f"az:{file}:8", known)] * seats, game_seeds(0, 4))
    assert len(results.returns) == 4
    with pytest.raises(ValueError, match="is made for 'pig-v0', not for 'checkers-v0'"):
        parse_player(f"az:{file}:8", find(CHECKERS))


def test_finds_a_forced_win_within_a_time(tmp_path: Path) -> None:
    """The time is no more than the most: it stops when the win is proved."""
    file = network(tmp_path / "net.onnx", CHECKERS, spread=0)
    batch = batch_of(CHECKERS, 1, position=IN_ONE[CHECKERS], seed=0)
    played = chosen(parse_player(f"az:{file}:600s", batch.game), batch.games)
    assert batch.games.move_name(0, int(played[0])) in winning(CHECKERS, IN_ONE[CHECKERS], 1)


def test_a_match_by_name(tmp_path: Path) -> None:
    file = network(tmp_path / "net.onnx", CHECKERS)
    made = match(CHECKERS, f"az:{file}:4", "random", games=4, max_plies=20, workers=Threads(2))
    assert made.games == 4
    assert identity_of(f"az:{file}:4", find(CHECKERS)) == identity_of(f"policy:{file}", find(CHECKERS))


def test_a_file_without_values_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    layout = layout_of(CHECKERS)
    file = constant_network(tmp_path / "net.onnx", layout.shape, [0.0] * layout.actions)
    with pytest.raises(SystemExit) as left:
        main(["simulate", CHECKERS, "--players", f"az:{file}:10"])
    assert left.value.code == 2
    shown = capfd.readouterr().err
    assert f"policy file {file!r} has no output 'value', but logits" in shown
    assert shown.count("\n") == 1
    with pytest.raises(ValueError, match="there is no policy file"):
        parse_player(f"az:{tmp_path / 'none.onnx'}:10")


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_told(number: float, tmp_path: Path) -> None:
    file = network(tmp_path / "net.onnx", CHECKERS, number=number)
    batch = batch_of(CHECKERS, 2, seed=1)
    with pytest.raises(ValueError, match="no finite number") as caught:
        chosen(parse_player(f"az:{file}:10"), batch.games)
    assert f"az:{file}:10" in str(caught.value)


def test_a_value_that_is_not_one_a_seat_is_told(tmp_path: Path) -> None:
    file = network(tmp_path / "net.onnx", "pig-v0")
    batch = batch_of("pig-v0", 2, seed=1, players=3)
    with pytest.raises(ValueError, match=r"needs \(N, |one value per seat") as caught:
        chosen(parse_player(f"az:{file}:10"), batch.games)
    assert file in str(caught.value)
