"""Agon, clause by clause: envs/agon/README.md and docs/common_rules.md; Woolson, Kato and Neto are the printed sheets.

A test sets up a few pieces and plays. Pieces are given by their cells (``G c4 d5, q f6``); queens that a scene does not
name stand out of the way. Every scene is played twice, as it is told and on the board turned half round with colours
swapped, and must come out the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from tests.games.agon.geometry import CELLS, LINES, RINGS, distance, half_turned, neighbours
from tests.games.agon.invariants import CELL, board_text, pieces_in
from tests.support.games import begun
from tests.support.scenes import Board, Boards

GAME = "agon-v0"
VARIANTS = tuple(parlour.variants(GAME))
RELOCATING = VARIANTS[:-1]
TEST_POSITION = "6/7/8/4gG3/4G1g3/4GQG4/3qGG1gg1/1g2g4/8/7/6 l"
OUT_OF_THE_WAY = {"Q": ("a1", "a6", "f1"), "q": ("k6", "k1", "f11")}
FAR_GUARDS = {"G": "a3", "g": "k3"}  # so that no side is without guards


def ring(number: int, *without: str) -> set[str]:
    """The cells of a ring, except for some."""
    return {cell for cell in CELLS if distance(cell) == number} - set(without)


def puts(cells: set[str]) -> set[str]:
    return {f"@{cell}" for cell in cells}


def turned(text: str) -> str:
    """A text with every cell in it turned half round."""
    return CELL.sub(lambda name: half_turned(name[0]), text)


def at(pieces: dict[str, str], seat: str, words: str, options: dict[str, Any]) -> Any:
    return begun(GAME, 1, position=f"{board_text(pieces)} {seat}{words}", illegal_move="raise", **options)


class Scene(Boards):
    """A game, and the same half turned with colours swapped."""

    def __init__(self, pieces: str, seat: str, words: str = "", **options: Any) -> None:
        board: dict[str, str] = {}
        for group in filter(None, pieces.split(", ")):
            letter, *cells = group.split()
            board.update(dict.fromkeys(cells, letter))
        there = "place" not in words  # else Light is always first: a swapped board would not fit the counts
        if there:
            for letter, cells in OUT_OF_THE_WAY.items():
                if letter not in board.values():
                    board[next(cell for cell in cells if cell not in board)] = letter
            for letter, cell in FAR_GUARDS.items():
                if letter not in board.values():
                    board[cell] = letter
        swapped = {half_turned(cell): letter.swapcase() for cell, letter in board.items()}
        boards = [Board(at(board, seat, words, options))]
        if there:
            other = "ld"[seat == "l"]
            boards.append(Board(at(swapped, other, turned(words), options), turned, turned, swapped=True))
        super().__init__(boards)

    @property
    def to_act(self) -> str:
        """``l`` or ``d``."""
        return "ld"[self.seat]

    @property
    def pieces(self) -> dict[str, str]:
        return self.shown(
            lambda board: {
                board.back(cell): letter.swapcase() if board.swapped else letter
                for cell, letter in pieces_in(board.env.position()).items()
            }
        )

    @property
    def words(self) -> str:
        """What the text has after the seat, except for `plies=` and `seen=`."""
        return self.shown(
            lambda board: " ".join(
                board.back(word)
                for word in board.env.position().split()[2:]
                if not word.startswith(("plies=", "seen="))
            )
        )

    @property
    def ending(self) -> tuple[str, float]:
        """The ending's word, and Light's reward."""
        end, light, dark = self.result
        assert light + dark == 0
        return end, light


# --- the board ---


def test_constants() -> None:
    """207 straight threes, 90 along the rings of which 60 are straight; 324 steps of guards, 330 of queens."""
    board = parlour.make(GAME).game.rules.__dict__
    assert (len(LINES), len(RINGS), len(LINES & RINGS)) == (207, 90, 60)
    assert board["CELLS"] == len(CELLS) == 91
    assert [len(ring(number)) for number in range(6)] == [1, 6, 12, 18, 24, 30]
    inward = [(c, n) for c in CELLS for n in neighbours(c) if distance(n) <= distance(c)]
    assert (len(inward), len([step for step in inward if step[1] != "f6"])) == (330, 324)


def test_the_set_up() -> None:
    """Light Q a1, guards k4 i8 e10 a5 e1 j1; Dark q k6, guards k2 b7 a3 c1 g1 g10; Light moves first (Kato)."""
    for variant in VARIANTS:
        if variant not in ("classic_placing", "bell", "parlett"):
            env = begun(GAME, variant=variant)
            assert env.position() == "1g1G1q/G6/7G/9/g8g/11/G8G/9/g7/6g/Q1g1G1 l"
            assert env.agent_selection == "player_0"


def test_the_test_position() -> None:
    """Neto's second diagram: round the corner of ring 2."""
    for variant in ("ring", "classic"):
        env = begun(GAME, position=TEST_POSITION, variant=variant)
        taken = pieces_in(TEST_POSITION)
        if variant == "ring":
            assert set(env.legal_moves()) == puts(ring(3, *taken))
        else:
            assert "h6-g6" in env.legal_moves()
            env.step(env.parse_move("h6-g6"))
            assert env.games.ending(0) == "enthroned"
            assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


