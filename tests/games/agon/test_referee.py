"""The plain referee side by side with the kernels, ply by ply: random play and play biased towards what is rare."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from tests.games.agon.geometry import CELLS, distance
from tests.games.agon.invariants import board_text, invariant
from tests.games.agon.variants import VARIANT_OPTIONS
from tests.reference.agon import Referee
from tests.support.beside_referee import Choose, at_random, greedily, is_forbidden, side_by_side, taking_back
from tests.support.cases import sampled
from tests.support.games import begun

GAME = "agon-v0"
Options = dict[str, Any]

END_WORDS = {"win": "enthroned", "forfeit": "forfeit", "no_guards": "guardless"}
"""The referee's words for ends, where the package has others."""

HOME = [cell for cell in CELLS if distance(cell) == 1]


def crowded_board(rng: random.Random) -> str:
    """All fourteen pieces anywhere in the inner rings, where much is trapped, nearly won or nearly forfeited."""
    rings = rng.choice((2, 3, 3, 4))
    home = rng.sample(HOME, 5) if rng.random() < 0.5 else []  # five guards of one seat round the throne
    gap = set(HOME) - set(home) if home else {rng.choice(HOME)}  # so that the board is not decided
    cells = [cell for cell in CELLS if 0 < distance(cell) <= rings and cell not in gap and cell not in home]
    cells = home + rng.sample(cells, min(14 - len(home), len(cells)))
    if rng.random() < 0.3:  # a queen on the throne
        cells[rng.choice((-1, -2))] = "f6"
    guards = rng.choice(("GGGGGGgggggg", "ggggggGGGGGG"))
    letters = dict(zip(cells, guards[: len(cells) - 2] + "Qq"))
    return board_text(letters)


def ending(rng: random.Random) -> str:
    """Both queens and up to two guards each, in the inner rings but not on the throne."""
    rings = rng.choice((2, 3))
    cells = rng.sample([cell for cell in CELLS if 0 < distance(cell) <= rings], rng.randint(4, 6))
    return board_text(dict(zip(cells, "QqGgGg")))


