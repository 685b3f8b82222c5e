"""``bench-model``: a language model against players of known strength."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from parlour.arena.contests import plan_contest, play_contest
from parlour.arena.ladder import Ladder, ladder_of, read_ladders
from parlour.arena.openings import random_text, usual_plies
from parlour.arena.playing import Threads
from parlour.arena.rulesets import read_ruleset
from parlour.arena.statistics import Estimate
from parlour.arena.statistics.anchored_rating import AnchoredRating
from parlour.arena.statistics.ratings import rate
from parlour.arena.tally import Score
from parlour.cli.common import console, game_argument, parse_values, seed_option
from parlour.cli.completion import complete_players
from parlour.cli.text_games import text_options
from parlour.engine.game import Game
from parlour.interfaces.game_record import GameRecord
from parlour.players.names import checked_player
from parlour.records.page import replay_page
from parlour.support.files import write_file
from parlour.text import TextBatch
from parlour.text.adapters.endpoint import Endpoint

Model = Callable[[list[dict[str, str]]], str]
TRANSCRIPTS, RESULT = "transcripts.jsonl", "result.json"
RUNGS = 5
"""How many rungs of a game's ladder are played against, if none is named: from the weakest to the strongest."""
POINTS = {"won": 1.0, "opponent_forfeited": 1.0, "drawn": 0.5, "unfinished": 0.5, "lost": 0.0, "forfeited": 0.0}


@dataclass(frozen=True)
class Transcript:
    """One game of the model's.

    Attributes:
        opponent, seat, seed: against whom it played, where, and the seed.
        result: see `parlour.text.Reply`.
        replies, illegal: how many replies the model gave, and how many of them were illegal.
        messages: the conversation.
    """

    opponent: str
    seat: int
    seed: int
    result: str
    replies: int
    illegal: int
    messages: list[dict[str, str]]


@dataclass
class Bench:
    """A model's games.

    Attributes:
        model: gives replies; ``name``: its name.
        settings: those of `TextBatch`, except seat and opponent.
        at_once: how many replies are asked for side by side.
        out: the folder for transcripts and pages, or None.
        played: the games so far.
    """

    model: Model
    name: str
    game: Game
    settings: dict[str, Any]
    at_once: int
    out: Path | None
    played: list[Transcript] = field(default_factory=list)

    def meet(self, opponent: str, seeds: Sequence[int]) -> None:
        """Plays a game for each seed from either seat, and writes them."""
        records: list[GameRecord] = []
        for seat in range(2):
            batch = TextBatch(self.game.id, len(seeds), seat=seat, opponent=opponent, **self.settings)
            names = [self.name if place == seat else opponent for place in range(2)]
            for row, transcript in self._play(batch, seat, opponent, seeds):
                self.played.append(transcript)
                if self.out is not None:
                    records.append(batch.record(row, names))
                    with (self.out / TRANSCRIPTS).open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(transcript), ensure_ascii=False) + "\n")
        if self.out is not None:
            page = "".join(sign if sign.isalnum() else "-" for sign in opponent)
            write_file(self.out / f"{page}.html", replay_page(records))

    def _play(
        self, batch: TextBatch, seat: int, opponent: str, seeds: Sequence[int]
    ) -> Iterator[tuple[int, Transcript]]:
        """Plays a batch to the end: each row and its transcript, as games end."""
        chats = [[{"role": "user", "content": text}] for text in batch.reset(seed=[*seeds])]
        running = [*range(len(seeds))]
        with ThreadPoolExecutor(self.at_once) as pool:
            while running:
                replies: list[str | None] = [None] * len(seeds)
                for row, reply in zip(running, pool.map(self.model, [chats[row] for row in running])):
                    replies[row] = reply
                    chats[row].append({"role": "assistant", "content": reply})
                for row, answer in enumerate(batch.step(replies)):
                    if answer is None:
                        continue
                    chats[row].append({"role": "user", "content": answer.text})
                    if answer.done:
                        running.remove(row)
                        info, asked = answer.info, len(chats[row]) // 2
                        yield (
                            row,
                            Transcript(opponent, seat, seeds[row], info["result"], asked, info["illegal"], chats[row]),
                        )

    def count(self, opponent: str, *results: str) -> int:
        """How many games against an opponent ended so."""
        return sum(one.opponent == opponent and one.result in results for one in self.played)

    def points(self, opponent: str) -> float:
        """The points against an opponent."""
        return sum(POINTS[one.result] for one in self.played if one.opponent == opponent)

    def pairs(self, opponent: str) -> NDArray[np.float64]:
        """How many pairs of games of one seed scored 0, ½ and 1 in the first seat and in the second: (3, 3)."""
        scored = {(one.seed, one.seat): int(2 * POINTS[one.result]) for one in self.played if one.opponent == opponent}
        table = np.zeros((3, 3))
        for seed, seat in scored:
            if seat == 0:
                table[scored[seed, 0], scored[seed, 1]] += 1
        return table

    def share_of_illegal(self, opponent: str | None = None) -> float:
        """Illegal replies among all, against an opponent or all."""
        those = [one for one in self.played if opponent in (None, one.opponent)]
        return sum(one.illegal for one in those) / max(1, sum(one.replies for one in those))


