"""Texts of positions and names of moves: envs/royal_ur/README.md and docs/common_rules.md."""

from __future__ import annotations

import pytest

from tests.games.royal_ur.positions import GAME, at
from tests.games.royal_ur.variants import COMBINED, VARIANT_OPTIONS
from tests.support.texts import check_every_position_reads_back, play, resumed

TEXT = "light 4 8 | dark 5 | hand 4 6 | off 1 0 | light | dice 0 0 1 1 | 41"


def read(text: str, **options: object) -> str:
    return resumed(GAME, text, **options).position()


@pytest.mark.parametrize("options", [*VARIANT_OPTIONS.values(), *COMBINED[9:]])
def test_every_position_of_a_game_reads_back(options: dict[str, object]) -> None:
    """The same text, planes, mask and seat, finished games included."""
    check_every_position_reads_back(GAME, 4, **{**options, "max_plies": 300})


def test_a_text_is_written_as_read() -> None:
    assert read(TEXT) == TEXT
    assert read(f"{TEXT} end=max_plies", max_plies=41) == f"{TEXT} end=max_plies"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("light 4 8", "light 8 4", "ascending order, each once"),
        ("light 4 8", "light 4 4", "ascending order, each once"),
        ("light 4 8", "light 4 15", "squares from 1 to 14"),
        ("light 4 8", "light 4 08", "squares from 1 to 14"),
        ("light 4 8", "light 4 in", "squares from 1 to 14"),
        ("light 4 8", "light  4 8", "one space before each"),
        ("light 4 8", "lite 4 8", "is not 'light'"),
        ("dark 5", "dark 8", "two men stand on one tile"),
        ("hand 4 6", "hand 5 6", "Light has 8 men in all; each seat has 7"),
        ("hand 4 6", "hand 4 5", "Dark has 6 men in all"),
        ("hand 4 6", "hand 4 8", "2 numbers from 0 to 7"),
        ("hand 4 6", "hand 4", "2 numbers from 0 to 7"),
        ("| light |", "| l |", "no seat to act"),
        ("dice 0 0 1 1", "dice 0 1 0 1", "ascending order"),
        ("dice 0 0 1 1", "dice 0 1 1", "4 numbers from 0 to 1"),
        ("dice 0 0 1 1", "dice 0 0 1 2", "4 numbers from 0 to 1"),
        ("| 41", "| 041", "no count"),
        ("| 41", "", "6 parts"),
        ("| 41", "| 41 end=borne_off", "no seat has"),
        ("| 41", "| 41 end=repetition", "repetition is 0"),
        ("| 41", "| 2000", "need end=max_plies"),
    ],
)
def test_what_no_running_game_shows_is_refused(old: str, new: str, message: str) -> None:
    """The error names the text; the game stands as before."""
    env = play(at("5", "7", 2), "5")
    before = env.position()
    assert old in TEXT
    with (
        pytest.raises(ValueError, match=f"position .*{message}")
        if "repetition" not in new
        else pytest.raises((ValueError, AttributeError))
    ):
        env.reset(options={"position": TEXT.replace(old, new)})
    assert env.position() == before


def test_a_decided_position_needs_its_end() -> None:
    text = "light | dark 5 | hand 0 6 | off 7 0 | dark | dice 0 0 1 1 | 41"
    with pytest.raises(ValueError, match="without end=borne_off"):
        read(text)
    assert read(f"{text} end=borne_off") == f"{text} end=borne_off"
    with pytest.raises(ValueError, match="both seats"):
        read("light | dark | hand 0 0 | off 7 7 | dark | dice 0 0 1 1 | 41 end=borne_off")


def test_names_of_actions() -> None:
    """The squares of the mover's own path, the same for both seats and all paths."""
    for seat in ("light", "dark"):
        env = at("5", "9", 2, seat=seat)
        names = ["in", *map(str, range(1, 28)), "pass"]
        assert [env.move_name(action) for action in range(29)] == names
        assert [env.parse_move(name) for name in names] == list(range(29))


@pytest.mark.parametrize("name", ["", "28", "0", "In ", "01", "-1", "off"])
def test_no_names(name: str) -> None:
    with pytest.raises(ValueError, match="move"):
        at("5", "9", 2).unwrapped.games.parse_move(0, name)
