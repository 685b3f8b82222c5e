"""What both methods of learning are: the same on any number of threads, resumed exactly, and nothing taken on trust."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.interfaces.registry import find
from parlour.learn import Generations, GenerationsSettings, SelfPlaySettings, TDLambda, TDLambdaSettings
from parlour.learn.method import Method
from parlour.learn.methods import TD, first_network, prepare
from parlour.rulebook.chance import STREAM
from parlour.rulebook.protocol import first_state_dtype
from tests.learn.arrays import same_arrays, with_first
from tests.players.value.networks import network_for

SMALL = GenerationsSettings(positions=300, window=2, self_play=SelfPlaySettings(depth=2, games=8, max_plies=100))
UNEVEN = TDLambdaSettings(positions=188, rows=4, temperature=0.1, openings=4)


def td(game: str, **how: Any) -> Method:
    return TDLambda(network_for(game), UNEVEN, **{"seed": 3, **how})


def generations(game: str, **how: Any) -> Method:
    return Generations(network_for(game), SMALL, **{"seed": 4, **how})


METHODS = pytest.mark.parametrize(
    ("make", "game"),
    [(td, "pig-v0"), pytest.param(td, "checkers-v0", marks=pytest.mark.long), (generations, "checkers-v0")],
)


@pytest.mark.parametrize(("game", "outputs"), [("backgammon-v0", 3), ("royal_ur-v0", 1), ("pig-v0", 1)])
def test_a_game_that_pays_more_than_1_is_learnt_by_three_outputs(game: str, outputs: int) -> None:
    known = find(game)
    assert first_network(prepare(known, [known.variants[0].name], {}), TD, 4, 1).outputs == outputs


def test_generations_learn_one_output() -> None:
    with pytest.raises(ValueError, match="one output, not of 3; TDLambda does"):
        Generations(network_for("checkers-v0", outputs=3), SMALL)


@METHODS
def test_the_same_seed_learns_the_same_on_any_number_of_threads(make: Any, game: str) -> None:
    one, other, another_seed = make(game, threads=1), make(game, threads=2), make(game, seed=9)
    for _ in range(2):
        assert (done := one.round()) == other.round() != another_seed.round()
        assert done.positions
    assert same_arrays(one.checkpoint(), other.checkpoint())


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"threads": 0}, "threads must be a whole number from 1 to 1024, not 0"),
        ({"against": "greedy"}, r"against must be a list of names, such as \['greedy'\], not 'greedy'"),
        ({"against": ["greedy", "greedy"]}, "player 'greedy' is given twice"),
    ],
)
def test_a_learner_checks_how_it_is_made(how: dict[str, Any], message: str) -> None:
    for make, game in ((td, "pig-v0"), (generations, "checkers-v0")):
        with pytest.raises(ValueError, match=message):
            make(game, **how)


@pytest.mark.parametrize("openings", [(3, 1), (-1, 2), (0, 1 << 30), (1, 2, 3), 4, (0.5, 2)])
def test_openings_of_self_play_are_checked(openings: Any) -> None:
    with pytest.raises(ValueError, match="openings must be"):
        SelfPlaySettings(openings=openings)


@METHODS
@pytest.mark.parametrize("rounds_before", range(1, 5))
def test_a_learner_goes_on_exactly_from_a_checkpoint(make: Any, game: str, rounds_before: int, tmp_path: Path) -> None:
    whole, again = make(game), make(game)
    for _ in range(rounds_before):
        whole.round()
    np.savez(tmp_path / "kept.npz", **whole.checkpoint())
    expected = [whole.round() for _ in range(2)]
    with np.load(tmp_path / "kept.npz", allow_pickle=False) as arrays:
        again.restore(arrays)
    assert [again.round() for _ in range(2)] == expected
    assert (again.positions, again.games, again.plies) == (whole.positions, whole.games, whole.plies)
    assert same_arrays(again.checkpoint(), whole.checkpoint())


def random_bytes(array: Any) -> Any:
    return np.random.default_rng(5).integers(0, 256, array.shape).astype(np.uint8)


def with_field(kind: Any, field: str, value: Any) -> Callable[[Any], Any]:
    """Changes one field in the first of the records that an array of bytes holds."""

    def change(array: Any) -> Any:
        records = array.copy().view(kind)
        records[field][0] = value
        return records.view(np.uint8)

    return change


@pytest.fixture(scope="module")
def learnt() -> dict[Any, Method]:
    """By how it is made, a learner after a round; no test changes it."""
    made = {td: td("pig-v0"), generations: generations("checkers-v0")}
    for learner in made.values():
        learner.round()
    return made


PIG = first_state_dtype(find("pig-v0").rules.STATE)  # as checkpoints have it
LEARNER = ("weights", "average", "mean", "square", "counts")
OF_TD = ("states", "dice_rng", "player_rng", "variant_rng", "history", "variant_index", "opening", *LEARNER)
OF_GENERATIONS = ("units_0", "heads_0", "results_0", "search_values_0", "cut_0", *LEARNER)
CHANGES: list[tuple[Any, str, Callable[[Any], Any], str]] = [
    *((td, name, lambda a: a.astype(np.float16), f"{name!r} must be of type") for name in OF_TD),
    *((td, name, lambda a: a[:-1], f"{name!r} must be of type") for name in OF_TD),
    *((td, name, random_bytes, f"{name!r} has") for name in ("states", "dice_rng", "player_rng")),
    *((generations, name, lambda a: a.astype(np.float64), f"{name!r} must be of type") for name in OF_GENERATIONS),
    *(
        (generations, name, lambda a: a[:-1], f"{name!r} must be of type|'heads_0' must be of type")
        for name in OF_GENERATIONS
    ),
    *(
        (make, name, lambda a: with_first(a, np.nan), "not finite")
        for make in (td, generations) for name in ("weights", "average", "mean", "square")
    ),
    (td, "dice_rng", with_field(STREAM, "forced_end", 7), "random states that are not valid"),
    (td, "variant_rng", with_field(STREAM, "misfit", 1), "random states that are not valid"),
    (td, "variant_index", lambda a: with_first(a, 9), "'variant_index' must hold numbers from 0 to 0"),
    (td, "opening", lambda a: a + 100, "'opening' has more random plies than 4"),
    (td, "counts", lambda a: with_first(a, -1), "'counts' has numbers"),
    (td, "history", lambda a: a[:, :5], "'history' has 5 bytes a row"),
    (td, "states", with_field(PIG, "end", 1), "whose end is not from 0 to 0"),
    (td, "states", with_field(PIG, "to_act", 100), "whose to_act is not from 0 to 2"),
    (td, "states", with_field(PIG, "last_action", 30_000), "whose last_action is not from"),
    (td, "states", with_field(PIG, "occurrences", 5), "whose occurrences does not fit its position"),
    (td, "states", with_field(PIG, "dice", 99), "no position of pig-v0"),
    (generations, "results_0", lambda a: with_first(a, np.nan), "not finite"),
    (generations, "average", lambda a: with_first(a, 1e20), "not from -1e\\+06 to 1e\\+06"),
    (generations, "square", lambda a: with_first(a, -1), "not from 0 to"),
    (generations, "counts", lambda a: with_first(a, -1), "not from 0 to"),
    (generations, "counts", lambda a: with_first(a, 2**62), "not from 0 to"),
    (generations, "units_0", lambda a: with_first(a, 30_000), "'units_0' has numbers"),
    (generations, "units_0", lambda a: a[:0], "must hold a position or more"),
    (generations, "heads_0", lambda a: with_first(a, 2), "not from 0 to 1"),
    (generations, "search_values_0", lambda a: with_first(a, 2), "not from -1 to 1"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "name", "change", "message"), CHANGES)
def test_arrays_that_do_not_fit_are_refused(
    learnt: dict[Any, Method], make: Any, name: str, change: Callable[[Any], Any], message: str
) -> None:
    """Each is named, and nothing is changed."""
    learner = learnt[make]
    before = learner.checkpoint()
    with pytest.raises(ValueError, match=message):
        learner.restore({**before, name: change(before[name])})
    with pytest.raises(ValueError, match=f"no {name!r}"):
        learner.restore({each: array for each, array in before.items() if each != name})
    with pytest.raises(ValueError, match="'colour': no entry"):
        learner.restore({**before, "colour": before[name]})
    assert same_arrays(learner.checkpoint(), before)
