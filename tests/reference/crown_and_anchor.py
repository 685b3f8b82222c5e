"""A slow, plain referee for Crown and Anchor, to be held side by side against a fast kernel.

Written only from the rules (envs/crown_and_anchor/README.md and docs/common_rules.md) and the printed sheet
(Parker); it shares no code with the package. Each rule is a small function that quotes the sentence it stands
for; quotations marked Parker are the printed sheet's, all others the rulings'.

Chips are a list, one number a seat. The bets on the table are a dict from a seat to its bets, in betting order;
a seat's bets are a dict from a design to the chips on it. A seat that has placed nothing is in the dict (with an
empty dict of bets) once it is done. A throw is a tuple of faces, 0 for crown to 5 for club.

Words of `end` (rulings of this file, the rules name none):
    rounds      throw number `rounds` has been settled
    all_chips   limited bank: one seat holds all the chips (named before `rounds` where both fall together)
    max_plies   truncated

Words of `events` (a Counter, of the last ply only):
    matched_0 … matched_3   stakes, by the number of dice that show their design
    triple                  all three dice show one design
    bank_passed             the Banker is another seat than before
    no_bets                 the Banker threw with nothing on the table
    skipped                 seats skipped in the round that now begins, having no chips
    below_zero              the Banker's chips are below zero after the settlement
    banker_broke            limited bank: the Banker has no chips left after the settlement
    paid_in_part            limited bank: seats that were paid something, but not all they were owed
    not_paid                limited bank: seats that were owed something and paid nothing
    seat_passed_over        limited bank: seats without chips that the bank passed over
    sat_out                 a seat was done without a bet
    added                   a bet was added to a design that held one of the seat already
    forced_done             several bets: after this one the seat can place no more and can only be done
    void                    the limit fell in mid-round: stakes on the table that are void
    ended_on_limit          a result fell on ply number `max_plies`
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import product

Throw = tuple[int, ...]
Bets = dict[int, dict[str, int]]

DESIGNS = ("crown", "anchor", "heart", "spade", "diamond", "club")
"""Designs, in this order everywhere."""

CROWN = 0
"""The face of the crown."""

OPTION_VALUES = {
    "bets": ("one", "many"),
    "payout": ("net", "gross"),
    "bank": ("unlimited", "limited"),
}

VARIANTS: dict[str, dict[str, str]] = {
    "parker": {},
    "many_bets": {"bets": "many"},
    "gross": {"payout": "gross"},
    "limited_bank": {"bank": "limited"},
}
"""Variants: `parker` (default), `many_bets` (bets many), `gross` (payout gross), `limited_bank` (bank limited)."""

END_WORDS = ("rounds", "all_chips", "max_plies")

WHOLE_NUMBER = re.compile("0|[1-9][0-9]*")
SIGNED_NUMBER = re.compile("0|-?[1-9][0-9]*")


# -------------------------------------------------------------------------------- dice


def checked(faces: Throw, count: int) -> Throw:
    """The throw, if it is one: "A wrong length or an impossible face is a `ValueError`." """
    if not isinstance(faces, tuple) or len(faces) != count:
        raise ValueError(f"a throw of {count} must have {count} faces, not {faces!r}")
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, int) or not 0 <= face <= 5:
            raise ValueError(f"a face must be 0 to 5, not {face!r}")
    return faces


def first_banker(throw: Callable[[int], Throw], players: int) -> int:
    """First Banker: each seat in turn throws one die, from player_0, round and round, until a crown comes.

    Parker: "To start the game each player throws a single die in turn. The first one to throw a Crown is Banker."
    """
    seat = 0
    while checked(throw(1), 1) != (CROWN,):
        seat = next_seat(seat, players)
    return seat


def matches(faces: Throw, design: str) -> int:
    """On how many dice the design is shown."""
    return faces.count(DESIGNS.index(design))


def is_triple(faces: Throw) -> bool:
    """Parker: "triple designs (3 of any one kind)"."""
    return faces[0] == faces[1] == faces[2]


# -------------------------------------------------------------------------------- seats


def next_seat(seat: int, players: int) -> int:
    """To the left (next higher seat, wrapping round)."""
    return (seat + 1) % players


def betting_order(chips: list[int], banker: int) -> list[int]:
    """Every seat but the Banker, from the Banker's left on (ascending seat order, wrapping round).

    "A seat that has no chips (zero or below) when the round begins is skipped." (Chips change hands only at the
    throw, so these are the chips with which the round began.)
    """
    order = []
    seat = next_seat(banker, len(chips))
    while seat != banker:
        if chips[seat] > 0:
            order.append(seat)
        seat = next_seat(seat, len(chips))
    return order


# -------------------------------------------------------------------------------- betting


def bet_name(design: str, stake: int) -> str:
    """Action names: `crown*3`."""
    return f"{design}*{stake}"


def all_bets(chips: int, laid: dict[str, int], max_stake: int) -> dict[str, tuple[str, int]]:
    """All bets a seat can place, by name: 1 to `max_stake` chips, at most what it has, on one design.

    `laid` is what it has placed already: "each adding to what lies on that design, up to max_stake a design and
    to its chips in all".
    """
    bets = {}
    for design in DESIGNS:
        for stake in range(1, max_stake + 1):
            within_design = laid.get(design, 0) + stake <= max_stake
            within_chips = sum(laid.values()) + stake <= chips
            if within_design and within_chips:
                bets[bet_name(design, stake)] = (design, stake)
    return bets


def may_be_done(laid: dict[str, int], bets: str, sit_out: bool) -> bool:
    """`done`, legal once a bet has been placed in this round. `sit_out`: … legal from the start.

    "With `one` a bet ends the seat's turn without `done`", so `done` is there the choice of no bet.
    """
    if sit_out:
        return True
    return bets == "many" and bool(laid)


# -------------------------------------------------------------------------------- settlement


def owed_for(stake: int, shown: int, payout: str) -> int:
    """What the Banker owes for a stake on a design that is shown on `shown` dice, one at least.

    "A design shown on m dice pays the stake m-fold, and the stake is kept: `payout` = `net` | `gross` (m-fold
    including the stake, that is m − 1 from the Banker)." Parker: "3 of any "Design" turned up counts triple for each
    chip or token."
    """
    return shown * stake if payout == "net" else (shown - 1) * stake


def lost(laid: dict[str, int], faces: Throw) -> int:
    """The Banker collects the rest. Parker: "The Banker collects all unclaimed chips or tokens." """
    return sum(stake for design, stake in laid.items() if matches(faces, design) == 0)


def owed(laid: dict[str, int], faces: Throw, payout: str) -> int:
    """All that a seat is owed on all its designs."""
    return sum(
        owed_for(stake, matches(faces, design), payout) for design, stake in laid.items() if matches(faces, design) > 0
    )


def settle(
    chips: list[int], banker: int, bets: Bets, faces: Throw, payout: str, bank: str
) -> tuple[list[int], Counter[str]]:
    """The chips after the settlement, and what happened in it.

    "`bank` = `unlimited` (the Banker's chips may go below zero …) | `limited` (the Banker first collects all lost
    stakes, then pays with the chips it then has, seat by seat in betting order, each seat all that it is owed on all
    its designs, as far as the chips go, the last in part …)."
    """
    after = list(chips)
    events: Counter[str] = Counter()
    for seat, laid in bets.items():
        after[seat] -= lost(laid, faces)
        after[banker] += lost(laid, faces)
    for seat, laid in bets.items():
        debt = owed(laid, faces, payout)
        paid = debt if bank == "unlimited" else min(debt, after[banker])
        after[banker] -= paid
        after[seat] += paid
        if paid < debt:
            events["paid_in_part" if paid > 0 else "not_paid"] += 1
    return after, events


def next_banker(chips: list[int], banker: int, faces: Throw, bank: str) -> int:
    """The Banker of the next round; `chips` are those after the settlement.

    "Triples: settled as usual, then the bank passes to the left." `unlimited`: "the bank passes to the next seat
    whatever its chips". `limited`: "after settlement the bank passes on a triple and whenever the Banker has no chips
    left, once, to the next higher seat that has chips".
    """
    if bank == "unlimited":
        return next_seat(banker, len(chips)) if is_triple(faces) else banker
    if not is_triple(faces) and chips[banker] > 0:
        return banker
    seat = next_seat(banker, len(chips))
    while chips[seat] <= 0:
        seat = next_seat(seat, len(chips))
    return seat


def one_holds_all(chips: list[int]) -> bool:
    """One seat holding all the chips (which ends the game with a limited bank)."""
    return sum(1 for count in chips if count > 0) <= 1


# -------------------------------------------------------------------------------- position text


def write_bets(bets: Bets) -> str:
    """The field "bets 3:crown*2,anchor*1 0:-": bets in betting order so far.

    Rulings: a seat's designs stand in the order of the designs, each once; the field of an empty table is `bets`.
    """
    words = ["bets"]
    for seat, laid in bets.items():
        names = [bet_name(design, laid[design]) for design in DESIGNS if design in laid]
        words.append(f"{seat}:" + (",".join(names) if names else "-"))
    return " ".join(words)


def read_number(word: str, pattern: re.Pattern[str], what: str) -> int:
    """A number of a text."""
    if not pattern.fullmatch(word):
        raise ValueError(f"{word!r} is no number of {what}")
    return int(word)


def read_field(field: str, key: str) -> list[str]:
    """The words of a field after its first, which must be `key`."""
    first, *rest = field.split(" ")
    if first != key:
        raise ValueError(f"expected a field {key!r}, not {field!r}")
    return rest


def read_bets(words: list[str]) -> Bets:
    """The bets of the words "3:crown*2,anchor*1", "0:-"."""
    bets: Bets = {}
    for word in words:
        seat_word, colon, names = word.partition(":")
        seat = read_number(seat_word, WHOLE_NUMBER, "a seat")
        if not colon or seat in bets:
            raise ValueError(f"{word!r} has no place among the bets")
        bets[seat] = {}
        for name in [] if names == "-" else names.split(","):
            design, _, stake = name.partition("*")
            if design not in DESIGNS or design in bets[seat]:
                raise ValueError(f"{name!r} has no place in {word!r}")
            bets[seat][design] = read_number(stake, WHOLE_NUMBER, "a stake")
    return bets


def read_throw(words: list[str]) -> Throw:
    """The latest throw of the words "0", "0", "4", or no throw of the word "-"."""
    if words == ["-"]:
        return ()
    return checked(tuple(read_number(word, WHOLE_NUMBER, "a face") for word in words), 3)


def read_seat(word: str, players: int) -> int:
    """The seat of the word "player_1"."""
    names = [f"player_{seat}" for seat in range(players)]
    if word not in names:
        raise ValueError(f"the seat to act must be one of {names}, not {word!r}")
    return names.index(word)


# -------------------------------------------------------------------------------- the game


def _check_value(option: str, value: object) -> None:
    """Refuse an unknown value of a named option, naming it and listing what is possible."""
    possible = OPTION_VALUES[option]
    if not isinstance(value, str) or value not in possible:
        raise ValueError(f"{option} must be one of {possible}, not {value!r}")


def _check_count(option: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse what is no count ("booleans are not counts") or out of range."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        possible = f"at least {least}" if most is None else f"{least} to {most}"
        raise ValueError(f"{option} must be an integer, {possible}, not {value!r}")


class Referee:
    """Plays one game by the printed rules.

    `seat` is the seat to act (after the end: the seat whose turn it would be), `plies` the ply count, `throws` the
    throws made, `dice` the latest throw. `end` is "" while the game runs, else a word of the module's list. `rewards`
    and `events` are those of the last ply.
    """

    def __init__(
        self,
        *,
        throw: Callable[[int], Throw],
        players: int = 4,
        max_stake: int = 5,
        bets: str = "one",
        sit_out: bool = False,
        payout: str = "net",
        start_chips: int = 20,
        bank: str = "unlimited",
        rounds: int = 100,
        max_plies: int = 0,
        position: str | None = None,
    ) -> None:
        """Start a game with the opening throws, or from a text (then "there is no opening")."""
        _check_count("players", players, 2, 12)
        _check_count("max_stake", max_stake, 1)
        _check_value("bets", bets)
        if sit_out is not False and sit_out is not True:
            raise ValueError(f"sit_out must be False or True, not {sit_out!r}")
        _check_value("payout", payout)
        _check_count("start_chips", start_chips, 1)
        _check_value("bank", bank)
        _check_count("rounds", rounds, 1)
        _check_count("max_plies", max_plies, 0)
        self.throw = throw
        self.players = players
        self.max_stake = max_stake
        self.bets_rule = bets
        self.sit_out = sit_out
        self.payout = payout
        self.start_chips = start_chips
        self.bank = bank
        self.rounds = rounds
        self.max_plies = max_plies

        self.chips: list[int] = [start_chips] * players
        self.bets: Bets = {}
        self.throws: int = 0
        self.dice: Throw = ()
        self.plies: int = 0
        self.end: str = ""
        self.rewards: tuple[float, ...] = (0.0,) * players
        self.events: Counter[str] = Counter()
        if position is None:
            self.banker = first_banker(throw, players)
            self.seat = self._first_seat()
        else:
            self._read(position)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        throw: Callable[[int], Throw],
        players: int = 4,
        max_stake: int = 5,
        bets: str = "one",
        sit_out: bool = False,
        payout: str = "net",
        start_chips: int = 20,
        bank: str = "unlimited",
        rounds: int = 100,
        max_plies: int = 0,
    ) -> Referee:
        """A game that goes on from a position's text."""
        return cls(
            throw=throw,
            players=players,
            max_stake=max_stake,
            bets=bets,
            sit_out=sit_out,
            payout=payout,
            start_chips=start_chips,
            bank=bank,
            rounds=rounds,
            max_plies=max_plies,
            position=text,
        )

    # ---------------------------------------------------------------------------- a round

    def _order(self) -> list[int]:
        """The seats that bet in this round, in order."""
        return betting_order(self.chips, self.banker)

    def _first_seat(self) -> int:
        """The seat that begins a round. "If nobody can bet the Banker throws all the same." """
        order = self._order()
        return order[0] if order else self.banker

    def _seat_after(self, seat: int) -> int:
        """The seat after a bettor whose turn is over: the next bettor. Then the Banker throws (`roll`)."""
        order = self._order()
        place = order.index(seat) + 1
        return order[place] if place < len(order) else self.banker

    def legal(self) -> list[str]:
        """The names of all legal actions, sorted. "After the end there is no legal action." """
        if self.end:
            return []
        if self.seat == self.banker:
            return ["roll"]
        laid = self.bets.get(self.seat, {})
        names = list(all_bets(self.chips[self.seat], laid, self.max_stake))
        if may_be_done(laid, self.bets_rule, self.sit_out):
            names.append("done")
        return sorted(names)

    def play(self, name: str) -> None:
        """Play one ply: a bet, `done` or `roll`."""
        if name not in self.legal():
            raise ValueError(f"{name!r} is not legal in {self.text()!r}")
        self.plies += 1
        self.rewards = (0.0,) * self.players  # "a bet itself gives no reward"
        self.events = Counter()
        if name == "roll":
            self._roll()
        elif name == "done":
            self._done()
        else:
            self._bet(name)
        self._look_for_limit()

    def _bet(self, name: str) -> None:
        """Places a bet …, openly. "With `one` a bet ends the seat's turn without `done`"."""
        laid = self.bets.setdefault(self.seat, {})
        design, stake = all_bets(self.chips[self.seat], laid, self.max_stake)[name]
        if design in laid:
            self.events["added"] += 1
        laid[design] = laid.get(design, 0) + stake
        if self.bets_rule == "one":
            self.seat = self._seat_after(self.seat)
        elif not all_bets(self.chips[self.seat], laid, self.max_stake):
            self.events["forced_done"] += (
                1  # "with `many`, `done` is a ply of its own even where it is the only one left"
            )

    def _done(self) -> None:
        """`done` (nothing (more) placed)."""
        if not self.bets.setdefault(self.seat, {}):
            self.events["sat_out"] += 1
        self.seat = self._seat_after(self.seat)

    def _roll(self) -> None:
        """Then the Banker throws (`roll`). Settlement; the bank may pass; a new round begins.

        "Reward: on each `roll` ply, each seat's change in chips divided by `start_chips`".
        """
        self.dice = checked(self.throw(3), 3)
        self.throws += 1
        for laid in self.bets.values():
            for design in laid:
                self.events[f"matched_{matches(self.dice, design)}"] += 1
        if not any(self.bets.values()):
            self.events["no_bets"] += 1

        before = self.chips
        self.chips, events = settle(before, self.banker, self.bets, self.dice, self.payout, self.bank)
        self.events += events
        self.rewards = tuple((now - then) / self.start_chips for now, then in zip(self.chips, before))
        self.bets = {}
        if self.chips[self.banker] < 0:
            self.events["below_zero"] += 1
        if self.bank == "limited" and self.chips[self.banker] == 0:
            self.events["banker_broke"] += 1
        if is_triple(self.dice):
            self.events["triple"] += 1

        self._pass_bank()
        self._look_for_result()

    def _pass_bank(self) -> None:
        """The bank passes, if it does, and the seat that begins the next round is to act."""
        left = self.banker
        self.banker = next_banker(self.chips, left, self.dice, self.bank)
        if self.banker != left:
            self.events["bank_passed"] += 1
            passed_over = (self.banker - left) % self.players - 1
            if self.bank == "limited" and passed_over:
                self.events["seat_passed_over"] += passed_over
        self.seat = self._first_seat()
        skipped = self.players - 1 - len(self._order())
        if skipped:
            self.events["skipped"] += skipped

    def _look_for_result(self) -> None:
        """The game ends (terminated) after the settlement of throw number `rounds`.

        "`limited` (… one seat holding all the chips ends the game)."
        """
        if self.bank == "limited" and one_holds_all(self.chips):
            self.end = "all_chips"
        elif self.throws >= self.rounds:  # "throws without bets count"
            self.end = "rounds"

    def _look_for_limit(self) -> None:
        """When ply number `max_plies` has been played and has not ended the game, all seats are truncated.

        "… that ply's rewards are given as usual; a result on that very ply wins over the limit." "When it truncates in
        mid-round the bets on the table are void": the stakes lie among the seats' chips, which do not change. (Ruling:
        the last text still shows them.)
        """
        if self.max_plies == 0 or self.plies < self.max_plies:
            return
        if self.end:
            self.events["ended_on_limit"] += 1
            return
        self.end = "max_plies"
        stakes = sum(len(laid) for laid in self.bets.values())
        if stakes:
            self.events["void"] += stakes

    # ---------------------------------------------------------------------------- chance

    def chance_outcomes(self) -> list[tuple[Throw, float]]:
        """The distinct outcomes of the next throw not yet made, sorted faces with probability.

        "56 for three (1/216, 3/216, 6/216); `[]` when over".
        """
        if self.end:
            return []
        ways = Counter(tuple(sorted(faces)) for faces in product(range(6), repeat=3))
        return [(faces, ways[faces] / 216) for faces in sorted(ways)]

    # ---------------------------------------------------------------------------- text

    def text(self) -> str:
        """`chips 20 19 21 20 | banker 2 | throws 3 | bets 3:crown*2,anchor*1 0:- | player_1 | dice 0 0 4 | 17`.

        "Chips by seat, Banker, throws made, bets in betting order so far, seat to act, latest throw (or `-`), ply
        count." "A finished game's text has a last word `end=…`" (ruling: one space before it, no bar).
        """
        fields = [
            "chips " + " ".join(str(count) for count in self.chips),
            f"banker {self.banker}",
            f"throws {self.throws}",
            write_bets(self.bets),
            f"player_{self.seat}",
            "dice " + (" ".join(str(face) for face in self.dice) if self.dice else "-"),
            str(self.plies) + (f" end={self.end}" if self.end else ""),
        ]
        return " | ".join(fields)

    def _read(self, text: str) -> None:
        """Take over a position's text. "A finished game's text … can be read back as well … rewards 0"."""
        if not isinstance(text, str) or text.count(" | ") != 6:
            raise ValueError(f"position must be a text of seven fields, not {text!r}")
        fields = text.split(" | ")
        chips = read_field(fields[0], "chips")
        if len(chips) != self.players:
            raise ValueError(f"a position of {self.players} players has the chips of as many seats: {text!r}")
        self.chips = [read_number(word, SIGNED_NUMBER, "chips") for word in chips]
        banker, throws = read_field(fields[1], "banker"), read_field(fields[2], "throws")
        if len(banker) != 1 or len(throws) != 1:
            raise ValueError(f"one Banker and one count of throws: {text!r}")
        self.banker = read_seat("player_" + banker[0], self.players)
        self.throws = read_number(throws[0], WHOLE_NUMBER, "throws")
        self.bets = read_bets(read_field(fields[3], "bets"))
        self.seat = read_seat(fields[4], self.players)
        self.dice = read_throw(read_field(fields[5], "dice"))
        plies, *last = fields[6].split(" ")
        self.plies = read_number(plies, WHOLE_NUMBER, "plies")
        if last:
            if len(last) != 1 or not last[0].startswith("end=") or last[0][4:] not in END_WORDS:
                raise ValueError(f"{' '.join(last)!r} has no place at the end of {text!r}")
            self.end = last[0][4:]

        if self.bank == "limited" and min(self.chips) < 0:
            raise ValueError(f"chips go below zero only with an unlimited bank: {text!r}")
        self._check_bets(text)
        if not self.end:
            self._refuse_decided_position(text)

    def _check_bets(self, text: str) -> None:
        """Refuse bets that the seats could not have placed in this order and by these options."""
        done = list(self.bets)
        if self.bets_rule == "many" and self.seat in self.bets and self.seat != self.banker:
            if not self.bets[self.seat]:  # it would be done, and another seat to act
                raise ValueError(f"the seat to act has placed nothing yet: {text!r}")
            done.remove(self.seat)
        order = self._order()
        if done != order[: len(done)] or self.seat != (order + [self.banker])[len(done)]:
            raise ValueError(f"the bets or the seat to act do not fit the betting order: {text!r}")
        if list(self.bets) != order[: len(self.bets)]:
            raise ValueError(f"the bets do not stand in betting order: {text!r}")
        for seat, laid in self.bets.items():
            if not laid and not self.sit_out:
                raise ValueError(f"seat {seat} may not sit out: {text!r}")
            if self.bets_rule == "one" and len(laid) > 1:
                raise ValueError(f"seat {seat} may place one bet only: {text!r}")
            if (
                any(not 1 <= stake <= self.max_stake for stake in laid.values())
                or sum(laid.values()) > self.chips[seat]
            ):
                raise ValueError(f"seat {seat} can't place such stakes: {text!r}")

    def _refuse_decided_position(self, text: str) -> None:
        """Refuse what only a text with `end=…` may show: a game that is over, "a count at its limit"."""
        if self.bank == "limited" and one_holds_all(self.chips):
            raise ValueError(f"one seat holds all the chips: {text!r}")
        if self.throws >= self.rounds:
            raise ValueError(f"all {self.rounds} throws have been made: {text!r}")
        if self.max_plies != 0 and self.plies >= self.max_plies:
            raise ValueError(f"all {self.max_plies} plies have been played: {text!r}")
