"""Games after a restart, and records and runs that the server shows."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

from starlette.testclient import TestClient

from parlour.arena import match
from parlour.arena.runs.journal import read_run
from parlour.records import write_records
from parlour.serve.library import runs_in
from parlour.serve.settings import MAX_RECORDS, Settings
from tests.serve.playing import answered, begin, client_of, moves
from tests.support.pages import labels_of


def test_a_restart_loses_no_game(settings: Settings) -> None:
    with client_of(settings) as client:
        game = begin(client)
        client.post(f"{game}/move", data={"move": "9-14"})
        answered(client, game)
        before = moves(client, game)
    with client_of(settings) as client:
        assert game in client.get("/").text
        assert moves(client, game) == before
        client.post(f"{game}/undo")
        assert moves(client, game) == []
        client.post(f"{game}/delete")
        assert client.get(game).status_code == 404


def test_records_named_at_start_are_shown(tmp_path: Path, settings: Settings) -> None:
    with client_of(settings) as client:
        game = begin(client)
        client.post(f"{game}/move", data={"move": "9-14"})
        (tmp_path / "mine.jsonl").write_text(client.get(f"{game}/record.jsonl").text)
    named = Settings(settings.database, records={"mine.jsonl": tmp_path / "mine.jsonl"})
    with client_of(named) as client:
        assert "mine.jsonl" in client.get("/").text
        assert "9-14" in client.get("/records/0").text
        assert client.get("/records/1").status_code == 404
        assert client.get("/records/..%2fmine.jsonl").status_code == 404


def test_many_games_are_shown_on_several_pages(tmp_path: Path, settings: Settings) -> None:
    run = tmp_path / "match-pig"
    match("pig-v0", "random", "greedy", games=MAX_RECORDS + 2, goal=9, folder=run)
    write_records(tmp_path / "all.jsonl", [record for _, record in read_run(run)])
    named = replace(settings, records={"run": run, "file": tmp_path / "all.jsonl"})
    with client_of(named) as client:
        for number in (0, 1):
            listed = client.get(f"/records/{number}").text
            assert f"{MAX_RECORDS + 2} games" in listed
            first, second = re.findall(rf'href="(/records/{number}/\d+)"', listed)
            assert len(labels_of(client.get(first).text)) == MAX_RECORDS
            assert len(labels_of(client.get(second).text)) == 2
            assert client.get(f"/records/{number}/0").status_code == 404
            assert client.get(f"/records/{number}/{MAX_RECORDS + 3}").status_code == 404


def test_a_game_goes_on_from_a_position_of_another(client: TestClient) -> None:
    page = client.get(begin(client, variant="openspiel", **{"option-max_plies": "7"})).text
    form = unescape(client.get(unescape(re.findall(r'href="(/new/[^"]*position=[^"]*)"', page)[0])).text)
    assert 'value="openspiel" checked' in form
    assert re.search(r'name="option-max_plies"[^>]* value="7"', form)
    assert "B:W21" in form.replace(" ", "")


def test_the_journal_of_a_run_is_shown(client: TestClient, tmp_path: Path, settings: Settings) -> None:
    """Brought by a person, or in the folder that the server was started in; a damaged one is refused."""
    run = tmp_path / "compare-pig"
    match("pig-v0", "random", "greedy", games=4, goal=9, folder=run)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    assert runs_in(tmp_path) == {"compare-pig": run}
    with client_of(replace(settings, records=runs_in(tmp_path))) as other:
        found = other.get("/records/0").text
    journal = (run / "journal.jsonl").read_bytes()
    brought = client.post("/records", files={"file": ("journal.jsonl", journal)}).text
    for page in (found, brought):
        assert len(labels_of(page)) == 4
        assert "greedy" in page
    damaged = client.post("/records", files={"file": ("journal.jsonl", journal.replace(b"greedy", b"random", 1))})
    assert damaged.status_code == 422
    assert "damaged" in damaged.text
    begun = journal.partition(b"\n")[0]
    cut = client.post("/records", files={"file": ("journal.jsonl", begun)})
    assert (cut.status_code, "not a journal: it has no complete line" in cut.text) == (422, True)
