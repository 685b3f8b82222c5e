"""Texts of positions and names of moves: envs/swords_and_shields/README.md and docs/common_rules.md."""

from __future__ import annotations

import random
import re
from functools import partial
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from tests.support import texts
from tests.support.texts import play, standing

GAME = "swords_and_shields-v0"
VARIANTS = ("milton_bradley", "tablut", "corner_escape")
BOARD = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
FILES, RANKS = "abcdefghi", "123456789"
ACTIONS = 81 * 16
resumed = partial(texts.resumed, GAME)


def new(**options: Any) -> GameEnv:
    """A game from the set-up."""
    env = parlour.make(GAME, illegal_move="raise", **options)
    env.reset(seed=1)
    return env


def end_of(env: GameEnv) -> str:
    """The word for how a game has ended, or nothing."""
    return env.position().partition(" end=")[2]


def some_move(env: GameEnv, own_last: str, chance: random.Random) -> str:
    """A legal move, more often than not the one that takes the seat's latest back, so that positions come again."""
    back = own_last[3:] + "-" + own_last[:2]
    return back if back in env.legal_moves() and chance.random() < 0.7 else chance.choice(env.legal_moves())


# --- texts of games that go on ---


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("repetition", "max_plies", "end"),
    [(2, 0, "repetition"), (3, 40, "repetition"), (3, 9, "max_plies"), (0, 16, "max_plies")],
)
def test_a_resumed_game_goes_on_as_the_original(variant: str, repetition: int, max_plies: int, end: str) -> None:
    """“ply count […] and whatever else the rest of the game depends on included […] (under `repetition` the earlier
    occurrences too)”: games resumed after every ply go on like the original until they end with it."""
    options = {"variant": variant, "repetition": repetition, "max_plies": max_plies}
    ends = []
    for seed in range(3):
        chance = random.Random(seed)
        games = [new(**options)]
        moves = ["", ""]
        while not games[0].is_over():
            games.append(resumed(games[0].position(), **options))
            moves.append(some_move(games[0], moves[-2], chance))
            for env in games:
                play(env, moves[-1])
                assert env.position() == games[0].position()
                assert env.rewards == games[0].rewards
                assert env.terminations == games[0].terminations
                assert env.truncations == games[0].truncations
        for env in games:
            assert standing(env) == standing(games[0])
        ends.append(end_of(games[0]))
    assert end in ends


def test_text_of_the_set_up() -> None:
    """Nine rows, rank 9 first; the seat to act; what has its default is not written."""
    assert new().position() == f"{BOARD} s"


def test_text_in_mid_game() -> None:
    """“a list of `key=value` words, one space before each, in one fixed order”: `plies=`, then the occurrences."""
    env = play(new(), "d9-b9", "e7-b7")
    board = "1s2ss3/4s4/1o7/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
    assert re.fullmatch(f"{board} s plies=2 seen=[0-9a-f]{{16}},[0-9a-f]{{16}}", env.position())
    assert play(new(repetition=0), "d9-b9", "e7-b7").position() == f"{board} s plies=2"


def test_text_after_a_capture_forgets_what_cannot_come_again() -> None:
    """Only positions that could come again need to be kept."""
    env = resumed("9/9/2s6/6c2/9/9/2o6/2s6/9 s")
    play(env, "c2-b2", "g6-g5", "b2-c2", "g5-g6")
    assert " seen=" in env.position()
    play(env, "c7-c4")
    assert env.position() == "9/9/9/6c2/9/2s6/9/2s6/9 o plies=5"


@pytest.mark.parametrize("words", ["", " plies=0", " plies=7"])
def test_words_may_be_missing(words: str) -> None:
    """“on reading any may be missing (counters 0, […] the position its own first occurrence)”: the draw comes after
    as many rounds as from the set-up."""
    env = resumed(f"{BOARD} s{words}", repetition=2)
    play(env, "d9-b9", "e7-b7", "b9-d9")
    assert not env.is_over()
    play(env, "b7-e7")
    assert end_of(env) == "repetition"


