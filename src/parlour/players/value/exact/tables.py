"""Tables of exact values as files. The folder of a table has

* ``table.json``: the game, the variant and its option values, the limit, a digest of rules and numbering, the tiers,
  and maybe a pin of the rules (`TableInfo`);
* for each tier that has positions and is solved a file ``tier-0007.exact``: a line of JSON (`TierInfo`), filled up with
  spaces to a multiple of 64 bytes; the values, little-endian; and the SHA-256 of all that, 32 bytes.

Values are to the seat to act. In a game with dice they are lower bounds, rounded down, uint32: in equal steps from
``-scale`` to ``scale``. Upper bounds are ``gap`` above them. So that what rounding adds does not add up from tier to
tier, tables are solved with float64 (files ``tier-0007.bounds``, with the width of each pair of bounds as float32), and
rounded when all tiers are known; a tier whose ``gap`` would be more than the table's precision is kept as it is.
In a game without dice they are codes (`parlour.engine.kernels.solving`), int8 if all fit, else
int16; a number without a position has the lowest code.

Nothing in a file is run, and all of it is checked before it is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.kernels.solving import expand, placed
from parlour.engine.rules_table import rules_table
from parlour.engine.solving_arrays import LAST, NO_CODE, OUT, PLACE, SAME, Graph, empty_graph, walk_of
from parlour.engine.variant_mix import Entry
from parlour.interfaces.registry import find
from parlour.players.value.inputs import play_digest
from parlour.players.value.pins import Pin, fits, pin_of
from parlour.rulebook.options import Value
from parlour.rulebook.protocol import first_state_dtype
from parlour.rulebook.state_records import as_bytes, as_states, as_words, placed_as, records
from parlour.support.files import replacing, sha256_of, write_file
from parlour.support.run_folder import refuse_another, refuse_strangers
from parlour.support.typed_json import Count, Struct, decode_json, read_json

INFO = "table.json"
ALIGNMENT, DIGEST_BYTES, MAX_HEADER = 64, 32, 4096
SAMPLES = 16
"""Positions of each tier that the digest looks at."""
TURNS, FEWEST, EDGES = 512, 4, 1 << 16
"""Positions whose turns the pin looks at, in all; in each tier at least; room for the ends of these turns."""
MIXER = np.uint64(0x9E3779B97F4A7C15)
"""An odd number with its bits well spread."""
NO_SHORT_CODE, FARTHEST_SHORT = -128, 126
"""In a file of int8: a number without a position; the most turns that a code can hold."""
ROUNDING = 1e-12
"""By how much sums of floats may be off; each tier's bounds are widened by it."""
Progress = Callable[[int, int, str], None]
"""Called with how many positions are done, of how many, and what is being done."""
Kind = Literal["steps", "bounds", "int8", "int16"]
DTYPES: dict[Kind, np.dtype[Any]] = {
    "steps": np.dtype("<u4"),
    "bounds": np.dtype([("low", "<f8"), ("width", "<f4")]),
    "int8": np.dtype("<i1"),
    "int16": np.dtype("<i2"),
}


class TierInfo(Struct, frozen=True):
    """What stands at the beginning of a tier's file."""

    tier: Count
    name: str
    size: Count
    positions: Count
    """Numbers that have a position"""
    kind: Kind
    gap: Annotated[float, Meta(ge=0)] = 0.0
    """In a game with dice: by how much an upper bound is above a lower one at most"""
    won: Count = 0
    lost: Count = 0
    drawn: Count = 0
    """Without dice: how many positions are so for the seat to act"""
    longest: Count = 0
    """Without dice: the most turns that a won or lost position takes if both seats play well"""
    scale: Annotated[float, Meta(ge=0)] = 0.0
    """Of values in steps: the largest"""


class _Tier(Struct, frozen=True):
    name: str
    size: Count


class TableInfo(Struct, frozen=True):
    """What a table is of."""

    format: Literal[1]
    game: str
    variant: str
    values: dict[str, Value]
    limit: Count
    precision: Annotated[float, Meta(gt=0, le=1)]
    digest: str
    tiers: Annotated[list[_Tier], Meta(min_length=1, max_length=100_000)]
    pin: Pin | UnsetType = UNSET
    """Of the rules that it was made by: of whole games, and of turns from positions of every tier"""


