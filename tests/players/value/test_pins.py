"""Pins: rules that have changed late in the game are noticed by all files that were made under them."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

import parlour
from parlour.arena.ladders.ladder_making import as_lines
from parlour.arena.setting.ladder import Ladder, Ladders, Pairing, Rung, ladder_file, ladder_of
from parlour.engine.game import CHAMPION, Game
from parlour.interfaces import registry
from parlour.interfaces.registry import find, register
from parlour.players import parse_player
from parlour.players.champion import champion_plays
from parlour.players.identity import play_pin, player_pin
from parlour.players.value import load, new_network, save
from parlour.players.value.exact.tables import INFO
from parlour.players.value.pins import PLAY, Pin, Pins, pin_of, read_pins, sources_of
from tests.golden import pins_now, pins_text
from tests.players.value.networks import changed

PIG = Path(__file__).parents[2] / "toy_games" / "pig"
LONGER = ("variants.py", '"goal", 20', '"goal", 400')
HARMLESS = ("rules.py", "GOAL = FIRST_OWN_END\n", "GOAL = FIRST_OWN_END  # what ends the game\n")
LATE = ("rules.py", "mask[HOLD] = 1\n", "mask[HOLD] = 1 if state.plies < 100 else 0\n")
STRICTER = ("rules.py", "if (over_1 | over_2) == ZERO:", "if exact_1 == exact_1:  # no man less far than the number")


def a_copy(source: Path, folder: Path, name: str, *edits: tuple[str, str, str]) -> Game:
    """A game that is another one's copy, with edits: the file, what stands there, and what is to. What comes with the
    other game is of this one."""
    target = folder / name
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in edits:
        text = (target / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (target / file).write_text(text.replace(old, new), encoding="utf-8")
    game = register(name)
    for file in (PLAY, "ladder.json"):
        if (target / file).exists():
            text = (target / file).read_text(encoding="utf-8")
            (target / file).write_text(text.replace(f'"{source.name}-v0"', f'"{game.id}"'), encoding="utf-8")
    if game.champion is not None:
        changed(game.champion, lambda header: header.update(game=game.id))
    return game


class Pigs(NamedTuple):
    """A long game, and copies: with an edit that changes nothing, and with another rule after 100 plies."""

    usual: Game
    harmless: Game
    late: Game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where packages of games may lie; they are known in this module alone."""
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_GAMES", dict(registry._GAMES))
        patch.syspath_prepend(str(folder))
        yield folder


@pytest.fixture(scope="module")
def pigs(folder: Path) -> Pigs:
    return Pigs(
        a_copy(PIG, folder, "usual_pig", LONGER),
        a_copy(PIG, folder, "harmless_pig", LONGER, HARMLESS),
        a_copy(PIG, folder, "late_pig", LONGER, LATE),
    )


@pytest.fixture
def put() -> Iterator[Any]:
    """Writes a file for a test, and removes it afterwards."""
    files: list[Path] = []

    def write(path: Path, content: str | bytes) -> Path:
        files.append(path)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    yield write
    for file in files:
        file.unlink()


def values_of(game: Game) -> dict[str, Any]:
    return game.resolve(None, {})[1]


def network_file(path: Path, game: Game, pinned: bool = True) -> Path:
    """A network of the usual game, called one of ``game``. Without pins it is as version 0.3.0 wrote it."""
    save(new_network(find("usual_pig"), hidden=2), path)

    def change(header: dict[str, Any]) -> None:
        header.update(game=game.id)
        for variant in header["variants"] if not pinned else ():
            del variant["pin"]

    return changed(path, change)


def ladder_text(game: Game, pin: Any) -> str:
    """A ladder of the usual game with this pin, called one of ``game``."""
    usual = find("usual_pig")
    rungs = [
        Rung(player=name, elo=0, low=0, high=0, games=2, pin=player_pin(name, usual), conduct="0" * 16)
        for name in ("random", "greedy")
    ]
    ladder = Ladder(
        variant="pig", rules=play_pin(usual, values_of(usual)), pin=pin, parlour="0", zero="random", openings="none",
        seed=0, journal="0" * 64, first_seat=0, draws=1, intransitivity=0, rungs=rungs,
        pairings=[Pairing(first="random", second="greedy", pairs=[0, 0, 0, 0, 1, 0, 0, 0, 0])],
    )  # fmt: skip
    return as_lines(Ladders(game=game.id, ladders=[ladder]))


