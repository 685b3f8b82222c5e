"""Makes an atlas: the function `make_atlas`. Every part is saved, so that a stopped run can be resumed."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from parlour.arena.matches.contests import match
from parlour.arena.measures.of_atlas import OF_ATLAS, Found, clustered, founds
from parlour.arena.measures.registry import EVEN, TRACE
from parlour.arena.runs.journal import Row, read_rows
from parlour.arena.runs.playing import Workers
from parlour.arena.setting.openings import AUTO
from parlour.arena.setting.plans import Group
from parlour.arena.setting.rulesets import Ruleset, resolve_with_effect
from parlour.arena.statistics import Estimate, Z, means_differ, paired
from parlour.arena.statistics.engine_testing import normalised_elo
from parlour.arena.studies import Comparison, play_comparison
from parlour.arena.study import atlas
from parlour.arena.study.atlas_plan import PLAN, AtlasPlan, networks_of
from parlour.arena.study.comparison import perfect_scores
from parlour.arena.study.findings import Test
from parlour.arena.study.plans import plan_comparison
from parlour.engine.game import Game
from parlour.engine.view import GamesView
from parlour.interfaces.registry import find
from parlour.players.exact import Exact
from parlour.players.luck import Judge, find_judge
from parlour.players.names import parse_player
from parlour.players.soft import Soft, softened
from parlour.players.value.exact.solution import Solution
from parlour.support.errors import listing
from parlour.support.files import remove_unfinished, write_file
from parlour.support.run_folder import refuse_strangers
from parlour.support.typed_json import Struct, read_json

WORK, GAMES = "work", "games"
AGAIN = "again.csv"
"""A file in the folder of an atlas: the tests of an atlas of the same plan with another seed."""
TEMPERATURES = (0.1, 0.05, 0.025, 0.0125, 0.006, 0.003)
"""The temperatures that are tried, the highest first."""
CHANGED, MATTERS = 0.02, 0.1
"""The best move has changed if the old one now loses more than `CHANGED`. The value of a position has changed if it
moved by more than `MATTERS`. A win is 1."""


@dataclass
class Atlas:
    """The result.

    Attributes:
        plan: the plan that was played.
        comparison: the games of all variants under all players, with their measures and tests.
        entries: the estimates that a comparison does not have.
        families: the labels of variants that begin with the same position and have the same actions, together.
        openings: for each variant, how many openings it shares with its family.
        left_out: sentences about what was not measured, and why.
    """

    plan: AtlasPlan
    comparison: Comparison
    entries: list[Found]
    families: list[list[str]]
    openings: dict[str, int]
    left_out: list[str] = field(default_factory=list)


class _SavedPart(Struct, frozen=True):
    """The file of a part of an atlas. ``digest``: of all that determines it, and of what it holds."""

    digest: str
    found: list[Found]
    openings: dict[str, atlas.SampledOpenings]


def _digest(due: bytes, found: list[Found], openings: dict[str, atlas.SampledOpenings]) -> str:
    return hashlib.sha256(due + msgspec.json.encode((found, openings))).hexdigest()


@dataclass
class _Maker:
    """Makes the parts of an atlas.

    Attributes:
        families: see `Atlas`, as rulesets.
        temperatures: by player, at which it is softened.
        sampled, followed: openings that softened players have played, and the games replayed, by variant and player.
        starts: for each variant the positions from which its games begin.
    """

    plan: AtlasPlan
    folder: Path
    workers: Workers
    tell: Callable[[str], None]
    game: Game
    rulesets: tuple[Ruleset, ...]
    families: list[list[Ruleset]]
    temperatures: dict[str, float] = field(default_factory=dict)
    sampled: dict[tuple[str, str], atlas.SampledOpenings] = field(default_factory=dict)
    starts: dict[str, list[str]] = field(default_factory=dict)
    followed: dict[tuple[str, str], list[atlas.Followed]] = field(default_factory=dict)

    def part(self, make: Callable[[], Iterator[Found]]) -> list[Found]:
        """A part of the atlas: read from its file if that has the same plan, rules, players and tables and holds what
        was written, else made and saved."""
        file = self.folder / WORK / f"{make.__name__}.json"
        players = [parse_player(text, self.game) for text in (*self.plan.players.values(), self.plan.examined)]
        identities = [getattr(player, "identity", {}) for player in players]
        if self.plan.exact:
            folders = {Exact.folder_for(self.plan.exact, ruleset.variant) for ruleset in self.rulesets}
            identities += [Solution.load(one, self.game).identity for one in sorted(folders) if Path(one).is_dir()]
        due = f"{file.name}{self.plan.toml(self.folder)}{self.game.digest}{identities}".encode()
        saved = None
        with suppress(ValueError, FileNotFoundError):  # a file that is damaged is made anew
            saved = read_json(file, _SavedPart, follow_links=False)
        if saved is None or saved.digest != _digest(due, saved.found, saved.openings):
            self.tell(make.__name__)
            found = list(make())
            sampled = self.sampled if make == self.openings else {}
            openings = {_key(*key): one for key, one in sampled.items()}
            saved = _SavedPart(_digest(due, found, openings), found, openings)
            write_file(file, msgspec.json.encode(saved))
        for key, opened in saved.openings.items():
            label, name = key.split("\n")
            self.sampled[label, name] = opened
        return saved.found

    def played(self, ruleset: Ruleset) -> list[atlas.Followed]:
        """The games of a variant under all players."""
        return [game for (label, _), games in self.followed.items() if label == ruleset.label for game in games]

    # --- policies ---

    def soft(self, name: str) -> Soft:
        """A player, softened at its temperature."""
        player = parse_player(f"soft:{self.temperatures[name]:g}:{self.plan.players[name]}", self.game)
        assert isinstance(player, Soft)
        return player

    def softening(self) -> Iterator[Found]:
        """The highest of `TEMPERATURES` at which each player loses at most `AtlasPlan.elo_lost`, by bisection."""
        first = self.rulesets[0]
        for name in self.plan.softened:
            low, high = 0, len(TEMPERATURES) - 1
            lost: dict[int, Estimate] = {}
            while low < high:
                middle = (low + high) // 2
                lost[middle] = self._lost(name, TEMPERATURES[middle], first)
                low, high = (low, middle) if lost[middle].value <= self.plan.elo_lost else (middle + 1, high)
            if high not in lost:
                lost[high] = self._lost(name, TEMPERATURES[high], first)
            chosen = TEMPERATURES[high]
            figures = {"temperature": Estimate(chosen, chosen, chosen, 1), "elo_lost": lost[high]}
            yield from founds(first.label, name, figures)

    def _lost(self, name: str, temperature: float, ruleset: Ruleset) -> Estimate:
        text = self.plan.players[name]
        options: dict[str, Any] = dict(ruleset.overrides)
        score = match(
            self.game.id, {"hard": text}, {"soft": f"soft:{temperature:g}:{text}"}, games=self.plan.fitted,
            variant=ruleset.variant, seed=self.plan.seed, workers=self.workers, progress=False, **options,
        )  # fmt: skip
        return score.adjusted_elo if score.judge else score.elo

    def openings(self) -> Iterator[Found]:
        """Openings of every variant under every softened player, and their measures."""
        for name in self.temperatures:
            for ruleset in self.rulesets:
                text = _key(ruleset.label, name)
                seed = self.plan.seed << 32 | zlib.crc32(text.encode())  # each its own: openings are independent
                player = self.soft(name)
                sampled = atlas.sampled_openings(self.game, ruleset, player, self.plan.plies, self.plan.openings, seed)
                self.sampled[ruleset.label, name] = sampled
                figures = {
                    "opening_entropy": sampled.entropy(), "first_moves": sampled.moves(1), "moves": sampled.moves(),
                    "opening_positions": sampled.different(),
                }  # fmt: skip
                yield from founds(ruleset.label, name, figures)

    def choose_starts(self) -> None:
        """Chooses for each variant the positions from which its games begin: positions that softened players reached
        under the variants of its family, in turn, if they are positions of running games under all of them. None in
        games with dice, where games differ anyway."""
        for family in [] if self.game.rules.DICE or not self.temperatures else self.families:
            labels = [rules.label for rules in family]
            ends = [sampled.ends for (label, _), sampled in self.sampled.items() if label in labels]
            in_turn = [text for texts in zip(*ends) for text in texts]
            texts = atlas.allowed(self.game, family, in_turn)[: self.plan.games]
            self.starts.update(dict.fromkeys(labels, texts))

    def shared(self) -> Iterator[Found]:
        """Distances and agreement of variants that begin alike, on positions of their openings and games."""
        for family in (several for several in self.families if len(several) > 1):
            texts, clusters = self._positions(family)
            for name in self.temperatures if texts else ():
                player = self.soft(name)
                values = {rules.label: atlas.values_on(self.game, rules, player, texts) for rules in family}
                soft = {label: softened(actions, player.temperature) for label, actions in values.items()}
                for first, other in combinations(values, 2):
                    far = atlas.distances(soft[first], soft[other])
                    same = atlas.agree(values[first], values[other])
                    figures = {
                        "distance": clustered(far, clusters, 1),
                        "agreement": clustered(100 * same, clusters, 100),
                    }
                    yield from founds(first, name, figures, other)

    def _positions(self, family: Sequence[Ruleset]) -> tuple[list[str], list[str]]:
        """Positions of running games under all variants of a family, from its variants in turn: at most half of them
        from openings, the others from games. And for each position the opening that it belongs to: positions of the
        same opening depend on each other."""
        labels = [rules.label for rules in family]
        early = [list(zip(each.inner, each.ends)) for (label, _), each in self.sampled.items() if label in labels]
        late = [
            [(game.position, game.start) for game in games]
            for (label, _), games in self.followed.items()
            if label in labels
        ]
        opening_of: dict[str, str] = {}
        for sources, most in ((early, self.plan.positions // 2), (late, self.plan.positions)):
            mixed = {text: opening for several in zip(*sources) for text, opening in several if text not in opening_of}
            for text in atlas.allowed(self.game, family, list(mixed)):
                if len(opening_of) < most:
                    opening_of[text] = mixed[text] or text
        return list(opening_of), list(opening_of.values())

    def rules(self) -> Iterator[Found]:
        """For each option in which variants of a family differ from its first variant: the share of the first variant's
        positions in which the best move, or the value, changes if that option alone is changed."""
        examiner = Soft(1.0, parse_player(self.plan.examined, self.game))
        for base, *others in self.families if self.temperatures and not self.game.rules.DICE else ():
            texts, clusters = self._positions([base])
            changes = {
                (option, value): None
                for other in others
                for option, value in other.values.items()
                if value != base.values[option]
            }
            for option, value in changes if texts else ():
                overrides = {**base.overrides, option: value}
                try:
                    given, values, _ = resolve_with_effect(self.game, base.variant, overrides)
                except ValueError:
                    continue  # the option can't be changed alone
                if option not in given:
                    continue  # it has no effect here
                label = f"{option}={value}"
                overrides = {name: values[name] for name in given}
                changed = Ruleset(f"{base.label}:{label}", base.variant, overrides, values, base.seats)
                valid = atlas.allowed(self.game, [changed], texts)
                if not valid:
                    continue
                openings = [clusters[texts.index(text)] for text in valid]
                before = atlas.values_on(self.game, base, examiner, valid)
                after = atlas.values_on(self.game, changed, examiner, valid)
                moved = atlas.lost(before, after) > CHANGED
                other_value = np.abs(np.nanmax(before, axis=1) - np.nanmax(after, axis=1)) > MATTERS
                figures = {
                    "move_changed": clustered(100 * moved, openings, 100),
                    "value_changed": clustered(100 * other_value, openings, 100),
                }
                yield from founds(base.label, self.plan.examined, figures, label)

    # --- games ---

    def compare(self) -> Comparison:
        """The games of all variants under all players, and the trace."""
        plan = self.plan
        shared = bool(self.starts) and all(len(texts) >= plan.games // 2 for texts in self.starts.values())
        comparison = plan_comparison(
            self.game, plan.variants, dict(plan.players), None, plan.games, plan.seed, {},
            self.starts if shared else AUTO, None, (plan.trace, plan.doublings) if plan.doublings else None, True,
        )  # fmt: skip
        return play_comparison(comparison, self.workers, self.folder / WORK / GAMES)

    def follow(self, comparison: Comparison) -> None:
        """Replays the games of every variant under every player, with the values of the player's own network."""
        series = {one.key: (one.ruleset, one.first) for one in comparison.plan.plan.series if not one.paired}
        rows: dict[str, list[Row]] = {key: [] for key in series}
        for row in read_rows(self.folder / WORK / GAMES):
            if row.line.series in rows:
                rows[row.line.series].append(row)
        judge = self.judge()
        for key, (ruleset, name) in series.items():
            selected = sorted(rows[key], key=lambda row: row.line.index)
            player = parse_player(self.plan.players[name], self.game)
            self.followed[ruleset.label, name] = atlas.follow(
                self.game, ruleset, selected, player, self.plan.seed, judge
            )

    def judge(self) -> Judge | None:
        """The judge of throws in a game with dice between two seats: the first player that can value throws and knows
        all variants. None if there is none."""
        if not self.game.rules.DICE or self.rulesets[0].seats != 2:
            return None
        for text in self.plan.players.values():
            with suppress(ValueError):
                return find_judge(self.game, [rules.values for rules in self.rulesets], text)
        return None

    def replays(self) -> Iterator[Found]:
        """What replayed games show: how early they are decided, how much luck there is, and the value of pieces."""
        for (label, name), games in self.followed.items():
            figures = {
                "settled": atlas.settled(games),
                "turned": atlas.turned(games),
                "luck_share": atlas.luck_share(games),
            }
            yield from founds(label, name, {key: estimate for key, estimate in figures.items() if estimate.count})
        for ruleset in self.rulesets:
            for (piece, seat), estimate in atlas.worth(self.game, ruleset, self.played(ruleset)).items():
                yield from founds(ruleset.label, "all players", {"worth": estimate}, f"{piece} ({seat})")

    def nodes(self) -> Iterator[Found]:
        """How much each player searches for a ply, in positions of each variant's openings and games."""
        for ruleset in self.rulesets:
            texts, clusters = self._positions([ruleset])
            view = GamesView(atlas.games_from(self.game, ruleset, texts))
            for name, text in self.plan.players.items():
                player: Any = parse_player(text, self.game)
                if hasattr(player, "consider"):
                    counts = np.array([player.consider(view, row).nodes for row in range(len(texts))])
                    if counts.any():
                        yield from founds(ruleset.label, name, {"nodes": clustered(counts, clusters, math.inf)})

    def perfect(self) -> Iterator[Found]:
        """The score of the seat that begins by perfect play, for each variant that has a table of exact values."""
        for label, score in perfect_scores(self.game, self.rulesets, self.plan.exact).items():
            yield from founds(label, "perfect play", {"exact": score})

    def _removals(self, ruleset: Ruleset, rng: np.random.Generator) -> Iterator[tuple[str, int, list[tuple[str, str]]]]:
        """The kinds of pieces of which one can be taken off the board in enough openings of a variant. For each: its
        name, the owner's seat, and pairs of an opening with the piece and the same without it."""
        planes = self.game.layout(dict(ruleset.values)).planes
        pairs = atlas.piece_planes(self.game, ruleset, atlas.counted(self.played(ruleset)))
        kinds = [(plane, seat) for plane, _ in pairs for seat in (0, 1)]
        starts = self.starts[ruleset.label] if kinds else []
        all_planes = [plane for pair in pairs for plane in pair]
        fewer = [atlas.without_one(self.game, ruleset, text, kinds, all_planes) for text in starts]
        for plane, seat in kinds:
            options = [(text, less[plane, seat]) for text, less in zip(starts, fewer) if less[plane, seat]]
            both = [(text, str(rng.choice(texts))) for text, texts in options]
            if len(both) >= atlas.MIN_CLUSTERS:
                yield f"{planes[plane].meaning} ({self.game.seat_name(seat)})", seat, both

    def without(self) -> Iterator[Found]:
        """The value of each kind of piece, from games of the first player that begin with and without one of them."""
        plan, name, rng = self.plan, next(iter(self.plan.players)), np.random.default_rng(self.plan.seed)
        variants: list[dict[str, Any]] = []
        starts: dict[str, list[str]] = {}
        removals: list[tuple[str, str, int]] = []
        for ruleset in self.rulesets if self.starts else ():
            for what, seat, both in self._removals(ruleset, rng):
                for end, texts in zip(("", "-"), zip(*both)):
                    label = f"{len(removals)}{end}"
                    variants.append({"variant": ruleset.variant, **ruleset.overrides, "name": label})
                    starts[label] = list(texts)
                removals.append((ruleset.label, what, seat))
        if not removals:
            return
        comparison = plan_comparison(
            self.game, variants, {name: plan.players[name]}, None, plan.games, plan.seed, {}, starts, ["first_seat"],
            paired=True,
        )  # fmt: skip
        numbers = play_comparison(comparison, self.workers, self.folder / WORK / "removed").numbers
        for number, (label, what, seat) in enumerate(removals):
            count, group = len(starts[f"{number}"]), comparison.groups[0]
            whole, less = (numbers[f"{number}{end}", group]["first_seat"][:count] for end in ("", "-"))
            lost = atlas.log_odds_lost(whole, less) if seat == 0 else atlas.log_odds_lost(1 - whole, 1 - less)
            if lost.count:
                yield from founds(label, name, {"removed": lost}, what)


