"""`WinWarning`: held against trying every ply in the open, and against positions where the warning is known."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.wrappers import FlatFloat32, WinWarning
from tests.support.cases import GAMES, VARIANTS

SWORDS = "swords_and_shields-v0"
TURNED = {
    SWORDS: lambda text: re.sub(r" ([so])\b", lambda seat: " s" if seat[1] == "o" else " o", text, count=1),
    "checkers-v0": lambda text: ("W" if text[0] == "B" else "B") + text[1:],
    "agon-v0": lambda text: re.sub(r" ([ld])\b.*", lambda seat: " l" if seat[1] == "d" else " d", text, count=1),
}
"""The text of the same position with the other seat to act, at the start of its turn."""


def wins(env: Any) -> bool:
    """Whether the seat to act has an action that wins, tried one by one; chance is left out."""
    seat = env.agent_selection
    for action in np.flatnonzero(env.observe(seat)["action_mask"]):
        twin = env.clone()
        twin.step(int(action))
        rewards = dict(twin.rewards)
        own = rewards.pop(seat)
        if any(twin.terminations.values()) and own > max(rewards.values()) and not throws_after(env, int(action)):
            return True
    return False


def throws_after(env: Any, action: int) -> bool:
    """Whether a throw follows on the action: another clone's stream has moved."""
    twin = env.clone()
    before = twin.games.dice_rng["counter"][0]
    twin.step(action)
    return bool(twin.games.dice_rng["counter"][0] != before)


def check_by_trying(env: WinWarning, counts: Counter[str]) -> None:
    raw = env.unwrapped
    seat = env.agent_selection
    told = env.last()[4]
    assert env.infos[seat] == told
    assert told["can_win"] == wins(raw), raw.position()
    assert all(env.infos[agent] == {"can_win": 0, "threatened": 0} for agent in env.agents if agent != seat)
    counts["can_win"] += told["can_win"]
    counts["threatened"] += told["threatened"]
    if raw.game.id in TURNED and raw.games.states["turn_over"][0]:
        turn(raw, seat, bool(told["threatened"]))
    else:
        assert told["threatened"] == 0


def turn(raw: Any, seat: str, threatened: bool) -> None:
    """Reads the position with the other seat to act, and lets it try."""
    other = parlour.make(raw.game.id, variant=raw.variant, repetition=0, max_plies=0)
    text = re.sub(r" (plies|seen|passes)=\S*", "", TURNED[raw.game.id](raw.position()))
    try:
        other.reset(options={"position": text})
    except ValueError:  # the other seat has nothing to move: no position of a game going on
        assert not threatened
        return
    assert threatened == (other.agent_selection != seat and wins(other)), text


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_what_it_tells_is_what_comes_of_trying(game: str, variant: str) -> None:
    env, rng, counts = WinWarning(parlour.make(game, variant=variant)), np.random.default_rng(4), Counter[str]()
    env.reset(seed=4)
    for _ in range(40):
        if env.last()[2] or env.last()[3]:
            env.reset()
        check_by_trying(env, counts)
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))


@pytest.mark.parametrize(("variant", "wanted"), [("milton_bradley", 5), ("tablut", 5), ("corner_escape", 2)])
def test_swords_and_shields_at_length(variant: str, wanted: int) -> None:
    """Play between seats that take every second win only, so that there is something to warn of."""
    env, rng, counts = (
        WinWarning(parlour.make(SWORDS, variant=variant, max_plies=60)),
        np.random.default_rng(1),
        Counter[str](),
    )
    env.reset(seed=0)
    for _ in range(150):
        if env.last()[2] or env.last()[3]:
            env.reset()
        check_by_trying(env, counts)
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert counts["can_win"] >= wanted
    assert counts["threatened"] >= wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("9/9/9/9/s3c4/9/9/9/9 o", (1, 0)),  # the Chief runs to the edge
        ("9/9/9/3s5/s2c5/9/3s5/9/9 s", (1, 1)),  # a sword closes in; else he runs
        ("9/9/9/3s5/s1sc1s3/9/3s5/9/9 o", (0, 1)),  # boxed in, and about to be taken
    ],
)
def test_positions_of_swords_and_shields(text: str, told: tuple[int, int]) -> None:
    env = WinWarning(parlour.make(SWORDS))
    env.reset(options={"position": text})
    info = env.last()[4]
    assert (info["can_win"], info["threatened"]) == told


def test_a_seat_shut_in_has_lost() -> None:
    """The last sword that can move is taken or closed in: a win that no Chief makes."""
    env = WinWarning(parlour.make(SWORDS))
    env.reset(options={"position": "s1o6/9/o8/9/4c4/9/9/9/9 o"})
    assert env.last()[4]["can_win"] == 1


def test_dice_do_not_threaten() -> None:
    env = WinWarning(parlour.make("pig-v0", players=2, goal=10))
    env.reset(options={"position": "scores 9 5 | player_0 | turn 5 | dice 2 3 | 12"})
    assert env.last()[4] == {"can_win": 1, "threatened": 0}
    env.reset(options={"position": "scores 1 9 | player_0 | turn 5 | dice 2 3 | 12"})
    assert env.last()[4] == {"can_win": 0, "threatened": 0}


@pytest.mark.parametrize("game", GAMES)
def test_planes_say_the_same(game: str) -> None:
    env = WinWarning(parlour.make(game), planes=True)
    channels = len(env.unwrapped.planes)
    assert [plane.meaning for plane in env.planes[channels:]] == [
        "all ones when the observing seat can win with this ply",
        "all ones when it is threatened",
    ]
    rng = np.random.default_rng(8)
    env.reset(seed=8)
    for _ in range(60):
        seen, _, terminated, truncated, info = env.last()
        assert (seen["observation"][channels:] == np.array([*info.values()])[:, None, None]).all()
        assert np.array_equal(seen["observation"][:channels], env.env.observe(env.agent_selection)["observation"])
        for agent in env.agents:
            if agent != env.agent_selection:
                assert not env.observe(agent)["observation"][channels:].any()
        if terminated or truncated:
            assert list(info.values()) == [0, 0]
            env.reset()
        else:
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def test_an_illegal_move_ends_all_warnings() -> None:
    env = WinWarning(parlour.make(SWORDS))
    env.reset(options={"position": "9/9/9/9/s3c4/9/9/9/9 o"})
    assert env.last()[4]["can_win"] == 1
    env.step(0)
    assert env.last()[4] == {"can_win": 0, "threatened": 0}
    assert env.infos == {agent: {"can_win": 0, "threatened": 0} for agent in env.agents}


def test_planes_need_planes() -> None:
    with pytest.raises(ValueError, match=r"planes \(C, H, W\)"):
        WinWarning(FlatFloat32(parlour.make(SWORDS)), planes=True)
    with pytest.raises(ValueError, match="planes must be True or False, not 'yes'"):
        WinWarning(parlour.make(SWORDS), planes="yes")  # type: ignore[arg-type]
    env = WinWarning(FlatFloat32(parlour.make(SWORDS)))
    env.reset(seed=0)
    assert env.last()[4] == {"can_win": 0, "threatened": 0}
