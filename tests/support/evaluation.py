"""What a game's evaluation says: what `greedy` plays, the events of a ply, and what networks see."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.players import parse_player
from tests.support.texts import play


def greedy_moves(env: Any, player: str = "greedy") -> set[str]:
    """What greedy, or another player that looks a ply ahead, plays, whatever its ties are broken by."""
    twins = [env.clone(seed=seed) for seed in range(40)]
    return {twin.move_name(twin.ask(parse_player(player, env.game))) for twin in twins}


def happened(env: Any, move: str) -> dict[str, int]:
    """The events of a ply."""
    before, names = env.games.states.copy(), env.game.evaluation.EVENTS
    counts = np.zeros((1, len(names)), np.int64)
    play(env, move).games.events(before, counts)
    return {name: int(count) for name, count in zip(names, counts[0]) if count}


def features(env: Any, seat: int = 0) -> dict[str, list[int]]:
    """What a network sees as ``seat``, by meaning."""
    evaluation, found, first = env.game.evaluation, {}, 0
    count, untouched = sum(feature.count for feature in evaluation.FEATURES), 99
    numbers = np.full(count + 16, untouched, np.int8)
    evaluation.features(env.games.states[0], env.games.variants[0], seat, numbers)
    assert (numbers[count:] == untouched).all()
    for feature in evaluation.FEATURES:
        found[feature.meaning] = numbers[first : first + feature.count].tolist()
        first += feature.count
        assert max(found[feature.meaning]) <= feature.high
        assert min(found[feature.meaning]) >= 0
    return found


def starting(found: dict[str, list[int]], words: str) -> list[int]:
    """The one of the features whose meaning starts so."""
    (numbers,) = (numbers for meaning, numbers in found.items() if meaning.startswith(words))
    return numbers
