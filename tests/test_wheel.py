"""What is installed: every module, every README, nothing else; and the command line on its path."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOTS = {"parlour": "src/parlour", "parlour/envs": "envs", "parlour/wrappers": "wrappers"}


def expected() -> set[str]:
    """The files of the three roots, as they are named in the wheel."""
    return {
        f"{inside}/{path.relative_to(ROOT / outside).as_posix()}"
        for inside, outside in ROOTS.items()
        for path in (ROOT / outside).rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.suffix in (".py", ".md", ".typed", ".html", ".css", ".js", ".svg", ".value", ".json", ".npy", "")
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and a source distribution, both made from a clean copy of the sources."""
    folder = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("source")
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if files.returncode:
        pytest.skip("not a git checkout")
    for name in files.stdout.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    for kind in ("build_wheel", "build_sdist"):
        script = f"import sys; from setuptools import build_meta; build_meta.{kind}(sys.argv[1])"
        done = subprocess.run(
            [sys.executable, "-c", script, str(folder)], cwd=source, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
    return folder


def test_the_wheel_holds_every_module_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == expected()
    assert "parlour/envs/swords_and_shields/README.md" in names
    assert "parlour/py.typed" in names


def test_the_readme_of_the_index_has_absolute_links_alone(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("/METADATA"))).decode()
    assert "Description-Content-Type: text/markdown" in metadata
    home = re.findall(r"^Project-URL: Homepage, (.+)$", metadata, re.MULTILINE)[0]
    links = re.findall(r"(!?)\[[^][]*\]\(([^)]+)\)", metadata)
    assert links
    version = re.findall(r"^Version: (.+)$", metadata, re.MULTILINE)[0]
    for picture, link in links:
        assert link.startswith("https://"), link
        if link.startswith(home) and "/actions/" not in link:  # except for the badge of a workflow
            kind, tag, file = link.partition("#")[0].removeprefix(f"{home}/").split("/", 2)
            assert (kind, tag) == ("raw" if picture else "blob", f"v{version}")
            assert (ROOT / file).exists(), link


def test_the_source_distribution_can_be_tested(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for wanted in ("tests/conftest.py", "envs/__init__.py", "benchmarks/speed.py", "LICENSE", "CONTRIBUTING.md"):
        assert wanted in names


def test_every_dependency_that_is_imported_is_declared() -> None:
    """Third-party modules imported by the package, against pyproject.toml."""
    declared = (ROOT / "pyproject.toml").read_text().lower()
    distributions = {
        "PIL": "pillow",
        "markdown_it": "markdown-it-py",
        "resvg_py": "resvg-py",
        "llvmlite": "numba",
        "pyspiel": "open_spiel",
        "sb3_contrib": "sb3-contrib",
        "stable_baselines3": "sb3-contrib",
        "pydantic": "openenv",
    }
    imported = set()
    for outside in ROOTS.values():
        for path in (ROOT / outside).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    imported |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    imported.add(str(node.module).partition(".")[0])
    third_party = {name for name in imported if name not in sys.stdlib_module_names and name != "parlour"}
    assert {"numpy", "numba", "pettingzoo"} <= third_party
    for name in third_party:
        assert f'"{distributions.get(name, name).lower()}>=' in declared, name
