"""Lists the packages of the three roots (see pyproject.toml), so that a new game's folder is never left out of the
wheel; and gives the README absolute links, since a package index has no other files of the repository."""

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOTS = {"parlour": "src/parlour", "parlour.envs": "envs", "parlour.wrappers": "wrappers"}
HERE = Path(__file__).parent


def stated(key: str) -> str:
    """What pyproject.toml says under ``key`` (Python 3.10 has no reader of TOML)."""
    found = re.search(rf'^{key} = "(.+)"$', (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    return found[1]


def readme() -> str:
    """README.md, each link to a file of the repository made absolute, as of this version's tag: to the page of the
    file, and for pictures, which must be the file itself, to its content."""
    home, tag = stated("Homepage"), f"v{stated('version')}"
    text = (HERE / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\g<1>{home}/raw/{tag}/", text)
    return re.sub(r"(?<=\]\()(?!https?:|#)", f"{home}/blob/{tag}/", text)


setup(
    packages=[
        package
        for name, root in ROOTS.items()
        for package in (name, *(f"{name}.{inner}" for inner in find_packages(str(HERE / root))))
    ],
    long_description=readme(),
    long_description_content_type="text/markdown",
)