def test_a_text_of_seen_alone_reads() -> None:
    """Any of the words may be missing, `plies=` before `seen=` too; what `seen=` tells still counts."""
    env = play(new(), "d9-b9", "e7-b7", "b9-d9", "b7-e7")
    text = env.position().replace(" plies=4", "")
    assert " seen=" in text
    again = resumed(text)
    assert again.position() == text
    play(again, "d9-b9", "e7-b7", "b9-d9", "b7-e7")
    assert end_of(again) == "repetition"


def test_seen_counts_the_occurrences_before_the_present_one() -> None:
    """With two earlier ones the present one would be the third, which no running game can show; with one it goes on."""
    start = play(new(), "d9-b9").position()[-16:]
    assert resumed(f"{BOARD} s seen={start}").position() == f"{BOARD} s seen={start}"
    with pytest.raises(ValueError, match="seen= repeats"):
        resumed(f"{BOARD} s seen={start},{start}")
    env = play(resumed(f"{BOARD} s seen={start}"), "d9-b9", "e7-b7", "b9-d9", "b7-e7")
    assert end_of(env) == "repetition"


def test_an_option_may_differ_from_the_game_that_was_written() -> None:
    """Occurrences are of no use where `repetition` is off."""
    text = play(new(), "d9-b9", "e7-b7").position()
    assert resumed(text, repetition=0).position() == text[: text.index(" seen=")]


def test_none_is_no_position() -> None:
    """None stands for “not given”: a new game."""
    assert resumed(None).position() == f"{BOARD} s"


def test_neither_position_nor_seat_depends_on_what_was_before() -> None:
    """A text says all."""
    env = play(new(), "d9-b9")
    text = "9/9/9/9/9/2c6/9/9/s6o1 s plies=3"
    env.reset(options={"position": text})
    assert standing(env) == standing(resumed(text))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("9/9/9/9/9/2s6/9/2s6/9 o end=capture", {}),
        ("9/9/9/9/9/9/9/9/9 s end=capture", {}),
        ("9/9/9/9/9/9/9/9/3c5 s end=escape", {}),
        ("c8/9/9/9/9/9/9/9/9 s end=escape", {"variant": "corner_escape"}),
        ("9/9/9/9/6c2/9/9/o8/so7 s end=no_move", {}),
        ("9/9/9/9/6c2/9/9/9/9 s end=no_move", {}),
        (f"{BOARD} o plies=4 end=repetition", {}),
        (f"{BOARD} o plies=400 end=max_plies", {}),
    ],
)
def test_finished_games_can_be_written_by_hand(text: str, options: dict[str, Any]) -> None:
    """“only with it may a text show what no running game can (a captured Chief, a seat without men or move, a count at
    its limit)”."""
    env = resumed(text, **options)
    assert env.is_over()
    assert env.legal_moves() == []
    assert env.position() == text


# --- texts that are refused ---

ROWS = BOARD.split("/")


def board(**rows: str) -> str:
    """The set-up with other rows: ``board(r9="9")``."""
    return "/".join(rows.get(f"r{rank}", row) for rank, row in zip(range(9, 0, -1), ROWS))


KEY = "0123456789abcdef"
LONE = "9/9/9/9/6c2/9/9/9/s8"  # a sword and the Chief, free to move
STUCK_SWORD = "9/9/9/9/6c2/9/9/o8/so7"
STUCK_SHIELDS = "9/9/9/9/9/2ss5/1scos4/2ss5/9"