# --- moving ---


@pytest.mark.parametrize("cell", ["a1", "c5", "d6", "e6", "f9", "h5"])
def test_one_step_inward_or_along_the_ring(cell: str) -> None:
    """Kato: “The destination must be a hex in the inner ring of the previous move, or a hex in the same ring”."""
    scene = Scene(f"G {cell}, Q f1", "l")
    assert {name[-2:].strip("-") for name in scene.moves if name.startswith(f"{cell}-")} == {
        other for other in neighbours(cell) if distance(other) <= distance(cell) and other != "f6"
    }


def test_only_a_queen_enters_the_throne() -> None:
    """Woolson: “None by Queens must occupy the center space”."""
    scene = Scene("Q f5, G e6", "l")
    assert "f5-f6" in scene.moves
    assert "e6-f6" not in scene.moves


def test_a_queen_on_the_throne_cannot_leave_it() -> None:
    assert not any(name.startswith("f6") for name in Scene("Q f6, G c3", "l").moves)


def test_no_step_onto_a_piece() -> None:
    assert {"c3-d4", "c3-c4"} & Scene("G c3 d4, g c4", "l").moves == set()


# --- trapping ---


def test_a_guard_between_two_enemies_is_trapped() -> None:
    """In a straight line with `line`, along its ring with `ring`, round corners too; never otherwise."""
    env: dict[str, Any] = {}
    for geometry in ("line", "ring"):
        env[geometry] = parlour.make(GAME, geometry=geometry, entering="trapped")
    for one, middle, other in sorted(LINES | RINGS):
        if "f6" in (one, middle, other):
            continue
        free = [cell for cell in ("a1", "a6", "k6", "k1") if cell not in (one, middle, other)]
        board = board_text({one: "g", other: "g", middle: "G", free[0]: "Q", free[1]: "q"})
        for geometry, threes in (("line", LINES), ("ring", RINGS)):
            env[geometry].reset(options={"position": f"{board} l"})
            trapped = "@" in "".join(env[geometry].legal_moves())
            assert trapped == ((one, middle, other) in threes), (geometry, board)


def test_queens_count_as_flankers_and_on_the_throne() -> None:
    """Woolson: “between two hostile pieces”; the ruling: “the throne included”."""
    assert Scene("G f7, g f8, q f6", "l").moves == puts(ring(5, "a1"))
    assert not Scene("G f7, g f8", "l").moves & puts(ring(5))


def test_a_queen_on_the_throne_is_trapped_in_line_and_never_along_a_ring() -> None:
    taken = ("f5", "f7", "f6")
    pieces = "Q f6, g f5 f7, G a3"
    every = set(CELLS) - {*taken, "a3", "k6"}
    assert Scene(pieces, "l").moves == puts(every)
    assert Scene(pieces, "l", queen_goes="next_ring").moves == puts(ring(1, *taken))
    assert Scene(pieces, "l", queen_goes="outer").moves == puts(ring(5, "a3", "k6"))
    assert not any(name.startswith("@") for name in Scene(pieces, "l", geometry="ring").moves)


