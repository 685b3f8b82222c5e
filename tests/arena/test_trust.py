"""Files that people exchange name players and files: they run no code, and reach nothing outside their folder, unless
the user says ``--trust``."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.arena.setting.ladder import ladder_of, read_ladders
from parlour.arena.study.atlas_plan import read_plan as read_atlas
from parlour.arena.study.plans import SavedComparison, plan_comparison, plan_exploration
from parlour.interfaces.registry import find
from parlour.players.names import KINDS, player_in_file
from parlour.support.paths import PathsInFile
from parlour.support.typed_json import read_json
from tests.support.command_line import Run, check_refused

UR = "royal_ur-v0"
CODE = "python:evil:f"
NESTED = (CODE, f"blunder:50:{CODE}", f"soft:0.5:{CODE}", f"blunder:10:soft:1:{CODE}")
EVIL = """
from pathlib import Path
Path("owned").write_text("")
def f(observation, action_mask):
    return action_mask.argmax(axis=1)
"""
CHAMPION = find(UR).champion


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with code that leaves a trace when it is imported."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "evil", raising=False)
    (folder / "evil.py").write_text(EVIL)
    return folder


def compare_config(**changes: Any) -> dict[str, Any]:
    """The config file of a small comparison, with changed entries."""
    return plan_comparison(UR, ["finkel"], ["random"], None, 4, 0, {}).as_config() | changes


def explore_config(**changes: Any) -> dict[str, Any]:
    """The config file of a small exploration, with changed entries."""
    goals = ["plies:min", "skill:max"]
    plan = plan_exploration(UR, {"men": [5, 7]}, goals, None, {}, "random", ("random", "greedy"), 4, 1, 4, 0)
    return plan.as_config() | changes


def saved(config: dict[str, Any], folder: Path) -> Path:
    """A config file in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "config.json"
    file.write_text(json.dumps(config))
    return file


def atlas_file(folder: Path, **changes: str) -> Path:
    """The plan of a small atlas, with changed entries as TOML."""
    entries = {"game": f'"{UR}"', "variants": '["finkel"]', "doublings": "1", "players": '{"it" = "random"}', **changes}
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "atlas.toml"
    file.write_text("\n".join(f"{name} = {value}" for name, value in entries.items()))
    return file


@pytest.mark.parametrize("player", NESTED)
@pytest.mark.parametrize("entry", ["players", "skill", "trace", "judge"])
def test_a_comparison_from_a_file_runs_no_code(run: Run, tmp_path: Path, entry: str, player: str) -> None:
    value = {"players": [player], "skill": ["random", player], "trace": [f"{player}:10", 1], "judge": player}[entry]
    config = compare_config(**{entry: value, "skill": ["random", "greedy"]} | {entry: value})
    ran = run("compare", "--from", saved(config, tmp_path / "theirs"))
    check_refused(ran, "config.json", player, "--trust")
    assert not Path("owned").exists()


@pytest.mark.parametrize("player", NESTED)
@pytest.mark.parametrize("entry", ["player", "skill", "judge"])
def test_an_exploration_from_a_file_runs_no_code(run: Run, tmp_path: Path, entry: str, player: str) -> None:
    config = explore_config(**{entry: ["random", player] if entry == "skill" else player})
    ran = run("explore", "--from", saved(config, tmp_path / "theirs"))
    check_refused(ran, "config.json", player, "--trust")
    assert not Path("owned").exists()


@pytest.mark.parametrize("player", NESTED)
@pytest.mark.parametrize("entry", ["players", "trace", "examined"])
def test_an_atlas_from_a_file_runs_no_code(run: Run, tmp_path: Path, entry: str, player: str) -> None:
    value = f'{{"it" = "{player}"}}' if entry == "players" else f'"{player}"'
    ran = run("atlas", "--from", atlas_file(tmp_path / "theirs", **{entry: value}))
    check_refused(ran, "atlas.toml", player, "--trust")
    assert not Path("owned").exists()


@pytest.mark.parametrize("change", [{"players": [100_000 * "a"]}, {"openings": 100_000 * "a"}], ids=["player", "path"])
def test_a_message_quotes_little_of_a_file(run: Run, tmp_path: Path, change: dict[str, Any]) -> None:
    ran = run("compare", "--from", saved(compare_config(**change), tmp_path / "theirs"))
    check_refused(ran, "config.json: ")
    assert len(ran.err) < 3000