def inward(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Mostly a ply that ends near the throne: rings fill up, formations arise, whoever they are good for."""
    if rng.random() < 0.25:
        return rng.choice(legal)
    distances = [distance(name.rpartition("-")[2].strip("@^")) for name in legal]
    return rng.choice([name for name, d in zip(legal, distances) if d == min(distances)])


def passes(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
    """Passes where it may, else takes any ply, rather one along the ring, so that positions come again."""
    return "pass" if "pass" in legal and rng.random() < 0.7 else taking_back(0.9)(rng, env, legal)


BIASES: tuple[Choose, ...] = (at_random, greedily(2 / 3), inward, passes)

REPEATS = ("draw", "loses", "forbidden")


def same(env: GameEnv, referee: Referee) -> None:
    """Both have the same position."""
    assert words_of(env.position()) == words_of(referee.text())


def play(options: Options, seed: int, bias: Choose, position: str | None, counts: Counter[str]) -> None:
    """One game in both; adds what has occurred to ``counts``."""
    env = begun(GAME, seed=seed, position=position, illegal_move="raise", **options)
    referee = Referee(position=position, **options)

    def choose(rng: random.Random, env: GameEnv, legal: list[str]) -> str:
        counts["forbidden"] += options.get("repeats") == "forbidden" and is_forbidden(referee)
        return bias(rng, env, legal)

    turned_alike = options.get("repeats") != "forbidden"  # a turned board has no earlier positions
    for _ in side_by_side(env, referee, choose, random.Random(seed), same, END_WORDS):
        if turned_alike and (counts["plies"] % 16 == 0 or referee.end):
            invariant(env)
        counts["plies"] += 1
        counts.update(referee.events)
    counts[f"end by {referee.end}"] += 1


def words_of(text: str) -> tuple[str, str, dict[str, str]]:
    """Board, seat, and the words that say something, in the package's terms."""
    rows, seat, *words = text.split(" ")
    values = dict(word.split("=") for word in words)
    values.pop("seen", None)
    for count in ("passes", "plies"):
        if values.get(count) == "0":
            del values[count]
    if "end" in values:
        values["end"] = END_WORDS.get(values["end"], values["end"])
    return rows, seat, values


def play_many(options: Options, plies: int, counts: Counter[str]) -> None:
    """Games under every bias in turn, every other one from a crowded board, until there are ``plies`` plies."""
    game = 0
    while counts["plies"] < plies:
        rng = random.Random(game)
        position = f"{crowded_board(rng)} {rng.choice('ld')}" if game // 4 % 3 else None
        play(options, game, BIASES[game % 4], position, counts)
        game += 1


def pairwise(domains: dict[str, tuple[Any, ...]]) -> list[Options]:
    """Few combinations of values in which every two values of two options occur together."""
    names = list(domains)
    open_pairs = {
        (one, x, other, y)
        for one, other in itertools.combinations(names, 2)
        for x, y in itertools.product(domains[one], domains[other])
    }
    rng, rows = random.Random(0), []
    while open_pairs:
        trials = [{name: rng.choice(values) for name, values in domains.items()} for _ in range(200)]
        covered = [{p for p in open_pairs if row[p[0]] == p[1] and row[p[2]] == p[3]} for row in trials]
        best = max(range(len(trials)), key=lambda k: len(covered[k]))
        rows.append(trials[best])
        open_pairs -= covered[best]
    return rows


COMMON = {
    "setup": ("fixed", "guards", "all"),
    "surround_loses": ("queen_absent", "throne_empty"),
    "touch_move": (False, True),
    "repetition": (0, 2, 3),
    "max_plies": (53, 150),
}
RELOCATING = {
    "geometry": ("line", "ring"),
    "entering": ("forbidden", "trapped"),
    "guard_goes": ("outer", "next_ring"),
    "queen_goes": ("anywhere", "next_ring", "outer"),
    "queen_placed_by": ("owner", "opponent"),
    **COMMON,
}
BLOODY = {"capture": ("bloody",), "relocated_by": ("trapper", "owner"), **COMMON}
COVER = pairwise(RELOCATING) + pairwise(BLOODY)

OCCURS = ("trap", "end by max_plies", "end by win", "end by forfeit")
RELOCATES = ("relocation", "queen_trap", "freed", "choice")
MUST_OCCUR = {
    "classic": (*OCCURS, *RELOCATES, "queen_relocation", "throne_trap", "blocked"),
    "classic_placing": (*OCCURS, *RELOCATES, "queen_relocation", "throne_trap", "blocked", "placement"),
    "classic_exile": (*OCCURS, *RELOCATES, "exile", "throne_trap", "blocked"),
    "lion_coffee": (*OCCURS, *RELOCATES, "queen_relocation", "throne_trap", "self_trap"),
    "bell": (*OCCURS, *RELOCATES, "queen_relocation", "throne_trap", "self_trap", "placement"),
    "parlett": (*OCCURS, *RELOCATES, "queen_relocation", "throne_trap", "self_trap", "placement"),
    "ring": (*OCCURS, *RELOCATES, "queen_relocation", "bent_trap", "self_trap", "not_lost"),
    "ring_outer": (*OCCURS, *RELOCATES, "queen_relocation", "bent_trap", "self_trap", "not_lost"),
    "bloody_queen": (
        *OCCURS, "relocation", "queen_trap", "throne_trap", "removal", "exchange", "exchange_choice", "old_trap",
        "several_victims", "end by no_guards",
    ),
}  # fmt: skip
VARIANT_PLIES, COVER_PLIES = (4_000, 8_000), (600, 5_000)
"""In an ordinary run, and in a long one."""
ENDINGS = (10, 100)


@sampled("plies", *VARIANT_PLIES)
@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_side_by_side(variant: str, plies: int, counts: Counter[str]) -> None:
    """Every kind of end and of event that the variant has occurs."""
    play_many({**VARIANT_OPTIONS[variant], "max_plies": 100}, plies, counts)
    for event in MUST_OCCUR[variant]:
        assert counts[event], f"{event} never occurred"


@sampled("plies", *COVER_PLIES)
@pytest.mark.parametrize("options", COVER, ids=lambda options: "-".join(map(str, options.values())))
def test_side_by_side_for_every_pair_of_option_values(options: Options, plies: int, counts: Counter[str]) -> None:
    play_many(options, plies, counts)
    assert counts["trap"]
    for event in ("touch", "lost_move"):
        assert bool(counts[event]) == options["touch_move"], event
    assert counts["end by passes"] or not options["touch_move"]
    for event, option, usual in (
        ("placement", "setup", "fixed"),
        ("exile", "queen_placed_by", "owner"),
        ("owner_put", "relocated_by", "trapper"),
    ):
        assert bool(counts[event]) == (options.get(option, usual) != usual), event


@sampled("games", *ENDINGS)
@pytest.mark.parametrize("repeats", REPEATS)
@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_repetition_in_endings(variant: str, repeats: str, games: int, counts: Counter[str]) -> None:
    """The first repetition: in Bloody Queen with few pieces, else where none is ever lost, close
    together."""
    for seed in range(games if repeats == "draw" else games // 5):
        rng = random.Random(seed)
        board = ending(rng) if variant == "bloody_queen" else crowded_board(rng)
        position = f"{board} {rng.choice('ld')}"
        options = {**VARIANT_OPTIONS[variant], "repetition": 2, "repeats": repeats, "max_plies": 100}
        play(options, seed, passes, position, counts)
    assert counts["forbidden" if repeats == "forbidden" else "end by repetition"] > games / 20
    assert not (counts["end by repetition"] and repeats == "forbidden")
