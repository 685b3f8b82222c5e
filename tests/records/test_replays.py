"""Recorded games as pages, animated pictures and files of records; and records that environments give."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import parlour
from parlour.players import parse_players
from parlour.players.people.board import status
from parlour.records import GameRecord, read_records, record_game, replay_page, write_replays
from parlour.records import replay as play_again
from parlour.records.animation import frame_milliseconds
from parlour.records.page import changes
from parlour.records.pictures import take_apart
from tests.support.cases import PRINTED_GAMES
from tests.support.command_line import Run, check_error
from tests.support.pages import data_of

pytestmark = pytest.mark.usefixtures("_plain_wide_terminal")


def played(game: str, players: str = "random", seed: int = 3, **values: Any) -> GameRecord:
    env = parlour.make(game, illegal_move="raise", **values)
    return record_game(env, parse_players(players, len(env.possible_agents), env.game), seed)


@pytest.fixture(scope="module")
def checkers() -> GameRecord:
    return played("checkers-v0", "greedy", max_plies=30)


def expand(steps: list[list[Any]], tokens: list[str]) -> list[str]:
    """What page.js does."""
    lists: list[list[int]] = []
    for back, *flat in steps:
        numbers = list(lists[-back]) if back <= len(lists) else []
        for start, gone, come in zip(flat[::3], flat[1::3], flat[2::3]):
            numbers[start : start + gone] = come
        lists.append(numbers)
    return ["".join(tokens[number] for number in numbers) for numbers in lists]


# --- pages ---


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_a_whole_game_is_a_small_page(game: str) -> None:
    """A whole game, in at most 150 kB; what is packed is the same game."""
    record = played(game, "greedy", seed=1)
    page = replay_page([record])
    assert len(page.encode()) <= 150_000
    assert data_of(page)["games"][0]["moves"] == record.moves


def test_long_games_are_shown_faster() -> None:
    assert [frame_milliseconds(count) for count in (1, 41, 100, 181, 5000)] == [600, 600, 250, 130, 60]


def test_a_page_holds_every_picture_and_position(checkers: GameRecord) -> None:
    (game,) = data_of(checkers.html())["games"]
    frames = list(play_again(checkers, "here"))
    pictures, positions = (expand(game[name], game["tokens"]) for name in ("pictures", "positions"))
    assert len(pictures) == len(frames) == len(checkers.moves) + 1
    for env, picture, position, title in zip(play_again(checkers, "here"), pictures, positions, game["titles"]):
        assert picture == re.sub(r"<title>.*</title>\n", "", env.svg())
        assert position == env.position()
        assert title == status(env)
    assert game["moves"] == checkers.moves
    assert game["movers"][:2] == [0, 1]
    assert json.loads(game["record"]) == json.loads(checkers.line())


def test_a_page_needs_nothing_else(checkers: GameRecord) -> None:
    page = replay_page([checkers, played("pig-v0")])
    assert page.startswith("<!doctype html>")
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert "default-src 'none'" in page
    assert [game["label"][:2] for game in data_of(page)["games"]] == ["1:", "2:"]


def test_a_ply_takes_a_fraction_of_its_picture(checkers: GameRecord) -> None:
    """Before the page is packed."""
    (game,) = data_of(checkers.html())["games"]
    stored = len(json.dumps([game["pictures"][1:], game["positions"][1:]], separators=(",", ":")))
    assert stored / len(checkers.moves) < 1000
    assert len(next(play_again(checkers, "here")).svg()) > 15_000


def test_names_of_players_are_no_code() -> None:
    name = "</script><script>alert(1)</script>\u2028"
    page = replay_page([replace(played("pig-v0"), players=[name] * 3)])
    assert "<script>alert" not in page
    assert "\u2028" not in page
    assert name in data_of(page)["games"][0]["about"]
    assert "<script>alert" not in replace(played("pig-v0"), players=[name] * 3)._repr_html_()


def test_a_record_that_is_not_true_makes_no_page(checkers: GameRecord) -> None:
    with pytest.raises(ValueError, match="game 1"):
        replay_page([replace(checkers, returns=[1.0, -1.0])])
    with pytest.raises(ValueError, match="at least one game"):
        replay_page([])


def test_changes_of_lists_that_have_nothing_in_common() -> None:
    lists = [[], [1, 2, 3], [4], [1, 2, 9, 3], [4], []]
    tokens = [str(number) for number in range(10)]
    assert expand(changes(lists), tokens) == ["".join(map(str, numbers)) for numbers in lists]


def test_pictures_are_taken_apart() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><title>a &amp; b</title><defs><g id="x"/></defs>'
    )
    shapes = ('<g a=">"><path d="M0 0"/></g>', "<path/>", '<g id="é"></g>')
    picture = take_apart(svg + "\n".join(shapes) + "\n</svg>")
    assert picture.shapes == shapes
    assert picture.definitions == '<defs><g id="x"/></defs>'
    assert (picture.width, picture.height) == (4, 2)


# --- thoughts ---


def test_thoughts_are_recorded_and_shown(tmp_path: Path) -> None:
    env = parlour.make("checkers-v0", illegal_move="raise", max_plies=6)
    players = [parse_players("mcts:30", 1, env.game)[0], parse_players("greedy", 1, env.game)[0]]
    record = record_game(env, players, 3, thoughts=True)
    assert replace(record, thoughts=None) == record_game(env, players, 3)  # thinking aloud changes nothing
    assert record.thoughts is not None
    assert len(record.thoughts) == 6
    first, second = record.thoughts[:2]
    assert first is not None
    assert second is not None
    assert sum(share for _, share in first["moves"]) <= 1.001
    assert first["line"][0] == first["moves"][0][0]
    assert (first["value"] is None, second["value"] is None) == (False, True)
    write_replays(tmp_path / "game.jsonl", [record])
    assert read_records(tmp_path / "game.jsonl") == [record]
    (game,) = data_of(record.html())["games"]
    assert [name for name, *_ in game["thoughts"][0]["actions"]] == [name for name, _ in first["moves"]]
    assert game["thoughts"][0]["marks"].count("<polygon") == len(first["moves"])
    assert game["thoughts"][6] is None


@pytest.mark.parametrize(
    "entries",
    [5, {}, {"moves": [["9-13"]], "value": 0, "line": []}, {"moves": [["1-2", 1]], "value": 0, "line": []},
     {"moves": [["9-13", 2]], "value": 0, "line": []}, {"moves": [], "value": "much", "line": []},
     {"moves": [], "value": 0, "line": [5]}],
)  # fmt: skip
def test_thoughts_that_are_none_are_refused(checkers: GameRecord, entries: Any) -> None:
    silent = [None] * (len(checkers.moves) - 1)
    with pytest.raises(ValueError, match=r"game 1, ply 1: .*thought"):
        replay_page([replace(checkers, thoughts=[entries, *silent])])
    with pytest.raises(ValueError, match=r"here, ply 1: .*thought"):
        list(play_again(replace(checkers, thoughts=[entries, *silent]), "here"))
    with pytest.raises(ValueError, match=r"here: \d+ thoughts of players for \d+ plies"):
        list(play_again(replace(checkers, thoughts=silent), "here"))


# --- files ---


@pytest.mark.parametrize("ending", [".html", ".gif", ".json", ".jsonl", ".pdn", ".HTML"])
def test_the_ending_says_the_form(ending: str, checkers: GameRecord, tmp_path: Path, run: Run) -> None:
    source, path = tmp_path / "games.jsonl", tmp_path / f"game{ending}"
    source.write_text(checkers.line() + "\n")
    ran = run("replay", source, "--out", path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == f"wrote {path}"
    assert "ply 1" not in ran.out
    if ending.lower() == ".html":
        assert path.read_text(encoding="utf-8") == checkers.html()
    elif ending == ".gif":
        with Image.open(path) as film:
            assert film.n_frames == len(checkers.moves) + 1  # type: ignore[attr-defined]
    else:
        (found,) = read_records(path)
        assert (found.moves, found.returns, found.end) == (checkers.moves, checkers.returns, checkers.end)


def test_an_array_of_records(checkers: GameRecord, tmp_path: Path) -> None:
    games = [checkers, played("pig-v0")]
    path = tmp_path / "games.json"
    write_replays(path, games)
    assert read_records(path) == games
    assert len(json.loads(path.read_text())) == 2
    path.write_text(json.dumps([{"game": "pig-v0"}]))
    with pytest.raises(ValueError, match=r"games.json, line 1: .*field `parlour`"):
        read_records(path)


def test_what_can_not_be_written(checkers: GameRecord, tmp_path: Path, run: Run) -> None:
    source = tmp_path / "games.jsonl"
    source.write_text(2 * (checkers.line() + "\n"))
    check_error(run("replay", source, "--out", tmp_path / "a.gif"), "a.gif", "one game, not 2", "--game")
    check_error(run("replay", source, "--out", tmp_path / "a.png"), "a.png", "'.html'", "'.gif'", "'.pdn'")
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


# --- records of environments ---


@pytest.mark.parametrize("game", ["checkers-v0", "acey_ducey-v0"])
def test_an_environment_gives_its_record_at_any_time(game: str) -> None:
    env = parlour.make(game)
    rng = np.random.default_rng(2)
    for seed in (5, None):
        env.reset(seed=seed)
        for ply in range(12):
            if ply in (0, 4, 11):
                record = env.record()
                assert (record.seed, len(record.moves), record.end) == (seed, ply, "")
                assert record == env.clone().record()  # which begins at the start
                *_, last = play_again(record, "here")
                assert last.position() == env.position()
            env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert env.record().players == env.possible_agents
    assert env.record(["me", *env.possible_agents[1:]]).players[0] == "me"
    assert env.record()._repr_html_().startswith("<iframe srcdoc=")
    with pytest.raises(ValueError, match=f"{len(env.possible_agents)} texts"):
        env.record(["me"] * 7)


def test_a_copy_has_a_record_of_its_own() -> None:
    env = parlour.make("pig-v0")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    twin = env.clone(seed=9)
    for each in (env, twin):
        each.step(int(np.flatnonzero(each.observe(each.agent_selection)["action_mask"])[0]))
    assert len(env.record().moves) == len(twin.record().moves) == 2
    for each in (env, twin):
        *_, last = play_again(each.record(), "here")
        assert last.position() == each.position()
