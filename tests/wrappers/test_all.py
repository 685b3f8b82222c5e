"""What every wrapper of AEC environments must keep, on every game."""

from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.api_test import missing_attr_warning

import parlour
import parlour.wrappers
from parlour.support.renamed import GONE
from tests.support.cases import GAMES
from tests.wrappers.cases import WRAPPERS, works_on

CASES = [(game, name) for game in GAMES for name in WRAPPERS if works_on(name, game)]


def wrapped(game: str, name: str, **options: Any) -> Any:
    return WRAPPERS[name](parlour.make(game, **options))


def choose(rng: np.random.Generator, env: Any) -> int:
    """A random legal action, whatever the wrapper does to observations and actions."""
    agent = env.agent_selection
    mask = mask_of(env)
    return int(env.action_space(agent).start) + int(rng.choice(np.flatnonzero(mask)))


def mask_of(env: Any) -> Any:
    """The mask wherever the wrapper puts it."""
    agent = env.agent_selection
    seen = env.observe(agent)
    if isinstance(seen, dict) and "action_mask" in seen:
        return seen["action_mask"]
    return env.infos[agent]["action_mask"]


def trace(env: Any, plies: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """What a training loop sees."""
    seen = []
    for _ in range(plies):
        observation, reward, terminated, truncated, _ = env.last()
        seen.append((env.agent_selection, flat(observation), reward, terminated, truncated))
        if terminated or truncated:
            env.reset()
            continue
        env.step(choose(rng, env))
    return seen


def flat(observation: Any) -> list[Any]:
    if isinstance(observation, dict):
        return [(key, flat(part)) for key, part in sorted(observation.items())]
    return np.asarray(observation).ravel().tolist()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("game", "name"), CASES)
def test_pettingzoo_api(game: str, name: str) -> None:
    assert missing_attr_warning  # the test below warns, never fails, for what is missing; the loop below would fail
    api_test(wrapped(game, name), num_cycles=60)
    seed_test(lambda: wrapped(game, name), num_cycles=20)


@pytest.mark.parametrize(("game", "name"), CASES)
def test_copies_go_on_alike_and_apart(game: str, name: str) -> None:
    env = wrapped(game, name)
    env.reset(seed=5)
    trace(env, 20, np.random.default_rng(2))
    try:
        pickled = pickle.loads(pickle.dumps(env))
    except (AttributeError, pickle.PicklingError):
        pytest.fail("a wrapped environment can't be pickled")
    twins = [copy.copy(env), copy.deepcopy(env), env.clone(), pickled]
    goes_on = trace(env, 30, np.random.default_rng(3))
    for twin in twins:
        assert trace(twin, 30, np.random.default_rng(3)) == goes_on


@pytest.mark.parametrize("name", WRAPPERS)
def test_refuses_environments_that_are_none(name: str) -> None:
    from pettingzoo.classic import tictactoe_v3

    with pytest.raises(ValueError, match=r"not an environment of parlour\.make"):
        WRAPPERS[name](tictactoe_v3.env())


def test_every_wrapper_is_exported_by_its_own_name() -> None:
    defined = {
        name
        for path in Path(parlour.wrappers.__path__[0]).glob("*.py")
        for name in re.findall(r"^class (\w+)\((?:.*\b)?\w*(?:Wrapper|Env)\b", path.read_text(), re.M)
    }
    abstract = {"Wrapper", "ChangingWrapper", "ObservationWrapper", "RewardWrapper", "BatchWrapper"}
    abstract |= {"BatchObservationWrapper", "BatchRewardWrapper"}
    assert defined - abstract <= set(parlour.wrappers.__all__)
    for name in parlour.wrappers.__all__:
        assert getattr(parlour.wrappers, name).__name__ == name
    with pytest.raises(AttributeError, match=r"no attribute 'OponentPool'; it has: .*OpponentPool"):
        parlour.wrappers.OponentPool  # noqa: B018


@pytest.mark.parametrize("gone", GONE)
def test_what_is_gone_says_what_to_use_instead(gone: str) -> None:
    module, name = gone.split(".")
    for statement in (
        f"from parlour.wrappers import {name}", f"parlour.wrappers.{name}",
        f"from parlour.wrappers.{module} import {name}", f"import parlour.wrappers.{module}",
    ):  # fmt: skip
        with pytest.raises(ImportError, match=re.escape(f" is gone from parlour.wrappers: {GONE[gone]}")):
            exec(statement)
    assert name not in dir(parlour.wrappers)