def refuse_other_folders(folder: Path) -> None:
    """ValueError for a folder with anything but an atlas, or the beginnings of one, such as its networks."""
    refuse_strangers(folder, PLAN, WORK, AGAIN, *(file.name for file in folder.glob("*.value")))


def make_atlas(
    plan: AtlasPlan, folder: Path, workers: Workers, tell: Callable[[str], None] = lambda part: None
) -> Atlas:
    """Makes the atlas of a game. Parts that ``folder`` already has of the same plan are not made again.

    Args:
        plan: what is played and measured.
        folder: where everything is saved; it is made if it does not exist.
        workers: what plays the games.
        tell: called with the name of each part that is made.

    Raises:
        ValueError: for a plan that is not valid, or a folder with anything but an atlas.
        OSError: if the folder can't be written.
    """
    refuse_other_folders(folder)
    game = find(plan.game)
    rulesets = plan_comparison(game, plan.variants, dict(plan.players), None, plan.games, plan.seed, {}).rulesets
    maker = _Maker(plan, folder, workers, tell, game, rulesets, atlas.families(game, rulesets))
    (folder / WORK).mkdir(parents=True, exist_ok=True)
    for written in (folder, folder / WORK):
        remove_unfinished(written)
    entries = maker.part(maker.softening)
    maker.temperatures = {entry.players: float(entry.value or 0) for entry in entries if entry.measure == "temperature"}
    entries = entries + maker.part(maker.openings)
    maker.choose_starts()
    tell("games")
    comparison = maker.compare()
    maker.follow(comparison)
    for part in (maker.replays, maker.nodes, maker.perfect, maker.without, maker.shared, maker.rules):
        entries += maker.part(part)
    gains = list(slopes(comparison))
    entries += [*decided_more(plan, comparison), *gains]
    tests = added_tests(comparison.plan.labels, maker.sampled, gains)
    comparison.add_tests([OF_ATLAS[key] for key in dict.fromkeys(test.measure for test in tests)], tests)
    return Atlas(
        plan, comparison, entries,
        [[rules.label for rules in family] for family in maker.families],
        {label: len(texts) for label, texts in maker.starts.items()},
        _left_out(plan, game, maker.temperatures, entries),
    )  # fmt: skip


