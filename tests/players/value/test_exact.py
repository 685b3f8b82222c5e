"""Exact values of games and endings: against known counts and values, a second solver, and one step of the rules."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import subprocess
import sys
import time
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import parlour
from parlour.arena import Threads, compare, match
from parlour.arena.matches.tally import RegretScore
from parlour.arena.statistics import mean
from parlour.engine.kernels.solving import number_of as number
from parlour.engine.rules_table import rules_table
from parlour.engine.variant_mix import single
from parlour.interfaces.registry import find, register
from parlour.players import GamesView, parse_player
from parlour.players.identity import identity_of
from parlour.players.value.exact import solving, verifying
from parlour.players.value.exact.parts import turns_of
from parlour.players.value.exact.solving import BASE, THREAD
from parlour.players.value.exact.tables import INFO, write_tier
from parlour.rulebook.state_records import as_record, as_words, records
from parlour.text import TextGame
from tests.reference.exact_values import checkers_endings, royal_ur
from tests.support.faults import tree
from tests.support.games import begun
from tests.support.kernels import call


@pytest.fixture(scope="module")
def ur(tmp_path_factory: pytest.TempPathFactory) -> parlour.Solution:
    return parlour.solve("royal_ur-v0", out=tmp_path_factory.mktemp("ur"), men=2)


@pytest.fixture(scope="module")
def checkers(tmp_path_factory: pytest.TempPathFactory) -> parlour.Solution:
    return parlour.solve("checkers-v0", out=tmp_path_factory.mktemp("checkers"), pieces=3)


@pytest.fixture(scope="module")
def tic_tac_toe(tmp_path_factory: pytest.TempPathFactory) -> parlour.Solution:
    game = register("examples.games.tic_tac_toe")
    return parlour.solve(game.id, out=tmp_path_factory.mktemp("tic_tac_toe"))


def at(game: str, position: str, **values: Any) -> Any:
    return begun(game, position=position, illegal_move="raise", **values)


def number_of(solution: parlour.Solution, position: str) -> tuple[int, int]:
    """The tier and number of a position before any throw."""
    states = records(1, solution.table.game.rules.STATE)
    env = at(solution.table.game.id, position, **solution.info.values)
    states[0] = env.games.states[0]
    if solution.table.game.rules.DICE:
        states[0]["due"] = 1
    found: tuple[int, int] = call(env.games, number, as_words(states), env.games.arrays.variants)
    return found


# --- without dice ---


@cache
def best_play(marks: tuple[frozenset[int], frozenset[int]]) -> int:
    """Tic-tac-toe by trying everything: 1, 0 or −1 for the seat to act."""
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]
    own, other = marks
    if any(line <= other for line in lines):
        return -1
    empty = set(range(9)) - own - other
    return max((-best_play((other, own | {cell})) for cell in empty), default=0)


def test_a_whole_small_game(tic_tac_toe: parlour.Solution) -> None:
    assert tic_tac_toe.positions == 4520  # those without a line and with an empty cell, of 5,478 in all
    assert tic_tac_toe.start() == (0, 0)
    assert tic_tac_toe.gap == 0
    env, rng, seen = parlour.make(tic_tac_toe.info.game).unwrapped, np.random.default_rng(0), set()
    for seed in range(40):
        env.reset(seed=seed)
        env.step(int(rng.integers(9)))
        while not env.is_over():
            marks = [frozenset(k for k in range(9) if int(word) >> k & 1) for word in env.games.states["marks"][0]]
            seat = int(env.games.states["to_act"][0])
            value = best_play((marks[seat], marks[1 - seat]))
            assert tic_tac_toe.value(env) == (value, value)
            seen.add(value)
            kept = tic_tac_toe.best(env)
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            regrets = {int(action): tic_tac_toe.regret(env, int(action)) for action in legal}
            assert kept == [action for action, regret in regrets.items() if regret == 0]
            for action, regret in regrets.items():
                then = env.clone()
                then.step(action)
                worth = float(env.is_over()) if then.is_over() else -tic_tac_toe.value(then)[0]
                if not then.is_over():
                    assert regret == value - worth
            env.step(int(rng.choice(legal)))
    assert seen == {-1, 0, 1}


CHINOOK = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232}
"""Positions by pieces, of either seat alone too, whoever is to act (Schaeffer and others, 1992)."""


def alone(pieces: int) -> int:
    """Positions in which one seat has all pieces."""
    return 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


def totals(solution: parlour.Solution, pieces: int) -> list[int]:
    """Positions, won, lost, drawn, both seats to act counted, and the longest ending, with so many pieces."""
    found = []
    for tier in solution.table:
        words = tier.info.name.replace(",", "").split()
        if sum(int(words[k]) for k in (0, 2, 5, 7)) == pieces:
            found.append(tier.info)
    sums = [2 * sum(getattr(one, name) for one in found) for name in ("positions", "won", "lost", "drawn")]
    return [*sums, max(one.longest for one in found)]


def test_checkers_has_as_many_positions_as_chinook_counted(checkers: parlour.Solution) -> None:
    assert alone(1) == CHINOOK[1]
    for pieces in (2, 3):
        assert totals(checkers, pieces)[0] // 2 + alone(pieces) == CHINOOK[pieces]


def test_checkers_endings(checkers: parlour.Solution) -> None:
    """Won, lost and drawn as an earlier program counted them."""
    assert totals(checkers, 2) == [6_976, 1_432, 804, 4_740, 13]
    assert totals(checkers, 3) == [392_064, 200_500, 174_610, 16_954, 62]


@pytest.mark.parametrize("pieces", [2, pytest.param(3, marks=pytest.mark.long)])
def test_checkers_endings_by_a_second_solver(checkers: parlour.Solution, pieces: int) -> None:
    game = checkers.table.game
    states, variants = records(1, game.rules.STATE), single(game, checkers.info.values).records
    due = checkers_endings(pieces)
    assert len(due) == totals(checkers, pieces)[0]
    wrong, rules = [], rules_table(game, game.layout(checkers.info.values)).ready_for(number)
    for position, (value, turns) in due.items():
        game.notation.read(position, as_record(states, 0), as_record(variants, 0))
        tier, index = number(rules, as_words(states), as_words(variants))
        code = int(checkers.table[tier].codes(np.array([index]))[0])
        if (np.sign(code), int(turns_of(code))) != (value, turns):
            wrong.append((position, value, turns, code))
    assert not wrong


def test_a_won_ending_is_won_in_the_turns_it_says(checkers: parlour.Solution) -> None:
    """Two kings against one; White, at random or as well as it can, does not last longer."""
    player = parse_player(f"exact:{checkers.table.folder}", checkers.table.game)
    for position in ("B:WK32:BK1,K6", "B:WK14:BK1,2"):
        env = at("checkers-v0", position)
        due = checkers.turns(env)
        assert due is not None
        assert checkers.value(env) == (1, 1)
        turns = 0
        while not env.is_over():
            assert checkers.turns(env) == due - turns
            turns += 1
            seat = env.agent_selection
            while not env.is_over() and env.agent_selection == seat:
                env.step(env.ask(player))
        assert turns == due
        assert env.rewards["player_0"] == 1


# --- with dice ---


def test_the_royal_game_of_ur_has_as_many_positions_as_others_count() -> None:
    """137,913,936 (RoyalUr), with those in which one seat or both have borne off all men."""
    game = find("royal_ur-v0")
    sizes = [tier.size for tier in game.endings.tiers(game.resolve(None, {})[1], 0)]
    over = 2 * sum(comb(14, on) for men in range(1, 8) for on in range(men + 1)) + 1
    assert sum(sizes) + over == 137_913_936


def test_known_values_of_the_royal_game_of_ur(ur: parlour.Solution) -> None:
    low, high = ur.start()
    assert 0 <= high - low <= 1e-9
    assert (1 + low) / 2 == pytest.approx(0.5185729, abs=5e-8)
    for text, chance in (
        ("light 14 | dark 14", Fraction(4, 7)),
        ("light 13 | dark 14", Fraction(116, 161)),
        ("light 14 | dark 13", Fraction(74, 161)),
    ):  # J. Heled, King of Ur
        tier, index = number_of(ur, f"{text} | hand 0 0 | off 1 1 | light | dice 0 0 0 1 | 9")
        low, high = (float(bound[0]) for bound in ur.table[tier].bounds(np.array([index])))
        assert low <= 2 * chance - 1 <= high


def test_one_man_each_by_a_second_solver(tmp_path: Path) -> None:
    solution = parlour.solve("royal_ur-v0", out=tmp_path, men=1)
    due = royal_ur(1)
    assert len(due) == solution.positions
    for ((own,), (other,)), value in due.items():
        men = [f"{name} {square}" if square else name for name, square in (("light", own), ("dark", other))]
        hand = f"hand {int(own == 0)} {int(other == 0)}"
        tier, index = number_of(solution, f"{' | '.join(men)} | {hand} | off 0 0 | light | dice 0 0 0 1 | 9")
        low, high = (float(bound[0]) for bound in solution.table[tier].bounds(np.array([index])))
        assert low - 1e-10 <= value <= high + 1e-10


def test_values_of_actions_with_a_throw(ur: parlour.Solution) -> None:
    """A position's value before a throw is the mean over throws of the best action."""
    env = begun("royal_ur-v0", men=2)
    mean = 0.0
    for faces, chance in env.games.game.outcomes(4):
        env.reset(options={"dice": [list(faces)]})
        low, high = ur.value(env)
        mean += chance * (low + high) / 2
        regrets = [ur.regret(env, int(a)) for a in np.flatnonzero(env.observe("player_0")["action_mask"])]
        assert min(regrets) == 0
        assert all(ur.regret(env, action) <= ur.gap for action in ur.best(env))
    assert mean == pytest.approx(sum(ur.start()) / 2, abs=2e-9)


