"""What a person does on the page of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
from playwright.sync_api import TimeoutError

TABLE = "#table"
TRIES, CLICK_MS = 3, 10_000
PLACE_OF = """share => {
    const all = [...document.querySelectorAll(".area.can, #buttons button")];
    if (!all.length) return null;
    const one = all[Math.floor(share * all.length)];
    one.scrollIntoView({ block: "nearest" });
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Where the middle of one of the things that can be clicked is, all found out at once."""
CHANGED = """before => {
    const t = document.querySelector('#table').dataset;
    return t.version !== before[0] || t.ply !== before[1] || t.chosen !== before[2];
}"""


def begin(page: Any, address: str, game: str, **fields: str) -> str:
    """Begins a game from its form: its address."""
    page.goto(f"{address}/new/{game}")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    fields = {"seat-0": "person", "seat-1": "greedy", "seed": "5", **fields}
    for name, value in fields.items():
        if name == "variant":
            page.check(f'input[name="variant"][value="{value}"]')
        elif name.startswith("seat-"):
            sit(page, name, value)
        else:
            field = page.locator(f'[name="{name}"]')
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
    page.click("button.main")
    page.wait_for_url("**/games/*")
    return str(page.url)


def sit(page: Any, seat: str, player: str) -> None:
    """Chooses who has a seat: a button of the ladder, or else a player by name."""
    button = page.locator(f'label:has(input[name="{seat}"][value="{player}"])')
    if button.count():
        button.click()
    else:
        page.fill(f'[name="other-{seat}"]', player)


def state(page: Any) -> tuple[str, str, str]:
    """What changes with every click: version, plies, how many places are chosen."""
    read = "table => [table.dataset.version, table.dataset.ply, table.dataset.chosen]"
    version, ply, chosen = page.locator(TABLE).evaluate(read)
    return str(version), str(ply), str(chosen)


def plies(page: Any) -> int:
    return int(state(page)[1])


def wait_for_turn(page: Any) -> bool:
    """Waits until the person is to act; False when the game is over."""
    page.wait_for_function(
        "() => document.querySelector('#move') || / wins?( [a-z ]+)?: |Nobody wins|chips after|limit of/"
        ".test(document.querySelector('#status')?.textContent)"
    )
    return bool(page.locator("#move").count())


def settle(page: Any) -> None:
    """Waits until a new table is in its place: until then its buttons do nothing, and what has the focus may change."""
    page.wait_for_function(
        "() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added')"
    )


def see(page: Any, selector: str) -> None:
    """Waits until something is there, and can be used."""
    page.wait_for_selector(selector)
    settle(page)


def click_something(page: Any, rng: np.random.Generator) -> None:
    """Clicks one of the places and buttons that can be chosen, with the mouse, and waits for what follows.

    The table may be replaced just before the mouse is down. Then a person clicks again, and so does this, but only
    then.
    """
    before, share = state(page), float(rng.random())
    for _ in range(TRIES):
        settle(page)
        if state(page) != before:
            return
        place = page.evaluate(PLACE_OF, share)
        if place is None:
            return
        page.mouse.click(*place)
        try:
            page.wait_for_function(CHANGED, arg=before, timeout=CLICK_MS)
        except TimeoutError:
            continue
        return
    raise AssertionError(f"{TRIES} clicks change nothing: {before}")


def play_on(page: Any, seed: int = 0, most: int = 1000) -> int:
    """Plays to the end by clicking at random, or until so many plies are played; how many there are."""
    rng = np.random.default_rng(seed)
    while wait_for_turn(page) and plies(page) < most:
        click_something(page, rng)
    return plies(page)
