"""What is no argument is refused by a ValueError that names it, whatever it is, and nothing is changed by it.

Every public argument of environments, batches and wrappers is given values of every wrong kind.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.arena import Threads, match
from parlour.engine.games import Games
from parlour.players import parse_player
from parlour.support.arguments import shown
from parlour.wrappers import (
    BatchDiscountedWin,
    BatchEventReward,
    BatchPotentialShaping,
    BothSeatsRollout,
    DiscountedWin,
    EventReward,
    FlatFloat32,
    HistoryPlanes,
    OpponentPool,
    PotentialShaping,
    RecordGames,
    SelfPlayEnv,
    SelfPlayVectorEnv,
    Symmetry,
    VariantSelector,
)


class Odd:
    """Of no kind that anything takes."""

    def __repr__(self) -> str:
        return "<odd>"


def wrong_values() -> list[Any]:
    """Something of every kind, and numbers on every edge; most are right for some argument, and none for all."""
    words: list[Any] = [None, True, "", "x", "0", "ü", b"x", Odd(), lambda *args: 0]
    whole: list[Any] = [0, 5, -1, 2**63, 2**64 - 1, 10**400, np.uint64(2**64 - 1), np.array(3)]
    real: list[Any] = [1.5, float("nan"), float("inf"), 1e39, -1e39, np.float32(1)]
    lists: list[Any] = [[], (1, 2), [None, None], ["x", "x"], [[1], [2, 3]], [float("nan")] * 2, [10**400] * 2, set()]
    mappings: list[Any] = [{}, {1: 2}, {"x": 1}, {"player_0": 1.5}]
    arrays: list[Any] = [np.zeros(2), np.array(["a", "b"]), np.zeros(2, np.bool_), np.full(2, 2**64 - 1, np.uint64)]
    return words + whole + real + lists + mappings + arrays


def checkers(**options: Any) -> Any:
    env = parlour.make("checkers-v0", **options)
    env.reset(seed=0)
    return env


def pig(**options: Any) -> Any:
    env = parlour.make("pig-v0", **options)
    env.reset(seed=0)
    return env


def batch(**options: Any) -> Any:
    games = parlour.make_batch("pig-v0", 2, seed=0, **options)
    games.reset()
    games.step(games.sample_actions())
    return games


def single() -> Any:
    env = SelfPlayEnv(parlour.make("pig-v0"))
    env.reset(seed=0)
    return env


def vector() -> Any:
    env = SelfPlayVectorEnv("pig-v0", 2, seed=0)
    env.reset()
    return env


def begun(wrapper: Callable[..., Any], game: str = "checkers-v0", **arguments: Any) -> Any:
    env = wrapper(parlour.make(game), **arguments)
    env.reset(seed=0)
    return env


def small(value: Any) -> Any:
    """A number of games, threads or planes that would fill the memory is another matter: 4 in its place."""
    return 4 if isinstance(value, (int, np.integer)) and value > 1000 else value


def option(name: str) -> Callable[[Any, Any], Any]:
    return lambda env, value: env.reset(options={name: value})


def argument(wrapper: Callable[..., Any], name: str, game: str = "checkers-v0") -> Callable[[Any, Any], Any]:
    return lambda env, value: begun(wrapper, game, **{name: value})


MAKING: dict[str, Callable[[Any, Any], Any]] = {
    "make(game)": lambda _, value: parlour.make(value),
    "variants(game)": lambda _, value: parlour.variants(value),
    "options(game)": lambda _, value: parlour.options(value),
    **{
        f"make({name})": lambda _, value, name=name: parlour.make("checkers-v0", **{name: value})  # type: ignore[misc]
        for name in ("variant", "render_mode", "illegal_move", "max_plies", "draw_rule")
    },
    **{
        f"make_batch({name})": lambda _, value, name=name: parlour.make_batch(  # type: ignore[misc]
            **{"game": "checkers-v0", "num_games": 2, name: small(value)}
        )
        for name in [
            "game",
            "num_games",
            "variant",
            "weights",
            "variant_planes",
            "seed",
            "threads",
            "autoreset",
            "copy",
        ]
    },
    "make_batch(weights of two)": lambda _, value: parlour.make_batch(
        "checkers-v0", 2, variant=["american", "openspiel"], weights=value
    ),
    **{
        f"SelfPlayVectorEnv({name})": lambda _, value, name=name: SelfPlayVectorEnv(  # type: ignore[misc]
            **{"game": "pig-v0", "num_envs": 2, name: small(value)}
        )
        for name in ("game", "num_envs", "opponent", "seat", "threads", "autoreset", "copy")
    },
    **{
        f"SelfPlayEnv({name})": lambda _, value, name=name: SelfPlayEnv(  # type: ignore[misc]
            **{"env": parlour.make("pig-v0"), name: value}
        )
        for name in ("env", "opponent", "seat")
    },
    "OpponentPool(policies)": lambda _, value: OpponentPool(value),
    "OpponentPool(a policy)": lambda _, value: OpponentPool({"x": value}),
    "parse_player": lambda _, value: parse_player(value),
    **{
        f"match({name})": lambda _, value, name=name: match(  # type: ignore[misc]
            "pig-v0", "random", "random", **{"games": 2, "progress": False, "workers": Threads(1), name: small(value)}
        )
        for name in ("games", "seed", "openings")
    },
    "DiscountedWin(gamma)": argument(DiscountedWin, "gamma"),
    "EventReward(amounts)": argument(EventReward, "amounts"),
    "EventReward(an amount)": lambda _, value: begun(EventReward, amounts={"man_captured": value}),
    "EventReward(zero_sum)": lambda _, value: begun(EventReward, amounts={}, zero_sum=value),
    "FlatFloat32(scale)": argument(FlatFloat32, "scale"),
    "HistoryPlanes(k)": lambda _, value: begun(HistoryPlanes, k=small(value)),
    **{f"PotentialShaping({name})": argument(PotentialShaping, name) for name in ("gamma", "anneal")},
    "RecordGames(path)": argument(RecordGames, "path"),
    "RecordGames(players)": lambda _, value: begun(RecordGames, path="games.jsonl", players=value),
    **{
        f"VariantSelector({name})": argument(VariantSelector, name)
        for name in ("variants", "weights", "schedule", "choose", "planes")
    },
    "VariantSelector(a stage)": lambda _, value: begun(VariantSelector, schedule={0: value}),
    "BothSeatsRollout(batch)": lambda _, value: BothSeatsRollout(value, 3),
    "BothSeatsRollout(steps)": lambda _, value: BothSeatsRollout(batch(), small(value)),
    "BatchPotentialShaping(env)": lambda _, value: BatchPotentialShaping(value),
    "BatchPotentialShaping(gamma)": lambda _, value: BatchPotentialShaping(batch(), value),
    "BatchPotentialShaping(anneal)": lambda _, value: BatchPotentialShaping(batch(), anneal=value).reset(),
    "BatchEventReward(amounts)": lambda _, value: BatchEventReward(batch(), value),
    "BatchDiscountedWin(gamma)": lambda _, value: BatchDiscountedWin(batch(), value),
}
"""Functions that make something."""

CALLING: dict[str, tuple[Callable[[], Any], Callable[[Any, Any], Any]]] = {
    "env.reset(seed)": (pig, lambda env, value: env.reset(seed=value)),
    "env.reset(options)": (pig, lambda env, value: env.reset(options=value)),
    **{f"env.reset({name})": (pig, option(name)) for name in ("position", "dice", "variant")},
    "env.step": (lambda: pig(illegal_move="raise"), lambda env, value: env.step(value)),
    "env.observe": (pig, lambda env, value: env.observe(value)),
    "env.observation_space": (pig, lambda env, value: env.observation_space(value)),
    "env.action_space": (pig, lambda env, value: env.action_space(value)),
    "env.move_name": (checkers, lambda env, value: env.move_name(value)),
    "env.parse_move": (checkers, lambda env, value: env.parse_move(value)),
    "env.set_dice": (pig, lambda env, value: env.set_dice(value)),
    "env.reseed": (pig, lambda env, value: env.reseed(value)),
    "env.ask": (pig, lambda env, value: env.ask(value)),
    "env.position(form)": (pig, lambda env, value: env.position(value)),
    "env.record(players)": (pig, lambda env, value: env.record(value)),
    "env.clone": (pig, lambda env, value: env.clone(value)),
    "env.agent_iter": (pig, lambda env, value: list(itertools.islice(env.agent_iter(value), 1))),
    "batch.reset(seed)": (batch, lambda games, value: games.reset(seed=value)),
    "batch.reset(options)": (batch, lambda games, value: games.reset(options=value)),
    **{f"batch.reset({name})": (batch, option(name)) for name in ("position", "reset_mask", "variant")},
    "batch.step": (batch, lambda games, value: games.step(value)),
    "batch.seed_of": (batch, lambda games, value: games.seed_of(value)),
    "batch.position": (batch, lambda games, value: games.position(value)),
    "batch.position(0, form)": (batch, lambda games, value: games.position(0, value)),
    "batch.ask": (batch, lambda games, value: games.ask(value)),
    "batch.set_weights": (batch, lambda games, value: games.set_weights(value)),
    "batch.copy_rows(source)": (batch, lambda games, value: games.copy_rows(value, [0], [0])),
    "batch.copy_rows(from_rows)": (batch, lambda games, value: games.copy_rows(batch(), value, [0])),
    "batch.copy_rows(to_rows)": (batch, lambda games, value: games.copy_rows(batch(), [0], value)),
    "batch.copy_rows(streams)": (batch, lambda games, value: games.copy_rows(batch(), [0], [0], value)),
    "SelfPlayEnv.reset(seed)": (single, lambda env, value: env.reset(seed=value)),
    "SelfPlayEnv.reset(options)": (single, lambda env, value: env.reset(options=value)),
    **{f"SelfPlayEnv.reset({name})": (single, option(name)) for name in ("position", "dice", "variant")},
    "SelfPlayVectorEnv.reset(seed)": (vector, lambda env, value: env.reset(seed=value)),
    "SelfPlayVectorEnv.reset(options)": (vector, lambda env, value: env.reset(options=value)),
    **{f"SelfPlayVectorEnv.reset({name})": (vector, option(name)) for name in ("position", "reset_mask", "variant")},
    "SelfPlayVectorEnv.step": (vector, lambda env, value: env.step(value)),
    "SelfPlayVectorEnv.seed_of": (vector, lambda env, value: env.seed_of(value)),
    "Symmetry.reset(options)": (
        lambda: begun(Symmetry, "swords_and_shields-v0"),
        lambda env, value: env.reset(options=value),
    ),
    "Symmetry.reset(symmetry)": (lambda: begun(Symmetry, "swords_and_shields-v0"), option("symmetry")),
    "VariantSelector.reset(options)": (lambda: begun(VariantSelector), lambda env, value: env.reset(options=value)),
    "VariantSelector.reset(variant)": (lambda: begun(VariantSelector), option("variant")),
    "VariantSelector.reset(seed)": (lambda: begun(VariantSelector), lambda env, value: env.reset(seed=value)),
    "BatchPotentialShaping.reset(options)": (
        lambda: begun_batch(BatchPotentialShaping),
        lambda games, value: games.reset(options=value),
    ),
    "BatchPotentialShaping.reset(reset_mask)": (lambda: begun_batch(BatchPotentialShaping), option("reset_mask")),
}
"""Methods of what is begun."""


def begun_batch(wrapper: Callable[..., Any]) -> Any:
    games = wrapper(batch())
    games.reset()
    return games


def content(env: Any) -> bytes:
    """All that a game, or a batch of them, is."""
    below = env.batch if hasattr(env, "batch") else getattr(getattr(env, "env", env), "unwrapped", env)
    games: Games = below.games
    arrays = (
        games.states,
        games.dice_rng,
        games.player_rng,
        games.variant_rng,
        games.masks,
        games.planes,
        games.variants,
    )
    flags = [getattr(below, name, None) for name in ("agent_selection", "rewards", "terminations", "_seeds")]
    return b"".join(array.tobytes() for array in arrays) + repr(flags).encode()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MAKING)
def test_what_can_not_be_made_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = 0
    for value in wrong_values():
        try:
            MAKING[name](None, value)
        except ValueError as error:
            assert str(error), value
            refused += 1
    assert refused > 15


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLING)
def test_what_can_not_be_done_is_refused_and_changes_nothing(name: str) -> None:
    build, call = CALLING[name]
    env, refused = build(), 0
    for value in wrong_values():
        before = content(env)
        try:
            call(env, value)
        except (ValueError, IndexError) as error:  # IndexError: of a game's number alone, see `Batch.seed_of`
            assert isinstance(error, ValueError) or name.endswith(("seed_of", "position")), error
            assert content(env) == before, value
            refused += 1
        else:
            env = build()
    assert refused > 15


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: parlour.make("acey_ducey-v0", dog_house_penalty=1e39), r"'dog_house_penalty': 1e\+39 is not valid"),
        (lambda: begun(EventReward, amounts={"man_captured": 1e39}), r"number from -1e\+30 to 1e\+30, not 1e\+39"),
        (lambda: begun(EventReward, amounts={}, zero_sum="no"), "zero_sum must be True or False, not 'no'"),
        (lambda: begun(HistoryPlanes, k=0), "k must be a whole number from 1 up, not 0"),
        (lambda: begun(DiscountedWin, gamma=True), "gamma must be a finite number above 0, up to 1, not True"),
        (lambda: begun(PotentialShaping, gamma=1.5), "gamma must be a finite number above 0, up to 1, not 1.5"),
        (lambda: begun(PotentialShaping, anneal=0), "anneal 0 is not valid; valid: None, a whole number of episodes"),
        (lambda: begun(FlatFloat32, scale="no"), "scale must be True or False, not 'no'"),
        (lambda: begun(PotentialShaping, anneal=lambda k: 1e39), r"anneal's weight of episode 0 must be .* not 1e\+39"),
        (lambda: begun(PotentialShaping, anneal=lambda k: "1"), "anneal's weight of episode 0 must be .* not '1'"),
        (lambda: parlour.make("checkers-v0", variant=["american", "openspiel"]), "one name, or a mapping"),
        (lambda: pig().reset(options=5), "the options of reset must be a mapping or None, not 5"),
        (lambda: pig().observe([]), r"there is no agent \[\]; agents: 'player_0'"),
        (lambda: pig().agent_iter("x"), "max_iter must be a whole number from 0 up, not 'x'"),
        (lambda: pig().reset(options={"variant": ["plain"]}), r"variant \['plain'\] is not valid; valid: one name"),
        (lambda: batch().reset(options=5), "the options of reset must be a mapping or None, not 5"),
        (lambda: batch().seed_of("0"), "a game is named by its number, from 0 to 1, not by '0'"),
        (lambda: batch().position(None), "a game is named by its number, from 0 to 1, not by None"),
        (lambda: batch().step(np.full(2, 2**64 - 1, np.uint64)), "actions: 18446744073709551615 is not valid"),
        (lambda: batch().copy_rows(batch(), np.full(1, 2**64 - 1, np.uint64), [0]), "from_rows: 1844674407370955161"),
        (lambda: batch(copy="no"), "copy must be True or False, not 'no'"),
        (lambda: batch().reset(seed=np.array(["1", "2"])), "seed np.str_"),
        (lambda: parlour.make_batch("pig-v0", 2, threads=10**6), "threads must be a whole number from 1 to 1024"),
        (
            lambda: parlour.make_batch("pig-v0", 2, autoreset="later"),
            "'later' is not valid; valid: 'same_step'",
        ),
        (lambda: pig().reset(seed=-1), "seeds are whole numbers from 0 up"),
        (lambda: parlour.make_batch("pig-v0", 2**40), "num_games must be a whole number from 1 to 2147483647"),
        (lambda: begun(VariantSelector, choose=5), "choose is a function"),
        (lambda: begun(VariantSelector, variants="american"), "variants is a list of names or mappings"),
    ],
)
def test_the_message_names_what_was_given_and_what_is_valid(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_an_action_of_a_game_that_is_over_is_minus_one_alone() -> None:
    """The largest uint64 is no other way to write −1."""
    games = parlour.make_batch("pig-v0", 2, seed=0, autoreset="disabled", max_plies=1)
    games.reset()
    games.step(games.sample_actions())
    with pytest.raises(ValueError, match="18446744073709551615 is not valid"):
        games.step(np.full(2, 2**64 - 1, np.uint64))
    games.step([-1, -1])


def test_weights_are_shares_however_large_they_are() -> None:
    games = parlour.make_batch(
        "checkers-v0", 1000, variant=["american", "openspiel"], weights=[1e308, 1e308], seed=0, max_plies=1
    )
    _, infos = games.reset()
    assert 400 < np.count_nonzero(infos["variant"] == 0) < 600
    games.set_weights([5e-324, 5e-324])
    _, infos = games.reset()
    assert 400 < np.count_nonzero(infos["variant"] == 0) < 600


def test_values_are_shown_in_short() -> None:
    assert shown("a") == "'a'"
    assert shown(10**5000) == "so large a number"
    assert len(shown("a" * 1000)) == 80
