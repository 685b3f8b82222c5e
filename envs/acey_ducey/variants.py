"""Options and variants of Acey Ducey (the README; Parker is the printed sheet)."""

from __future__ import annotations

from parlour.rulebook.options import Amount, Choice, Flag, Variant, max_plies

DUCEY_POINTS = Choice(
    "ducey_points",
    ("tables", "all"),
    "the No. 1 and No. 2 points from which a man can be sent: those of the home tables, or of all four tables",
)
ENTERING = Choice(
    "entering",
    ("individual", "joint"),
    "men may be moved when the seat's own 15 have been entered, or when both seats' have",
)
MUST_USE_BOTH = Flag("must_use_both", "whether both numbers of a throw must be played where possible, else the higher")
BEAR_OFF_FIRST = Flag("bear_off_first", "whether a number must bear off the man on its own point if there is one")
BEAR_OFF_FROM = Choice(
    "bear_off_from",
    ("at_once", "next_turn"),
    "bearing off begins with the next number after the last man has come home, or with the next turn",
)
DOG_HOUSE_PENALTY = Amount(
    "dog_house_penalty", 0.0, "reward that a seat gives to the other for each of its men sent to the Dog House"
)
DICE_KIND = Choice(
    "dice", ("acey_ducey", "plain"), "Acey Ducey's dice, or ordinary ones without special faces and without doubling"
)

OPTIONS = (
    DUCEY_POINTS,
    ENTERING,
    MUST_USE_BOTH,
    BEAR_OFF_FIRST,
    BEAR_OFF_FROM,
    DOG_HOUSE_PENALTY,
    DICE_KIND,
    max_plies(2000),
)

VARIANTS = (
    Variant("parker", "the printed rules"),
    Variant("all_tables", "men can be sent from the No. 1 and 2 points of all four tables", {"ducey_points": "all"}),
    Variant("backgammon_discipline", "both numbers must be played where possible", {"must_use_both": True}),
    Variant("plain_dice", "ordinary dice, to compare with", {"dice": "plain"}),
)
