"""How a game is set up: from a form, kept as JSON."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from parlour.aec import GameEnv
from parlour.engine.game import Game
from parlour.registry import find
from parlour.rulebook.options import Value
from parlour.serve.opponents import PERSON, parse_opponent
from parlour.serve.settings import Settings

MAX_TEXT = 20_000
"""Characters of a field of a form."""
OPTION, SEAT = "option-", "seat-"
"""How names of fields begin that hold an option's value, a seat's player."""
OTHERS = "others"
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Setup:
    """A game's rules, seats and start.

    Attributes:
        game: its id.
        variant: the variant's name.
        values: the option values on top of it.
        seats: who plays each seat: ``person``, or a player's name.
        seed: of dice and players.
        position: the text of the position to begin from; empty for a new game.
    """

    game: str
    variant: str
    values: dict[str, Value]
    seats: tuple[str, ...]
    seed: int
    position: str = ""

    def json(self) -> str:
        """To keep."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Setup:
        """What `json` has written."""
        kept = json.loads(text)
        return cls(**{**kept, "seats": tuple(kept["seats"])})

    def make(self) -> GameEnv:
        """The game at its start. ValueError for a position that is not valid."""
        env = GameEnv(find(self.game), self.variant, self.values, None, "raise")
        env.reset(seed=self.seed, options={"position": self.position or None})
        return env


def read_setup(game: Game, form: Mapping[str, Any], settings: Settings) -> Setup:
    """A form's setup, checked. ValueError that says what is wrong with it."""
    fields = {name: value.strip() for name, value in form.items() if isinstance(value, str)}
    if any(len(value) > MAX_TEXT for value in fields.values()):
        raise ValueError(f"a field has more than {MAX_TEXT} characters")
    variant = fields.get("variant", "") or game.variants[0].name
    known = {option.name: option for option in game.options}
    values: dict[str, Value] = {}
    for field, text in fields.items():
        name = field.removeprefix(OPTION)
        if field.startswith(OPTION) and text and name in known:
            values[name] = known[name].read(known[name].parse(text))
    env = GameEnv(game, variant, values, None, "raise")
    others = fields.get(OTHERS, "") or "greedy"
    seats = tuple(fields.get(f"{SEAT}{seat}", "") or others for seat in range(len(env.possible_agents)))
    for player in seats:
        if player != PERSON:
            parse_opponent(player, game, settings)
    setup = Setup(game.id, variant, values, seats, _seed(fields.get("seed", "")), fields.get("position", ""))
    setup.make()
    return setup


def _seed(text: str) -> int:
    """The seed; one at random for none."""
    if not text:
        return secrets.randbelow(2**31)
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) > MAX_SEED:
        raise ValueError(f"seed {text[:40]!r} is not valid; valid: whole numbers from 0 to {MAX_SEED}")
    return int(text)
