"""What the statistics of the arena promise, against simulated results: error rates of the sequential test, coverage of
every interval, the claims of whole reports, and the power that a comparison states. The tests hold the same to their
bounds (tests/support/simulations.py); this prints the figures of docs/statistics.md.

    python benchmarks/simulations.py [--runs 1000 --matches 10000]
"""

from __future__ import annotations

import click
from peers import show, table

from tests.support import simulations

POWER = ((40, 20), (93, 1), (200, 50))
"""Games of each variant, and tests of a report."""


@click.command()
@click.option("--runs", default=1000, show_default=True, help="Simulated samples for each interval and power.")
@click.option("--matches", default=10_000, show_default=True, help="Simulated matches for each error rate.")
@click.option("--seed", default=7, show_default=True)
def main(runs: int, matches: int, seed: int) -> None:
    """Prints five tables."""
    test = simulations.SEQUENTIAL
    tests = table(
        f"SPRT of Elo {test.elo0:g} against {test.elo1:g}, α {test.alpha:g}, β {test.beta:g}, {matches} matches each",
        "pairs", "H0 true: H1 accepted, %", "pairs played", "H1 true: H0 accepted, %", "pairs played",
    )  # fmt: skip
    for shape in simulations.SHAPES:
        none = simulations.sequential(test, shape, test.elo0, matches, seed)
        some = simulations.sequential(test, shape, test.elo1, matches, seed + 1)
        wrong = (f"{100 * errors / matches:.1f}" for errors in (none.accepted_h1, some.accepted_h0))
        cells = zip(wrong, (f"{none.pairs:.0f}", f"{some.pairs:.0f}"))
        tests.add_row(shape, *(cell for both in cells for cell in both))
    covered = table(f"95 % intervals that hold the truth, of {runs} samples", "interval", "%")
    for name, case in simulations.INTERVALS.items():
        covered.add_row(name, f"{100 * simulations.coverage(case, runs, seed):.1f}")
    differing = table(f"95 % intervals of differences, of {runs} pairs of samples", "difference of", "%")
    for name, pair in simulations.DIFFERENCES.items():
        differing.add_row(name, f"{100 * simulations.difference_coverage(pair, runs, seed):.1f}")
    made = simulations.reports(runs, seed)
    whole = table(
        f"{runs} reports of four variants and {len(simulations.COMPARED)} measures, which differ in 14 of 24 pairs",
        "of these reports", "figure",
    )  # fmt: skip
    for what, figure in (
        ("reports whose intervals of differences all hold the truth, %", 100 * made.hold),
        ("reports with a wrong claim, %", 100 * made.wrong),
        ("differences that a report finds by its tests alone", made.tested),
        ("of these with an interval across 0, and so not claimed, %", 100 * made.contradicted),
        ("differences that a report claims", made.found),
    ):
        whole.add_row(what, f"{figure:.1f}")
    powers = table(
        f"Differences of the stated size that are found, of {runs} comparisons", "games per variant", "tests", "%"
    )
    for games, count in POWER:
        powers.add_row(str(games), str(count), f"{100 * simulations.power(games, count, runs, seed):.1f}")
    show(tests, covered, differing, whole, powers)


if __name__ == "__main__":
    main()
