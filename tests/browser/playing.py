"""What a person does on the page of a game."""

from __future__ import annotations

from typing import Any

import numpy as np

TABLE = "#table"


def begin(page: Any, address: str, game: str, **fields: str) -> str:
    """Begins a game from its form: its address."""
    page.goto(f"{address}/new/{game}")
    page.evaluate("document.querySelector('details').open = true")
    fields = {"seat-0": "person", "seat-1": "greedy", "seed": "5", **fields}
    for name, value in fields.items():
        if name == "variant":
            page.check(f'input[name="variant"][value="{value}"]')
        else:
            field = page.locator(f'[name="{name}"]')
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
    page.click("button.main")
    page.wait_for_url("**/games/*")
    return str(page.url)


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
        "() => document.querySelector('#move') || / wins?: |Nobody wins|chips after|limit of/"
        ".test(document.querySelector('#status')?.textContent)"
    )
    return bool(page.locator("#move").count())


def click_something(page: Any, rng: np.random.Generator) -> None:
    """Clicks one of the places and buttons that can be chosen, with the mouse, and waits for what comes of it."""
    before = state(page)
    choices = page.locator(".area.can, #buttons button")
    one = choices.nth(int(rng.integers(choices.count())))
    box = one.bounding_box()
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(
        "before => { const t = document.querySelector('#table').dataset;"
        " return t.version !== before[0] || t.ply !== before[1] || t.chosen !== before[2]; }",
        arg=before,
    )


def play_on(page: Any, seed: int = 0, most: int = 1000) -> int:
    """Plays to the end by clicking at random, or until so many plies are played; how many there are."""
    rng = np.random.default_rng(seed)
    while wait_for_turn(page) and plies(page) < most:
        click_something(page, rng)
    return plies(page)