@pytest.mark.parametrize("player", NESTED)
def test_a_ladder_has_no_code(tmp_path: Path, player: str) -> None:
    shipped = find(UR).folder / "ladder.json"
    file = tmp_path / "ladder.json"
    file.write_text(shipped.read_text().replace('"player": "random"', f'"player": "{player}"'))
    with pytest.raises(ValueError, match="is code"):
        ladder_of(find(UR), "finkel", file)
    file.write_text(shipped.read_text().replace('"openings": "none"', '"openings": "/etc/passwd"'))
    with pytest.raises(ValueError, match="openings"):
        read_ladders(find(UR), file)
    assert not Path("owned").exists()


@pytest.mark.parametrize("player", ["exact:/etc", "soft:0.1:value:{here}/net.value", "blunder:5:policy:net.onnx"])
def test_a_ladder_opens_no_files(run: Run, tmp_path: Path, player: str) -> None:
    """Nobody else has them: neither one of the working folder, nor one anywhere on the machine."""
    name = player.format(here=tmp_path)
    file = tmp_path / "ladder.json"
    shipped = (find(UR).folder / "ladder.json").read_text()
    file.write_text(shipped.replace('"random"', f'"{name}"'))
    with pytest.raises(ValueError, match=re.escape(name)):
        ladder_of(find(UR), "finkel", file)
    check_refused(run("ladder", UR, "--make", "--rung", name, "--rung", "random"), name, "others don't have", "mcts:50")


def test_a_trusted_file_runs_code(run: Run, tmp_path: Path) -> None:
    file = saved(compare_config(players=[CODE], skill=None), tmp_path / "theirs")
    ran = run("compare", "--from", file, "--trust", "--out", "out")
    assert ran.status in (0, None), ran
    assert Path("owned").exists()


@pytest.mark.parametrize("command", ["compare", "explore", "atlas"])
def test_trust_is_of_a_file(run: Run, command: str) -> None:
    ran = run(command, "royal_ur", "--trust")
    assert ran.status == 2
    assert "--from" in ran.err


@pytest.mark.parametrize(
    "name",
    [
        "value:{}", "value:{}:2turns", "value:{}:2", "value:{}:0.1s", "value:{}:2:exact:{}", "mcts:4:value:{}",
        "az:{}:8", "policy:{}", "policy:{}:sample", "exact:{}", "expectimax:2:exact:{}", "champion:exact:{}",
        "champion:2:exact:{}", "blunder:20:value:{}", "soft:0.1:value:{}", "blunder:20:soft:0.1:expectimax:2:exact:{}",
        "exact:{}/{{variant}}",
    ],
)  # fmt: skip
def test_no_path_in_a_players_name_leads_out_of_the_files_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    for path in (str(tmp_path / "secret"), "../secret", "link", "nothing", "sub/../../secret"):
        with pytest.raises(ValueError, match="--trust") as refused:
            player_in_file(name.format(path, path), find(UR), PathsInFile(folder / "config.json"))
        assert path in str(refused.value)


def test_no_table_of_a_variant_leads_out_of_the_files_folder(tmp_path: Path) -> None:
    """Which of them is opened is known only when a variant is played."""
    paths = PathsInFile(tmp_path / "theirs" / "config.json")
    (tmp_path / "theirs" / "tables" / "masters").mkdir(parents=True)
    assert player_in_file("exact:tables/{variant}", find(UR), paths) == f"exact:{tmp_path}/theirs/tables/{{variant}}"
    (tmp_path / "theirs" / "tables" / "finkel").symlink_to(tmp_path)
    with pytest.raises(ValueError, match="--trust"):
        player_in_file("exact:tables/{variant}", find(UR), paths)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such pipes")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    """Nobody may ever write to it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="--trust"):
        player_in_file("value:pipe", find(UR), PathsInFile(tmp_path / "config.json"))


def test_a_name_can_not_exhaust_the_stack(run: Run, tmp_path: Path) -> None:
    name = "blunder:1:" * 2000 + "random"
    check_refused(run("compare", "--from", saved(compare_config(players=[name]), tmp_path)), "more than 50 colons")


