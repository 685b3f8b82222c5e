"""Any position of a game that is being played, from few environments; what a visitor starts comes to an end."""

from __future__ import annotations

import pytest

import parlour
from parlour.interfaces.registry import find
from parlour.serve import judging, positions
from parlour.serve.judging import SessionJudge
from parlour.serve.opponents import parse_opponent
from parlour.serve.positions import Positions
from parlour.serve.settings import MAX_THINKING, Settings

UR = "royal_ur-v0"


@pytest.fixture(autouse=True)
def few_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "EVERY", 5)


def played(plies: int) -> tuple[Positions, list[str]]:
    """A game of so many plies, and its positions as texts."""
    env = parlour.make(UR, illegal_move="raise").unwrapped
    env.reset(seed=4)
    found, texts = Positions(env), [env.position()]
    for _ in range(plies):
        action = env.parse_move(env.legal_moves()[-1])
        env.step(action)
        found.append(action, env)
        texts.append(env.position())
    return found, texts


@pytest.mark.parametrize("plies", [0, 1, 4, 5, 6, 23, 25])
def test_each_position_is_there_with_its_dice(plies: int) -> None:
    found, texts = played(plies)
    assert len(found) == plies + 1
    assert [found[ply].position() for ply in range(plies + 1)] == texts
    assert [env.position() for env in reversed(found)] == texts[::-1]
    assert found[-1].position() == texts[-1]
    assert len(found._environments) == plies // 5 + 1
    with pytest.raises(IndexError):
        found[plies + 1]


def test_positions_are_cut_and_go_on() -> None:
    found, texts = played(23)
    twin = found.copy()
    for plies in (20, 19, 5, 4, 0):
        found.cut(plies)
        assert len(found) == plies + 1
        assert found[-1].position() == texts[plies]
        assert len(found._environments) == plies // 5 + 1
    assert [env.position() for env in reversed(twin)] == texts[::-1]
    env = found[-1]
    env.step(twin.actions[0])
    found.append(twin.actions[0], env)
    assert found[-1].position() == texts[1]


def test_what_is_given_can_be_played_on() -> None:
    found, texts = played(10)
    for ply in (5, 7, 10):
        env = found[ply]
        env.step(env.parse_move(env.legal_moves()[0]))
    assert [found[ply].position() for ply in range(11)] == texts


def test_values_of_positions_that_are_no_longer_there_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "SECONDS", float("inf"))  # however long compiling takes
    found, _ = played(12)
    judge = SessionJudge(found[0])
    values, complete = judge.values(found)
    assert complete
    assert judge.values(found) == (values, True)
    ply = max(ply for ply in range(12) if len(found[ply].legal_moves()) > 1)
    env, played_then = found[ply], found.actions[ply]
    found.cut(ply)
    other = next(action for action in map(env.parse_move, env.legal_moves()) if action != played_then)
    env.step(other)
    found.append(other, env)
    assert judge.values(found)[0][: ply + 1] == values[: ply + 1]
    assert judge.values(found)[0] == SessionJudge(found[0]).values(found)[0]


@pytest.mark.parametrize(
    "name",
    ["mcts:20000", "mcts:9s", "expectimax:12", "expectimax:12:exact", "champion", "champion:12", "champion:2turns",
     "blunder:5:expectimax:12", "blunder:5:champion:12"],
)  # fmt: skip
def test_every_player_of_a_visitor_has_a_deadline(name: str, tmp_path: object) -> None:
    player = parse_opponent(name, find(UR), Settings(tmp_path))  # type: ignore[arg-type]
    while getattr(player, "max_seconds", None) is None:
        inner = getattr(player, "player", getattr(player, "_player", None))
        if inner is None:  # it does not search
            assert name == "champion:2turns" or name == "champion"
            return
        player = inner
    assert player.max_seconds == MAX_THINKING
