"""`PotentialShaping` and `BatchPotentialShaping`: they telescope to the last bit, which leaves optimal play as it is
(Ng, Harada & Russell, theorem 1)."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.wrappers import BatchPotentialShaping, PotentialShaping, SelfPlayEnv
from tests.support.cases import VARIANTS

SHIELDS = "player_1"


def potential_of(env: Any, agent: str) -> float:
    return float(env.unwrapped.games.potential_one(env.possible_agents.index(agent)))


def dyadic(raw: Any, seat: int) -> float:
    """A number of few bits, another at every ply."""
    return float((int(raw.games.states["plies"][0]) * 37 + seat * 11) % 64 - 32) / 64


def added(env: Any, rng: np.random.Generator) -> Iterator[tuple[str, dict[str, float], dict[str, float]]]:
    """Plays a game at random: after each ply, who took it, what each seat was given on top, and every potential."""
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        mover = env.agent_selection
        env.step(int(rng.choice(np.flatnonzero(env.observe(mover)["action_mask"]))))
        bonus = {agent: env.rewards[agent] - env.unwrapped.rewards[agent] for agent in env.possible_agents}
        yield mover, bonus, {agent: potential_of(env, agent) for agent in env.possible_agents}


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_what_was_added_telescopes(game: str, variant: str, gamma: float) -> None:
    """Discounted by γ a ply of its own, a seat's terms add up to −φ of its first position, and γⁿφ of the last after a
    cut. A term comes only when the seat is next to act."""
    env = PotentialShaping(parlour.make(game, variant=variant, max_plies=60), gamma)
    moved = False
    for seed in range(4):
        env.reset(seed=seed)
        first, total, plies = {}, dict.fromkeys(env.possible_agents, 0.0), dict.fromkeys(env.possible_agents, 0)
        present = {agent: potential_of(env, agent) for agent in env.possible_agents}
        for mover, bonus, after in added(env, np.random.default_rng(seed)):
            first.setdefault(mover, present[mover])
            plies[mover] += 1
            over = env.terminations[mover] or env.truncations[mover]
            for agent, amount in bonus.items():
                assert amount == 0 or (agent in first and (over or agent == env.agent_selection))
                total[agent] += gamma ** (plies[agent] - 1) * amount if agent in first else 0.0
                moved |= amount != 0
            present = after
        cut = env.truncations[env.agent_selection]
        for agent in env.possible_agents:
            expected = -first.get(agent, 0.0)
            if cut and agent in first:
                expected += gamma ** plies[agent] * present[agent]
            assert total[agent] == pytest.approx(expected, abs=1e-9)
    assert moved


@pytest.mark.filterwarnings("ignore:.*Illegal move")
@pytest.mark.parametrize("ends_illegally", [False, True])
def test_telescopes_to_the_last_bit(ends_illegally: bool) -> None:
    """With whole rewards, and potentials and a γ of few bits, nothing is rounded; the sum is taken in fractions. An
    illegal move ends a game as a result does."""
    env = PotentialShaping(parlour.make("swords_and_shields-v0", max_plies=0), 0.5, potential=dyadic)
    env.reset(seed=1)
    rng, gamma = np.random.default_rng(1), Fraction(1, 2)
    plies = dict.fromkeys(env.possible_agents, 0)
    total = dict.fromkeys(env.possible_agents, Fraction(0))
    first = {"player_0": Fraction(dyadic(env.unwrapped, 0))}
    while not env.terminations[mover := env.agent_selection]:
        if sum(plies.values()) == 1:
            first[SHIELDS] = Fraction(dyadic(env.unwrapped, 1))
        mask = env.observe(mover)["action_mask"]
        plies[mover] += 1
        wanted = 0 if ends_illegally and plies[mover] == 9 else 1
        env.step(int(rng.choice(np.flatnonzero(mask == wanted))))
        for agent, reward in env.rewards.items():
            extra = Fraction(reward) - Fraction(env.unwrapped.rewards[agent])
            total[agent] += gamma ** max(plies[agent] - 1, 0) * extra
    assert min(plies.values()) > 7
    assert total == {agent: -potential for agent, potential in first.items()}


@pytest.mark.filterwarnings("ignore:.*Illegal move")
def test_an_illegal_move_takes_back_the_games_own_potential() -> None:
    env = PotentialShaping(parlour.make("swords_and_shields-v0"))
    env.reset(options={"position": "9/9/9/9/s3c4/9/9/9/9 o"})
    before = potential_of(env, SHIELDS)
    env.step(0)
    assert before
    assert env.rewards == {"player_0": 0.0, SHIELDS: -1.0 - before}


def test_a_seat_that_is_out_gets_its_last_term_at_once() -> None:
    """Its learner's episode ends there, though the others play on."""
    options: dict[str, Any] = {"variant": "limited_bank", "start_chips": 3, "players": 4}
    ended_before_the_game = 0
    for seed in range(12):
        shaped = SelfPlayEnv(PotentialShaping(parlour.make("crown_and_anchor-v0", **options)), seat=1)
        plain = SelfPlayEnv(parlour.make("crown_and_anchor-v0", **options), seat=1)
        for env in (shaped, plain):
            env.reset(seed=seed)
        rng, first, total, over = np.random.default_rng(seed), potential_of(shaped.env, "player_1"), 0.0, False
        while not over:
            action = rng.choice(np.flatnonzero(shaped.action_masks()))
            _, reward, terminated, truncated, _ = shaped.step(action)
            total += reward - plain.step(action)[1]
            over = terminated or truncated
        assert total == pytest.approx(-first, abs=1e-9)
        ended_before_the_game += not shaped.unwrapped.env.unwrapped.is_over()
    assert ended_before_the_game > 2


