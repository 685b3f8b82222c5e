"""Pages made from the files that a repository has anyway: what changed, how to contribute, how to cite."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from docs.builder.game_pages import write_if_new
from docs.builder.links import ROOT, site_links

ADDING = "## Adding a game\n"
"""The heading of CONTRIBUTING.md whose section is a page of its own."""


def write_project_pages(docs: Path) -> None:
    """Writes the pages."""
    for name, text in {
        "changelog": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "contributing": contributing(),
        "add_a_game": adding_a_game(),
        "cite": cite(),
    }.items():
        write_if_new(docs / f"{name}.md", site_links(text, ".", f"docs/{name}.md"))


def split_contributing() -> tuple[str, str, str]:
    """CONTRIBUTING.md before, in and after the section on adding a game."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(ADDING)
    section, heading, after = re.split(r"^(## )", rest, maxsplit=1, flags=re.MULTILINE)
    return before, section, heading + after


def contributing() -> str:
    """CONTRIBUTING.md, the section on adding a game being a link."""
    before, _, after = split_contributing()
    return f"{before}{ADDING}\n[Add a game](CONTRIBUTING.md#adding-a-game) is a page of its own.\n\n{after}"


def adding_a_game() -> str:
    """The section of CONTRIBUTING.md on adding a game, its headings one level up."""
    _, section, _ = split_contributing()
    return "# Add a game\n" + re.sub(r"^#(#+ )", r"\1", section, flags=re.MULTILINE)


def cite() -> str:
    """How to cite, with an entry for BibTeX made from CITATION.cff."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = " and ".join(f"{{{author['name']}}}" for author in citation["authors"])
    return f"""# How to cite

{citation["message"]}

```bibtex
@software{{parlour,
  title = {{{citation["title"]}}},
  author = {{{authors}}},
  version = {{{citation["version"]}}},
  url = {{{citation["repository-code"]}}},
  license = {{{citation["license"]}}}
}}
```

The repository has the same as [`CITATION.cff`](https://citation-file-format.github.io), which
reference managers read.

To cite the rules of a game, name the printed source that the [game's page](envs) gives, the variant with any options
that differ from it, and the version of Parlour. To report results, also name the id of the game with its version, such
as `agon-v0`, the players, the number of games, and the seed.
"""