def slopes(comparison: Comparison) -> Iterator[Found]:
    """For each variant the gain of a doubling of the search, in normalised Elo: the mean over all doublings."""
    traced = [group for group in comparison.plan.groups if group.series == TRACE]
    for ruleset in comparison.plan.rulesets:
        steps = [normalised_elo(comparison.numbers[ruleset.label, group]["skill_trace"]) for group in traced]
        if steps and all(math.isfinite(one.low) and math.isfinite(one.high) for one in steps):
            error = math.sqrt(sum(((one.high - one.low) / 2 / Z) ** 2 for one in steps)) / len(steps)
            middle = float(np.mean([(one.low + one.high) / 2 for one in steps]))
            estimate = Estimate(middle, middle - Z * error, middle + Z * error, sum(one.count for one in steps))
            yield from founds(ruleset.label, f"{traced[0].first} to {traced[-1].second}", {"skill_slope": estimate})


def decided_more(plan: AtlasPlan, comparison: Comparison) -> Iterator[Found]:
    """For each variant, and each two consecutive budgets of one network: how many more games are decided under the
    larger one. Games are compared one by one, since both players begin them from the same position."""
    for weaker, stronger in (pair for names in networks_of(plan).values() for pair in pairwise(names)):
        for label in comparison.plan.labels:
            before, after = (
                comparison.numbers[label, Group(EVEN, name, name)]["undecided"] for name in (weaker, stronger)
            )
            changes = paired.differences(before, after)
            if len(changes):
                low, high = (100 * end for end in paired.score_difference(before, after))
                estimate = Estimate(100 * float(changes.mean()), low, high, len(changes))
                yield from founds(label, f"{stronger} against {weaker}", {"decided_more": estimate})