REFUSED: list[tuple[str, str]] = [
    # pieces
    (f"{board(r6='s3c3s')} s", "2 chiefs"),
    (f"{board(r7='4oo3')} s", "9 shields"),
    (f"{board(r9='3ssss2')} s", "17 swords"),
    (f"{board(r5='ssoo1ooss')} s", "chief"),
    (f"{board(r5='ssoo1ooss')} s plies=400 end=max_plies", "chief"),
    (f"{board(r5='ssoo1ooss')} s end=escape", "chief"),
    (f"{board(r5='ssoo1ooss')} s end=repetition", "chief"),
    ("9/9/9/9/9/9/9/9/9 s", "chief"),
    ("9/9/9/9/4s4/9/9/9/c8 s end=escape", "e5"),
    ("9/9/6c2/9/4s4/9/9/9/s8 s", "e5"),
    ("9/9/6c2/9/4o4/9/9/9/s8 s", "e5"),
    ("9/9/9/9/4o4/2s6/9/2s6/9 o end=capture", "e5"),
    # rows
    ("/".join(ROWS[:8]) + " s", "8 rows"),
    ("/".join([*ROWS, "9"]) + " s", "10 rows"),
    (f"{BOARD}/ s", "10 rows"),
    (f"/{BOARD} s", "10 rows"),
    (BOARD.replace("/", "") + " s", "1 rows"),
    (f"{board(r9='3sss4')} s", "rank 9 ('3sss4') has 10 cells"),
    (f"{board(r9='3sss2')} s", "rank 9 ('3sss2') has 8 cells"),
    (f"{board(r3='4o3')} s", "rank 3 ('4o3') has 8 cells"),
    (f"{board(r1='')} s", "rank 1 ('') has 0 cells"),
    (f"{board(r1='9s')} s", "rank 1 ('9s') has 10 cells"),
    (f"{board(r9='3sxs3')} s", "'x'"),
    (f"{board(r9='3sSs3')} s", "'S'"),
    (f"{board(r5='ssooCooss')} s", "'C'"),
    (f"{board(r9='...sss...')} s", "'.'"),
    (f"{board(r9='3sss30')} s", "'30'"),
    (f"{board(r9='03sss3')} s", "'03'"),
    (f"{board(r9='3s-s3')} s", "'-'"),
    (f"{board(r9='3sss³')} s", "'³'"),
    (f"{board(r9='3sss３')} s", "'３'"),
    (f"{board(r9='12sss3')} s", "rank 9 ('12sss3') has '12' where a number from 1 to 9 must be, alone"),
    (f"{board(r7='4o22')} s", "rank 7 ('4o22') has '22' where a number from 1 to 9 must be, alone"),
    (f"{BOARD}\n s", r"'\n'"),
    (BOARD.replace("/", "\\", 1) + " s", "8 rows"),
    # the seat to act
    ("", "seat to act"),
    (" ", "seat to act"),
    (BOARD, "seat to act"),
    (f"{BOARD} ", "seat to act"),
    (f"{BOARD} plies=3", "seat to act"),
    (f"{BOARD} x", "seat to act"),
    (f"{BOARD} c", "seat to act"),
    (f"{BOARD} S", "seat to act"),
    (f"{BOARD} so", "seat to act"),
    (f"{BOARD} swords", "seat to act"),
    (f"{BOARD} player_0", "seat to act"),
    (f"{BOARD}  s", "seat to act"),
    (f" {BOARD} s", "seat to act"),
    (f"{BOARD}\ts", "seat to act"),
    (f"s {BOARD}", "seat to act"),
    # words
    (f"{BOARD} s foo=1", "'foo=1'"),
    (f"{BOARD} s foo", "'foo'"),
    (f"{BOARD} s plies", "'plies'"),
    (f"{BOARD} s plies:3", "'plies:3'"),
    (f"{BOARD} s Plies=3", "'Plies=3'"),
    (f"{BOARD} s passes=1", "'passes=1'"),
    (f"{BOARD} s =3", "'=3'"),
    (f"{BOARD} s s", "'s'"),
    (f"{BOARD} s o", "'o'"),
    (f"{BOARD} s ", "''"),
    (f"{BOARD} s  plies=3", "''"),
    (f"{BOARD} s plies=3 ", "''"),
    (f"{BOARD} s plies=3 foo=1", "'foo=1'"),
    (f"{BOARD} s plies=3 passes=1 end=repetition", "'passes=1'"),
    (f"{BOARD} s foo=1 plies=3", "'foo=1'"),
    (f"{BOARD} s plies=3 plies=3", "plies= is repeated"),
    (f"{BOARD} s plies=3 plies=4", "plies= is repeated"),
    (f"{BOARD} s seen={KEY} seen={KEY}", "seen= is repeated"),
    (f"{LONE} s end=repetition end=repetition", "end= is repeated"),
    (f"{BOARD} s plies=3 seen={KEY} plies=3", "plies= is repeated"),
    (f"{BOARD} s seen={KEY} plies=3", "order plies= seen= end="),
    (f"{BOARD} s end=repetition plies=3", "order plies= seen= end="),
    (f"{BOARD} s end=repetition seen={KEY}", "order plies= seen= end="),
    # counts
    *[
        (f"{BOARD} s plies={digits}", f"plies={digits!r}")
        for digits in (
            "", "-1", "-0", "+1", "01", "00", "x", "1x", "0x10", "1.0", "1e2", "1_0", "1,0", "１", "1１", "²", "1\n",
            "\t1", "2147483648", "9999999999", "99999999999999999999999",
        )
    ],
    # earlier occurrences
    *[
        (f"{BOARD} s seen={keys}", "seen=")
        for keys in ("", "x", "1", KEY[1:], KEY + "0", KEY.upper(), f"{KEY},", f",{KEY}", f"{KEY};{KEY}", KEY + KEY,
                     f"{KEY},,{KEY}", f"{KEY}\n", "-" + KEY[1:])
    ],
    (f"{BOARD} s seen={KEY},{KEY},{KEY}", "seen= repeats"),
    # endings
    *[
        (f"{LONE} s end={end}", f"end={end!r}")
        for end in ("", "win", "Escape", "CAPTURE", "draw", "0", "no", "capture,escape")
    ],
    (f"{LONE} s end=capture", "end=capture"),
    (f"{LONE} s end=escape", "end=escape"),
    (f"{LONE} s end=no_move", "end=no_move"),
    (f"{LONE} o end=no_move", "end=no_move"),
    ("9/9/9/9/9/9/9/9/3c4s s", "end=escape"),
    ("9/9/9/9/9/9/9/9/3c4s o", "end=escape"),
    ("c8/9/9/9/9/9/9/9/8s o", "end=escape"),
    ("9/9/9/9/9/9/9/9/3c4s s end=repetition", "end=escape"),
    ("9/9/9/9/9/9/9/9/3c4s s end=no_move", "end=escape"),
    (f"{STUCK_SWORD} s", "end=no_move"),
    (f"{STUCK_SWORD} s end=repetition", "end=no_move"),
    (f"{STUCK_SWORD} s plies=400 end=max_plies", "end=no_move"),
    (f"{STUCK_SWORD} o end=no_move", "end=no_move"),  # the shields can move
    (f"{STUCK_SHIELDS} o", "end=no_move"),
    ("9/9/9/9/6c2/9/9/9/9 s", "end=no_move"),
    ("9/9/9/9/6c2/9/9/9/9 o", "no swords"),
    # the limit
    (f"{BOARD} s plies=400", "end=max_plies"),
    (f"{BOARD} s plies=401", "end=max_plies"),
    (f"{BOARD} s plies=2147483647", "end=max_plies"),
]  # fmt: skip

