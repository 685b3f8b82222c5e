"""Greedy, potential, events and features of Backgammon: a position for each clause of the README's paragraph."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from parlour.engine.variant_mix import read_variants
from parlour.engine.view import GamesView
from parlour.interfaces.registry import find
from parlour.players.champion import champion_plays
from parlour.players.names import parse_player
from parlour.players.value.network import new_network
from tests.games.backgammon.positions import at
from tests.support.evaluation import features, starting
from tests.support.games import batch_of, begun
from tests.support.texts import play

GAME = find("backgammon-v0")


def test_features() -> None:
    """White's men on 24 face a row of five points, 19 to 23; Black's last man is on White's 2."""
    env = at("24:w1 6:w2 5:w2 4:w1 23:b2 22:b2 21:b2 20:b2 19:b2 2:b1", "3 3", left="3 3 3")
    found = features(env)
    assert starting(found, "own men on each step outside")[0] == 1
    assert starting(found, "own men on each step of the home board") == [2, 2, 1, 0, 0, 0]
    assert starting(found, "how often") == [0, 0, 3, 0, 0, 0]
    own, other = 24 + 12 + 10 + 4, 2 * (2 + 3 + 4 + 5 + 6) + 23
    assert starting(found, "pips that the seat") == [other - own, 0]
    assert starting(features(env, 1), "pips that the seat") == [0, other - own]
    assert starting(found, "pips in which") == [22]
    assert starting(found, "points made") == [2, 5]
    assert starting(found, "the longest row") == [2, 5]
    # White's last man: only a 6 brings it on, to 18, and any second number from there
    assert starting(found, "throws of 36 that bring the rearmost")[0] == 11
    assert starting(found, "throws of 36 that bring a man on from the bar")[0] == 2  # 1-6
    assert starting(found, "the same of all men")[0] == 11 // 8
    # alone are 4, which a 2 or both ones hit from 2, for 21 pips, and 24, which all but 6-6 hit, for one pip
    assert starting(found, "throws of 36 that hit")[0] == 35
    assert starting(found, "throws of 36 that can hit at two")[0] == 12
    assert starting(found, "pips that men stand")[0] == (21 * 12 + 23) // 8
    assert starting(found, "pips until all men are home")[0] == 24 - 6


@pytest.mark.parametrize(
    ("points", "waiting", "hitting", "at_two_places"),
    [
        ("13:w1 7:b1", 0, 17, 0),  # any 6, 5-1, 4-2, 3-3, 2-2
        ("13:w1 12:w2 11:w2 10:w2 9:w2 8:w2 7:b1", 0, 11, 0),  # any 6
        ("13:w1 12:w1 7:b1", 0, 28, 4),  # besides any 5, 4-1 and 3-2; at two places by 6-5 and 5-1
        ("4:w1 20:b1", 1, 15, 0),  # any 4, 3-1, 2-2, 1-1
        ("4:w1 20:b1", 2, 12, 0),  # any 4, 2-2
        ("4:w1 20:b1", 0, 0, 0),
    ],
)
def test_throws_that_hit(points: str, waiting: int, hitting: int, at_two_places: int) -> None:
    """White's single men, with ``waiting`` men of Black on the bar."""
    found = features(at(points, "3 1", bar=(0, waiting)))
    assert starting(found, "throws of 36 that hit")[0] == hitting
    assert starting(found, "throws of 36 that can hit at two")[0] == at_two_places


def test_the_best_block() -> None:
    """White has five points in a row, 8 to 4: a man on 2 would get on by 6-1 alone. Black's man on 3 does by any 6."""
    found = features(at("8:w2 7:w2 6:w2 5:w2 4:w2 3:b1", "3 1"))
    assert starting(found, "the fewest throws") == [2, 36]
    assert starting(found, "throws of 36 that bring the rearmost")[1] == 11
    assert starting(found, "how far the seat is ahead") == [0, 0]


@pytest.mark.parametrize(
    ("board", "fewest"),
    [
        ("15:w2 14:w2 13:w2 12:w2 11:w2 1:b1", 2),  # 6-1 from Black's ninth step, the last one looked at
        ("16:w2 15:w2 14:w2 13:w2 12:w2 1:b1", 3),  # 6-2 and 1-1 from there; from the tenth it would be 6-1 alone
    ],
)
def test_a_block_counts_for_the_first_nine_steps(board: str, fewest: int) -> None:
    assert starting(features(at(board, "3 1")), "the fewest throws")[0] == fewest


def test_a_race_has_no_contact() -> None:
    assert starting(features(at("6:w2 19:b2", "3 1")), "pips in which") == [0]
    assert starting(features(play(at("14:w1 13:b2", "3 2"), "14/12", "12/9")), "pips in which") == [0]


