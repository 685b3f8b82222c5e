"""Ladders: how they are made, that they fit what they were made with, and what a rating on them says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from parlour.arena import Threads, compare, rate, tournament
from parlour.arena.ladders import ladder_making
from parlour.arena.ladders.ladder_making import GROWTH, PAIRS, STEPS, make_ladder, plan_ladder, write_ladder
from parlour.arena.ladders.rating import MIN_PAIRS, _off_scale, plan_rating
from parlour.arena.runs.journal import JOURNAL
from parlour.arena.setting import ladder as ladders
from parlour.arena.setting.ladder import Ladder, changes, ladder_file, ladder_of, ratings_by, read_ladders, rungs
from parlour.arena.setting.rulesets import read_ruleset
from parlour.arena.statistics.anchored_rating import AnchoredRating
from parlour.engine.game import load_game
from parlour.interfaces.registry import find
from parlour.players.identity import conduct_pin, player_pin
from parlour.players.search.mcts import Mcts
from parlour.support.files import sha256_of
from parlour.support.signed import signed
from tests.support.cases import GAMES, sampled
from tests.support.command_line import Run, check_refused

UR = "royal_ur-v0"
SHIPPED = ladder_file(find("checkers-v0"))
RUNGS = ("random", "greedy", "blunder:50:champion")


def use(patch: pytest.MonkeyPatch, file: Path) -> None:
    """Lets all games have their ladders in this file."""
    for module in ("setting.ladder", "ladders.ladder_making"):
        patch.setattr(f"parlour.arena.{module}.ladder_file", lambda game: file)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Ladder]:
    """A small ladder of the Royal Game of Ur: its file, the folder of its games, the ladder."""
    file = tmp_path_factory.mktemp("ladder") / "ladder.json"
    with pytest.MonkeyPatch.context() as patch:
        use(patch, file)
        folder = file.parent / "games"
        return file, folder, make_ladder(plan_ladder(find(UR), None, RUNGS), Threads(1), folder, within=45)


@pytest.fixture
def made(small: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`small`, while that is the ladder of the game."""
    use(monkeypatch, small[0])
    return small


def shipped() -> list[tuple[str, str]]:
    return [(game, variant) for game in GAMES for variant in read_ladders(find(game))]


# --- those that come with the package ---


@pytest.mark.parametrize(("game", "variant"), shipped())
def test_a_shipped_ladder_fits_and_is_what_its_results_say(game: str, variant: str) -> None:
    ladder, _ = ladder_of(find(game), variant)  # refused if a pin no longer fits
    found = ladder.ratings()
    assert [rung.elo for rung in ladder.rungs] == sorted(rung.elo for rung in ladder.rungs)
    assert found.elo == pytest.approx([rung.elo for rung in ladder.rungs], abs=0.2)
    assert found.half_widths == pytest.approx([(rung.high - rung.low) / 2 for rung in ladder.rungs], abs=0.2)
    assert np.exp(found.log_nu) == pytest.approx(ladder.draws, rel=0.01, abs=1e-5)
    assert len(ladder.rungs) >= 8
    assert "random" in ladder.names[:2]
    if any("champion" in name for name in ladder.names):
        assert any(name.startswith("champion") for name in ladder.names[-3:])
    assert found.elo[ladder.names.index(ladder.zero)] == 0


@sampled("variants", 1, 25)
def test_the_rungs_play_as_when_the_ladders_were_made(variants: int) -> None:
    """Pins tell networks and settings apart. That a search plays otherwise since its code, or the engine's, has changed
    is seen by its moves. If this fails, and shall be so, a new ladder is needed: 'parlour ladder GAME --make'."""
    for game, variant in shipped()[-variants:]:
        ladder, ruleset = ladder_of(find(game), variant)
        for rung in ladder.rungs:
            assert conduct_pin(rung.player, find(game), ruleset.values) == rung.conduct, (game, variant, rung.player)


