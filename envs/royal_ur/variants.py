"""Options and variants of the Royal Game of Ur (README.md names their sources)."""

from __future__ import annotations

from parlour.rulebook.options import Choice, Count, Flag, Variant, max_plies

PATH = Choice(
    "path",
    ("bell", "masters", "aseb", "murray", "skiriuk"),
    "the way of the men, by who proposed it; aseb is played on a board of its own",
)
MEN = Count("men", 7, "men of each seat", minimum=1, maximum=7)
DICE_KIND = Choice("dice", ("four", "three"), "four two-sided dice; or three, of which no tip up counts 4")
SAFE_ROSETTES = Flag("safe_rosettes", "whether a man on a rosette can't be captured", True)
ROSETTE_THROWS = Flag("rosette_throws", "whether a man that comes to a rosette gives another throw", True)
CAPTURE_THROWS = Flag("capture_throws", "whether a capture gives another throw")

OPTIONS = (PATH, MEN, DICE_KIND, SAFE_ROSETTES, ROSETTE_THROWS, CAPTURE_THROWS, max_plies(2000))

VARIANTS = (
    Variant("finkel", "Finkel's simple rules, on Bell's path"),
    Variant(
        "masters", "Masters' path; rosettes give a throw, but no safety", {"path": "masters", "safe_rosettes": False}
    ),
    Variant(
        "blitz",
        "Masters' path, five men, and captures give another throw too",
        {"path": "masters", "men": 5, "safe_rosettes": False, "capture_throws": True},
    ),
    Variant("aseb", "the Egyptian board with its long row, five men", {"path": "aseb", "men": 5}),
)