def usual_pins(game: Game) -> str:
    """The ``play.json`` of the usual game, called that of ``game``."""
    return pins_text(Pins(game.id, pins_now("usual_pig-v0").variants))


# --- what is noticed ---


def test_the_first_plies_tell_nothing_of_a_late_rule(pigs: Pigs) -> None:
    """Whole games do; an edit that changes nothing has other sources alone."""
    usual, harmless, late = (pin_of(game, values_of(game)) for game in pigs)
    assert isinstance(usual, Pin)
    assert isinstance(harmless, Pin)
    assert isinstance(late, Pin)
    assert len({play_pin(game, values_of(game)) for game in pigs}) == 1
    assert usual.play == harmless.play != late.play
    assert len({usual.sources, harmless.sources, late.sources}) == 3
    assert usual.positions > 32 * 100


def test_option_values_have_pins_of_their_own(pigs: Pigs) -> None:
    values = values_of(pigs.usual)
    pins = {pin_of(pigs.usual, values | other) for other in ({}, {"snake_eyes": True}, {"goal": 500}, {"fine": 0.5})}
    assert len(pins) == 4


def test_a_network_of_other_rules_is_refused(pigs: Pigs, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"net\.value was trained under other rules than late_pig-v0 has now"):
        load(network_file(tmp_path / "net.value", pigs.late), pigs.late)
    load(network_file(tmp_path / "net.value", pigs.late, pinned=False), pigs.late)  # as before


def test_a_champion_of_other_rules_is_refused(pigs: Pigs, put: Any) -> None:
    """By its own pin, or by that of the game's folder; without either it is taken."""
    champion, values = pigs.late.folder / CHAMPION, values_of(pigs.late)
    put(champion, b"")
    network_file(champion, pigs.late, pinned=False)
    assert champion_plays(pigs.late, [values])
    put(pigs.late.folder / PLAY, usual_pins(pigs.late))
    with pytest.raises(ValueError, match=r"^champion: .*under other rules than late_pig-v0 has now"):
        parse_player("champion", pigs.late)
    assert not champion_plays(pigs.late, [values])
    save(new_network(pigs.late, hidden=2), champion)
    assert champion_plays(pigs.late, [values])  # trained anew, whatever the folder says of the one before


def test_a_ladder_of_other_rules_is_refused(pigs: Pigs, put: Any) -> None:
    ladder = put(ladder_file(pigs.late), ladder_text(pigs.late, pin_of(pigs.usual, values_of(pigs.usual))))
    with pytest.raises(ValueError, match="no longer fits: it was made under other rules"):
        ladder_of(pigs.late)
    ladder.write_text(ladder_text(pigs.late, UNSET))
    assert ladder_of(pigs.late)[0].names == ["random", "greedy"]
    put(pigs.late.folder / PLAY, usual_pins(pigs.late))
    with pytest.raises(ValueError, match="no longer fits: it was made under other rules"):
        ladder_of(pigs.late)


def test_a_late_rule_of_backgammon_is_noticed_by_all(folder: Path, tmp_path: Path) -> None:
    """That no man is borne off by a number that is larger than he needs."""
    backgammon = find("backgammon-v0")
    late = a_copy(backgammon.folder, folder, "late_backgammon", STRICTER)
    parlour.solve(backgammon.id, out=tmp_path, men=1)
    info = json.loads((tmp_path / INFO).read_text())
    (tmp_path / INFO).write_text(json.dumps({**info, "game": late.id}))
    with pytest.raises(ValueError, match="was made under other rules than late_backgammon-v0 has now: solve it again"):
        parlour.Solution.load(tmp_path, late)
    pin = info.pop("pin")
    (tmp_path / INFO).write_text(json.dumps({**info, "game": late.id}))
    assert parlour.Solution.load(tmp_path, late).table.left == []  # as version 0.3.0 wrote it
    assert pin["positions"] > read_pins(backgammon)["standard"].positions
    for name in ("champion", "champion:2", "blunder:50:champion"):
        with pytest.raises(ValueError, match="trained under other rules than late_backgammon-v0 has now"):
            parse_player(name, late)
    with pytest.raises(ValueError, match="other rules than late_backgammon-v0 has now"):
        ladder_of(late)


# --- what is told, and what is taken without a word ---


