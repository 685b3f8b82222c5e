"""`TextGame` and `TextBatch`: what is told, what is played, and that one seed fixes everything."""

from __future__ import annotations

import copy
import pickle
import random
import re
from typing import Any

import numpy as np
import pytest

from parlour.players import GamesView
from parlour.records.replaying import replay
from parlour.rulebook.state_records import as_record
from parlour.text import Reply, TextBatch, TextGame
from parlour.text.seating import Conversation
from tests.support.cases import GAMES

LEGAL = re.compile(r"Legal moves: (.+?)(?: … |\n|$)")


def first_legal(message: str) -> str:
    """A frozen text policy's view: the first of the legal moves that a message lists."""
    found = LEGAL.findall(message)
    return f"I think. Move: {found[-1].split(' ')[0]}" if found else "?"


def frozen(conversation: Conversation) -> str:
    """A text policy that plays the first legal move."""
    assert conversation[-1]["role"] == "user"
    return first_legal(conversation[-1]["content"])


def played(game: TextGame, seed: int, rng: random.Random, limit: int = 3000) -> tuple[list[str], Reply]:
    """A game of random moves: all messages, and the last reply."""
    messages = [game.reset(seed=seed)]
    for _ in range(limit):
        reply = game.step(f"Move: {rng.choice(game.legal_moves())}")
        messages.append(reply.text)
        if reply.done:
            return messages, reply
    raise AssertionError("the game does not end")


def test_a_copy_is_a_game_of_its_own() -> None:
    game = TextGame("checkers-v0", seat="all")
    game.reset(seed=0)
    for copied in (copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))):
        twin, before = copied(game), game.position()
        game.step(game.legal_moves()[0])
        assert twin.position() == before
        assert twin.step(twin.legal_moves()[0]).text
        assert twin.position() == game.position()


def transcripts(num_games: int, steps: int, seed: int, **arguments: Any) -> list[list[str]]:
    """What each of N rows is told when every reply is chosen by the row's own messages; some are nonsense."""
    batch = TextBatch("acey_ducey-v0", num_games, opponent="random", opening_plies=2, **arguments)
    told = [[message] for message in batch.reset(seed=seed)]
    for step in range(steps):
        replies = [
            None if batch.done(row) else "hm" if (row + step) % 7 == 0 else first_legal(lines[-1])
            for row, lines in enumerate(told)
        ]
        for lines, reply in zip(told, batch.step(replies)):
            if reply is not None:
                lines.append(f"{reply.text}|{reply.reward}|{reply.info}")
        over = [row for row in range(num_games) if batch.done(row)]
        if over:
            for row, message in enumerate(batch.reset(rows=over)):
                if row in over:
                    told[row].append(message)
    return told


# --- what is told ---


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end_in_words(game: str) -> None:
    text = TextGame(game, opponent="random", max_plies=60)
    messages, last = played(text, 3, random.Random(4))
    assert text.done
    assert text.legal_moves() == []
    assert last.info["result"] in ("won", "lost", "drawn", "unfinished")
    assert last.info["illegal"] == 0
    assert "Rules:" in messages[0]
    assert all("Rules:" not in message for message in messages[1:])
    assert "The game is over" in messages[-1]
    assert all("Legal moves: " in message for message in messages[:-1])


@pytest.mark.parametrize("view", ["board", "list", "text"])
@pytest.mark.parametrize("game", ["checkers-v0", "crown_and_anchor-v0"])
def test_the_views_show_the_position(game: str, view: str) -> None:
    text = TextGame(game, view=view, seat=0, rules="none", opponent="random")
    message = text.reset(seed=1)
    games = text.batch.batch.games
    board = games.game.drawing.ansi(as_record(games.states, 0), as_record(games.variants, 0))
    assert (board in message) == (view == "board" or (view == "list" and game.startswith("crown")))
    assert (text.position() in message) == (view != "board")
    if game == "checkers-v0":
        assert ("square 12, black man" in message) == (view == "list")


def test_a_message_tells_only_what_is_new() -> None:
    text = TextGame("royal_ur-v0", seat="Light", opponent="random")
    first = text.reset(seed=5)
    assert "You are Light (player_0)." in first
    reply = text.step(first_legal(first))
    assert reply.text.startswith("You played in. Dice: ")
    assert "Dark played" in reply.text
    assert "You are Light" not in reply.text
    assert set(re.findall(r"Dice: ([a-z, ]+)\.", reply.text)[0].split(", ")) <= {"blank", "marked"}