def test_own_pieces_do_not_trap() -> None:
    assert not any(name.startswith("@") for name in Scene("G d5 d4, g d6", "l").moves)


def test_a_piece_whose_flanker_has_left_is_free_again() -> None:
    """A stone trapped in its own ply, freed by the enemy's: `entering` = `trapped`."""
    scene = Scene("G c4, g d4 d6, Q a1", "l", entering="trapped").play("c4-d5")
    scene.play("d4-e5")
    assert not any(name.startswith("@") for name in scene.moves)
    again = Scene("G c4, g d4 d6 a3", "l", entering="trapped").play("c4-d5", "a3-b3")
    assert again.moves == puts(ring(5, "a1", "k6"))


@pytest.mark.parametrize(
    ("guard_goes", "cell", "flankers", "goals"),
    [
        ("outer", "d5", ("d4", "d6"), ring(5)),
        ("next_ring", "d5", ("d4", "d6"), ring(3)),
        ("next_ring", "c3", ("c2", "c4"), ring(4)),
        ("next_ring", "a3", ("a2", "a4"), ring(5)),
        ("outer", "a3", ("a2", "a4"), ring(5)),
    ],
)
def test_where_a_trapped_guard_goes(guard_goes: str, cell: str, flankers: tuple[str, str], goals: set[str]) -> None:
    """Kato: “any of the free hexes in the outermost ring”; Neto: “any empty cell in the next outer ring”; from the
    outer ring another cell of it, never its own."""
    assert distance(cell) == {"d5": 2, "c3": 3, "a3": 5}[cell]
    scene = Scene(f"G {cell}, g {' '.join(flankers)}", "l", guard_goes=guard_goes)
    assert scene.moves == puts(goals - {cell, *flankers, "a1", "k6"})


def test_a_relocation_is_the_whole_turn() -> None:
    scene = Scene("G d5, g d4 d6", "l").play("@a4")
    assert scene.pieces["a4"] == "G"
    assert "d5" not in scene.pieces
    assert scene.to_act == "d"


def test_the_queen_first_then_the_guards_by_choice() -> None:
    """Woolson, rule 2; a single one left is not asked for."""
    scene = Scene("Q d5, G g8 h3, g d4 d6 g7 g9 h2 h4", "l")
    assert scene.moves == puts(set(CELLS) - set(scene.pieces))
    scene.play("@a1", "k6-k5")
    assert scene.moves == {"g8^", "h3^"}
    scene.play("h3^")
    assert scene.words == "phase=chosen:h3"
    assert scene.to_act == "l"
    assert scene.moves == puts(ring(5, "a1", "k5"))
    scene.play("@a2", "k5-k4")
    assert scene.moves == puts(ring(5, "a1", "a2", "k4"))
    assert scene.words == ""


RING_TWO_FULL = "g e4 e6 d4 d6 h4 h5, q d5, G e5 f4 e7 f8 g7 h6, Q g4"
"""Light's guard on e5 is trapped along its row, and ring 2 is full."""


def test_without_a_legal_cell_the_turn_is_a_forced_pass() -> None:
    """“If no trapped piece has a legal cell the only action is `pass`, even if other pieces could step.”; “A full next
    ring is not skipped”; a forced pass is not touched for."""
    for touch_move in (False, True):
        scene = Scene(RING_TWO_FULL, "l", guard_goes="next_ring", touch_move=touch_move)
        assert scene.moves == {"pass"}
        assert scene.play("pass").words == "passes=1"
    assert Scene(RING_TWO_FULL, "l").moves == puts(ring(5))


