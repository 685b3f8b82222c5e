"""Moves of PDN played in machine code and, where one may mean several turns, side by side: both give the same plies."""

from __future__ import annotations

import random
import re
from functools import partial
from itertools import pairwise

import pytest

import parlour
from parlour.envs.checkers import pdn_moves
from parlour.envs.checkers.notation import squares_in
from parlour.envs.checkers.pdn_moves import NOW, Readings, Unplayable, Workspace, play
from parlour.interfaces.aec import GameEnv
from parlour.records import GameRecord
from parlour.records.files import records_text
from tests.support.cases import sampled


def begun(env: GameEnv) -> Workspace:
    """A board where an environment stands."""
    table = Workspace()
    table.states[NOW : NOW + 1] = env.games.states[:1]
    return table


def random_game(seed: int) -> GameRecord:
    env = parlour.make("checkers-v0", draw_rule="none", repetition=0, max_plies=0, illegal_move="raise")
    env.reset(seed=seed)
    rng, plies = random.Random(seed), 0
    while not env.is_over() and plies < 120:
        env.step(env.parse_move(rng.choice(env.legal_moves())))
        plies += 1
    while not env.is_over() and not env.games.states["turn_over"][0]:
        env.step(env.parse_move(env.legal_moves()[0]))
    return env.record()


def written(record: GameRecord) -> list[str]:
    """The turns of a record, jumps with all their squares."""
    words = records_text(".pdn", [record]).split("\n\n")[1].split()
    return [word for word in words[:-1] if not word.endswith(".")]


def spelled(turn: str, rng: random.Random) -> list[str]:
    """A turn as people write it: whole, in short, jump by jump."""
    squares = re.split("[-x]", turn)
    way = rng.randrange(4)
    if way == 0 and len(squares) > 2:
        return [f"{squares[0]}x{squares[-1]}"]
    if way == 1 and "x" in turn:
        return [f"{one}x{other}" for one, other in pairwise(squares)]
    return [":".join(f"{int(square):02}" for square in squares)] if way == 2 else [turn]


@sampled("games", 40, 2000)
def test_both_ways_agree(games: int) -> None:
    """On random games in every spelling, and on the same games with all squares, which have one meaning."""
    env = parlour.make("checkers-v0")
    env.reset()
    alike = 0
    for seed in range(games):
        record, rng = random_game(seed), random.Random(seed)
        whole = written(record)
        assert plies_of(env, whole) == record.moves
        short = plies_of(env, [move for turn in whole for move in spelled(turn, rng)])
        alike += short == record.moves
        assert short == record.moves or isinstance(short, str)
    assert alike > 0.9 * games


def plies_of(env: GameEnv, moves: list[str]) -> list[str] | str:
    """What moves mean, both ways; or why they can mean several."""
    found: list[list[str] | str] = []
    for read in (partial(play, begun(env), moves), Readings(begun(env), moves, [*map(squares_in, moves)]).play):
        try:
            found.append([ply for turn in read(False) for ply in turn])
        except Unplayable as error:
            assert "can mean several moves" in str(error)
            found.append(str(error))
    assert found[0] == found[1]
    return found[0]


def test_most_games_are_played_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdn_moves, "Readings", lambda *given: pytest.fail("not in machine code"))
    env = parlour.make("checkers-v0")
    env.reset()
    for seed in range(10):
        record = random_game(seed)
        assert [ply for turn in play(begun(env), written(record), False) for ply in turn] == record.moves


def test_too_many_squares_are_refused() -> None:
    env = parlour.make("checkers-v0")
    env.reset()
    for move in ("-".join(["11", "15"] * 20), "x".join(["11"] * 5000), "99-98"):
        with pytest.raises(Unplayable, match="is not legal"):
            play(begun(env), [move], False)


def test_a_king_that_goes_round_has_one_meaning() -> None:
    """Ways that take the same pieces are one; ways that don't are told apart by what follows."""
    env = parlour.make("checkers-v0", draw_rule="none")
    env.reset(options={"position": "B:W18,19,26,27,12:BK15"})
    assert [len(names) for names in play(begun(env), ["15x15"], False)] == [4]
    env.reset(options={"position": "B:W6,7,14,15,32:B2"})
    with pytest.raises(Unplayable, match="'2x9x18' and '2x11x18'"):
        play(begun(env), ["2x18"], False)
    with pytest.raises(Unplayable, match="'2x9x18' and '2x11x18'"):
        play(begun(env), ["2x18", "32-28"], False)
    assert play(begun(env), ["2x18", "14-9"], False) == [["2x11", "11x18"], ["14-9"]]
    assert play(begun(env), ["2x18", "15-10"], False) == [["2x9", "9x18"], ["15-10"]]