def test_without_legal_moves_none_is_listed() -> None:
    text = TextGame("checkers-v0", legal_moves=False, seat=0, opponent="random")
    message = text.reset(seed=0)
    assert "Legal moves" not in message
    reply = text.step("Move: 1-2")
    assert "There are 7 legal moves" in reply.text
    assert "9-13" not in reply.text


# --- one seed fixes everything ---


def check_the_same_transcripts(num_games: int, steps: int) -> None:
    once, again = (transcripts(num_games, steps, 11) for _ in range(2))
    assert "\n".join(map("\n".join, once)).encode() == "\n".join(map("\n".join, again)).encode()
    assert len({lines[0] for lines in once}) > num_games // 3
    assert transcripts(num_games, steps, 12) != once
    assert transcripts(num_games, steps, 11, threads=2) == once


def test_the_same_seed_gives_the_same_transcripts() -> None:
    check_the_same_transcripts(12, 40)


@pytest.mark.long
def test_the_same_seed_gives_256_times_the_same_transcripts() -> None:
    check_the_same_transcripts(256, 300)


def test_a_row_plays_as_a_game_of_its_own() -> None:
    arguments: dict[str, Any] = {"opponent": "random", "opening_plies": 3, "illegal": "random"}
    batch = TextBatch("royal_ur-v0", 5, **arguments)
    messages = batch.reset(seed=9)
    for row in range(5):
        alone = TextGame("royal_ur-v0", **arguments)
        assert alone.reset(seed=batch.seed_of(row)) == messages[row]
    for _ in range(20):
        replies = [None if batch.done(row) else "nonsense" for row in range(5)]
        answers = batch.step(replies)
        if alone.done:
            break
        assert answers[4] == alone.step("nonsense")


def test_seats_are_drawn_by_the_seed() -> None:
    batch = TextBatch("checkers-v0", 64, opponent="random")
    batch.reset(seed=1)
    seats = [batch.to_act(row) for row in range(64)]
    assert 16 < sum(seats) < 48
    assert [TextGame("checkers-v0").reset(seed=batch.seed_of(row)) for row in range(3)] == TextBatch(
        "checkers-v0", 3
    ).reset(seed=[batch.seed_of(row) for row in range(3)])


# --- who sits where ---


def test_the_opponent_is_the_player_that_is_named() -> None:
    text = TextGame("checkers-v0", seat="White", opponent="greedy", rules="none")
    text.reset(seed=0)
    assert text.to_act == 1
    _, last = played(text, 0, random.Random(1))
    assert last.info["result"] == "lost"
    assert last.reward == -1


