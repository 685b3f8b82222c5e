"""`expectimax` against looking at everything, in small positions of all games, and against the table of bearing off."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from docs.known_numbers import acey_ducey as known_numbers
from parlour.players import GamesView
from parlour.players.search.expectimax import EXACT_HEURISTICS, Expectimax, Heuristics, _Search
from parlour.rulebook.state_records import as_record
from tests.games.acey_ducey import positions as acey_ducey
from tests.players.search.test_forced_wins import AGON, CHECKERS, CLOSING, IN_ONE, IN_THREE, SWORDS
from tests.support.games import batch_of, begun

DISCOUNT, LEAF, MAX_THROWS = 1 - 1 / 1024, 0.9, 3
"""By the definition in `parlour.engine.search_arrays`: by which factor the part of a value beyond any potential shrinks
with each ply, what a potential of 1 is worth, and how many throws in a row are looked at."""


def later(values: Any) -> Any:
    """What values are worth a ply earlier."""
    values = np.asarray(values)
    beyond = np.maximum(abs(values) - LEAF, 0)
    return values - np.sign(values) * beyond * (1 - DISCOUNT)


def value_at_root(games: Any, depth: int, heuristics: Heuristics = EXACT_HEURISTICS) -> tuple[Any, int]:
    """What the search finds the only row to be worth to each seat, and what it plays."""
    analysis = Expectimax(depth, heuristics=heuristics).consider(GamesView(games))
    assert analysis.depth == depth or abs(analysis.values).max() > LEAF
    return analysis.values, analysis.principal_variation[0]


# --- without chance: through the environment ---


def plain_value(env: Any, depth: int) -> Any:
    """What a position is worth to each seat by the definition in `parlour.engine.kernels.alpha_beta`, without any
    pruning: by clones of the environment. Rewards on the way are the caller's."""
    raw = env.unwrapped
    seats = len(raw.possible_agents)
    if raw.is_over():
        return np.zeros(seats)
    if depth == 0:
        look = raw.games.game.evaluation.heuristic_value
        return np.array([LEAF * look(raw.games.states[0], raw.games.variants[0], seat) for seat in range(seats)])
    best: Any = None
    seat = raw.possible_agents.index(raw.agent_selection)
    for action in np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"]):
        value = plain_action_value(raw, int(action), depth)
        if best is None or value[seat] > best[seat] + 1e-12:
            best = value
    assert best is not None
    return best


def plain_action_value(raw: Any, action: int, depth: int) -> Any:
    """The same of an action."""
    twin = raw.clone()
    twin.step(action)
    return np.array(list(twin.rewards.values())) + later(plain_value(twin, depth - 1))


MIDDLE = "3s5/9/2o6/9/3s5/2s1c4/3o5/9/5s3"


@pytest.mark.parametrize(
    ("game", "text", "depth"),
    [
        (SWORDS, IN_ONE[SWORDS], 1),
        (SWORDS, IN_ONE[SWORDS], 2),
        (SWORDS, IN_THREE[SWORDS], 3),
        (SWORDS, CLOSING, 2),
        (SWORDS, f"{MIDDLE} s", 2),
        (SWORDS, f"{MIDDLE} o", 2),
        (AGON, IN_ONE[AGON], 2),
        (AGON, IN_THREE[AGON], 3),
        (CHECKERS, IN_ONE[CHECKERS], 3),
        (CHECKERS, IN_THREE[CHECKERS], 3),
        (CHECKERS, "B:W18,K25,32:B4,K14,15", 4),
        (CHECKERS, "W:W18,K25,32:B4,K14,15", 4),
    ],
)
def test_agrees_with_looking_at_everything(game: str, text: str, depth: int) -> None:
    """The value with pruning, sorting and table is the value without; and the chosen ply has it."""
    env = begun(game, position=text)
    values, action = value_at_root(env.games, depth)
    expected = plain_value(env, depth)
    assert values == pytest.approx(expected, abs=1e-6)
    assert plain_action_value(env, action, depth) == pytest.approx(expected, abs=1e-6)


# --- with chance: by the rules, all orders of all throws, where the search looks at sorted ones ---