@pytest.mark.parametrize("placed_by", ["owner", "opponent"])
def test_a_trapped_queen_without_a_legal_cell_leaves_the_turn_to_the_guards(placed_by: str) -> None:
    """Woolson, rule 2, as far as it can be followed; with `queen_placed_by=opponent` her owner acts then. Ring 1 is
    full, so the queen on the throne stays; the guard on c3 goes to the outer ring."""
    text = "5q/7/8/9/4GG4/4gQg4/4gg4/9/1gGg4/7/6 l"
    env = begun(GAME, position=text, queen_goes="next_ring", queen_placed_by=placed_by)
    assert env.agent_selection == "player_0"
    assert set(env.legal_moves()) == puts(ring(5, "k6"))
    env.step(env.parse_move("@a1"))
    assert pieces_in(env.position())["a1"] == "G"
    assert env.agent_selection == "player_1"


def test_with_neither_queen_nor_guard_to_put_the_turn_is_a_forced_pass() -> None:
    pieces = "g e4 e6 d4 d6 h4 g4, q d5, Q e5, G f4 e7 f8 g7 h6 h5"
    for placed_by in ("owner", "opponent"):
        scene = Scene(pieces, "l", queen_goes="next_ring", guard_goes="outer", queen_placed_by=placed_by)
        assert scene.to_act == "l"
        assert scene.moves == {"pass"}


# --- entering ---


def test_blocking_forbids_every_arrival() -> None:
    """Kato, Blocking; a step, a relocation and a placement alike (ruling)."""
    scene = Scene("G c4, g d4 d6", "l")
    assert "c4-d5" not in scene.moves
    assert "c4-d5" in Scene("G c4, g d4 d6", "l", entering="trapped").moves
    assert "@a3" not in Scene("G d5, g d4 d6 a2 a4", "l").moves
    assert "@a3" in Scene("G d5, g d4 d6 a2 a4", "l", entering="trapped").moves
    words, pieces = " phase=place", "Q a1, q k6, g d4 d6, G b2 b4"
    assert "@d5" not in Scene(pieces, "l", words, setup="guards").moves
    assert "@d5" in Scene(pieces, "l", words, setup="guards", entering="trapped").moves
    assert "@d5" in Scene(pieces, "l", words, setup="guards", capture="bloody").moves


def test_walking_into_a_trap() -> None:
    """Neto: “If a piece moves between two enemy pieces, it also gets trapped”; it must go on its seat's next turn."""
    scene = Scene("G c4, g d4 d6 a3", "l", entering="trapped").play("c4-d5")
    assert not any(name.startswith("@") for name in scene.moves)
    scene.play("a3-b3")
    assert all(name.startswith("@") for name in scene.moves)


# --- who places the queen ---


def test_the_opponent_puts_an_exiled_queen_down() -> None:
    """Kato, alternative rule 2: within her owner's turn, which it ends."""
    scene = Scene("Q d5, g d4, g c6, G a3", "d", queen_placed_by="opponent").play("c6-d6")
    assert scene.to_act == "d"
    assert scene.words == "phase=exile"
    assert scene.moves == puts(set(CELLS) - set(scene.pieces))
    scene.play("@a1")
    assert scene.pieces["a1"] == "Q"
    assert scene.to_act == "d"
    assert not any(name.startswith("@") for name in scene.moves)


def test_guards_trapped_with_an_exiled_queen_wait_for_the_next_turn() -> None:
    scene = Scene("Q d5, g d4 g7 g9, g c6, G g8", "d", queen_placed_by="opponent").play("c6-d6", "@a1", "k6-k5")
    assert scene.to_act == "l"
    assert scene.moves == puts(ring(5, "a1", "k5"))


def test_a_text_at_the_start_of_a_turn_that_begins_with_exile_is_the_opponents() -> None:
    scene = Scene("Q d5, g d4 d6", "l", queen_placed_by="opponent")
    assert scene.to_act == "d"
    assert scene.words == "phase=exile"


# --- placing ---


def test_guards_are_placed_by_turns() -> None:
    """Kato, alternative 1: any empty cell but the throne, Light first; then Light's turn."""
    for variant in ("classic_placing", "bell"):
        env = begun(GAME, variant=variant)
        assert set(env.legal_moves()) == puts(set(CELLS) - {"a1", "k6", "f6"})
        for n in range(6):
            for seat, row in enumerate("bj"):
                assert env.agent_selection == f"player_{seat}"
                env.step(env.parse_move(f"@{row}{n + 1}"))
        assert env.agent_selection == "player_0"
        assert "phase" not in env.position()
        assert "b1-c1" in env.legal_moves()


