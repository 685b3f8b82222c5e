"""Exact values in the browser: beside plies and legal moves of solved positions, and as a player."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

import parlour
from parlour.interfaces.aec import GameEnv
from parlour.records.replaying import replay
from parlour.serve.settings import Settings
from parlour.support.signed import signed
from tests.serve.playing import answered, begin, client_of, hint, record_of
from tests.support.command_line import Run, check_refused
from tests.support.texts import number

GAME = "royal_ur-v0"
TWO_MEN = {"option-men": "2", "seat-1": "person"}


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> parlour.Solution:
    """The Royal Game of Ur with two men each."""
    return parlour.solve(GAME, men=2, out=tmp_path_factory.mktemp("tables") / "ur")


@pytest.fixture
def client(settings: Settings, solved: parlour.Solution) -> TestClient:
    return client_of(replace(settings, tables={"ur": solved.table.folder}))


def positions(client: TestClient, game: str) -> list[GameEnv]:
    """The environments before each ply of a game, and now."""
    return [env.clone() for env in replay(record_of(client, game), "here")]


def test_values_of_plies_and_moves(client: TestClient, solved: parlour.Solution) -> None:
    game = begin(client, GAME, **TWO_MEN)
    (env,) = positions(client, game)
    while len(env.legal_moves()) < 2:
        client.post(f"{game}/move", data={"move": env.legal_moves()[0]})
        env = positions(client, game)[-1]
    hinted = hint(client, game)
    best = env.move_name(solved.best(env)[0])
    assert f"Exact value {signed(np.mean(solved.value(env)), 4)} (1 is a win, −1 a loss), kept by {best}." in hinted
    listed = dict(re.findall(r"<li>(\S+) ([+−]?\d\.\d{4})<", hinted))
    assert next(iter(listed)) == best
    assert {name: number(value) for name, value in listed.items()} == {
        name: pytest.approx(np.mean(solved.value(env)) - solved.regret(env, env.parse_move(name)), abs=1e-4)
        for name in env.legal_moves()
    }
    told = client.get(f"{game}/values").json()
    for value, at in zip(told["values"], positions(client, game), strict=True):
        own = np.mean(solved.value(at))
        assert value == pytest.approx(own if at.agent_selection == "player_0" else -own, abs=1e-4)
    assert all(told["exact"])
    assert told["by"].startswith("exact values where a table has them")


def test_the_player_that_never_errs(client: TestClient) -> None:
    game = begin(client, GAME, **{**TWO_MEN, "seat-0": "exact:ur"})
    assert "Light: exact:ur" in answered(client, game)
    assert positions(client, game)[1:]
    refused = client.post(f"/new/{GAME}", data={"seat-0": "person", "seat-1": "exact:/etc"})
    assert (refused.status_code, "there is no table" in refused.text) == (422, True)


def test_other_rules_have_no_exact_values(client: TestClient) -> None:
    game = begin(client, GAME, **{**TWO_MEN, "option-men": "3"})
    told = client.get(f"{game}/values").json()
    assert (told["exact"], told["by"]) == ([False], "the game's own estimate")


def test_a_folder_without_a_table_is_refused(run: Run, tmp_path: Path) -> None:
    check_refused(run("serve", "--exact", tmp_path, "--no-open"), tmp_path, "has no table of exact values")