def test_another_search_is_seen_by_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here one that makes a simulation less than its settings say."""
    game, values = find(UR), find(UR).resolve(None, {})[1]
    pins = [(player_pin("mcts:20", game), conduct_pin("mcts:20", game, values)) for _ in range(2)]
    search = Mcts._search
    monkeypatch.setattr(Mcts, "_search", lambda self, forest, rows, n, end: search(self, forest, rows, n - 1, end))
    changed = player_pin("mcts:20", game), conduct_pin("mcts:20", game, values)
    assert pins[0] == pins[1]
    assert changed[0] == pins[0][0]
    assert changed[1] != pins[0][1]


def test_the_royal_game_of_ur_has_a_ladder() -> None:
    assert rungs(UR)
    assert rungs("crown_and_anchor-v0") == []


@sampled("within", 150, 25)
def test_a_rung_is_rated_as_the_ladder_has_it(within: float) -> None:
    """Plays some of the same players again, with another seed."""
    ladder, _ = ladder_of(find(UR))
    for name in ("blunder:35:champion",) if within > 25 else ladder.names[1:-1]:
        rung = ladder.rungs[ladder.names.index(name)]
        rating = rate(UR, {"again": name}, within=within, seed=11, workers=Threads(1), progress=False)
        assert abs(rating.elo - rung.elo) <= 1.5 * (rating.high - rating.elo + rung.high - rung.elo)
        assert ladder.names[0] in rating.sure_to_beat


# --- making one ---


def test_a_made_ladder_is_written_and_stands_for_its_journal(made: Any) -> None:
    file, folder, ladder = made
    assert msgspec.json.decode(file.read_bytes())["game"] == UR
    written = file.read_text().splitlines()
    assert sum(line.startswith('    {"player": ') for line in written) == len(ladder.rungs)  # a line for each
    assert sum(line.startswith('    {"first": ') for line in written) == len(ladder.pairings)
    assert read_ladders(find(UR)) == {"finkel": ladder}
    assert ladder.journal == sha256_of(folder / JOURNAL)
    assert sum(rung.games for rung in ladder.rungs) == 2 * len((folder / JOURNAL).read_text().splitlines())
    assert ladder.reach <= 45
    assert ladder.zero == "greedy"
    assert ladder.names[0] == "random"


def test_further_rounds_grow_with_the_ladder(made: Any) -> None:
    """Since many small rounds take longer than a few large ones."""
    small, large = made[2], read_ladders(find("checkers-v0"), SHIPPED)["american"]
    assert ladder_making._next_round(small.ratings()).sum() == STEPS * PAIRS
    played = sum(rung.games for rung in large.rungs) // 4  # each pair of games counts twice for each of two rungs
    further = ladder_making._next_round(large.ratings()).sum()
    assert STEPS * PAIRS < further <= GROWTH * played < further + STEPS


def test_a_run_that_was_stopped_ends_as_the_same_ladder(made: Any, tmp_path: Path) -> None:
    _, folder, ladder = made
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[: len(lines) // 2]))
    (tmp_path / "config.json").write_bytes((folder / "config.json").read_bytes())
    again = make_ladder(plan_ladder(find(UR), None, seed=0), Threads(1), tmp_path, within=45)  # the rungs that it has
    assert again.rungs == ladder.rungs
    assert again.pairings == ladder.pairings
    assert again.earlier == []


def test_a_ladder_can_be_extended(small: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """By games with the next seed; a stopped extension goes on; other rungs make another ladder."""
    file, first = tmp_path / "ladder.json", small[2]
    file.write_bytes(small[0].read_bytes())
    use(monkeypatch, file)
    planned = plan_ladder(find(UR), None)
    assert planned.seed == 1
    more = make_ladder(planned, Threads(1), tmp_path / "more", within=35)
    assert more.reach <= 35 < first.reach
    assert [one.journal for one in more.earlier] == [first.journal]
    assert more.earlier[0].pairings == first.pairings
    counted = [sum(one.pairs) for one in more.all_pairings]
    assert sum(rung.games for rung in more.rungs) == 4 * sum(counted)
    assert more.ratings().elo == pytest.approx([rung.elo for rung in more.rungs], abs=0.2)
    assert read_ladders(find(UR)) == {"finkel": more}
    lines = (tmp_path / "more" / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / "more" / JOURNAL).write_bytes(b"".join(lines[: len(lines) // 2]))
    ran = run("ladder", "royal_ur", "--make", "--within", 35, "--threads", 1, "--out", tmp_path / "more")
    assert f"SHA-256 {first.journal[:16]}…, " in ran.out
    assert read_ladders(find(UR))["finkel"].all_pairings == more.all_pairings
    assert plan_ladder(find(UR), None).seed == 2
    assert plan_ladder(find(UR), None, RUNGS[:2]).earlier == []


def test_pairings_count_together_in_either_order(made: Any) -> None:
    """So that ladders whose rungs met in another order can be extended too."""
    ladder = made[2]
    tables = [np.reshape(one.pairs, (3, 3)).T[::-1, ::-1] for one in ladder.pairings]
    turned = [
        replace(one, first=one.second, second=one.first, pairs=table.ravel().tolist())
        for one, table in zip(ladder.pairings, tables)
    ]
    both = ratings_by([*ladder.pairings, *turned], ladder.names, ladder.zero)
    twice = ratings_by([*ladder.pairings, *ladder.pairings], ladder.names, ladder.zero)
    assert both.elo == pytest.approx(twice.elo)
    assert both.half_widths == pytest.approx(twice.half_widths)
    assert both.first_seat == pytest.approx(twice.first_seat)


def test_a_round_that_is_not_finished_does_not_count(made: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="did not suffice for the first round"):
        make_ladder(plan_ladder(find(UR), None, RUNGS), Threads(1), tmp_path, minutes=1e-9)


TIMED = (
    "mcts:0.5s", "mcts:1.s", "mcts:1e-1s", "mcts:0.5s:greedy", "expectimax:0.1s", "expectimax:0.1s:exact",
    "champion:0.1s", "blunder:10:mcts:0.5s", "blunder:10:mcts:0.5s:greedy", "soft:0.1:expectimax:0.1s",
)  # fmt: skip


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["random"], "two rungs or more"),
        (["random", "random"], "each once"),
        *((["random", timed], "time limit") for timed in TIMED),
        *((["random", name], "no player") for name in ("nobody", "s", "", "5s", "mcts:1.5")),
        *((["random", f"{outer}python:evil:f"], "is code") for outer in ("", "blunder:5:", "soft:1:")),
    ],
)
def test_rungs_that_can_make_no_ladder_are_refused(players: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan_ladder(find(UR), None, players)


# --- reading one ---


def test_a_ladder_whose_pins_no_longer_fit_is_refused(made: Any, tmp_path: Path) -> None:
    _, _, ladder = made
    game, ruleset = find(UR), read_ruleset(find(UR), "finkel", {})
    assert changes(ladder, game, ruleset) == []
    rung = ladder.rungs[-1]
    others: list[tuple[Ladder, str]] = [
        (replace(ladder, rules="0" * 16), "made under rules 0000"),
        (replace(ladder, rungs=[*ladder.rungs[:-1], replace(rung, pin="0" * 16)]),
         f"its player '{rung.player}' was 0000"),
    ]  # fmt: skip
    for number, (other, message) in enumerate(others):
        path = tmp_path / f"{number}.json"
        path.write_bytes(msgspec.json.encode(ladders.Ladders(game=UR, ladders=[other])))
        with pytest.raises(ValueError, match=rf"no longer fits: .*{message}.*--make' makes a new one"):
            ladder_of(game, "finkel", path)


def test_pins_tell_players_and_settings_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find(UR)
    names = [
        "random",
        "greedy",
        "mcts:5",
        "mcts:50",
        "expectimax:2",
        "champion",
        "champion:2turns",
        "blunder:5:champion",
    ]
    pins = [player_pin(name, game) for name in names]
    assert len(set(pins)) == len(names)
    assert pins == [player_pin(name, game) for name in names]
    monkeypatch.setattr(Mcts.__init__, "__defaults__", (None, None, "random", 2.0, None))  # another exploration
    assert player_pin("mcts:50", game) != pins[3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.update(game="agon-v0"), "ladders of 'agon-v0', not of royal_ur-v0"),
        (lambda content: content["ladders"].append(content["ladders"][0]), "every variant once"),
        (lambda content: content["ladders"][0].update(variant="chess"), "no variant 'chess'"),
        (lambda content: content["ladders"][0].update(zero="nobody"), "'nobody' is no rung"),
        (lambda content: content["ladders"][0]["rungs"].pop(), "is no rung"),
        (lambda content: content["ladders"][0]["rungs"][0].update(elo=5000), "the rating 5000 is not from"),
        (lambda content: content["ladders"][0]["rungs"].reverse(), "from the weakest to the strongest"),
        (lambda content: content["ladders"][0]["pairings"][0].update(pairs=[1] * 8), r"pairings\[0\].pairs"),
    ],
)
def test_a_file_that_is_not_a_ladder_is_refused(made: Any, tmp_path: Path, change: Any, message: str) -> None:
    content = json.loads(made[0].read_text())
    change(content)
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=message) as error:
        read_ladders(find(UR), path)
    assert str(path) in str(error.value)


def test_a_variant_without_a_ladder_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no ladder yet; 'parlour ladder royal_ur --variant blitz --make' makes one"):
        ladder_of(find(UR), "blitz", tmp_path / "none.json")
    assert ladder_file(find("checkers-v0")).name == "ladder.json"


def test_where_chance_decides_the_loss_of_a_bet_stands_in_place_of_a_ladder(run: Run) -> None:
    check_refused(run("ladder", "crown_and_anchor"), "who wins is chance", "a bet loses 17/216 (0.0787)")
    check_refused(run("rate", "crown_and_anchor", "greedy", "--variant", "gross"), "a bet loses 1/2 (0.5000)")
    check_refused(run("ladder", "crown_and_anchor", "--make"), "can have no ladder")


def test_the_commands_show_ladder_and_rating(made: Any, run: Run) -> None:
    _, _, ladder = made
    shown = run("ladder", "royal_ur")
    assert shown.status == 0
    for rung in ladder.rungs:
        assert f"{signed(rung.low, 0)} to {signed(rung.high, 0)}" in shown.out
    assert max(map(len, shown.out.splitlines()[:6])) <= 80
    rated = run("rate", "royal_ur", "blunder:65:champion", "--within", "150", "--threads", "1")
    assert rated.status == 0
    assert "blunder:65:champion: Elo " in rated.out
    check_refused(run("rate", "royal_ur", "greedy", "--within", "1"), "--within")


# --- ratings ---


def test_a_player_below_the_lowest_rung_gets_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, tmp_path / "ladder.json")
    make_ladder(plan_ladder(find(UR), None, ["greedy", "champion"]), Threads(1), tmp_path / "games", within=300)
    rating = rate(UR, "random", within=30, workers=Threads(1), progress=False)
    assert rating.off_scale == "below `greedy`"
    assert np.isnan(rating.elo)
    assert rating.low == -np.inf
    assert -800 < rating.high < -200
    assert rating.sure_to_beat == ()
    assert "random: below `greedy`, Elo " in str(rating)
    assert rating.games < 300


@pytest.mark.parametrize(("won", "off_scale"), [(2, "all won"), (0, "below `random`"), (1, "")])
def test_who_wins_or_loses_everything_is_off_the_scale(made: Any, won: int, off_scale: str) -> None:
    planned = plan_rating(find(UR), {"mine": "greedy"})
    scale, tables = made[2].scale(), np.zeros((3, 3, 3))
    tables[:, won, won] = MIN_PAIRS
    assert _off_scale(planned.ladder, AnchoredRating(scale, tables)) == off_scale
    tables[:, 2, 2] = np.where(tables[:, 2, 2], MIN_PAIRS - 1, 0)
    assert _off_scale(planned.ladder, AnchoredRating(scale, tables)) == ("" if won == 2 else off_scale)


def test_a_rating_can_be_resumed(made: Any, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"within": 90, "workers": Threads(1), "progress": False}
    first = rate(UR, "blunder:80:champion", folder=tmp_path, **asked)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(b"".join(lines[:-10]))
    assert rate(UR, "blunder:80:champion", folder=tmp_path, **asked) == first
    assert list(first.against["games"]) == [row["games"] for row in first.rows]
    assert sum(first.against["games"]) == first.games


def test_a_limit_of_games_is_kept_and_told(made: Any) -> None:
    rating = rate(UR, {"mine": "mcts:10"}, within=5, games=130, workers=Threads(1), progress=False)
    assert rating.games <= 130
    assert any("not ± 5 as asked for: 130 games were allowed" in note for note in rating.notes)


@pytest.mark.parametrize(("name", "value"), [("within", 1), ("within", "much"), ("games", 10), ("variant", "chess")])
def test_what_can_not_be_asked_for(made: Any, name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        rate(UR, "greedy", **{name: value})


def test_the_page_lists_the_ladders_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs/ladders_measured.md").read_text(encoding="utf-8")
    for game in GAMES:
        for variant, ladder in read_ladders(find(game)).items():
            games = sum(rung.games for rung in ladder.rungs) // 2
            best = signed(ladder.rungs[-1].elo, 0)
            row = f"| {find(game).title} | `{variant}` | {len(ladder.rungs)} | {games:,} | {ladder.reach:.0f} | "
            assert row in page
            assert f" | `{ladder.names[-1]}` {best} |" in page[page.index(row) :].partition("\n")[0]


def test_a_tournament_with_rungs_is_put_on_the_ladder(made: Any) -> None:
    asked: dict[str, Any] = {"games": 20, "workers": Threads(1), "progress": False}
    found = tournament(UR, {"greedy": "greedy", "random": "random", "mine": "blunder:20:champion"}, **asked)
    elo = {rung.player: rung.elo for rung in made[2].rungs}
    assert found.rungs == {name: elo[name] for name in ("greedy", "random")}
    shift = np.mean([elo[name] - found.ratings[name].value for name in found.rungs])
    assert found.on_ladder == {**found.rungs, "mine": pytest.approx(found.ratings["mine"].value + shift)}
    assert tournament(UR, {"greedy": "mcts:3", "mine": "mcts:5"}, **asked).on_ladder == {}
    assert tournament(UR, ["greedy", "random"], men=3, **asked).on_ladder == {}


def test_a_comparison_with_rungs_is_put_on_the_ladder(made: Any) -> None:
    ask: dict[str, Any] = {"games": 20, "workers": Threads(1), "progress": False, "players": ["random"]}
    found = compare(UR, variants=["finkel", "blitz"], skill=("random", "mcts:3"), **ask)
    (rated,) = found.on_ladder.values()  # the other variant has no ladder
    assert rated["random"] == pytest.approx(made[2].rungs[0].elo)
    elo = found.estimates["finkel", found.plan.groups[-1]]["skill_elo"].value
    assert rated["mcts:3"] - rated["random"] == pytest.approx(elo, abs=0.2 * abs(elo) + 10)
    measured = {"random": "", "mcts:3": " by these games"}
    shown = ", ".join(f"{name} {signed(elo, 0)}{measured[name]}" for name, elo in rated.items())
    assert f"on the ladder of finkel: {shown}" in str(found)
    assert compare(UR, variants=["blitz"], skill=("random", "greedy"), **ask).on_ladder == {}


def test_ladders_of_two_variants_are_written_one_after_the_other(
    made: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A second run that writes between reading and writing of the first would be lost."""
    use(monkeypatch, tmp_path / "ladder.json")
    game, ladder = find(UR), made[2]
    others = [replace(ladder, variant=variant.name) for variant in game.variants[1:3]]
    refused = []

    def read(game: Any) -> Any:
        known = read_ladders(game)
        if not refused:
            refused.append("")
            with pytest.raises(ValueError) as caught:
                write_ladder(game, others[1])
            refused.append(str(caught.value))
        return known

    write_ladder(game, ladder)
    monkeypatch.setattr(ladder_making, "PATIENCE", 0.0)
    monkeypatch.setattr(ladder_making, "read_ladders", read)
    write_ladder(game, others[0])
    write_ladder(game, others[1])
    assert f"another run (process {os.getpid()} on " in refused[1]
    assert set(read_ladders(game)) == {one.variant for one in (ladder, *others)}


def test_short_games_begin_with_fewer_random_plies() -> None:
    assert plan_ladder(load_game("examples.games.tic_tac_toe"), None, ["random", "greedy"]).openings == "random:4"
    assert plan_ladder(find("checkers-v0"), None, ["random", "greedy"]).openings == "random:8"
    assert plan_ladder(find(UR), None, ["random", "greedy"]).openings == "none"