def test_parlett_places_the_queens_first() -> None:
    env = begun(GAME, variant="parlett")
    assert set(env.legal_moves()) == puts(set(CELLS) - {"f6"})
    for move in ("@e5", "@g7", "@a1"):
        env.step(env.parse_move(move))
    assert env.position() == "6/7/8/9/6q3/11/4Q5/9/8/7/G5 d phase=place plies=3"


def test_trapped_pieces_are_relocated_once_play_begins() -> None:
    scene = Scene(
        "Q a1, q k6, G d5 a2 a3 a4 a5 a6, g d4 d6 k1 k2 k3", "d", " phase=place", setup="guards", entering="trapped"
    )
    assert scene.play("@k4").moves == puts(ring(5) - set(scene.pieces))


def test_a_sixth_guard_placed_round_the_throne_loses_at_once() -> None:
    scene = Scene("Q a1, q k6, G e5 e6 f5 f7 g5, g k1 k2 k3 k4 k5", "l", " phase=place", setup="guards")
    assert "@g6" in scene.moves
    assert scene.play("@g6").ending == ("forfeit", -1.0)


# --- the end ---

HOME = "e5 e6 f5 f7 g5"


def test_the_last_guard_home_wins() -> None:
    """Kato: “place your queen on the throne and surround it with six of your own guards”."""
    assert Scene(f"Q f6, G {HOME} h6", "l").play("h6-g6").ending == ("enthroned", 1.0)


def test_five_guards_and_the_queen_are_not_enough() -> None:
    assert Scene(f"Q f6, G {HOME} h6", "l").play("h6-h5").ending == ("", 0.0)
    assert Scene(f"Q f6, G {' '.join(HOME.split()[1:])} h6", "l").play("h6-g6").ending == ("", 0.0)


@pytest.mark.parametrize("surround_loses", ["queen_absent", "throne_empty"])
def test_six_guards_without_their_queen(surround_loses: str) -> None:
    """Woolson, rule 4; with `throne_empty` the enemy's queen on the throne saves them."""
    for capture in ("relocate", "bloody"):
        scene = Scene(f"G {HOME} h6, g k3", "l", surround_loses=surround_loses, capture=capture)
        assert scene.play("h6-g6").ending == ("forfeit", -1.0)
    beside = Scene(f"G {HOME} h6, q f6, g k3", "l", surround_loses=surround_loses).play("h6-g6")
    assert beside.ending == (("forfeit", -1.0) if surround_loses == "queen_absent" else ("", 0.0))


def test_two_passes_in_a_row_are_a_draw() -> None:
    """The count is in the text; a step in between resets it."""
    scene = Scene("Q a1, q k6", "l", touch_move=True)
    scene.play("a1^", "pass")
    assert scene.words == "passes=1"
    scene.play("k6^")
    assert scene.words == "phase=touched:k6 passes=1"
    assert scene.play("pass").ending == ("passes", 0.0)
    other = Scene("Q a1, q k6", "l", touch_move=True).play("a1^", "pass", "k6^", "k6-k5", "a1^", "pass")
    assert other.ending == ("", 0.0)
    assert other.words == "passes=1"


def test_a_seat_that_cannot_step_passes() -> None:
    scene = Scene(f"Q f6, G {HOME}, g g6", "l")
    assert scene.moves == {"pass"}
    assert scene.play("pass").words == "passes=1"


def test_touch_and_move() -> None:
    """Woolson, rule 3: “If a piece be touched preparatory to moving, it must be moved or the move be lost”."""
    scene = Scene("Q f6, G c3 c5, g k3", "l", touch_move=True)
    assert scene.moves == {"f6^", "c3^", "c5^"}
    scene.play("c3^")
    assert scene.to_act == "l"
    assert scene.moves == {"c3-c2", "c3-c4", "c3-d3", "c3-d4", "pass"} & scene.moves
    assert "pass" in scene.moves
    assert {name[:2] for name in scene.moves} == {"c3", "pa"}
    relocation = Scene("G d5, g d4 d6", "l", touch_move=True)
    assert all(name.startswith("@") for name in relocation.moves)


