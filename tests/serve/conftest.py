"""A server in this process, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")
pytest.importorskip("python_multipart")

from starlette.testclient import TestClient

from parlour.serve.settings import Settings
from tests.serve.playing import client_of


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "games.sqlite3")


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with client_of(settings) as made:
        yield made