def ratings(bench: Bench, opponents: Sequence[str], scores: Sequence[Score]) -> dict[str, Estimate]:
    """Elo ratings of the opponents and the model: from their games against one another, all at once."""
    names = [*opponents, bench.name]
    scored = np.zeros((len(names), len(names)))
    for score in scores:
        i, j = names.index(score.first), names.index(score.second)
        scored[i, j] = score.wins + score.draws / 2
        scored[j, i] = score.games - scored[i, j]
    for i, opponent in enumerate(opponents):
        scored[-1, i] = bench.points(opponent)
        scored[i, -1] = bench.count(opponent, *POINTS) - scored[-1, i]
    return dict(zip(names, rate(scored)))


def ratings_on(ladder: Ladder, bench: Bench) -> dict[str, Estimate]:
    """The Elo ratings of a ladder's rungs, which stay as they are, and the model's on this scale."""
    rating = AnchoredRating(ladder.scale(), np.array([bench.pairs(name) for name in ladder.names]))
    own = Estimate(rating.elo, rating.elo - rating.reach, rating.elo + rating.reach, len(bench.played))
    rungs = {rung.player: Estimate(rung.elo, rung.low, rung.high, rung.games) for rung in ladder.rungs}
    return {**rungs, bench.name: own}


def opponents_for(game: Game, ladder: Ladder | None) -> list[str]:
    """The opponents if none is named: rungs of the ladder from the weakest to the strongest, or what every game has."""
    if ladder is None:
        return ["random", "greedy", *(["champion"] if game.champion is not None else [])]
    chosen = np.linspace(0, len(ladder.rungs) - 1, min(RUNGS, len(ladder.rungs))).round().astype(int)
    return [ladder.names[k] for k in chosen]


def ladder_for(game: Game, variant: str | None, values: dict[str, Any]) -> Ladder | None:
    """The ladder of a variant; None if it has none or other values are played. ValueError if it no longer fits."""
    name = game.resolve(variant, {})[0].name
    return None if values or name not in read_ladders(game) else ladder_of(game, name)[0]


