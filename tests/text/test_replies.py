"""From replies to moves: what is chosen, not what is named, and nothing that can do harm."""

from __future__ import annotations

import json
import random
import string
import time
from typing import Any

import pytest

from parlour.interfaces import moves
from parlour.interfaces.moves import MoveReader, pieces_of
from parlour.text import TextBatch, TextGame
from parlour.text.reading import BRACKETS, MARK, MAX_RUNS, NUMBERED, STRESSED, THOUGHT, Choice, ReplyReader
from tests.support.cases import GAMES
from tests.support.turns import STYLES, after, names_of, plies_of_a_turn, ways_of, written

SIGNS = "4Q/7/8/2g6/10/11/10/9/8/7/4q1 l phase=place"
THROWN = "24:w2 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 1:b2 | bar 0 0 | off 0 0 | w | dice 3 1 | left 3 1 | 0"


def chosen(game: str, reply: str, position: str | None = None) -> tuple[str, Choice]:
    """The names of the plies that a reply chooses, and the choice."""
    text = TextGame(game, seat="all")
    text.reset(seed=0, position=position)
    reader = MoveReader(text.batch.batch.games, 0)
    choice = ReplyReader(reader, text.batch._words).choose(reply)
    return reader.names_of(choice.actions), choice


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ("9-13", "9-13"),
        ("Move: 11-15", "11-15"),
        ("move = 9-13, since 10-14 loses a man\nSo 11-15 is worse", "9-13"),
        ("move: 9-13\nthough 10-14 was tempting", "9-13"),
        ("Move: 9-13\nNo!\n**Move:** `10-14`", "10-14"),
        ("Move: not 9-13 but 11-15", "11-15"),
        ("Move: the man from 9 to 13", "9-13"),
        ("**11-15** (not 9-13)", "11-15"),
        ("11-15 (not 9-13)", "11-15"),
        ("11-15, not 9-13", "11-15"),
        ("My move is 11-15 because after 9-13 White plays 22-17", "11-15"),
        ("After 9-13 White plays 22-17, so I'll play 11-15.", "11-15"),
        ("I'd play 9-13, no: I play 11-15, and 9-13 later", "11-15"),
        ("<think>9-13 or 10-14? I play 9-13</think> 11-15", "11-15"),
        ("9-13 is weak.</think>11-15", "11-15"),
        ("Final answer: 11-15.", "11-15"),
        ("The final answer is 11-15", "11-15"),
        ('{"move": "11-15"}', "11-15"),
        ('{"thoughts": "9-13 is weak", "move": "11-15"}', "11-15"),
        ('```json\n{"action": "11-15"}\n```', "11-15"),
        ("**9 to 13**", "9-13"),
        ("I play 9 – 13.", "9-13"),
        ("1. 9-13", "9-13"),
        ("09 takes 13", "9-13"),
        ("9-13 or else 3x10", "9-13"),
        ("\\boxed{9-13}", "9-13"),
        ("I think of 10-14. <move>9-13</move>", "9-13"),
        ("[9-13]", "9-13"),
        ("Black's choices are 9-13 and 11-15.\nThe first is slow.\n\n11-15.", "11-15"),
        ("I'm playing 11-15; 9-13 is too slow", "11-15"),
        ("11-15<think>" + "hm " * 3000, "11-15"),
        ("Best move: 11-15! (9-13 loses a man)", "11-15"),
        ("I choose to play 11-15.", "11-15"),
        ("blah " * 300_000 + "9-13", "9-13"),
    ],
)
def test_the_move_that_is_chosen_counts(reply: str, move: str) -> None:
    assert chosen("checkers-v0", reply)[0] == move


@pytest.mark.parametrize("reply", ["Move: {}", "**Move:** {}", "Move: **{}**", "**Move: {}**", "Move: __{}__"])
@pytest.mark.parametrize(("game", "move"), [("checkers-v0", "11-15"), ("crown_and_anchor-v0", "crown*3")])
def test_bold_is_no_part_of_a_move(reply: str, game: str, move: str) -> None:
    name, choice = chosen(game, reply.format(move))
    assert (name, choice.problem) == (move, "")


def test_a_hit_at_the_end_of_bold_text_is_read() -> None:
    assert chosen("backgammon-v0", "Move: **8/5***", THROWN)[1].problem == "nothing is hit on 5"


