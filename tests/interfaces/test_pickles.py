"""Pickles written by version 0.3.0, which kept the fields of states in another order, are still read; those of a game
whose records have changed since are refused."""

from __future__ import annotations

import gzip
import importlib.util
import pickle
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
import parlour.arena
from parlour.arena.study.atlas_plan import AtlasPlan
from parlour.interfaces.registry import find
from parlour.players import Player, parse_player
from parlour.rulebook.options import always
from parlour.rulebook.protocol import Plane
from parlour.rulebook.state_records import placed_as
from parlour.support.renamed import RENAMED
from parlour.text import TextBatch
from parlour.wrappers import BatchEventReward, BothSeatsRollout, SelfPlayEnv, SelfPlayVectorEnv
from tests.support.games import batch_of, begun
from tests.wrappers.cases import BATCH_WRAPPERS, WRAPPERS

PICKLES = Path(__file__).parents[1] / "golden" / "pickles"


def read(name: str) -> Any:
    return pickle.loads(gzip.decompress((PICKLES / f"{name}.pickle.gz").read_bytes()))


def test_an_environment_goes_on_with_its_dice_and_its_record() -> None:
    env, record = read("env"), read("record")
    assert isinstance(env, parlour.GameEnv)
    assert isinstance(record, parlour.GameRecord)
    assert env.record() == replace(record, parlour=parlour.__version__)
    same = begun("acey_ducey-v0", 3)
    for move in record.moves:
        same.step(same.parse_move(move))
    for _ in range(30):
        assert (env.position(), env.legal_moves(), env.dice) == (same.position(), same.legal_moves(), same.dice)
        for one in (env, same):
            one.step(one.parse_move(one.legal_moves()[-1]))


def test_a_batch_goes_on_as_it_would_have() -> None:
    batch = read("batch")
    assert isinstance(batch, parlour.Batch)
    same = batch_of("agon-v0", 2, seed=1, variant=["classic", "ring"])
    same.step(same.sample_actions())
    for _ in range(20):
        actions = same.sample_actions()
        np.testing.assert_array_equal(batch.sample_actions(), actions)
        np.testing.assert_array_equal(batch.step(actions)[0]["observation"], same.step(actions)[0]["observation"])


def test_a_wrapper_with_its_environment() -> None:
    wrapped = read("wrapped")
    wrapped.step(int(wrapped.observe(wrapped.agent_selection)["action_mask"].argmax()))
    assert len(wrapped.unwrapped.record().moves) == 2


@pytest.mark.parametrize("file", sorted(PICKLES.glob("*.gz")), ids=lambda file: file.stem)
def test_no_pickle_here_names_a_folder_of_the_machine_that_wrote_it(file: Path) -> None:
    assert not re.findall(rb"/(?:home|root|tmp|usr|var)/", gzip.decompress(file.read_bytes()))


@pytest.mark.parametrize("k", range(5))
def test_players_still_choose(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PICKLES.parents[2])  # a pickled champion names its file, from here
    env = begun("agon-v0", 5, variant="ring")
    player: Player = read("players")[k]
    assert env.move_name(env.ask(player)) in env.legal_moves()


def test_a_player_that_has_searched_is_refused_with_a_word() -> None:
    with pytest.raises(ImportError, match=r"pickled after a search .* make the player anew"):
        read("searched")


def test_old_module_names_are_other_names_of_todays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of modules in a package that has moved; each says where it is now."""
    for old in ("parlour.arena.contests", "parlour.arena.atlas", "parlour.arena.atlas.plan"):
        monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match="the old name works until") as warned:
        contests, plan = (importlib.import_module(f"parlour.arena.{name}") for name in ("contests", "atlas.plan"))
    said = [str(one.message) for one in warned]
    assert "parlour.arena.contests is parlour.arena.matches.contests now; the old name works until 0.5" in said
    assert contests.match is parlour.arena.match
    assert plan.AtlasPlan is AtlasPlan


def test_every_old_name_is_that_of_a_module() -> None:
    assert not [today for today in RENAMED.values() if importlib.util.find_spec(today) is None]


def holders() -> dict[str, Any]:
    """Everything that holds games, played on a little, in Acey Ducey."""
    env, batch = parlour.make("acey_ducey-v0"), parlour.make_batch("acey_ducey-v0", 3, seed=2)
    env.reset(seed=1)
    batch.reset()
    wrapped = {name: wrap(parlour.make("acey_ducey-v0")) for name, wrap in WRAPPERS.items() if name != "Symmetry"}
    vector = SelfPlayVectorEnv("acey_ducey-v0", 2, "greedy", seed=2)
    vector.reset()
    searching = [parse_player(name, env.game) for name in ("expectimax:1", "mcts:2")]
    for player in searching:
        env.ask(player)
    return {
        "env": env, "batch": batch, **wrapped, "SelfPlayEnv": SelfPlayEnv(env), "SelfPlayVectorEnv": vector,
        "BothSeatsRollout": BothSeatsRollout(batch, 2),
        **{name: wrap(parlour.make_batch("acey_ducey-v0", 2)) for name, wrap in BATCH_WRAPPERS.items()},
        **{player.name: player for player in searching}, "TextBatch": TextBatch("acey_ducey-v0", 2),
    }  # fmt: skip


def with_fields(*changed: tuple[str, Any]) -> Any:
    """The fields of Acey Ducey's STATE and those of ``changed``, which take the places of others of their names."""
    state = find("acey_ducey-v0").rules.STATE
    return np.dtype(list({**{name: state[name] for name in state.names}, **dict(changed)}.items()), align=True)


