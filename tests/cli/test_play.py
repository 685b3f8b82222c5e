"""The command ``play``: a person types moves and words, and a player answers."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable
from itertools import takewhile

import numpy as np
import pytest

import parlour
from parlour.cli.boards import coloured, turned
from parlour.cli.play import AFTER, complete_moves
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.players.people.board import for_people
from parlour.players.people.rule_texts import goal
from parlour.records.standing import Standing
from parlour.testing.subject import random_action
from tests.support.cases import PRINTED_GAMES
from tests.support.command_line import Run, words
from tests.support.games import begun
from tests.support.texts import number

pytestmark = pytest.mark.usefixtures("_plain_wide_terminal")
SWORDS = "swords_and_shields"
PLAY = ("play", SWORDS, "--against", "random")
START = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s"
Transcript = tuple[list[str], list[str], list[str]]


@pytest.fixture(autouse=True)
def seeds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of the games that are begun without one."""
    seeds = [0] * 9
    monkeypatch.setattr("parlour.cli.play.secrets.randbelow", lambda _: seeds.pop(0))
    return seeds


def replies(out: str) -> list[str]:
    """What the other seats have played."""
    return re.findall(r"(?:random|greedy|easy) plays (\S+)", out)


def board_rows(out: str) -> list[str]:
    """The boards' rows in the order printed, without prompts."""
    return re.findall(r"[1-9] (?:[ (\[][socox.+*][ )\]]){8,9}[^\n]*", out)


def played_to_the_end(env: parlour.GameEnv, seat: int, opponent: str, type_move: Callable[[], str]) -> Transcript:
    """What a person in a seat types, by ``type_move``, what the other seats answer, and the boards that are shown."""
    player, typed, answers, boards = parse_player(opponent), [], [], []
    while not env.is_over():
        if env.agent_selection == f"player_{seat}":
            boards.append(for_people(env.ansi()))
            typed.append(type_move())
            env.step(env.parse_move(typed[-1]))
        else:
            answers.append(env.move_name(env.ask(player)))
            env.step(env.parse_move(answers[-1]))
    return typed, answers, boards


def test_play_shows_the_board_and_asks(run: Run) -> None:
    ran = run(*PLAY, stdin=["quit"])
    env = begun("swords_and_shields-v0")
    assert (ran.status, ran.err) == (0, "")
    assert for_people(env.ansi()) in ran.out
    assert ran.out.count("Swords> ") == 1
    above = ran.out[: ran.out.index(for_people(env.ansi()))].splitlines()
    assert len(above) == 3
    for word in ("?", "hint", "undo", "goal", "rules", "quit", "help"):
        assert word in above[2]
    assert goal(env.game, env.values).startswith(above[1].rstrip("."))
    assert "You are Swords, against random." in above[0]
    told = run(*PLAY, stdin=["goal", "help", "quit"]).out
    assert goal(env.game, env.values) in words(told)
    assert "position" in told
    assert "Choose a sword" in ran.out


