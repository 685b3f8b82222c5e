"""Records of games: written, read back, played again; and what is no record, or not a true one, is refused by name."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import REQUIRED as NAMES
from parlour.players import parse_players
from parlour.records import GameRecord, read_records, record_game, replay, write_records
from parlour.records.replaying import WHOLE_TURN
from tests.support.cases import VARIANTS

SWORDS = "swords_and_shields-v0"
each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)


@functools.cache
def recorded(game: str, variant: str | None, players: str, seed: int, **values: Any) -> GameRecord:
    env = parlour.make(game, variant=variant, **values)
    return record_game(env, parse_players(players, len(env.possible_agents)), seed)


def short_game() -> GameRecord:
    """Six plies without a result, for two seats."""
    return recorded(SWORDS, "tablut", "random,greedy", 5, max_plies=6)


def play_again(record: GameRecord) -> list[str]:
    """The positions that replaying goes through; its errors begin with 'here'."""
    return [env.position() for env in replay(record, "here")]


# --- round trip ---


@each_variant
def test_round_trip(game: str, variant: str, tmp_path: Path) -> None:
    records = [recorded(game, variant, players, seed) for players in ("random", "greedy") for seed in (0, 1, 2**62)]
    path = tmp_path / "games.jsonl"
    write_records(path, records)
    assert read_records(path) == records
    for record in read_records(path):
        assert len(play_again(record)) == len(record.moves) + 1


@pytest.mark.parametrize("game", ["backgammon-v0", "checkers-v0"])
def test_moves_may_be_whole_turns(game: str, tmp_path: Path) -> None:
    """As books write them. What can't be played stands as it is, and `replay` says why."""
    record = recorded(game, None, "greedy,random", 3)
    turns: list[list[str]] = [[]]
    after = [bool(env.games.states["turn_over"][0]) for env in replay(record, "here")]
    for move, is_over in zip(record.moves, after[1:]):
        turns[-1].append(move)
        turns += [[]] if is_over else []
    path = tmp_path / "games.jsonl"
    written = replace(record, moves=[" ".join(turn) for turn in turns if turn])
    assert len(written.moves) < len(record.moves)
    write_records(path, [written])
    assert read_records(path) == [record]
    wrong = replace(written, moves=[*written.moves[:3], "no such move", *written.moves[3:]])
    write_records(path, [wrong])
    assert read_records(path) == [wrong]
    with pytest.raises(ValueError, match=r"here, ply \d+: "):
        play_again(wrong)


def test_a_file_has_one_json_object_a_line(tmp_path: Path) -> None:
    """JSON texts may hold U+2028 and U+0085 as they are: they are no line breaks."""
    names = ["José", "李\u2028\n"], ["a\u2028b", "c\x85d"]
    records = [short_game(), *(replace(short_game(), players=players) for players in names)]
    path = tmp_path / "games.jsonl"
    write_records(path, records)
    assert read_records(path) == records
    text = path.read_bytes().decode("utf-8")
    assert text.endswith("\n")
    lines = text.split("\n")[:-1]
    assert [json.loads(line) for line in lines] == [line_contents(record) for record in records]
    assert [list(json.loads(line)) for line in lines] == [NAMES] * 3


def test_a_record_says_all_that_happened() -> None:
    env = parlour.make("pig-v0", variant="strict", players=4, fine=0.5)
    record = record_game(env, parse_players("random,greedy,random,greedy", 4), 11)
    assert (record.game, record.variant, record.seed, record.end) == ("pig-v0", "strict", 11, "goal")
    assert record.parlour == parlour.__version__
    assert record.players == ["random", "greedy", "random", "greedy"]
    assert record.options == {
        "players": 4, "goal": 20, "snake_eyes": True, "fine": 0.5, "bank": "points", "max_plies": 0,
    }  # fmt: skip
    again = parlour.make("pig-v0", variant="strict", players=4, fine=0.5)
    again.reset(seed=11)
    returns = np.zeros(4)
    for move in record.moves:
        again.step(again.parse_move(move))
        returns += list(again.rewards.values())
    assert again.is_over()
    assert record.returns == returns.tolist()
    assert again.position() == env.position()


