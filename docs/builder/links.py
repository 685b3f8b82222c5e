"""Links of Markdown files, which are written for the repository, as links of the site."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from posixpath import normpath, relpath

import yaml

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]+)?(?=\))")
"""The target of a Markdown link to a file: its path, and perhaps a place in it."""
PAGES = {
    "README.md": "docs/index.md",
    "CHANGELOG.md": "docs/changelog.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "CONTRIBUTING.md#adding-a-game": "docs/add_a_game.md",
    "CITATION.cff": "docs/cite.md",
    "envs": "docs/games/index.md",
}
"""Files of the repository that are pages of the site under another name."""


@cache
def home() -> str:
    """The address of this version's files: of the repository, at this version's tag."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return f"{citation['repository-code']}/blob/v{citation['version']}"


def site_links(text: str, source: str, page: str) -> str:
    """Markdown with every link to a file made one of the site: to its page if it has one, else to the file's address.

    ``source``: the folder of the file in which the text stands; ``page``: the page that shows it. Both are paths from
    the root of the repository, with slashes.
    """

    def rewrite(found: re.Match[str]) -> str:
        path, place = normpath(f"{source}/{found[1]}"), found[2] or ""
        target = PAGES.get(path + place) or PAGES.get(path)
        if path.startswith("envs/") and path.endswith(("/README.md", "/CHAMPION.md")):
            target = f"docs/games/{path.split('/')[1]}.md"
        if target:
            place = "" if path + place in PAGES else place
        elif path.startswith("docs/") and not (ROOT / path).is_dir():  # the site has no pages of folders
            target = path
        else:
            return f"{home()}/{path}{place}"
        return relpath(target, page.rpartition("/")[0] or ".") + place

    return LINK.sub(rewrite, text)