def test_a_function_is_asked_in_running_and_truncated_games_alone() -> None:
    asked = []

    def noting(raw: Any, seat: int) -> float:
        asked.append((raw.is_over(), raw.terminations["player_0"], seat))
        return 0.5

    env = PotentialShaping(parlour.make("pig-v0", players=3, goal=9), potential=noting)
    env.reset(options={"position": "scores 0 0 0 | player_1 | turn 9 | dice 4 3 | 5"})
    env.step(env.parse_move("hold"))
    assert asked == [(False, False, 1)]
    env = PotentialShaping(parlour.make("pig-v0", players=3, max_plies=6), potential=noting)
    env.reset(options={"position": "scores 0 0 0 | player_1 | turn 9 | dice 4 3 | 5"})
    env.step(env.parse_move("hold"))
    assert asked[1:] == [(False, False, 1), (True, False, 1)]


def test_several_plies_in_a_row_and_seats_that_never_act() -> None:
    """In pig a seat may throw again and again; each such ply has its term at once, and nobody else has any."""
    env = PotentialShaping(parlour.make("pig-v0", players=3, goal=20), 0.5, potential=dyadic)
    env.reset(
        seed=3, options={"position": "scores 0 0 0 | player_1 | turn 19 | dice 4 3 | 5", "dice": [(5, 6), (2, 2)]}
    )
    for ply in (5, 6):
        phi = [float((plies * 37 + 11) % 64 - 32) / 64 for plies in (ply, ply + 1)]
        env.step(env.parse_move("again"))
        assert env.agent_selection == "player_1"
        assert env.rewards == {"player_0": 0, "player_1": 0.5 * phi[1] - phi[0], "player_2": 0}
        assert env.last()[1] == env.rewards["player_1"]
    raw_phi = dyadic(env.unwrapped, 1)
    env.step(env.parse_move("hold"))
    assert env.terminations["player_0"]
    banked = env.unwrapped.rewards["player_1"]
    assert banked > 0
    assert env.rewards == {"player_0": 0, "player_1": banked - raw_phi, "player_2": 0}


def test_a_game_resumed_at_its_end_is_given_nothing() -> None:
    env = PotentialShaping(parlour.make("swords_and_shields-v0", max_plies=5))
    env.reset(options={"position": "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 o plies=5 end=max_plies"})
    assert env.truncations[env.agent_selection]
    for _ in range(2):
        assert env.last()[1] == 0
        env.step(None)
    assert not env.agents


def test_the_weight_falls_with_the_episodes() -> None:
    """Evenly for a number; as told for a function; constant within an episode, whose terms it multiplies."""
    anneals = (None, 4, lambda episode: 2.0**-episode)
    envs = [
        PotentialShaping(parlour.make("swords_and_shields-v0", max_plies=12), 0.9, dyadic, anneal) for anneal in anneals
    ]
    _, falling, told = envs
    weights = []
    for episode in range(6):
        for env in envs:
            env.reset(seed=episode)
        assert [env.episode for env in envs] == [episode] * 3
        weights.append((falling.weight, told.weight))
        runs = [list(added(env, np.random.default_rng(episode))) for env in envs]
        assert any(bonus["player_0"] for _, bonus, _ in runs[0])
        for (_, full, _), (_, less, _), (_, other, _) in zip(*runs):
            for agent, amount in full.items():
                assert less[agent] == pytest.approx(falling.weight * amount, abs=1e-12)
                assert other[agent] == pytest.approx(told.weight * amount, abs=1e-12)
    assert weights == [(1.0, 1.0), (0.75, 0.5), (0.5, 0.25), (0.25, 0.125), (0.0, 0.0625), (0.0, 0.03125)]


def test_a_batch_counts_each_rows_episodes() -> None:
    batch = BatchPotentialShaping(parlour.make_batch("pig-v0", 3, autoreset="disabled"), anneal=lambda n: 1 / (n + 1))
    batch.reset()
    batch.reset(options={"reset_mask": np.array([True, False, True])})
    batch.reset(options={"reset_mask": np.array([True, False, False])})
    assert batch.episodes.tolist() == [2, 0, 1]
    assert batch.weights.tolist() == [1 / 3, 1, 1 / 2]


def test_what_version_0_3_0_has_pickled_goes_on() -> None:
    env = PotentialShaping(parlour.make("pig-v0", players=2, goal=100), 0.5, dyadic, anneal=4)
    for seed in (1, 2):
        env.reset(seed=seed)
    env.step(env.parse_move("hold"))
    kept = {name: part for name, part in vars(env).items() if name not in ("episodes", "weights", "_potentials")}
    held = {"player_0": env._held[0, 0], env.agent_selection: dyadic(env.unwrapped, int(env.agent_selection[-1]))}
    old: Any = PotentialShaping.__new__(PotentialShaping)
    old.__setstate__({**copy.deepcopy(kept), "episode": 1, "weight": 0.75, "_held": held})
    assert (old.episode, old.weight) == (1, 0.75)
    for wrapped in (env, old):
        wrapped.step(wrapped.parse_move("hold"))
    assert old.rewards == env.rewards
    assert any(old.rewards.values())


def test_refuses_other_things() -> None:
    with pytest.raises(ValueError, match="potential is a function"):
        PotentialShaping(parlour.make("pig-v0"), potential=0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="wraps batches of parlour"):
        BatchPotentialShaping(parlour.make("pig-v0"))  # type: ignore[arg-type]
    env = PotentialShaping(parlour.make("pig-v0"), anneal=lambda episode: float("inf"))
    with pytest.raises(ValueError, match=r"anneal's weight of episode 0 must be .* not inf"):
        env.reset()
