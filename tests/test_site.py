"""What builds the site: pages made from code hold what the code has, links lead to pages, broken ones are found."""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path

import pytest

import parlour
from parlour.interfaces.registry import find
from tests.support.cases import PRINTED_GAMES

pytest.importorskip("yaml")

from docs.builder import check_site, game_pages, links, project_pages
from docs.publish import publish

ROOT = Path(__file__).parent.parent
each_game = pytest.mark.parametrize("game", PRINTED_GAMES)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_pages, "RANDOM_GAMES", 4)
    monkeypatch.setattr(game_pages, "FRAMES", 2)
    monkeypatch.setattr(game_pages, "PLAYER", "greedy")


@cache
def page_of(game: str) -> str:
    return game_pages.game_page(find(game))


@each_game
def test_a_games_page_has_all_that_its_code_has(game: str) -> None:
    spec = find(game)
    page = page_of(game)
    env = parlour.make(game)
    layout = env.games.layout
    assert page.startswith(f"# {spec.title}\n")
    assert " ".join(spec.readme.split("\n\n")[1].split()) in " ".join(page.split())
    for cell in (f"`Discrete({layout.actions})`", f"`int8 {layout.shape}`", f'`parlour.make("{game}")`'):
        assert cell in page
    for p in range(layout.seats):
        assert f"`player_{p}` ({spec.seat_name(p)})" in page
    for variant in spec.variants:
        assert f"{{figure}} {spec.name}/{variant.name}.svg" in page
        assert re.search(rf"^\| `{variant.name}` \| \d+\.\d \|", page, re.MULTILINE)  # random play
    for option in spec.options:
        assert re.search(rf"^\| `{option.name}` \| .* \| `{option.default}` \| .+ \|$", page, re.MULTILINE), option
    for plane in layout.planes:
        assert f"| {plane.meaning} |" in page
    for word in spec.rules.ENDS[3:]:
        assert f"`{word}`" in page
    for heading in re.findall(r"^#+ .*$", spec.readme.partition("\n")[2], re.MULTILINE):
        assert f"\n#{heading}\n" in page
    for part in ("Play", "Rules and sources", "Environment", "Champion and ladder"):
        assert page.count(f"\n## {part}\n") == 1
        assert f"[{part}](#{part.lower().replace(' ', '-')})" in page


@each_game
def test_a_games_page_has_the_card_of_its_champion(game: str) -> None:
    card = ROOT / "envs" / find(game).name / "CHAMPION.md"
    assert ("\n### The champion\n" in page_of(game)) == card.is_file()
    if card.is_file():
        rows = [line for line in card.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        assert rows
        assert all(row in page_of(game) for row in rows)
        assert "\n#### Strength\n" in page_of(game)


@each_game
def test_links_of_a_games_page_lead_to_pages(game: str) -> None:
    """Every relative link is to a page of the site that is there, or will be made."""
    made = {f"docs/games/{find(name).name}.md" for name in parlour.games()} | set(links.PAGES.values())
    for found in links.LINK.finditer(page_of(game)):
        target = (ROOT / "docs" / "games" / found[1]).resolve().relative_to(ROOT).as_posix()
        assert target in made or (ROOT / target).exists() or target.endswith(("/play.gif", "/replay.html")), found[1]


def test_pictures_of_a_game(tmp_path: Path) -> None:
    game = "checkers-v0"
    game_pages.write_pictures(find(game), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "play.gif",
        "replay.html",
        *(f"{v}.svg" for v in parlour.variants(game)),
        *(f"how-{number}.svg" for number in range(1, 6)),
    }


def test_the_list_of_games_has_every_game() -> None:
    page = game_pages.index_page()
    for game in PRINTED_GAMES:
        assert f"`{game}`" in page
        assert f"]({find(game).name}.md)" in page


def test_links_written_for_the_repository_become_links_of_the_site() -> None:
    def at(link: str, source: str = "docs", page: str = "docs/train.md") -> str:
        return links.site_links(f"[x]({link})", source, page)[4:-1]

    assert at("players.md#search") == "players.md#search"
    assert at("https://example.org") == "https://example.org"
    assert at("#here") == "#here"
    assert at("../envs/agon/README.md#rulings") == "games/agon.md#rulings"
    assert at("../examples/alphazero.py") == f"{links.home()}/examples/alphazero.py"
    assert at("../CONTRIBUTING.md#speed") == "contributing.md#speed"
    assert at("../CONTRIBUTING.md#adding-a-game") == "add_a_game.md"
    assert at("docs/speed.md", ".", "docs/changelog.md") == "speed.md"
    assert at("../../docs/common_rules.md", "envs/agon", "docs/games/agon.md") == "../common_rules.md"


def test_contributing_is_split_into_two_pages() -> None:
    rest, section = project_pages.contributing(), project_pages.adding_a_game()
    assert section.startswith("# Add a game\n")
    whole = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for heading in re.findall(r"^##+ (.+)$", whole, re.MULTILINE):
        assert (f"# {heading}\n" in rest) != (f"## {heading}\n" in section), heading


def test_the_citation_is_that_of_the_file() -> None:
    assert f"version = {{{parlour.__version__}}}" in project_pages.cite()


def site(folder: Path, **pages: str) -> Path:
    folder.mkdir()
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    names = "".join(f"{name} py:function 1 api.html#$ -\n" for name in ("parlour.make", "parlour.games"))
    (folder / "objects.inv").write_bytes(b"# one\n# two\n# three\n# four\n" + zlib.compress(names.encode()))
    return folder


def test_broken_links_are_found(tmp_path: Path) -> None:
    index = '<a href="other.html#there"></a><a href="other.html#lost"></a><img src="no.png"><a href="https://x.org/y">'
    built = site(tmp_path / "site", index=index, other='<p id="there"><a href="#no"></a><a href="."></a></p>')
    assert check_site.broken_links(built) == ["index.html: other.html#lost", "index.html: no.png", "other.html: #no"]


def test_a_replay_page_reads_what_follows_its_name(tmp_path: Path) -> None:
    built = site(
        tmp_path / "site", index='<a href="games.html#3"></a><a href="plain.html#3"></a>', plain="<p></p>",
        games="<script>open(location.hash)</script>",
    )  # fmt: skip
    (built / "_downloads").mkdir()
    (built / "_downloads" / "copy.html").write_text('<a href="games.html"></a>')  # its neighbours are elsewhere
    assert check_site.broken_links(built) == ["index.html: plain.html#3"]


def test_names_that_the_reference_lacks_are_found(tmp_path: Path) -> None:
    missing = check_site.missing_names(site(tmp_path / "site"))
    assert "parlour.make" not in missing
    assert "parlour.make_batch" in missing
    assert "parlour.wrappers.OpponentPool" in missing


def test_versions_stand_beside_one_another(tmp_path: Path) -> None:
    built, pages = site(tmp_path / "site", index="<p>"), tmp_path / "pages"
    pages.mkdir()
    for version in ("dev", "0.9.0", "0.10.0", "0.11.0rc1"):
        publish(built, pages, version)
    assert (pages / "versions.json").read_text() == '["0.10.0", "0.9.0", "0.11.0rc1", "dev"]\n'
    assert 'url=0.10.0/"' in (pages / "index.html").read_text()
    (built / "index.html").write_text("<p>new")
    (pages / "dev" / "old.html").write_text("")
    publish(built, pages, "dev")
    assert (pages / "dev" / "index.html").read_text() == "<p>new"
    assert not (pages / "dev" / "old.html").exists()
    with pytest.raises(ValueError, match="'main' is no version"):
        publish(built, pages, "main")
