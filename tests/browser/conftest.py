"""A server, and a real browser that plays in it. `nox -s browser` runs these tests.

The browser is the system's Chromium or Chrome; without one, or without Playwright, the tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import free_port

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("starlette")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LOST = (
    "ERR_CONNECTION_CLOSED", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE",
    "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_SOCKET_NOT_CONNECTED", "[object Event]",
)  # fmt: skip
"""What the console says when a server is killed: the last is the event stream's error."""
START = 90.0
"""Seconds that a server may take to answer."""


class Served:
    """A server in a process of its own, for a ``with``; it can be killed and started again with the same games."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data, self.options, self.port = data, options, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *unused: object) -> None:
        self.kill()

    def start(self) -> None:
        command = [sys.executable, "-m", "parlour", "serve", "--no-open", "--port", str(self.port), "--data"]
        self.process = subprocess.Popen([*command, str(self.data), *self.options])
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.address}/static/app.css", timeout=5)
            except OSError:
                time.sleep(0.2)
            else:
                return
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


def browser_path() -> str | None:
    """Where the system's browser is; None if it has none."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = browser_path()
    if path is None:
        pytest.skip(f"there is no browser: none of {', '.join(BROWSERS)}")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with playwright.sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=path, args=["--no-sandbox"] if root else [])
        yield made
        made.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages, on which nothing may go wrong: an error of a script, or one on the console, fails the test."""
    contexts, errors = [], []

    def made(**options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1240, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        return page

    yield made
    for context in contexts:
        context.close()
    assert not [error for error in errors if not any(word in error for word in LOST)]


@pytest.fixture
def page(open_page: Callable[..., Any]) -> Any:
    return open_page()
