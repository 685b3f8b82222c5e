"""The players that a server offers as opponents, and those that it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import parlour
from parlour.arena.setting.ladder import grades, rungs
from parlour.interfaces.registry import find
from parlour.serve.opponents import parse_opponent, suggestions
from parlour.serve.settings import Settings
from tests.serve.playing import answered, begin, client_of, moves
from tests.support.cases import PRINTED_GAMES


def test_the_champion_is_suggested_where_there_is_one(client: TestClient, settings: Settings) -> None:
    assert '<option value="champion">' in client.get("/new/checkers-v0").text
    parlour.register("examples.games.tic_tac_toe")
    page = client.get("/new/tic_tac_toe-v0")
    assert page.status_code == 200
    assert '<option value="champion">' not in page.text
    assert parse_opponent("champion:2", find("checkers-v0"), settings).name == "champion:2"
    with pytest.raises(ValueError, match="beyond the limits"):
        parse_opponent("champion:99", find("checkers-v0"), settings)


def test_files_are_suggested_for_the_games_that_they_are_for(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"no network")
    named = Settings(
        settings.database, policies={"net": tmp_path / "net.onnx"},
        values={game: find(f"{game}-v0").folder / "champion.value" for game in ("checkers", "royal_ur")},
    )  # fmt: skip
    for game in ("checkers", "royal_ur", "agon"):
        files = [name for name in suggestions(find(f"{game}-v0"), named) if name.startswith(("policy:", "value:"))]
        assert files == [f"value:{game}"][: game != "agon"]


def test_value_networks_named_at_start_are_players(settings: Settings, tmp_path: Path) -> None:
    """By their names, alone or with a budget; never by a path, also not behind the name of a search."""
    game = find("checkers-v0")
    named = replace(settings, values={"mine": game.champion})
    with client_of(named) as client:
        assert '<option value="value:mine">' in client.get("/new/checkers-v0").text
        address = begin(client, **{"seat-1": "value:mine:2"})
        client.post(f"{address}/move", data={"move": "9-14"})
        answered(client, address)
        assert len(moves(client, address)) == 2
    with_ending, without = (parse_opponent(f"value:mine{ending}:2", game, named) for ending in (".value", ""))
    assert with_ending.identity == without.identity
    for text in (f"value:{game.champion}", f"mcts:100:value:{game.champion}", f"champion:2:{game.champion}"):
        with pytest.raises(ValueError, match=r"no network|can't be chosen"):
            parse_opponent(text, game, named)


def test_only_files_named_at_start_are_players(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"no network")
    named = Settings(settings.database, policies={"net": tmp_path / "net.onnx"})
    with pytest.raises(ValueError, match="not an ONNX model"):
        parse_opponent("policy:net", find("checkers-v0"), named)
    with pytest.raises(ValueError, match="can't be chosen here"):
        parse_opponent("policy:net:/../../net", find("checkers-v0"), named)
    with pytest.raises(ValueError, match="no network"):
        parse_opponent(f"policy:{tmp_path / 'net.onnx'}", find("checkers-v0"), named)


@pytest.mark.parametrize("name", PRINTED_GAMES)
def test_opponents_are_a_ladder_of_six(settings: Settings, name: str) -> None:
    """Under every variant; each can be chosen here; measured ones rise, and are those of the variant."""
    game = find(name)
    for variant in game.variants:
        found, told = grades(game, variant.name)
        assert len({grade.player for grade in found}) == 6
        for grade in found:
            assert parse_opponent(grade.player, game, settings).name == grade.player
        elo = [float(grade.note.removeprefix("Elo ").replace("−", "-")) for grade in found if grade.note]
        assert elo == sorted(elo)
        measured = {rung.player: round(rung.elo) for rung in rungs(game, variant.name)}
        assert len(elo) == (6 if measured else 0)
        assert elo == [measured[grade.player] for grade in found if measured]
        assert (variant.name in told) == bool(measured)


@pytest.mark.parametrize("name", ["blunder:0:greedy", "blunder:5:blunder:5:greedy", "blunder:5:value:/etc/passwd"])
def test_weakened_players_pass_the_same_checks(settings: Settings, name: str) -> None:
    with pytest.raises(ValueError, match=r"can.t be chosen|no network"):
        parse_opponent(name, find("checkers-v0"), settings)
