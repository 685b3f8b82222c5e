"""Pickles written by version 0.2.0, when some classes lay in other modules, are still read."""

from __future__ import annotations

import gzip
import importlib
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
import parlour.players.network_player
import parlour.players.search
import parlour.records
from parlour.players import Player

PICKLES = Path(__file__).parents[1] / "golden" / "pickles"


def read(name: str) -> Any:
    return pickle.loads(gzip.decompress((PICKLES / f"{name}.pickle.gz").read_bytes()))


def test_an_environment_goes_on_with_its_dice_and_its_record() -> None:
    env, record = read("env"), read("record")
    assert isinstance(env, parlour.GameEnv)
    assert isinstance(record, parlour.GameRecord)
    assert (record.parlour, record.tags, record.comments, record.result()) == ("0.2.0", {}, {}, None)
    assert env.record() == replace(record, parlour=parlour.__version__)
    same = parlour.make("acey_ducey-v0")
    same.reset(seed=3)
    for move in record.moves:
        same.step(same.parse_move(move))
    for _ in range(30):
        assert (env.position(), env.legal_moves(), env.dice) == (same.position(), same.legal_moves(), same.dice)
        for one in (env, same):
            one.step(one.parse_move(one.legal_moves()[-1]))


def test_a_batch_goes_on_as_it_would_have() -> None:
    batch = read("batch")
    assert isinstance(batch, parlour.Batch)
    same = parlour.make_batch("agon-v0", 2, seed=1, variant=["classic", "ring"])
    same.reset()
    same.step(same.sample_actions())
    for _ in range(20):
        actions = same.sample_actions()
        np.testing.assert_array_equal(batch.sample_actions(), actions)
        np.testing.assert_array_equal(batch.step(actions)[0]["observation"], same.step(actions)[0]["observation"])


def test_a_wrapper_with_its_environment() -> None:
    wrapped = read("wrapped")
    wrapped.step(int(wrapped.observe(wrapped.agent_selection)["action_mask"].argmax()))
    assert len(wrapped.unwrapped.record().moves) == 2


@pytest.mark.parametrize("k", range(5))
def test_players_still_choose(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PICKLES.parents[2])  # a pickled champion names its file
    env = parlour.make("agon-v0", variant="ring")
    env.reset(seed=5)
    player: Player = read("players")[k]
    assert env.move_name(env.ask(player)) in env.legal_moves()


def test_old_module_names_are_other_names_of_todays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of modules in a package that has moved; each says where it is now."""
    for old in [name for name in sys.modules if name.startswith(("parlour.aec", "parlour.replays", "parlour.search"))]:
        monkeypatch.delitem(sys.modules, old)
    with pytest.warns(DeprecationWarning, match="the old name works until") as warned:
        old_names = [
            importlib.import_module(name)
            for name in ("parlour.aec", "parlour.replays", "parlour.search.network_player", "parlour.search.mcts")
        ]
    said = [str(one.message) for one in warned]
    assert "parlour.search.mcts is parlour.players.search.mcts now; the old name works until 0.4" in said
    aec, replays, network_player, mcts = old_names
    assert aec.GameEnv is parlour.GameEnv
    assert replays.replay_page is parlour.records.replay_page
    assert network_player.NetworkPlayer is parlour.players.network_player.NetworkPlayer
    assert mcts.Mcts is parlour.players.search.Mcts
