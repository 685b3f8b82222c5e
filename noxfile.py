"""Runs against the installed package, each in an environment with what it needs: every example with ``--quick``, the
tests beside RL libraries, the site, and the tests with the oldest versions of all dependencies.

nox -s full                all of these, and a table at the end; -- --resume leaves out those that passed last time, and
                           warns of those that were not run for two weeks
nox -s "examples(tour)"    the examples of one environment
nox -s "libraries(ray)"    the tests beside the libraries of one, and the blocks of pages that need them
nox -s docs                the site, its tutorials run, and the links within it; -- --no-notebooks leaves out the run
nox -s oldest              the tests with the oldest versions
nox -s browser             games played in a real browser, where the machine has one (Chromium or Chrome)
nox -s long                the tests that are too long for the ordinary run: every case of what that samples; those in a
                           browser are run by the session browser
nox -s bounds              a million plies of every game with every index into an array checked
nox -s cuda                the step of every game compiled for a GPU, which takes none
nox -s newest              the tests with today's versions of all dependencies
nox -s stale               which results of the docs are out of date, and why (`benchmarks/results.toml` lists them)
nox -s results             makes those that are, -- NAME one of them; rerun to resume
nox -s constraints         no test: writes .ci/constraints.txt anew, the versions that .ci/run is tried with

An example says what it needs in its inline script metadata (PEP 723). Libraries that can be installed together share
an environment. What `.ci/run` needs must be installed. Where other libraries can't be installed on a machine, the
session is skipped, with the reason in nox's summary.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from platform import python_version
from shutil import rmtree, which
from tempfile import TemporaryDirectory
from time import monotonic

import nox
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent
FROZEN = ROOT / ".ci" / "constraints.txt"
"""The version of every package that an environment of `.ci/run` has."""
TORCH = ROOT / ".ci" / "torch.txt"
"""The version of PyTorch alone, for environments whose other versions are those of the day."""
ALONE = ("ray", "agilerl")
"""Libraries that pin other versions of Gymnasium or PettingZoo than the rest want."""
ENVIRONMENTS = ("tour", "torch", *ALONE)
"""What examples need: Parlour alone, libraries that go with PyTorch, or one that has an environment to itself."""
TESTS = ("hypothesis", "pytest", "pytest-timeout", "pytest-xdist")
BROWSER = ("parlour[web]", "axe-playwright-python", "playwright", *TESTS)
TESTED = {
    "torch": ["parlour[libraries,learn,minari,onnx]"],
    "ray": ["parlour[ray]", "ray[rllib]", "torch"],
    "openenv": ["parlour[openenv]"],
    "verifiers": ["parlour[verifiers]", "uv"],
}
"""What the tests beside libraries need, by environment: Ray pins other versions than the rest want. verifiers runs its
scripts by uv, and fetches that itself where there is none."""
FREEZE = ("docs", "frames", "learn", "libraries", "lint", "minari", "onnx", "test", "web")
"""The extras of the environments of `.ci/run`."""
RUNNER = ("doit>=0.36", "packaging")
"""What runs the commands of results, and compares versions."""
PROOFS = sorted(rules.parent.name for rules in (ROOT / "envs").glob("*/rules.py"))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SEARCHES = ("players/search",)
"""Tests that are long and of Parlour's own arithmetic, so that another version of a library is nothing to them."""

SESSIONS = ("examples", "libraries", "docs", "oldest", "browser", "long", "bounds", "cuda", "newest")
"""What `full` runs. (Of itself nox lists only those that it runs without ``-s``.)"""
PASSED = ROOT / "build" / "full-passed.json"
"""The sessions of `full` that have passed, with the commit that each passed at, and the day."""
STALE_DAYS = 14
"""After so many days a session that has passed is worth a warning."""

nox.options.reuse_existing_virtualenvs = True


def environment(requirements: list[str]) -> str:
    """Where an example with these requirements runs."""
    names = {Requirement(one).name for one in requirements}
    return next((name for name in ALONE if name in names), "tour" if names == {"parlour"} else "torch")


def local(requirement: str) -> str:
    """The requirement, ``parlour`` being this tree: ``parlour[onnx]`` is ``.[onnx]``."""
    return requirement.replace("parlour", str(ROOT), 1) if Requirement(requirement).name == "parlour" else requirement


