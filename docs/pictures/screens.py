"""Takes the pictures of pages for README and docs, in the system's Chromium: the first page of `parlour serve`, the
form for a new game, a game under way, and a report of `parlour compare`, as wide as a phone.

python -m docs.pictures.screens [--out docs/pictures]

It needs Playwright beside the extra ``web``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click
from PIL import Image
from playwright.sync_api import sync_playwright

from parlour.arena import compare
from tests.browser.conftest import Served, browser_path
from tests.browser.playing import begin, wait_for_turn

HINTS = 3
"""How many of the champion's moves are played before the picture of the game."""


def shoot(page: Any, file: Path) -> None:
    """Saves the page as it is seen, with few colours."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=file)
    Image.open(file).convert("RGB").quantize(128).save(file, optimize=True)
    click.echo(f"{file.name}: {file.stat().st_size:,} bytes")


def take_hint(page: Any) -> None:
    """Asks for a hint, at most a few times: the first may come before its search is compiled."""
    page.click("#hint")
    page.wait_for_selector(".hint li", timeout=120_000)


def shoot_game(page: Any, address: str, file: Path) -> None:
    """A game of Checkers against ``hard`` after a few hints, with the next one shown."""
    begin(page, address, "checkers-v0", **{"seat-1": "grade:hard"})
    for _ in range(HINTS):
        wait_for_turn(page)
        take_hint(page)
        ply = page.get_attribute("#table", "data-ply")
        page.fill("#move", page.inner_text(".hint li >> nth=0").split()[0])
        page.keyboard.press("Enter")
        page.wait_for_function("ply => document.querySelector('#table').dataset.ply !== ply", arg=ply)
    wait_for_turn(page)
    page.wait_for_function("() => document.querySelector('#film').hidden")
    take_hint(page)
    page.evaluate("document.activeElement.blur()")
    page.evaluate("window.scrollTo(0, 0)")
    shoot(page, file)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path(__file__).parent, help="Folder for the pictures.")
def main(out: Path) -> None:
    """Takes the pictures."""
    folder = Path(tempfile.mkdtemp())
    compare("royal_ur-v0", games=60).report(folder)
    served = Served(folder / "games")
    served.start()
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
            desk, phone = ({"width": width, "height": height} for width, height in ((1240, 900), (390, 844)))
            page = browser.new_page(viewport=desk, reduced_motion="reduce")
            shoot_game(page, served.address, out / "board.png")
            page.goto(served.address)
            shoot(page, out / "home.png")
            page.goto(f"{served.address}/new/royal_ur-v0")
            shoot(page, out / "setup.png")
            page = browser.new_page(viewport=phone)
            page.goto(f"file://{folder / 'report.html'}")
            shoot(page, out / "report.png")
            browser.close()
    finally:
        served.kill()


if __name__ == "__main__":
    main()