@click.command("bench-model")
@game_argument
@click.argument("model")
@click.option(
    "--against", multiple=True, shell_complete=complete_players,
    help="An opponent; repeatable. By default rungs of the variant's ladder, from the weakest to the strongest; "
    "without one random, greedy, and the champion if the game has one.",
)  # fmt: skip
@text_options
@click.option("--games", type=click.IntRange(1, 10_000), default=10, help="Games a seat and opponent.")
@click.option(
    "--ladder-games",
    type=click.IntRange(2),
    default=200,
    help="Games between opponents that are not all rungs of a ladder.",
)
@seed_option
@click.option("--at-once", type=click.IntRange(1, 256), default=8, help="Replies asked side by side.")
@click.option("--temperature", type=float, help="Of the model; the endpoint's own by default.")
@click.option("--max-tokens", type=click.IntRange(1), help="Of a reply; the endpoint's own by default.")
@click.option("--price", metavar="IN,OUT", help="Of a million tokens read and written, to print what a game costs.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for transcripts and replay pages."
)
def bench_model(
    game: Game,
    model: str,
    against: Sequence[str],
    overrides: Sequence[str],
    games: int,
    ladder_games: int,
    seed: int,
    at_once: int,
    temperature: float | None,
    max_tokens: int | None,
    price: str | None,
    out: Path | None,
    **settings: Any,
) -> None:
    """Rates MODEL, behind an OpenAI-compatible endpoint, against players of known strength.

    OPENAI_BASE_URL holds the endpoint's address and OPENAI_API_KEY its key; neither is stored. Elo is that of the
    variant's ladder, whose rungs keep their ratings; where it has none, or others are played against, the opponents
    also play each other, and all games together give the ratings. A game lost by illegal replies counts as lost, and is
    also counted apart.
    """
    values = parse_values(game, overrides)
    ladder = ladder_for(game, settings["variant"], values)
    opponents = [*against] or opponents_for(game, ladder)
    if len({*opponents}) < len(opponents):
        raise ValueError(f"--against names a player twice: {', '.join(opponents)}")
    if ladder is not None and not {*opponents} <= {*ladder.names}:
        ladder = None
    prices = _read_prices(price)
    sampling = {"temperature": temperature, "max_tokens": max_tokens}
    endpoint = Endpoint.from_environment(model, **{name: one for name, one in sampling.items() if one is not None})
    taken = [*opponents, *(ladder.names if ladder else [])]
    name = model if model not in taken else f"{model} (model)"
    ruleset = read_ruleset(game, settings["variant"], values)
    if ruleset.seats != 2:
        raise ValueError("bench-model plays games of two seats")
    random_plies = usual_plies(game, [ruleset])
    for player in opponents:
        checked_player(player, f"--against {player}", game)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise ValueError(f"--out {out}: the folder is not empty")
    scores: list[Score] = []
    if ladder is None and len(opponents) > 1:
        named, openings = dict(zip(opponents, opponents)), random_text(random_plies)
        plan = plan_contest(game, named, [], ladder_games, settings["variant"], seed, values, openings)
        scores = play_contest(plan, Threads(), lambda played: None, None)
    bench = Bench(endpoint, name, game, {**settings, **values, "opening_plies": random_plies}, at_once, out)
    for opponent in opponents:
        bench.meet(opponent, range(seed, seed + games))
    rated = ratings(bench, opponents, scores) if ladder is None else ratings_on(ladder, bench)
    rated = dict(sorted(rated.items(), key=lambda one: -one[1].value))
    _show(game, bench, opponents, rated, endpoint, prices)
    if out is not None:
        result = {
            "game": game.id, "variant": settings["variant"], "options": values, "model": model, "seed": seed,
            "settings": settings, "ladder": ladder and ladder.journal,
            "ratings": {one: asdict(rating) for one, rating in rated.items()},
            "illegal_share": bench.share_of_illegal(), "prompt_tokens": endpoint.prompt_tokens,
            "completion_tokens": endpoint.completion_tokens,
        }  # fmt: skip
        write_file(out / RESULT, json.dumps(result, indent=1) + "\n")


def _read_prices(price: str | None) -> tuple[float, float] | None:
    if price is None:
        return None
    try:
        read, written = (float(part) for part in price.split(","))
    except ValueError:
        raise ValueError(f"--price {price!r} is not of the form IN,OUT, such as 0.5,2") from None
    return read, written


def _show(
    game: Game,
    bench: Bench,
    opponents: Sequence[str],
    rated: dict[str, Estimate],
    endpoint: Endpoint,
    prices: tuple[float, float] | None,
) -> None:
    """Prints the games, the ratings, and what they cost."""
    screen, games = console(), len(bench.played)
    grid = Grid("against", "won", "drawn", "lost", "forfeited", "unfinished", "illegal replies", box=SIMPLE_HEAD)
    for one in opponents:
        counts = [bench.count(one, result) for result in ("won", "drawn", "lost", "forfeited", "unfinished")]
        grid.add_row(one, *map(str, counts), f"{100 * bench.share_of_illegal(one):.1f} %")
    screen.print(f"{bench.name} at {game.title}: {games} games")
    screen.print(grid)
    grid = Grid("player", "Elo", "95 %", "games", box=SIMPLE_HEAD)
    for name, rating in rated.items():
        grid.add_row(name, f"{rating.value:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}", str(rating.count))
    screen.print(grid)
    read, written = endpoint.prompt_tokens / games, endpoint.completion_tokens / games
    cost = f", {(read * prices[0] + written * prices[1]) / 1e6:.4f} at these prices" if prices else ""
    screen.print(f"illegal replies: {100 * bench.share_of_illegal():.1f} %")
    screen.print(f"a game: {read:,.0f} tokens read, {written:,.0f} written{cost}", soft_wrap=True)
    if bench.out is not None:
        screen.print(f"transcripts and replay pages: {bench.out}", soft_wrap=True)
