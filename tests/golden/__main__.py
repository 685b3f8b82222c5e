"""Writes all golden playthroughs anew."""

import parlour
from tests.golden import path_of, playthrough

for game in parlour.games():
    for variant in parlour.variants(game):
        path = path_of(game, variant)
        path.parent.mkdir(exist_ok=True)
        path.write_text(playthrough(game, variant), encoding="utf-8")
        print(path.name)
