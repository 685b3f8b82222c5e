"""Games played to be recorded, and records played again, which verifies them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any

import msgspec
import numpy as np

from parlour.engine.player import Player
from parlour.engine.seeds import seed_words, stream_starts
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import VERSION, GameRecord, ThoughtEntries
from parlour.interfaces.registry import find
from parlour.players.people.advice import Thought, think
from parlour.support.typed_json import Struct

WHOLE_TURN = re.compile(r"[\s,(]|(?<![^\W_])[^\W_]+\*?(?:[-x/:][^\W_]+\*?){2}")
"""What can be a turn of several plies: parts with something between them, or more than two places."""


def record_game(env: GameEnv, players: Sequence[Player], seed: int, thoughts: bool = False) -> GameRecord:
    """Plays one game of ``env`` from ``seed`` to its end, ``players[p]`` in seat p: the game that
    `parlour.players.simulate.play_games` plays for that seed. ``thoughts``: whether the players' analyses are recorded;
    they then think twice as long."""
    env.reset(seed=seed)
    moves: list[str] = []
    thought: list[ThoughtEntries | None] = []
    returns = np.zeros(len(players))
    while not env.is_over():
        seat = env.possible_agents.index(env.agent_selection)
        if thoughts:
            thought.append(thought_entries(think(env, players[seat])))
        action = env.ask(players[seat])
        moves.append(env.move_name(action))
        env.step(action)
        returns += list(env.rewards.values())
    return GameRecord(
        env.game.id, VERSION, env.variant, env.values, seed, [player.name for player in players], moves,
        returns.tolist(), env.games.ending(0), thoughts=thought if thoughts else None,
    )  # fmt: skip


def thought_entries(thought: Thought | None) -> ThoughtEntries | None:
    """An analysis in the form of a record: ``moves``, pairs of a name and its probability; ``value``, the expected
    result of the seat to act, or null; ``line``, the names of the expected moves."""
    if thought is None:
        return None
    return {"moves": [list(move) for move in thought.moves], "value": thought.value, "line": list(thought.line)}


class _Thought(Struct, frozen=True):
    moves: tuple[tuple[str, Annotated[float, msgspec.Meta(ge=0, le=1)]], ...]
    value: float | None
    line: tuple[str, ...]


def read_thought(entries: object, legal: Sequence[str]) -> Thought | None:
    """The opposite of `thought_entries`, for a position with these legal moves. ValueError for anything else."""
    if entries is None:
        return None
    try:
        thought = msgspec.convert(entries, _Thought)
    except msgspec.ValidationError as error:
        raise ValueError(f"a thought is an object with moves, value and line: {error}") from None
    if not all(name in legal for name, _ in thought.moves):
        raise ValueError("the moves of a thought are pairs of a legal move and a number from 0 to 1")
    return Thought(thought.moves, thought.value, thought.line)


def _check_thought(record: GameRecord, ply: int, env: GameEnv, where: str) -> None:
    """ValueError for a recorded thought of the player of the next ply that does not fit the position."""
    try:
        if record.thoughts and ply < len(record.moves):
            read_thought(record.thoughts[ply], env.legal_moves())
    except ValueError as error:
        raise ValueError(f"{where}, ply {ply + 1}: {error}") from None


def with_thoughts(record: GameRecord, thought_at: Callable[[GameEnv], Thought | None], where: str) -> GameRecord:
    """The record with what ``thought_at`` says before each ply, else what was recorded. ValueError as in `replay`."""
    thoughts = [*(record.thoughts or [None] * len(record.moves))]
    for ply, env in enumerate(replay(record, where)):
        if ply < len(record.moves):
            thoughts[ply] = thought_entries(thought_at(env)) or thoughts[ply]
    return dataclasses.replace(record, thoughts=thoughts)


def replay(record: GameRecord, where: str) -> Iterator[GameEnv]:
    """The environment before the first ply and after each, the same object every time.

    Raises ValueError, which says ``where`` and at which ply, if the record contradicts the rules.
    """
    try:
        env = _begun(record)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    missing = [name for name in env.values if name not in record.options]
    if missing and record.parlour == VERSION:  # an option that is newer than the record has the variant's value
        raise ValueError(f"{where}: the option {missing[0]!r} is missing; a record has the value of every option")
    if record.game != env.game.id:
        raise ValueError(f"{where}: {record.game!r:.80} is no game's id; this one's is {env.game.id!r}")
    if len(record.players) != len(env.possible_agents):
        raise ValueError(f"{where}: {len(record.players)} players; {record.game} has {len(env.possible_agents)} seats")
    for ply in record.comments:
        if not 0 <= ply <= len(record.moves):
            raise ValueError(f"{where}: a comment behind ply {ply}; the game has {len(record.moves)}")
    if record.thoughts and len(record.thoughts) != len(record.moves):
        raise ValueError(f"{where}: {len(record.thoughts)} thoughts of players for {len(record.moves)} plies")
    returns = np.zeros(len(env.possible_agents))
    undrawn = _undrawn(env, record)
    _check_thought(record, 0, env, where)
    yield env
    for ply, move in enumerate(record.moves, 1):
        if env.is_over():
            raise ValueError(f"{where}, ply {ply}: {move!r} comes after the end ({env.games.ending(0)})")
        try:
            env.step(env.parse_move(move))
        except ValueError as error:
            raise ValueError(f"{where}, ply {ply}: {error}") from None
        returns += list(env.rewards.values())
        _check_thought(record, ply, env, where)
        yield env
    if env.games.ending(0) != record.end or returns.tolist() != record.returns:
        raise ValueError(
            f"{where}: says it ended {record.end!r:.80} with returns {record.returns!r:.200}, but played again it ends "
            f"{env.games.ending(0)!r} with {returns.tolist()}"
        )
    if record.dice is not None:
        used = int(env.games.dice_rng["forced_used"][0])
        if used != len(record.dice) or env.games.dice_rng["counter"][0] != undrawn:
            more = "fewer" if used < len(record.dice) else "more or other"
            raise ValueError(f"{where}: has {len(record.dice)} throws of dice, but played again the game needs {more}")


def in_plies(record: GameRecord) -> GameRecord:
    """The record with plies in place of moves that are whole turns, as books write them: ``8/5 6/5``, ``26x17x10``. As
    it stands if there are none, or if it can't be played: `replay` says why."""
    if not any(WHOLE_TURN.search(move) for move in record.moves):
        return record
    names: list[str] = []
    try:
        env = _begun(record)
        for move in record.moves:
            for action in _plies(env, move):
                names.append(env.move_name(action))
                env.step(action)
    except ValueError:
        return record
    return dataclasses.replace(record, moves=names)


def _plies(env: GameEnv, move: str) -> list[int]:
    """The plies of a move of a record. ValueError if it is none."""
    try:
        return [env.parse_move(move)]
    except ValueError:
        return env.parse_turn(move)


def _begun(record: GameRecord) -> GameEnv:
    """An environment at the game's beginning. ValueError for rules or a start that are not valid or not known."""
    game = find(record.game)
    env = GameEnv(game, record.variant, game.overrides_in(record.variant, record.options), None, "raise")
    if record.seed is None and record.dice is None and game.rules.DICE:
        raise ValueError("a game with dice is played again from its 'seed' or its 'dice'; both are missing")
    env.reset(seed=record.seed or 0, options={"position": record.position or None, "dice": record.dice})
    return env


def _undrawn(env: GameEnv, record: GameRecord) -> Any:
    """Where the stream for dice stands, just after `_begun`, if nothing that the game needed was drawn from it."""
    if record.position:
        return env.games.dice_rng["counter"][0]
    return stream_starts(seed_words([record.seed or 0]))[0, 0]