REFUSED_UNDER: list[tuple[str, str, dict[str, Any]]] = [
    (f"{BOARD} s plies=7", "end=max_plies", {"max_plies": 7}),
    (f"{BOARD} s end=max_plies", "end=max_plies", {"max_plies": 0}),
    (f"{BOARD} s plies=8 end=repetition", "no game with max_plies=7 ends after 8 plies", {"max_plies": 7}),
    (f"{BOARD} s plies=3 end=max_plies", "no game with max_plies=7 ends after 3 plies", {"max_plies": 7}),
    (f"{BOARD} s plies=3 end=max_plies", "end=max_plies", {"max_plies": 0}),
    (f"{BOARD} s end=repetition", "end=repetition", {"repetition": 0}),
    (f"{BOARD} s seen={KEY},{KEY}", "seen= repeats", {"repetition": 2}),
    ("s8/9/9/9/6c2/9/9/9/9 s", "a9", {"escape": "corner"}),
    ("9/9/9/9/6c2/9/9/9/8s s", "i1", {"escape": "corner"}),
    ("8o/9/9/9/6c2/9/9/9/1s7 s", "i9", {"escape": "corner"}),
    ("9/9/9/9/6c2/9/9/9/os7 s", "a1", {"variant": "corner_escape"}),
    ("c8/9/9/9/9/9/9/9/3s5 s", "end=escape", {"variant": "corner_escape"}),
    ("3c5/9/9/9/9/9/9/9/3s5 s end=escape", "end=escape", {"variant": "corner_escape"}),
    ("9/9/9/9/6c2/9/9/1o7/1so6 s", "end=no_move", {"variant": "corner_escape"}),
    ("9/9/9/9/3os4/3oo4/9/9/6c2 s", "e5", {"escape": "corner"}),
]

