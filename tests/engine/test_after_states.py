"""After-states and turn ends against a plain enumeration by the AEC environment: clone, step, look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine import after_states as engine
from parlour.engine.kernels.stepwise import act_alone
from tests.support.games import batch_of, begun
from tests.support.kernels import call

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "agon": ("agon-v0", {"max_plies": 60}),
    "agon, touched": ("agon-v0", {"touch_move": True, "repetition": 2, "max_plies": 60}),
    "agon, exile": ("agon-v0", {"variant": "classic_exile", "max_plies": 60}),
    "agon, placing": ("agon-v0", {"variant": "bell", "max_plies": 60}),
    "agon, bloody": ("agon-v0", {"variant": "bloody_queen", "max_plies": 60}),
    "swords": ("swords_and_shields-v0", {"repetition": 2, "max_plies": 60}),
    "swords, superko": ("swords_and_shields-v0", {"repetition": 2, "repeats": "forbidden", "max_plies": 60}),
    "acey ducey": ("acey_ducey-v0", {"dog_house_penalty": 0.5, "max_plies": 200}),
    "backgammon": ("acey_ducey-v0", {"variant": "backgammon_discipline", "max_plies": 0}),
    "crown": ("crown_and_anchor-v0", {"players": 3, "rounds": 5, "max_plies": 40}),
    "crown, many bets": (
        "crown_and_anchor-v0",
        {"variant": "many_bets", "max_stake": 2, "start_chips": 3, "rounds": 4},
    ),
    "checkers": ("checkers-v0", {"repetition": 2, "repeats": "loses"}),
    "pig": ("pig-v0", {"players": 4, "max_plies": 50}),
}
OUTCOME = ("chance_due", "to_act", "rewards", "terminated", "truncated")


def positions(case: str, seed: int, every: int) -> Iterator[Any]:
    """One position in ``every`` of a random game, and its end; of the toy, whose games are short, each."""
    game, options = CASES[case]
    every = 1 if game == "pig-v0" else every
    env = begun(game, seed, illegal_move="raise", **options)
    rng = np.random.default_rng(seed)
    ply = seed
    while not env.is_over():
        if ply % every == 0:
            yield env
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        ply += 1
    yield env


def seat_of(env: Any) -> int:
    return env.possible_agents.index(env.agent_selection)


def has_thrown(env: Any, twin: Any) -> bool:
    """Whether the twin has made a throw that the environment has not."""
    return bool(env.games.dice_rng["counter"][0] != twin.games.dice_rng["counter"][0])


def before_throw(env: Any, action: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], int]:
    """What the seat to act sees after an action, by the kernel that stops at each throw; the rewards, and the seat
    for which the throw is made. The ply is counted."""
    games = env.clone().games
    words = np.zeros_like(games.words[0])
    rewards, seat = np.zeros(games.layout.seats), seat_of(env)
    arrays = games.arrays.states, games.arrays.variants, games.history, words.view(np.int8), words
    due, to_act, _ = call(games, act_alone, action, *arrays, rewards)
    assert due > 0
    games.states["plies"] += 1
    return games.observe_seat(0, seat)[0], rewards, to_act


@pytest.mark.parametrize("case", CASES)
def test_after_states_are_what_the_environment_comes_to(case: str) -> None:
    thrown = ended = checked = 0
    for seed in range(2):
        for env in positions(case, seed, 9):
            before, after = env.position(), env.after_states()
            mask = env.observe(env.agent_selection)["action_mask"] if not env.is_over() else np.zeros(1)
            assert after.actions.tolist() == np.flatnonzero(mask).tolist()
            assert not after.row_ids.any()
            seat = seat_of(env)
            for k, action in enumerate(after.actions.tolist()):
                twin = env.clone()
                twin.step(action)
                checked += 1
                assert after.chance_due[k] == has_thrown(env, twin)
                if after.chance_due[k]:
                    thrown += 1
                    observation, rewards, to_act = before_throw(env, action)
                    assert not after.terminated[k] | after.truncated[k]
                else:
                    observation = twin.observe(env.agent_selection)["observation"]
                    rewards, to_act = list(twin.rewards.values()), seat_of(twin)
                    over = bool(after.terminated[k] or after.truncated[k])
                    ended += over
                    assert twin.is_over() == over
                    assert set(twin.terminations.values()) == {bool(after.terminated[k])}
                    assert set(twin.truncations.values()) == {bool(after.truncated[k])}
                assert np.array_equal(after.observation[k], observation), (seat, action)
                assert after.rewards[k].tolist() == np.float32(rewards).tolist()
                assert after.to_act[k] == to_act
            assert env.position() == before
    assert checked >= 10
    assert bool(thrown) == bool(env.game.rules.DICE)
    print(f"{case}: {checked} after-states, {thrown} before a throw, {ended} ends")


def contents(found: Any, k: int) -> tuple[Any, ...]:
    """All that the k-th outcome is told apart by."""
    return (
        found.observation[k].tobytes(),
        *(getattr(found, name)[k].tobytes() for name in OUTCOME[:2]),
        *(getattr(found, name)[k].tobytes() for name in OUTCOME[3:]),
    )


def enumerated(env: Any) -> set[tuple[Any, ...]]:
    """The ends of a turn, each with its rewards, ply by ply by the environment."""
    ends, waiting, known, seat = set(), [(env, np.zeros(len(env.possible_agents)))], set(), seat_of(env)
    while waiting:
        node, rewards = waiting.pop()
        after = node.after_states()
        for k, action in enumerate(after.actions.tolist()):
            paid = rewards + after.rewards[k]
            twin = node.clone()
            twin.step(action)
            over = after.terminated[k] or after.truncated[k] or after.chance_due[k]
            if over or seat_of(twin) != seat or twin.games.states["turn_over"][0]:
                ends.add((*contents(after, k), *np.float32(paid).tolist()))
            elif (twin.position(), *paid) not in known:
                known.add((twin.position(), *paid))
                waiting.append((twin, paid))
    return ends


@pytest.mark.parametrize("case", CASES)
def test_turn_ends_are_those_that_plain_enumeration_finds(case: str) -> None:
    several = checked = 0
    for seed in range(2):
        for env in positions(case, seed, 13):
            before, ends, seat = env.position(), env.turn_ends(), seat_of(env)
            if env.is_over():
                assert ends.actions.shape[0] == 0
                continue
            found = {(*contents(ends, k), *ends.rewards[k].tolist()) for k in range(len(ends.lengths))}
            assert len(found) == len(ends.lengths)
            assert found == enumerated(env)
            assert ends.actions.shape == (len(ends.lengths), ends.lengths.max())
            for k in range(0, len(ends.lengths), 5):
                *earlier, last = ends.actions[k, : ends.lengths[k]].tolist()
                assert (ends.actions[k, ends.lengths[k] :] == -1).all()
                twin = env.clone()
                for action in earlier:
                    twin.step(action)
                    assert seat_of(twin) == seat
                after = twin.after_states()
                place = after.actions.tolist().index(last)
                assert contents(after, place) == contents(ends, k)
                several += len(earlier) > 0
                checked += 1
            assert env.position() == before
    assert checked > 3
    if case in ("agon, touched", "acey ducey", "backgammon", "crown, many bets", "agon, bloody"):
        assert several, "no turn had several plies"


def test_a_jump_in_several_steps_is_one_turn() -> None:
    ends = begun("checkers-v0", position="B:W6,7,14,15,22,23:B2,K32").turn_ends()
    assert ends.lengths.max() >= 2
    assert (ends.to_act == 1).all()


def test_the_two_numbers_of_a_throw_in_either_order_are_one_end() -> None:
    env = begun("acey_ducey-v0", throws=[(6, 5), (3, 4), (6, 5), (6, 5), (1, 1)])
    ends = env.turn_ends()
    ways = [len(env.after_states().actions), len(ends.lengths)]
    assert ways == [2, 1]
    assert ends.lengths.tolist() == [2]


MIXES = [
    ("agon-v0", ["classic", "ring", "bloody_queen"]), ("acey_ducey-v0", ["parker", "plain_dice"]),
    ("checkers-v0", ["american", "openspiel"]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "variants"), MIXES, ids=[game for game, _ in MIXES])
def test_a_batch_looks_ahead_as_its_rows_environments_do(game: str, variants: list[str]) -> None:
    """Of several variants, in any order of rows; the planes that tell the variant are as the batch shows them."""
    batch = batch_of(game, 24, plies=30, variant=variants, variant_planes="variant", seed=1)
    order = np.random.default_rng(0).permutation(24)[:15]
    after, ends = batch.after_states(order), batch.turn_ends(order.tolist())
    assert after.row_ids[np.sort(np.unique(after.row_ids, return_index=True)[1])].tolist() == order.tolist()
    for row in order.tolist():
        env = begun(game, variant=variants[batch.games.variant_index[row]], position=batch.position(row))
        for found, single in ((after, env.after_states()), (ends, env.turn_ends())):
            mine = np.flatnonzero(found.row_ids == row)
            own = single.observation.shape[1]
            assert found.observation.shape[1] == own + len(variants)
            assert np.array_equal(found.observation[mine][:, :own], single.observation)
            assert (found.observation[mine][:, own:] == batch.games.observation[row, own:]).all()
            for name in (*OUTCOME, "actions"):
                whole, part = getattr(found, name)[mine], getattr(single, name)
                if name == "actions" and part.ndim == 2:
                    whole = whole[:, : part.shape[1]]
                assert np.array_equal(whole, part), name


@pytest.mark.parametrize("game", ["acey_ducey-v0", "checkers-v0"])
def test_nothing_is_changed_whatever_the_threads(game: str) -> None:
    found = []
    for threads in (1, 2):
        batch = batch_of(game, 200, plies=25, seed=2, threads=threads)
        names = ("states", "history", "dice_rng", "player_rng", "masks", "planes", "rewards")
        watched = [getattr(batch.games, name) for name in names]
        kept = [array.tobytes() for array in watched]
        found += [batch.after_states(), batch.turn_ends()]
        assert [array.tobytes() for array in watched] == kept
    for one, two in zip(found[:2], found[2:]):
        assert all(np.array_equal(a, b) for a, b in zip(one, two))


def test_turns_are_put_together_from_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not all turns fit into the room at once, nor even one."""
    batch = batch_of("acey_ducey-v0", 40, plies=70, seed=3)
    whole = batch.turn_ends()
    monkeypatch.setattr(engine, "FIRST_POSITIONS", 4)
    assert all(np.array_equal(a, b) for a, b in zip(whole, batch.turn_ends()))
    monkeypatch.setattr(engine, "MAX_POSITIONS", 16)
    with pytest.raises(ValueError, match="has more than 16 positions"):
        batch.turn_ends()


def test_rows_that_are_over_have_none() -> None:
    batch = batch_of("checkers-v0", 2, seed=0, max_plies=1, autoreset="disabled")
    after = batch.after_states([0])
    assert after.truncated.all()
    assert not after.terminated.any()
    batch.step(batch.sample_actions())
    for found in (batch.after_states(), batch.turn_ends(), batch.after_states([]), batch.turn_ends([])):
        assert len(found.row_ids) == 0
        assert found.observation.shape == (0, *batch.games.layout.shape)
    env = begun("checkers-v0")
    env.step(0)  # illegal: the end
    assert len(env.after_states().actions) == 0


def test_what_is_refused() -> None:
    batch = parlour.make_batch("pig-v0", 4, seed=0)
    for ask in (batch.after_states, batch.turn_ends):
        with pytest.raises(AssertionError, match="reset"):
            ask()
    batch.reset()
    for ask in (batch.after_states, batch.turn_ends):
        for rows, named in (([4], "no game 4"), ([-1], "no game -1"), ([1, 1], "at most once"), ([0.5], "row_ids")):
            with pytest.raises(ValueError, match=named):
                ask(rows)
