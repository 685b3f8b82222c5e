"""Value networks as files: what was saved is loaded; whatever else is refused, by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parlour.interfaces.registry import find
from parlour.players.value import load, new_network, save
from parlour.players.value.files import read_card
from tests.players.value.networks import changed, network_for, saved
from tests.support.faults import EVERY_BYTE, damaged


@pytest.mark.parametrize("outputs", [1, 3])
def test_what_was_saved_is_loaded(tmp_path: Path, outputs: int) -> None:
    network = new_network(find("checkers-v0"), "all", 12, scale=2.5, seed=1, outputs=outputs)
    save(network, tmp_path / "net.value", {"minutes": 1})  # type: ignore[dict-item]
    again = load(tmp_path / "net.value", find("checkers-v0"))
    assert again.game is network.game
    assert again.variants == network.variants
    assert (again.scale, again.digest, again.outputs) == (2.5, network.digest, outputs)
    for one, other in zip((network.units, *network.weights), (again.units, *again.weights)):
        assert one.dtype == other.dtype
        assert (one == other).all()
    assert read_card(tmp_path / "net.value") == {"minutes": "1"}


def test_options_that_contradict_each_other_when_given_are_loaded(tmp_path: Path) -> None:
    """A file holds the value of every option. In Agon some of them may not be given with others."""
    network = new_network(find("agon-v0"), "all", 1)
    save(network, tmp_path / "agon.value")
    loaded = load(tmp_path / "agon.value")
    assert [entry.values for entry in loaded.variants] == [entry.values for entry in network.variants]


@EVERY_BYTE
def test_every_damaged_byte_is_noticed(cases: int | None, tmp_path: Path) -> None:
    path = saved(tmp_path, "pig-v0")
    for content in damaged(path.read_bytes(), cases):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"net\.value"):
            load(path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("game", "chess-v0", "there is no game 'chess-v0'"),
        ("digest", "0" * 16, "was trained under other rules than pig-v0 has now"),
        ("source", "features", "do not fit pig-v0 as it is now"),
        ("seats", 2, "do not fit pig-v0 as it is now"),
        ("numbers", 7, "do not fit pig-v0 as it is now"),
        ("units", 10**9, "units: Expected `int` <= 32768"),
        ("units", 1, "bytes of numbers, where its sizes need"),
        ("hidden", 0, "hidden: Expected `int` >= 1"),
        ("scale", 0, "scale: Expected `float` > 0"),
        ("outputs", 3, "outputs must be 1 for 3 seats and the scale 1, not 3"),
        ("variants", [], "variants: Expected `array` of length >= 1"),
        ("variants", [{"label": "a", "variant": "b", "values": {}}], r"variants\[0\] is not one of pig-v0"),
        (
            "variants",
            [{"label": "a", "variant": "b", "values": {}}] * 128,
            "variants: Expected `array` of length <= 127",
        ),
    ],
)
def test_a_header_that_is_not_valid_is_refused(tmp_path: Path, key: str, value: object, message: str) -> None:
    path = changed(saved(tmp_path, "pig-v0"), lambda header: header.update({key: value}))
    with pytest.raises(ValueError, match=message):
        load(path)


@pytest.mark.parametrize("unit", [(-1, 1), (0, 128), (2**30, 1)])
def test_units_out_of_range_are_refused(tmp_path: Path, unit: tuple[int, int]) -> None:
    first = np.array(unit, "<i4").tobytes()
    path = changed(saved(tmp_path, "pig-v0"), rest=lambda numbers: first + numbers[8:])
    with pytest.raises(ValueError, match="units that are not valid"):
        load(path)


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e30])
def test_weights_that_are_no_numbers_are_refused(tmp_path: Path, number: float) -> None:
    last = np.float32(number).tobytes()
    path = changed(saved(tmp_path, "pig-v0"), rest=lambda numbers: numbers[:-4] + last)
    with pytest.raises(ValueError, match="weights that are not numbers"):
        load(path)


def test_a_network_for_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a value network for 'pig-v0', not for 'checkers-v0'"):
        load(saved(tmp_path, "pig-v0"), find("checkers-v0"))


def test_other_rules_have_another_digest(tmp_path: Path) -> None:
    """The number of plies allowed is no matter, what the seats may do is."""
    game = find("checkers-v0")
    usual = new_network(game, None, 4).digest
    assert new_network(game, None, 4).digest == usual
    others = {new_network(game, variant.name, 4).digest for variant in game.variants[1:]}
    assert usual not in others


def test_nothing_is_left_of_a_file_that_could_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        save(network_for("pig-v0"), tmp_path / "nowhere" / "net.value")