@dataclass(frozen=True)
class Table:
    """The folder of a table. Its tiers are read, and their checksums compared, when first needed."""

    folder: Path
    game: Game
    info: TableInfo
    suffix: str = "exact"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles read the files anew."""
        return Table, (self.folder, self.game, self.info, self.suffix)

    @property
    def label(self) -> str:
        """What it is of, for people."""
        bound = f", {self.game.endings.LIMIT.name} {self.info.limit}" if self.info.limit else ""
        return f"{self.game.id}, {self.info.variant}{bound}"

    def path(self, tier: int) -> Path:
        """The file of a tier."""
        return self.folder / f"tier-{tier:04d}.{self.suffix}"

    def is_solved(self, tier: int) -> bool:
        """Whether a tier has values."""
        return self.info.tiers[tier].size == 0 or self.path(tier).is_file()

    @property
    def left(self) -> list[int]:
        """The tiers that have no values yet."""
        return [tier for tier in range(len(self.info.tiers)) if not self.is_solved(tier)]

    @cached_property
    def _read(self) -> dict[int, TierTable]:
        return {}

    def __getitem__(self, tier: int) -> TierTable:
        """The values of a tier. ValueError for a file that is missing, damaged or of another tier."""
        if tier not in self._read:
            table = TierTable(self.path(tier), tier, self.info.tiers[tier])
            if (table.info.kind in ("steps", "bounds")) != bool(self.game.rules.DICE):
                raise ValueError(f"{self.path(tier)} has {table.info.kind}, which {self.game.id} has none of")
            self._read[tier] = table
        return self._read[tier]

    def __iter__(self) -> Any:
        """All tiers that have positions."""
        return (self[tier] for tier, one in enumerate(self.info.tiers) if one.size)


class TierTable:
    """The values of a tier, from its file.

    Attributes:
        info: what the file says of itself.
        values: (N,), one for each number of the tier.
    """

    def __init__(self, path: Path, tier: int, due: _Tier) -> None:
        """ValueError for a file that is missing, damaged or of another tier."""
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                line = file.readline(MAX_HEADER)
                file.seek(max(size - DIGEST_BYTES, 0))
                pin = file.read()
            actual = sha256_of(path, size - DIGEST_BYTES)
        except OSError as error:
            raise ValueError(f"{path} can't be read: {error.strerror or error}") from None
        if actual != pin.hex():
            raise ValueError(f"{path} is damaged: its SHA-256 does not match its content; delete it and solve again")
        self.info = decode_json(line, TierInfo, str(path))
        begin = len(line)
        if (self.info.tier, self.info.name, self.info.size) != (tier, due.name, due.size):
            raise ValueError(f"{path} is not tier {tier} of its table, {due.name!r}, but {self.info.name!r}")
        kind = DTYPES[self.info.kind]
        if size != begin + due.size * kind.itemsize + DIGEST_BYTES:
            raise ValueError(f"{path} has {size} bytes, which is not what its first line says")
        self.values: NDArray[Any] = np.memmap(path, kind, "r", begin, (due.size,))

    def bounds(self, index: NDArray[np.int64] | slice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """In a game with dice: lower and upper bounds (K,) of positions (K,)."""
        entries = self.values[index]
        if self.info.kind == "steps":
            low = _from_steps(entries, self.info.scale)
            return low, low + self.info.gap
        return np.asarray(entries["low"]), entries["low"] + entries["width"]

    def codes(self, index: NDArray[np.int64] | slice) -> NDArray[np.int16]:
        """In a game without dice: the codes (K,) of positions (K,)."""
        codes = np.asarray(self.values[index], np.int16)
        return np.where(codes == NO_SHORT_CODE, NO_CODE, codes) if self.info.kind == "int8" else codes


STEPS = (1 << 32) - 1


def step_of(scale: float) -> float:
    """The distance of values in steps, of which the largest is ``scale``."""
    return 2 * scale / STEPS


def _from_steps(counts: NDArray[Any], scale: float) -> NDArray[np.float64]:
    return np.asarray(counts, np.float64) * step_of(scale) - scale


def rounded(tier: TierTable, precision: float) -> tuple[TierInfo, NDArray[Any]]:
    """A tier of a game with dice as it is kept: see above."""
    low, high = tier.bounds(slice(None))
    scale = max(float(np.abs(low).max()), ROUNDING)
    counts = np.floor((low + scale) / step_of(scale)).astype(np.uint32)
    counts -= _from_steps(counts, scale) > low  # by the rounding of floats
    high -= _from_steps(counts, scale)
    gap = float(high.max()) + ROUNDING
    if gap > precision:
        return tier.info, tier.values
    return msgspec.structs.replace(tier.info, kind="steps", gap=gap, scale=scale), counts


def write_tier(path: Path, info: TierInfo, values: NDArray[Any]) -> None:
    """Writes a tier's file, whole or not at all. ``values``: (N,), of the kind that ``info`` says. OSError if it can't
    be written."""
    line = msgspec.json.encode(info)
    line += b" " * (-(len(line) + 1) % ALIGNMENT) + b"\n"
    digest = hashlib.sha256(line)
    with replacing(path) as fresh, open(fresh, "wb") as file:
        file.write(line)
        stored = np.ascontiguousarray(values, DTYPES[info.kind]).view(np.uint8).data
        digest.update(stored)
        file.write(stored)
        file.write(digest.digest())


def begin_table(
    folder: Path, game: Game, variant: str, values: dict[str, Value], limit: int, precision: float
) -> Table:
    """The table in a folder, half done, or a new one, which nothing is written of yet. ValueError if the folder has
    another one, or anything else, such as tiers of which nobody knows by what rules they were made."""
    info = table_info(game, variant, values, limit, precision)
    if (folder / INFO).exists():
        table = open_table(folder)
        saved, due = ({**msgspec.structs.asdict(one), "pin": None} for one in (table.info, info))
        refuse_another(folder, f"a table ({table.label})", saved, due)
        return table
    refuse_strangers(folder, INFO)
    return Table(folder, game, msgspec.structs.replace(info, pin=_pin(game, info)))


def write_info(table: Table) -> None:
    """Makes the folder and ``table.json``, if they are not there. OSError if they can't be written."""
    table.folder.mkdir(parents=True, exist_ok=True)
    if not (table.folder / INFO).exists():
        write_file(table.folder / INFO, msgspec.json.format(msgspec.json.encode(table.info)) + b"\n")