@nox.session
@nox.parametrize("where", [nox.param(name, id=name) for name in ENVIRONMENTS])
def examples(session: nox.Session, where: str) -> None:
    """Every example of one environment."""
    stated = {path: nox.project.load_toml(path) for path in sorted((ROOT / "examples").glob("*.py"))}
    here = {path: needs for path, needs in stated.items() if environment(needs["dependencies"]) == where}
    needed = {
        path: needs
        for path, needs in here.items()
        if python_version() in SpecifierSet(needs.get("requires-python", ""))
    }
    for path in here.keys() - needed.keys():
        session.warn(f"{path.name} is skipped: it needs Python {here[path]['requires-python']}")
    if not needed:
        session.skip(f"there is no example for {where}")
    wanted = sorted({local(one) for needs in needed.values() for one in needs["dependencies"]})
    try:
        session.install("-c", str(TORCH), *wanted)
    except nox.command.CommandFailed as error:
        session.skip(f"not installed: {', '.join(wanted)}: {error}")
    # In a folder of their own, so that the package is the installed one, and what examples write goes there.
    with TemporaryDirectory() as folder, session.chdir(folder):
        for path in needed:
            session.run("python", str(path), "--quick")


@nox.session
@nox.parametrize("where", [nox.param(name, id=name) for name in TESTED])
def libraries(session: nox.Session, where: str) -> None:
    """The tests beside the libraries of one environment; those beside others are skipped there."""
    wanted = [*map(local, TESTED[where]), *TESTS]
    if where == "torch":
        session.install("-c", str(FROZEN), *wanted)
    else:
        try:
            session.install("-c", str(TORCH), *wanted)
        except nox.command.CommandFailed as error:
            session.skip(f"not installed: {', '.join(wanted)}: {error}")
    processes = "0" if where == "ray" else "auto"  # Ray starts its own
    session.run("pytest", "-q", "-n", processes, "tests/libraries", "tests/examples")
    if where == "torch":
        session.run("pytest", "-q", "tests/test_docs.py", "-k", "train_well")


@nox.session
def docs(session: nox.Session) -> None:
    """The site in ``build/site``, warnings being errors; then the links within it, and that the reference has all."""
    notebooks = "off" if "--no-notebooks" in session.posargs else "force"
    extras = "docs" if notebooks == "off" else "docs,learn"  # the tutorials train with torch
    session.install("-c", str(FROZEN), "-e", f"{ROOT}[{extras}]")
    site = ROOT / "build" / "site"
    rmtree(site, ignore_errors=True)
    session.run(
        "python", "-m", "sphinx", "-q", "-E", "-W", "--keep-going", "-b", "html", str(ROOT / "docs"), str(site),
        env={"PARLOUR_DOCS_NOTEBOOKS": notebooks},
    )  # fmt: skip
    session.run("python", str(ROOT / "docs" / "builder" / "check_site.py"), str(site))


@nox.session
def oldest(session: nox.Session) -> None:
    """The tests, except for the long ones of rules and searches, with the lower bounds of `pyproject.toml`."""
    pins = Path(session.create_tmp()) / "oldest.txt"
    try:
        session.install("uv")
        session.run(
            "uv", "pip", "compile", "-q", "--resolution", "lowest-direct", "--extra", "test", "-o", str(pins),
            str(ROOT / "pyproject.toml"),
        )  # fmt: skip
        session.install("-r", str(pins), str(ROOT))
    except nox.command.CommandFailed as error:
        session.skip(f"the oldest dependencies are not installed: {error}")
    ignored = [f"--ignore=tests/{name}" for name in (*(f"games/{game}" for game in PROOFS), *SEARCHES)]
    session.run("pytest", "-q", "-n", "auto", *ignored, "tests")


@nox.session
def browser(session: nox.Session) -> None:
    """Games played in the system's Chromium, against `parlour serve`: all tests, also those marked ``long``."""
    if not any(which(name) for name in BROWSERS):
        session.skip(f"there is no browser: none of {', '.join(BROWSERS)}")
    session.install("-c", str(FROZEN), *map(local, BROWSER))
    session.run("pytest", "-q", "-m", "browser", *session.posargs, "tests/browser")


@nox.session(default=False)
def long(session: nox.Session) -> None:
    """The tests marked ``long``: every case of what the ordinary tests sample."""
    session.install(f"{ROOT}[test]")
    session.run("pytest", "-q", "-n", "auto", "-m", "(long or hours) and not browser", *session.posargs, "tests")


@nox.session(default=False)
def bounds(session: nox.Session) -> None:
    """All games in all variants, by all kernels, with every index into an array checked."""
    session.install(str(ROOT))
    session.run("python", "-m", "tests.support.checked_play", *session.posargs)


