"""Names of actions (``crown*3``) and texts of positions (``chips 20 19 21 20 | banker 2 | throws 3 | …``)."""

from __future__ import annotations

import re

from parlour.rulebook.positions import own_words_refused, read_count
from parlour.rulebook.protocol import Record

from . import rules

MOVE_FORM = "crown*3, done or roll"
DICE_TEXT = True

DESIGN_NAMES = ("crown", "anchor", "heart", "spade", "diamond", "club")
FORM = "chips 20 19 21 20 | banker 2 | throws 3 | bets 3:crown*2,anchor*1 0:- | player_1 | dice 0 0 4 | 17"
FIELDS = re.compile(
    " \\| ".join(
        ("chips (.*)", "banker (.*)", "throws (.*)", "bets(?: (.*))?", "player_(.*)", "dice (.*)", "(.*)")
    ).replace(".", "[^|]")
)
NUMBER = "0|[1-9][0-9]*"
BET = re.compile(f"({'|'.join(DESIGN_NAMES)})\\*([1-9][0-9]{{0,9}})")


def move_name(action: int, state: Record) -> str | None:
    """The same for every seat; how many there are follows `max_stake`."""
    most = int(state.max_stake)
    if action >= rules.DESIGNS * most:
        return "roll" if action > rules.DESIGNS * most else "done"
    return f"{DESIGN_NAMES[action // most]}*{action % most + 1}"


def parse_move(text: str, state: Record) -> int | None:
    """The opposite of `move_name`."""
    most = int(state.max_stake)
    if text in ("done", "roll"):
        return rules.DESIGNS * most + ("done", "roll").index(text)
    match = BET.fullmatch(text)
    if match is None or int(match[2]) > most:
        return None
    return most * DESIGN_NAMES.index(match[1]) + int(match[2]) - 1


def way(action: int, state: Record) -> tuple[str, ...]:
    """No action moves a piece."""
    return ()


def betting_order(state: Record, variant: Record) -> list[int]:
    """The seats that bet in this round: those with chips, from the Banker's left on."""
    players, banker = int(variant.players), int(state.banker)
    return [seat for k in range(1, players) if state.chips[seat := (banker + k) % players] > 0]


def bets_so_far(state: Record, variant: Record) -> dict[int, dict[int, int]]:
    """The seats that have had their turn in this round, or have begun it, in betting order: chips by design."""
    bets = {}
    for seat in betting_order(state, variant):
        bets[seat] = {k: int(stake) for k, stake in enumerate(state.stakes[seat]) if stake}
        if seat == state.to_act:
            if not bets[seat]:
                del bets[seat]
            break
    return bets


def write(state: Record, variant: Record) -> str:
    """Designs in their own order, whatever the order of a seat's bets."""
    bets = [
        f" {seat}:" + (",".join(f"{DESIGN_NAMES[design]}*{stake}" for design, stake in stakes.items()) or "-")
        for seat, stakes in bets_so_far(state, variant).items()
    ]
    dice = [str(face) for face in state.dice if face >= 0]
    return (
        f"chips {' '.join(str(chips) for chips in state.chips[: variant.players])} | banker {state.banker} | "
        f"throws {state.throws} | bets{''.join(bets)} | player_{state.to_act} | dice {' '.join(dice) or '-'} | "
        f"{state.plies}"
    )


def read(text: str, state: Record, variant: Record) -> None:
    """Sets the state; `check` finds bets that are not allowed."""
    match = FIELDS.fullmatch(text)
    if match is None:
        raise ValueError(f"not of the form {FORM!r}")
    chips, banker, throws, bets, seat, dice, last = match.groups()
    plies, *words = last.split(" ")
    if words:
        raise own_words_refused(words, ("end=",))
    rules.setup(state, variant)
    players = int(variant.players)
    state.chips[:players] = read_chips(chips, players)
    state.banker = read_seat("banker", banker, players)
    state.throws = read_count("throws", throws)
    state.due = 0
    state.to_act = read_seat("player_", seat, players)
    state.dice[:] = read_dice(dice)
    state.plies = read_count("plies", plies)
    read_bets(bets, state, variant)


def read_chips(text: str, players: int) -> list[int]:
    """One number per seat; negative for what a Banker owes."""
    chips = text.split(" ")
    if len(chips) != players:
        raise ValueError(f"chips {text!r}: {len(chips)} numbers; with players={players} there must be {players}")
    for number in chips:
        if not re.fullmatch(f"{NUMBER}|-[1-9][0-9]*", number) or len(number) > 16:
            raise ValueError(f"chips {text!r}: {number!r} is no whole number of at most 16 characters")
    return [int(number) for number in chips]


def read_seat(key: str, text: str, players: int) -> int:
    """A seat's number."""
    if not re.fullmatch(NUMBER, text) or len(text) > 2 or int(text) >= players:
        raise ValueError(f"{key}{'' if key.endswith('_') else ' '}{text!r} is no seat; seats: 0 to {players - 1}")
    return int(text)


