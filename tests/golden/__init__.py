"""Golden playthroughs: games written down once, to be played the same for ever. One file a game and variant.

``digests.json`` has the SHA-256 of each, by the id of the game with its version. A change that alters play raises the
game's version ("Versions of games" in CONTRIBUTING.md); ``python -m tests.golden`` then writes them anew.

It also writes ``play.json`` in each game's folder: pins of the rules by which its champion and ladders were made
(`parlour.players.value.pins`).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import numpy as np

import parlour
from parlour.interfaces.registry import find
from parlour.players.value.pins import Pin, Pins, pin_of

FOLDER = Path(__file__).parent
DIGESTS = FOLDER / "digests.json"
SEEDS = (1, 2)


def path_of(game: str, variant: str) -> Path:
    """Where a variant's playthroughs are."""
    return FOLDER / game.partition("-")[0] / f"{variant}.txt"


def digest(text: str) -> str:
    """The SHA-256 of a playthrough."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_digests() -> dict[str, dict[str, str]]:
    """The digest of every playthrough that was ever written: of each game's id, of each variant."""
    known: dict[str, dict[str, str]] = json.loads(DIGESTS.read_text(encoding="utf-8"))
    return known


def write_digests(digests: dict[str, dict[str, str]]) -> None:
    """Writes `read_digests`' file."""
    DIGESTS.write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")


def pins_now(game: str) -> Pins:
    """What is to stand in a game's ``play.json``: the pins of its variants by the rules as they are now."""
    spec = find(game)
    pins = {variant.name: pin_of(spec, spec.resolve(variant.name, {})[1]) for variant in spec.variants}
    return Pins(spec.id, {name: pin for name, pin in pins.items() if isinstance(pin, Pin)})


def pins_text(pins: Pins) -> str:
    """The text of ``play.json``."""
    return msgspec.json.format(msgspec.json.encode(pins)).decode() + "\n"


def playthrough(game: str, variant: str) -> str:
    """Two random games: every ply's move, and now and then position, dice, legal moves and a digest of all that is
    seen."""
    env = parlour.make(game, variant=variant, illegal_move="raise")
    lines = []
    for seed in SEEDS:
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        lines.append(f"game {seed}")
        ply = 0
        while True:
            if ply % 10 == 0 or env.is_over():
                views = [env.observe(agent) for agent in env.possible_agents]
                digest = sum(int(np.dot(view["observation"].ravel().astype(np.int64),
                                        np.arange(1, view["observation"].size + 1))) for view in views)  # fmt: skip
                lines.append(f"  position {env.position()}")
                lines.append(f"  dice {env.dice} seen {digest} legal {len(env.legal_moves())}: "
                             + " ".join(env.legal_moves()[:200]))  # fmt: skip
            if env.is_over():
                break
            move = str(rng.choice(env.legal_moves()))
            agent = env.agent_selection
            env.step(env.parse_move(move))
            ply += 1
            lines.append(f"{ply} {agent} {move} {' '.join(f'{reward:g}' for reward in env.rewards.values())}")
    return "\n".join(lines) + "\n"
