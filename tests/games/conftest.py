"""What the tests of all games share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def counts(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Iterator[Counter[str]]:
    """Counts what occurs in a test beside a referee, prints it (pytest -s), and writes it into reports."""
    counted: Counter[str] = Counter()
    yield counted
    print(f"{request.node.name}: {dict(counted)}")
    record_property("coverage", dict(counted))
