"""Players, and whole games between them: a seed's game is the same however it is played, and its counts are true."""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace as with_
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

import parlour
from parlour.engine.games import Games
from parlour.engine.rules_table import rules_table
from parlour.interfaces.registry import find
from parlour.players import GamesView, Player, parse_player, parse_players
from parlour.players.simulate import Results, game_seeds, play_games
from parlour.records import record_game, replay
from parlour.rulebook.compiling import COMPILED
from tests.games.swords_and_shields.variants import VARIANT_OPTIONS
from tests.reference import swords_and_shields as referee
from tests.reference.network_search import GOLDEN, Stream, mix
from tests.support.cases import VARIANTS
from tests.support.games import batch_of, begun, chosen
from tests.support.kernels import signatures

SWORDS = "swords_and_shields-v0"
FIELDS = ("returns", "truncated", "plies", "choices", "forced", "ends", "lead_changes", "events", "winners")

each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)
each_swords_variant = pytest.mark.parametrize("variant", VARIANT_OPTIONS)


def play(
    game: str, variant: str | None, players: str, seeds: Sequence[int], threads: int = 1, **values: object
) -> Results:
    known = find(game)
    resolved = known.resolve(variant, values)[1]
    seats = known.layout(resolved).seats
    return play_games(known, resolved, parse_players(players, seats), seeds, threads, scored=True)


def check_same(first: Results, second: Results) -> None:
    for name in FIELDS:
        assert getattr(first, name).tolist() == getattr(second, name).tolist(), name


def games_at(variant: str, texts: Sequence[str], seed: int = 0, threads: int = 1) -> Games:
    """Games of Swords & Shields, a row a position."""
    return batch_of(SWORDS, len(texts), position=list(texts), variant=variant, seed=seed, threads=threads).games


def rows_at(variant: str, text: str, count: int) -> Games:
    """The same with one position in all rows, each with a stream of its own."""
    many = batch_of(SWORDS, count, variant=variant, seed=1).games
    many.states[:] = games_at(variant, [text]).states
    many.observe()
    return many


def choices(player: str, games: Games) -> NDArray[np.int64]:
    """What the player chooses in every row."""
    return chosen(parse_player(player), games)


# --- the same games on any number of rows and threads, and one by one ---


