"""Measures all tables of a page again and writes them into it.

python benchmarks/tables.py docs/speed.md [--only "speed.py batch"]

Each table is between ``<!-- table: COMMAND -->`` and ``<!-- end of table -->``, and is replaced by the output of the
command; after ``<!-- table 2: COMMAND -->`` by the second table that it prints, without text around it. Version,
processor and Python are written after ``<!-- measured -->``. Run it on a machine that does nothing else; docs/speed.md
takes about half an hour.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click

import parlour

ROOT = Path(__file__).parents[1]
TABLE = re.compile(r"(<!-- table(?: (\d+))?: (.+?) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
TABLES, COMMENT = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE), re.compile(r"^<!--.*-->\n", re.MULTILINE)
MEASURED = re.compile(r"(<!-- measured -->\n)(.*?)(<!-- end of measured -->)", re.DOTALL)


def processor() -> str:
    """The processor's name, if the system has it; else the architecture."""
    try:
        names = re.findall(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def conditions() -> str:
    """One sentence with what the figures depend on: version, cores, processor, Python, operating system."""
    return (
        f"Version {parlour.__version__}, {os.cpu_count()} cores, {processor()}, Python {platform.python_version()}, "
        f"{platform.system()}."
    )


def squeezed(output: str) -> str:
    """Markdown with the padding of table cells and repeated empty lines removed."""
    lines = []
    for line in output.strip().splitlines():
        if line.startswith("|"):
            line = re.sub(r"\s*\|\s*", " | ", re.sub(r"-{3,}", "---", line)).strip()
        lines.append(line.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def has_place(page: str, command: str) -> bool:
    """Whether a page has a place for what a command prints."""
    return any(match[3] == command for match in TABLE.finditer(page))


def filled(page: str, command: str, output: str) -> str:
    """The page with what a command printed in its places. Raises ValueError for a table that was not printed."""

    def place(match: re.Match[str]) -> str:
        if match[3] != command:
            return match[0]
        printed = COMMENT.sub("", output)
        if match[2]:
            number, tables = int(match[2]), TABLES.findall(printed)
            if number > len(tables):
                raise ValueError(f"{command} has printed no table {number}")
            printed = tables[number - 1]
        return f"{match[1]}{squeezed(printed)}\n{match[5]}"

    return TABLE.sub(place, page)


def renewed(page: str, output_of: Callable[[str], str], only: str = "") -> str:
    """The page with new tables: those whose command contains ``only``. The conditions are written only if all tables
    are new."""
    for command in dict.fromkeys(match[3] for match in TABLE.finditer(page)):
        page = filled(page, command, output_of(command)) if only in command else page
    return page if only else MEASURED.sub(lambda match: f"{match[1]}{conditions()}\n{match[3]}", page)


def output_of(command: str) -> str:
    """What a command prints, run in the root of the repository. Its ``python`` is the one that runs this. Raises
    CalledProcessError if it fails."""
    click.echo(command, err=True)
    words = shlex.split(command)
    program = [sys.executable, *words[1:]] if words[0] == "python" else words
    return subprocess.run(program, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout


@click.command()
@click.argument("page", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--only", default="", help="Only the commands that contain this text.")
def main(page: Path, only: str) -> None:
    """Measures the tables of PAGE and writes them into it."""
    page.write_text(renewed(page.read_text(encoding="utf-8"), output_of, only), encoding="utf-8")


if __name__ == "__main__":
    main()
