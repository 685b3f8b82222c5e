"""Checks a built site: every link within it leads somewhere, and the reference has everything public.

python docs/builder/check_site.py build/site
"""

from __future__ import annotations

import sys
import zlib
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

PUBLIC = (
    "parlour", "parlour.arena", "parlour.learn", "parlour.players", "parlour.records", "parlour.players.search",
    "parlour.testing", "parlour.players.value", "parlour.wrappers",
)  # fmt: skip
"""Packages of which every name in ``__all__`` must be in the reference."""


class Page(HTMLParser):
    """The places of a page, and what it links to."""

    def __init__(self, html: str) -> None:
        """Reads a page."""
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.reads_fragment = "location.hash" in html
        """by a script of its own, as replay pages do: ``#3`` is the third game"""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what a tag names and links to."""
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value or "")
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken_links(site: Path) -> list[str]:
    """Links within the site that lead nowhere, each with its page. Sphinx's copies of reports under ``_downloads`` are
    left out: the site links to those that lie beside their plots and games (``open_reports`` in ``docs/conf.py``)."""
    files = [path for path in sorted(site.rglob("*.html")) if path.parts[len(site.parts)] != "_downloads"]
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in files}
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            missing = not target.is_file()
            if missing or is_lost(unquote(parts.fragment), pages.get(target)):
                found.append(f"{path.relative_to(site.resolve())}: {link}")
    return found


def is_lost(fragment: str, page: Page | None) -> bool:
    """Whether a page has no such place. None is no page of the site, but a picture or another file."""
    return bool(page and fragment) and fragment not in page.places and not page.reads_fragment


def described(site: Path) -> set[str]:
    """The full names of all Python objects in the reference, from Sphinx's inventory (four lines, then zlib)."""
    content = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(content).decode("utf-8").splitlines()
    return {name for name, kind, *_ in map(str.split, lines) if kind.startswith("py:")}


def missing_names(site: Path) -> list[str]:
    """Public names that the reference does not have. What two packages offer is described in one of them."""
    known = described(site)
    return [
        f"{package}.{name}"
        for package in PUBLIC
        for name in import_module(package).__all__
        if not name.startswith("__") and f"{package}.{name}" not in known and _defined(package, name) not in known
    ]


def _defined(package: str, name: str) -> str:
    """Where a class or function is defined, which Sphinx's inventory has too. Without the extra it needs, its name."""
    try:
        found = getattr(import_module(package), name)
    except ImportError:  # this name of the package needs an extra that is not installed
        return f"{package}.{name}"
    return f"{getattr(found, '__module__', package)}.{getattr(found, '__qualname__', name)}"


def main(site: Path) -> None:
    """Prints what is wrong; exit status 1 if anything is."""
    wrong = [*(f"broken link: {one}" for one in broken_links(site))]
    wrong += [f"not in the reference: {name}" for name in missing_names(site)]
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