def test_repetition_is_looked_at_when_a_turn_has_ended() -> None:
    scene = Scene("Q a1, q k6, G c3, g i6", "l", repetition=2, touch_move=True)
    scene.play("a1^", "a1-a2", "k6^", "k6-k5", "a2^", "a2-a1", "k5^")
    assert scene.ending == ("", 0.0)
    assert scene.play("k5-k6").ending == ("repetition", 0.0)


def test_no_turn_may_end_in_a_position_that_has_been_there() -> None:
    scene = Scene("Q a1, q k6, G c3, g i6", "l", repetition=2, repeats="forbidden", touch_move=True)
    scene.play("a1^", "a1-a2", "k6^", "k6-k5", "a2^", "a2-a1", "k5^")
    assert "k5-k6" not in scene.moves
    assert {"pass", "k5-j5"} <= scene.moves


# --- Bloody Queen ---


def bloody(pieces: str, seat: str = "l", words: str = "", **options: Any) -> Scene:
    return Scene(pieces, seat, words, capture="bloody", **options)


def test_stepping_between_two_enemies_is_safe_and_not_blocked() -> None:
    """Kato: “you can advance your piece between two opponent's pieces on your turn without being trapped”."""
    scene = bloody("G c4, g d4 d6 k3").play("c4-d5")
    assert scene.pieces["d5"] == "G"
    assert scene.to_act == "d"
    assert not any(name.startswith("@") for name in scene.moves)


def test_a_guard_trapped_by_two_guards_is_put_one_ring_out() -> None:
    """By the trapping seat, within its turn."""
    scene = bloody("G d4 c6, g d5 k3").play("c6-d6")
    assert scene.to_act == "l"
    assert scene.words == "phase=put:d5"
    assert scene.moves == puts(ring(3))
    scene.play("@c3")
    assert scene.pieces["c3"] == "g"
    assert scene.to_act == "d"


def test_its_owner_puts_it_with_relocated_by_owner() -> None:
    scene = bloody("G d4 c6, g d5 k3", relocated_by="owner").play("c6-d6")
    assert scene.to_act == "d"
    assert scene.moves == puts(ring(3))
    assert scene.play("@c3").to_act == "d"


def test_from_the_outer_ring_it_goes_elsewhere_on_it() -> None:
    scene = bloody("G a2 a5, g a3 k3").play("a5-a4")
    assert scene.moves == puts(ring(5, "a1", "a2", "a3", "a4", "k3", "k6"))


def test_a_full_ring_is_skipped() -> None:
    """Kato: “If there is no available location in the one outer ring, the guard is placed in the second outer ring”."""
    full = "G e4 d4 d6 h4 h5 e6, Q d5, g e5 f4 e7 f8 g7 h6, q g4"
    scene = bloody(full, "l", " phase=put:e5")
    assert scene.moves == puts(ring(3))


def test_a_guard_trapped_by_a_guard_and_a_queen_is_removed() -> None:
    """Kato: “immediately removes the trapped guard from the game”; whichever of the two has stepped."""
    for pieces, move in (("Q d4, G c6, g d5 k3", "c6-d6"), ("G d4, Q c6, g d5 k3", "c6-d6")):
        scene = bloody(pieces).play(move)
        assert "d5" not in scene.pieces
        assert scene.to_act == "d"


def test_a_trapped_queen_changes_places_with_an_outermost_guard() -> None:
    """Kato: “exchanges it for one of the outermost guards of the opponent. The exchanged guard is removed”."""
    scene = bloody("G d4 c6, q d5, g k3 f8").play("c6-d6")
    assert scene.pieces["k3"] == "q"
    assert "d5" not in scene.pieces
    assert scene.pieces["f8"] == "g"
    assert scene.to_act == "d"


