"""A check of compiled rules against the same rules as plain Python (``NUMBA_DISABLE_JIT=1``), in a child process."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from itertools import zip_longest

import numpy as np

from parlour.aec import GameEnv
from parlour.players import Greedy
from parlour.registry import find, register
from parlour.rulebook.compiling import COMPILED
from parlour.testing.comparing import require
from parlour.testing.subject import Subject, random_action

SEEDS, PLIES, GREEDY_EVERY = (0, 1), 40, 10
CHILD = "import sys; from parlour.testing.interpreted import main; main(*sys.argv[1:])"


def check_interpreted(subject: Subject) -> None:
    """The rules give the same results without compilation, where arithmetic follows NumPy's types."""
    if not COMPILED:
        return  # this process runs the plain rules itself
    expected = list(transcript(subject))
    subject.watch(None)
    child = subprocess.run(
        [sys.executable, "-c", CHILD, subject.game.package, subject.variant],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = child.stdout.splitlines()
    for interpreted, compiled in zip_longest(lines, expected):
        if interpreted is None and child.returncode:
            message = child.stderr.strip().splitlines()[-1:]
            raise AssertionError(f"uncompiled, the game fails after {lines[-1:]}: {''.join(message)}")
        require(interpreted == compiled, f"uncompiled: {interpreted!r}\n  compiled:   {compiled!r}")


def transcript(subject: Subject) -> Iterator[str]:
    """A line for each position of some random games, with all results of the kernels."""
    env = subject.make(max_plies=PLIES)
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        env.games.score_plies()
        while True:
            yield f"seed {seed}: {env.position()} | {_seen(env)}"
            if env.is_over():
                break
            if env.games.states["plies"][0] % GREEDY_EVERY == 0:
                yield f"  greedy plays {env.move_name(env.ask(Greedy()))}"
            env.step(random_action(env, rng))


def _seen(env: GameEnv) -> str:
    """Legal moves, dice, rewards, observations, inputs of networks and potentials of all seats, and the events of the
    latest ply, as text."""
    planes = [zlib.crc32(env.observe(agent)["observation"].tobytes()) for agent in env.possible_agents]
    potentials = [round(float(env.games.potential_one(seat)), 6) for seat in range(len(env.possible_agents))]
    events = env.games.events_of_ply.tolist() if env.games.events_of_ply is not None else []
    return (
        f"moves {' '.join(env.legal_moves())} | dice {env.dice} | rewards {list(env.rewards.values())} | "
        f"planes {planes} | numbers {_numbers(env)} | potentials {potentials} | events {events}"
    )


def _numbers(env: GameEnv) -> list[int]:
    """A checksum per seat of the game's own input numbers for value networks, if it has any."""
    evaluation, checksums = env.games.game.evaluation, []
    if hasattr(evaluation, "features"):
        numbers = np.zeros(sum(feature.count for feature in evaluation.FEATURES), np.int8)
        for seat in range(len(env.possible_agents)):
            evaluation.features(env.games.states[0], env.games.variants[0], seat, numbers)
            checksums.append(zlib.crc32(numbers.tobytes()))
    return checksums


def main(package: str, variant: str) -> None:
    """Prints the `transcript` of a game. The child process runs this function."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    game = register(package)
    for line in transcript(Subject(find(game.id), variant)):
        print(line)