def open_table(folder: Path, game: Game | None = None) -> Table:
    """The table in a folder. ValueError if there is none, it is of another game than ``game``, or the rules are not
    those that it was made by."""
    try:
        info = read_json(folder / INFO, TableInfo, follow_links=False)
    except OSError as error:
        raise ValueError(f"{folder} has no table of exact values: {INFO}: {error.strerror or error}") from None
    if game is not None and info.game != game.id:
        raise ValueError(f"{folder} is a table of {info.game!r}, not of {game.id!r}")
    try:
        known = game or find(info.game)
        due = table_info(known, info.variant, info.values, info.limit, info.precision)
    except ValueError as error:
        raise ValueError(f"{folder / INFO}: {error}") from None
    same = (due.digest, due.tiers, due.limit) == (info.digest, info.tiers, info.limit)
    if not same or not fits(str(folder), [info.pin], lambda number: _pin(known, due)):
        raise ValueError(f"{folder} was made under other rules than {known.id} has now: solve it again")
    return Table(folder, known, msgspec.structs.replace(info, values=due.values))  # options that are newer, too


def table_info(game: Game, variant: str, values: dict[str, Value], limit: int, precision: float) -> TableInfo:
    """What stands in ``table.json``. ValueError for option values that are not valid, or that can't be solved."""
    _, values = game.resolve(variant, game.overrides_in(variant, values))
    bound = game.endings.LIMIT
    tiers = game.endings.tiers(values, bound.read(limit) if bound else 0)
    return TableInfo(
        1, game.id, variant, values, limit if bound else 0, precision, _digest(game, variant, values, tiers),
        [_Tier(tier.name, tier.size) for tier in tiers],
    )  # fmt: skip


