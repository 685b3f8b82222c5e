"""Files that version 0.2.0 wrote (`tests/golden/version_0_2_0/write.py`) are still read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from parlour.arena.runs.journal import read_run
from parlour.interfaces.registry import find
from parlour.players.value import load
from parlour.records import read_records, replay
from parlour.wrappers import OpponentPool
from tests.support.command_line import Run

FILES = Path(__file__).parent / "golden" / "version_0_2_0"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FILES, tmp_path / "files"))


def test_records(files: Path) -> None:
    records = read_records(files / "games.jsonl")
    assert [record.parlour for record in records] == ["0.2.0", "0.2.0"]
    for record in records:
        *_, last = replay(record, "the game")
        assert last.is_over()


def test_the_journal_of_a_match(files: Path, run: Run) -> None:
    games = [record for _, record in read_run(files / "match")]
    assert len(games) == 4
    for record in games:
        *_, last = replay(record, "the game")
        assert last.is_over()
    assert run("replay", files / "match", "--game", 2, "--quiet").status == 0


def test_a_value_file(files: Path) -> None:
    network = load(files / "net.value")
    assert network.learnt == 1000
    assert network.game == find("checkers-v0")


def test_the_folder_of_a_pool(files: Path) -> None:
    pool = OpponentPool({"greedy": "greedy"}, folder=files / "pool", load=lambda path: lambda observation, mask: mask)
    assert pool.names == ["greedy", "snapshot_0"]


def test_a_stored_game_goes_on(files: Path) -> None:
    """That of 0.2.0 has no revisions."""
    pytest.importorskip("starlette.testclient")
    from parlour.serve.settings import Settings
    from tests.serve.playing import client_of, moves

    with client_of(Settings(files / "games.sqlite3")) as client:
        game = client.get("/").text.split('href="/games/')[1].split('"')[0]
        client.post(f"/games/{game}/move", data={"move": "5-9"})
        assert moves(client, f"/games/{game}") == ["9-14", "22-18", "5-9"]
