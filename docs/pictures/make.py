"""Draws the README's pictures: one animated game, a small picture of every game in the middle of play, and the summary
of a comparison; and for the page on concepts one turn of two plies. (Those of pages are taken by ``screens.py``.)

python docs/pictures/make.py [--out docs/pictures]

All games are seeded, so the pictures change only with the rules, the players or the drawings.
"""

from __future__ import annotations

from pathlib import Path

import click
from PIL import Image

import parlour
from parlour.arena import compare
from parlour.interfaces.rendering import rasterise
from parlour.players import parse_player
from parlour.records import record_game, replay, write_animation

ANIMATED, VARIANT, PLAYER, SEED = "swords_and_shields-v0", "tablut", "mcts:400", 1
WIDTH = 240
"""Of the small pictures, in pixels; they are shown at half of it."""
PLIES = {"crown_and_anchor-v0": 12, "acey_ducey-v0": 130, "agon-v0": 30, "royal_ur-v0": 60, "backgammon-v0": 40}
"""How many plies of a game between `greedy` players a small picture comes after; of other games, 20."""


TURN, PANEL = ("backgammon-v0", 10, 3), 280
"""The turn that is drawn: the game, the number of its first position, how many positions; and the width of each."""


def strip(pictures: list[str], width: int) -> Image.Image:
    """SVGs side by side, each so many pixels wide."""
    panels = [Image.fromarray(rasterise(picture, width)) for picture in pictures]
    whole = Image.new("RGB", ((width + 8) * len(panels) - 8, max(panel.height for panel in panels)), "white")
    for place, panel in enumerate(panels):
        whole.paste(panel, (place * (width + 8), 0))
    return whole


def frames(game: str, variant: str | None, player: str, seed: int) -> list[str]:
    """A whole game as SVGs, one a position."""
    env = parlour.make(game, variant=variant, illegal_move="raise")
    seats = len(env.possible_agents)
    record = record_game(env, [parse_player(player, env.game)] * seats, seed)
    return [shown.svg() for shown in replay(record, game)]


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path(__file__).parent, help="Folder for the pictures.")
def main(out: Path) -> None:
    """Writes the pictures."""
    for game in parlour.games():
        picture = frames(game, None, "greedy", SEED)[PLIES.get(game, 20)]
        small = Image.fromarray(rasterise(picture, WIDTH)).quantize(64)
        small.save(out / f"{game.partition('-')[0]}.png", optimize=True)
    game, first, count = TURN
    turn = strip(frames(game, None, "greedy", SEED)[first : first + count], PANEL)
    turn.quantize(64).save(out / "turn.png", optimize=True)
    (out / "summary.svg").write_text(compare("agon-v0").summary_plot(), encoding="utf-8")
    write_animation(out / "play.gif", frames(ANIMATED, VARIANT, PLAYER, SEED))
    for path in sorted(out.glob("*.[gps][inv][fg]")):
        click.echo(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