def test_every_kind_of_player_with_a_file_is_tried_above() -> None:
    with_files = {kind for kind, has in KINDS.items() if any("FILE" in name or "FOLDER" in name for name in has.NAMES)}
    assert with_files == {"value", "policy", "az", "exact", "champion", "expectimax", "mcts"}


def test_networks_beside_the_file_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "theirs"
    names = ["value:net.value", "blunder:20:value:net.value", "mcts:2:value:net.value"]
    file = saved(compare_config(players=names, skill=["random", "value:net.value"], judge="value:net.value"), folder)
    shutil.copy(CHAMPION, folder / "net.value")
    read = read_json(file, SavedComparison)
    from_elsewhere = read.plan(str(file))
    monkeypatch.chdir(folder)
    from_there = read.plan("config.json")
    assert from_elsewhere.as_config() == from_there.as_config()
    assert from_elsewhere.players == tuple(names)
    assert [one.specs() for one in from_elsewhere.plan.series] == [one.specs() for one in from_there.plan.series]
    assert from_elsewhere.custom == {
        name: name.replace("net.value", str(folder / "net.value")) for name in names
    } | {"judge value:net.value": f"value:{folder}/net.value"}  # fmt: skip
    assert from_there.custom == {"judge value:net.value": "value:net.value"}


def test_a_run_with_networks_beside_it_is_repeated_and_resumed_from_elsewhere(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    file = saved(compare_config(skill=["random", "value:net.value"], judge="value:net.value"), folder)
    shutil.copy(CHAMPION, folder / "net.value")
    first = run("compare", "--from", file)
    assert first.status in (0, None), first
    again = run("compare", "--from", file)
    assert again.status in (0, None), again
    assert json.loads(file.read_text())["skill"] == ["random", "value:net.value"]
    (folder / "net.value").unlink()
    check_refused(run("compare", "--from", file), "net.value", "--trust")


def test_a_trusted_file_names_files_as_from_the_working_folder(tmp_path: Path) -> None:
    shutil.copy(CHAMPION, "mine.value")
    paths = PathsInFile(saved(compare_config(), tmp_path / "theirs"), trusted=True)
    assert player_in_file("value:mine.value", find(UR), paths) == "value:mine.value"


def test_an_atlas_finds_its_networks_beside_its_plan(tmp_path: Path) -> None:
    file = atlas_file(tmp_path / "theirs", players='{"it" = "value:net.value:2turns"}', exact='"tables/{variant}"')
    shutil.copy(CHAMPION, file.parent / "net.value")
    (file.parent / "tables" / "finkel").mkdir(parents=True)
    (file.parent / "tables" / "finkel" / "table.json").touch()
    plan = read_atlas(file)
    assert plan.players == {"it": f"value:{file.parent}/net.value:2turns"}
    assert plan.exact == f"{file.parent}/tables/{{variant}}"
    assert "value:net.value:2turns" in plan.toml(file.parent)
    assert '"tables/{variant}"' in plan.toml(file.parent)


@pytest.mark.parametrize("entry", ["openings", "exact"])
def test_other_paths_in_a_file_are_beside_it_too(run: Run, tmp_path: Path, entry: str) -> None:
    (tmp_path / "secret").write_text("top secret\n")
    for config in (compare_config(**{entry: str(tmp_path / "secret")}), explore_config(openings="../secret")):
        command = config["kind"]
        ran = run(command, "--from", saved(config, tmp_path / "theirs"))
        check_refused(ran, "secret", "--trust")
        assert "top" not in ran.err


def test_openings_beside_the_file_are_read(run: Run, tmp_path: Path) -> None:
    import parlour

    env = parlour.make(UR)
    env.reset(seed=1)
    file = saved(compare_config(openings="mine.txt", skill=None), tmp_path / "theirs")
    (file.parent / "mine.txt").write_text(env.position() + "\n")
    plan = read_json(file, SavedComparison).plan(str(file))
    assert plan.openings.as_config() == [env.position()]


def test_what_is_no_file_of_positions_is_not_quoted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("top secret\nlast line\n")
    ran = run("compare", "royal_ur", "--openings", tmp_path / "secret", "--out", "out")
    check_refused(ran, "secret, line", UR)
    assert "top" not in ran.err
    assert "last" not in ran.err
