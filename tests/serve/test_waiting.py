"""Slow players and hints: nobody else waits for them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from parlour.interfaces.aec import GameEnv
from parlour.players.search.mcts import Mcts
from parlour.players.value_players import ValuePlayer
from parlour.serve.workers import PLAYER_THREADS
from tests.serve.playing import answered, begin, click, hint, moves


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What slow work waits for: set at the end of a test, if not before."""
    made = threading.Event()
    yield made
    made.set()


def waits_for(released: threading.Event, work: Any) -> Any:
    def slow(*arguments: Any) -> Any:
        assert released.wait(60)
        return work(*arguments)

    return slow


def plays_here(client: TestClient) -> None:
    """A game of two plies is played and saved as a page."""
    game = begin(client)
    client.post(f"{game}/move", data={"move": "9-14"})
    answered(client, game)
    assert len(moves(client, game)) == 2
    assert "9-14" in client.get(f"{game}/replay.html").text


def test_slow_players_keep_no_other_game_waiting(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mcts, "choose", waits_for(released, Mcts.choose))
    slow = [begin(client, **{"seat-0": "mcts:2", "seat-1": "person"}) for _ in range(PLAYER_THREADS + 2)]
    plays_here(client)
    assert "thinking" in client.get(slow[0]).text
    released.set()
    for game in slow:
        answered(client, game)
        assert len(moves(client, game)) == 1


def test_a_slow_ply_keeps_no_other_game_waiting(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the first ply of a game, for which rules are compiled."""
    step = GameEnv.step

    def slow(env: GameEnv, action: Any) -> None:
        assert env.game.name != "pig" or released.wait(60)
        step(env, action)

    monkeypatch.setattr(GameEnv, "step", slow)
    game = begin(client, "pig-v0", **{"seat-1": "person"})
    with ThreadPoolExecutor(1) as beside:
        posted = beside.submit(client.post, f"{game}/move", data={"move": "hold"})
        plays_here(client)
        assert not posted.done()
        released.set()
        assert posted.result().status_code == 200
    assert moves(client, game)[0] == "hold"


def test_a_click_on_a_page_that_another_click_has_made_old_plays_nothing(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(client, **{"seat-1": "person"})
    page = client.get(game).text
    monkeypatch.setattr(GameEnv, "step", waits_for(released, GameEnv.step))
    with ThreadPoolExecutor(2) as beside:
        both = [beside.submit(click, client, game, page, clicks) for clicks in (["9", "14"], ["10", "15"])]
        time.sleep(0.3)
        released.set()
        assert sum("The game has changed" in one.result() for one in both) == 1
    assert len(moves(client, game)) == 1


def test_a_deleted_game_stays_deleted(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if its player was thinking when it was deleted."""
    monkeypatch.setattr(Mcts, "choose", waits_for(released, Mcts.choose))
    game = begin(client, **{"seat-0": "mcts:2", "seat-1": "person"})
    client.post(f"{game}/delete")
    released.set()
    time.sleep(0.5)
    assert client.get(game).status_code == 404


def test_hints_and_players_answer_in_a_game_without_end(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of simulations takes no longer than the time that people may give."""
    monkeypatch.setattr("parlour.players.people.advice.HINT_SECONDS", 0.3)
    monkeypatch.setattr("parlour.serve.opponents.MAX_THINKING", 0.3)
    rules = {"option-rounds": str(2**31 - 1)}
    game = begin(client, "crown_and_anchor-v0", **rules, **{"seat-1": "person", "others": "person"})
    hint(client, game)  # compiles
    assert 'class="hint"' in client.post(f"{game}/hint").text
    player = "mcts:20000"
    game = begin(client, "crown_and_anchor-v0", **rules, **{"seat-0": player, "seat-1": player, "others": player})
    client.post(f"{game}/step")
    assert len(moves(client, game)) == 1


def test_a_hint_that_does_not_come_is_said(
    client: TestClient, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board stays, the hint can be asked for again, and one at a time is looked for."""
    monkeypatch.setattr("parlour.serve.sessions.MAX_HINT", 0.5)
    think = "parlour.serve.sessions.advise"
    monkeypatch.setattr(think, waits_for(released, lambda *given: None))
    game = begin(client)
    with ThreadPoolExecutor(1) as beside:
        asked = beside.submit(client.post, f"{game}/hint")
        time.sleep(0.2)
        assert "A hint is on its way" in client.post(f"{game}/hint").text
        answer = asked.result().text
    assert "There is no hint after 0.5 seconds" in answer
    assert 'id="board"' in answer
    released.set()
    monkeypatch.undo()
    assert 'class="hint"' in client.post(f"{game}/hint").text


def test_a_hint_that_fails_says_why(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(client)

    def fails(*given: Any) -> Any:
        raise KeyError("colour")

    monkeypatch.setattr(ValuePlayer, "consider", fails)
    assert "There is no hint: 'colour'" in unescape(client.post(f"{game}/hint").text)