@pytest.mark.parametrize("against", ["random", "greedy"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_game_to_its_end(run: Run, against: str, seat: int) -> None:
    """The person's moves are made up here beforehand, the opponent's coming from the seed; the transcript agrees."""
    variant = "tablut" if seat else "corner_escape"
    env = begun("swords_and_shields-v0", 12, variant=variant, max_plies=60)
    rng = np.random.default_rng(12)
    typed, expected, boards = played_to_the_end(env, seat, against, lambda: str(rng.choice(env.legal_moves())))
    ways = ("--against", against, "--seat", seat, "--variant", variant, "--seed", 12, "-o", "max_plies=60")
    ran = run("play", SWORDS, *ways, stdin=typed)
    assert (ran.status, ran.err) == (0, "")
    assert replies(ran.out) == expected
    returns = env.record().returns
    told = "" if returns[0] == returns[1] else f"You {'win' if returns[seat] > returns[1 - seat] else 'lose'}.\n"
    assert f"{for_people(env.ansi())}\n{told}{AFTER}\n" in ran.out
    place = 0
    for board in boards:
        place = ran.out.index(board, place) + 1
    assert ("plays" in ran.out[: ran.out.index(boards[0])]) == (seat == 1)


def test_play_with_three_seats_and_dice(run: Run) -> None:
    env = begun("pig-v0", 8, goal=60)
    typed, expected, _ = played_to_the_end(env, 2, "greedy", lambda: "hold")
    ran = run("play", "pig", "--seat", 2, "--seed", 8, "-o", "goal=60", stdin=typed)  # easy, which is greedy here
    assert (ran.status, ran.err) == (0, "")
    assert replies(ran.out) == expected
    assert f"{for_people(env.ansi())}\nYou lose.\n{AFTER}\n" in ran.out
    assert "Player 2> " in ran.out


def test_after_the_end_the_game_can_go_on(run: Run) -> None:
    """By taking the last ply back, or by a rematch, with the seats exchanged."""
    ran = run(
        *PLAY, "-o", "max_plies=2", stdin=["d9-d6", "record", "undo", "d9-d7", "castles", "swap", "record", "quit"]
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count(AFTER) == 3  # after each end, and after a word that is none of these
    first, second = replies(ran.out)[:2]
    assert f"1. d9-d6 2. {first}\n" in ran.out
    assert "You are Shields." in ran.out
    assert f"1. {replies(ran.out)[2]}\n" in ran.out
    assert second
    assert ran.out.count("Shields> ") == 2
    again = run(*PLAY, "-o", "max_plies=2", stdin=["d9-d6", "rematch", "record"])
    assert "You are Swords." in again.out


def test_the_seed_decides_what_the_opponent_plays(run: Run) -> None:
    answers = [tuple(replies(run(*PLAY, "--seed", seed, stdin=["d9-d6", "d6-d9"]).out)) for seed in (1, 1, 2, 3, 4)]
    assert answers[0] == answers[1]
    assert len(set(answers)) == 4


def test_a_question_mark_lists_all_moves(run: Run) -> None:
    env = begun("swords_and_shields-v0")
    ran = run(*PLAY, stdin=["?", "quit"])
    assert "> " + " ".join(env.legal_moves()) + " Swords>" in words(ran.out)


@pytest.mark.parametrize("prefix", ["d9", "d9-", "d9-d", "D9 d", "a"])
def test_a_prefix_lists_the_moves_that_begin_so(run: Run, prefix: str) -> None:
    env = begun("swords_and_shields-v0")
    plain = prefix.lower().replace(" ", "-")
    expected = [name for name in env.legal_moves() if name.startswith(plain)]
    ran = run(*PLAY, stdin=[prefix, "quit"])
    shown = ran.out.split("Swords> ")[1].strip().split(" ")
    assert shown == expected
    assert not replies(ran.out)


@pytest.mark.parametrize(
    "typed", [["D9-D6"], ["d9 d6"], ["d9d6"], ["  d9 - d6 "], ["d9", "d6"], ["d9-", "d6"], ["d9-d6-"], ["e9", "d9 d6"]]
)
def test_moves_are_typed_loosely(run: Run, typed: list[str]) -> None:
    """Capitals, spaces, signs, a piece and then a dot: the same ply. Words may stand among spaces, too."""
    positions = [run(*PLAY, stdin=[*each, "  position ", " quit "]).out.splitlines()[-2] for each in (["d9-d6"], typed)]
    assert positions[0] == positions[1]
    assert "plies=2" in positions[0]


@pytest.mark.parametrize("typed", [["11x18x25"], ["11 25"], ["11-18", "18-25"]])
def test_a_whole_turn_is_typed_as_one_move(run: Run, typed: list[str]) -> None:
    begin = ["play", "checkers", "--against", "random", "--position", "B:W15,22,32:B1,11"]
    out = run(*begin, stdin=[*typed, "position", "quit"]).out
    assert re.search(r"Black> B:W(27|28):B1,25 .*plies=3\n", out)
    out = run(*begin, stdin=[*typed[:1], "undo", "position", "quit"]).out
    assert re.search(r"Black> B:W15,22,32:B1,11 steps=0 king_steps=0\n", out)


def test_undo_takes_back_the_ply_and_the_answer(run: Run) -> None:
    ran = run(*PLAY, stdin=["d9-d6", "position", "undo", "position", "d9-d6", "position", "quit"])
    assert ran.status == 0
    first, again = replies(ran.out)
    assert first == again  # the opponent's stream is taken back too
    positions = re.findall(r"Swords> (\S+ s plies=2 seen=\S+|\S+ s)\n", ran.out)
    assert len(positions) == 3
    assert positions[0] == positions[2] != positions[1] == START


def test_undo_again_and_again(run: Run) -> None:
    ran = run(*PLAY, stdin=["undo", "d9-d6", "e2-b2", "undo", "undo", "undo", "position", "i4-f4", "quit"])
    assert ran.out.count("no move to take back") == 2
    assert f"> {START}\n" in ran.out
    assert len(replies(ran.out)) == 3


def test_back_shows_the_board_of_some_plies_ago_and_what_followed(run: Run) -> None:
    ran = run(*PLAY, stdin=["d9-d6", "back", "back 2", "back 3", "back x", "position", "quit"])
    first, start = (answer.split("\nThen: ")[0] for answer in ran.out.split("Swords> ")[2:4])
    env = begun("swords_and_shields-v0")
    assert start == for_people(env.ansi())
    env.step(env.parse_move("d9-d6"))
    assert first == for_people(env.ansi())
    assert f"\nThen: 1. d9-d6 2. {replies(ran.out)[0]}\n" in ran.out
    assert ran.out.count("give a number of plies, 1 to 2.") == 2
    assert len(re.findall(r"Swords> \S+ s plies=2 ", ran.out)) == 1  # nothing was taken back


def test_eval_says_where_it_knows_no_value(run: Run) -> None:
    out = run("play", "crown_and_anchor", "--against", "random", stdin=["eval", "quit"]).out
    assert "No player values positions of more than two seats.\n" in out


@pytest.mark.parametrize("seat", [0, 1])
def test_eval_is_from_the_persons_side(run: Run, seat: int) -> None:
    out = run(*PLAY, "--seat", seat, stdin=["eval", "quit"]).out
    env = begun("swords_and_shields-v0")
    if seat:
        env.step(env.ask(parse_player("random")))  # as the game does: searches draw from the same stream
    value = Standing(env).value(env).value
    assert value is not None
    shown = re.search(r"by the champion: ([+−]?\d\.\d\d) for you", out)
    assert shown is not None
    assert number(shown[1]) == pytest.approx(-value if seat else value, abs=0.006)


def test_undo_in_the_second_seat_keeps_the_opponents_first_ply(run: Run) -> None:
    ran = run(*PLAY, "--seat", 1, stdin=["e7-g7", "undo", "undo", "position", "quit"])
    first = replies(ran.out)[0]
    env = begun("swords_and_shields-v0")
    env.step(env.parse_move(first))
    assert f"Shields> {env.position()}\n" in ran.out
    assert ran.out.count("no move to take back") == 1


def test_position_and_quit_tell_how_to_go_on(run: Run) -> None:
    """The words after 'To continue' work on a command line, and continue exactly there."""
    ran = run(*PLAY, stdin=["d9-d6", "position", "quit"])
    [shown] = re.findall(r"Swords> (\S+ s plies=2 seen=\S+)\n", ran.out)
    [rest] = re.findall(r"You have left\. To continue: (.*)\n", ran.out)
    option, position = shlex.split(rest)
    assert (option, position) == ("--position", shown)
    again = run(*PLAY, option, position, stdin=["position", "undo", "quit"])
    assert f"> {shown}\n" in again.out
    assert "no move to take back" in again.out
    assert "ply 3" in again.out


def test_play_from_a_position(run: Run) -> None:
    """One ply from the end: the Chief walks out, or is taken."""
    ran = run(*PLAY, "--seat", 1, "--position", "9/9/9/9/2c6/9/9/6s2/9 o plies=11", stdin=["c5-a5"])
    assert ran.status == 0
    assert f"Shields win: the Chief has escaped\nYou win.\n{AFTER}\n" in ran.out
    assert not replies(ran.out)
    ran = run(*PLAY, "--position", "9/9/3s5/9/9/4c4/4o4/9/5s3 s", stdin=["d7-d4", "f1-f4"])
    assert ran.status == 0
    ran = run(*PLAY, "--seat", 1, "--position", "9/9/6c2/6s2/9/9/s8/9/6s2 s", stdin=[])
    assert ran.status == 0
    assert len(replies(ran.out)) == 1


def test_play_from_a_finished_position(run: Run) -> None:
    ran = run(*PLAY, "--position", "9/9/9/9/c8/9/9/6s2/9 s plies=11 end=escape")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("Shields win: the Chief has escaped\n")
    assert "> " not in ran.out


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("e9-e7", ["e9-e7 is not legal here: blocked by the sword on e8", "?"]),
        ("e7-e6", ["e7-e6 is not legal here: e7 holds a shield of the other side"]),
        ("a1-a2", ["a1-a2 is not legal here: a1 is empty"]),
        ("d9-e5", ["'d9-e5'", "help"]),
        ("e5-e5", ["'e5-e5' is no move", "d9-d6", "help"]),
        ("hello there", ["'hello there' is no move", "d9-d6"]),
        ("d9-x6", ["did you mean", "d9-d6"]),
        ("[bold]e9[/bold]", ["'[bold]e9[/bold]' is no move"]),
        (":smile:", ["':smile:' is no move"]),
        ("½ é \x00 \x1b", ["is no move"]),
        ("help", ["undo", "resign", "hint"]),
        ("eval", [" for you (1 is a win, −1 a loss).", ", by the champion: "]),
        ("back", ["Nothing has been played yet."]),
        ("goal", ["The shields bring their Chief", "the throne, empty"]),
        ("hint", ["champion would play", "Expected result (1 is a win"]),
        ("rules", ["Milton Bradley"]),
    ],
)
def test_what_is_no_move_changes_nothing(run: Run, typed: str, parts: list[str]) -> None:
    ran = run(*PLAY, stdin=[typed, "position", "d9-d6", "quit"])
    assert (ran.status, ran.err) == (0, "")
    answer = ran.out.split("Swords> ")[1]
    for part in parts:
        assert part in answer
    assert f"> {START}\n" in ran.out
    assert len(replies(ran.out)) == 1


def test_each_game_has_other_dice(run: Run, seeds: list[int]) -> None:
    seeds[:] = 3, 5
    shown = [run("play", "royal_ur", stdin=["quit"]).out for _ in range(2)]
    for seed, out, other in zip((3, 5), shown, shown[::-1]):
        position = begun("royal_ur-v0", seed).position()
        assert f"--position '{position}'" in out
        assert position not in other


def test_an_opponent_of_the_six(run: Run) -> None:
    """By its name in words, under the rules of the variant."""
    ran = run("play", "royal_ur", "--variant", "masters", "--against", "hard", stdin=["quit"])
    assert (ran.status, ran.err) == (0, "")
    assert "against hard." in ran.out


def test_resigning(run: Run) -> None:
    """A rematch may follow, or the move taken back."""
    ran = run("play", SWORDS, stdin=["d9-d6", "resign", "d6-d9"])
    assert (ran.status, ran.err) == (0, "")
    assert f"You give up; easy wins.\n{AFTER}\n" in ran.out
    assert len(replies(ran.out)) == 1
    ran = run(*PLAY, stdin=["d9-d6", "resign", "undo", "position", "resign"])
    assert ran.out.count(AFTER) == 1, "nothing has been played, so nothing follows"
    assert f"Swords> {START}\n" in ran.out


def test_the_board_is_turned_for_who_plays_from_the_other_side(run: Run) -> None:
    """In checkers Black sits above the board that books show; `flip` turns it back."""
    env = begun("checkers-v0")
    way = ("play", "checkers", "--against", "random")
    black, white = (run(*way, "--seat", seat, stdin=["flip"]).out for seat in (0, 1))
    board = for_people(env.ansi())
    ways = board, turned(board)
    assert [black.count(way) for way in ways] == [1, 1]
    assert black.index(ways[1]) < black.index(ways[0])
    asked = white.index("White> ")
    assert "\n29 | " in white[:asked]
    assert "32 | " in white[asked:]
    swapped = run(*way, stdin=["9-13", "resign", "swap"]).out
    assert "\n29 | " in swapped.partition("You are White.")[2]


def places(board: str) -> tuple[list[str], list[str]]:
    """The signs in a board's rows, as they are read, with brackets closed up; and the lines below."""
    lines = board.splitlines()
    below = next(number for number, line in enumerate(lines) if re.search("[A-Za-z]{3}", line))
    signs = re.findall(r"[\[(][^\])]*[\])]|[^\s\[(]+", "\n".join(lines[:below]))
    return [sign.replace(" ", "") for sign in signs], lines[below:]


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_a_turned_board_has_each_sign_upright(game: str) -> None:
    env, rng = begun(find(game).id, 1), np.random.default_rng(1)
    for _ in range(40):
        env.step(random_action(env, rng))
        (signs, below), (seen, same) = places(env.ansi()), places(turned(env.ansi()))
        assert seen == signs[::-1]
        assert same == below
        assert max(map(len, turned(env.ansi()).splitlines())) <= 80


def test_columns_of_a_turned_board_stay_columns() -> None:
    board = " 1 |[ b]  .  15   .   .\n 2 |  w   . ( 9)  .   x!\n   |  .   .   .   .   x\nBlack to act"
    assert turned(board).splitlines()[:3] == [
        " x   .   .   .   .  |",
        " x!  .  (9 ) .   w  | 2",
        " .   .   15  .  [b ]| 1",
    ]


@pytest.mark.parametrize("typed", [[], ["d9-d6"], ["?"], ["undo"]])
def test_the_end_of_the_input_leaves_the_game(run: Run, typed: list[str]) -> None:
    ran = run(*PLAY, stdin=typed)
    assert (ran.status, ran.err) == (0, "")
    assert "To continue: --position" in ran.out.splitlines()[-1]
    assert len(replies(ran.out)) == len([word for word in typed if "-" in word])


def test_the_tab_key_completes_legal_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    readline = pytest.importorskip("readline")
    before = readline.get_completer(), readline.get_completer_delims()
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    env = begun("swords_and_shields-v0")
    try:
        complete_moves(env)
        complete = readline.get_completer()

        def completions(text: str) -> list[str]:
            return list(takewhile(bool, (complete(text, k) for k in range(2000))))

        assert "-" not in readline.get_completer_delims()
        assert completions("d9-d") == ["d9-d6", "d9-d7", "d9-d8"]
        assert completions("") == env.legal_moves()
        assert completions("x") == []
        env.step(env.parse_move("d9-d6"))
        assert completions("e7") == [name for name in env.legal_moves() if name.startswith("e7")] != []
    finally:
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])