def test_the_same_seed_is_the_same_record() -> None:
    first, second, other = (record_game(parlour.make(SWORDS), parse_players("greedy", 2), seed) for seed in (3, 3, 4))
    assert first == second
    assert first.moves != other.moves


def test_record_game_plays_in_the_environment_that_it_is_given() -> None:
    env = parlour.make(SWORDS, max_plies=20)
    env.reset(seed=1)
    env.step(env.parse_move("d9-d6"))
    record = record_game(env, parse_players("random", 2), 8)
    assert env.is_over()
    assert record == recorded(SWORDS, None, "random", 8, max_plies=20)


def test_a_variant_of_option_values_is_recorded_by_the_name_that_it_stands_on() -> None:
    env = parlour.make("checkers-v0")
    env.reset(options={"variant": {"draw_rule": "none", "max_plies": 30}})
    record = record_game(env, parse_players("random", 2), 8)
    assert (record.variant, record.options["draw_rule"], record.end) == ("american", "none", "max_plies")
    assert len(play_again(record)) == 31


# --- replaying ---


@each_variant
def test_replay_gives_the_environment_before_the_first_ply_and_after_each(game: str, variant: str) -> None:
    record = recorded(game, variant, "random", 7)
    env = parlour.make(game, variant=variant)
    env.reset(seed=7)
    seen: list[GameEnv] = []
    for ply, shown in enumerate(replay(record, "here")):
        if ply:
            env.step(env.parse_move(record.moves[ply - 1]))
        assert shown.position() == env.position()
        assert shown.dice == env.dice
        if ply % 8 == 0 or env.is_over():  # drawing takes longest
            assert shown.svg() == env.svg()
        assert shown.is_over() == (ply == len(record.moves))
        seen.append(shown)
    assert len(seen) == len(record.moves) + 1
    assert all(shown is seen[0] for shown in seen)


@pytest.mark.parametrize("changes", [{"returns": [0, 0]}, {"parlour": "0.0.1"}, {"players": ["alpha", "beta"]}])
def test_replay_takes_whole_numbers_other_versions_and_players(changes: dict[str, Any]) -> None:
    """JSON knows one kind of number: 0 and 0.0 are the same."""
    assert len(play_again(replace(short_game(), **changes))) == 7


# --- what is no record: a key missing or more, wrong types, no JSON ---

WRONG_TYPES: dict[str, list[Any]] = {
    "game": [5, None, [], {}, True],
    "parlour": [5, None, ["0.1.0"], {}],
    "variant": [5, None, ["tablut"], {}, True],
    "options": [5, None, [], "", "tablut", [["repetition", 3]], {"max_plies": "6"}, {"max_plies": [6]}],
    "seed": [1.5, 5.0, "5", True, -1, [5], {}],
    "players": [5, None, "random", {}, [], ["random"], ["random"] * 3, [1, 2], [None, None]],
    "moves": [5, None, "d9-d6", {}, {"d9-d6": 0}],
    "returns": [5, None, "0", [], [0.0], [0.0] * 3, ["0.0", "0.0"], [None, None], [False, False], {}],
    "end": [5, None, [], {}, True],
    "position": [5, "here", [], {}, True],
    "dice": [5, "", [5], [[]], ["66"], [[1]], {}, True],
}
WRONG = [(key, value) for key, values in WRONG_TYPES.items() for value in values]


def line_of(record: GameRecord, **changes: Any) -> str:
    return json.dumps({**line_contents(record), **changes})


def line_contents(record: GameRecord) -> dict[str, Any]:
    return {name: value for name, value in asdict(record).items() if name in NAMES}


def without(key: str) -> Callable[[GameRecord], str]:
    return lambda record: json.dumps({name: value for name, value in line_contents(record).items() if name != key})