def test_acey_ducey_with_few_men(tmp_path: Path) -> None:
    solution = parlour.solve("acey_ducey-v0", out=tmp_path, men=1)
    assert solution.positions == 601  # 25 places each, less the 24 points where both men would stand
    assert solution.verify(1000) == 601  # all of them uncompiled, too
    low, high = solution.table[0].bounds(slice(None))
    assert 0 <= (high - low).max() <= 1e-9 + 1e-15
    assert low.max() == pytest.approx(1)  # a man on the last point is borne off by any number


# --- tables ---


def test_every_value_follows_from_the_rules(
    ur: parlour.Solution, checkers: parlour.Solution, tic_tac_toe: parlour.Solution
) -> None:
    for solution in (ur, checkers, tic_tac_toe):
        assert solution.verify(40) == solution.positions


def changed(solution: parlour.Solution, folder: Path, tier: int, change: Any) -> parlour.Solution:
    """A copy of a table in which a tier's values were changed, with a checksum that fits."""
    shutil.copytree(solution.table.folder, folder, dirs_exist_ok=True)
    table = solution.table[tier]
    values = np.array(table.values)
    change(values)
    write_tier(folder / solution.table.path(tier).name, table.info, values)
    return parlour.Solution.load(folder)


def test_a_wrong_value_is_found_and_named(
    ur: parlour.Solution, checkers: parlour.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lower(values: Any) -> None:
        values[5] -= 3000  # about 1e-6

    def raised(values: Any) -> None:
        values[5] += 3000

    def swapped(values: Any) -> None:
        values[7] = -values[7] - 1

    for name, solution, change in (("a", ur, lower), ("b", ur, raised), ("c", checkers, swapped)):
        wrong = changed(solution, tmp_path / name, 1, change)
        with pytest.raises(ValueError, match=r"tier-0001\.exact: \d+ values are wrong; the first is number \d of tier"):
            wrong.verify(0)
    monkeypatch.setattr(verifying, "_compare", lambda *arguments: None)  # only the process that compiles nothing
    with pytest.raises(ValueError, match=r"uncompiled, the rules say otherwise: .*values are wrong"):
        changed(ur, tmp_path / "a", 2, lambda values: values.fill(3 << 30)).verify(40)


def test_one_flipped_byte_is_found_and_its_file_named(ur: parlour.Solution, tmp_path: Path) -> None:
    shutil.copytree(ur.table.folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "tier-0001.exact"
    content = path.read_bytes()
    for place in (3, 200, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(ValueError, match=r"tier-0001\.exact is damaged: its SHA-256"):
            parlour.Solution.load(tmp_path).verify(0)
    path.write_bytes(content[:-1])
    with pytest.raises(ValueError, match=r"tier-0001\.exact is damaged"):
        parlour.Solution.load(tmp_path).verify(0)
    path.unlink()
    with pytest.raises(ValueError, match="is not solved wholly: 1 tiers are left"):
        parlour.Solution.load(tmp_path)
    assert tree(parlour.solve("royal_ur-v0", out=tmp_path, men=2).table.folder) == tree(ur.table.folder)


SOLVE = "import json, sys, parlour; parlour.solve(sys.argv[1], out=sys.argv[2], **json.loads(sys.argv[3]))"


@pytest.mark.parametrize("game", ["checkers", "ur"])
def test_a_killed_run_is_resumed_with_the_same_bytes(game: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Also with another number of threads."""
    whole: parlour.Solution = request.getfixturevalue(game)
    folder = tmp_path / "table"
    values = {whole.table.game.endings.LIMIT.name: whole.info.limit} if whole.info.limit else {"men": 2}
    process = subprocess.Popen([sys.executable, "-c", SOLVE, whole.info.game, str(folder), json.dumps(values)])
    while process.poll() is None and not list(folder.glob("tier-0001.*")):
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert len(tree(folder)) > 1
    resumed = parlour.solve(whole.info.game, out=folder, threads=3, **values)
    assert tree(resumed.table.folder) == tree(whole.table.folder)


def test_a_run_killed_while_it_rounds_has_the_same_bytes(
    ur: parlour.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path, *arguments: Any) -> None:
        if path.name == "tier-0001.exact":
            raise KeyboardInterrupt
        write_tier(path, *arguments)

    monkeypatch.setattr(solving, "write_tier", killed)
    with pytest.raises(KeyboardInterrupt):
        parlour.solve("royal_ur-v0", out=tmp_path, men=2)
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".bounds", ".exact", ""}  # "": the lock
    monkeypatch.undo()
    assert tree(parlour.solve("royal_ur-v0", out=tmp_path, men=2).table.folder) == tree(ur.table.folder)


def test_values_that_32_bits_would_round_too_much(ur: parlour.Solution, tmp_path: Path) -> None:
    """What rounding adds is part of the precision; where it would be more, tables keep floats."""
    fine = parlour.solve("royal_ur-v0", out=tmp_path, men=2, precision=1e-10)
    assert {tier.info.kind for tier in fine.table} == {"bounds"}
    assert {tier.info.kind for tier in ur.table} == {"steps"}
    assert fine.gap <= 1e-10 < ur.gap <= 1e-9
    for one, other in zip(fine.table, ur.table):
        (low, high), (least, most) = one.bounds(slice(None)), other.bounds(slice(None))
        assert (least <= high).all()
        assert (low <= most).all()
    assert fine.verify(0) == fine.positions


def test_little_memory_changes_no_byte(ur: parlour.Solution, tmp_path: Path) -> None:
    """What does not fit into memory is worked out again in each sweep."""
    largest = max(tier.size for tier in ur.info.tiers)
    told: list[str] = []
    solution = parlour.solve(
        "royal_ur-v0", out=tmp_path, men=2, memory=BASE + 2 * THREAD + 40 * largest, threads=2,
        progress=lambda done, total, what: told.append(what),
    )  # fmt: skip
    assert told[0].startswith("needs about ")
    assert told[0].endswith("; slower with less memory")
    assert tree(solution.table.folder) == tree(ur.table.folder)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"game": "crown_and_anchor-v0"}, "can't be solved: it has no endings.py"),
        ({"game": "checkers-v0", "pieces": 6}, "option 'pieces': 6 is not valid"),
        ({"game": "checkers-v0", "pieces": 5, "memory": 400 << 20}, "400 MiB are free; pieces 4 would fit"),
        ({"game": "royal_ur-v0", "pieces": 3}, "no option 'pieces'"),
        ({"game": "royal_ur-v0", "men": 1, "precision": 0}, "precision must be a finite number from 1e-11 to 1"),
        ({"game": "acey_ducey-v0", "men": 1, "dog_house_penalty": 0.1}, "dog_house_penalty=0"),
        ({"game": "checkers-v0", "pieces": 2, "repeats": "loses"}, "a table knows nothing of earlier positions"),
        ({"game": "chess-v0"}, "there is no game"),
        ({"game": "checkers-v0", "threads": 0}, "threads must be a whole number from 1 to 1024, not 0"),
        ({"game": "checkers-v0", "memory": "a"}, "memory must be a whole number from 1 up, not 'a'"),
    ],
)
def test_what_can_not_be_solved(values: dict[str, Any], problem: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=problem):
        parlour.solve(out=tmp_path / "table", **values)
    assert not (tmp_path / "table").exists()


def test_a_folder_holds_one_table(ur: parlour.Solution, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"holds a table .* with values "):
        parlour.solve("royal_ur-v0", out=ur.table.folder, men=1)
    with pytest.raises(ValueError, match="has no table of exact values"):
        parlour.Solution.load(tmp_path)


def test_what_stands_in_table_json_is_checked(
    ur: parlour.Solution, checkers: parlour.Solution, tic_tac_toe: parlour.Solution, tmp_path: Path
) -> None:
    for solution, old, new, problem in (
        (ur, ur.info.digest, "0" * 16, "made under other rules"),
        (ur, '"format": 1', '"format": 2', "format"),
        (ur, '"men": 2', '"men": 9', "men"),
        (ur, "finkel", "nonesuch", "nonesuch"),
        (checkers, '"limit": 3', f'"limit": {10**17}', f"option 'pieces': {10**17} is not valid"),
        (tic_tac_toe, '"limit": 0', '"limit": 3', "was made under other rules"),
    ):
        content = (solution.table.folder / INFO).read_text()
        assert old in content
        (tmp_path / INFO).write_text(content.replace(old, new))
        with pytest.raises(ValueError, match=f"{re.escape(str(tmp_path))}.*{problem}"):
            parlour.Solution.load(tmp_path)


def test_an_option_that_a_table_lacks_has_the_value_of_its_variant(tmp_path: Path) -> None:
    """As in a table that is older than the option."""
    before = parlour.solve("checkers-v0", out=tmp_path, pieces=2)
    content = json.loads((tmp_path / INFO).read_text())
    for values in ({}, {"max_plies": 0}):
        (tmp_path / INFO).write_text(json.dumps({**content, "values": values}))
        assert parlour.Solution.load(tmp_path).table.info == before.table.info


def test_tiers_of_nobody_knows_what_are_not_taken_over(tmp_path: Path) -> None:
    parlour.solve("checkers-v0", out=tmp_path / "table", pieces=2)
    before = {path.name: path.read_bytes() for path in (tmp_path / "table").glob("tier-*")}
    (tmp_path / "table" / INFO).unlink()
    for variant in ("american", "openspiel"):
        with pytest.raises(ValueError, match=r"tier-.* and no table\.json"):
            parlour.solve("checkers-v0", out=tmp_path / "table", variant=variant, pieces=2)
    assert {path.name: path.read_bytes() for path in (tmp_path / "table").glob("tier-*")} == before
    assert not (tmp_path / "table" / INFO).exists()


def test_values_of_another_kind_of_game_are_refused(ur: parlour.Solution, tmp_path: Path) -> None:
    """Though the file is whole, and of the tier's name and size."""
    shutil.copytree(ur.table.folder, tmp_path, dirs_exist_ok=True)
    info = msgspec.structs.replace(ur.table[1].info, kind="int8")
    write_tier(tmp_path / "tier-0001.exact", info, np.zeros(info.size, np.int8))
    with pytest.raises(ValueError, match=r"tier-0001\.exact has int8, which royal_ur-v0 has none of"):
        parlour.Solution.load(tmp_path).verify(0)


def test_positions_that_a_table_does_not_have(ur: parlour.Solution, checkers: parlour.Solution) -> None:
    env = begun("checkers-v0")
    with pytest.raises(ValueError, match=r"outside the table \(checkers-v0, american, pieces 3\)"):
        checkers.value(env)
    with pytest.raises(ValueError, match="the table is of royal_ur-v0, not of checkers-v0"):
        ur.value(env)
    env = begun("royal_ur-v0", men=3)
    with pytest.raises(ValueError, match="the table is for men=2, not 3"):
        ur.value(env)
    env = at("checkers-v0", "W:W:BK1 end=no_move")
    with pytest.raises(ValueError, match="the game is over"):
        checkers.value(env)
    with pytest.raises(ValueError, match="is not legal here"):
        ur.regret(at("royal_ur-v0", "light | dark | hand 2 2 | off 0 0 | light | dice 0 0 0 1 | 0", men=2), 28)
    with pytest.raises(ValueError, match="not an environment of parlour"):
        ur.value("royal_ur-v0")


# --- the player ---


def test_the_player_plays_best_actions(ur: parlour.Solution) -> None:
    player = parse_player(f"exact:{ur.table.folder}", ur.table.game)
    env = parlour.make("royal_ur-v0", men=2).unwrapped
    for seed in range(3):
        env.reset(seed=seed)
        while not env.is_over():
            action = env.ask(player)
            assert action in ur.best(env)
            assert ur.regret(env, action) == 0
            env.step(action)
    assert set(identity_of(player.name, ur.table.game)) == {"sha256"}


def test_one_folder_for_each_variant(ur: parlour.Solution, tmp_path: Path) -> None:
    parlour.solve("royal_ur-v0", variant="aseb", out=tmp_path / "aseb", men=1)
    player = parse_player(f"exact:{tmp_path}/{{variant}}", ur.table.game)
    env = begun("royal_ur-v0", variant="aseb", men=1)
    assert env.observe(env.agent_selection)["action_mask"][env.ask(player)] == 1
    env = begun("royal_ur-v0", men=1)
    with pytest.raises(ValueError, match="finkel has no table"):
        env.ask(player)


# --- what players give away ---


def test_a_match_tells_what_players_give_away(ur: parlour.Solution) -> None:
    """The same as by hand, ply by ply; by the kind of position; not in random openings."""
    folder, games = ur.table.folder, []
    score = match(
        "royal_ur-v0", f"exact:{folder}", "greedy", games=6, men=2, openings="random:3", on_played=games.extend,
        workers=Threads(1),
    )  # fmt: skip
    lost: dict[str, dict[int, list[float]]] = {}
    for played in games:
        env = begun("royal_ur-v0", played.spec.seed, men=2)
        for ply, action in enumerate(played.moves.tolist()):
            player = played.spec.players[env.possible_agents.index(env.agent_selection)]
            if ply >= 3 and len(env.legal_moves()) > 1:
                pairs = lost.setdefault(player, {})
                pairs.setdefault(played.spec.index // 2, []).append(ur.regret(env, action))
            env.step(action)
    total = {one.player: one for one in score.regrets if one.kind == ""}
    assert set(total) == {f"exact:{folder}", "greedy"}
    assert total[f"exact:{folder}"].regret.value == 0
    means = [np.mean(of_pair) for of_pair in lost["greedy"].values()]
    assert total["greedy"].regret.value == pytest.approx(np.mean(means))
    assert total["greedy"].regret.value > 0
    assert total["greedy"].choices == sum(map(len, lost["greedy"].values()))
    kinds = [one for one in score.regrets if one.player == "greedy" and one.kind]
    assert {one.kind for one in kinds} <= {"2 and 2 men left", "2 and 1 men left", "1 and 1 men left"}
    assert sum(one.choices for one in kinds) == total["greedy"].choices
    assert "greedy gives away of the exact value a choice: 0.0" in str(score)
    assert match("royal_ur-v0", "greedy", "random", games=2, men=2).regrets == ()


def test_an_interval_of_regrets_without_an_end_says_so() -> None:
    """Of one pair of games, say."""
    text = str(RegretScore("greedy", "", 7, mean([0.25], 0)))
    assert text == "greedy gives away of the exact value a choice: 0.25000 (95 %: 0.00000 and more), 7 choices"


def test_a_comparison_measures_regret(ur: parlour.Solution, tmp_path: Path) -> None:
    """With a table for each variant; nobody gives away more than the worst ply does."""
    parlour.solve("royal_ur-v0", variant="blitz", out=tmp_path / "blitz", men=2)
    shutil.copytree(ur.table.folder, tmp_path / "finkel")
    settings = {"variants": ["finkel", "blitz"], "skill": None, "games": 4, "men": 2, "measures": ["regret"]}
    perfect = f"exact:{tmp_path}/{{variant}}"
    result = compare("royal_ur-v0", players=[perfect, "random"], workers=Threads(1), **settings)
    found = {(row["variant"], row["players"]): row["estimate"] for row in result.figure_rows()}
    assert set(found) == {(variant, player) for variant in ("finkel", "blitz") for player in (perfect, "random")}
    assert all((value == 0) == (player == perfect) for (_, player), value in found.items())
    named = compare("royal_ur-v0", players=["random"], exact=tmp_path / "{variant}", workers=Threads(1), **settings)
    assert [row["estimate"] for row in named.figure_rows()] == [found["finkel", "random"], found["blitz", "random"]]
    with pytest.raises(ValueError, match="'regret' needs a table of parlour solve"):
        compare("royal_ur-v0", players=["random"], **settings)


# --- searches that look their leaves up ---


def test_a_search_looks_its_leaves_up(tic_tac_toe: parlour.Solution) -> None:
    """One ply deep it sees all: it plays best actions, and says what they are worth."""
    game, folder = tic_tac_toe.table.game, tic_tac_toe.table.folder
    player = parse_player(f"expectimax:1:exact:{folder}", game)
    assert player.name == f"expectimax:1:exact:{folder}"
    assert set(identity_of(player.name, game)) == {"sha256"}
    env, rng, values = parlour.make(game.id).unwrapped, np.random.default_rng(1), set()
    for seed in range(12):
        env.reset(seed=seed)
        while not env.is_over():
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            if len(legal) > 1:
                action = env.ask(player)
                assert action in tic_tac_toe.best(env)
                found = player.consider(GamesView(env.games)).values  # type: ignore[attr-defined]
                seat = int(env.games.states["to_act"][0])
                value = tic_tac_toe.value(env)[0]
                assert round(found[seat]) == value
                values.add(value)
            env.step(int(rng.choice(legal)))
    assert values >= {0, 1}


def test_a_table_judges_games_in_words(tic_tac_toe: parlour.Solution) -> None:
    """A ply loses something by the table exactly if it is not among the best."""
    game, rng, lost = tic_tac_toe.table.game, np.random.default_rng(0), []
    text = TextGame(game.id, seat=0, judge=f"exact:{tic_tac_toe.table.folder}")
    for seed in range(10):
        text.reset(seed=seed)
        while not text.done:
            env = at(game.id, text.position())
            move = str(rng.choice(text.legal_moves()))
            lost.append(text.step(f"Move: {move}").info["value_lost"])
            assert (lost[-1] == 0) == (env.parse_move(move) in tic_tac_toe.best(env))
    assert {0, 1, 2} >= set(lost) > {0}


def test_a_champion_with_a_table(checkers: parlour.Solution, tmp_path: Path) -> None:
    """In positions of the table it gives nothing away, with a search and without; elsewhere it plays as without a
    table. It says which table it has."""
    bear_off = parlour.solve("backgammon-v0", out=tmp_path, men=2)
    for text in ("champion", "champion:2turns"):
        player = parse_player(f"{text}:exact:{tmp_path}", bear_off.table.game)
        assert player.name == f"{text}:exact:{tmp_path}"
        assert set(identity_of(player.name, bear_off.table.game)) == {"sha256", "table"}
        assert pickle.loads(pickle.dumps(player)).name == player.name
        env = at("backgammon-v0", "23:b1 22:b1 6:w1 4:w1 | bar 0 0 | off 13 13 | w | dice 2 1 | left 2 1 | 40")
        while not env.is_over():
            action = env.ask(player)
            assert action in bear_off.best(env)
            env.step(action)
    outside = begun("backgammon-v0")
    env = at("backgammon-v0", "23:b1 22:b1 6:w1 4:w1 | bar 0 0 | off 13 13 | w | dice 2 1 | left 2 1 | 40")
    for name in (f"exact:{tmp_path}", f"champion:exact:{tmp_path}"):
        soft: Any = parse_player(f"soft:0.05:{name}", bear_off.table.game)
        worths = soft.player.action_values(GamesView(env.games), np.array([0]))[0]
        legal = np.flatnonzero(env.games.action_mask[0])
        assert np.array_equal(np.flatnonzero(~np.isnan(worths)), legal)
        regrets = [bear_off.regret(env, int(action)) for action in legal]
        assert np.nanmax(worths) - worths[legal] == pytest.approx(regrets)
    without = parse_player("soft:0.05:champion", bear_off.table.game)
    views = GamesView(outside.games), np.array([0])
    assert np.array_equal(soft.policies(*views), without.policies(*views))  # type: ignore[attr-defined]
    game, folder = checkers.table.game, checkers.table.folder
    env = begun("checkers-v0")
    with_table = parse_player(f"champion:2:exact:{folder}", game)
    assert env.ask(parse_player("champion:2", game)) == env.ask(with_table)
    for position in ("W:W5,K32:BK1", "B:WK5:BK1,K20"):
        env = at("checkers-v0", position)
        assert env.ask(with_table) in checkers.best(env)


def test_a_search_with_a_table_of_other_options(ur: parlour.Solution) -> None:
    player = parse_player(f"expectimax:1:exact:{ur.table.folder}", ur.table.game)
    env = begun("royal_ur-v0", men=3)
    with pytest.raises(ValueError, match="the table is for men=2, not 3"):
        env.ask(player)