@each_variant
@pytest.mark.parametrize("players", ["random", "greedy"])
def test_results_do_not_depend_on_rows_or_threads(
    game: str, variant: str, players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = game_seeds(21, 30)
    usual = play(game, variant, players, seeds, max_plies=90)
    assert len({*zip(usual.plies.tolist(), usual.choices.tolist(), map(tuple, usual.returns.tolist()))}) > 3
    for rows, threads in ((1, 1), (7, 1), (29, 3), (3, 8), (10_000, 2)):
        monkeypatch.setattr("parlour.players.simulate.MAX_ROWS", rows)
        check_same(play(game, variant, players, seeds, threads, max_plies=90), usual)


def test_a_game_depends_on_its_own_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = game_seeds(4, 30)
    for game in (SWORDS, "pig-v0"):
        usual = play(game, None, "random", seeds)
        backwards = play(game, None, "random", seeds[::-1])
        monkeypatch.setattr("parlour.players.simulate.MAX_ROWS", 4)
        few = play(game, None, "random", seeds[10:15])
        for name in FIELDS:
            values = getattr(usual, name).tolist()
            assert getattr(backwards, name).tolist() == values[::-1], name
            assert getattr(few, name).tolist() == values[10:15], name


@each_variant
@pytest.mark.parametrize("players", ["random", "greedy", "mixed"])
def test_results_are_those_of_the_recorded_games(game: str, variant: str, players: str) -> None:
    env = parlour.make(game, variant=variant, max_plies=150)
    seats = len(env.possible_agents)
    names = ",".join(("greedy", "random")[seat % 2] for seat in range(seats)) if players == "mixed" else players
    seeds = game_seeds(9, 8)
    results = play(game, variant, names, seeds, max_plies=150)
    for k, seed in enumerate(seeds):
        record = record_game(env, parse_players(names, seats), seed)
        assert results.plies[k] == len(record.moves)
        assert results.returns[k].tolist() == record.returns
        assert results.truncated[k] == (record.end == "max_plies")
        shown, leaders, events = [], [], np.zeros((1, len(env.game.evaluation.EVENTS)), np.int64)
        counts, before = np.zeros_like(events), None
        for each in replay(record, "here"):
            shown.append(len(each.legal_moves()))
            if before is not None:
                each.games.events(before, counts)
                events += counts
            before = each.games.states.copy()
            potentials = [each.games.potential_one(seat) for seat in range(seats)]
            if len(shown) > 1 and potentials.count(max(potentials)) == 1:
                leaders.append(potentials.index(max(potentials)))
        assert results.choices[k] == sum(shown)
        assert results.forced[k] == shown.count(1)
        assert env.game.rules.ENDS[results.ends[k]] == record.end
        assert results.lead_changes[k] == sum(a != b for a, b in itertools.pairwise(leaders))
        assert results.events[k].tolist() == events[0].tolist()


def test_every_finished_game_is_told() -> None:
    game = find("pig-v0")
    told: list[list[int]] = []
    values = game.resolve(None, {})[1]

    def note(results: Results, games: Any) -> None:
        assert (results.plies[games] > 0).all()
        told.append(games.tolist())

    play_games(game, values, parse_players("random", 3), game_seeds(0, 700), 2, note)
    assert sorted(game for games in told for game in games) == list(range(700))
    assert min(map(len, told)) > 0
    assert len(told) > 5


def test_no_games_at_all() -> None:
    results = play(SWORDS, None, "random", [])
    assert [len(getattr(results, name)) for name in FIELDS] == [0] * len(FIELDS)


def test_seeds_of_a_run() -> None:
    seeds = game_seeds(5, 1000)
    assert len(set(seeds)) == 1000
    assert all(type(seed) is int and 0 <= seed < 2**63 for seed in seeds)
    assert game_seeds(5, 10) == seeds[:10]
    assert not set(game_seeds(6, 1000)) & set(seeds)
    assert len({game_seeds(seed, 1)[0] for seed in (0, 1, 2**63, 2**64, 2**64 + 1, 10**30)}) == 6


# --- against a plain loop over AEC environments, the random player's choices made here ---

LIMITS: dict[str, dict[str, object]] = {
    "pig-v0": {"fine": 0.25, "max_plies": 14},
    "crown_and_anchor-v0": {"start_chips": 6, "rounds": 12, "max_plies": 34},
    "backgammon-v0": {"max_plies": 50},
}
"""Where 120 plies are not such that some games of every variant are cut and some won."""


@each_variant
def test_random_play_against_a_plain_loop(game: str, variant: str) -> None:
    """Winners, truncations, returns, plies and choices, game by game."""
    seeds = game_seeds(2, 25)
    limits = LIMITS.get(game, {"max_plies": 120})
    results = play(game, variant, "random", seeds, **limits)
    ends: Counter[str] = Counter()
    for k, seed in enumerate(seeds):
        env = begun(game, seed=seed, variant=variant, **limits)
        stream = Stream(mix(mix(seed + GOLDEN) ^ 0xA5A5A5A55A5A5A5A))
        returns = [0.0] * len(env.possible_agents)
        plies = choices = 0
        for _ in env.agent_iter():
            observation, _, terminated, cut, _ = env.last()
            if terminated or cut:
                break
            assert observation is not None
            legal = np.flatnonzero(observation["action_mask"])
            choices += len(legal)
            plies += 1
            env.step(int(legal[stream.below(len(legal))]))
            for seat, reward in enumerate(env.rewards.values()):
                returns[seat] += reward
        best = [seat for seat, value in enumerate(returns) if value == max(returns)]
        winner = best[0] if len(best) == 1 and not cut else -1
        found = [getattr(results, name)[k].tolist() for name in ("plies", "choices", "returns", "truncated", "winners")]
        assert found == [plies, choices, returns, cut, winner]
        ends["cut" if cut else "won" if winner >= 0 else "drawn"] += 1
    assert ends["cut"]
    assert ends["won"] or game not in (SWORDS, "pig-v0")  # others are rarely won at random so soon


def test_winners() -> None:
    returns = np.array([[1, -1, 0], [-1, 1, 1], [0, 0, 0], [-2, -1, -3], [5, 1, 1], [0.25, 0.5, 0.125]], np.float64)
    cut = np.array([False, False, False, False, True, False])
    results = with_(Results.empty(6, 3, 0), returns=returns, truncated=cut)
    assert results.winners.tolist() == [0, -1, -1, 1, -1, 1]


# --- what a player is given ---


class FirstLegal:
    """Takes the first legal action, and looks at what it is given."""

    name = "first"

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.calls = 0

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        self.calls += 1
        assert row_mask.shape == actions.shape == (view.num_games,)
        assert row_mask.dtype == np.bool_
        assert row_mask.any()
        assert (view.to_act[row_mask] == self.seat).all()
        assert (view.legal_counts[row_mask] > 0).all()
        assert (view.action_mask[row_mask].sum(axis=1) == view.legal_counts[row_mask]).all()
        actions[row_mask] = view.action_mask[row_mask].argmax(axis=1)


@pytest.mark.parametrize("game", [SWORDS, "pig-v0"])
def test_a_player_of_ones_own_is_asked_for_its_own_rows_alone(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.players.simulate.MAX_ROWS", 10)
    env = parlour.make(game, max_plies=60)
    seats = len(env.possible_agents)
    seeds = game_seeds(3, 35)
    for place in range(seats):
        players: list[Player] = [parse_player("random") for _ in range(seats)]
        own = FirstLegal(place)
        players[place] = own
        results = play_games(env.game, env.values, players, seeds)
        assert own.calls
        record = record_game(env, players, seeds[20])
        assert record.players[place] == "first"
        assert results.plies[20] == len(record.moves)
        assert results.returns[20].tolist() == record.returns
        for ply, each in enumerate(replay(record, "here")):
            if not each.is_over() and each.agent_selection == f"player_{place}":
                assert record.moves[ply] == each.legal_moves()[0]


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_players_leave_the_other_rows_and_the_games_alone(player: str) -> None:
    games = games_at("tablut", [referee.SET_UP] * 20)
    rows = np.arange(20) % 3 == 0
    states = games.states.tobytes()  # NumPy's copies of records leave the bytes between the fields as they may be
    planes, masks, rewards = games.planes.copy(), games.masks.copy(), games.rewards.copy()
    player_rng = games.player_rng["counter"].copy()
    actions = np.full(20, -5, np.int64)
    parse_player(player).choose(GamesView(games), rows, actions)
    assert (actions[~rows] == -5).all()
    assert (actions[rows] >= 0).all()
    assert (games.player_rng["counter"][~rows] == player_rng[~rows]).all()
    assert games.states.tobytes() == states
    assert (games.planes == planes).all()
    assert (games.masks == masks).all()
    assert (games.rewards == rewards).all()


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("game", [SWORDS, "pig-v0"])
def test_one_game_compiles_all_that_many_need(game: str) -> None:
    """The command line plays one game before it takes the time of many."""
    rules_table.cache_clear()
    play(game, None, "greedy", game_seeds(0, 1))
    play(game, None, "random", game_seeds(0, 1))
    before, table = signatures(), rules_table(find(game), find(game).layout(find(game).resolve(None, {})[1]))
    assert {"parlour.engine.kernels.step.step_rows", "parlour.engine.kernels.simple_players.greedy_rows"} < set(before)
    compiled = set(table._compiled)
    assert {"begin_game", "play_ply", "show", "greedy_score"} < compiled
    play(game, None, "greedy", game_seeds(0, 30), 2)
    play(game, None, "random", game_seeds(0, 30), 2)
    assert signatures() == before
    assert set(table._compiled) == compiled


# --- random ---


def check_even(counts: Sequence[int]) -> None:
    """Even chances would fail this with probability 10⁻⁶ at each end; of two counts, which may be equal, at one."""
    assert sum(counts) >= 100 * len(counts)
    assert 1e-6 < chisquare(counts).pvalue < (1 - 1e-6 if len(counts) > 2 else 2), counts


SCENES = {
    "two ways to capture a shield": ("9/9/6c2/3s5/9/9/1so4s1/9/9 s", {"d6-d3", "h3-d3"}),
    "four ways out": ("9/9/6c2/3s5/9/9/1so4s1/9/9 o", {"g7-g9", "g7-g1", "g7-a7", "g7-i7"}),
    "two shields are more than one": ("9/5so1s/6c2/9/3s5/3o5/1so4s1/3s5/9 s", {"d2-d3", "h3-d3"}),
    "two swords are more than one": ("9/9/9/4o4/3oco3/3so4/1os4o1/9/9 o", {"h3-d3"}),
    "the Chief is more than two shields": ("9/6s2/6c2/s8/3s5/3o5/1so4s1/3s5/9 s", {"a6-g6"}),
}


@pytest.mark.parametrize("scene", SCENES)
def test_ties_are_broken_evenly_among_the_best(scene: str) -> None:
    text, best = SCENES[scene]
    counts = Counter(choices("greedy", rows_at("milton_bradley", text, 20_000)).tolist())
    env = begun(SWORDS, position=text)
    assert {env.move_name(action) for action in counts} == best == best_moves(text, "milton_bradley")
    if len(best) > 1:
        check_even(list(counts.values()))


# --- greedy ---


def worth(board: referee.Board, seat: int, move: tuple[referee.Dot, referee.Dot], variant: str) -> float:
    """Infinite for a win, else how many pieces the move captures, by the referee's own functions."""
    options = {"throne_hostile": "chief", "chief_beside_throne": "one", "escape": "edge", **VARIANT_OPTIONS[variant]}
    start, target = move
    after = dict(board)
    after[target] = after.pop(start)
    taken = referee.captures(after, target, seat, options["throne_hostile"], options["chief_beside_throne"])
    for dot in taken:
        del after[dot]
    if referee.CHIEF not in after.values() or referee.chief_escaped(after, options["escape"]):
        return math.inf
    enemies = [dot for dot, piece in after.items() if piece in referee.PIECES_OF_SEAT[1 - seat]]
    if not any(referee.targets(after, dot, options["escape"]) for dot in enemies):
        return math.inf
    return len(taken)


def best_moves(text: str, variant: str) -> set[str]:
    """All moves than which none is better: wins if there are any, else those that capture the most."""
    board, seat = referee.read_position(" ".join(text.split(" ")[:2]))
    moves = referee.all_moves(board, seat, VARIANT_OPTIONS[variant].get("escape", "edge"))
    worths = {name: worth(board, seat, move, variant) for name, move in moves.items()}
    return {name for name, value in worths.items() if value == max(worths.values())}


def scattered(rng: random.Random, variant: str) -> str | None:
    """Pieces anywhere, few or many, close together or not; None for a position that no running game can show."""
    span = rng.choice((4, 5, 6, 7, 9, 9, 9))
    left, bottom = rng.randint(1, 10 - span), rng.randint(1, 10 - span)
    dots = [(file, rank) for file in range(left, left + span) for rank in range(bottom, bottom + span)]
    rng.shuffle(dots)
    swords, shields = rng.randint(1, 16), rng.randint(0, 8)
    front = "c"
    if span == 9 and rng.random() < 0.7:  # the Chief, shut in at home, does not win at once: it remains to capture
        first = [referee.THRONE, *referee.CIRCLED]
        dots = first + [dot for dot in dots if dot not in first]
        swords, shields, front = rng.randint(9, 16), 4, "coooo"
    letters = [*front, *(swords * "s"), *(shields * "o")][: len(dots) - 1]
    board = dict(zip(dots, letters))
    if variant == "corner_escape" and any(corner in board for corner in referee.CORNERS):
        return None
    text = referee.write_position(board, rng.randint(0, 1))
    try:
        referee.Referee(position=text, **VARIANT_OPTIONS[variant])
    except ValueError:
        return None
    return text


@functools.cache
def positions(variant: str) -> list[str]:
    """Of random games, of greedy ones, and scattered."""
    rng = random.Random(f"positions of {variant}")
    found: list[str] = []
    for players in ("random", "greedy", "greedy,random"):
        for seed in range(4):
            record = record_game(parlour.make(SWORDS, variant=variant), parse_players(players, 2), seed)
            texts = [env.position() for env in replay(record, "here") if not env.is_over()]
            found += rng.sample(texts, min(len(texts), 10))
    while len(found) < 400:
        text = scattered(rng, variant)
        if text:
            found.append(text)
    return [" ".join(text.split(" ")[:2]) for text in found]


@each_swords_variant
def test_greedy_wins_or_captures_the_most_or_plays_anything(variant: str) -> None:
    """Against the independent referee, from both seats; all kinds of choice occur, and ties."""
    texts = positions(variant)
    games = games_at(variant, texts, seed=1, threads=2)
    assert {0, 1} == set(games.to_act.tolist())
    events: Counter[tuple[int, float]] = Counter()
    narrow = 0
    for i, action in enumerate(choices("greedy", games).tolist()):
        board, seat = referee.read_position(texts[i])
        name = games.move_name(i, action)
        best = best_moves(texts[i], variant)
        assert name in best, f"{texts[i]}: {name} is not one of {sorted(best)}"
        start, target = referee.all_moves(board, seat, VARIANT_OPTIONS[variant].get("escape", "edge"))[name]
        events[seat, worth(board, seat, (start, target), variant)] += 1
        narrow += len(best) < games.counts[i]
    for seat in (0, 1):
        for value in (0, 1, math.inf):
            assert events[seat, value] >= 5, f"seat {seat}, worth {value}: {events}"
    assert events[0, 2]
    assert narrow > 100


def test_greedy_banks_ten_points_in_pig() -> None:
    env = parlour.make("pig-v0")
    greedy = parse_player("greedy")
    for turn in range(2, 40):
        env.reset(seed=turn, options={"position": f"scores 3 0 7 | player_{turn % 3} | turn {turn} | dice 2 3 | 12"})
        seen = set()
        for _ in range(30):
            seen.add(env.move_name(env.ask(greedy)))
        assert seen == ({"again"} if turn < 10 else {"hold"} if turn > 10 else {"again", "hold"})


# --- a game's own players ---


def test_a_game_has_players_of_its_own() -> None:
    """Pig's reckless player never holds, greedy does with ten points: so the one never scores."""
    pig = find("pig-v0")
    values = pig.resolve(None, {"players": 2, "max_plies": 400})[1]
    results = play_games(pig, values, parse_players("reckless,greedy", 2, pig), game_seeds(0, 20))
    assert (results.winners == 1).all()
    env = begun("pig-v0", 1, players=2)
    for _ in range(50):
        assert choices("random", env.games)[0] in (0, 1)
        action = env.ask(parse_player("reckless", pig))
        assert env.move_name(action) == "again"
        env.step(action)
