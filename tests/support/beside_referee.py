"""A plain referee of `tests/reference` and the kernels side by side, ply by ply; and ways to choose plies that lead to
what is rare."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from parlour.interfaces.aec import GameEnv
from parlour.players import parse_player
from tests.support.games import begun

Choose = Callable[[random.Random, GameEnv, list[str]], str]
"""Chooses one of the legal moves by random numbers and an environment."""


def same_text(env: GameEnv, referee: Any) -> None:
    """Both have the same position, as text."""
    assert env.position() == referee.text()


def side_by_side(
    env: GameEnv,
    referee: Any,
    choose: Choose,
    rng: random.Random,
    same: Callable[[GameEnv, Any], None] = same_text,
    ends: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Plays one game in both to its end; yields each move after it. Legal moves, the seat to act, rewards, the end, and
    what ``same`` compares are alike at every ply. ``ends``: the referee's words for ends, where they differ."""
    same(env, referee)
    while not referee.end:
        legal = env.legal_moves()
        assert sorted(legal) == referee.legal(), env.position()
        assert env.agent_selection == f"player_{referee.seat}", env.position()
        move = choose(rng, env, legal)
        env.step(env.parse_move(move))
        referee.play(move)
        same(env, referee)
        assert tuple(env.rewards.values()) == tuple(referee.rewards), f"after {move}: {env.position()}"
        yield move
    over = referee.end == "max_plies"
    assert env.games.ending(0) == (ends or {}).get(referee.end, referee.end)
    assert set(env.truncations.values()) == {over}
    assert set(env.terminations.values()) == {not over}
    assert env.legal_moves() == referee.legal() == []


def with_throws(
    game: str, referee: Callable[..., Any], throws: list[Any], seed: int, options: dict[str, Any]
) -> tuple[GameEnv, Any]:
    """A game with dice in both, with the same throws to come."""
    env, fed = begun(game, seed, throws=throws, illegal_move="raise", **options), iter(throws)
    return env, referee(throw=lambda dice: next(fed), **options)


def is_forbidden(referee: Any) -> bool:
    """Whether a ply that the rules allow is not legal here, since it would repeat a position."""
    free = referee.copy()
    free.repeats = "draw"
    return bool(free.legal() != referee.legal())


# --- ways to choose ---


def at_random(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Any ply."""
    return rng.choice(legal)


def greedily(share: float) -> Choose:
    """The greedy player's ply, in ``share`` of all plies: it wins and captures where it can."""

    def choose(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
        if rng.random() < 1 - share:
            return rng.choice(legal)
        return env.move_name(env.ask(parse_player("greedy")))

    return choose


def preferring(key: Callable[[str], int], share: float) -> Choose:
    """The ply of which ``key`` is lowest, in ``share`` of all plies."""
    return lambda rng, env, legal: min(legal, key=key) if rng.random() < share else rng.choice(legal)


def taking_back(share: float) -> Choose:
    """Mostly, in ``share`` of all plies, takes back the own step before, so that positions come again."""

    def choose(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
        steps = env.metadata.setdefault("last steps", {})
        source, _, target = steps.get(env.agent_selection, "").partition("-")
        back = f"{target}-{source}"
        move = back if back in legal and rng.random() < share else rng.choice(legal)
        if "-" in move:
            steps[env.agent_selection] = move
        return move

    return choose