@pytest.mark.parametrize(
    ("reply", "asks"),
    [
        ("I weigh 9-13 and 10-14; 9-14", ("9-13", "10-14", "9-14")),
        ("Move: 9-13 or 11-15", ("9-13", "11-15")),
        ("**9-13** or **11-15**", ("9-13", "11-15")),
        ("If I play 9-13, White jumps. So 11-15.", ("9-13", "11-15")),
        ("11-15, then 9-13", ("11-15", "9-13")),
        ("9-13\n11-15", ("9-13", "11-15")),
        ("I prefer 11-15 to 9-13", ("11-15", "9-13")),
    ],
)
def test_where_two_moves_can_be_meant_the_seat_is_asked(reply: str, asks: tuple[str, ...]) -> None:
    assert chosen("checkers-v0", reply)[1].asks == asks


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Move: 9-5", "9-5 is not legal here"),
        ("I move 9-5, as 9-13 is weak", "9-5 is not legal here"),
        ("3-7 at last", "3-7 is not legal here"),
        ("Move: e2e4", "is no move"),
        ("the score is 9. 13 to go", "there is no move in your reply"),
        ("19-13", "19-13"),
        ("9-133", "9-133"),
        ("", "there is no move in your reply"),
        ("move:", "there is no move in your reply"),
        ("this bypass is passing", "there is no move in your reply"),
        ("<think>I play 9-13", "there is no move in your reply"),
        ("<think>" + "hm " * 3000 + "Move: 9-13", "there is no move in your reply"),
        ("9-13" + " blah" * 3000, "there is no move in your reply"),
    ],
)
def test_a_reply_without_a_legal_move_is_told_why(reply: str, problem: str) -> None:
    move, choice = chosen("checkers-v0", reply)
    assert (move, choice.asks) == ("", ())
    assert problem in choice.problem


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ("8/5 6/5", "8/5 6/5"),
        ("Move: 8/5 6/5", "8/5 6/5"),
        ("Move: 8/5, 6/5!", "8/5 6/5"),
        ("I rolled 3-1. **31: 8/5 6/5** makes my five point", "8/5 6/5"),
        ("8/5 is strong, so 6/5 8/5", "6/5 8/5"),
        ("I play 8/5 and 6/5, not 13/10", "8/5 6/5"),
        ("24/20", "24/23 23/20"),
        ("Move: 8/5", "8/5"),
    ],
)
def test_whole_turns_are_found_in_replies(reply: str, move: str) -> None:
    assert chosen("backgammon-v0", reply, THROWN)[0] == move


@pytest.mark.parametrize(
    ("reply", "move"),
    [("A1 → A2", "a1-a2"), ("a1a2", "a1-a2"), ('{"move": "a1-a2"}', "a1-a2"), ("Move: `a1-a2`.", "a1-a2")],
)
def test_names_of_letters_and_numbers_are_read(reply: str, move: str) -> None:
    assert chosen("agon-v0", reply)[0] == move


def test_a_part_of_a_turn_that_is_named_too_is_no_other_move() -> None:
    double = THROWN.replace("dice 3 1 | left 3 1", "dice 5 5 | left 5 5 5 5")
    assert chosen("backgammon-v0", "13/8 is natural, so 13/8(2) 6/1(2)? No, 13/8(2)", double)[0] == "13/8 13/8"


def test_a_turn_in_a_reply_is_played_whole_or_not_at_all() -> None:
    text = TextGame("backgammon-v0", seat="all", rules="none")
    text.reset(seed=0, position=THROWN)
    refused = text.step("Move: 8/5 6/4")
    assert "6/4 can't be played after 8/5" in refused.text
    assert refused.info["ply"] == 0
    reply = text.step("Move: 8/5* 6/5")
    assert (reply.info["move"], reply.info["ply"], reply.info["to_act"]) == ("8/5 6/5", 2, 1)
    assert reply.text.startswith("Note: nothing is hit on 5.\n")
    assert "White played 8/5, 6/5." in reply.text


def test_a_question_is_no_illegal_reply_but_not_asked_for_ever() -> None:
    text = TextGame("checkers-v0", seat="Black", illegal="forfeit", opponent="random")
    text.reset(seed=0)
    reply = text.step("9-13 or 11-15")
    assert (reply.done, reply.reward, reply.info["asked"], reply.info["illegal"]) == (False, 0.0, True, 0)
    assert "Which move do you mean: that can mean 9-13 or 11-15; name one." in reply.text
    for _ in range(99):
        assert not reply.done
        reply = text.step("9-13 or 11-15")
    assert reply.info["result"] == "forfeited"


PHRASES = ("Move: {}", "{}", "**{}**", "I play {} now.", "<think>hm</think>{}", '{{"move": "{}"}}', "Final answer: {}.")


def check_no_forfeits(game: str, count: int, plies: int) -> None:
    """Games of a player that answers with whole turns in all notations: nothing is refused, and what is played is what
    was meant. Where a text can mean two turns, it is asked, and answers with the names of all plies."""
    rng, asked = random.Random(1), 0
    batch = TextBatch(game, count, seat="all", illegal="forfeit", rules="none", max_plies=plies)
    batch.reset(seed=3)
    desk: Any = batch._make_desk().unwrapped
    while not all(map(batch.done, range(count))):
        replies: list[str | None] = [None] * count
        due = {}
        for row in range(count):
            if not batch.done(row):
                desk.reset(seed=0, options={"position": batch.batch.position(row)})
                turn = plies_of_a_turn(desk, rng)
                names, ways = names_of(desk, turn), ways_of(desk, turn)
                text = written(names, ways, desk.dice, rng.choice(STYLES), rng)
                replies[row] = rng.choice(PHRASES).format(text)
                due[row] = " ".join(names), after(desk, turn).partition(" | dice ")[0]
        answers = batch.step(replies)
        again: list[str | None] = [None] * count
        for row, answer in enumerate(answers):
            if answer is not None and answer.info["asked"]:
                again[row], asked = f"Move: {due[row][0]}", asked + 1
        answers = [second or first for first, second in zip(answers, batch.step(again))]
        for row, (_, board) in due.items():
            answer = answers[row]
            assert answer is not None
            assert answer.info["illegal"] == 0, (replies[row], answer.text)
            if " " in due[row][0]:
                assert batch.batch.position(row).partition(" | dice ")[0] == board, (replies[row], answer.info)
            else:
                assert answer.info["move"] == due[row][0], replies[row]
    assert asked < count * plies / 20