def read_dice(text: str) -> list[int]:
    """Three designs, or three times −1 before there is a throw."""
    if text == "-":
        return [-1] * rules.THROWN
    if not re.fullmatch("[0-5] [0-5] [0-5]", text):
        raise ValueError(f"dice {text!r} is no throw; a throw is three of the designs 0 to 5, or - before there is one")
    return [int(face) for face in text.split(" ")]


def read_bets(text: str | None, state: Record, variant: Record) -> None:
    """Puts the stakes on the cloth. ValueError for seats that have had no turn, or bets that they can't have made."""
    waiting = betting_order(state, variant)
    entries = [] if text in (None, "-") else text.split(" ")
    for entry in entries:
        number, colon, bets = entry.partition(":")
        seat = read_seat("bets ", number, int(variant.players))
        if not colon:
            raise ValueError(f"bets {entry!r} is not of the form '3:crown*2,anchor*1' or '0:-'")
        if not waiting or waiting.pop(0) != seat:
            order = " ".join(map(str, betting_order(state, variant))) or "(nobody)"
            raise ValueError(f"bets {entry!r} is out of turn; seats bet in the order {order}, each once")
        read_stakes(entry, bets, state, variant, seat)
        if seat == state.to_act:
            waiting.insert(0, seat)
            if variant.bets != rules.MANY or bets == "-" or entry != entries[-1]:
                raise ValueError(f"bets {entry!r}: player_{seat} has had its turn, so it can't be the seat to act")
    due = waiting[0] if waiting else int(state.banker)
    if state.to_act != due:
        raise ValueError(f"player_{state.to_act} can't be the seat to act; after these bets it is player_{due}")


def read_stakes(entry: str, bets: str, state: Record, variant: Record, seat: int) -> None:
    """One seat's bets."""
    if bets == "-":
        if not variant.sit_out:
            raise ValueError(f"bets {entry!r}: with sit_out=False a seat can't place nothing")
        return
    for bet in bets.split(","):
        match = BET.fullmatch(bet)
        if match is None:
            raise ValueError(f"bets {entry!r}: {bet!r} is no bet; bets look like crown*2; designs: {DESIGN_NAMES}")
        design, stake = DESIGN_NAMES.index(match[1]), int(match[2])
        if stake > variant.max_stake:
            raise ValueError(f"bets {entry!r}: {bet!r} is more than max_stake={variant.max_stake}")
        if state.stakes[seat, design]:
            raise ValueError(f"bets {entry!r} names {match[1]} twice; write the sum")
        state.stakes[seat, design] = stake
    if "," in bets and variant.bets != rules.MANY:
        raise ValueError(f"bets {entry!r}: with bets=one a seat bets on one design")
    if rules.staked(state, seat) > state.chips[seat]:
        raise ValueError(f"bets {entry!r} is more than the {state.chips[seat]} chips that player_{seat} has")


def check(state: Record, variant: Record) -> None:
    """ValueError for a position that cannot occur in a running game, or an end that does not fit chips or throws."""
    if (state.throws >= variant.rounds) and state.end not in (rules.ROUNDS_PLAYED, rules.ALL_CHIPS):
        raise ValueError(f"{state.throws} throws, with rounds={variant.rounds}, need end=rounds")
    if state.end == rules.ROUNDS_PLAYED and state.throws != variant.rounds:
        raise ValueError(f"end=rounds after {state.throws} throws, with rounds={variant.rounds}")
    if state.throws > variant.rounds:
        raise ValueError(f"{state.throws} throws; with rounds={variant.rounds} there are no more than that")
    if state.end in (rules.ROUNDS_PLAYED, rules.ALL_CHIPS) and bets_so_far(state, variant):
        raise ValueError(f"end={rules.ENDS[state.end]} with bets, but a throw has just cleared the cloth")
    if variant.bank == rules.LIMITED:
        check_limited(state)
    elif state.end == rules.ALL_CHIPS:
        raise ValueError("end=all_chips, but with bank=unlimited the game goes on then")


def check_limited(state: Record) -> None:
    """No debts, and at least two seats with chips while the game runs."""
    if state.chips.min() < 0:
        raise ValueError(f"chips {state.chips.min()}: with bank=limited no seat has fewer than 0")
    holders = int((state.chips > 0).sum())
    if not holders:
        raise ValueError("nobody has chips")
    if (holders == 1) != (state.end == rules.ALL_CHIPS):
        belied = "one seat has all the chips without" if holders == 1 else f"{holders} seats have chips with"
        raise ValueError(f"{belied} end=all_chips")
    if holders == 1 and state.chips[state.banker] <= 0:
        raise ValueError(f"end=all_chips with banker {state.banker}, but the seat that has all the chips is the Banker")