BROKEN_LINES: dict[str, tuple[Callable[[GameRecord], str], list[str]]] = {
    "not JSON": (lambda record: "d9-d6", ["not valid JSON"]),
    "deep nesting in an option": (
        lambda record: line_of(record, options={"max_plies": 0}).replace(
            '"max_plies": 0', f'"max_plies": {900 * "["}{900 * "]"}'
        ),
        ["options"],
    ),
    "an extra key": (lambda record: line_of(record, result="1-0"), ["unknown field `result`", *NAMES]),
    "an unknown game": (lambda record: line_of(record, game="chess-v0"), ["'chess-v0'", SWORDS]),
    "an unknown variant": (lambda record: line_of(record, variant="hnefatafl"), ["'hnefatafl'", "'tablut'"]),
    "an unknown option": (lambda record: line_of(record, options={"size": 9}), ["'size'", "'throne_hostile'"]),
    "a wrong value": (lambda record: line_of(record, options={"escape": "top"}), ["'escape'", "'top'", "'corner'"]),
    **{f"without {key}": (without(key), [f"missing required field `{key}`", *NAMES]) for key in NAMES},
}
BROKEN_FILES: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["empty"]),
    "binary": (bytes(range(256)), ["not a text file"]),
    "an image": (b"GIF89a\xf0\x00\xb4\x00\xf7\xff\x00\x00", ["not a text file"]),
    "nothing but line breaks": (b"\n \n", ["empty"]),
}


def refusal(path: Path) -> str:
    """The message with which the file is refused when it is read and all its games are played again."""
    with pytest.raises(ValueError, match=r".") as caught:
        for number, record in enumerate(read_records(path, strict=True), 1):
            list(replay(record, f"{path}, line {number}"))
    return str(caught.value)


@pytest.mark.parametrize("name", BROKEN_LINES)
def test_a_broken_line_is_refused_by_file_and_line(name: str, tmp_path: Path) -> None:
    build, parts = BROKEN_LINES[name]
    path = tmp_path / "games.jsonl"
    path.write_text(f"{short_game().line()}\n{build(short_game())}\n", encoding="utf-8")
    message = refusal(path)
    assert message.startswith(f"{path}, line 2")
    for part in parts:
        assert part in message


def test_blank_lines_are_no_games(tmp_path: Path) -> None:
    path, line = tmp_path / "games.jsonl", short_game().line()
    path.write_text(f"\n{line}\n \t\n{line}\n\n", encoding="utf-8")
    assert read_records(path, strict=True) == [short_game()] * 2
    path.write_text(f"\n{line}\n\nd9-d6\n", encoding="utf-8")
    with pytest.warns(UserWarning, match="1 of 2 games are left out: game 2, line 4: not valid JSON"):
        assert read_records(path) == [short_game()]


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_a_broken_file_is_refused_by_name(name: str, tmp_path: Path) -> None:
    content, parts = BROKEN_FILES[name]
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    message = refusal(path)
    assert message.startswith(str(path))
    for part in parts:
        assert part in message


