"""Threads that share a batch: the same games whatever happens between calls, and nothing left behind."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import threading
import time
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.batch import Batch
from parlour.engine.spin import ASLEEP, IDLE, STEP
from parlour.engine.threads import Crew
from parlour.rulebook.compiling import COMPILED
from tests.support.cases import GAMES


def digest(batch: Batch, steps: int, pause: float = 0.0) -> list[bytes]:
    """What is seen of so many steps, with a pause now and then, long enough for helpers to go to sleep."""
    seen = []
    for step in range(steps):
        if pause and step % 7 == 0:
            time.sleep(pause)
        obs, rewards, terminations, truncations, infos = batch.step(batch.sample_actions())
        arrays = (*obs.values(), rewards, terminations, truncations, infos["to_act"])
        seen.append(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))
    return seen


def begun(game: str, threads: int, **options: Any) -> Batch:
    batch = parlour.make_batch(game, 50, seed=9, threads=threads, **options)
    batch.reset()
    return batch


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_helpers_asleep_or_awake_play_the_same(game: str, pause: float) -> None:
    assert digest(begun(game, 1), 60) == digest(begun(game, 2), 60, pause) == digest(begun(game, 4), 60, pause)


def test_two_batches_in_turn_and_at_the_same_time() -> None:
    expected = digest(begun("swords_and_shields-v0", 1), 80)
    first, second = begun("swords_and_shields-v0", 2), begun("swords_and_shields-v0", 3)
    seen: tuple[list[bytes], list[bytes]] = ([], [])
    for _ in range(80):
        for batch, into in zip((first, second), seen):
            into += digest(batch, 1)
    assert seen[0] == seen[1] == expected
    results: dict[int, list[bytes]] = {}
    batches = [begun("swords_and_shields-v0", 2) for _ in range(3)]
    users = [
        threading.Thread(target=lambda k=k, batch=batch: results.update({k: digest(batch, 80)}))
        for k, batch in enumerate(batches)
    ]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert [results[k] for k in range(3)] == [expected] * 3


def test_when_the_history_is_replaced_by_a_larger_one() -> None:
    """No captures and no draws: rows see more positions than the first history has room for."""
    options = {"repetition": 10**6, "max_plies": 0, "escape": "corner"}
    one, two = begun("swords_and_shields-v0", 1, **options), begun("swords_and_shields-v0", 2, **options)
    start = one.table.history.shape[1]
    assert digest(one, 200) == digest(two, 200)
    assert two.table.history.shape[1] > start


def test_an_illegal_action_in_any_share_is_found_first() -> None:
    batch = begun("swords_and_shields-v0", 4)
    digest(batch, 5)
    before = [batch.position(i) for i in range(50)]
    for rows in ([0], [49], [13, 40], [25, 26]):
        actions = batch.sample_actions().copy()
        actions[rows] = -1
        with pytest.raises(parlour.IllegalMove, match=f"^game {rows[0]}:"):
            batch.step(actions)
        assert [batch.position(i) for i in range(50)] == before


def test_copies_have_threads_of_their_own() -> None:
    batch = begun("pig-v0", 2)
    digest(batch, 5)
    twins = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    expected = digest(batch, 40)
    for twin in twins:
        assert digest(twin, 40) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_after_a_fork_the_child_has_threads_of_its_own() -> None:
    batch = begun("swords_and_shields-v0", 2)
    digest(batch, 5)
    time.sleep(0.05)  # helpers asleep: no lock is held
    expected = digest(copy.deepcopy(batch), 30)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, b"same" if digest(batch, 30) == expected else b"other")
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 10) == b"same"
    assert os.waitpid(child, 0)[1] == 0
    assert digest(batch, 30) == expected


def test_threads_end_with_the_batch() -> None:
    before = set(threading.enumerate())
    batch = begun("pig-v0", 4)
    digest(batch, 3)
    helpers = set(threading.enumerate()) - before
    assert len(helpers) == 3
    del batch
    gc.collect()
    for helper in helpers:
        helper.join(timeout=10)
        assert not helper.is_alive()


def test_an_error_in_a_share_is_raised_when_all_have_ended() -> None:
    ended = []

    def share(low: int, high: int) -> int:
        if low == 3:
            raise KeyError("three")
        ended.append(low)
        return low

    crew = Crew(4, 12)
    with pytest.raises(KeyError, match="three"):
        crew.run(share)
    assert sorted(ended) == [0, 6, 9]
    assert crew.run(lambda low, high: (low, high)) == [(0, 3), (3, 6), (6, 9), (9, 12)]


@pytest.mark.skipif(not COMPILED, reason="helpers stand by inside compiled code alone")
def test_an_interruption_leaves_no_helper_at_work() -> None:
    """Ctrl-C in the calling thread's own share: the helpers finish or leave off, and the batch can be begun anew."""
    batch = begun("swords_and_shields-v0", 3)
    digest(batch, 5)
    expected = digest(begun("swords_and_shields-v0", 1), 30)
    crew = batch.table._crew

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    for _ in range(3):
        actions = batch.sample_actions()
        desk = batch.table._desk
        assert desk is not None
        desk.actions[:] = actions
        with pytest.raises(KeyboardInterrupt):
            batch.table._relay(desk, STEP, interrupted, actions)
        assert set(crew._posts.tolist()) <= {ASLEEP, IDLE}
    batch.reset(seed=9)
    assert digest(batch, 30) == expected
