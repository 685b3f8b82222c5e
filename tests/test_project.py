"""What surrounds the code: the metadata, the citation and the workflows name one version, one address, one list of
Pythons."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_citation_is_of_this_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    assert citation["repository-code"] == PROJECT["urls"]["Homepage"]
    assert citation["url"] == PROJECT["urls"]["Documentation"]
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert citation["title"]
    assert citation["message"]


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    released = headings[1:] if headings[0] == "Unreleased" else headings
    assert released[0] == PROJECT["version"]


def test_one_address() -> None:
    """Whatever file names the project's home names the one of pyproject.toml."""
    home, site = PROJECT["urls"]["Homepage"], PROJECT["urls"]["Documentation"]
    owner = home.split("/")[3]
    assert site == f"https://{owner}.github.io/parlour/"
    files = [*ROOT.glob("*.md"), *ROOT.glob("*.cff"), *ROOT.glob(".github/**/*.*"), *ROOT.glob("docs/**/*.md")]
    found = {
        match
        for path in files
        for match in re.findall(
            r"https://(?:github\.com/[\w-]+/parlour|[\w-]+\.github\.io/parlour)\b", path.read_text()
        )
    }
    assert found == {home, site.rstrip("/")}


def test_the_pythons_of_the_metadata_are_those_that_are_tested() -> None:
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    prefix = "Programming Language :: Python :: "
    named = [name.removeprefix(prefix) for name in PROJECT["classifiers"] if name.startswith(prefix)]
    assert [name for name in named if "." in name] == PYTHONS
    matrix = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]


@each_workflow
def test_actions_are_pinned_and_rights_are_few(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    used = re.findall(r"uses: (\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used
    for action, comment in used:
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), f"{action} needs its version beside it"
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 120


def test_one_version_of_an_action() -> None:
    used = {action for path in WORKFLOWS for action in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))}
    assert len(used) == len({action.partition("@")[0] for action in used})


NOT_TESTS = {"full", "constraints", "results", "stale"}
"""Sessions that test nothing, or, as ``stale``, are run by ``.ci/run``."""


def test_sessions_that_workflows_name_are_there() -> None:
    """Every ``nox -s NAME`` of a workflow is one of noxfile.py; the matrix has each session that `full` runs."""
    sessions = set(
        re.findall(r"^@nox\.session.*?^def (\w+)", (ROOT / "noxfile.py").read_text(), re.DOTALL | re.MULTILINE)
    )
    matrix = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["sessions"]["strategy"]["matrix"]
    named = {name for path in WORKFLOWS for name in re.findall(r"nox -s (\w+)", path.read_text(encoding="utf-8"))}
    assert named <= sessions
    assert set(matrix["session"]) == sessions - NOT_TESTS
    (in_full,) = re.findall(r"^SESSIONS = (\(.*?\))$", (ROOT / "noxfile.py").read_text(), re.MULTILINE)
    assert set(ast.literal_eval(in_full)) == sessions - NOT_TESTS
    assert "docs" in named


def test_the_release_publishes_what_it_built_without_a_password() -> None:
    release = read(ROOT / ".github" / "workflows" / "release.yml")
    build, publish = release["jobs"]["build"], release["jobs"]["publish"]
    assert publish["needs"] == "build"
    assert publish["permissions"] == {"id-token": "write"}
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert publish["steps"][-1]["with"]["attestations"] is True
    assert any(step.get("uses", "").startswith("actions/attest-build-provenance@") for step in build["steps"])
    assert "secrets." not in (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


def test_issue_forms_are_forms() -> None:
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = read(path)
        if path.stem == "config":
            assert form["blank_issues_enabled"] is False
            continue
        assert form["name"]
        assert form["description"]
        ids = [element["id"] for element in form["body"]]
        assert len(set(ids)) == len(ids)
        assert all(element["attributes"]["label"] for element in form["body"])