def test_other_sources_are_told_once(pigs: Pigs, put: Any, tmp_path: Path) -> None:
    game, usual = pigs.harmless, pigs.usual
    pin = pin_of(usual, values_of(usual))
    network = network_file(tmp_path / "net.value", game)
    put(ladder_file(game), ladder_text(game, pin))
    calls = {"net.value": lambda: load(network, game), "the ladder of": lambda: ladder_of(game)}
    for what, call in calls.items():
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            call()
            call()
        assert len(told) == 1
        assert re.search(
            f"{what}.*: the sources of the rules differ from .*; play in [0-9,]+ positions is the same$",
            str(told[0].message),
        )


def test_other_sources_than_those_of_a_folders_champion_are_told(pigs: Pigs, put: Any) -> None:
    champion = put(pigs.harmless.folder / CHAMPION, b"")
    network_file(champion, pigs.harmless, pinned=False)
    put(pigs.harmless.folder / PLAY, usual_pins(pigs.harmless))
    with pytest.warns(UserWarning, match=r"champion\.value: the sources of the rules"):
        parse_player("champion", pigs.harmless)


def test_sources_that_an_author_has_looked_at_are_not_told(pigs: Pigs, put: Any) -> None:
    """Of files with pins of their own, if ``play.json`` has been written since: it says that play is the same."""
    game, usual = pigs.harmless, pigs.usual
    network_file(put(game.folder / CHAMPION, b""), game)
    put(ladder_file(game), ladder_text(game, pin_of(usual, values_of(usual))))
    put(game.folder / PLAY, pins_text(Pins(game.id, pins_now(game.id).variants)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_player("champion", game)
        ladder_of(game)


def test_what_has_not_changed_is_taken_without_a_word(pigs: Pigs, put: Any, tmp_path: Path) -> None:
    usual = pigs.usual
    put(ladder_file(usual), ladder_text(usual, pin_of(usual, values_of(usual))))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(network_file(tmp_path / "net.value", usual), usual)
        ladder_of(usual)


@pytest.mark.parametrize("game", ["acey_ducey-v0", "checkers-v0"])
def test_what_comes_with_the_package_is_taken_without_a_word(game: str) -> None:
    found = find(game)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_player("champion", found)


def test_what_version_0_3_0_began_is_gone_on_with(folder: Path, tmp_path: Path) -> None:
    game = register("examples.games.tic_tac_toe").id
    tier, table = tmp_path / "table" / "tier-0003.exact", tmp_path / "table" / INFO
    parlour.solve(game, out=tmp_path / "table")
    solved = tier.read_bytes()
    tier.unlink()
    info = json.loads(table.read_text())
    del info["pin"]
    table.write_text(json.dumps(info))
    assert parlour.solve(game, out=tmp_path / "table").table.left == []
    assert tier.read_bytes() == solved
    assert "pin" not in json.loads(table.read_text())


# --- the file play.json ---


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"play\.json: not valid JSON"),
        ('{"game": "late_pig-v0", "variants": {}, "more": 1}', r"play\.json: .*unknown field `more`"),
        ('{"game": "pig-v0", "variants": {}}', r"play\.json: pins of 'pig-v0', not of late_pig-v0"),
        ('{"game": "late_pig-v0", "variants": {"pig": {"play": "0"}}}', r"play\.json: variants"),
        (
            '{"game": "late_pig-v0", "variants": {"hog": {"play": "0123456789abcdef", "positions": 1, '
            '"sources": "0123456789abcdef"}}}',
            r"play\.json: late_pig-v0 has no variant 'hog'; variants: 'pig' and 'strict'",
        ),
    ],
)  # fmt: skip
def test_another_file_is_refused_by_name(pigs: Pigs, put: Any, text: str, message: str) -> None:
    put(pigs.late.folder / PLAY, text)
    with pytest.raises(ValueError, match=message):
        read_pins(pigs.late)


def test_sources_are_those_of_the_rules(pigs: Pigs) -> None:
    """Wherever they lie, and not the picture's or the texts'."""
    assert re.fullmatch("[0-9a-f]{16}", sources_of(pigs.usual))
    drawing = pigs.usual.folder / "drawing.py"
    text = drawing.read_text(encoding="utf-8")
    before = sources_of.__wrapped__(pigs.usual)
    drawing.write_text(text + "\n# more\n", encoding="utf-8")
    assert sources_of.__wrapped__(pigs.usual) == before