class Looking:
    """Looks at everything in a game with dice, whose position and variant are those of the only row. Among more than
    two seats, all others play against the one to act in it."""

    def __init__(self, games: Any, depth: int) -> None:
        self.game, self.variant, self.depth = games.game, games.variants[0], depth
        self.root, self.seats = games.states, games.layout.seats
        self.words, self.own = np.zeros_like(games.words[0]), int(games.to_act[0])
        self.known: dict[tuple[bytes, int, int], Any] = {}

    def of_action(self, action: int) -> Any:
        """What an action at the root is worth to each seat: (P,)."""
        return self._after(self.root, action, self.depth)

    def of_root(self) -> Any:
        """What the root is worth to each seat: (P,)."""
        return self._worth(self.root, self.depth, 0)

    def is_leaf(self, state: Any, left: int, due: int, throws: int) -> bool:
        """Whether a running position is not looked at any deeper."""
        return throws == MAX_THROWS if due else left == 0

    def leaf(self, states: Any) -> Any:
        """What it is then worth to each seat."""
        look = self.game.evaluation.heuristic_value
        return np.array([LEAF * look(states[0], self.variant, p) for p in range(self.seats)])

    def _after(self, states: Any, action: int, left: int) -> Any:
        states, rewards = states.copy(), np.zeros(self.seats)
        self.game.rules.apply(states[0], self.variant, action, rewards)
        return rewards + later(self._worth(states, left - 1, 0))

    def _worth(self, states: Any, left: int, throws: int) -> Any:
        key = states.tobytes(), left, throws
        if key not in self.known:
            self.known[key] = self._looked_at(states, left, throws)
        return self.known[key]

    def _looked_at(self, states: Any, left: int, throws: int) -> Any:
        rules, state = self.game.rules, states[0]
        if state["end"]:
            return np.zeros(self.seats)
        due = int(rules.dice_due(state, self.variant))
        if self.is_leaf(state, left, due, throws):
            return self.leaf(states)
        if due:
            return self._mean(states, left, throws, due)
        mask = self.words.view(np.int8)
        rules.legal(state, self.variant, mask, self.words)
        worths = [self._after(states, int(action), left) for action in np.flatnonzero(mask)]
        acting = int(state["to_act"])
        if self.seats > 2 and acting != self.own:
            return min(worths, key=lambda worth: worth[self.own])
        return max(worths, key=lambda worth: worth[acting])

    def _mean(self, states: Any, left: int, throws: int, due: int) -> Any:
        total = np.zeros(self.seats)
        dice = self.game.rules.DICE[:due]
        for throw in itertools.product(*(zip(die.faces, die.weights) for die in dice)):
            after, rewards = states.copy(), np.zeros(self.seats)
            self.game.rules.throw(after[0], self.variant, np.array([face for face, _ in throw], np.int8), rewards)
            chance = math.prod(weight for _, weight in throw) / math.prod(die.sides for die in dice)
            total += chance * (rewards + self._worth(after, left, throws + 1))
        return total


SMALL: dict[str, tuple[Any, int]] = {
    "pig": (lambda: begun("pig-v0", 0), 1),
    "pig, strict": (lambda: begun("pig-v0", 1, variant="strict"), 1),
    "pig, with the next seat": (lambda: begun("pig-v0", 0, fine=0.5), 2),
    "crown and anchor, the last to bet": (lambda: begun("crown_and_anchor-v0", 3, plies=2), 1),
    "crown and anchor of two": (lambda: begun("crown_and_anchor-v0", 4, players=2, max_stake=2, rounds=2), 2),
    "bearing off": (lambda: acey_ducey.at("5:r1 2:r1 23:b1 22:b1", "1 1"), 3),
    "bearing off beside the Dog House": (lambda: acey_ducey.at("6:r1 1:r1 20:b2", "3 5", dog=(0, 1)), 3),
    "sending or throwing again": (lambda: acey_ducey.at("4:r1 2:r1 23:b1 21:b1", "1 2", "choose"), 2),
}


@pytest.mark.parametrize("case", list(SMALL))
def test_agrees_with_looking_at_everything_and_every_throw(case: str) -> None:
    make, depth = SMALL[case]
    games = make().unwrapped.games
    games.observe()
    values, action = value_at_root(games, depth)
    looking, seat = Looking(games, depth), int(games.to_act[0])
    worths = {int(other): looking.of_action(int(other)) for other in np.flatnonzero(games.action_mask[0])}
    assert len(worths) > 1
    assert worths[action][seat] == pytest.approx(max(worth[seat] for worth in worths.values()), abs=1e-6)
    assert values[seat] == pytest.approx(worths[action][seat], abs=1e-6)
    assert sum(values) == pytest.approx(0)


# --- the exact table of bearing off ---


