"""Files that people bring: what is read of them, what is counted before it is played, and that nobody waits for it."""

from __future__ import annotations

import json
import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from parlour.arena import match
from parlour.envs.backgammon import sgf
from parlour.envs.checkers.pdn import WORDS_A_PLY
from parlour.interfaces.aec import GameEnv
from parlour.records import files
from parlour.rulebook.protocol import Span
from parlour.serve import library
from parlour.serve.settings import MAX_RECORD_PLIES, MAX_RECORDS
from parlour.serve.workers import MAX_REPLAYS
from tests.serve.playing import begin
from tests.support.pages import labels_of

FIELD = Path(__file__).parents[1] / "games" / "checkers" / "field"


def upload(client: TestClient, text: str, name: str) -> Any:
    return client.post("/records", files={"file": (name, text.encode())})


@pytest.fixture
def unplayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No ply may be played."""

    def step(env: GameEnv, action: Any) -> None:
        raise AssertionError("a ply is played")

    monkeypatch.setattr(GameEnv, "step", step)


def record_line(client: TestClient) -> str:
    return str(client.get(f"{begin(client)}/record.jsonl").text)


@pytest.mark.usefixtures("unplayed")
def test_games_behind_those_that_are_shown_are_not_read(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    line, begun = record_line(client), []
    reset = GameEnv.reset
    monkeypatch.setattr(GameEnv, "reset", lambda *given, **named: (begun.append(1), reset(*given, **named))[1])
    assert len(labels_of(upload(client, "* " * 4000, "many.pdn").text)) == MAX_RECORDS
    assert len(begun) <= 5 * MAX_RECORDS
    assert len(labels_of(upload(client, line * MAX_RECORDS + "nonsense\n" * 4000, "many.jsonl").text)) == MAX_RECORDS


@pytest.mark.usefixtures("unplayed")
@pytest.mark.parametrize("text", ["[" * (1 << 20), "a " * (1 << 19), "; x\n" * (1 << 18)])
def test_words_without_end_are_not_read_to_the_end(client: TestClient, text: str) -> None:
    answer = upload(client, text, "words.pdn")
    assert answer.status_code == 422
    assert f"the text has more than {WORDS_A_PLY * MAX_RECORD_PLIES} words" in answer.text


@pytest.mark.parametrize("text", ["[" * (1 << 20), '(;C["' * (1 << 18), "(;A[\\]" + "\\" * (1 << 20)])
def test_values_that_never_end_are_read_once(client: TestClient, text: str) -> None:
    """Not again from each bracket to the end, which would take minutes."""
    assert len(list(sgf.TOKEN.finditer(text))) <= 4
    assert upload(client, text, "values.sgf").status_code == 422


@pytest.mark.usefixtures("unplayed")
@pytest.mark.parametrize("name", ["lines.jsonl", "lines"])
@pytest.mark.parametrize(("line", "answered"), [("a\n", "line 1:"), ("\n", "empty"), (" ", "empty")])
def test_lines_that_are_not_read_are_not_looked_for(
    client: TestClient, name: str, line: str, answered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[int] = []
    monkeypatch.setattr(files, "Span", lambda *place: (found.append(1), Span(*place))[1])
    answer = upload(client, line * ((1 << 20) // len(line)), name)
    assert answer.status_code == 422
    assert answered in answer.text
    assert len(found) <= MAX_RECORDS + 1


@pytest.mark.usefixtures("unplayed")
@pytest.mark.parametrize("name", ["long.pdn", "long.jsonl", "long.json"])
def test_plies_are_counted_before_they_are_played(client: TestClient, name: str) -> None:
    moves = ["9-14", "22-18"] * MAX_RECORD_PLIES
    record = json.dumps({**json.loads(record_line(client)), "moves": moves})
    text = {"long.pdn": " ".join(moves), "long.json": f"[{record}]"}.get(name, record)
    answer = upload(client, text, name)
    assert answer.status_code == 422
    assert f"more than {MAX_RECORD_PLIES} plies in total" in answer.text


def test_plies_of_a_journal_are_counted_before_they_are_played(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match("pig-v0", "random", "greedy", games=2, goal=9, folder=tmp_path / "run")
    journal = (tmp_path / "run" / "journal.jsonl").read_text()
    assert len(labels_of(upload(client, journal, "journal.jsonl").text)) == 2
    monkeypatch.setattr(library, "MAX_RECORD_PLIES", 3)
    monkeypatch.setattr(library, "record_of", lambda *given: pytest.fail("a game is played"))
    assert "more than 3 plies" in upload(client, journal, "journal.jsonl").text


def test_arrays_of_records_are_shown(client: TestClient) -> None:
    line = record_line(client)
    for name in ("games.json", ""):
        answer = client.post("/records", files={"file": (name or "text", f"[\n{line},{line}]".encode())})
        assert len(labels_of(answer.text)) == 2


def test_a_game_that_cannot_be_read_is_named_beside_the_others(client: TestClient, tmp_path: Path) -> None:
    """Of a file of others, and of records of which one is not JSON and another not true."""
    path = FIELD / "02_one_bad_of_three.pdn"
    page = upload(client, path.read_text(), path.name).text
    assert [label[:3] for label in labels_of(page)] == ["1: ", "3: "]
    assert "1 of these 3 games are left out:" in page
    assert "game 2, line 5: &#39;23-20&#39; is not legal" in page
    line = record_line(client)
    false = json.dumps({**json.loads(line), "end": "no_move"})
    page = upload(client, f"{line}nonsense\n{false}\n{line}", "games.jsonl").text
    assert [label[:3] for label in labels_of(page)] == ["1: ", "4: "]
    assert "2 of these 4 games are left out:" in page
    refused = upload(client, "nonsense\n", "games.jsonl")
    assert refused.status_code == 422
    assert "not valid JSON" in refused.text


def test_long_uploads_keep_nobody_waiting(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither pages nor games; and if too many are waiting, the next one is refused."""
    released = threading.Event()

    def slow(data: bytes, name: str) -> Any:
        assert released.wait(60)
        raise ValueError("read at last")

    monkeypatch.setattr("parlour.serve.app.parse_upload", slow)
    with ThreadPoolExecutor(MAX_REPLAYS + 1) as beside:
        try:
            answers = [beside.submit(upload, client, "x", "a.jsonl") for _ in range(MAX_REPLAYS + 1)]
            first, _ = wait(answers, 60, FIRST_COMPLETED)
            assert [answer.result().status_code for answer in first] == [503]
            assert client.get("/").status_code == 200
            game = begin(client)
            assert "9-14" in client.post(f"{game}/move", data={"move": "9-14"}).text
        finally:
            released.set()
        assert sum("read at last" in answer.result().text for answer in answers) == MAX_REPLAYS