@pytest.mark.parametrize(
    ("todays", "words"),
    [
        (with_fields(("extra", np.int64), ("more", (np.int8, 2))), "added extra (int64), more (int8 (2,))"),
        (with_fields(("plies", np.int16)), "changed plies (from int32 to int16)"),
        (with_fields()[["plies", "to_act"]], "gone "),
    ],
    ids=["added", "changed", "gone"],
)
def test_a_pickle_of_another_state_is_refused_whatever_holds_it(
    todays: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code would read and write past the ends of its records."""
    pickles = {name: pickle.dumps(holder) for name, holder in holders().items()}
    for content in pickles.values():
        pickle.loads(content)
    monkeypatch.setattr(find("acey_ducey-v0").rules, "STATE", todays)
    for name, content in pickles.items():
        with pytest.raises(ValueError, match=re.escape(words)) as refused:
            pickle.loads(content)
        assert "another version of acey_ducey-v0; the fields of its STATE differ" in str(refused.value), name


def as_before() -> Any:
    """The fields of Acey Ducey's STATE in another order, as version 0.3.0 had them."""
    state = find("acey_ducey-v0").rules.STATE
    return np.dtype([(name, state[name]) for name in state.names[::-1]], align=True)


def test_fields_that_have_moved_are_found_again() -> None:
    vector, same = (SelfPlayVectorEnv("acey_ducey-v0", 2, "greedy", seed=2) for _ in range(2))
    (seen, _), _ = same.reset(), vector.reset()
    games = vector.batch.games
    games.states = placed_as(as_before(), games.states)
    games.finals = games.finals._replace(before=placed_as(as_before(), np.zeros(2, games.states.dtype)))
    vector._play = vector._play._replace(after=np.zeros(2, as_before()))
    read = pickle.loads(pickle.dumps(vector))
    for _ in range(20):
        actions = seen["action_mask"].argmax(axis=1)
        (seen, *results), (read_seen, *read_results) = same.step(actions)[:4], read.step(actions)[:4]
        np.testing.assert_equal((read_seen, read_results), (seen, results))


def test_states_kept_from_before_the_ply_are_looked_at_too() -> None:
    batch = BatchEventReward(parlour.make_batch("acey_ducey-v0", 2), {})
    games = batch.batch.games
    games.finals = games.finals._replace(before=np.zeros(2, with_fields(("extra", np.int8))))
    with pytest.raises(ValueError, match=r"the fields of its STATE differ: gone extra \(int8\)"):
        pickle.loads(pickle.dumps(batch))


def test_a_pickle_of_a_game_with_other_sizes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("acey_ducey-v0")
    content, layout = pickle.dumps(parlour.make_batch("acey_ducey-v0", 2)), game.layout({})
    larger = replace(layout, actions=layout.actions + 8, planes=(*layout.planes, Plane("extra")))
    with monkeypatch.context() as patched:
        patched.setattr(game.rules, "layout", always(larger))
        with pytest.raises(ValueError, match=f"actions {layout.actions}, now {layout.actions + 8}, observations "):
            pickle.loads(content)
    monkeypatch.setattr(game.evaluation, "EVENTS", (*game.evaluation.EVENTS, "extra"))
    with pytest.raises(ValueError, match=r"its sizes differ: events \d+, now \d+"):
        pickle.loads(content)


def test_options_are_those_of_today_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules see numbers: a word that has moved in its list means what it meant."""
    game, variants = find("agon-v0"), importlib.import_module("parlour.envs.agon.variants")
    content = pickle.dumps(parlour.make("agon-v0", capture="bloody"))
    with monkeypatch.context() as patched:
        turned = [replace(o, values=o.values[::-1]) if o.name == "capture" else o for o in game.options]
        patched.setattr(variants, "OPTIONS", turned)
        (number,) = pickle.loads(content).games.variants["capture"]
        assert {o.name: o for o in turned}["capture"].values[number] == "bloody"
    for todays, words in (
        ([o for o in game.options if o.name != "capture"], "agon-v0 no longer has the option 'capture'"),
        ([replace(o, values=("calm",)) if o.name == "capture" else o for o in game.options], "'bloody' is not valid"),
    ):
        with monkeypatch.context() as patched, pytest.raises(ValueError, match=words):
            patched.setattr(variants, "OPTIONS", todays)
            pickle.loads(content)
