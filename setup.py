"""Lists the packages of the three roots (see pyproject.toml), so that a new game's folder is never left out of the
wheel."""

from pathlib import Path

from setuptools import find_packages, setup

ROOTS = {"parlour": "src/parlour", "parlour.envs": "envs", "parlour.wrappers": "wrappers"}
HERE = Path(__file__).parent

setup(
    packages=[
        package
        for name, root in ROOTS.items()
        for package in (name, *(f"{name}.{inner}" for inner in find_packages(str(HERE / root))))
    ]
)