def test_a_text_policy_is_told_its_side_and_never_cheated() -> None:
    heard: list[Conversation] = []

    def policy(conversation: Conversation) -> str:
        heard.append(conversation)
        return frozen(conversation)

    text = TextGame("checkers-v0", seat="Black", opponent=policy, max_plies=30)
    played(text, 0, random.Random(0))
    assert "You are White (player_1)." in heard[0][0]["content"]
    assert len(heard[-1]) > 5
    assert [part["role"] for part in heard[-1]] == ["user", "assistant"] * (len(heard[-1]) // 2) + ["user"]


def test_a_text_policy_without_legal_moves_forfeits() -> None:
    text = TextGame("checkers-v0", seat="Black", opponent=lambda conversation: "I resign!", illegal="retry:1")
    message = text.reset(seed=0)
    reply = text.step(first_legal(message))
    assert (reply.done, reply.reward, reply.info["result"]) == (True, 1.0, "opponent_forfeited")
    assert "White has forfeited" in reply.text


def test_every_seat_may_be_the_callers() -> None:
    text = TextGame("checkers-v0", seat="all", max_plies=40)
    message, seats = text.reset(seed=2), []
    while True:
        seats.append(text.to_act)
        reply = text.step(first_legal(message))
        message = reply.text
        if reply.done:
            break
    assert set(seats) == {0, 1}
    assert sum(reply.info["rewards"]) == 0


def test_many_seats_take_several_opponents() -> None:
    text = TextGame("crown_and_anchor-v0", seat=1, opponent=["random", "greedy", frozen], rounds=3)
    message = text.reset(seed=3)
    while not text.done:
        message = text.step(first_legal(message)).text
    assert "player_" in message


@pytest.mark.parametrize(("game", "opponent"), [("checkers-v0", "greedy"), ("royal_ur-v0", frozen)])
def test_a_game_has_a_record(game: str, opponent: Any) -> None:
    text = TextGame(game, opponent=opponent, opening_plies=3, illegal="random", max_plies=50)
    _, last = played(text, 4, random.Random(3))
    record = text.batch.record(0, ["one", "two"])
    assert len(record.moves) == last.info["ply"]
    assert record.players == ["one", "two"]
    *_, shown = replay(record, "here")
    assert shown.position() == text.position()
    if game == "royal_ur-v0":
        text.reset()
        with pytest.raises(ValueError, match="was not begun by a seed"):
            text.batch.record(0)


def test_a_record_begins_where_the_game_began() -> None:
    text = TextGame("checkers-v0", seat="all")
    text.reset(seed=0, position="B:W32:BK24 steps=0 king_steps=0")
    text.step("24-27")
    assert text.batch.record(0).moves == ["24-27"]


# --- illegal replies ---


def test_retries_are_counted_and_then_the_game_is_forfeited() -> None:
    text = TextGame("agon-v0", seat="Light", illegal="retry:2", opponent="random")
    text.reset(seed=0)
    before = text.position()
    first = text.step("Move: a1-k6")
    assert (first.done, first.reward, first.info["retries"], first.info["move"]) == (False, 0.0, 1, None)
    assert "is no move" in first.text or "not legal" in first.text
    assert text.position() == before
    second = text.step("no idea")
    assert "there is no move in your reply" in second.text
    third = text.step("")
    assert (third.done, third.reward, third.info["result"], third.info["illegal"]) == (True, -1.0, "forfeited", 3)
    with pytest.raises(ValueError, match="game 0 is over"):
        text.step("a1-a2")
    text.reset(seed=0)
    assert text.position() == before
    assert not text.done


def test_a_reason_is_given() -> None:
    text = TextGame("checkers-v0", seat="Black", opponent="random")
    text.reset(seed=0)
    assert "9-5 is not legal here: a man moves forward only" in text.step("Move: 9-5").text


def test_penalties_are_taken_and_the_game_goes_on() -> None:
    text = TextGame("checkers-v0", seat=0, illegal="penalty:0.25", opponent="random")
    message = text.reset(seed=0)
    assert [text.step("?").reward for _ in range(3)] == [-0.25] * 3
    reply = text.step(first_legal(message))
    assert (reply.reward, reply.info["illegal"], reply.info["retries"]) == (0.0, 3, 3)
    for _ in range(100):
        reply = text.step("?")
    assert reply.info["result"] == "forfeited"


def test_a_random_move_may_stand_in() -> None:
    text = TextGame("checkers-v0", seat=0, illegal="random", opponent="random")
    text.reset(seed=0)
    reply = text.step("?")
    assert reply.info["ply"] == 2
    assert reply.info["move"] is None
    assert "A legal move was drawn" in reply.text


# --- the judge ---


def test_the_judge_says_what_a_ply_loses() -> None:
    text = TextGame("checkers-v0", seat=0, judge="expectimax:3", opponent="random")
    position = "B:W18,31,32:B15,K30 steps=0 king_steps=0"
    lost = {}
    for move in ("15x22", "15-19"):
        message = text.reset(seed=0, position=position)
        assert "15x22" in message
        reply = text.step(f"Move: {move}")
        lost[move] = reply.info["value_lost"]
    assert lost["15-19"] is None  # it is not legal: jumping is compulsory
    assert lost["15x22"] == 0  # it is the only move
    losses = {}
    for move in ("24-27", "24-19"):
        text.reset(seed=0, position="B:W32:BK24 steps=0 king_steps=0")
        losses[move] = text.step(f"Move: {move}").info["value_lost"]
    assert losses["24-27"] > 0.5  # the man on 32 takes the king
    assert losses["24-19"] == 0


def test_the_judge_changes_no_game() -> None:
    with_judge, without = TextGame("royal_ur-v0", judge="mcts:20"), TextGame("royal_ur-v0")
    told = [played(text, 5, random.Random(2))[0] for text in (with_judge, without)]
    assert told[0] == told[1]


def discounted(text: TextGame, seed: int, gamma: float, rng: random.Random) -> tuple[float, float]:
    """Σ γᵗ of the rewards of a game with some illegal replies, and Φ at its first message."""
    text.reset(seed=seed)
    values = text.batch._judge.consider(GamesView(text.batch.batch.games), 0).values  # type: ignore[union-attr]
    total, weight = 0.0, 1.0
    while not text.done:
        reply = "none" if rng.random() < 0.2 else rng.choice(text.legal_moves())
        total += weight * text.step(reply).reward
        weight *= gamma
    assert values is not None
    return total, float(values[0])


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaped_rewards_differ_from_the_result_by_a_constant(gamma: float) -> None:
    """Whatever is played, the discounted sums differ by Φ of the first position: so the best policies stay the best
    (Ng, Harada and Russell 1999). Illegal replies are steps too."""
    settings: dict[str, Any] = {"seat": 0, "judge": "expectimax:2", "max_plies": 30, "illegal": "penalty:0.1"}
    plain = TextGame("checkers-v0", **settings)
    shaped = TextGame("checkers-v0", reward="shaped", gamma=gamma, **settings)
    for seed in range(3):
        (result, value), (total, _) = (discounted(text, 6, gamma, random.Random(seed)) for text in (plain, shaped))
        assert total == pytest.approx(result - value)


@pytest.mark.parametrize("judge", ["champion:2", "expectimax:1"])
def test_the_champion_and_searches_are_judges(judge: str) -> None:
    text = TextGame("checkers-v0", seat=0, judge=judge)
    text.reset(seed=1)
    lost = []
    for _ in range(12):
        lost.append(text.step(text.legal_moves()[-1]).info["value_lost"])
    assert min(lost) >= 0
    assert max(lost) > 0


# --- bad input ---


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seat": 2}, "seat=2 is not valid; valid: 0 to 1, 'Black' and 'White'"),
        ({"illegal": "retry:-1"}, "illegal='retry:-1' is not valid"),
        ({"illegal": "penalty:nan"}, "valid: 'retry:2'"),
        ({"illegal": None}, "illegal=None is not valid"),
        ({"view": "svg"}, "view 'svg' is not valid"),
        ({"rules": "long"}, "rules 'long' is not valid"),
        ({"opponent": "nobody"}, "there is no player 'nobody'"),
        ({"opponent": ["random", "random"]}, "2 opponents were given; give one for all other seats, or 1"),
        ({"judge": "random"}, "judge='random' does not value positions"),
        ({"reward": "shaped"}, "needs a judge"),
        ({"gamma": 1.5}, "gamma must be a finite number from 0 to 1, not 1.5"),
        ({"opening_plies": -1}, "opening_plies must be a whole number from 0 up, not -1"),
        ({"draw_rule": "wcdg"}, "draw_rule"),
        ({"variant": "american_"}, "variant"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        TextGame("checkers-v0", **arguments)


def test_replies_are_checked_and_change_nothing() -> None:
    batch = TextBatch("checkers-v0", 2, seed=3)
    with pytest.raises(AssertionError, match="reset"):
        batch.step(["", ""])
    batch.reset()
    before = [batch.batch.position(row) for row in range(2)]
    wrong: list[Any] = [["9-13"], "no", ["9-13", 3], ["9-13", b"9-13"]]
    for replies in wrong:
        with pytest.raises(ValueError, match="repl"):
            batch.step(replies)
    assert [batch.batch.position(row) for row in range(2)] == before
    with pytest.raises(ValueError, match="there is no game 2"):
        batch.reset(rows=[2])
    with pytest.raises(ValueError, match="seed"):
        batch.reset(seed=-1)
    assert [batch.batch.position(row) for row in range(2)] == before
    answers = batch.step([None, "nonsense"])
    assert answers[0] is None
    assert np.all([batch.batch.position(row) == position for row, position in enumerate(before)])


def test_a_long_opening_that_leaves_no_game_is_refused() -> None:
    with pytest.raises(ValueError, match="take fewer opening_plies"):
        TextGame("checkers-v0", opening_plies=50, max_plies=20).reset(seed=0)
