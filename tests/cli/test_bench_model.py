"""``parlour bench-model`` against a fake endpoint on loopback."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour.arena.ladder import ladder_of, rungs
from parlour.cli import commands
from parlour.interfaces.registry import find
from parlour.text.adapters import endpoint
from parlour.text.adapters.endpoint import Endpoint
from tests.support.fake_model import Model, fake_endpoint, plays, plays_random, talks_nonsense
from tests.support.pages import data_of

GAME, KEY = "royal_ur-v0", "a-key-of-mine"


def bench(
    model: Model, out: Path, *more: str, against: Sequence[str] = ("random", "greedy")
) -> tuple[Result, list[Any]]:
    """Runs the command; what it printed, and what the endpoint was asked."""
    with fake_endpoint(model) as server:
        result = CliRunner(env={"OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": KEY}).invoke(
            commands,
            ["bench-model", "royal_ur", "fake", "--view", "text", "--ladder-games", "60", "--out", str(out), *more]
            + [word for name in against for word in ("--against", name)],
        )
        return result, server.asked


def read(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "result.json").read_text())
    return found


@pytest.mark.parametrize(("name", "variant"), [("random", "masters"), ("greedy", "finkel")])
def test_a_model_is_rated_as_the_player_that_it_plays_like(name: str, variant: str, tmp_path: Path) -> None:
    """Without a ladder, as in the variant masters, and with one."""
    out = tmp_path / "run"
    model = plays_random if name == "random" else plays("greedy", GAME)
    result, asked = bench(model, out, "--games", "3", "--variant", variant)
    assert result.exit_code == 0, result.output
    rated = read(out)["ratings"]
    assert rated["fake"]["low"] <= rated[name]["value"] <= rated["fake"]["high"]
    assert abs(rated["fake"]["value"] - rated[name]["value"]) < abs(rated["greedy"]["value"] - rated["random"]["value"])
    assert read(out)["illegal_share"] == 0
    assert "illegal replies: 0.0 %" in result.output
    lines = [json.loads(line) for line in (out / "transcripts.jsonl").read_text().splitlines()]
    assert len(lines) == rated["fake"]["count"] == 12
    assert {(line["opponent"], line["seat"]) for line in lines} == {
        (player, seat) for player in ("random", "greedy") for seat in (0, 1)
    }
    assert sum(line["replies"] for line in lines) == len(asked)
    assert "The game is over" in lines[0]["messages"][-1]["content"]
    assert {path.name for path in out.iterdir()} == {"random.html", "greedy.html", "result.json", "transcripts.jsonl"}
    assert "fake" in str(data_of((out / "random.html").read_text()))
    assert asked[0][0]["Authorization"] == f"Bearer {KEY}"
    assert not any(KEY in path.read_text() for path in out.iterdir())


@pytest.mark.parametrize(("named", "players"), [((), 5), (("random", "greedy"), 2)])
def test_the_ladder_gives_the_scale(
    named: tuple[str, ...], players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rungs of a ladder keep their ratings, and play no games; by default some from the weakest to the strongest."""
    command = import_module("parlour.cli.bench_model")
    monkeypatch.setattr(command, "replay_page", lambda records: "")  # pages take most of the time
    ladder = {rung.player: rung for rung in rungs(GAME)}
    result, _ = bench(plays("greedy", GAME), tmp_path / "run", "--games", "1", against=named)
    assert result.exit_code == 0, result.output
    found = read(tmp_path / "run")
    rated = found["ratings"]
    assert rated.keys() == {*ladder, "fake"}
    assert all((rated[name]["value"], rated[name]["low"]) == (rung.elo, rung.low) for name, rung in ladder.items())
    assert rated["fake"]["low"] <= ladder["greedy"].elo <= rated["fake"]["high"]
    assert rated["fake"]["count"] == 2 * players
    met = {json.loads(line)["opponent"] for line in (tmp_path / "run" / "transcripts.jsonl").read_text().splitlines()}
    assert met == {*named} or ({"random", list(ladder)[-1]} < met <= {*ladder} and len(met) == players)
    assert found["ladder"] == ladder_of(find(GAME))[0].journal