NO_TEXTS = [5, 0, 1.5, True, False, b"9/9/9/9/6c2/9/9/9/s8 s", [], ["9/9/9/9/6c2/9/9/9/s8 s"], (), {}, np.int64(3)]


def refusal(env: GameEnv, text: object) -> str:
    """What is said when a text is refused, and that nothing has changed by it: the game that was under way goes on."""
    before, rewards = standing(env), env.rewards
    with pytest.raises(ValueError) as caught:
        env.reset(seed=2, options={"position": text})
    assert standing(env) == before
    assert env.rewards == rewards
    assert not env.is_over()
    return str(caught.value)


@pytest.fixture(scope="module")
def mid_game() -> GameEnv:
    """A game under way, the same for all texts: none of them changes it."""
    return play(new(), "d9-b9", "e7-b7", "b9-d9", "b7-e7", "d9-b9")


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_malformed_texts_are_refused(mid_game: GameEnv, text: str, said: str) -> None:
    """“an unknown, repeated or malformed word is a `ValueError`” that names the text and what is wrong with it; the
    game that was under way stands as before and goes on."""
    message = refusal(mid_game, text)
    assert repr(text)[1:-1][:200] in message
    _, _, problem = message.partition(f"{text!r}: ")
    assert said in problem
    mid_game.clone().step(mid_game.parse_move("e7-c7"))


@pytest.mark.parametrize(("text", "said", "options"), REFUSED_UNDER)
def test_texts_that_the_options_forbid_are_refused(text: str, said: str, options: dict[str, Any]) -> None:
    """The same, for what depends on an option."""
    env = play(new(**options), "d9-b9", "e7-b7")
    _, _, problem = refusal(env, text).partition(f"{text!r}: ")
    assert said in problem
    play(env, "b9-d9")


@pytest.mark.parametrize("text", NO_TEXTS, ids=repr)
def test_what_is_no_text_is_refused(mid_game: GameEnv, text: object) -> None:
    """“Wrong types are `ValueError`s too”."""
    assert repr(text) in refusal(mid_game, text)


def test_a_refused_text_leaves_a_game_that_can_be_stepped() -> None:
    """The game that was under way goes on to its own end, with its own occurrences."""
    env = play(new(repetition=2), "d9-b9", "e7-b7", "b9-d9")
    refusal(env, f"{BOARD} s seen={KEY},{KEY}")
    play(env, "b7-e7")
    assert end_of(env) == "repetition"


def test_a_refused_text_before_any_game_leaves_none() -> None:
    """An environment that was never reset still isn't."""
    env = parlour.make(GAME)
    with pytest.raises(ValueError, match="seat to act"):
        env.reset(options={"position": "nonsense"})
    with pytest.raises(AssertionError, match="reset"):
        env.position()


def test_texts_at_the_limits_are_read() -> None:
    """The other side of the counts that are refused."""
    assert resumed(f"{BOARD} s plies=399").position() == f"{BOARD} s plies=399"
    assert resumed(f"{BOARD} s plies=2000000000", max_plies=0).position() == f"{BOARD} s plies=2000000000"
    assert resumed(f"{BOARD} s seen={KEY},{KEY}").position() == f"{BOARD} s seen={KEY},{KEY}"
    assert resumed("s7s/9/9/9/6c2/9/9/9/o7o o").legal_moves()  # corners, under escape=edge
    assert resumed("9/9/9/9/9/9/9/9/3c4s s end=escape").is_over()