@pytest.mark.parametrize(("key", "value"), WRONG, ids=[f"{key}={json.dumps(value)}" for key, value in WRONG])
def test_a_value_of_a_wrong_type_is_refused_by_file_line_and_key(key: str, value: object, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{short_game().line()}\n{line_of(short_game(), **{key: value})}\n", encoding="utf-8")
    message = refusal(path)
    assert message.startswith(f"{path}, line 2")
    named = "max_plies" if key == "options" and isinstance(value, dict) else key.removesuffix("s")
    named = "without dice" if value in ([[]], [[1]]) else named
    assert named in message.removeprefix(str(path))


def test_an_amount_too_large_for_a_float_is_refused() -> None:
    record = recorded("pig-v0", None, "random", 1)
    with pytest.raises(ValueError, match=r"here: .*'fine'.* is not valid"):
        play_again(replace(record, options={**record.options, "fine": 10**400}))


def test_an_unreadable_file_is_an_oserror(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(OSError, match=str(path)):
            read_records(path)


# --- what is not true ---


def whole_game() -> GameRecord:
    """A game with captures and a winner."""
    return recorded(SWORDS, "milton_bradley", "greedy,random", 2)


def check_refused(record: GameRecord, *parts: str) -> None:
    with pytest.raises(ValueError, match=r"^here") as caught:
        play_again(record)
    for part in parts:
        assert part in str(caught.value)


def test_the_games_tampered_with_are_true() -> None:
    assert whole_game().end == "capture"
    assert len(play_again(whole_game())) == len(whole_game().moves) + 1
    assert short_game().end == "max_plies"
    assert len(play_again(short_game())) == 7


@pytest.mark.parametrize("move", ["d9", "", "e5-e5", "j1-a1", "resign", 5, None, ["d9-d6"], True])
def test_an_unknown_move_is_refused_by_ply(move: Any) -> None:
    moves = list(whole_game().moves)
    for ply in (1, len(moves) // 2, len(moves)):
        check_refused(replace(whole_game(), moves=[*moves[: ply - 1], move, *moves[ply:]]), f"ply {ply}:", repr(move))


def test_an_illegal_move_is_refused_by_ply() -> None:
    """At every ply, a move that exists but is not legal there."""
    moves = whole_game().moves
    for ply, env in enumerate(replay(whole_game(), "here"), 1):
        if ply > len(moves):
            break
        legal = set(env.legal_moves())
        illegal = next(name for name in env.game.notation.MOVE_NAMES[ply:] if name not in legal)
        check_refused(
            replace(whole_game(), moves=[*moves[: ply - 1], illegal, *moves[ply:]]), f"ply {ply}:", f"play {illegal} ("
        )


def test_a_move_left_out_is_found() -> None:
    moves = whole_game().moves
    for ply in range(1, len(moves)):
        check_refused(replace(whole_game(), moves=moves[: ply - 1] + moves[ply:]), f"ply {ply}:")


def test_a_truncated_game_is_found() -> None:
    for kept in range(len(whole_game().moves)):
        check_refused(replace(whole_game(), moves=whole_game().moves[:kept]), "'capture'", "''")


def test_moves_in_another_order_are_found() -> None:
    moves = whole_game().moves
    for ply in range(1, len(moves)):
        swapped = [*moves[: ply - 1], moves[ply], moves[ply - 1], *moves[ply + 1 :]]
        check_refused(replace(whole_game(), moves=swapped), f"ply {ply}:")


def test_a_move_after_the_end_is_found() -> None:
    for record, end in ((whole_game(), "capture"), (short_game(), "max_plies")):
        ply = len(record.moves) + 1
        check_refused(replace(record, moves=[*record.moves, "d9-d6"]), f"ply {ply}:", "'d9-d6'", end)


def test_a_wrong_result_is_found() -> None:
    for returns in ([-1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [1.0], [1.0, -1.0, 0.0], [float("nan"), -1.0], [2.0, -2.0]):
        check_refused(replace(whole_game(), returns=returns), str(returns), "[1.0, -1.0]")


def test_a_wrong_end_is_found() -> None:
    for end in ("", "escape", "no_move", "repetition", "max_plies", "draw", "Capture", "capture "):
        check_refused(replace(whole_game(), end=end), repr(end), "'capture'")


def test_other_rules_are_found() -> None:
    record = short_game()
    check_refused(replace(record, options={**record.options, "max_plies": 5}), "ply 6:", "after the end")
    check_refused(replace(record, options={**record.options, "max_plies": 7}), "'max_plies'")
    check_refused(replace(record, game="pig-v0"), "'tablut'")
    escaped = recorded(SWORDS, "milton_bradley", "random", 0)
    assert escaped.end == "escape"
    check_refused(replace(escaped, options={**escaped.options, "escape": "corner"}))


def test_another_seed_throws_other_dice() -> None:
    record = recorded("pig-v0", "pig", "random", 3, goal=100)
    for seed in (2, 4, 3 + 2**32, 3 + 2**64):
        check_refused(replace(record, seed=seed))


def test_the_smallest_change_of_a_return_is_found() -> None:
    record = recorded("pig-v0", "pig", "greedy", 3, fine=0.1)
    for seat in range(3):
        returns = list(record.returns)
        returns[seat] += 1e-9
        check_refused(replace(record, returns=returns))


def test_a_record_without_an_option_is_refused() -> None:
    record = whole_game()
    for name in record.options:
        rest = {other: value for other, value in record.options.items() if other != name}
        check_refused(replace(record, options=rest), f"the option {name!r} is missing")
    check_refused(replace(record, game="swords_and_shields"), "'swords_and_shields'", f"'{SWORDS}'")


@pytest.mark.parametrize("move", ["a" * 1_000_000, "1" * 1_000_000 + "x", "a*" * 500_000, "-" * 1_000_000])
def test_a_move_of_a_million_letters_is_looked_through_once(move: str) -> None:
    """Not again from each letter, which would take hours."""
    assert WHOLE_TURN.search(move) is None
    assert WHOLE_TURN.search(f"{move}8/5 6/5")
