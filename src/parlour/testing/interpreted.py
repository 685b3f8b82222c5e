"""A check of compiled rules against the same rules as plain Python (``NUMBA_DISABLE_JIT=1``), in a child process."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from itertools import zip_longest

import numpy as np

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find, register
from parlour.players import parse_player
from parlour.rulebook.compiling import COMPILED
from parlour.support.uncompiled import run_uncompiled
from parlour.testing.comparing import require
from parlour.testing.shortcuts import check_shortcuts
from parlour.testing.subject import Subject, random_action

FAILS = "uncompiled, the game fails"
"""Begins the failure of a game whose plain rules raise an exception."""
SEEDS, PLIES, PLAYERS_EVERY, PLAYERS = (0, 1), 40, 10, ("greedy", "expectimax:1")


def check_interpreted(subject: Subject) -> None:
    """The rules give the same results without compilation, where arithmetic follows NumPy's types."""
    if not COMPILED:
        return  # this process runs the plain rules itself
    subject.watch(None)
    printed, problem = run_uncompiled(__name__, subject.game.package, subject.variant)
    lines = printed.splitlines()
    if problem:  # before the compiled rules are called: outside an array they crash, or write over other memory
        raise AssertionError(f"{FAILS} after {lines[-1:]}: {problem}")
    expected = list(transcript(subject))
    subject.watch(None)
    for interpreted, compiled in zip_longest(lines, expected):
        require(interpreted == compiled, f"uncompiled: {interpreted!r}\n  compiled:   {compiled!r}")


def transcript(subject: Subject) -> Iterator[str]:
    """A line for each position of some random games, with all results of the kernels."""
    env = subject.make(max_plies=PLIES)
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        subject.watch(env, seed)
        env.reset(seed=seed)
        counts = np.zeros((1, len(env.game.evaluation.EVENTS)), np.int64)
        while True:
            yield f"seed {seed}: {env.position()} | {_seen(env)} | events {counts[0].tolist()}"
            if env.is_over():
                break
            if env.games.states["plies"][0] % PLAYERS_EVERY == 0:
                for name in PLAYERS:
                    yield f"  {name} plays {env.move_name(env.ask(parse_player(name, subject.game)))}"
            before = env.games.states.copy()
            env.step(random_action(env, rng))
            env.games.events(before, counts)


def _seen(env: GameEnv) -> str:
    """Legal moves, dice, rewards, all seats' observations, inputs and potentials, as text."""
    planes = [zlib.crc32(env.observe(agent)["observation"].tobytes()) for agent in env.possible_agents]
    potentials = [round(float(env.games.potential_one(seat)), 6) for seat in range(len(env.possible_agents))]
    return (
        f"moves {' '.join(env.legal_moves())} | dice {env.dice} | rewards {list(env.rewards.values())} | "
        f"planes {planes} | numbers {_numbers(env)} | potentials {potentials}"
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
    """Prints the `transcript` of a game, whose lists of actions it checks first. The child process runs this
    function."""
    game = register(package)
    subject = Subject(find(game.id), variant)
    try:
        check_shortcuts(subject)
        for line in transcript(subject):
            print(line)
    except Exception as error:  # any exception of the game's own code
        failure = subject.failure("interpreted", error)
        sys.exit(": ".join(filter(None, [failure.place, failure.problem])))
