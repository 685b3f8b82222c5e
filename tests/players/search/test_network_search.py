"""`NetworkSearch` against the plain reference search, in every game, with and without what makes it fast."""

from __future__ import annotations

import re
import zlib
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare, kstest

import parlour
from parlour.engine.trees.nodes import READY, Tree, begin_moving, keep_subtree
from parlour.engine.trees.root_noise import gamma, gumbel
from parlour.interfaces.batch import Batch
from parlour.players.search import Gumbel, NetworkSearch, Puct, SearchResult
from parlour.rulebook.protocol import REPETITION
from parlour.rulebook.state_records import as_states
from tests.players.search.test_forced_wins import IN_ONE, IN_THREE, winning
from tests.reference.network_search import ReferenceSearch
from tests.support import games
from tests.support.games import begun

METHODS = {
    "gumbel": Gumbel(max_num_considered_actions=8),
    "gumbel_raw_values": Gumbel(max_num_considered_actions=4, gumbel_scale=0, rescale_values=False, value_scale=1.0),
    "puct": Puct(),
    "puct_greedy": Puct(dirichlet_fraction=0, temperature=0),
}


def pseudo_random(seats: int, per_seat: bool) -> Any:
    """An ``evaluate`` whose answer for a position depends on nothing but what is seen of it."""

    def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        logits, values = np.empty(mask.shape, np.float32), np.empty((len(mask), seats), np.float32)
        for m, planes in enumerate(observation):
            rng = np.random.default_rng(zlib.crc32(planes.tobytes()))
            logits[m], values[m] = rng.normal(size=mask.shape[1]), rng.uniform(-1, 1, seats)
        return logits, values if per_seat else values[:, 0]

    return evaluate


