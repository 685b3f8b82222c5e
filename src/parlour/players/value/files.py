"""Value networks as files. A file is

* the line ``parlour value network 1``;
* a line of JSON: ``game`` (id), ``digest`` (`parlour.players.value.inputs.play_digest`), ``source`` (`inputs.SOURCES`),
  ``seats`` (P), ``numbers`` (D), ``units`` (F), ``hidden`` (U), ``outputs`` (O, 1 where it is not there), ``scale``,
  ``variants`` (V objects with ``label``,
  ``variant``, ``values``, the option values, and maybe ``pin``, of the rules under which it was trained: see
  `parlour.players.value.pins`), and ``card``, an object of texts that says how it was trained;
* the numbers, little-endian, in this order: ``units`` int32 (F, 2), ``hidden`` float32 (F, U), ``hidden_bias`` float32
  (V · P, U), ``output`` float32 (V · P · O, U), ``output_bias`` float32 (V · P · O,);
* the SHA-256 of all that, 32 bytes.

Nothing in a file is run, and all of it is checked before it is used.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, UnsetType, to_builtins
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.variant_mix import Entry
from parlour.interfaces.registry import find
from parlour.players.value.inputs import MAX_UNITS, count_numbers, play_digest, source_of
from parlour.players.value.network import MAX_HIDDEN, MAX_SCALE, ValueNetwork, check_outputs
from parlour.players.value.pins import Pin, fits, latest, pin_of, pins_beside
from parlour.rulebook.options import Value
from parlour.support.files import read_file, write_file
from parlour.support.typed_json import Struct, decode_json

FIRST_LINE = b"parlour value network 1\n"
DIGEST_BYTES = 32
POSITIONS = "positions"
"""The entry of a card that says how many positions the network has learnt from."""
MAX_HEADER, MAX_FILE = 1 << 20, 64 << 20
MAX_VARIANTS = 127
LARGEST_WEIGHT = 1e6


class _Variant(Struct, frozen=True):
    label: str
    variant: str
    values: dict[str, Value]
    pin: Pin | UnsetType = UNSET


class _Header(Struct, frozen=True):
    game: str
    digest: str
    source: str
    seats: int
    numbers: int
    units: Annotated[int, Meta(ge=1, le=MAX_UNITS)]
    hidden: Annotated[int, Meta(ge=1, le=MAX_HIDDEN)]
    scale: Annotated[float, Meta(gt=0, le=MAX_SCALE)]
    variants: Annotated[list[_Variant], Meta(min_length=1, max_length=MAX_VARIANTS)]
    card: dict[str, str]
    outputs: int = 1


def save(network: ValueNetwork, path: str | Path, card: Mapping[str, str] | None = None) -> None:
    """Writes a network, whole or not at all. ``card``: how it was trained; ``positions``, from how many, is the
    network's ``learnt`` unless it is given. OSError if it can't be written."""
    header = {
        "game": network.game.id,
        "digest": network.digest,
        "source": network.source,
        "seats": network.seats,
        "numbers": network.number_count,
        "units": len(network.units),
        "hidden": network.hidden.shape[1],
        **({"outputs": network.outputs} if network.outputs > 1 else {}),
        "scale": network.scale,
        "variants": [
            to_builtins(_Variant(entry.label, entry.variant, dict(entry.values), pin_of(network.game, entry.values)))
            for entry in network.variants
        ],
        "card": {
            **({POSITIONS: str(network.learnt)} if network.learnt else {}),
            **{name: str(text) for name, text in (card or {}).items()},
        },
    }
    arrays = [network.units.astype("<i4"), *(weights.astype("<f4") for weights in network.weights)]
    content = FIRST_LINE + json.dumps(header).encode() + b"\n" + b"".join(array.tobytes() for array in arrays)
    write_file(Path(path), content + hashlib.sha256(content).digest())


def load(path: str | Path, game: Game | None = None) -> ValueNetwork:
    """Reads a network.

    Args:
        path: the file.
        game: the game that it is to be for, if known.

    Raises:
        ValueError: for a file that is not a value network, is damaged, or is for another game or for other rules than
            the game has now.
        OSError: for a file that can't be read.
    """
    return read_network(read_file(Path(path), MAX_FILE), str(path), game)


def load_for_player(path: str, game: Game | None = None) -> tuple[ValueNetwork, dict[str, str]]:
    """A network and its file's identity (`players.identity`). ValueError as `load`, and for an unreadable file."""
    try:
        content = read_file(Path(path), MAX_FILE)
    except OSError as error:
        raise ValueError(f"the file {path!r} can't be read: {error.strerror or error}") from None
    return read_network(content, path, game), {"sha256": hashlib.sha256(content).hexdigest()}


