"""Property-based fuzz: any options, seeds, actions and texts; a game never breaks, and refuses by a clear error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour.registry import find
from parlour.rulebook.options import Choice, Count, Flag
from tests.support.cases import GAMES

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def option_values(game: str) -> st.SearchStrategy[dict[str, Any]]:
    """Valid values for some of a game's options, which do not contradict one another."""
    strategies: dict[str, st.SearchStrategy[Any]] = {}
    for option in find(game).options:
        if isinstance(option, Choice):
            strategies[option.name] = st.sampled_from(option.values)
        elif isinstance(option, Flag):
            strategies[option.name] = st.booleans()
        elif isinstance(option, Count):
            numbers = st.integers(option.minimum, min(option.maximum, option.minimum + 40))
            strategies[option.name] = numbers | st.just(0) if option.or_zero else numbers
    return st.fixed_dictionaries({}, optional=strategies).filter(lambda options: go_together(game, options))


def go_together(game: str, options: dict[str, Any]) -> bool:
    """Whether the game accepts the values, each of which is valid, together; if not, it says what contradicts what."""
    try:
        find(game).resolve(None, options)
    except ValueError as error:
        assert "contradict" in str(error)
        assert sum(repr(name) in str(error) for name in options) >= 1
        return False
    return True


@pytest.mark.parametrize("game", GAMES)
def test_any_options_seeds_and_actions(game: str) -> None:
    @quick
    @given(option_values(game), st.integers(0, 2**70), st.lists(st.integers(-2, 1300), max_size=60), st.randoms())
    def play(options: dict[str, Any], seed: int, actions: list[int], random: Any) -> None:
        env = parlour.make(game, illegal_move="raise", **options)
        env.reset(seed=seed)
        for action in actions:
            if env.is_over():
                break
            before, mask = env.position(), env.observe(env.agent_selection)["action_mask"]
            if 0 <= action < len(mask) and mask[action]:
                env.step(action)
                continue
            with pytest.raises(parlour.IllegalMove):
                env.step(action)
            assert env.position() == before
            env.step(int(random.choice(np.flatnonzero(mask))))
        text = env.position()
        env.reset(options={"position": text})
        assert env.position() == text

    play()


@pytest.mark.parametrize("game", GAMES)
def test_garbage_texts(game: str) -> None:
    env = parlour.make(game, illegal_move="raise")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    texts = [env.position()]
    for _ in range(30):
        if env.is_over():
            env.reset()
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        texts.append(env.position())
    alphabet = sorted(set("".join(texts)) | set("=/, xé9"))

    @quick
    @given(
        st.sampled_from(texts),
        st.lists(st.tuples(st.floats(0, 1), st.sampled_from(alphabet), st.integers(0, 3)), max_size=4),
    )
    def read(text: str, edits: list[tuple[float, str, int]]) -> None:
        """A valid text with some letters changed, put in or taken out: it is read and written back, or refused."""
        for place, letter, removed in edits:
            at = int(place * len(text))
            text = text[:at] + letter + text[at + removed :]
        before = env.position()
        try:
            env.reset(options={"position": text})
        except ValueError as error:
            assert str(error).startswith("position ")
            assert env.position() == before
            return
        again = env.position()
        env.reset(options={"position": again})
        assert env.position() == again
        assert env.is_over() or env.legal_moves()

    read()

    @quick
    @given(st.text(max_size=80) | st.binary(max_size=5) | st.integers() | st.lists(st.integers(), max_size=2))
    def refuse(text: Any) -> None:
        with pytest.raises(ValueError, match="position"):
            env.reset(options={"position": text})
        with pytest.raises(ValueError):
            env.parse_move(text)

    refuse()


@pytest.mark.parametrize("game", GAMES)
def test_any_value_for_any_option(game: str) -> None:
    anything = (
        st.none()
        | st.text(max_size=8)
        | st.integers()
        | st.floats()
        | st.booleans()
        | st.lists(st.integers(), max_size=2)
    )
    names = [option.name for option in find(game).options]

    @quick
    @given(st.dictionaries(st.sampled_from([*names, "unheard_of"]), anything, min_size=1, max_size=3))
    def make(options: dict[str, Any]) -> None:
        try:
            env = parlour.make(game, **options)
        except ValueError as error:
            assert any(name in str(error) for name in options)
            return
        assert set(env.values) == set(names)
        for name, value in options.items():
            assert env.values[name] == value

    make()