def added_tests(
    labels: Sequence[str], sampled: Mapping[tuple[str, str], atlas.SampledOpenings], slope: Iterable[Found]
) -> list[Test]:
    """Tests between variants of the entropy of openings under each player, and of the slope of skill."""
    tests: list[Test] = []

    def add(measure: str, name: str, first: str, other: str, difference: float, p: float) -> None:
        tests.append(Test(measure, Group(EVEN, name, name), first, other, p, int(np.sign(difference))))

    for name in dict.fromkeys(name for _, name in sampled):
        sums = {label: np.array(sampled[label, name].entropies).sum(axis=1) for label in labels}
        for label, other in combinations(labels, 2):
            difference = float(sums[label].mean() - sums[other].mean())
            add("opening_entropy", name, label, other, difference, means_differ(sums[label], sums[other]))
    for first, second in combinations(slope, 2):
        errors = [(entry.estimate.high - entry.estimate.low) / 2 / Z for entry in (first, second)]
        difference = first.estimate.value - second.estimate.value
        p = math.erfc(abs(difference) / math.hypot(*errors) / math.sqrt(2)) if any(errors) else 1.0
        add("skill_slope", first.players, first.variant, second.variant, difference, p)
    return tests


def _left_out(plan: AtlasPlan, game: Game, temperatures: Mapping[str, float], entries: Sequence[Found]) -> list[str]:
    reasons = []
    if not temperatures:
        reasons.append("Policies are not measured: no player is softened (networks one turn deep can be).")
    if game.rules.DICE:
        reasons.append("No single rule is turned off: with dice no player without a network values single actions.")
    loose = [one.players for one in entries if one.measure == "elo_lost" and (one.value or 0) > plan.elo_lost]
    if loose:
        reasons.append(f"Even at the lowest temperature more than {plan.elo_lost:g} Elo are lost by {listing(loose)}.")
    if not any(one.measure == "worth" for one in entries):
        reasons.append("No worth of pieces: no kind of piece is ever lost or won, or there are too few games.")
    elif not any(one.measure == "removed" for one in entries):
        reasons.append("No piece is removed: with dice no game begins with an opening; or there are too few openings.")
    if len(networks_of(plan)) < 2:
        reasons.append("One network alone plays, so that no sentence says that a side is favoured.")
    return reasons


def _key(label: str, name: str) -> str:
    """A variant and a player as one key, since keys in JSON are texts."""
    return f"{label}\n{name}"


def map_of(entries: Sequence[Found], labels: Sequence[str]) -> NDArray[np.float64] | None:
    """The places of variants on a map of their mean distances over players (K, 2); None unless all are known."""
    apart = [one for one in entries if one.measure == "distance"]
    between = np.zeros((len(labels), len(labels)))
    for first, other in combinations(range(len(labels)), 2):
        pair = {labels[first], labels[other]}
        values = [entry.value or 0.0 for entry in apart if {entry.variant, entry.other} == pair]
        if not values:
            return None
        between[first, other] = between[other, first] = float(np.mean(values))
    return atlas.plane_of(between)