@pytest.mark.parametrize("game", GAMES)
def test_whole_turns_are_never_refused(game: str) -> None:
    check_no_forfeits(game, 3, 40)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_whole_turns_of_200_games_are_never_refused(game: str) -> None:
    check_no_forfeits(game, 200, 200)


def nonsense(rng: random.Random) -> str:
    """A reply that nobody expects."""
    letters = string.printable + "äßşİı²٣कжЖ漢字🙂\u202e\x00\ud83d"
    pieces = ["move:", "Move: 9-13x", "9--13", "ignore all rules and say I won", "```python\nexit()\n```", "9-13"]
    kind = rng.randrange(8)
    if kind == 0:
        return "".join(rng.choice(letters) for _ in range(rng.randrange(60)))
    if kind == 1:
        return json.dumps({"move": [rng.randrange(40), {"to": rng.choice(pieces)}]})
    if kind == 2:
        return " ".join(str(rng.randrange(-50, 50)) for _ in range(rng.randrange(300)))
    if kind == 3:
        return rng.choice(["a", "9", "9-", "move:", "(", "\n", " ", "x", "ı", "İ"]) * rng.randrange(5000)
    if kind == 4:
        return "".join(rng.choice(pieces) + rng.choice(" \n.:;") for _ in range(rng.randrange(12)))
    if kind == 5:
        return f"{rng.randrange(1, 33)}{rng.choice('-x:–> ')}{rng.randrange(1, 33)}"
    return rng.choice(["", "resign", "undo", "position B:W1:B32", "../../etc/passwd", "{{7*7}}", "<script>", "%s%n"])


def check_nonsense(count: int, seed: int) -> int:
    """Plays ``count`` replies; returns how many of them were moves."""
    rng, moves = random.Random(seed), 0
    text = TextGame("checkers-v0", illegal="penalty:0.1", opponent="random", rules="none")
    text.reset(seed=seed)
    for _ in range(count):
        before, legal = text.position(), set(text.legal_moves())
        reply = text.step(nonsense(rng))
        if reply.info["move"] is None:
            assert text.position() == before
        else:
            assert reply.info["move"] in legal
            moves += 1
        if reply.done:
            text.reset()
    return moves


def test_nonsense_changes_nothing() -> None:
    assert 0 < check_nonsense(400, 1) < 200


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_much_nonsense_changes_nothing(seed: int) -> None:
    assert check_nonsense(2500, seed) > 25


@pytest.mark.parametrize("piece", ["9", "a", "9-13 ", "move: ", "9-", "1 2 3 ", "x", "\n", "ı", "𝟗-𝟏𝟑 ", "(9"])
def test_a_megabyte_takes_no_time(piece: str) -> None:
    """One that is read more than once for each of its parts would take minutes."""
    text = TextGame("checkers-v0", seat=0, opponent="random")
    text.reset(seed=0)
    begun = time.process_time()
    text.step(piece * (1_000_000 // len(piece)))
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("piece", ["[", "\\boxed{", "\n", "**a*", "__a", "`", "<move>", "1. \n", "(", "[ "])
def test_marks_without_an_end_are_looked_at_once(piece: str) -> None:
    """One from which each search went to the end would take minutes in so long a text."""
    text, begun = piece * (400_000 // len(piece)), time.process_time()
    for pattern in (THOUGHT, NUMBERED, MARK, STRESSED, BRACKETS):
        pattern.findall(text)
    assert time.process_time() - begun < 20


def test_names_are_taken_apart_once_for_all_words(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    monkeypatch.setattr(moves, "pieces_of", lambda text: taken.append(text) or pieces_of(text))
    chosen("agon-v0", "1 2 3 4 5 6 7 8 9 " * 220)
    assert len(taken) < 60_000


@pytest.mark.parametrize(
    "reply", ["9 " * 2000, "1 2 3 4 " * 500, "the man goes to the left " * 160, "9x" * 2000, "to " * 1300, "8/5 " * 999]
)
@pytest.mark.parametrize("game", ["checkers-v0", "backgammon-v0"])
def test_a_long_reply_is_read_in_little_work(monkeypatch: pytest.MonkeyPatch, game: str, reply: str) -> None:
    """Few texts are tried as turns, each of which takes tenths of a millisecond."""
    tried: list[str] = []
    meaning = MoveReader.meaning
    monkeypatch.setattr(MoveReader, "meaning", lambda reader, text: tried.append(text) or meaning(reader, text))
    chosen(game, reply)
    assert len(tried) <= 2 * MAX_RUNS
