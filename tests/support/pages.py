"""What a page with replays holds."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser
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


CELL = ("p", "td", "th")
ENDED_BY = {"td": CELL, "th": CELL, "tr": (*CELL, "tr"), "tbody": (*CELL, "tr")}
"""Elements that may lack their end tags, by the tags that end them."""
VOID = {"meta", "br", "hr", "img", "input", "link", "wbr"}


class Page(HTMLParser):
    """Fails on tags that do not match; keeps what is asked of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.leave(tag)
        if tag not in VOID:
            self.open.append(tag)

    def leave(self, tag: str) -> None:
        """Ends what is in a cell, the cell, and the row, whose end tags HTML lets out before this tag."""
        while self.open and self.open[-1] in ENDED_BY.get(tag, ()):
            self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] != tag and self.open[-1] in (*CELL, "tr"):
            self.open.pop()
        assert self.open.pop() == tag
