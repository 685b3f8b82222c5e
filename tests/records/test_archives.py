"""Files of many records: where games stand is found once, and only what is asked for is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from parlour.envs.checkers import pdn, pdn_moves
from parlour.records import archives, read_records, write_records
from parlour.records.archives import Archive
from parlour.records.files import each_game, read_games_at
from parlour.serve.library import count_games, records_of
from parlour.serve.settings import MAX_RECORDS
from tests.records.test_records import short_game
from tests.support.command_line import Run

GAME = '[Event "{}"]\n1. 11-15 23-19 2. 8-11 22-17 {{a [note] 1-0}} (2. 9-14) *\n\n'
MANY = 3 * MAX_RECORDS + 1


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Games of others, of which the fifth can't be read."""
    path = tmp_path / "archive.pdn"
    path.write_text("".join(GAME.format(number) for number in range(1, MANY + 1)).replace('"5"]\n', '"5"]\n1. 1-2 '))
    return path


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often a file is searched for games, and how many games are played."""
    counted = {"find_games": 0, "play": 0}

    def count(module: Any, name: str) -> None:
        function = getattr(module, name)

        def counting(*given: Any, **named: Any) -> Any:
            counted[name] += 1
            return function(*given, **named)

        monkeypatch.setattr(module, name, counting)

    count(archives, "find_games")
    count(pdn_moves, "play")
    return counted


def test_games_are_found_once_and_read_when_shown(archive: Path, calls: dict[str, int]) -> None:
    assert count_games(archive) == MANY
    assert calls == {"find_games": 1, "play": 0}
    for page in (2, 3):
        shown = records_of(archive, (page - 1) * MAX_RECORDS + 1)
        assert [record.tags["Event"] for record in shown.records] == [
            str(number) for number in range((page - 1) * MAX_RECORDS + 1, page * MAX_RECORDS + 1)
        ]
    assert calls == {"find_games": 1, "play": 2 * MAX_RECORDS}
    first = records_of(archive)
    assert len(first.records) == MAX_RECORDS - 1
    assert first.notes[0] == f"1 of these {MAX_RECORDS} games are left out:"
    assert first.notes[1].startswith("game 5, line 14: '1-2' is not legal")
    assert len(records_of(archive, MANY).records) == 1


def test_a_file_that_has_changed_is_searched_again(archive: Path, calls: dict[str, int]) -> None:
    assert len(Archive(archive)) == len(Archive(archive)) == MANY
    assert calls["find_games"] == 1
    archive.write_text(archive.read_text() + GAME.format("last"))
    assert len(Archive(archive)) == MANY + 1
    status = archive.stat()
    archive.write_text(archive.read_text().replace("[", " ", 1))
    os.utime(archive, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert len(Archive(archive)) == MANY + 1
    assert calls["find_games"] == 3


@pytest.mark.parametrize("ending", [".pdn", ".jsonl", ".json"])
@pytest.mark.filterwarnings("ignore:.*left out")
def test_each_game_alone_is_the_same_as_all_in_a_row(archive: Path, ending: str) -> None:
    records = read_records(archive)
    path = archive if ending == ".pdn" else archive.with_suffix(ending)
    if ending != ".pdn":
        write_records(path, records)
    found = Archive(path)
    games = list(found.read(range(1, len(found) + 1)))
    assert [game.record for game in games if game.record] == records
    assert [game.number for game in games] == list(range(1, len(found) + 1))
    for number in (1, 7, len(found)):
        assert list(found.read([number])) == [games[number - 1]]
    assert [game.line for game in found.read([5])] == [14 if ending == ".pdn" else 5]


def test_one_game_of_a_file_is_read_alone(archive: Path, calls: dict[str, int], run: Run) -> None:
    ran = run("replay", archive, "--game", 17, "--quiet")
    assert (ran.status, ran.err) == (0, "")
    assert calls == {"find_games": 1, "play": 1}


def test_the_same_places_whoever_looks() -> None:
    """A star or a number in front of the next game is the same token, whether the text goes on or not."""
    text = "1. 11-15 *\n1. 11-16 * 1. 12-16\n[Event “a”] 1. 9-13 22-18* 1-0 so it ends {a}\n{b}\n2. 9-14 1 {c} " * 3
    spans = list(pdn.find_games(text))
    assert "".join(text[span.start : span.end] for span in spans) == text.removeprefix("1. ")
    whole = [(game.number, game.line, game.reason, game.record) for game in pdn_games(text)]
    assert [(game.number, game.line, game.reason, game.record) for game in pdn_games(text, spans)] == whole


def pdn_games(text: str, spans: Any = None) -> list[Any]:
    return list(each_game(text, "a", ".pdn") if spans is None else read_games_at(text, "a", ".pdn", spans))


def test_a_short_game_is_found_in_any_form(tmp_path: Path) -> None:
    for ending in (".jsonl", ".json"):
        write_records(tmp_path / f"one{ending}", [short_game()])
        (game,) = Archive(tmp_path / f"one{ending}").read([1])
        assert game.record == short_game()