def knows_nothing(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
    """A network to which all actions and positions are alike."""
    return np.zeros(mask.shape, np.float32), np.zeros(len(mask), np.float32)


def linear(batch: Batch) -> Any:
    """A quick ``evaluate`` that gives a row the same in any company: sums of whole numbers have no rounding."""
    size, actions = int(np.prod(batch.single_observation_space["observation"].shape)), batch.single_action_space.n
    rng = np.random.default_rng(0)
    weights = rng.integers(-3, 4, size=(size, actions + batch.num_seats)).astype(np.float32)

    def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        sums = observation.reshape(len(observation), -1).astype(np.float32) @ weights
        return sums[:, :actions] / 8, np.tanh(sums[:, actions:] / 64)

    return evaluate


def assert_equal(one: SearchResult, other: SearchResult) -> None:
    for name in ("actions", "policies", "values", "visits", "winners"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def batch_of(game: str, num_games: int, seed: int = 0, plies: int = 0, **options: Any) -> Batch:
    """Games that have been played at random for so many plies."""
    return games.batch_of(game, num_games, plies=plies, seed=seed, autoreset="disabled", **options)


def compare(batch: Batch, search: NetworkSearch, plies: int) -> int:
    """Plays on by ``search``, holding every result against the reference. Returns how many games were proved."""
    references = [
        ReferenceSearch(
            search.evaluate, batch.games, i, search.simulations, search.method, search.leaves, search.prove_wins
        )
        for i in range(batch.num_games)
    ]
    proved = 0
    for _ in range(plies):
        running = batch.games.states["end"] == 0
        expected = {i: references[i].run() for i in np.flatnonzero(running).tolist()}
        result = search.run(batch)
        for i, (action, policy, values, visits) in expected.items():
            where = f"game {i} at {batch.position(i)!r}"
            np.testing.assert_array_equal(result.visits[i], visits, err_msg=where)
            np.testing.assert_allclose(result.policies[i], policy, atol=1e-5, err_msg=where)
            np.testing.assert_allclose(result.values[i], values, atol=1e-5, err_msg=where)
            assert result.actions[i] == action, where
            winner = references[i].root.forced_winner() if references[i].prove else None
            assert result.winners[i] == (-1 if winner is None else winner), where
            proved += winner is not None
        over = ~running
        assert (result.actions[over] == -1).all()
        assert not result.policies[over].any()
        assert not result.visits[over].any()
        if not search.keep_tree:
            for reference in references:
                reference.root = None
        batch.step(result.actions)
    return proved


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", parlour.games())
def test_same_as_the_reference(game: str, method: str) -> None:
    """Policies, values, visits and actions, for three plies in a row, the tree being kept between them."""
    batch = batch_of(game, 3, plies=7)
    search = NetworkSearch(pseudo_random(batch.num_seats, batch.num_seats > 2), 40, method=METHODS[method])
    compare(batch, search, 3)


@pytest.mark.parametrize("method", ["gumbel", "puct"])
@pytest.mark.parametrize("game", ["checkers-v0", "acey_ducey-v0", "pig-v0"])
def test_several_leaves_of_a_tree_together(game: str, method: str) -> None:
    """The same as the reference, which lets as many wait."""
    batch = batch_of(game, 2, plies=4)
    search = NetworkSearch(pseudo_random(batch.num_seats, True), 30, method=METHODS[method], leaves=5)
    compare(batch, search, 2)


@pytest.mark.parametrize("leaves", [1, 8])
def test_throws_come_as_often_as_they_should(leaves: int) -> None:
    """Also those whose position still waits for the network. Of four simulations, how many go through the most frequent
    throw after the first action, which comes 6 times in 16."""
    games, simulations = 3000, 4
    batch = batch_of("royal_ur-v0", games, seed=3)
    search = NetworkSearch(knows_nothing, simulations, method=Puct(dirichlet_fraction=0.0), leaves=leaves)
    search.run(batch)
    shares = [share_of_throw(batch, search, i, 2) for i in range(games)]
    known = [share for share in shares if share is not None]
    assert len(known) > games / 2
    assert abs(np.mean(known) - 6 / 16) < 4 * np.std(known) / len(known) ** 0.5


def share_of_throw(batch: Batch, search: NetworkSearch, row: int, total: int) -> float | None:
    """Of the simulations of a tree, the share with this throw after the first action; None where there are several
    actions, or none that ends with a throw."""
    assert search._forest is not None
    trees = search._forest.trees
    nodes, edges, states = trees.nodes[row], trees.edges[row], as_states(trees.states[row], batch.game.rules.STATE)
    first, through = edges[nodes["first"][0]], {}
    if nodes["count"][0] != 1 or not first["chance"]:
        return None
    n = int(first["child"])
    while n >= 0:
        below = edges["visits"][nodes["first"][n] :][: nodes["count"][n]] if nodes["status"][n] == READY else []
        through[n] = 1 + int(sum(below))
        n = int(nodes["sibling"][n])
    return sum(count for n, count in through.items() if states["dice"][n].sum() == total) / sum(through.values())


@pytest.mark.parametrize("method", ["gumbel", "puct"])
@pytest.mark.parametrize("simulations", [1, 2, 11])
def test_any_number_of_simulations(method: str, simulations: int) -> None:
    """Each counts, without a tree that is kept."""
    batch = batch_of("checkers-v0", 3, plies=10)
    search = NetworkSearch(pseudo_random(2, False), simulations, method=METHODS[method], keep_tree=False)
    assert (search.run(batch).visits.sum(axis=1) == simulations).all()
    compare(batch, search, 2)


@pytest.mark.parametrize(("repetition", "repeats"), [(2, "draw"), (3, "draw"), (3, "loses"), (2, "forbidden")])
def test_repetition_is_seen_in_the_tree(repetition: int, repeats: str) -> None:
    """Kings that walk to and fro: repetition ends a line of the search, or forbids it, with the positions of the game
    and those of the tree counted together."""
    options = {"repetition": repetition, "repeats": repeats, "draw_rule": "none"}
    batch = batch_of("checkers-v0", 3, seed=1, plies=2, position="B:WK1:BK32", **options)
    search = NetworkSearch(pseudo_random(2, False), 120, method=Gumbel(max_num_considered_actions=2))
    compare(batch, search, 3)
    ends = search._forest.trees.words.view(batch.game.rules.STATE)["end"][..., 0]
    assert (ends == REPETITION).any() == (repeats != "forbidden")


def test_a_game_cut_by_its_limit_is_worth_nothing_more() -> None:
    """max_plies in sight: all values from there are 0."""
    batch = batch_of("checkers-v0", 2, plies=8, max_plies=10)
    result = NetworkSearch(pseudo_random(2, False), 200, method=Puct(dirichlet_fraction=0)).run(batch)
    reached = result.visits[0] > 3
    assert reached.sum() > 1
    batch = batch_of("checkers-v0", 2, plies=9, max_plies=10)
    search = NetworkSearch(pseudo_random(2, False), 200, method=Puct(dirichlet_fraction=0))
    result = search.run(batch)
    own = search._forest.trees.nodes["values"][:, 0, batch.games.states["to_act"][0]]
    np.testing.assert_allclose(np.take(result.values, 0, axis=1) ** 2, (own / 201) ** 2, rtol=1e-5)
    compare(batch_of("checkers-v0", 2, plies=8, max_plies=10), search, 2)


each_proved = pytest.mark.parametrize(
    "game", ["checkers-v0", *(pytest.param(game, marks=pytest.mark.long) for game in IN_ONE if game != "checkers-v0")]
)


@pytest.mark.parametrize("method", ["gumbel", "puct"])
@each_proved
def test_forced_wins_are_proved_and_played(game: str, method: str) -> None:
    """By a network that knows nothing: the winner is told, the policy is on winning plies alone, the value is 1."""
    for text, plies, simulations in ((IN_ONE[game], 1, 400), (IN_THREE[game], 3, 6000)):
        batch = batch_of(game, 1, position=text)
        search = NetworkSearch(knows_nothing, simulations, method=METHODS[method], leaves=8)
        result = search.run(batch)
        seat = int(batch.games.states["to_act"][0])
        assert result.winners[0] == seat
        assert batch.games.move_name(0, int(result.actions[0])) in winning(game, text, plies)
        assert {batch.games.move_name(0, action) for action in np.flatnonzero(result.policies[0])} <= winning(
            game, text, plies
        )
        assert result.values[0, seat] == 1
        assert result.values[0, 1 - seat] == -1
        assert result.visits.sum() < simulations


@pytest.mark.parametrize("leaves", [1, 3])
@each_proved
def test_proofs_are_those_of_the_reference(game: str, leaves: int) -> None:
    """With a win within reach, and a ply later, when the other seat has lost."""
    batch = batch_of(game, 2, position=[IN_ONE[game], IN_THREE[game]])
    search = NetworkSearch(pseudo_random(2, False), 250, method=Gumbel(max_num_considered_actions=64), leaves=leaves)
    assert compare(batch, search, 2) > 0


def test_no_proof_where_it_is_not_wanted() -> None:
    batch = batch_of("checkers-v0", 1, position=IN_ONE["checkers-v0"])
    result = NetworkSearch(knows_nothing, 200, prove_wins=False).run(batch)
    assert result.winners[0] == -1
    assert result.visits.sum() == 200


@pytest.mark.parametrize("method", ["gumbel", "puct"])
@pytest.mark.parametrize("game", ["checkers-v0", "pig-v0"])
def test_the_same_on_any_number_of_threads(game: str, method: str) -> None:
    """So many leaves that compiled calls pause, too: elsewhere with other shares of the rows."""
    results = []
    for threads in (1, 2, 3):
        batch = batch_of(game, 700, seed=3, threads=threads)
        search = NetworkSearch(linear(batch), 60, method=METHODS[method], leaves=60)
        for _ in range(2):
            result = search.run(batch)
            results.append(result)
            batch.step(result.actions)
    for first, *others in (results[::2], results[1::2]):
        for other in others:
            assert_equal(first, other)


def test_the_games_are_left_as_they_are() -> None:
    """Positions and dice to come; only the stream for players goes on."""
    batch, twin = batch_of("acey_ducey-v0", 4, seed=5), batch_of("acey_ducey-v0", 4, seed=5)
    search = NetworkSearch(pseudo_random(2, False), 50)
    for _ in range(5):
        actions = search.run(batch).actions
        assert [batch.position(i) for i in range(4)] == [twin.position(i) for i in range(4)]
        batch.step(actions)
        twin.step(actions)


def test_only_some_rows() -> None:
    """The others get no action, and stay out of the calls of the network."""
    batch = batch_of("checkers-v0", 5)
    asked = []

    def evaluate(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        asked.append(len(observation))
        return knows_nothing(observation, mask)

    rows = np.array([True, False, True, False, False])
    result = NetworkSearch(evaluate, 20).run(batch, rows)
    assert set(asked) == {2}
    assert (result.visits.sum(axis=1) == np.where(rows, 20, 0)).all()
    assert ((result.actions >= 0) == rows).all()


def test_variants_in_one_batch() -> None:
    """Each row is searched under its own rules, seen with the planes that tell them, and a tree is not kept for a game
    of another variant."""
    batch = parlour.make_batch(
        "checkers-v0", 4, seed=0, variant=["american", "openspiel"], variant_planes="variant", autoreset="disabled"
    )
    batch.reset(options={"variant": ["american", "openspiel", "american", "openspiel"]})
    evaluate = pseudo_random(2, False)
    planes = []

    def watching(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        planes.append(observation.copy())
        return evaluate(observation, mask)

    search = NetworkSearch(watching, 20, method=Gumbel(gumbel_scale=0))
    first = search.run(batch)
    for seen in planes:
        assert (seen[::2, -2] == 1).all()
        assert (seen[1::2, -1] == 1).all()
        assert not seen[::2, -1].any()
    batch.reset(options={"variant": ["openspiel", "american", "openspiel", "american"]})
    second = search.run(batch)
    assert (second.visits.sum(axis=1) == 20).all()
    np.testing.assert_array_equal(first.visits, second.visits[[1, 0, 3, 2]])


def test_one_environment() -> None:
    """The environment of one game is searched as a batch of one."""
    env = begun("checkers-v0")
    result = NetworkSearch(knows_nothing, 10).run(env)
    env.step(int(result.actions[0]))


def test_what_goes_wrong_in_the_network_harms_nothing() -> None:
    """An error, or Ctrl-C, in the middle of a search: the next one begins again, and finds what it would have found."""
    calls = []

    def failing(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return knows_nothing(observation, mask)

    batch = batch_of("checkers-v0", 3)
    search = NetworkSearch(failing, 30, method=Gumbel(gumbel_scale=0))
    with pytest.raises(KeyboardInterrupt):
        search.run(batch)
    assert_equal(search.run(batch), NetworkSearch(knows_nothing, 30, method=Gumbel(gumbel_scale=0)).run(batch))


def test_the_network_may_write_into_what_it_is_given() -> None:
    def careless(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, Any]:
        answer = knows_nothing(observation, mask)
        observation[:], mask[:] = 7, 1
        return answer

    batch, method = batch_of("checkers-v0", 3), Gumbel(gumbel_scale=0)
    assert_equal(
        NetworkSearch(careless, 30, method=method).run(batch),
        NetworkSearch(knows_nothing, 30, method=method).run(batch),
    )


def test_forgetting() -> None:
    """Without `forget` the tree is kept; with it, a new one begins."""
    batch = batch_of("checkers-v0", 2)
    search = NetworkSearch(knows_nothing, 30, method=Puct(dirichlet_fraction=0, temperature=0))
    first = search.run(batch)
    assert (search.run(batch).visits.sum(axis=1) == 60).all()
    search.forget()
    assert_equal(search.run(batch), first)


def test_trees_of_other_games_are_not_kept() -> None:
    """The same position of a new game, with other positions behind it, is searched again."""
    batch = parlour.make_batch("checkers-v0", 1, seed=0, repetition=3, draw_rule="none", autoreset="disabled")
    search = NetworkSearch(knows_nothing, 30, method=Puct(dirichlet_fraction=0, temperature=0))
    histories = ["1-6 32-27 6-1 27-32", "1-5 32-28 5-1 28-32"]
    for history in histories:
        batch.reset(options={"position": "W:WK1:BK32"})
        for name in history.split():
            batch.step([batch.games.parse_move(0, name)])
        assert search.run(batch).visits.sum() == 30


def test_a_tree_is_kept_a_few_nodes_at_a_time() -> None:
    """So that no call takes long: in as many calls as one likes the same is kept as in one."""
    batch = batch_of("acey_ducey-v0", 1, seed=2, plies=6)
    search = NetworkSearch(pseudo_random(2, False), 200, method=Puct(dirichlet_fraction=0))
    search.run(batch)
    trees, kept, calls = search._forest.trees, [], []
    count, child = int(trees.sizes[0, 0]), int(trees.edges["child"][0, : trees.nodes["count"][0, 0]].max())
    for limit in (count, 3):
        tree = Tree(*(array[0].copy() for array in trees))
        moving, numbers = np.zeros(4, np.int64), np.zeros((3, count), np.int32)
        begin_moving(child, moving)
        calls.append(1)
        while not keep_subtree(limit, moving, *numbers, tree):
            calls[-1] += 1
        nodes, edges = tree.sizes
        kept.append([tree.nodes[:nodes], tree.edges[:edges], as_states(tree.states[:nodes], batch.game.rules.STATE)])
    assert calls == [1, -(-count // 3)]
    assert 1 < nodes < count
    for whole, parts in zip(*kept):
        for name in whole.dtype.names:
            np.testing.assert_array_equal(whole[name], parts[name], err_msg=name)


# --- random numbers at the root ---


def test_gumbel_noise() -> None:
    words = np.random.default_rng(0).integers(2**64, size=3000, dtype=np.uint64)
    assert kstest([gumbel(word) for word in words], "gumbel_r").pvalue > 0.01


@pytest.mark.parametrize("shape", [0.05, 0.3, 1.0, 4.5])
def test_gamma_noise(shape: float) -> None:
    words = np.random.default_rng(1).integers(2**64, size=3000, dtype=np.uint64)
    assert kstest([gamma(word, shape) for word in words], "gamma", args=(shape,)).pvalue > 0.01


def test_actions_are_drawn_by_visits() -> None:
    """PUCT with a temperature: the same shares in many games with other seeds."""
    batch = batch_of("checkers-v0", 2000)
    result = NetworkSearch(knows_nothing, 16, method=Puct(dirichlet_fraction=0, temperature=1)).run(batch)
    legal = np.flatnonzero(result.visits[0])
    counts = np.array([(result.actions == action).sum() for action in legal])
    assert counts.sum() == 2000
    assert chisquare(counts, 2000 * result.visits[0, legal] / 16).pvalue > 0.01


# --- what is refused ---


search = partial(NetworkSearch, evaluate=knows_nothing)


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (search, {"simulations": 0}, "simulations must be a whole number from 1 to 1000000, not 0"),
        (search, {"simulations": True}, "not True"),
        (search, {"simulations": 1.5}, "not 1.5"),
        (search, {"leaves": 0}, "leaves must be a whole number from 1 to 1024, not 0"),
        (search, {"method": "puct"}, "method must be parlour.players.search.Gumbel"),
        (search, {"evaluate": 3}, "evaluate must be a function"),
        (Gumbel, {"max_num_considered_actions": 0}, "max_num_considered_actions must be a whole number from 1"),
        (Gumbel, {"gumbel_scale": -1}, "gumbel_scale must be a finite number from 0 up, not -1"),
        (Gumbel, {"value_scale": 0}, "value_scale must be a finite number above 0, not 0"),
        (Puct, {"dirichlet_fraction": 1.5}, "dirichlet_fraction must be a finite number from 0 to 1, not 1.5"),
        (Puct, {"dirichlet_alpha": 0}, "dirichlet_alpha must be a finite number above 0, not 0"),
        (Puct, {"temperature": np.nan}, "temperature must be a finite number from 0 up, not nan"),
    ],
)
def test_settings_that_are_not_valid(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make(**options)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda m, a: (np.zeros((m, a + 1)), np.zeros(m)), "logits of shape (3, 128), not (3, 129)"),
        (lambda m, a: (np.zeros((m, a)), np.zeros(m + 1)), "values of shape (3,) or (3, 2), not (4,)"),
        (lambda m, a: (np.zeros((m, a)), np.full(m, np.nan)), "no finite number"),
        (lambda m, a: (np.full((m, a), np.inf), np.zeros(m)), "no finite number"),
        (lambda m, a: (np.full((m, a), -np.inf), np.zeros(m)), "no finite number"),
        (lambda m, a: np.zeros((m, a)), "two arrays"),
        (lambda m, a: (np.full((m, a), "x"), np.zeros(m)), "logits"),
        (lambda m, a: (np.zeros((m, a), np.complex64), np.zeros(m)), "(complex64 has imaginary parts)"),
        (lambda m, a: (np.zeros((m, a)), np.full(m, 1j)), "values that NumPy reads as"),
    ],
)
def test_answers_that_are_not_valid(answer: Any, message: str) -> None:
    batch = batch_of("checkers-v0", 3)
    with pytest.raises(ValueError, match=re.escape(message)):
        NetworkSearch(lambda observation, mask: answer(*mask.shape), 8).run(batch)


def test_one_value_is_not_enough_for_four_seats() -> None:
    batch = batch_of("crown_and_anchor-v0", 2)
    with pytest.raises(ValueError, match=re.escape("values of shape (2, 4), one value per seat, not (2,)")):
        NetworkSearch(knows_nothing, 8).run(batch)


def test_games_that_are_none() -> None:
    search = NetworkSearch(knows_nothing, 8)
    with pytest.raises(ValueError, match="a search needs a batch"):
        search.run(3)
    batch = parlour.make_batch("checkers-v0", 2, seed=0)
    with pytest.raises(ValueError, match=re.escape("reset() needs to be called")):
        search.run(batch)
    batch.reset()
    with pytest.raises(ValueError, match=re.escape("row_mask must be a bool array of shape (2,)")):
        search.run(batch, np.array([1, 0]))
