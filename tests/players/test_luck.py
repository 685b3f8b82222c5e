"""Luck in the throws: its mean is 0, it explains the whole result where judge and players are perfect, and watching a
game does not change it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine.arrays import DISABLED
from parlour.engine.forced_dice import set_forced_dice
from parlour.interfaces.registry import find
from parlour.players import parse_player
from parlour.players.luck import JUDGES, NO_JUDGE, Judge, LuckRecorder, find_judge
from parlour.players.simulate import MoveRecorder, play_games
from parlour.players.value import new_network, save
from tests.players.value.networks import GAMES, LONG, middle
from tests.support.games import batch_of

UR = "royal_ur-v0"


def watched(game: str, judge: Judge | None, seated: Sequence[str], games: int, **options: Any) -> tuple[Any, Any, Any]:
    """Results (M, P), luck (M, P; zeros without a judge) and moves of games between players."""
    known = find(game)
    values = known.resolve(None, options)[1]
    moves, luck = MoveRecorder(), None if judge is None else LuckRecorder(judge, [0] * games)
    found, played = np.zeros((games, known.layout(values).seats)), [np.zeros(0)] * games

    def note(results: Any, game_numbers: Any) -> None:
        for g in game_numbers.tolist():
            found[g], played[g] = luck.luck_of(g) if luck else 0, moves.moves_of(g)

    players = [parse_player(name, known) for name in seated]
    results = play_games(known, values, players, range(games), 1, note, observers=[moves, luck] if luck else [moves])
    return results.returns, found, played


def unknowing(game: str, folder: Path, **options: Any) -> Judge:
    """A judge with random weights."""
    save(new_network(find(game), hidden=8, seed=5, overrides=options), folder / "net.value")
    return Judge(f"value:{folder / 'net.value'}", find(game))


@pytest.mark.parametrize("game", ["backgammon-v0", LONG])
def test_the_mean_of_luck_over_all_throws_is_zero(game: str, tmp_path: Path) -> None:
    """In positions where one throw follows a ply, whatever it shows."""
    judge, batch = unknowing(game, tmp_path), batch_of(game, 40, plies=30, seed=3)
    games, rows = batch.games, np.arange(40)
    actions, after = batch.sample_actions().astype(np.int64), batch.after_states()
    due = dict(zip(zip(after.row_ids.tolist(), after.actions.tolist()), after.chance_due.tolist()))
    single = np.array([due[i, action] for i, action in enumerate(actions.tolist())])
    sums, largest = np.zeros((40, 2)), np.zeros((40, 2))
    for faces, chance in games.chance_outcomes(0):
        set_forced_dice(games, [faces])
        recorder = LuckRecorder(judge, [0] * 40)
        recorder.begin(games, rows, rows)
        recorder.before_step(games, rows, rows, actions)
        luck = np.array([recorder.luck_of(i) for i in rows])
        sums, largest = sums + chance * luck, np.maximum(largest, np.abs(luck))
        twin = games.copy()
        twin.step(actions, DISABLED)
        single &= twin.dice_rng["counter"] == games.dice_rng["counter"]  # no other throw
    assert single.sum() > 5
    assert largest[single].min() > 1e-3
    assert np.abs(sums[single]).max() < 1e-9


def test_the_mean_of_luck_is_zero_for_every_seat(tmp_path: Path) -> None:
    """Of three, by a judge that knows nothing, in games with several throws in a row."""
    judge = unknowing("pig-v0", tmp_path, players=3)
    _, luck, _ = watched("pig-v0", judge, ["random"] * 3, 400, players=3)
    assert (luck.std(axis=0) > 0.1).all()
    assert (np.abs(luck.mean(axis=0)) < 4 * luck.std(axis=0) / np.sqrt(400)).all()


def test_luck_explains_the_whole_result_of_perfect_play(tmp_path: Path) -> None:
    """By the exact table each game is the value of its first position plus luck, whatever the dice do."""
    parlour.solve(UR, out=tmp_path / "ur", men=2)
    name = f"exact:{tmp_path / 'ur'}"
    returns, luck, _ = watched(UR, Judge(name, find(UR)), [name, name], 40, men=2)
    left = (returns - luck)[:, 0]
    assert np.abs(returns[:, 0]).min() == 1
    assert np.abs(left).max() < 0.5  # the value after the first throw, which is not judged
    env = parlour.make(UR, men=2).unwrapped
    solution = parlour.Solution.load(tmp_path / "ur")
    for seed in range(40):
        env.reset(seed=seed)
        low, high = solution.value(env)
        seat = int(env.agent_selection[-1])
        assert (1 - 2 * seat) * left[seed] == pytest.approx((low + high) / 2, abs=1e-5)


def test_games_are_the_same_whether_watched_or_not(tmp_path: Path) -> None:
    returns, luck, moves = watched(UR, unknowing(UR, tmp_path), ["greedy", "random"], 20)
    alone, _, moves_alone = watched(UR, None, ["greedy", "random"], 20)
    assert (alone == returns).all()
    assert all((one == other).all() for one, other in zip(moves_alone, moves))
    assert np.abs(luck).min() > 0
    assert (luck[:, 0] == -luck[:, 1]).all()


def test_throws_of_a_random_opening_do_not_count(tmp_path: Path) -> None:
    batch = middle("pig-v0", rows=6)
    games, rows = batch.games, np.arange(6)
    recorder = LuckRecorder(unknowing("pig-v0", tmp_path, **GAMES["pig-v0"]), [0, 1] * 3)
    recorder.begin(games, rows, rows)
    for counted in (rows % 2 == 0, rows >= 0):
        before = recorder._luck.copy()
        recorder.before_step(games, rows, rows, np.zeros(6, np.int64))  # rolls
        assert ((recorder._luck != before).any(axis=1) == counted).all()


def test_judges(tmp_path: Path) -> None:
    ur, checkers = find(UR), find("checkers-v0")
    usual = ur.resolve(None, {})[1]
    judge = find_judge(ur, [usual], None)
    assert judge is not None
    assert (judge.name, judge.identity) == ("champion", parse_player("champion", ur).identity)
    assert find_judge(ur, [usual], NO_JUDGE) is None
    assert find_judge(checkers, [checkers.resolve(None, {})[1]], None) is None
    few = ur.resolve(None, {"men": 3})[1]
    assert find_judge(ur, [few], None) is None  # the champion has not learnt it
    with pytest.raises(ValueError, match="men"):
        find_judge(ur, [few], "champion")
    with pytest.raises(ValueError, match="without dice"):
        find_judge(checkers, [checkers.resolve(None, {})[1]], "champion")
    for wrong in ("greedy", "champion:4", "value:"):
        with pytest.raises(ValueError, match=r"can't judge|there is no player"):
            Judge(wrong, ur)
    assert "exact:FOLDER" in JUDGES
