"""Threads that share a batch: the same games whatever happens between calls, and nothing left behind."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine import threads as helpers
from parlour.engine.threads import MAX_ROWS_PER_CALL, WorkerPool
from parlour.interfaces.batch import Batch
from parlour.rulebook.compiling import COMPILED
from tests.support.cases import GAMES
from tests.support.games import batch_of

ROOT = Path(__file__).parents[2]
TO_BE_SHARED = helpers._Pace.to_be_shared


@pytest.fixture(autouse=True)
def _help_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """However short a call is, threads take part."""
    monkeypatch.setattr(helpers, "MIN_ROWS_PER_THREAD", 0)
    monkeypatch.setattr(helpers._Pace, "to_be_shared", lambda pace, rows: True)


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
    return batch_of(game, 50, seed=9, threads=threads, **options)


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
    start = one.games.history.shape[1]
    assert digest(one, 200) == digest(two, 200)
    assert two.games.history.shape[1] > start


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


def test_threads_end_with_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    work, begins, ends = helpers._help, SimpleQueue[None](), SimpleQueue[None]()

    def watched(jobs: Any) -> None:
        begins.put(None)
        work(jobs)
        ends.put(None)

    monkeypatch.setattr(helpers, "_help", watched)
    batch = begun("pig-v0", 4)
    digest(batch, 3)
    for _ in range(3):
        begins.get(timeout=60)
    assert begins.empty()
    assert ends.empty()
    del batch
    gc.collect()
    for _ in range(3):
        ends.get(timeout=60)


def test_an_error_in_a_share_is_raised_when_all_have_ended() -> None:
    ended = []

    def share(low: int, high: int) -> int:
        if low <= 3 < high:
            raise KeyError("three")
        ended.extend(range(low, high))
        return low

    pool = WorkerPool(4, 12)
    with pytest.raises(KeyError, match="three"):
        pool.run(share)
    assert 3 not in ended
    found = pool.run(lambda low, high: (low, high))
    assert sorted(row for low, high in found for row in range(low, high)) == list(range(12))


def test_no_call_takes_more_rows_than_half_a_second_allows() -> None:
    for threads in (1, 2):
        pieces = sorted(WorkerPool(threads, 10 * MAX_ROWS_PER_CALL + 1).run(lambda low, high: (low, high)))
        assert [low for low, _ in pieces] == [0, *(high for _, high in pieces[:-1])]
        assert pieces[-1][1] == 10 * MAX_ROWS_PER_CALL + 1
        assert max(high - low for low, high in pieces) <= MAX_ROWS_PER_CALL


@pytest.mark.parametrize(("piece", "parts"), [(0.4, [1, 2, 2, 1, 2, 2, 1]), (0.6, [1, 2, 1, 2, 1, 1, 2])])
def test_a_call_is_shared_while_that_pays(monkeypatch: pytest.MonkeyPatch, piece: float, parts: list[int]) -> None:
    """All rows take a second in one thread, and each of two pieces so many seconds, one after the other. One call of
    three is made the other way."""
    now = [0.0]

    def call(low: int, high: int) -> int:
        now[0] += 1.0 if high - low == 12 else piece
        return high - low

    monkeypatch.setattr(helpers._Pace, "to_be_shared", TO_BE_SHARED)
    monkeypatch.setattr(helpers, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(helpers, "TRY_EVERY", 3)
    monkeypatch.setattr(helpers, "SHARED_FROM", 0.9)
    pool = WorkerPool(2, 12)
    assert [len(pool.whole(call, 12)) for _ in parts] == parts
    monkeypatch.setattr(helpers, "SHARED_FROM", 1.1)
    assert [len(pool.whole(call, 12)) for _ in parts] == [1] * len(parts)


def test_the_mean_time_of_calls() -> None:
    """One that was held up counts little, and the first one, which compiles, not at all after the second."""
    assert helpers.mean_time(0.0, 30.0) == 30.0
    assert helpers.mean_time(30.0, 0.1) == 0.1
    assert helpers.mean_time(0.1, 60.0) == pytest.approx(0.1 + helpers.WEIGHT * 0.1)
    assert helpers.mean_time(0.1, 0.09) == pytest.approx(0.1 - helpers.WEIGHT * 0.01)


@pytest.mark.skipif(not COMPILED, reason="interpreted, an interruption may come in the middle of a ply")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer that interrupts")
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize(
    ("every", "at_random"),
    [pytest.param(17, 300, id="sample"), pytest.param(1, 30_000, id="all", marks=pytest.mark.long)],
)
def test_an_interruption_at_any_moment_hangs_nothing_and_loses_nothing(
    threads: int, every: int, at_random: int
) -> None:
    """At every instruction, or one in so many: see `tests.support.interruptions`."""
    numbers = map(str, (threads, every, threads if every > 1 else 1, at_random))
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.interruptions", *numbers],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    planned, random = map(int, done.stdout.split())
    assert planned > 1000 // every
    assert random > 0


@pytest.mark.skipif(not COMPILED, reason="interpreted, games are played while the interpreter's lock is held")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_refuses_a_second_thread(threads: int) -> None:
    """Never both at the same time, whoever comes first; and each goes on when the other has left."""
    batch = begun("pig-v0", threads)
    refused: list[str] = []
    stepped = [0, 0]

    def use(k: int) -> None:
        while not over.is_set():
            with suppress(parlour.IllegalMove):  # the other one has stepped between the two calls
                try:
                    batch.step(batch.sample_actions().copy())
                    stepped[k] += 1
                except RuntimeError as error:
                    refused.append(str(error))
            if (min(stepped) and refused) or time.monotonic() > end:
                over.set()

    over, end = threading.Event(), time.monotonic() + 60
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        users = [threading.Thread(target=use, args=(k,), name=f"user {k}") for k in range(2)]
        for user in users:
            user.start()
        for user in users:
            user.join()
    finally:
        sys.setswitchinterval(interval)
    assert min(stepped) > 0
    assert refused
    assert all(
        re.match(r"this Batch is in use by the thread 'user [01]': one thread at a time", text) for text in refused
    )
    digest(batch, 5)


def test_a_thread_that_was_kept_from_saying_that_it_left_holds_up_nobody() -> None:
    """An interruption right before or right after a call may keep the mark that the thread is in it."""
    batch = begun("pig-v0", 1)
    batch._users["thread"] = threading.get_ident()
    found: list[Any] = []
    user = threading.Thread(target=lambda: found.append(batch.sample_actions()))
    user.start()
    user.join()
    assert len(found) == 1
    assert not batch._users


def test_what_an_interrupted_reset_leaves_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = begun("pig-v0", 1)
    expected = digest(begun("pig-v0", 1), 5)

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    text = batch.position(0)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("parlour.interfaces.batch.load_positions", interrupted)
        batch.reset(options={"position": text})
    for call in (batch.sample_actions, lambda: batch.step(np.zeros(50, np.int64))):
        with pytest.raises(
            AssertionError, match=r"reset\(\) needs to be called before .*\(The latest call was interrupted"
        ):
            call()
    batch.reset(seed=9)
    assert digest(batch, 5) == expected
