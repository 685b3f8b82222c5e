"""Learning curves and a table of results of `examples/ppo_selfplay.py`, from several runs of one game, one per seed.

python benchmarks/plot_learning.py runs/swords-1 runs/swords-2 runs/swords-3 --title "Swords & Shields" --out docs/learning_swords_and_shields.svg
"""  # noqa: E501

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import click
import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

mpl.use("svg")
from matplotlib import pyplot as plt

mpl.rcParams.update({"svg.hashsalt": "parlour", "font.family": "sans-serif"})
WON = "won_"
COLOURS = {"random": "#1f6f8b", "greedy": "#c8553d"}


def read_lines(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, by its column names."""
    with file.open(newline="") as stream:
        return list(csv.DictReader(stream))


def checks(runs: tuple[Path, ...]) -> dict[str, NDArray[np.float64]]:
    """For each column float64 (runs, evaluations), cut to the length of the shortest run."""
    curves = [[line for line in read_lines(run / "curve.csv") if line[f"{WON}random"] != "nan"] for run in runs]
    shortest = min(map(len, curves))
    return {
        name: np.array([[float(line[name]) for line in curve[:shortest]] for curve in curves])
        for name in ("plies", "cpu_minutes", *(WON + opponent for opponent in COLOURS))
    }


def draw(curves: dict[str, NDArray[np.float64]], title: str, out: Path) -> None:
    """Draws the share of games won over plies: the mean of all runs, and the range from the worst to the best."""
    figure, axes = plt.subplots(figsize=(7, 4))
    plies = curves["plies"].mean(axis=0)
    for opponent, colour in COLOURS.items():
        won = curves[WON + opponent]
        axes.fill_between(plies, won.min(axis=0), won.max(axis=0), color=colour, alpha=0.2, linewidth=0)
        axes.plot(plies, won.mean(axis=0), color=colour, label=f"against {opponent}")
    axes.set(xlabel="plies learnt from", ylabel="share of games won", ylim=(0, 1), xlim=(0, plies[-1]), title=title)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.legend(loc="best", frameon=False)
    finish(figure, axes, out)


def finish(figure: Any, axes: Any, out: Path) -> None:
    """Writes a picture, the same in each run."""
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None})


def spread(values: Any, form: str) -> str:
    """``0.96 ± 0.01``: mean and standard deviation over the runs; only the value if there is one run."""
    mean = format(np.mean(values), form)
    return mean if len(values) == 1 else f"{mean} ± {format(np.std(values, ddof=1), form)}"


def table(runs: tuple[Path, ...]) -> str:
    """The final results against each opponent over all runs, and the plies and time of the training, as Markdown."""
    ends = [read_lines(run / "curve.csv")[-1] for run in runs]
    took = (spread([float(end[name]) for end in ends], form) for name, form in (
        ("plies", ",.0f"), ("minutes", ".1f"), ("cpu_minutes", ".1f"),
    ))  # fmt: skip
    lines = [
        "plies {}, minutes {}, of processor time {}".format(*took),
        "",
        "| opponent | games a seed | won | drawn | lost |",
        "|---|---|---|---|---|",
    ]
    scores = [read_lines(run / "evaluation.csv") for run in runs]
    for rows in zip(*scores):
        shares = (
            spread([int(row[result]) / int(row["games"]) for row in rows], ".1%")
            for result in ("wins", "draws", "losses")
        )
        lines.append(f"| `{rows[0]['opponent']}` | {rows[0]['games']} | {' | '.join(shares)} |")
    return "\n".join(lines)


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--title", required=True, help="Title of the picture.")
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File of the picture (.svg)."
)
def main(runs: tuple[Path, ...], title: str, out: Path) -> None:
    """Draws the curves of RUNS and prints the table."""
    draw(checks(runs), title, out)
    print(table(runs))


if __name__ == "__main__":
    main()