# --- names of moves ---


def name_by_hand(action: int) -> str:
    """“1296 actions: 81 dots × 16 targets (8 in its rank, 8 in its file)”: the dots along the ranks from a1, the
    targets from file a, then from rank 1."""
    dot, place = divmod(action, 16)
    rank, file = divmod(dot, 9)
    others_of_rank = [FILES[f] + RANKS[rank] for f in range(9) if f != file]
    others_of_file = [FILES[file] + RANKS[r] for r in range(9) if r != rank]
    return FILES[file] + RANKS[rank] + "-" + (others_of_rank + others_of_file)[place]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seat", "so")
def test_names_of_all_actions(variant: str, seat: str) -> None:
    """“Every action has a **name** […], the same for all variants”; “Names and texts are absolute, the same for both
    seats”."""
    env = resumed(f"{BOARD} {seat}", variant=variant)
    assert env.action_space("player_0").n == ACTIONS
    names = [env.move_name(action) for action in range(ACTIONS)]
    assert names == [name_by_hand(action) for action in range(ACTIONS)]
    assert len(set(names)) == ACTIONS
    assert [env.parse_move(name) for name in names] == list(range(ACTIONS))


def test_a_step_moves_what_its_name_says() -> None:
    """From every dot to every other one of its rank and file, by the Chief, who alone may go everywhere."""
    for action in range(0, ACTIONS, 7):
        source, target = name_by_hand(action).split("-")
        corners = {"a1", "a9", "i1", "i9"}
        if source in corners or target in corners:
            continue
        spare = next(
            dot for dot in ("b2", "h8", "c4", "f7") if dot[0] not in source + target and dot[1] not in source + target
        )
        env = resumed(f"{text_of({source: 'c', spare: 's'})} o", escape="corner")
        env.step(action)
        assert env.position().startswith(f"{text_of({target: 'c', spare: 's'})} s")


def text_of(pieces: dict[str, str]) -> str:
    """The board of a position text."""
    rows = ("".join(pieces.get(file + rank, ".") for file in FILES) for rank in reversed(RANKS))
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", "d9", "d9d6", "d9-", "-d6", "D9-D6", "d9-D6", " d9-d6", "d9-d6 ", "d9-d6\n", "d9 - d6", "d9 d6",
        "d9–d6", "d9xd6", "d9-d6-d5", "e5-e5", "a1-b2", "d9-e7", "j1-a1", "a1-j1", "a0-a1", "a1-a0", "a1-a10", "a10-a1",
        "1a-2a", "pass", "0", "5", "d９-d6",
        5, 0, None, True, 1.5, b"d9-d6", ["d9-d6"], ("d9", "d6"),
    ],
    ids=repr,
)  # fmt: skip
def test_other_texts_are_no_names(mid_game: GameEnv, text: Any) -> None:
    """A `ValueError` that names the text and the position, wrong types too."""
    before = standing(mid_game)
    with pytest.raises(ValueError) as caught:
        mid_game.parse_move(text)
    assert repr(text) in str(caught.value)
    assert repr(mid_game.position()) in str(caught.value)
    assert standing(mid_game) == before


@pytest.mark.parametrize(
    "action", [-1, -1296, 1296, 10**9, 2**63, -(2**70), "x", "0", None, True, False, 1.0, [1], np.bool_(True)], ids=repr
)
def test_other_indices_have_no_name(mid_game: GameEnv, action: Any) -> None:
    """“`move_name` raises for an index that can never be played”; “Wrong types are `ValueError`s too; booleans are not
    counts”."""
    with pytest.raises(ValueError) as caught:
        mid_game.move_name(action)
    assert (repr(action) if not isinstance(action, int) or isinstance(action, bool) else str(action)) in str(
        caught.value
    )
