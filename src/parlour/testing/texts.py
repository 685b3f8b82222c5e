"""Checks of position texts and of copies: a game continues from them exactly as without them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np

from parlour.interfaces.aec import GameEnv
from parlour.testing.comparing import require, require_same, require_same_view
from parlour.testing.subject import Subject, random_action

FEW_PLIES = 60
GARBLED = 400
"""The number of garbled texts that are tried."""


def check_texts(subject: Subject) -> None:
    """The text of every position can be read back, and the game continues from it with the same plies, dice and
    ending."""
    other = subject.make(max_plies=FEW_PLIES)
    for seed in range(subject.games):
        for env in subject.play(seed, max_plies=FEW_PLIES):
            text = env.position()
            other.reset(seed=0, options={"position": text})
            _require_alike("read back from its text", other, env)
            if env.is_over():
                break
            twin = env.clone()
            other.games.dice_rng[:] = twin.games.dice_rng
            action = random_action(env, np.random.default_rng(seed))
            for each in (twin, other):
                each.step(action)
            _require_alike(f"a ply ({env.move_name(action)}) after its text was read", other, twin)
        if env.is_over():
            zeros = dict.fromkeys(env.agents, 0.0)
            require_same("the rewards of a game that was over when it was read", other.rewards, zeros)


def _require_alike(what: str, actual: GameEnv, expected: GameEnv) -> None:
    require_same(f"the position {what}", actual.position(), expected.position())
    require_same(f"the seat to act {what}", actual.agent_selection, expected.agent_selection)
    for name in ("terminations", "truncations"):
        require_same(f"{name} {what}", getattr(actual, name), getattr(expected, name))
    for agent in expected.possible_agents:
        require_same_view(f"what {agent} sees {what}", expected, actual.observe(agent), expected.observe(agent))


def check_garbled_texts(subject: Subject) -> None:
    """A text with letters changed, added or removed is refused with a ValueError, or it is a valid position whose text
    is read back as the same position."""
    texts = [env.position() for seed in range(3) for env in subject.play(seed, FEW_PLIES)]
    letters = sorted(set("".join(texts)) | set("=/, xé9"))
    rng = np.random.default_rng(0)
    env = subject.make()
    subject.watch(env)
    env.reset(seed=0)
    for _ in range(GARBLED):
        text = _garble(str(rng.choice(texts)), letters, rng)
        before = env.position()
        try:
            env.reset(options={"position": text})
        except ValueError as error:
            require(
                str(error).startswith("position "), f"the error for {text!r} does not begin with 'position': {error}"
            )
            require_same(f"the position after {text!r} was refused", env.position(), before)
            continue
        except Exception as error:
            raise AssertionError(f"the text {text!r} raises {type(error).__name__}: {error}") from error
        again = env.position()
        env.reset(options={"position": again})
        require_same(f"the text of what {text!r} was read as", env.position(), again)
        require(env.is_over() or env.legal_moves(), f"{text!r} is read as a running game without a legal action")


def _garble(text: str, letters: list[str], rng: np.random.Generator) -> str:
    """The text without one of its words, or with some letters changed, added or removed."""
    if rng.random() < 0.2:
        words = text.split(" ")
        words.pop(int(rng.integers(len(words))))
        return " ".join(words)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(len(text) + 1))
        text = text[:at] + str(rng.choice(letters)) + text[at + int(rng.integers(4)) :]
    return text


def check_copies(subject: Subject) -> None:
    """Clones, deep copies and pickles continue in the same way, with the same dice, and do not affect each other."""
    for seed in range(min(subject.games, 3)):
        *_, env = subject.play(seed, plies=2 + 5 * seed)
        before, expected = env.position(), _future(env.clone())
        for kind, twin in (
            ("clone()", env.clone()),
            ("deepcopy", copy.deepcopy(env)),
            ("pickle", pickle.loads(pickle.dumps(env))),
        ):
            require_same(f"the position of a copy by {kind}", twin.position(), before)
            require_same(f"the game played on in a copy by {kind}", _future(twin), expected)
        require_same("the position after its copies were played on", env.position(), before)
        require_same("the game after its copies were played on", _future(env), expected)


def _future(env: GameEnv) -> list[Any]:
    rng, seen = np.random.default_rng(1), list[Any]()
    while len(seen) < FEW_PLIES and not env.is_over():
        env.step(random_action(env, rng))
        views = [part.tobytes() for agent in env.agents for part in env.observe(agent).values()]
        seen.append((env.position(), env.dice, tuple(env.rewards.values()), hash(tuple(views))))
    return seen
