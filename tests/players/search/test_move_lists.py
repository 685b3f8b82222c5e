"""What games give searches besides their rules: lists of actions, marks of actions, bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.agon.actions import PUTS
from parlour.interfaces.registry import find
from tests.support.cases import VARIANTS
from tests.support.games import begun


def positions(game: str, variant: str, plies: int = 80) -> Any:
    """Random games, ply by ply: the game, and its legal actions."""
    rng = np.random.default_rng(0)
    for seed in range(3):
        env = begun(game, seed, variant=variant)
        for _ in range(plies):
            if env.is_over():
                break
            env.games.observe()
            legal = np.flatnonzero(env.games.action_mask[0])
            yield env.games, legal
            env.step(int(rng.choice(legal)))


def played(games: Any, action: Any) -> Any:
    """The state after an action, (1,)."""
    after = games.states.copy()
    games.game.rules.apply(after[0], games.variants[0], int(action), np.zeros(2))
    return after


LISTING = [(game, variant) for game, variant in VARIANTS if hasattr(find(game).rules, "moves")]


@pytest.mark.parametrize(("game", "variant"), LISTING)
def test_a_list_of_actions_is_the_mask(game: str, variant: str) -> None:
    for games, legal in positions(game, variant):
        actions = np.full(games.layout.actions, -1, np.int32)
        count = games.game.rules.moves(games.states[0], games.variants[0], actions)
        assert sorted(actions[:count].tolist()) == legal.tolist()


def test_in_checkers_jumps_force() -> None:
    forced = 0
    for games, legal in positions("checkers-v0", "american"):
        state = games.states[0]
        marks = [games.game.evaluation.is_forcing(state, games.variants[0], int(action)) for action in legal]
        assert len(set(marks)) == 1  # jumping is compulsory
        forced += bool(marks[0])
    assert forced > 10


@pytest.mark.parametrize("variant", parlour.variants("swords_and_shields-v0"))
def test_in_swords_and_shields_captures_and_escapes_are_sharp(variant: str) -> None:
    """Played out, a sharp action takes a man or ends the game, and no other does, except for shutting a seat in."""
    sharp = 0
    for games, legal in positions("swords_and_shields-v0", variant):
        men = sum(int(word).bit_count() for word in games.states["men"].ravel())
        for action in legal:
            marked = games.game.evaluation.is_sharp(games.states[0], games.variants[0], int(action))
            after = played(games, action)
            taken = men - sum(int(word).bit_count() for word in after["men"].ravel())
            ended = games.game.rules.ENDS[int(after["end"][0])] in ("capture", "escape")
            assert marked >= (taken > 0 or ended)
            sharp += bool(marked)
    assert sharp > 50


FINER = [
    (game, variant)
    for game, variant in VARIANTS
    if find(game).evaluation.heuristic_value is not find(game).evaluation.potential
]


@pytest.mark.parametrize(("game", "variant"), FINER)
def test_a_heuristic_value_tells_positions_of_the_same_potential_apart(game: str, variant: str) -> None:
    """It is within its range, and what one seat gains the other loses. Agon has few of the same potential."""
    values: dict[float, set[float]] = {}
    for games, _ in positions(game, variant):
        evaluation, at = games.game.evaluation, (games.states[0], games.variants[0])
        own, other = evaluation.heuristic_value(*at, 0), evaluation.heuristic_value(*at, 1)
        assert -1 <= own <= 1
        assert own == pytest.approx(-other, abs=1e-12)
        values.setdefault(evaluation.potential(*at, 0), set()).add(own)
    assert max(len(same) for same in values.values()) > (1 if game == "agon-v0" else 5)


def test_in_checkers_standing_well_is_not_worth_a_man() -> None:
    """With equal men, and twelve of each there is least between a man's worth and none."""
    for games, _ in positions("checkers-v0", "american"):
        evaluation, at = games.game.evaluation, (games.states[0], games.variants[0])
        men = [int(word).bit_count() for word in games.states["pieces"][0]]
        if men[0] == men[1] and not games.states["kings"][0]:
            assert abs(evaluation.heuristic_value(*at, 0) - evaluation.potential(*at, 0)) < 1 / (2 * men[0])