@nox.session(default=False)
def cuda(session: nox.Session) -> None:
    """Batches on a GPU, as far as no GPU is needed: every game compiled for one, and played in CUDA's simulator."""
    session.install(f"{ROOT}[cuda,test]")
    session.run(
        "pytest", "-q", "-n", "auto", "-m", "long or not long", *session.posargs, "tests/interfaces/test_cuda_batch.py"
    )


@nox.session(default=False)
def newest(session: nox.Session) -> None:
    """The tests with the newest version of each dependency, whatever `.ci/constraints.txt` says."""
    session.install("--upgrade", "--upgrade-strategy", "eager", f"{ROOT}[test]", env={"PIP_CONSTRAINT": ""})
    session.run("pytest", "-q", "-n", "auto", *session.posargs, "tests")


@nox.session(default=False)
def stale(session: nox.Session) -> None:
    """Which results of the docs are out of date, and why; fails if one is that may not be."""
    session.install("-c", str(FROZEN), str(ROOT), *RUNNER)
    session.run("python", "benchmarks/results.py", "stale")


@nox.session(default=False)
def results(session: nox.Session) -> None:
    """Makes the results of the docs that are out of date, ``-- NAME`` one of them, ``--ray`` with a cluster; rerun to
    resume."""
    extras = "frames,ray" if any(word.startswith("--ray") for word in session.posargs) else "frames"
    listed = nox.project.load_toml(ROOT / "benchmarks" / "results.toml")
    families = {name.partition(":")[0] for name in session.posargs} & listed.keys() or listed.keys() - {"allowed"}
    packages = sorted({package for family in families for package in listed[family].get("packages", [])})
    versions = TORCH if packages else FROZEN  # packages that are measured may need others
    session.install("-c", str(versions), "-e", f"{ROOT}[{extras}]", *RUNNER, *packages)
    session.run("python", "benchmarks/results.py", "make", *session.posargs)


@nox.session(default=False)
def constraints(session: nox.Session) -> None:
    """The newest versions, for the Python that runs this, of all that an environment of `.ci/run` may install."""
    session.install("uv")
    extras = [word for extra in FREEZE for word in ("--extra", extra)]
    asked = Path(session.create_tmp()) / "tools.txt"
    asked.write_text("\n".join([TORCH.read_text(), "nox", *BROWSER[1:]]))
    session.run(
        "uv", "pip", "compile", "-q", "--upgrade", "--no-annotate", "--custom-compile-command", "nox -s constraints",
        *extras, "-o", str(FROZEN), str(ROOT / "pyproject.toml"), str(asked),
    )  # fmt: skip


@nox.session(default=False, venv_backend="none")
def full(session: nox.Session) -> None:
    """Every other session, and a table of them at the end. ``--resume`` leaves out those that passed last time, and
    warns of those for which that was more than `STALE_DAYS` ago."""
    nox_here = (sys.executable, "-m", "nox")
    listed = json.loads(subprocess.check_output((*nox_here, "--list", "--json", "-s", *SESSIONS), cwd=ROOT))
    names = [one["session"] for one in listed]
    commit = subprocess.check_output(("git", "describe", "--always", "--dirty"), cwd=ROOT, text=True).strip()
    passed = json.loads(PASSED.read_text()) if "--resume" in session.posargs and PASSED.exists() else {}
    PASSED.parent.mkdir(exist_ok=True)
    outcomes, stale, table = [], [], [f"the sessions of this run, at {commit}:"]
    for name in names:
        started = monotonic()
        if name in passed:
            before, day = passed[name]["commit"], date.fromisoformat(passed[name]["day"])
            outcome = f"success before, at {before} on {day}"
            if (date.today() - day).days > STALE_DAYS:
                stale.append(name)
        else:
            with TemporaryDirectory() as folder:
                report = Path(folder) / "report.json"
                subprocess.run((*nox_here, "--report", str(report), "-s", name), cwd=ROOT)
                outcome = json.loads(report.read_text())["sessions"][0]["result"] if report.exists() else "failed"
        if outcome == "success":
            passed[name] = {"commit": commit, "day": date.today().isoformat()}
            PASSED.write_text(json.dumps(passed, indent=1))
        outcomes.append(outcome)
        table.append(f"{name:20}{(monotonic() - started) / 60:7.1f} min  {outcome}")
    session.log("\n".join(table))
    if stale:
        session.warn(f"not run for more than {STALE_DAYS} days: {', '.join(stale)}; without --resume all are run")
    if "failed" in outcomes or "aborted" in outcomes:
        session.error("not all passed; `nox -s full -- --resume` runs those that did not")
