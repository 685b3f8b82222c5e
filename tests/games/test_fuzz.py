"""Property-based fuzz: whatever is given for a text or an option, it is refused by a clear error or accepted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlour
from parlour.interfaces.registry import find
from tests.support.cases import GAMES
from tests.support.games import begun

quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("game", GAMES)
def test_garbage_for_texts(game: str) -> None:
    """(Texts that look like positions are garbled in `parlour.testing.texts`.)"""
    env = begun(game, illegal_move="raise")

    @quick
    @given(st.text(max_size=80) | st.binary(max_size=5) | st.integers() | st.lists(st.integers(), max_size=2))
    def refuse(text: Any) -> None:
        with pytest.raises(ValueError, match="position"):
            env.reset(options={"position": text})
        try:
            action = env.parse_move(text)
        except ValueError:
            return
        assert text == env.move_name(action)  # by chance it is a move: "1" in the Royal Game of Ur

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
            assert env.values[name] == (float(value) if isinstance(env.values[name], float) else value)

    make()