@pytest.mark.parametrize(
    ("variant", "rows", "worth"),
    [
        # the queen on the throne, a guard on each of the rings 1 to 4, two on ring 5, where the other seat's pieces are
        ("classic", "gggggg/7/8/9/10/GGGGGQ4G/10/9/8/7/q5", 25 + 30 + 20 + 20 + 5),
        ("ring", "gggggg/7/8/9/10/GGGGGQ4G/10/9/8/7/q5", 210 + 35 + 25 + 25 + 10),
        ("bloody_queen", "gggggg/7/8/9/10/GGGGGQ4G/10/9/8/7/q5", 155 + 55 + 55 + 45 + 20),
        # the guard on ring 2 stands between two others, in a line
        ("classic", "gggg2/7/8/9/3g6/GGGGGQ4G/2g7/9/8/7/q5", (25 + 30 + 20 + 5) - (20 + 20)),
        # and along its ring
        ("ring", "gggg2/7/8/9/3g6/GGGGGQ4G/3g6/9/8/7/q5", (210 + 35 + 25 + 10) - (25 + 25)),
        # in Bloody Queen it may step there
        ("bloody_queen", "gggg2/7/8/9/3g6/GGGGGQ4G/2g7/9/8/7/q5", (155 + 55 + 55 + 45 + 20) - (55 + 45)),
    ],
)
def test_in_agon_pieces_are_worth_what_their_rings_say(variant: str, rows: str, worth: int) -> None:
    env = begun("agon-v0", position=f"{rows} l", variant=variant)
    games = env.games
    for seat, sign in enumerate((1, -1)):
        value = games.game.evaluation.heuristic_value(games.states[0], games.variants[0], seat)
        assert value == pytest.approx(sign * worth / 500)


@pytest.mark.parametrize("variant", ["classic", "ring", "bloody_queen"])
def test_in_agon_steps_that_trap_are_sharp(variant: str) -> None:
    """A step after which an enemy stands between two pieces, who did not before, is sharp; no other step is, but one
    that traps those who were trapped already."""
    sharp = 0
    for games, legal in positions("agon-v0", variant, 150):
        seat, steps = int(games.states["to_act"][0]), legal[legal < PUTS]

        def trapped(state: Any, seat: int = seat, games: Any = games) -> list[int]:
            between = games.game.rules.between(state, games.variants[0], seat)
            enemies = games.game.rules.pieces(state, 1 - seat)
            return [int(a) & int(b) for a, b in zip(between, enemies)]

        before = trapped(games.states[0])
        for action in steps:
            marked = games.game.evaluation.is_sharp(games.states[0], games.variants[0], int(action))
            after = played(games, action)
            now = trapped(after[0])
            if variant != "bloody_queen":  # where they are put back at once
                assert marked >= any(new & ~old for new, old in zip(now, before))
                assert any(now) >= marked
            else:
                assert marked == (after["victims"][0] > 0)
            sharp += bool(marked)
    assert sharp > 20


@pytest.mark.parametrize("variant", parlour.variants("swords_and_shields-v0"))
def test_in_swords_and_shields_wins_at_once_are_told(variant: str) -> None:
    """Of both seats, whether any action ends the game by a capture of the Chief or by his escape."""
    told = [0, 0]
    for games, legal in positions("swords_and_shields-v0", variant):
        ends = {games.game.rules.ENDS[int(played(games, action)["end"][0])] for action in legal}
        wins = games.game.evaluation.wins_at_once(games.states[0], games.variants[0])
        assert wins == bool(ends & {"capture", "escape"})
        told[int(games.states["to_act"][0])] += bool(wins)
    assert min(told) > 0


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("game", ["acey_ducey-v0", "royal_ur-v0", "backgammon-v0"])
def test_a_race_stays_within_its_bounds(game: str, plies: int) -> None:
    """Of every position of random games before a throw, the potential some plies later."""
    rng = np.random.default_rng(plies)
    checked = 0
    for seed in range(20):
        env = begun(game, seed)
        bounds: list[Any] = []
        while not env.is_over():
            potentials = np.zeros((1, 2), np.float32)
            env.games.potentials(potentials)
            for seat in range(2):
                low, high, paid = env.games.game.evaluation.heuristic_bounds(
                    env.games.states[0], env.games.variants[0], seat, plies
                )
                bounds.append((len(bounds) // 2, seat, low, high, paid))
            now = len(bounds) // 2 - 1
            for then, seat, low, high, _ in bounds[-2 * (plies + 1) :]:
                assert now - then <= plies
                assert low - 1e-6 <= potentials[0, seat] <= high + 1e-6
                checked += 1
            env.games.observe()
            env.step(int(rng.choice(np.flatnonzero(env.games.action_mask[0]))))
        for then, seat, _, _, paid in bounds[-2 * plies :]:
            assert abs(env.rewards[f"player_{seat}"]) <= paid, then
    assert checked > 1000
