"""Recorded games, as data to learn from: files of records, and archives in a game's own form, such as PDN."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import find
from parlour.learn.datasets.columns import Columns, Config, joined, returns_to_go
from parlour.players.inputs import PLANES, inputs_of, inputs_shape
from parlour.records import read_records, replay
from parlour.support.files import sha256_of

ROW = np.zeros(1, np.int64)


def read_archive(path: Path, inputs: str = PLANES) -> tuple[Config, Columns]:
    """The games of a file, all of one game under the same options. Games without a result are left out; so are games
    that can't be read, with a warning.

    Raises:
        ValueError: names the file and what is wrong, if no game can be used or games differ in their options.
        OSError: for an unreadable file.
    """
    records = read_records(path)
    decided = [
        (number, record) for number, record in enumerate(records, 1) if record.moves and record.result() is not None
    ]
    if not decided:
        raise ValueError(f"{path}: none of its {len(records)} games has a result to learn from")
    first = decided[0][1]
    for number, record in decided:
        if (record.game, record.variant, record.options) != (first.game, first.variant, first.options):
            raise ValueError(f"{path}, game {number}: not of the variant and the options of game {decided[0][0]}")
    game = find(first.game)
    _, values = game.resolve(first.variant, game.overrides_in(first.variant, first.options))
    inputs_shape(inputs, game, game.layout(values))  # ValueError for inputs that the game lacks
    config = Config(game.id, first.variant, values, inputs, len(decided), identity={"file": sha256_of(path)})
    return config, joined(
        [
            _columns(record, number, f"{path}, game {decided[number][0]}", inputs)
            for number, (_, record) in enumerate(decided)
        ]
    )


def _columns(record: GameRecord, number: int, where: str, inputs: str) -> Columns:
    """The plies of a game. ValueError, which says ``where``, if the record contradicts the rules."""
    seen: list[tuple[NDArray[Any], ...]] = []
    chosen, rewards = [], []
    for ply, env in enumerate(replay(record, where)):
        games = env.games
        if ply:
            rewards.append(games.rewards[0].copy())
        if ply < len(record.moves):
            chosen.append(env.parse_move(record.moves[ply]))
            shown = inputs_of(inputs, games, ROW, games.to_act, games.observation)
            seen.append((shown[0].copy(), games.action_mask[0] == 1, games.to_act[0]))
    plies, actions = len(chosen), np.array(chosen, np.int64)
    observation, action_mask, seat = (np.array(column) for column in zip(*seen))
    if record.told():  # most games between people end before the rules end them
        rewards = [np.zeros(len(record.players))] * (plies - 1) + [np.array(record.result())]
    cut_off = bool(games.truncated[0]) and not record.told()
    return Columns(
        observation, action_mask, actions, actions, np.full(plies, np.nan, np.float32),
        returns_to_go(np.array(rewards), seat), seat, np.full(plies, number), np.full(plies, cut_off),
    )  # fmt: skip