def test_nonsense_forfeits_and_is_counted_apart(tmp_path: Path) -> None:
    result, asked = bench(talks_nonsense, tmp_path / "run", "--games", "3", "--illegal", "retry:1", "--price", "1,10")
    assert result.exit_code == 0, result.output
    rated = read(tmp_path / "run")["ratings"]
    assert rated["fake"]["value"] < rated["random"]["low"]
    assert read(tmp_path / "run")["illegal_share"] == 1
    assert len(asked) == 3 * 2 * 2 * 2
    lines = [json.loads(line) for line in (tmp_path / "run" / "transcripts.jsonl").read_text().splitlines()]
    assert {line["result"] for line in lines} == {"forfeited"}
    assert "a game: 200 tokens read, 20 written, 0.0004 at these prices" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["royal_ur", "m", "--price", "1"], "--price '1' is not of the form IN,OUT"),
        (["royal_ur", "m", "--against", "greedy", "--against", "greedy"], "--against names a player twice"),
        (["royal_ur", "m", "--against", "nobody"], "there is no player 'nobody'"),
        (["royal_ur", "m", "--illegal", "shrug"], "illegal='shrug' is not valid"),
        (["crown_and_anchor", "m"], "plays games of two seats"),
        (["royal_ur", "m", "--out", "."], "the folder is not empty"),
    ],
)
def test_arguments_are_checked_before_anything_is_asked(arguments: list[str], words: str) -> None:
    with fake_endpoint(talks_nonsense) as server:
        result = CliRunner(env={"OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": ""}).invoke(
            commands, ["bench-model", *arguments, "--ladder-games", "2"]
        )
        assert words in str(result.exception)
        assert not server.asked


def test_without_an_address_it_says_where_that_belongs() -> None:
    result = CliRunner(env={"OPENAI_BASE_URL": ""}).invoke(commands, ["bench-model", "royal_ur", "m"])
    assert "OPENAI_BASE_URL must hold the endpoint's address" in str(result.exception)


# --- the endpoint ---

CHAT = [{"role": "user", "content": "Legal moves: a b"}]


@pytest.mark.parametrize(
    ("address", "key", "words"),
    [
        ("ftp://here/v1", "", "must be an address"),
        ("localhost:8000", "", "must be an address"),
        ("http://models.example/v1", KEY, "must begin with https"),
    ],
)
def test_addresses_are_checked(address: str, key: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        Endpoint("m", address, key)
    assert KEY not in str(caught.value)


def test_a_busy_endpoint_is_asked_again() -> None:
    with fake_endpoint(plays_random) as server:
        server.faults = [429, 503]
        model = Endpoint("m", server.address, temperature=0.5)
        assert model(CHAT).startswith("Let me see")
        assert len(server.asked) == 3
        assert server.asked[0][1] == {"model": "m", "messages": CHAT, "temperature": 0.5}
        assert (model.requests, model.prompt_tokens, model.completion_tokens) == (1, 100, 10)


@pytest.mark.parametrize("status", [401, 302, 307])
def test_a_refusal_is_told_and_the_key_goes_nowhere_else(status: int) -> None:
    with fake_endpoint(plays_random) as server:
        server.faults = [status]
        with pytest.raises(ValueError, match=f"the endpoint answered {status}") as caught:
            Endpoint("m", server.address, KEY)(CHAT)
        assert KEY not in str(caught.value)
        assert len(server.asked) == 1


def test_an_endpoint_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "TRIES", 1)
    with pytest.raises(ValueError, match="the endpoint can't be asked"):
        Endpoint("m", "http://127.0.0.1:9/v1", timeout=1)(CHAT)


@pytest.mark.parametrize("reply", [None, 7, ["a"]])
def test_a_reply_that_is_no_text_is_told(reply: Any) -> None:
    with fake_endpoint(lambda chat: reply) as server:
        if reply is None:
            assert Endpoint("m", server.address)(CHAT) == ""
        else:
            with pytest.raises(ValueError, match="the endpoint's reply is no text"):
                Endpoint("m", server.address)(CHAT)