def differing_plays() -> list[tuple[known_numbers.Men, int]]:
    """Men and a number to be played twice, where it matters how: the best way and the next differ by a fifth in the
    chance to be off within another turn. (Where it is less, ACEY-DUCEY, in a throw of 18, may count for more.)"""
    found = []
    for men in acey_ducey.BEARING_OFF:
        for face in range(3, 7):
            if 3 <= len(men) <= 4:
                chances = sorted(known_numbers.off_within(end, 1) for end in known_numbers.plays(men, (face, face)))
                if len(chances) > 1 and chances[-1] - chances[-2] > 0.2:
                    found.append((men, face))
    return found


def test_bears_off_as_the_exact_table_has_it() -> None:
    """Black needs two turns, or ACEY-DUCEY, for three men on the last point, so Red has this turn and one more: best is
    what leaves men that are off within a turn most likely. Seven plies see the end."""
    player = Expectimax(7)
    for men, face in differing_plays()[::4]:
        points = " ".join(f"{point}:r{count}" for point, count in Counter(men).items())
        env = acey_ducey.at(f"{points} 24:b3", f"{face} {face}")
        for _ in range(2):
            env.step(env.ask(player))
        assert env.agent_selection == "player_1"
        best = max(known_numbers.off_within(end, 1) for end in known_numbers.plays(men, (face, face)))
        assert known_numbers.off_within(known_numbers.men_of(as_record(env.games.states, 0)), 1) == best, (men, face)


# --- a search that is stopped ---


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("checkers-v0", "B:W14,21,25,27,28,29,30,31,32:B1,2,3,4,5,6,7,15 steps=0 king_steps=0 plies=12"),
        ("agon-v0", "2G3/1g3q1/8/1G5G1/1g7g/2G8/G8G/9/g7/4g1g/Q5 l plies=16"),
        ("swords_and_shields-v0", "3sss3/ss1os4/4o4/5o2s/s3cooss/3oo3s/4o4/4s4/s2sss3 s plies=8"),
    ],
)
def test_a_search_that_is_stopped_plays_the_best_action_that_it_knows(game: str, position: str) -> None:
    """Also where its last pass has found the position worse than expected, and tries the actions in another order."""
    env = begun(game, position=position)
    search, row_mask = Expectimax(7)._searching(env.games), np.ones(1, np.bool_)
    noted: dict[int, list[int]] = {}
    search.begin(row_mask)
    going_on = True
    while going_on:
        going_on = search.go_on(row_mask, 7, 20)
        progress = search.memory.progress[0]
        noted.setdefault(int(progress["finished"]), []).append(int(progress["action"]))
    for finished in range(1, 7):
        if noted[finished][0] == noted[finished + 1][0]:
            assert set(noted[finished]) == {noted[finished][0]}


# --- the values of single actions ---


@pytest.mark.parametrize("game", ["swords_and_shields-v0", "checkers-v0"])
def test_values_of_actions_depend_on_the_position_alone(game: str) -> None:
    """Not on what was asked before: else `soft` players would play otherwise on another number of threads."""
    batch = batch_of(game, 4, seed=1)
    view, rows = GamesView(batch.games), np.arange(4)
    for _ in range(6):
        batch.step(batch.sample_actions())
    search = Expectimax(4)
    together = search.action_values(view, rows)
    for row in reversed(rows):
        assert np.array_equal(search.action_values(view, rows[[row]])[0], together[row], equal_nan=True)


# --- many games at once ---


@pytest.mark.parametrize("rows", [45, 200, 600])
@pytest.mark.parametrize("first", [10.0, 0.001])
def test_many_games_are_searched_in_few_calls(rows: int, first: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also more games than the first call has nodes, and where that call was slow, since it compiled."""
    calls: list[int] = []
    go_on = _Search.go_on

    def counted(search: _Search, row_mask: Any, depth: int, nodes: int) -> bool:
        calls.append(nodes)
        assert len(calls) < 20, f"nodes a game in each call: {calls}"
        return go_on(search, row_mask, depth, nodes)

    monkeypatch.setattr(_Search, "go_on", counted)
    times = itertools.accumulate(itertools.chain((0.0, first), itertools.repeat(0.0001)))
    batch = batch_of("checkers-v0", rows, seed=1)
    together = Expectimax(4, table_mib=1, clock=times.__next__)
    actions = np.zeros(rows, np.int64)
    together.choose(GamesView(batch.games), np.ones(rows, np.bool_), actions)
    assert GamesView(batch.games).action_mask[np.arange(rows), actions].all()
    assert calls[-1] >= 100 * calls[0]
