"""Champions: the networks that come with the package, and the player that plays by them."""

from __future__ import annotations

import copy
import pickle
import re
import shutil
from pathlib import Path

import pytest

import parlour
from parlour.arena import Threads, match
from parlour.interfaces import registry
from parlour.interfaces.registry import find, register
from parlour.players import parse_player
from parlour.players.identity import identity_of
from parlour.players.value import load, new_network, save
from parlour.players.value.files import read_card
from parlour.players.value.inputs import play_digest
from parlour.support.files import sha256_of
from tests.support.command_line import Run, check_error

OURS = [game for game in parlour.games() if find(game).package.startswith("parlour.envs.")]
WITH_CHAMPION = [game for game in OURS if find(game).champion is not None]
MAX_BYTES = 2 << 20
PIG = Path(__file__).parents[2] / "toy_games" / "pig"


@pytest.mark.parametrize("game", WITH_CHAMPION)
def test_a_champion_is_of_the_rules_as_they_are(game: str) -> None:
    """Fails when rules change under a champion: train it again, or remove it."""
    found = find(game)
    assert found.champion is not None
    assert found.champion.stat().st_size <= MAX_BYTES
    network = load(found.champion, found)
    assert network.digest == play_digest(found, network.variants)


@pytest.mark.parametrize("game", WITH_CHAMPION)
def test_a_card_tells_what_the_file_does(game: str) -> None:
    path = find(game).champion
    assert path is not None
    card, written = read_card(path), path.with_name("CHAMPION.md").read_text(encoding="utf-8")
    for name in ("method", "variants", "seed", "rounds", "games", "plies", "processor_minutes"):
        assert re.search(rf"^\| {name} +\| {re.escape(card[name])} +\|$", written, re.MULTILINE), name
    assert load(path).digest in written
    assert sha256_of(path) in written
    assert re.search(r"with the code of commit [0-9a-f]{7,40}\b", written)
    assert "python benchmarks/champions.py" in written


def test_every_form_of_the_player() -> None:
    game = find("acey_ducey-v0")
    names = ["champion", "champion:3", "champion:0.01s"]
    players = [parse_player(name, game) for name in names]
    assert [player.name for player in players] == names
    assert [(player.depth, player.seconds) for player in players] == [(None, None), (3, None), (None, 0.01)]  # type: ignore[attr-defined]
    for player in players:
        for copied in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
            assert (copied.name, copied.depth, copied.seconds) == (player.name, player.depth, player.seconds)  # type: ignore[attr-defined]
    assert list(identity_of("champion", game)) == ["sha256"]


def test_it_beats_greedy() -> None:
    assert match("acey_ducey-v0", "champion", "greedy", games=60, seed=1, workers=Threads(1)).score.low > 0.6


def test_one_plays_against_it_on_the_command_line(run: Run) -> None:
    ran = run("play", "acey_ducey", "--against", "champion", "--seat", 1, "--seed", 0, stdin=["quit"])
    assert ran.status == 0
    assert "champion plays" in ran.out


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("match", "pig", "champion", "greedy"), ["pig", "parlour train pig", "acey_ducey-v0"]),
        (("match", "acey_ducey", "champion:soon", "greedy"), ["champion:soon", "champion:0.1s"]),
        (("match", "acey_ducey", "champion:0", "greedy"), ["champion:0", "1 to 60 plies"]),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], parts: list[str], run: Run) -> None:
    check_error(run("--import", "tests.toy_games.pig", *arguments), *parts)


def test_a_game_of_ones_own_gets_a_champion_as_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PIG, tmp_path / "crowned", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_GAMES", dict(registry._GAMES))  # the game is known in this test alone
    game = register("crowned")
    with pytest.raises(
        ValueError, match=r"^crowned-v0 has no champion; to make a network its champion, copy "
    ) as caught:
        parse_player("champion", game)
    target = re.search(r"'parlour train crowned' writes to (.+?);", str(caught.value))
    assert target is not None
    save(new_network(game, hidden=4), target[1], {})
    assert Path(target[1]).parent == tmp_path / "crowned"
    assert parse_player("champion", game).name == "champion"


@pytest.mark.parametrize("player", ["champion", "champion:2", "blunder:20:champion", "soft:0.1:champion:1"])
@pytest.mark.parametrize(
    ("command", "named"),
    [
        (("compare", "agon", "--variants", "ring:touch_move=true", "--skill", "none", "--players", "PLAYER"), "ring"),
        (("compare", "agon", "-o", "touch_move=true", "--players", "none", "--skill", "random,PLAYER"), "classic"),
        (("explore", "agon", "--options", "touch_move", "--goal", "plies:min", "--player", "PLAYER"), "classic"),
        (("match", "agon", "PLAYER", "random", "--variant", "parlett", "-o", "touch_move=true"), "parlett"),
        (("tournament", "agon", "PLAYER", "random", "--variant", "bell", "-o", "touch_move=true"), "bell"),
    ],
)
def test_rules_that_it_has_not_learnt_are_refused_with_what_to_do(
    command: tuple[str, ...], named: str, player: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, before anything is played or written."""
    monkeypatch.chdir(tmp_path)
    ran = run(*(word.replace("PLAYER", player) for word in command), "--games", 4)
    check_error(
        ran, f"{player}: the value network for agon-v0 plays 'classic', ",
        f"'{named} with touch_move=True' is not one of them",
        f"'parlour train agon --variant {named} -o touch_move=True'", "value:FILE",
    )  # fmt: skip
    assert "…" not in ran.err
    assert "{" not in ran.err
    assert not list(tmp_path.iterdir())


def test_what_to_do_makes_a_player_for_these_rules(run: Run, tmp_path: Path) -> None:
    options = ("--variant", "ring", "-o", "touch_move=True")
    quick = ("--hidden", 8, "--rounds", 1, "--out", tmp_path / "trained")
    assert run("train", "agon", *options, *quick).status == 0
    player = f"value:{tmp_path / 'trained' / 'agon.value'}"
    assert run("simulate", "agon", *options, "-o", "max_plies=10", "--players", player, "--games", 1).status == 0


def test_a_champion_is_of_a_game() -> None:
    with pytest.raises(ValueError, match="'champion' plays one particular game"):
        parse_player("champion")
