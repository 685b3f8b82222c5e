"""Puts a built site beside those of other versions: ``python docs/publish.py SITE PAGES VERSION``.

PAGES is the root of what the web server shows: a folder for each version (``dev`` for main), ``versions.json``, which
the menu of every page reads, and ``index.html``, which leads to the newest release.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

DEV = "dev"


def publish(site: Path, pages: Path, version: str) -> None:
    """Copies ``site`` to ``pages/version``, in place of an earlier one, and rewrites the list and the front page.
    ValueError for a version that is neither ``dev`` nor numbers with dots."""
    if version != DEV and not re.fullmatch(r"\d+(\.\d+)+((a|b|rc)\d+)?", version):
        raise ValueError(f"{version!r} is no version; valid: {DEV!r}, and such as '1.2.3'")
    shutil.rmtree(pages / version, ignore_errors=True)
    shutil.copytree(site, pages / version)
    versions = sorted_versions(path.parent.name for path in pages.glob("*/index.html"))
    (pages / "versions.json").write_text(json.dumps(versions) + "\n", encoding="utf-8")
    (pages / "index.html").write_text(front_page(versions[0]), encoding="utf-8")
    (pages / ".nojekyll").touch()


def sorted_versions(names: object) -> list[str]:
    """Releases, the newest first, then ``dev``; releases to try (a, b, rc) after all others."""

    def key(name: str) -> tuple[bool, bool, list[int]]:
        numbers = [int(number) for number in re.findall(r"\d+", name)]
        return name != DEV, name.replace(".", "").isdigit(), numbers

    return sorted(names, key=key, reverse=True)  # type: ignore[call-overload, no-any-return]


def front_page(version: str) -> str:
    """Leads to a version."""
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Parlour</title>\n'
        f'<meta http-equiv="refresh" content="0; url={version}/">\n<link rel="canonical" href="{version}/">\n'
        f'<p><a href="{version}/">Parlour {version}</a></p>\n</html>\n'
    )


if __name__ == "__main__":
    publish(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
