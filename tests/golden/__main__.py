"""Writes the golden playthroughs of what is new: a variant, or a game's version. Refuses to write others. Writes each
game's ``play.json``, as long as play is what it was there."""

import sys

import parlour
from parlour.interfaces.registry import find
from parlour.players.value.pins import PLAY, read_pins
from tests.golden import digest, path_of, pins_now, pins_text, playthrough, read_digests, write_digests

digests = read_digests()
for game in parlour.games():
    for variant in parlour.variants(game):
        text = playthrough(game, variant)
        known = digests.setdefault(game, {}).setdefault(variant, digest(text))
        if known != digest(text):
            sys.exit(
                f"{game}, variant {variant}, is not played as before, and a version of a game is played the same for "
                "ever: raise VERSION in the game's __init__.py, and say why under Versions in its README"
            )
        path = path_of(game, variant)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.name)
write_digests(digests)
for game in parlour.games():
    spec, now = find(game), pins_now(game)
    for variant, pin in read_pins(spec).items():
        if pin.play != now.variants[variant].play:
            sys.exit(
                f"{game}, variant {variant}, is not played as when its champion and ladder were made: make these anew, "
                f"and delete {spec.folder / PLAY}"
            )
    (spec.folder / PLAY).write_text(pins_text(now), encoding="utf-8")
