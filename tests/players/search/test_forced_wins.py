"""The players that look ahead find forced wins in one, two and three plies, of every game without chance.

What is forced is found out by `tests.support.forced`, which looks at everything.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest

from parlour.interfaces.registry import find
from parlour.players import parse_player
from tests.support.cases import PRINTED_GAMES
from tests.support.forced import after, forced
from tests.support.games import begun

SWORDS, AGON, CHECKERS = "swords_and_shields-v0", "agon-v0", "checkers-v0"

IN_ONE = {
    SWORDS: "4s4/9/9/9/9/s2c4s/9/9/3s5 o",  # nothing stands above the Chief
    AGON: "5g/7/8/5G3/4G5/4GQG4/4GG4/9/8/7/g1q3 l",  # one guard is missing round the throne, and stands beside the gap
    CHECKERS: "B:W12:BK3,K11,K20,K27",  # one king closes the last man's way
}
IN_THREE = {
    SWORDS: "3s5/9/9/9/9/s2c4s/9/9/3s5 o",  # all four ways are closed, but a step opens two at once
    AGON: "5g/7/2g5/4GG3/10/4GQG4/1q2GG4/9/8/7/g5 l",  # two guards still have a step to go
    CHECKERS: "B:WK12:BK10,K16,K24",  # a king must be given away
}
SEARCHES = ["mcts:4000", "expectimax:3"]
each_game = pytest.mark.parametrize("game", [SWORDS, AGON, CHECKERS])
each_seed = pytest.mark.parametrize("seed", range(2))


def move_of(player: str, env: Any, seed: int = 0) -> str:
    """What a player plays."""
    twin = env.clone()
    twin.games.reseed(seed)
    return str(twin.move_name(twin.ask(parse_player(player))))


@cache
def winning(game: str, text: str, plies: int) -> frozenset[str]:
    """The plies that force a win within so many, of several that can be played, and none of which is quicker."""
    env = begun(game, position=text)
    seat = env.agent_selection
    assert len(env.legal_moves()) > 3
    assert not forced(env, seat, plies - 1)
    return frozenset(move for move in env.legal_moves() if forced(after(env, move), seat, plies - 1))


def test_every_game_without_chance_has_its_positions() -> None:
    assert set(IN_ONE) == set(IN_THREE) == {game for game in PRINTED_GAMES if not find(game).rules.DICE}


@each_seed
@pytest.mark.parametrize(
    ("plies", "player"),
    [*product((1, 3), (*SEARCHES, "expectimax:4")), (1, "mcts:300"), (1, "expectimax:1")],
)
@each_game
def test_finds_a_win(game: str, plies: int, player: str, seed: int) -> None:
    text = (IN_ONE if plies == 1 else IN_THREE)[game]
    env, wins = begun(game, position=text), winning(game, text, plies)
    assert 0 < len(wins) < len(env.legal_moves())
    assert move_of(player, env, seed) in wins


@pytest.mark.parametrize("player", ["mcts:1000", "expectimax:1"])
@each_game
def test_wins_in_two_whatever_the_other_seat_tries(game: str, player: str) -> None:
    """The other seat is to act, and loses by the next ply against each of its own."""
    env = begun(game, position=IN_THREE[game])
    seat = env.agent_selection
    before = after(env, min(winning(game, IN_THREE[game], 3)))
    assert before.agent_selection != seat
    assert forced(before, seat, 2)
    for reply in before.legal_moves():
        answered = after(before, reply)
        assert forced(after(answered, move_of(player, answered)), seat, 0), reply


CLOSING = "3s5/9/9/9/9/s2c4s/9/8s/9 s"
"""The Chief escapes with his next ply, unless the sword in the corner of the way closes it."""


@each_seed
@pytest.mark.parametrize("player", [*SEARCHES, "expectimax:4"])
def test_prevents_a_loss_in_two(player: str, seed: int) -> None:
    """Of all plies only those that close the way down keep the Chief in for another one."""
    env = begun(SWORDS, position=CLOSING)
    saving = [move for move in env.legal_moves() if not forced(after(env, move), "player_1", 1)]
    assert 0 < len(saving) < len(env.legal_moves()) / 4
    assert move_of(player, env, seed) in saving