def read_network(content: bytes, path: str, game: Game | None = None) -> ValueNetwork:
    """`load` of the content of a file, called ``path`` in messages."""
    header, rest = _parts(content, path)
    known = _game(header, path, game)
    variants = tuple(_variant(one, known, f"{path}: variants[{k}]") for k, one in enumerate(header.variants))
    layouts = [known.layout(entry.values) for entry in variants]
    if any(layout != layouts[0] for layout in layouts):
        raise ValueError(f"{path}: its variants have different sizes, so one network can't play them")
    due = source_of(known), layouts[0].seats, count_numbers(known, layouts[0])
    if (header.source, header.seats, header.numbers) != due:
        raise ValueError(
            f"{path}: its numbers do not fit {known.id} as it is now: it is seen by {due[2]} numbers from {due[0]}, in "
            f"{due[1]} seats"
        )
    try:
        check_outputs(header.outputs, header.seats, header.scale)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    units, weights = _arrays(rest, header, path)
    _check_units(units, header.numbers, path)
    now = play_digest(known, variants)
    if header.digest != now or not _fits(header, known, variants, path):
        raise ValueError(f"{path} was trained under other rules than {known.id} has now ({now}): train it again")
    return ValueNetwork(
        known, variants, units, weights[0], weights[1], weights[2], weights[3], header.scale, header.digest,
        _learnt(header.card),
    )  # fmt: skip


def read_card(path: str | Path) -> dict[str, str]:
    """The card of a file: how the network was trained. Raises errors like `load`."""
    header, _ = _parts(read_file(Path(path), MAX_FILE), str(path))
    return header.card


def _learnt(card: Mapping[str, str]) -> int:
    """What a card says of the positions learnt from; 0 if that is no number."""
    text = card.get(POSITIONS, "0")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _parts(content: bytes, path: str) -> tuple[_Header, bytes]:
    """The header, and the numbers after it, of an undamaged file."""
    if not content.startswith(FIRST_LINE):
        raise ValueError(f"{path} is no value network: it does not begin with {FIRST_LINE.decode().strip()!r}")
    body, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError(f"{path} is damaged: its SHA-256 does not match its content")
    line, newline, rest = body[len(FIRST_LINE) :].partition(b"\n")
    if not newline or len(line) > MAX_HEADER:
        raise ValueError(f"{path} has no header: its second line must be JSON of at most {MAX_HEADER} bytes")
    return decode_json(line, _Header, path), rest


def _game(header: _Header, path: str, game: Game | None) -> Game:
    if game is None:
        return find(header.game)
    if header.game != game.id:
        raise ValueError(f"{path} is a value network for {header.game!r}, not for {game.id!r}")
    return game


def _variant(stored: _Variant, game: Game, where: str) -> Entry:
    """One of the header's variants, its option values as the game reads them."""
    try:
        variant, values = game.resolve(stored.variant, game.overrides_in(stored.variant, stored.values))
    except ValueError as error:
        raise ValueError(f"{where} is not one of {game.id}: {error}") from None
    return Entry(stored.label, variant.name, values)


def _fits(header: _Header, game: Game, variants: tuple[Entry, ...], path: str) -> bool:
    """Whether the game plays as a file's pins say, or, in the game's folder, as ``play.json``."""
    beside = pins_beside(Path(path), game, variants)
    pins = [latest(stored.pin, other) for stored, other in zip(header.variants, beside)]
    return fits(path, pins, lambda number: pin_of(game, variants[number].values))


def _arrays(rest: bytes, header: _Header, path: str) -> tuple[NDArray[np.int32], list[NDArray[np.float32]]]:
    units, hidden, heads = header.units, header.hidden, len(header.variants) * header.seats
    rows = heads * header.outputs
    shapes: list[tuple[int, ...]] = [(units, 2), (units, hidden), (heads, hidden), (rows, hidden), (rows,)]
    sizes = [4 * math.prod(shape) for shape in shapes]
    if len(rest) != sum(sizes):
        raise ValueError(f"{path} holds {len(rest)} bytes of numbers, where its sizes need {sum(sizes)}")
    arrays: list[Any] = []
    for shape, size in zip(shapes, sizes):
        kind = "<i4" if not arrays else "<f4"
        arrays.append(np.frombuffer(rest[:size], kind).reshape(shape).astype(kind[1:]))
        rest = rest[size:]
    for weights in arrays[1:]:
        if not (np.abs(weights) <= LARGEST_WEIGHT).all():  # nor NaN
            raise ValueError(f"{path} has weights that are not numbers from −{LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}")
    return arrays[0], arrays[1:]


def _check_units(units: NDArray[np.int32], numbers: int, path: str) -> None:
    places, thresholds = units[:, 0].astype(np.int64), units[:, 1].astype(np.int64)
    order = places * 128 + thresholds
    within = (places >= 0) & (places < numbers) & (thresholds >= 1) & (thresholds <= 127)
    if not within.all() or (np.diff(order) <= 0).any():
        raise ValueError(
            f"{path} has units that are not valid: each is a number from 0 to {numbers - 1} and a threshold from 1 to "
            "127, ascending, none twice"
        )