def test_a_game_without_a_goal_in_words_says_what_it_is(run: Run) -> None:
    game = find("pig")
    assert game.clauses == ([], [])
    out = run("play", "pig", "--against", "random", stdin=["goal", "quit"]).out
    assert words(out).count(f"{game.title}: {game.summary}") == 1


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_no_word_is_broken_at_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """All that a newcomer reads first: every line fits, and put together again it is the text."""
    monkeypatch.setenv("COLUMNS", "80")
    out = run("play", game, "--against", "random", "--seat", 1, stdin=["help", "goal", "?", "quit"]).out
    first = run("play", game, stdin=["quit"]).out.splitlines()
    assert len(first) <= 25  # one screen
    lines = [line for line in out.splitlines() if not line.startswith("You have left.") and "> " not in line]
    assert max(map(len, lines)) <= 80
    assert words(out).count(words(goal(find(game), parlour.make(find(game).id).values))) >= 1
    for _, meaning, _ in find(game).guide.LEGEND:
        assert meaning in words(out)


def test_boards_have_colours_where_there_are_any() -> None:
    for game in PRINTED_GAMES:
        env = begun(find(game).id, 1)
        board = coloured(env.ansi(), env.game.guide.LEGEND)
        assert board.plain == env.ansi()
        signs = {board.plain[span.start] for span in board.spans}
        styled = {sign[0] for sign, _, style in env.game.guide.LEGEND if sign[0].isalpha() and style and len(sign) < 3}
        assert signs <= styled
        assert bool(signs) == (
            find(game).name not in ("crown_and_anchor", "acey_ducey", "royal_ur")
        )  # which begin empty
    swords = coloured("   a  b  c\n9  .  s  c  9\nend", find(SWORDS).guide.LEGEND)
    assert {(swords.plain[span.start], str(span.style)) for span in swords.spans} == {
        ("s", "bold red"), ("c", "bold yellow"),
    }  # fmt: skip
    assert all(span.start > 10 for span in swords.spans)
