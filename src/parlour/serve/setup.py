"""The setup of a game: read from a form, stored as JSON."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from parlour.arena.setting.ladder import EASY, grades
from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.rulebook.options import Value
from parlour.serve.opponents import PERSON, parse_opponent
from parlour.serve.settings import Settings
from parlour.support.typed_json import decode_json

MAX_TEXT = 20_000
"""The largest number of characters of a form's field."""
OPTION, SEAT = "option-", "seat-"
"""Prefixes of the names of fields: for the value of an option, and for the player of a seat."""
OTHERS = "others"
PEOPLE = (PERSON, "human", "me", "you")
"""What people type for a seat that a person has."""
OTHER = "other-"
"""Prefix of the names of fields for a player that is not among the buttons."""
GRADE, USUAL = "grade:", f"grade:{EASY}"
"""Prefix of a variant's six opponents, by their names in words; who sits in seats that the form leaves open."""
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Setup:
    """A game's rules, seats and start.

    Attributes:
        game: its id.
        variant: the variant's name.
        values: option values that replace those of the variant.
        seats: who plays in each seat: ``person``, or a player's name.
        seed: the random seed of dice and players.
        position: the text of the starting position; empty for the usual start.
        resigned: the seat that has given up; −1: none has.
    """

    game: str
    variant: str
    values: dict[str, Value]
    seats: tuple[str, ...]
    seed: int
    position: str = ""
    resigned: int = -1

    def __post_init__(self) -> None:
        """ValueError if a seat has resigned that there is not."""
        if not -1 <= self.resigned < len(self.seats):
            raise ValueError(f"there is no seat {self.resigned}")

    @property
    def you(self) -> int:
        """The seat in whose words pages speak: that of the only person; −1 if there is none, or several."""
        return self.seats.index(PERSON) if self.seats.count(PERSON) == 1 else -1

    def json(self) -> str:
        """The setup as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Setup:
        """The setup in a text that `json` has written. ValueError for any other text."""
        return decode_json(text, cls, "the game's setup")

    def make(self) -> GameEnv:
        """An environment at the start of the game. ValueError for a position that is not valid."""
        env = GameEnv(find(self.game), self.variant, self.values, None, "raise")
        env.reset(seed=self.seed, options={"position": self.position or None})
        return env


def read_setup(game: Game, form: Mapping[str, Any], settings: Settings) -> Setup:
    """The setup in a form. ValueError for any field that is not valid."""
    fields = {name: value.strip() for name, value in form.items() if isinstance(value, str)}
    if any(len(value) > MAX_TEXT for value in fields.values()):
        raise ValueError(f"a field has more than {MAX_TEXT} characters")
    variant = fields.get("variant") or game.variants[0].name
    options = {option.name: option for option in game.options}
    values: dict[str, Value] = {}
    for field, text in fields.items():
        name = field.removeprefix(OPTION)
        if field.startswith(OPTION) and text and name in options:
            values[name] = options[name].read(options[name].parse(text))
    env = GameEnv(game, variant, values, None, "raise")
    opponents = grades(game, env.variant)[0]
    graded = {GRADE + grade.name: grade.player for grade in opponents}
    graded |= {grade.name: grade.player for grade in opponents[:-1]}  # "champion" is also a player's name
    others = fields.get(OTHERS) or USUAL
    names = [seated(fields, seat) or others for seat in range(len(env.possible_agents))]
    players = [graded.get(name.lower(), name) for name in names]
    seats = tuple(PERSON if player.lower() in PEOPLE else player for player in players)
    for player in seats:
        if player != PERSON:
            parse_opponent(player, game, settings)
    setup = Setup(game.id, variant, values, seats, _seed(fields.get("seed", "")), fields.get("position", ""))
    setup.make()
    return setup


def seated(form: Mapping[str, str], seat: int) -> str:
    """Who the form says has a seat, by a button or by name; empty if it does not say."""
    return form.get(f"{SEAT}{seat}") or form.get(f"{OTHER}{SEAT}{seat}", "")


def _seed(text: str) -> int:
    """The seed in a text; a random one if the text is empty."""
    if not text:
        return secrets.randbelow(2**31)
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) > MAX_SEED:
        raise ValueError(f"seed {text[:40]!r} is not valid; valid: whole numbers from 0 to {MAX_SEED}")
    return int(text)
