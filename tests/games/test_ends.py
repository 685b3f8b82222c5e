"""Ends of games: what all games share of them (docs/common_rules.md), by positions of each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from tests.support.cases import GAMES
from tests.support.games import begun
from tests.support.texts import play, resumed, standing

AGON, CHECKERS, SWORDS = "agon-v0", "checkers-v0", "swords_and_shields-v0"
ACEY, BACKGAMMON, CROWN, UR = "acey_ducey-v0", "backgammon-v0", "crown_and_anchor-v0", "royal_ur-v0"
HOME = "2g2q/7/8/5G3/4G5/4G{}G4/4GG4/9/8/7/{} l"
KINGS = "B:WK4,K12:BK29,K21"
KINGS_ROUND = "29-25 4-8 25-29 8-4"
BOARD = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s"
BOARD_ROUND = "d9-b9 e7-b7 b9-d9 b7-e7"
QUEENS = "5q/7/5g2/9/10/11/10/9/2G5/7/Q5 l"
QUEENS_ROUND = "a1-a2 k6-k5 a2-a1 k5-k6"
CHIPS = "chips {} | banker 0 | throws {} | bets {} | player_0 | dice 1 2 3 | 9"
MEN = "{} 1:w1 | bar 0 {} | off 14 {} | w | dice 2 1 | left 2 1 | 7"
OFF = "in 0 0 | dog 0 0 | off 14 13 | r | dice 5 3 | left 5 3 | - | 7"


class Case(NamedTuple):
    """Moves from a position to the end of a game, and what it pays the first seat. ``dice`` are the throws to come."""

    game: str
    position: str
    moves: str
    end: str
    paid: float
    options: Mapping[str, Any] = MappingProxyType({})
    dice: Sequence[tuple[int, ...]] = ()


ENDS = {
    "capture": Case(SWORDS, "9/9/9/8o/9/2s6/2c6/9/2s6 s", "c4-c5 i6-i7 c5-c4 i7-i6 c1-c2", "capture", 1),
    "escape": Case(SWORDS, "7s1/9/9/9/9/3c5/9/9/9 o", "d4-d5 h9-g9 d5-d4 g9-h9 d4-d1", "escape", -1),
    "escape in a corner": Case(SWORDS, "7s1/9/9/9/9/9/9/9/3c5 o", "d1-a1", "escape", -1, {"variant": "corner_escape"}),
    "swords can't move": Case(SWORDS, "9/9/9/o8/6c2/9/9/9/so7 o", "g5-g6 a1-a2 g6-g5 a2-a1 a6-a2", "no_move", -1),
    "no swords": Case(SWORDS, "9/9/2o6/6c2/9/9/2s6/2o6/9 o", "c7-c4", "no_move", -1),
    "shields can't move": Case(SWORDS, "9/9/9/9/9/2ss5/1sco4s/2ss5/9 s", "i3-e3", "no_move", 1),
    "swords: repetition": Case(SWORDS, BOARD, f"{BOARD_ROUND} {BOARD_ROUND}", "repetition", 0),
    "swords: max_plies": Case(SWORDS, f"{BOARD} plies=398", "d9-b9 e7-b7", "max_plies", 0),
    "swords: max_plies, a capture": Case(
        SWORDS, "9/9/9/2s6/6c2/9/2o6/2s6/9 s plies=399", "c6-c4", "max_plies", 0
    ),
    "no pieces": Case(CHECKERS, "B:W18:B14", "14x23", "no_move", 1),
    "no move": Case(CHECKERS, "B:W12:B3,4", "4-8", "no_move", 1),
    "no move at the count": Case(CHECKERS, "B:W12:BK4,3 steps=79 king_steps=79", "4-8", "no_move", 1),
    "wcdf count": Case(CHECKERS, f"{KINGS} steps=78 king_steps=78", "29-25 4-8", "no_progress", 0),
    "openspiel count": Case(
        CHECKERS, "B:W12:BK4,3 steps=39", "4-8", "no_progress", 0, {"variant": "openspiel"}
    ),
    "checkers: repetition": Case(CHECKERS, KINGS, f"{KINGS_ROUND} {KINGS_ROUND}", "repetition", 0),
    "max_plies in a jump": Case(CHECKERS, "B:W15,22,32:B11", "11x18", "max_plies", 0, {"max_plies": 1}),
    "enthroned": Case(AGON, HOME.format("Q", "6"), "h6-g6", "enthroned", 1),
    "forfeit": Case(AGON, HOME.format("1", "Q5"), "h6-g6", "forfeit", -1),
    "guardless": Case(AGON, "5q/7/8/9/10/11/10/3Qg4/5G2/7/6 l", "c6-d6", "guardless", 1, {"capture": "bloody"}),
    "passes": Case(AGON, QUEENS, "a1^ pass k6^ pass", "passes", 0, {"touch_move": True}),
    "agon: repetition": Case(AGON, QUEENS, QUEENS_ROUND, "repetition", 0, {"repetition": 2}),
    "who repeats loses": Case(AGON, QUEENS, QUEENS_ROUND, "repetition", 1, {"repetition": 2, "repeats": "loses"}),
    "max_plies in a turn": Case(AGON, QUEENS, "a1^", "max_plies", 0, {"max_plies": 1, "touch_move": True}),
    "acey ducey": Case(ACEY, f"22:b2 2:r1 | {OFF}", "2:5", "borne_off", 1),
    "acey ducey: max_plies": Case(
        ACEY, f"22:b2 6:r1 | {OFF}", "6:3", "max_plies", 0, {"max_plies": 8}
    ),
    "ur": Case(UR, "light 14 | dark | hand 0 7 | off 6 0 | light | dice 0 0 0 1 | 7", "14", "borne_off", 1),
    "ur: max_plies": Case(
        UR, "light 5 | dark | hand 6 7 | off 0 0 | light | dice 0 0 1 1 | 7", "5", "max_plies", 0, {"max_plies": 8}
    ),
    "single": Case(BACKGAMMON, MEN.format("24:b1", 0, 14), "1/off", "single", 1),
    "gammon": Case(BACKGAMMON, MEN.format("18:b15", 0, 0), "1/off", "gammon", 2),
    "backgammon": Case(BACKGAMMON, MEN.format("18:b14", 1, 0), "1/off", "backgammon", 3),
    "backgammon: max_plies": Case(
        BACKGAMMON, "13:w1 1:b1 | bar 0 0 | off 14 14 | w | dice 6 3 | left 6 3 | 7", "13/7 7/4", "max_plies", 0,
        {"max_plies": 9},
    ),
    "rounds": Case(CROWN, CHIPS.format("20 20", 99, "1:crown*2"), "roll", "rounds", -0.2, dice=[(0, 0, 1)]),
    "all chips": Case(
        CROWN, CHIPS.format("57 2 1", 3, "1:crown*2 2:crown*1"), "roll", "all_chips", 0.15, {"bank": "limited"},
        [(4, 4, 4)],
    ),
    "crown and anchor: max_plies": Case(
        CROWN, CHIPS.format("20 20", 3, "1:crown*2"), "roll", "max_plies", 0.1, {"max_plies": 10}, [(1, 2, 3)]
    ),
}  # fmt: skip
"""Ends of every kind, some of them after plies that count for repetition."""
each_end = pytest.mark.parametrize("name", ENDS)


def at_its_start(case: Case, **options: Any) -> GameEnv:
    """The game of a case before its moves."""
    options = (
        {"players": len(case.position.partition(" |")[0].split()) - 1} | options if case.game == CROWN else options
    )
    env = resumed(case.game, case.position, **case.options, **options)
    env.set_dice(list(case.dice))
    return env


def test_every_end_of_every_game_is_among_them() -> None:
    ends = {game: {case.end for case in ENDS.values() if case.game == game} for game in GAMES if game != "pig-v0"}
    for game, of_game in ends.items():
        possible = set(parlour.make(game).game.rules.ENDS[1:])
        assert of_game == possible - (set() if "repetition" in parlour.options(game) else {"repetition"}), game


@each_end
def test_all_seats_end_together(name: str) -> None:
    """“all seats are *terminated* together (a result), or all are *truncated* together”, right after the ply; “Nobody
    is removed”."""
    case = ENDS[name]
    env, truncated = at_its_start(case), case.end == "max_plies"
    seats = env.agents
    for move in case.moves.split():
        assert not env.is_over()
        assert env.legal_moves()
        play(env, move)
    assert env.games.ending(0) == case.end
    assert env.agents == seats
    assert env.terminations == dict.fromkeys(seats, not truncated)
    assert env.truncations == dict.fromkeys(seats, truncated)
    assert env.rewards["player_0"] == pytest.approx(case.paid)
    assert env.legal_moves() == []
    assert not any(env.observe(agent)["action_mask"].any() for agent in seats)


@each_end
def test_a_finished_game_reads_back(name: str) -> None:
    """“A finished game's text has a last word `end=…` and can be read back as well: all seats are then terminated (or
    truncated), rewards 0”. What is seen of it is the same again."""
    case = ENDS[name]
    env = play(at_its_start(case), *case.moves.split())
    assert env.position().endswith(f" end={case.end}")
    again = at_its_start(case)
    again.reset(options={"position": env.position()})
    assert standing(again) == standing(env)
    assert again.rewards == dict.fromkeys(again.agents, 0.0)


@pytest.mark.parametrize("name", [name for name, case in ENDS.items() if case.end != "max_plies"])
def test_a_result_on_the_last_ply_wins_over_the_limit(name: str) -> None:
    """“A result on that very ply wins over the limit”, a draw by repetition too. A ply sooner the limit counts."""
    case = ENDS[name]
    moves = case.moves.split()
    plies = int(at_its_start(case).games.states["plies"][0]) + len(moves)
    env = play(at_its_start(case, max_plies=plies), *moves)
    assert (env.games.ending(0), env.rewards["player_0"]) == (case.end, pytest.approx(case.paid))
    if len(moves) > 1:
        env = play(at_its_start(case, max_plies=plies - 1), *moves[:-1])
        assert (env.games.ending(0), env.rewards["player_0"]) == ("max_plies", 0)


@pytest.mark.parametrize("max_plies", [1, 2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_truncated_with_ply_number_max_plies(game: str, max_plies: int) -> None:
    env = begun(game, 1, max_plies=max_plies)
    for _ in range(max_plies):
        assert not env.is_over()
        play(env, env.legal_moves()[0])
    assert env.games.ending(0) == "max_plies"


# --- repetition ---


SHUFFLES = {
    "swords": (SWORDS, "9/9/5c3/9/9/9/6o2/1s7/9 s", "b2-b3 g3-g4 b3-b2 g4-g3", "b2-b5 g3-g6 b5-b2 g6-g3"),
    "swords, from the set-up": (SWORDS, None, BOARD_ROUND, "d9-c9 e7-d7 c9-d9 d7-e7"),
    "checkers": (CHECKERS, KINGS, KINGS_ROUND, "21-17 12-16 17-21 16-12"),
    "agon": (AGON, QUEENS, QUEENS_ROUND, "c3-c4 i6-i5 c4-c3 i5-i6"),
}
"""A position, and two ways to come back to it. (tests/rulebook/test_position_keys.py tells positions apart.)"""
each_shuffle = pytest.mark.parametrize(
    ("game", "position", "there_and_back", "other_way"), SHUFFLES.values(), ids=SHUFFLES
)


def end_after(game: str, position: str | None, moves: str, **options: Any) -> str:
    """How a game has ended; it goes on before the last move."""
    env = resumed(game, position, **options)
    for move in moves.split():
        assert not env.is_over()
        play(env, move)
    return str(env.games.ending(0))


@each_shuffle
@pytest.mark.parametrize("repetition", [2, 3, 4, 7])
def test_the_nth_occurrence_of_a_position_is_a_draw(
    game: str, position: str | None, there_and_back: str, other_way: str, repetition: int
) -> None:
    """“the n-th occurrence of a position is a draw”; “The starting position counts as an occurrence”."""
    moves = " ".join([there_and_back] * (repetition - 1))
    assert end_after(game, position, moves, repetition=repetition) == "repetition"


@each_shuffle
def test_occurrences_need_not_follow_each_other(
    game: str, position: str | None, there_and_back: str, other_way: str
) -> None:
    moves = f"{there_and_back} {other_way}"
    assert end_after(game, position, moves, repetition=3) == "repetition"
    assert end_after(game, position, f"{moves} {moves}", repetition=0) == ""


@pytest.mark.parametrize(
    ("game", "position", "moves", "there_and_back"),
    [
        (SWORDS, "2s6/9/5c3/9/9/9/2o3o2/2s6/9 s", "c2-b2 g3-g4 b2-c2 g4-g3 c9-c4", "g3-g4 c2-b2 g4-g3 b2-c2"),
        (CHECKERS, f"{KINGS},5", f"{KINGS_ROUND} 5-9", "4-8 29-25 8-4 25-29"),
    ],
    ids=["a capture", "a man's move"],
)
def test_occurrences_are_counted_from_an_irreversible_ply_on(
    game: str, position: str, moves: str, there_and_back: str
) -> None:
    """The position after it is its own first occurrence."""
    assert end_after(game, position, f"{moves} {there_and_back} {there_and_back}", repetition=3) == "repetition"