def _digest(game: Game, variant: str, values: dict[str, Value], tiers: Any) -> str:
    """Sixteen hex digits that differ where rules, or the numbers of positions, do."""
    digest = hashlib.sha256(play_digest(game, (Entry(variant, variant, values),)).encode())
    layout, variants = game.layout(values), records(1, game.variant_dtype)
    game.fill_variant(variants[0], values)
    walk, rules = walk_of(game, layout.seats, layout.actions), rules_table(game, layout).ready_for(placed)
    for number, tier in enumerate(tiers):
        for index in np.linspace(0, tier.size - 1, SAMPLES if tier.size else 0).astype(np.int64).tolist():
            kind = placed(rules, number, index, as_words(variants), walk)
            state = placed_as(first_state_dtype(game.rules.STATE), as_states(walk.states[:1], game.rules.STATE))
            digest.update(json.dumps([tier.name, index, int(kind)]).encode() + as_bytes(state).tobytes())
    return digest.hexdigest()[:16]


def _pin(game: Game, info: TableInfo) -> Pin | UnsetType:
    """The pin of a table that would be made now: of whole games, and of turns in every tier."""
    pin = pin_of(game, info.values)
    if isinstance(pin, UnsetType):
        return pin
    turns, positions = _turns(game, tuple(sorted(info.values.items())), info.limit)
    play = hashlib.sha256((pin.play + turns).encode()).hexdigest()[:16]
    return msgspec.structs.replace(pin, play=play, positions=pin.positions + positions)


@lru_cache(64)
def _turns(game: Game, option_values: tuple[tuple[str, Value], ...], limit: int) -> tuple[str, int]:
    """Where all turns lead from positions of every tier, in 64 hex digits; and from how many positions."""
    values, bound = dict(option_values), game.endings.LIMIT
    tiers = game.endings.tiers(values, bound.read(limit) if bound else 0)
    layout, variants = game.layout(values), records(1, game.variant_dtype)
    game.fill_variant(variants[0], values)
    walk, graph = walk_of(game, layout.seats, layout.actions), empty_graph(1, EDGES)
    dice, each = game.dice_thrown(variants[0]), max(TURNS // len(tiers), FEWEST)
    digest, positions, rules = hashlib.sha256(), 0, rules_table(game, layout).ready_for(expand)
    for number, tier in enumerate(tiers):
        chosen = np.random.default_rng(number).integers(0, max(tier.size, 1), each if tier.size else 0)
        for index in chosen.tolist():
            reached = expand(rules, number, tier.size, index, index + 1, dice, as_words(variants), walk, graph)
            digest.update(json.dumps([number, index, *map(int, reached), int(graph.kinds[0])]).encode())
            digest.update(_ends(graph, number).tobytes())
        positions += len(chosen)
    return digest.hexdigest(), positions


def _ends(graph: Graph, tier: int) -> NDArray[np.uint64]:
    """A word for each end of a turn from the one position of a graph, in ascending order, whatever the order of
    actions."""
    edges = graph.edges[: graph.starts[1]].astype(np.int64)
    target, leads_out, last = edges >> PLACE, edges & OUT != 0, edges & LAST
    ends = np.zeros((len(edges), 5), np.int64)
    ends[:, 0], ends[:, 1], ends[:, 2], ends[:, 3] = np.cumsum(last) - last, tier, target, edges & SAME != 0
    out = graph.out[target[leads_out]]
    ends[leads_out, 1], ends[leads_out, 2], ends[leads_out, 3] = out["tier"], out["index"], out["same"]
    ends[leads_out, 4] = np.ascontiguousarray(out["paid"]).view(np.int64)
    words = np.zeros(len(edges), np.uint64)
    for column in ends.T.astype(np.uint64):
        words = (words ^ column) * MIXER
        words ^= words >> np.uint64(29)
    return np.sort(words)
