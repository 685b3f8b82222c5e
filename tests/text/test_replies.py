"""From replies to moves: the last thing that can be a move, and nothing that can do harm."""

from __future__ import annotations

import json
import random
import string
import time

import pytest

from parlour.text import TextGame
from parlour.text.reading import MAX_NAMED, Names

CHECKERS = {0: "9-13", 1: "9-14", 2: "10-14", 3: "11-15", 4: "22x31"}
AGON = {0: "a5-b5", 1: "@c4", 2: "pass"}
SIGNS = {0: "c4^", 1: "@c4"}


def meant(legal: dict[int, str], reply: str) -> tuple[int, ...] | None:
    """The actions that a reply can mean; None if there is no move in it."""
    names = {*legal.values(), "1-2", "3x10"}
    found = Names(legal, lambda text: text in names).find(reply)
    return None if found is None else found.actions


@pytest.mark.parametrize(
    ("legal", "reply", "actions"),
    [
        (CHECKERS, "9-13", (0,)),
        (CHECKERS, "I weigh 9-13 and 10-14; 9-14", (1,)),
        (CHECKERS, "Move: 11-15", (3,)),
        (CHECKERS, "move = 9-13, since 10-14 loses a man\nSo 11-15 is worse", (None,)),
        (CHECKERS, "move: 9-13\nthough 10-14 was tempting", (0,)),
        (CHECKERS, "Move: 9-13\nNo!\n**Move:** `10-14`", (2,)),
        (CHECKERS, "**9 to 13**", (0,)),
        (CHECKERS, "I play 9 – 13.", (0,)),
        (CHECKERS, "1. 9-13", (0,)),
        (CHECKERS, "22 takes 31", (4,)),
        (CHECKERS, "22-31", (4,)),
        (CHECKERS, "9-13 or else 3x10", ()),
        (CHECKERS, "the score is 9. 13 to go", None),
        (CHECKERS, "19-13", None),
        (CHECKERS, "9-133", None),
        (CHECKERS, "", None),
        (CHECKERS, "move:", None),
        (CHECKERS, "Move: e2e4", ()),
        (AGON, "A5 → B5", (0,)),
        (AGON, "a5b5", (0,)),
        (AGON, "I pass", (2,)),
        (AGON, "this bypass is passing", None),
        (AGON, '{"move": "a5-b5"}', (0,)),
        (AGON, "\\boxed{a5-b5}", (0,)),
        (AGON, "<move>@c4</move>", (1,)),
        (SIGNS, "@c4", (1,)),
        (SIGNS, "c4^", (0,)),
        (SIGNS, "c4", (0, 1)),
        (AGON, "a5-b5" + " blah" * 3000, None),
        (AGON, "blah " * 300_000 + "a5-b5", (0,)),
    ],
)
def test_the_last_thing_that_can_be_a_move_counts(
    legal: dict[int, str], reply: str, actions: tuple[int, ...] | None
) -> None:
    if actions == (None,):
        actions = (2,)  # the marked line counts, and in it the last move
    assert meant(legal, reply) == actions


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
    assert check_nonsense(2500, seed) > 50


@pytest.mark.parametrize("piece", ["9", "a", "9-13 ", "move: ", "9-", "1 2 3 ", "x", "\n", "ı", "𝟗-𝟏𝟑 ", "(9"])
def test_a_megabyte_takes_no_time(piece: str) -> None:
    """One that is read more than once for each of its parts would take minutes."""
    text = TextGame("checkers-v0", seat=0, opponent="random")
    text.reset(seed=0)
    begun = time.process_time()
    text.step(piece * (1_000_000 // len(piece)))
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    "reply", ["9 " * 2000, "1 2 3 4 " * 500, "the man goes to the left " * 160, "9x" * 2000, "to " * 1300]
)
def test_a_long_reply_without_a_move_is_read_in_little_work(reply: str) -> None:
    """Few texts are tried as names of actions, each of which takes microseconds."""
    tried: list[str] = []
    names = Names(CHECKERS, lambda text: bool(tried.append(text)))
    assert names.find(reply) is None
    assert len(tried) <= 3 * MAX_NAMED


def test_an_action_that_is_not_legal_is_found_by_words_of_names() -> None:
    found = Names(CHECKERS, lambda text: text == "pass", {"pass"}).find("I pass, though they may not")
    assert found is not None
    assert (found.text, found.actions) == ("pass", ())