@pytest.mark.parametrize(
    ("board", "pips", "wasted"),
    [
        ("6:w1 24:b1", (6, 1), (45 / 36 * 49 / 6 - 6, 49 / 6 - 1)),
        ("1:w4 24:b1", (4, 1), (66 / 36 * 49 / 6 - 4, 49 / 6 - 1)),  # two throws, but for a double
        ("7:w1 19:b1", (7, 6), (45 / 36 * 49 / 6 - 6, 45 / 36 * 49 / 6 - 6)),  # on 7 as on 6
    ],
)
def test_what_is_wasted_and_the_lead_in_a_race(board: str, pips: tuple[int, int], wasted: tuple[float, float]) -> None:
    """Of White and of Black."""
    found = features(at(board, "3 1"))
    quarters = [round(4 * waste) for waste in wasted]
    assert starting(found, "quarters of pips wasted") == quarters
    own, others = (to_go + waste / 4 for to_go, waste in zip(pips, quarters))
    ahead = int(30 * (others - own + 4) / math.sqrt(own + others))
    assert starting(found, "how far the seat is ahead") == [max(ahead, 0), max(-ahead, 0)]


def test_a_network_plays_what_differs_in_the_start_alone() -> None:
    """By the head of its own variant, if it has one."""
    mix = read_variants(GAME, ["nackgammon", {"opening": "throw"}, "standard"], {})
    one, both = (new_network(GAME, names, hidden=2) for names in (["standard"], ["standard", "nackgammon"]))
    assert one.variant_heads(mix.entries, GAME).tolist() == [0, 0, 0]
    assert both.variant_heads(mix.entries, GAME).tolist() == [2, 0, 0]
    assert champion_plays(GAME, [entry.values for entry in mix.entries])
    for options in ({"variant": "hyper"}, {"setup": "hyper"}, {"gammons": "single"}):
        with pytest.raises(ValueError, match="plays 'standard', and"):
            one.variant_heads(read_variants(GAME, options, {}).entries, GAME)


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        (lambda: at("6:w14 24:b15", "5 4"), (2, 1)),  # White has a man off: Black wins a single game
        (lambda: at("6:w14 24:b14", "5 4"), (1, 1)),
        (lambda: at("13:w15 12:b15", "5 4"), (3, 3)),
        (lambda: at("6:w15 20:b15", "5 4"), (2, 2)),  # a race: nobody is hit any more
        (lambda: at("6:w15 2:b1 20:b14", "5 4"), (3, 3)),
        (lambda: at("3:w15 5:b1 20:b14", "5 4"), (3, 2)),  # a race, with a man of Black in White's home board
        (lambda: at("6:w15 20:b14", "5 4", bar=(0, 1)), (3, 3)),
        (lambda: at("6:w15 20:b15", "5 4", options={"gammons": "single"}), (1, 1)),
    ],
)  # fmt: skip
def test_what_each_seat_can_still_win(env: Any, expected: tuple[int, int]) -> None:
    games, far = env().games, np.array([[1e9, -1e9]])
    most = games.within_reach(np.zeros(1, np.int64), far)[0, 0]
    least = games.within_reach(np.zeros(1, np.int64), -far)[0, 0]
    assert (most, -least) == expected


@pytest.mark.parametrize("name", ["champion", "champion:2turns", "champion:1", "expectimax:1"])
def test_values_before_the_first_choice_are_nan(name: str) -> None:
    batch = batch_of(GAME.id, 3, seed=2)
    player: Any = parse_player(name, GAME)
    np.testing.assert_array_equal(player.values(GamesView(batch.games)), np.full((3, 2), np.nan))


@pytest.mark.parametrize("shape", [(0, 0), (2, 2), (3, 1), (3,)])
def test_values_of_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    batch = batch_of(GAME.id, 3, seed=2)
    with pytest.raises(ValueError, match=re.escape(f"(3, 2), not {shape}")):
        batch.games.within_reach(np.arange(3), np.zeros(shape))


@pytest.mark.parametrize("name", ["champion", "champion:2turns", "champion:1", "mcts:2:value:{}", "expectimax:1"])
def test_values_are_within_what_can_still_happen(name: str) -> None:
    """Also where the network alone values a position beyond it, as in the ends of random games."""
    player: Any = parse_player(name.format(GAME.champion), GAME)
    network = parse_player("champion", GAME)
    beyond = 0
    batch = batch_of(GAME.id, 32, seed=2, autoreset="disabled")
    for ply in range(900):
        batch.step(batch.sample_actions())
        games = batch.games
        running = np.flatnonzero(games.states["end"] == 0)
        if not len(running):
            break
        tops = [games.within_reach(running, np.tile([far, -far], (len(running), 1)))[:, 0] for far in (1e9, -1e9)]
        raw = network._evaluator.values() if network._evaluator else network.network_values(GamesView(games))
        outside = (raw[running, 0] > tops[0] + 1e-9) | (raw[running, 0] < tops[1] - 1e-9)
        beyond += int(outside.sum())
        shown = network.network_values(GamesView(games))[running, 0]
        assert ((shown <= tops[0]) & (shown >= tops[1])).all()
        for row in running[outside][:2].tolist() if ply % 10 == 0 else ():
            env = begun(GAME.id, position=batch.position(row))
            k = running.tolist().index(row)
            values = player.consider(GamesView(env.unwrapped.games)).values
            assert tops[1][k] <= values[0] <= tops[0][k]
            assert values[1] == -values[0]
    assert beyond > 100