def test_the_stepping_seat_chooses_among_several_outermost_guards() -> None:
    scene = bloody("G d4 c6, q d5, g k3 a3 f8").play("c6-d6")
    assert scene.to_act == "l"
    assert scene.words == "phase=exchange"
    assert scene.moves == {"k3^", "a3^"}
    scene.play("a3^")
    assert scene.pieces["a3"] == "q"
    assert scene.to_act == "d"


def test_an_exchanged_guard_that_waited_to_be_put_down_waits_no_more() -> None:
    """The queen on d5 and the guard on c5 are trapped at once; the guard is the one that is exchanged for her."""
    env = begun(GAME, position="6/7/8/2g6/10/11/10/3Gq4/4gG2/3G3/Q5 l", variant="bloody_queen", illegal_move="raise")
    env.step(env.parse_move("c6-d6"))
    assert env.position().startswith("6/7/8/2g6/10/11/10/3GqG3/4g3/3G3/Q5 l phase=exchange:c5")
    env.step(env.parse_move("c5^"))
    assert env.position().split(" plies")[0] == "6/7/8/2g6/10/11/10/3G1G3/4q3/3G3/Q5 d"
    assert not any(name.startswith("@") for name in env.legal_moves())


def test_a_queen_on_the_throne_is_trapped_and_one_that_steps_onto_it_traps() -> None:
    scene = bloody("G f5 f8, q f6, g k3").play("f8-f7")
    assert scene.pieces["k3"] == "q"
    assert bloody("Q e6, G h4, g g5 k3", "l").play("e6-f6").pieces.get("g5") is None


def test_losing_the_last_guard() -> None:
    """Kato: “If you lose all your guards, you lose the game”: by a removal, or by an exchange."""
    assert bloody("Q d4, G c6, g d5").play("c6-d6").ending == ("guardless", 1.0)
    assert bloody("G d4 c6, q d5, g k3").play("c6-d6").ending == ("guardless", 1.0)


def test_all_remaining_guards_win() -> None:
    """Kato: “all of your remaining guards on the board in one of the six hexes surrounding the throne”."""
    assert bloody("Q f6, G e5 h6, g k3").play("h6-g6").ending == ("enthroned", 1.0)
    assert bloody("Q f6, G e5 h6 c3, g k3").play("h6-g6").ending == ("", 0.0)
    assert bloody("Q e6, G e5 g5, g k3").play("e6-f6").ending == ("enthroned", 1.0)


def test_the_other_side_can_win_on_the_movers_turn() -> None:
    """A removal can leave exactly the right guards."""
    scene = bloody("q f6, g e5 d5, Q d4, G c6").play("c6-d6")
    assert scene.ending == ("enthroned", -1.0)


def test_guards_are_put_down_in_the_order_of_cells() -> None:
    """As the stepping seat sees the board, which may be decided in between."""
    env = begun(GAME, position="6/7/8/9/2GgGgG3/11/10/9/8/7/Q4q l phase=put:g4,g6", capture="bloody")
    env.step(env.parse_move(env.legal_moves()[0]))
    assert "phase=put:g6" in env.position()


def test_only_a_step_traps() -> None:
    """“Nothing else (a relocated or exchanged piece, a placement) ever traps.”"""
    scene = bloody("G d4 c6 c4, g d5 c5 k3").play("c6-d6", "@c3")
    assert scene.to_act == "d"
    assert scene.pieces["c4"] == "G"


# --- options ---


def test_what_a_variant_brings_along_is_not_refused() -> None:
    """Only what is given is; `ring` sets `geometry` and more, which fall silent."""
    env = begun(GAME, position="5q/7/8/9/10/11/10/3GgG3/8/7/Q5 l", variant="ring", capture="bloody")
    assert not any(name.startswith("@") for name in env.legal_moves())


def test_an_observation_is_the_same_for_both_sides() -> None:
    """“the board turned half round (index i -> 90 − i), and so do its actions”."""
    light, dark = (board.env for board in Scene("Q d5, G g8, g d4 c6", "l").boards)
    one, other = light.observe("player_0"), dark.observe("player_1")
    assert np.array_equal(one["observation"], other["observation"])
    assert np.array_equal(one["action_mask"], other["action_mask"])
