"""What a page with replays holds."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def data_of(page: str) -> dict[str, Any]:
    """The data of a page that `parlour.records.page.replay_page` has made, packed or not."""
    found = re.search(r'<script type="application/json" id="data"( data-packed)?>(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found[2])) if found[1] else found[2])
    return data


def labels_of(page: str) -> list[str]:
    """The labels of a page's games."""
    return [game["label"] for game in data_of(page)["games"]]
