"""Learning against fixed players: best responses, pools, runs that go on exactly, and planted weaknesses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine.view import GamesView
from parlour.interfaces.registry import find
from parlour.learn import Generations, GenerationsSettings, SelfPlaySettings, TDLambda
from parlour.learn import run as learn_run
from parlour.learn.against import weights_of
from parlour.learn.checkpoint import read_checkpoint
from parlour.learn.methods import HIDDEN, STEPS_AGAINST, TD, td_settings
from parlour.learn.run import CHECKPOINT
from parlour.players.value import load, new_network, save
from parlour.players.value.files import read_card
from parlour.players.value.network import ValueNetwork
from parlour.players.value_players import TurnPlayer
from tests.support import tic_tac_toe
from tests.support.command_line import Run, check_error
from tests.support.crippled import PLAYERS

FIRST_FREE = "python:tests.learn.fixed:first_free"
PIG = ("--import", "tests.toy_games.pig", "train", "pig", "--hidden", 8, "--against", "greedy", "--against", "self")
TIC_TAC_TOE = "examples.games.tic_tac_toe"
OTHELLO = ("--import", "tests.toy_games.reversi", "train", "reversi", "--hidden", 8, "--against", "random")


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.learn.strength.GAMES", 8)


def weights_in(file: Path) -> list[Any]:
    """Those of the network in a file."""
    return [array.tobytes() for array in load(file).weights]


def policy_of(network: ValueNetwork) -> tic_tac_toe.Policy:
    """What a network plays one turn deep in tic-tac-toe."""
    env, player = parlour.make("tic_tac_toe-v0").unwrapped, TurnPlayer(network)

    def policy(board: str, mark: str) -> Mapping[int, float]:
        env.reset(seed=0, options={"position": tic_tac_toe.text_of(board, mark)})
        return {int(player.consider(GamesView(env.games)).probabilities.argmax()): 1.0}

    return policy


def short_of_best(against: str, opponent: tic_tac_toe.Policy, rounds: int) -> float:
    """By how many points a learnt response to a player of tic-tac-toe falls short of a best one, in its worse seat."""
    parlour.register(TIC_TAC_TOE)
    network = new_network(find("tic_tac_toe"), hidden=HIDDEN[TD], seed=0)
    learner = TDLambda(network, td_settings(network, [against]), against=[against])
    for _ in range(rounds):
        learner.round()
    policy = policy_of(learner.network)
    return max(tic_tac_toe.score(mark, opponent) - tic_tac_toe.score(mark, opponent, policy) for mark in "xo")


def test_a_player_that_does_not_look_is_beaten_by_a_best_response() -> None:
    """It wins all games in both seats, as can be known from all that may happen."""
    assert tic_tac_toe.score("o", tic_tac_toe.first_free) == 1
    assert short_of_best(FIRST_FREE, tic_tac_toe.first_free, 6) == 0


@pytest.mark.long
def test_against_a_player_that_never_errs_a_best_response_draws(tmp_path: Path) -> None:
    """The player looks every position up in the table of `parlour.solve`."""
    parlour.register(TIC_TAC_TOE)
    parlour.solve("tic_tac_toe-v0", out=tmp_path)
    network = new_network(find("tic_tac_toe"), hidden=32, seed=0)
    exact = f"exact:{tmp_path}"
    learner = TDLambda(network, td_settings(network, [exact]), against=[exact])
    for _ in range(10):
        learner.round()
    score = parlour.arena.match(
        "tic_tac_toe-v0", {"learnt": TurnPlayer(learner.network)}, exact, games=100, openings="none", progress=False
    )
    assert (score.wins, score.losses) == (0, 0)
    assert score.draws


@pytest.mark.hours
@pytest.mark.parametrize(("against", "opponent"), [("random", tic_tac_toe.at_random), ("greedy", tic_tac_toe.greedy)])
def test_a_best_response_is_found_whatever_may_happen(against: str, opponent: tic_tac_toe.Policy) -> None:
    """Within a thousandth of a point, in both seats."""
    assert short_of_best(against, opponent, 800) < 0.001


def test_steps_are_larger_against_fixed_players_alone() -> None:
    """Not where the learner is among them, nor for stakes, where hidden units would be off."""
    network = new_network(find("pig"), hidden=8, seed=0)
    usual = td_settings(network).learning_rate
    assert td_settings(network, ["greedy", "random"]).learning_rate == STEPS_AGAINST * usual > usual
    assert td_settings(network, ["greedy", "self"]).learning_rate == usual
    stakes = new_network(find("backgammon"), hidden=8, scale=3, seed=0)
    assert td_settings(stakes, ["greedy"]).learning_rate == td_settings(stakes).learning_rate < usual


def test_what_is_learnt_depends_on_the_player() -> None:
    """Only the seat of the learner learns among three; `self` among the players gives all seats."""
    network = new_network(find("pig"), hidden=8, seed=0)
    learner = TDLambda(network, td_settings(network, ["greedy"]), against=["greedy"])
    first = learner.round()
    assert first.positions == 1344  # one of three views of 21 positions in each of 64 rows
    games, half_points = learner.turn_play.opponents.met.sum(axis=0)[0]
    assert games == first.games
    assert 0 < half_points < 2 * games
    pool = TDLambda(network, td_settings(network, ["greedy"]), against=["greedy", "self"])
    positions = pool.round().positions
    assert 1344 < positions < 3 * 1344
    assert pool.turn_play.opponents.met.sum(axis=0)[1].tolist() == [0, 0]


def test_a_game_that_is_cut_off_counts_as_a_draw() -> None:
    """As in a pool of opponents; whatever the search finds the last position to be worth."""
    network = new_network(find("checkers"), hidden=8, seed=0)
    settings = GenerationsSettings(self_play=SelfPlaySettings(depth=1, games=16, max_plies=12), positions=200)
    learner = Generations(network, settings, against=["random"])
    learner.round()
    games, half_points = learner.met[0]
    assert half_points == games > 0


def test_those_of_the_learners_own_strength_are_drawn_most() -> None:
    weights = weights_of(np.array([[98, 98], [98, 196], [0, 0]]))
    assert weights[0] == weights[2] == pytest.approx(25 * weights[1], rel=0.02)


@pytest.mark.parametrize("command", [PIG, pytest.param(OTHELLO, marks=pytest.mark.long)])
def test_a_run_against_players_goes_on_where_it_stopped(command: tuple[Any, ...], run: Run, tmp_path: Path) -> None:
    name = command[3]
    for folder, rounds in (("whole", 3), ("parts", 1), ("parts", 3)):
        ran = run(*command, "--rounds", rounds, "--out", tmp_path / folder)
        assert ran.status == 0, ran.err
    assert "resuming after 1 round" in ran.out
    assert weights_in(tmp_path / "parts" / f"{name}.value") == weights_in(tmp_path / "whole" / f"{name}.value")
    assert read_card(tmp_path / "whole" / f"{name}.value")["against"] == ", ".join(command[7::2])
    others = (*command[:6], "--against", "expectimax:1")
    check_error(run(*others, "--rounds", 3, "--out", tmp_path / "parts"), "run with against", "give another folder")


def test_threads_and_jobs_change_nothing() -> None:
    network = new_network(find("pig"), hidden=8, seed=0)
    settings = td_settings(network, ["greedy"])

    def learnt(**how: Any) -> list[Any]:
        learner = TDLambda(network, settings, against=["greedy", "self"], **how)
        for _ in range(2):
            learner.round()
        return [*(array.tobytes() for array in learner.network.weights), learner.turn_play.opponents.met.tobytes()]

    alone = learnt()
    assert learnt(threads=2) == alone
    assert learnt(run=lambda jobs: [job() for job in jobs]) == alone


def test_a_checkpoint_with_other_seats_is_refused() -> None:
    network = new_network(find("pig"), hidden=8, seed=0)
    learner = TDLambda(network, td_settings(network, ["greedy"]), against=["greedy", "self"])
    learner.round()
    kept = learner.checkpoint()
    for name, value in (("learners", 3), ("numbers", 2), ("met", -1), ("numbers", 1 - kept["numbers"])):
        with pytest.raises(ValueError, match=name):
            learner.restore({**kept, name: np.full_like(kept[name], value)})
    learner.restore(kept)


def test_generations_learn_against_players_and_go_on_exactly() -> None:
    parlour.register(TIC_TAC_TOE)
    network = new_network(find("tic_tac_toe"), hidden=8, seed=0)
    settings = GenerationsSettings(positions=400, self_play=SelfPlaySettings(depth=2, games=16, openings=(0, 2)))
    make = partial(Generations, network, settings, against=[FIRST_FREE, "self"])
    whole, first, second = make(), make(), make()
    whole.round()
    whole.round()
    first.round()
    second.restore(first.checkpoint())
    second.round()
    assert [array.tobytes() for array in second.network.weights] == [array.tobytes() for array in whole.network.weights]
    assert (second.met == whole.met).all()
    games, half_points = whole.met[0]
    assert half_points > 1.6 * games  # it looks two plies ahead
    assert whole.met[1, 0] == 0


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["nobody"], ["no player 'nobody'"]),
        (["greedy", "greedy"], ["'greedy' is given twice"]),
        (["self"], ["'self' alone"]),
        (["value:missing.value"], ["missing.value"]),
    ],
)
def test_players_that_are_not_valid_are_refused(names: list[str], parts: list[str], run: Run, tmp_path: Path) -> None:
    against = [part for name in names for part in ("--against", name)]
    check_error(run("train", "royal_ur", *against, "--out", tmp_path / "run"), *parts)
    assert not (tmp_path / "run").exists()


def test_a_file_is_a_player_as_deep_as_suits_the_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.value"
    save(new_network(find("pig"), hidden=8, seed=1), file)
    ran = run(*PIG[:6], "--against", file, "--rounds", 1, "--out", tmp_path / "run")
    assert ran.status == 0, ran.err
    assert f"against value:{file}" in ran.err
    assert list(read_checkpoint(tmp_path / "run" / CHECKPOINT)[0].plan.against) == [f"value:{file}"]


# --- what beats a player ---


@pytest.mark.parametrize(("others", "learnt"), [((), "20,000,000"), (("--against", "self"), "there")])
def test_a_best_response_begins_with_the_champion(
    others: tuple[str, ...], learnt: str, run: Run, tmp_path: Path
) -> None:
    """Where only fixed players are met, it learns as fast as one that has learnt less."""
    champion = read_card(Path("envs/royal_ur/champion.value"))["positions"]
    train = ("train", "royal_ur", "--variant", "finkel", "--from", "champion", "--against", "greedy", *others)
    ran = run(*train, "--rounds", 1, "--out", tmp_path)
    assert ran.status == 0, ran.err
    assert f"learnt from {int(champion):,} positions; the learning rate goes on from {learnt}, the" in ran.out
    check_error(run(*PIG, "--from", "champion", "--out", tmp_path / "pig"), "pig-v0 has no champion to begin with")


def test_the_command_for_it_says_what_to_use(run: Run) -> None:
    check_error(run("exploit", "royal_ur", "greedy", "--minutes", 1), "exploit is gone", "--against", "parlour match")


@pytest.mark.hours
@pytest.mark.parametrize(("game", "player"), [(game, one.name) for game, some in PLAYERS.items() for one in some])
def test_planted_weaknesses_are_found(game: str, player: str, tmp_path: Path) -> None:
    """A best response scores 70 % within ten processor minutes, often much sooner: by TD(λ) from nothing, or from the
    champion by the method that suits the game."""
    for minutes in (1, 3, 10):
        for start, method in ((None, TD), ("champion", None)):
            plan = learn_run.plan_run(find(game), find(game).variants[0].name, {}, method, None, 1, start, [player])
            with learn_run.TrainingRun(plan, tmp_path / str(start)) as training:
                training.learn(30 * minutes, None)
            name = f"value:{training.file}" if plan.method == TD else training.player
            score = parlour.arena.match(find(game).id, name, player, games=400, seed=2, progress=False).score.value
            if score >= 0.7:
                return
    raise AssertionError(f"{player}: {score}")
