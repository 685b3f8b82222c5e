"""Swords & Shields, clause by clause: its README and docs/common_rules.md; Milton Bradley is the printed
sheet.

A test sets up a few pieces and plays. Pieces are given by their dots (``swords c2 c9, shield c3, chief g8``), and every
test runs in the eight orientations of the board. Where both colours or all variants follow the same clause, the test
runs for them all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from itertools import combinations
from typing import Any

import pytest

import parlour
from tests.games.swords_and_shields.texts import board_text
from tests.support.games import begun
from tests.support.scenes import Board, Boards, Result

GAME = "swords_and_shields-v0"
VARIANTS = ("milton_bradley", "tablut", "corner_escape")
START = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s"
FILES, RANKS = "abcdefghi", "123456789"
DOTS = tuple(file + rank for rank in RANKS for file in FILES)
EDGE = [dot for dot in DOTS if dot[0] in "ai" or dot[1] in "19"]
CIRCLED = ("d5", "f5", "e4", "e6")
LETTERS = {"swords": "s", "sword": "s", "shields": "o", "shield": "o", "chief": "c"}

# How a game stands: its ending, player_0's and player_1's reward.
GOING_ON: Result = ("", 0.0, 0.0)
CAPTURE = ("capture", 1.0, -1.0)
ESCAPE = ("escape", -1.0, 1.0)
SWORDS_STUCK = ("no_move", -1.0, 1.0)
SHIELDS_STUCK = ("no_move", 1.0, -1.0)
UPRIGHT = [0]  # the orientation for tests that go over the whole board anyway

Pieces = dict[str, str]
"""Piece letters by dot."""
in_all_variants = pytest.mark.parametrize("variant", VARIANTS)
under_all_options = pytest.mark.parametrize(
    "options", [{"variant": "milton_bradley"}, {"variant": "tablut", "escape": "corner"}], ids=["defaults", "others"]
)  # all the values that `throne_hostile`, `chief_beside_throne` and `escape` have
for_both_colours = pytest.mark.parametrize(("us", "them"), [("swords", "shields"), ("shields", "swords")])
under_both_thrones = pytest.mark.parametrize("throne_hostile", ["chief", "all"])


# --- scenes ---


def neighbour(dot: str, file_step: int, rank_step: int) -> str | None:
    """The dot so many files to the right and ranks up; None off the board."""
    file, rank = FILES.index(dot[0]) + file_step, RANKS.index(dot[1]) + rank_step
    return FILES[file] + RANKS[rank] if 0 <= file < 9 and 0 <= rank < 9 else None


@cache
def orientation(number: int) -> dict[str, str]:
    """Where each dot goes under one of the eight symmetries of the square: mirrored from 4 on, then turned by
    quarters."""
    images = {}
    for dot in DOTS:
        file, rank = FILES.index(dot[0]), RANKS.index(dot[1])
        if number >= 4:
            file = 8 - file
        for _ in range(number % 4):
            file, rank = rank, 8 - file
        images[dot] = FILES[file] + RANKS[rank]
    return images


def turned(text: str, images: dict[str, str]) -> str:
    """A text with every dot in it replaced by its image."""
    return re.sub("[a-i][1-9]", lambda dot: images[dot[0]], text)


def pieces_named(words: str) -> Pieces:
    """``swords a1 b2, chief e5`` as letters by dot."""
    pieces: Pieces = {}
    letter = ""
    for word in words.replace(",", " ").split():
        if word in LETTERS:
            letter = LETTERS[word]
        else:
            assert word in DOTS, word
            assert word not in pieces, f"two pieces on {word}"
            pieces[word] = letter
    return pieces


def pieces_in(text: str) -> Pieces:
    """The pieces of a position text. Here empty places may be written as dots, too."""
    rows = re.sub("[1-9]", lambda digit: "." * int(digit[0]), text.split()[0]).split("/")
    letters = zip((file + rank for rank in reversed(RANKS) for file in FILES), "".join(rows), strict=True)
    return {dot: letter for dot, letter in letters if letter != "."}


class Scene(Boards):
    """One game in several orientations of the board."""

    captured: AbstractSet[str] = frozenset()
    """where the latest ply has removed pieces"""

    @property
    def pieces(self) -> Pieces:
        return self.shown(
            lambda board: {board.back(dot): letter for dot, letter in pieces_in(board.env.position()).items()}
        )

    @property
    def to_act(self) -> str:
        return f"player_{self.seat}"

    @property
    def outcome(self) -> tuple[AbstractSet[str], Result]:
        """What the latest ply has captured, and how the game stands."""
        return self.captured, self.result

    def moves_from(self, dot: str) -> set[str]:
        """Where the piece on ``dot`` may go."""
        return {move[3:] for move in self.moves if move.startswith(dot)}

    def play(self, *moves: str) -> Scene:
        """Plays moves. Each may do no more than move its piece and remove pieces of the other seat."""
        before = self.pieces
        for move in moves:
            source, target = move.split("-")
            expected = {**before, target: before[source]}
            del expected[source]
            super().play(move)
            now = self.pieces
            self.captured = set(expected) - set(now)
            assert now == {dot: letter for dot, letter in expected.items() if dot not in self.captured}
            assert all((expected[dot] == "s") != (expected[target] == "s") for dot in self.captured)
            before = now
        return self


def begin(pieces: str, seat: str, *, orientations: Sequence[int] = range(8), **options: Any) -> Scene:
    """A scene with ``seat`` (``s`` or ``o``) to act."""
    boards = []
    for number in orientations:
        images = orientation(number)
        originals = {image: dot for dot, image in images.items()}
        board = board_text({images[dot]: letter for dot, letter in pieces_named(pieces).items()})
        env = begun(GAME, 1, position=f"{board} {seat}", illegal_move="raise", **options)
        boards.append(Board(env, partial(turned, images=images), partial(turned, images=originals)))
    return Scene(boards)


def after(pieces: str, *moves: str, **more: Any) -> Scene:
    """The scene after ``moves``; the seat that owns the first moved piece begins. ``more``: as for `begin`."""
    seat = "s" if pieces_named(pieces)[moves[0][:2]] == "s" else "o"
    return begin(pieces, seat, **more).play(*moves)


def row(*, of: str) -> set[str]:
    """The other dots of a dot's rank and file."""
    return {dot for dot in DOTS if dot != of and (dot[0] == of[0] or dot[1] == of[1])}


# --- the set-up, the seats, the names of variants ---


@in_all_variants
def test_set_up_and_who_begins(variant: str) -> None:
    """“`player_0` the Swords (16), moves first; `player_1` the Shields (8) with the Chief”; the set-up's text."""
    env = begun(GAME, 1, variant=variant)
    assert env.position() == START
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.agent_selection == "player_0"
    letters = list(pieces_in(env.position()).values())
    assert [letters.count(letter) for letter in "soc"] == [16, 8, 1]
    picture = """
        ...sss...
        ....s....
        ....o....
        s...o...s
        ssoocooss
        s...o...s
        ....o....
        ....s....
        ...sss..."""
    assert pieces_in(env.position()) == pieces_in("/".join(picture.split()))


def test_set_up_is_symmetric() -> None:
    """Ruling: the Tablut cross. The same text and first moves in every orientation."""
    swords = "d9 e9 f9 e8 a6 a5 a4 b5 i6 i5 i4 h5 d1 e1 f1 e2"
    scene = begin(f"swords {swords}, shields e7 e6 c5 d5 f5 g5 e4 e3, chief e5", "s")
    assert {board.env.position() for board in scene.boards} == {START}
    assert len(scene.moves) == 80


def test_indices_mean_the_same_for_both_seats() -> None:
    """“The board is not turned: an index means the same for both seats.”"""
    env = parlour.make(GAME)
    indices = []
    for seat in "so":
        env.reset(seed=1, options={"position": f"9/9/9/9/9/2c6/9/9/s6o1 {seat}"})
        indices.append([env.parse_move(move) for move in ("a1-a9", "h1-i1", "c4-e4")])
        for agent, own, other in (("player_0", 0, 7), ("player_1", 7, 0)):
            planes = env.observe(agent)["observation"]
            assert planes[0].nonzero()[1].tolist() == [own]
            assert planes[1].nonzero()[1].tolist() == [other]
    assert indices[0] == indices[1]


# --- moving ---


@under_all_options
@pytest.mark.parametrize(
    ("pieces", "seat"),
    [
        ("sword b3, chief h8", "s"),
        ("swords h8, shield b3, chief g7", "o"),
        ("sword h8, chief b3", "o"),
    ],
)
def test_any_number_of_empty_dots_in_a_straight_line(options: dict[str, Any], pieces: str, seat: str) -> None:
    """“any number (at least one) of empty dots in a straight line, not diagonally”; Milton Bradley: no turning a
    corner. The Chief too: going onto or through e5 “is the only difference”."""
    assert begin(pieces, seat, **options).moves_from("b3") == row(of="b3")


@under_all_options
@pytest.mark.parametrize(
    ("pieces", "seat"),
    [
        ("swords b4 d4 b7, shield h2, chief g8", "s"),
        ("swords b4, shields d4 b7, chief g8", "s"),
        ("swords b4, shields d4, chief b7", "s"),
        ("swords h2, shields b4 d4 b7, chief g8", "o"),
        ("swords d4 b7, shield b4, chief g8", "o"),
        ("swords d4, shield b4, chief b7", "o"),
        ("swords d4, shield b7, chief b4", "o"),
    ],
)
def test_no_jumping_over_and_no_stopping_on_any_piece(options: dict[str, Any], pieces: str, seat: str) -> None:
    """“no jumping”; Milton Bradley: “may NOT jump over another piece (even his own), occupy the same dot with another
    piece”."""
    free = {"a4", "c4", "b1", "b2", "b3", "b5", "b6"}
    assert begin(pieces, seat, **options).moves_from("b4") == free


@under_all_options
@for_both_colours
def test_men_neither_stop_on_the_throne_nor_pass_it(options: dict[str, Any], us: str, them: str) -> None:
    """“Only the Chief may move onto or through e5”: not so swords and shields, from afar or from beside it."""
    scene = begin(f"{us} e3 f5, {them} h2, chief c8", LETTERS[us], **options)
    assert scene.moves_from("e3") == row(of="e3") - {"e5", "e6", "e7", "e8", "e9"}
    assert scene.moves_from("f5") == row(of="f5") - {"a5", "b5", "c5", "d5", "e5"}


@under_all_options
def test_the_chief_goes_onto_the_throne_and_through_it(options: dict[str, Any]) -> None:
    """“Only the Chief may move onto or through e5”."""
    assert begin("sword h8, chief e3", "o", **options).moves_from("e3") == row(of="e3")
    assert after("sword h8, chief e3", "e3-e5", **options).result == GOING_ON
    assert after("sword h8, chief e3", "e3-e7", **options).result == GOING_ON


@in_all_variants
def test_the_chief_may_go_back_onto_the_throne(variant: str) -> None:
    """“the Chief may go back onto e5”."""
    scene = after("sword h2, chief e5", "e5-e7", "h2-h3", "e7-e5", variant=variant)
    assert scene.result == GOING_ON
    assert scene.pieces["e5"] == "c"


@in_all_variants
def test_a_chief_on_the_throne_is_in_the_way_like_any_piece(variant: str) -> None:
    """“no jumping”."""
    scene = begin("swords e3, shield e7, chief e5", "s", variant=variant)
    assert {dot for dot in scene.moves_from("e3") if dot[0] == "e"} == {"e1", "e2", "e4"}
    scene = begin("swords e3, shield e7, chief e5", "o", variant=variant)
    assert {dot for dot in scene.moves_from("e7") if dot[0] == "e"} == {"e6", "e8", "e9"}


@under_all_options
def test_each_seat_moves_its_own_pieces_in_turn(options: dict[str, Any]) -> None:
    """Milton Bradley: “Each player moves one piece in turn”."""
    scene = begin("swords b2 h3, shields c7 g7, chief f8", "s", **options)
    assert {move[:2] for move in scene.moves} == {"b2", "h3"}
    scene.play("b2-b3")
    assert scene.to_act == "player_1"
    assert {move[:2] for move in scene.moves} == {"c7", "g7", "f8"}
    scene.play("f8-f7")
    assert scene.to_act == "player_0"


# --- capturing ---


@under_all_options
@for_both_colours
@pytest.mark.parametrize("move", ["c9-c4", "a4-c4", "i4-c4", "d4-c4"])
def test_a_piece_between_the_moved_piece_and_another_is_captured(
    options: dict[str, Any], us: str, them: str, move: str
) -> None:
    """“every enemy piece directly between the piece that has just moved and another piece of the mover, in line, is
    removed”, wherever the moved piece came from."""
    assert after(f"{us} c2 {move[:2]}, {them} c3 h2, chief g8", move, **options).outcome == ({"c3"}, GOING_ON)


@under_all_options
@for_both_colours
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("{us} c9, {them} c3 h2", "c9-c4"),  # nobody on the other side
        ("{us} c1 c9, {them} c3 h2", "c9-c4"),  # not directly on the other side
        ("{us} c2 c9, {them} c3 h2", "c9-c5"),  # not directly beside it
        ("{us} c2 c9, {them} c4 h2", "c9-c5"),  # the same, the piece standing higher
        ("{us} b3 c9, {them} c3 h2", "c9-c4"),  # beside it, but not in line
        ("{us} b3 d9, {them} c3 h2", "d9-d4"),  # diagonally
        ("{us} b2 d9, {them} c3 h2", "d9-d4"),  # between them on a diagonal line
        ("{us} c9 d2, {them} c3 h2", "c9-c4"),  # a knight's move away
        ("{us} c9, {them} c2 c3 h2", "c9-c4"),  # a piece of its own on the other side
    ],
)
def test_three_adjacent_dots_in_a_straight_line(
    options: dict[str, Any], us: str, them: str, pieces: str, move: str
) -> None:
    """Milton Bradley: “Capturing takes place on three adjacent dots in a straight line”: nothing less."""
    assert after(pieces.format(us=us, them=them) + ", chief g8", move, **options).outcome == (set(), GOING_ON)


@for_both_colours
def test_all_dots_are_alike_for_capturing(us: str, them: str) -> None:
    """Milton Bradley: except for e5 and the circled dots (for the Chief) “all the other dots are the same”: along every
    line of three dots that e5 is not one of, edge and corners included."""
    lines = 0
    for victim in DOTS:
        for file_step, rank_step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            target, other = neighbour(victim, file_step, rank_step), neighbour(victim, -file_step, -rank_step)
            if target is None or other is None or "e5" in (target, victim, other):
                continue
            sources = (neighbour(target, rank_step, file_step), neighbour(target, -rank_step, -file_step))
            source = next(dot for dot in sources if dot not in (None, "e5"))
            spare = next(dot for dot in ("a9", "i1", "i9") if dot not in (victim, target, other, source))
            scene = after(
                f"{us} {other} {source}, {them} {victim} {spare}, chief e5", f"{source}-{target}", orientations=UPRIGHT
            )
            assert scene.captured == {victim}
            assert scene.result == GOING_ON
            lines += 1
    assert lines == 4 * (9 * 7 - 3)


@under_all_options
@for_both_colours
def test_the_edge_of_the_board_captures_nothing(options: dict[str, Any], us: str, them: str) -> None:
    """“between the piece that has just moved and another piece of the mover”: there is no dot beyond the edge, and
    the board does not go round to a4 or a5 from i4."""
    assert after(f"{us} a3 a4 a5 h9, {them} i4 c2, chief c7", "h9-h4", **options).captured == set()


@for_both_colours
def test_a_piece_in_the_corner_is_safe(us: str, them: str) -> None:
    """“in line”: no two dots beside a corner are in line with it."""
    assert after(f"{us} a2 b9, {them} a1 h2, chief g7", "b9-b1").outcome == (set(), GOING_ON)


@under_all_options
@for_both_colours
@pytest.mark.parametrize("count", range(4))
def test_one_to_three_captures_at_once(options: dict[str, Any], us: str, them: str, count: int) -> None:
    """“one to three”; Milton Bradley: “Two or three pieces could be captured by an opponent in one turn”. What stands
    beside the moved piece without another one opposite stays."""
    for partners in combinations(("b3", "f3", "d1"), count):
        scene = after(f"{us} d9 {' '.join(partners)}, {them} c3 e3 d2 h2, chief g8", "d9-d3", **options)
        assert scene.outcome == ({{"b3": "c3", "f3": "e3", "d1": "d2"}[partner] for partner in partners}, GOING_ON)


@under_all_options
@pytest.mark.parametrize("chief", ["c3", "e3", "d2"])
def test_the_chief_is_captured_along_with_shields(options: dict[str, Any], chief: str) -> None:
    """“one to three, the Chief along with shields”."""
    shields = " ".join(sorted({"c3", "e3", "d2"} - {chief}))
    scene = after(f"swords d9 b3 f3 d1, shields {shields} h2, chief {chief}", "d9-d3", **options)
    assert scene.outcome == ({"c3", "e3", "d2"}, CAPTURE)


@under_all_options
@for_both_colours
def test_moving_between_two_enemies_is_safe(options: dict[str, Any], us: str, them: str) -> None:
    """“Moving between two enemies is safe”; Milton Bradley: “onto the middle dot between two opponent pieces or […]
    through”."""
    pieces = f"{us} c7 h2, {them} b3 d3 h4, chief g8"
    assert after(pieces, "c7-c1", **options).captured == set()
    scene = after(pieces, "c7-c3", **options)
    assert scene.captured == set()
    assert scene.play("h4-h5").captured == set()  # nor is it captured there by any other ply …
    scene.play("h2-h3", "b3-b4", "h3-h2")
    assert scene.play("b4-b3").captured == {"c3"}  # … but by a piece that comes


@under_all_options
def test_the_chief_moving_between_two_swords_is_safe(options: dict[str, Any]) -> None:
    """The same for the Chief."""
    scene = after("swords b3 d3 h4, shield h2, chief c7", "c7-c3", **options)
    assert scene.result == GOING_ON
    assert scene.play("h4-h5").result == GOING_ON
    scene.play("h2-h3", "b3-b4", "h3-h2")
    assert scene.play("b4-b3").result == CAPTURE


@under_all_options
@for_both_colours
@pytest.mark.parametrize("move", ["a8-a7", "a8-a3", "a8-c8", "a8-e8"])
def test_a_ply_captures_only_beside_the_piece_that_moved(
    options: dict[str, Any], us: str, them: str, move: str
) -> None:
    """“a ply captures only beside the piece that moved”: not between two others, even if it stands in line with
    them."""
    assert after(f"{us} b3 d3 a8, {them} c3 h2, chief g8", move, **options).outcome == (set(), GOING_ON)


@under_all_options
@for_both_colours
def test_the_moved_piece_must_be_one_of_the_two(options: dict[str, Any], us: str, them: str) -> None:
    """“directly between the piece that has just moved and another piece”: not beside it, between two others."""
    assert after(f"{us} b3 d3 c9, {them} c3 h2, chief g8", "c9-c4", **options).captured == set()
    assert after("swords b3 d3 c9, shield h2, chief c3", "c9-c4", **options).outcome == (set(), GOING_ON)


@under_all_options
@for_both_colours
@pytest.mark.parametrize(("alike", "move"), [("c3 d3", "e1-e3"), ("c3 d3 e3", "f9-f3"), ("c3 d3 e3 f3 g3", "h9-h3")])
def test_alike_pieces_in_a_row_are_not_captured(
    options: dict[str, Any], us: str, them: str, alike: str, move: str
) -> None:
    """“Two or more alike pieces in a row along the line are not captured”."""
    assert after(f"{us} b3 {move[:2]}, {them} {alike} a6, chief g8", move, **options).outcome == (set(), GOING_ON)


@under_all_options
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("swords b3 e1, shield c3, chief d3", "e1-e3"),
        ("swords b3 e1, shield d3, chief c3", "e1-e3"),
        ("swords b3 f9, shields c3 e3, chief d3", "f9-f3"),
        ("swords b3 f9, shields c3 d3, chief e3", "f9-f3"),
    ],
)
def test_shield_and_chief_protect_each_other(options: dict[str, Any], pieces: str, move: str) -> None:
    """“a shield and the Chief protect each other in this way as well”."""
    assert after(pieces, move, **options).outcome == (set(), GOING_ON)


@under_all_options
@for_both_colours
def test_a_neighbour_across_the_line_protects_nothing(options: dict[str, Any], us: str, them: str) -> None:
    """“a neighbour across the line protects nothing”."""
    assert after(f"{us} c2 c9, {them} b3 c3 d3 h2, chief g8", "c9-c4", **options).captured == {"c3"}


@under_all_options
def test_nor_do_shield_and_chief_across_the_line(options: dict[str, Any]) -> None:
    """The same, of shield and Chief."""
    assert after("swords c2 c9, shield c3, chief d3", "c9-c4", **options).captured == {"c3"}
    assert after("swords c2 c9, shields b3 d3, chief c3", "c9-c4", **options).outcome == ({"c3"}, CAPTURE)


@under_all_options
@pytest.mark.parametrize(
    ("pieces", "move", "captured"),
    [
        ("swords c3 h2, shield c2, chief c7", "c7-c4", {"c3"}),  # as the piece that has moved
        ("swords c3 h2, shield c7, chief c2", "c7-c4", {"c3"}),  # as the other piece
        ("swords c3 e3 d2 h2, shields b3 f3 d1, chief d8", "d8-d3", {"c3", "e3", "d2"}),
        ("swords e4 h2, shield e3, chief e8", "e8-e5", {"e4"}),  # onto e5
        ("swords e4 h2, shield a3, chief e5", "a3-e3", {"e4"}),  # "from e5 too"
        ("swords e4 d5 f5 h2, shields e3 c5 g5, chief e8", "e8-e5", {"e4", "d5", "f5"}),
    ],
)
def test_the_chief_captures_like_a_shield(options: dict[str, Any], pieces: str, move: str, captured: set[str]) -> None:
    """“The Chief captures like a shield, as the piece that has moved and as the other piece, from e5 too.”"""
    assert after(pieces, move, **options).outcome == (captured, GOING_ON)


@under_all_options
def test_the_chief_on_the_throne_captures_only_with_a_piece_that_moves(options: dict[str, Any]) -> None:
    """“a ply captures only beside the piece that moved”: the Chief on e5 stands opposite all along."""
    assert after("swords e4 h2, shields e3 h7, chief e5", "h7-h8", **options).captured == set()


# --- capturing the Chief ---


@pytest.mark.parametrize("variant", ["milton_bradley", "tablut"])
def test_the_chief_on_an_ordinary_dot_is_captured_like_any_shield(variant: str) -> None:
    """“on an ordinary dot like any shield”, along rank and file, by two swords and not by one, on all of them."""
    ordinary = [dot for dot in DOTS if dot not in EDGE and dot not in CIRCLED and dot != "e5"]
    assert len(ordinary) == 44
    captures_on_ordinary_dots(ordinary, variant)


def test_the_chief_on_the_edge_is_captured_like_any_shield_under_escape_corner() -> None:
    """“the rest of the edge is ordinary”."""
    edge = [dot for dot in EDGE if not (dot[0] in "ai" and dot[1] in "19")]
    captures_on_ordinary_dots(edge, "corner_escape")


def captures_on_ordinary_dots(dots: list[str], variant: str) -> None:
    """By two, not by one, wherever there are dots on both sides."""
    for chief in dots:
        for file_step, rank_step in ((1, 0), (0, 1)):
            target, other = neighbour(chief, file_step, rank_step), neighbour(chief, -file_step, -rank_step)
            corners = ("a1", "a9", "i1", "i9") if variant == "corner_escape" else ()
            if target is None or other is None or target in corners or other in corners:
                continue
            sources = (neighbour(target, rank_step, file_step), neighbour(target, -rank_step, -file_step))
            source = next(dot for dot in sources if dot not in (None, "e5", *corners))
            both = after(
                f"swords {other} {source}, chief {chief}", f"{source}-{target}", orientations=UPRIGHT, variant=variant
            )
            assert both.result == CAPTURE, chief
            alone = after(
                f"swords {source}, chief {chief}", f"{source}-{target}", orientations=UPRIGHT, variant=variant
            )
            assert alone.result == GOING_ON, chief


@under_all_options
@pytest.mark.parametrize("source", ["e9", "a6", "i6", "e7"])
def test_four_swords_capture_the_chief_on_the_throne(options: dict[str, Any], source: str) -> None:
    """“On e5: only when swords stand on all four circled dots and one of them has just moved there”: whichever it
    is."""
    assert after(f"swords d5 f5 e4 {source}, chief e5", f"{source}-e6", **options).outcome == ({"e5"}, CAPTURE)


@under_all_options
def test_four_swords_capture_shields_along_with_the_chief_on_the_throne(options: dict[str, Any]) -> None:
    """“the Chief along with shields”."""
    scene = after("swords d5 f5 e4 e9 g6 c6, shields d6 f6, chief e5", "e9-e6", **options)
    assert scene.outcome == ({"e5", "d6", "f6"}, CAPTURE)


@under_all_options
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("swords e4 e9, chief e5", "e9-e6"),  # two opposite each other
        ("swords d5 f5 e9, chief e5", "e9-e6"),  # three
        ("swords d5 e4 e9, chief e5", "e9-e6"),  # three, two of them opposite each other
        ("swords d5 f5 e9, shield e4, chief e5", "e9-e6"),  # three and a shield
        ("swords d5 f5 e4 a6, chief e5", "a6-d6"),  # one of four is not on a circled dot
        ("swords d4 f4 d6 a6 f9, chief e5", "f9-f6"),  # round the corners of e5
        ("swords d5 f5 e4 e6 b2, shield h3, chief e5", "b2-b3"),  # none of the four has just moved
        ("swords d5 f5 e4 e6 a6, shield h3, chief e5", "a6-d6"),  # nor here, beside two of them
    ],
)
def test_fewer_or_other_swords_do_not_capture_the_chief_on_the_throne(
    options: dict[str, Any], pieces: str, move: str
) -> None:
    """“only when swords stand on all four circled dots and one of them has just moved there”."""
    assert after(pieces, move, **options).outcome == (set(), GOING_ON)


@under_all_options
def test_a_sword_that_leaves_a_circled_dot_and_comes_back_captures_the_chief(options: dict[str, Any]) -> None:
    """“one of them has just moved there”."""
    scene = after("swords d5 f5 e4 e6, shield h3, chief e5", "e6-e7", "h3-h4", **options)
    assert scene.result == GOING_ON
    assert scene.play("e7-e6").result == CAPTURE


# In these the Chief stands on e4: e5 above him, e3 opposite it, d4 and f4 “on the other axis”. The other circled dots
# are reached by the orientations.


@under_both_thrones
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("swords a3 h8, chief e4", "a3-e3"),  # one, opposite e5
        ("swords e1 h8, chief e4", "e1-e3"),
        ("swords e2 h8, chief e4", "e2-e3"),
        ("swords a3, shields d4 f4, chief e4", "a3-e3"),  # neighbours across protect nothing
        ("swords f4 d9 h8, chief e4", "d9-d4"),  # two on the other axis
        ("swords f4 a4 h8, chief e4", "a4-d4"),
        ("swords f4 d9, shield e3, chief e4", "d9-d4"),
        ("swords f4 d9 e3, chief e4", "d9-d4"),
        ("swords f4 d4 a3, chief e4", "a3-e3"),
    ],
)
def test_one_sword_captures_the_chief_beside_the_throne(throne_hostile: str, pieces: str, move: str) -> None:
    """“`one` (by a sword that has just moved to the far side of him, opposite e5; also by two swords on the other
    axis, one of which has just moved) …, independent of the next option”."""
    assert after(pieces, move, chief_beside_throne="one", throne_hostile=throne_hostile).outcome == ({"e4"}, CAPTURE)


@under_both_thrones
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("swords e3 a8, chief e4", "a8-a7"),  # the sword opposite e5 has not just moved
        ("swords e3 h8, chief e5", "e5-e4"),  # the Chief himself has
        ("swords e3 h8, chief b4", "b4-e4"),
        ("swords d9 h8, chief e4", "d9-d4"),  # one on the other axis
        ("swords d9 e3, chief e4", "d9-d4"),  # one on each axis, the one opposite e5 not having just moved
        ("swords d9 h8, shield f4, chief e4", "d9-d4"),
        ("swords d4 f4 a8, chief e4", "a8-a7"),  # two on the other axis, neither having just moved
        ("swords d4 f4 h8, chief e5", "e5-e4"),
        ("swords a2, shield e3, chief e4", "a2-e2"),  # a shield between: alike pieces in a row
        ("swords a2 h8, chief e4", "a2-e2"),  # not directly beside him
        ("swords g9 d4, chief e4", "g9-g4"),
    ],
)
def test_nothing_less_captures_the_chief_beside_the_throne_under_one(
    throne_hostile: str, pieces: str, move: str
) -> None:
    """“`one` (by a sword that has just moved to the far side of him, opposite e5; also by two swords on the other
    axis, one of which has just moved)”: by nothing else."""
    assert after(pieces, move, chief_beside_throne="one", throne_hostile=throne_hostile).outcome == (set(), GOING_ON)


@under_both_thrones
@pytest.mark.parametrize(
    ("pieces", "move", "captured"),
    [
        ("swords d4 f4 a3, chief e4", "a3-e3", {"e4"}),  # the third comes opposite e5
        ("swords d4 f4 e2, chief e4", "e2-e3", {"e4"}),
        ("swords e3 f4 d9, chief e4", "d9-d4", {"e4"}),  # or on the other axis
        ("swords e3 f4 a4, chief e4", "a4-d4", {"e4"}),
        ("swords d4 f4 e1 c3, shield d3, chief e4", "e1-e3", {"e4", "d3"}),
    ],
)
def test_three_swords_capture_the_chief_beside_the_throne(
    throne_hostile: str, pieces: str, move: str, captured: set[str]
) -> None:
    """“`three` (swords on all three other dots beside him, one of which has just moved; nothing less), independent
    of the next option”."""
    scene = after(pieces, move, chief_beside_throne="three", throne_hostile=throne_hostile)
    assert scene.outcome == (captured, CAPTURE)


@under_both_thrones
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("swords a3 h8, chief e4", "a3-e3"),  # what is enough under `one`
        ("swords f4 d9 h8, chief e4", "d9-d4"),
        ("swords d9 e3, chief e4", "d9-d4"),
        ("swords f4 a3, chief e4", "a3-e3"),
        ("swords d4 a3, shield f4, chief e4", "a3-e3"),  # a shield in the place of the third
        ("swords f4 d9, shield e3, chief e4", "d9-d4"),
        ("swords d4 f4 e3 a8, shield h2, chief e4", "a8-a7"),  # none of the three has just moved
        ("swords d4 f4 e3, chief e5", "e5-e4"),
        ("swords d4 f4 e2 a2, shield h2, chief e4", "a2-d2"),
    ],
)
def test_nothing_less_captures_the_chief_beside_the_throne_under_three(
    throne_hostile: str, pieces: str, move: str
) -> None:
    """“`three` (swords on all three other dots beside him, one of which has just moved; nothing less)”."""
    assert after(pieces, move, chief_beside_throne="three", throne_hostile=throne_hostile).outcome == (set(), GOING_ON)


@under_all_options
@for_both_colours
def test_circled_dots_are_ordinary_for_swords_and_shields(options: dict[str, Any], us: str, them: str) -> None:
    """“On a circled dot” is said of the Chief alone: any other piece there is captured between two, by two."""
    assert after(f"{us} f4 d9, {them} e4 h2, chief c7", "d9-d4", **options).captured == {"e4"}


# --- the empty throne ---


@for_both_colours
@pytest.mark.parametrize("chief_beside_throne", ["one", "three"])
@pytest.mark.parametrize("escape", ["edge", "corner"])
def test_the_empty_throne_is_hostile_to_the_chief_only(
    us: str, them: str, chief_beside_throne: str, escape: str
) -> None:
    """“e5 is hostile to nobody but the Chief: `throne_hostile` = `chief`”, the default."""
    options = {"chief_beside_throne": chief_beside_throne, "escape": escape}
    assert after(f"{us} a3, {them} e4 h2, chief c7", "a3-e3", **options).captured == set()
    assert after("swords e4 h2, chief b3", "b3-e3", **options).captured == set()


@for_both_colours
@pytest.mark.parametrize("chief_beside_throne", ["one", "three"])
@pytest.mark.parametrize("move", ["a3-e3", "e1-e3", "f3-e3"])
def test_the_empty_throne_is_hostile_to_all(us: str, them: str, chief_beside_throne: str, move: str) -> None:
    """“`all` (when empty, it serves as the mover's ‘other piece’ against a sword or shield beside it”."""
    options = {"throne_hostile": "all", "chief_beside_throne": chief_beside_throne}
    assert after(f"{us} {move[:2]}, {them} e4 h2, chief c7", move, **options).outcome == ({"e4"}, GOING_ON)


def test_the_empty_throne_helps_the_chief_capture_too() -> None:
    """“The Chief captures like a shield, as the piece that has moved”, with the empty e5 opposite under `all`."""
    assert after("swords e4 h2, chief b3", "b3-e3", throne_hostile="all").captured == {"e4"}


@under_both_thrones
def test_an_occupied_throne_is_hostile_to_no_shield(throne_hostile: str) -> None:
    """“when empty”: the Chief on e5 is no other piece of the swords."""
    assert after("swords a3 h8, shield e4, chief e5", "a3-e3", throne_hostile=throne_hostile).captured == set()


@under_both_thrones
def test_on_an_occupied_throne_the_chief_is_the_shields_other_piece(throne_hostile: str) -> None:
    """“The Chief captures like a shield, […] as the other piece, from e5 too.”"""
    assert after("swords e4 h2, shield a3, chief e5", "a3-e3", throne_hostile=throne_hostile).captured == {"e4"}


@under_both_thrones
@pytest.mark.parametrize(
    "pieces", ["swords e4 h2, shields e3 b2, chief e5", "swords e3 d4 h2, shields e4 b2, chief e5"]
)
@pytest.mark.parametrize("chief_goes", ["e5-g5", "e5-f5", "e5-e8"])
def test_the_throne_becoming_empty_captures_nothing(throne_hostile: str, pieces: str, chief_goes: str) -> None:
    """“e5's becoming empty captures nothing”: neither at once nor later, but by a piece that comes."""
    scene = after(pieces, chief_goes, throne_hostile=throne_hostile)
    assert scene.captured == set()
    assert scene.play("h2-h3").captured == set()
    assert scene.play("b2-b3").captured == set()
    assert scene.result == GOING_ON
    if pieces.startswith("swords e3"):
        scene.play("e3-e2", "b3-b2", "e2-e3")
    else:
        scene.play("h3-h2", "e3-e2", "h2-h3", "e2-e3")
    assert scene.captured == ({"e4"} if throne_hostile == "all" else set())


@for_both_colours
def test_moving_in_between_an_enemy_and_the_throne_is_safe(us: str, them: str) -> None:
    """“moving in between an enemy and e5 is safe”, at once and later."""
    scene = after(f"{us} e3 b7, {them} c4 h2, chief c8", "c4-e4", throne_hostile="all")
    assert scene.captured == set()
    assert scene.play("b7-b6").captured == set()
    assert scene.play("h2-h3").captured == set()


@for_both_colours
@pytest.mark.parametrize(
    ("pieces", "move"),
    [
        ("{us} d9, {them} e4 h2", "d9-d4"),  # across: e5 is not opposite
        ("{us} a2, {them} e4 e3 h2", "a2-e2"),  # alike pieces in a row
        ("{us} a2, {them} e4 h2", "a2-e2"),  # not directly beside it
        ("{us} a3, {them} d4 h2", "a3-d3"),  # d5 is not e5
        ("{us} a2, {them} e3 h2", "a2-e2"),  # a dot between it and e5
        ("{us} e3 a8, {them} e4 h2", "a8-a7"),  # the piece opposite e5 has not just moved
    ],
)
def test_the_empty_throne_helps_only_straight_opposite_the_moved_piece(
    us: str, them: str, pieces: str, move: str
) -> None:
    """“it serves as the mover's ‘other piece’ against a sword or shield beside it”: in line, directly, for the moved
    piece."""
    scene = after(pieces.format(us=us, them=them) + ", chief c8", move, throne_hostile="all")
    assert scene.outcome == (set(), GOING_ON)


# --- escaping ---


@pytest.mark.parametrize("variant", ["milton_bradley", "tablut"])
@pytest.mark.parametrize("file", "bcdefgh")
def test_the_chief_escapes_on_any_dot_of_the_edge(variant: str, file: str) -> None:
    """“Shields win when the Chief reaches an escape dot: `escape` = `edge` (any dot of the edge)”; Milton Bradley: “in
    a straight line to any outside dot”. (A corner can be reached from the edge alone, where he has escaped before.)"""
    assert after(f"swords a8 h9, shield i7, chief {file}4", f"{file}4-{file}1", variant=variant).result == ESCAPE


@in_all_variants
def test_the_dots_before_the_edge_are_no_escape(variant: str) -> None:
    """“any dot of the edge”."""
    for file in "bcdefgh":
        assert after(f"swords a8 h9, chief {file}4", f"{file}4-{file}2", variant=variant).result == GOING_ON


@in_all_variants
def test_only_the_chief_escapes(variant: str) -> None:
    """“when the Chief reaches an escape dot”: a shield that does wins nothing, nor does a sword."""
    assert after("swords h8 b3, shield d4, chief f7", "d4-d1", "b3-b1", variant=variant).result == GOING_ON


@in_all_variants
def test_the_way_to_the_edge_must_be_clear(variant: str) -> None:
    """Milton Bradley: he “cannot move over any of his own shields or of course, any sword pieces”."""
    assert begin("swords d2 h8, shield b4, chief d4", "o", variant=variant).moves_from("d4") & set(EDGE) == {"d9", "i4"}


@pytest.mark.parametrize("source", ["a4", "a2", "a8", "d1", "h1"])
def test_the_chief_escapes_in_the_four_corners(source: str) -> None:
    """“`corner` (only the four corners”."""
    assert after(f"swords g8 b7, shield h3, chief {source}", f"{source}-a1", variant="corner_escape").result == ESCAPE


@pytest.mark.parametrize("file", "bcdefgh")
def test_the_rest_of_the_edge_is_ordinary_under_escape_corner(file: str) -> None:
    """“the rest of the edge is ordinary”: the Chief may go and stand there, on with the game."""
    scene = after(f"swords a8 g7, chief {file}4", f"{file}4-{file}1", variant="corner_escape")
    assert scene.result == GOING_ON
    assert scene.play("g7-g6").result == GOING_ON
    assert scene.pieces[f"{file}1"] == "c"


@for_both_colours
@pytest.mark.parametrize("throne_hostile", ["chief", "all"])
def test_the_edge_is_hostile_to_nobody(us: str, them: str, throne_hostile: str) -> None:
    """“the rest of the edge is ordinary”: not hostile, under `edge` neither."""
    for escape in ("edge", "corner"):
        options = {"escape": escape, "throne_hostile": throne_hostile}
        assert after(f"{us} a2, {them} d1 h3, chief g8", "a2-d2", **options).captured == set()
        assert after(f"{us} a3, {them} d2 h3, chief g8", "a3-d3", **options).captured == set()
    scene = after("swords a2 h8, chief d1", "a2-d2", variant="corner_escape", throne_hostile=throne_hostile)
    assert scene.result == GOING_ON


@for_both_colours
def test_only_the_chief_may_stop_on_a_corner(us: str, them: str) -> None:
    """“then only the Chief may stop on a corner”: no end of a slide for others. Under `edge` corners are dots like
    any other."""
    pieces = f"{us} a4 c9, {them} h2, chief g7"
    scene = begin(pieces, LETTERS[us], variant="corner_escape")
    assert scene.moves_from("a4") == row(of="a4") - {"a1", "a9"}
    assert scene.moves_from("c9") == row(of="c9") - {"a9", "i9"}
    for variant in ("milton_bradley", "tablut"):
        scene = begin(pieces, LETTERS[us], variant=variant)
        assert scene.moves_from("a4") == row(of="a4")
        assert scene.moves_from("c9") == row(of="c9")
    assert begin("swords h2, chief a4", "o", variant="corner_escape").moves_from("a4") == row(of="a4")


@for_both_colours
@under_both_thrones
def test_corners_are_hostile_to_nobody(us: str, them: str, throne_hostile: str) -> None:
    """“corners are hostile to nobody”: not to swords, shields or Chief."""
    options = {"variant": "corner_escape", "throne_hostile": throne_hostile}
    assert after(f"{us} c8, {them} b1 h2, chief g7", "c8-c1", **options).captured == set()
    assert after("swords c8 h8, chief b1", "c8-c1", chief_beside_throne="one", **options).result == GOING_ON


@pytest.mark.parametrize("variant", ["milton_bradley", "tablut"])
def test_reaching_the_edge_wins_between_swords_too(variant: str) -> None:
    """“Reaching it wins even if he stands between swords.”"""
    assert after("swords c1 e1 h8, chief d4", "d4-d1", variant=variant).outcome == (set(), ESCAPE)


def test_reaching_a_corner_wins_beside_swords_too() -> None:
    """The same under `corner`; elsewhere on the edge he is safe between swords, as anywhere, and has not won."""
    assert after("swords b1 h8, chief a2", "a2-a1", variant="corner_escape").result == ESCAPE
    assert after("swords c1 e1 h8, chief d4", "d4-d1", variant="corner_escape").result == GOING_ON


@pytest.mark.parametrize("swords", ["e1", "e1 h8"])
def test_the_escaping_chief_captures_with_his_last_move(swords: str) -> None:
    """A ply captures, then wins; “the ply itself wins” before “the next seat has no piece or no move and loses”."""
    assert after(f"swords {swords}, shield f1, chief d4", "d4-d1").outcome == ({"e1"}, ESCAPE)


# --- no move, no pieces ---


@in_all_variants
def test_swords_without_a_move_lose(variant: str) -> None:
    """“A seat with no move (or no pieces) loses”, “right after the ply; it is not selected again”."""
    scene = after("sword c1, shields b1 d1 c5, chief g7", "c5-c2", variant=variant)
    assert scene.pieces["c1"] == "s"
    assert scene.result == SWORDS_STUCK


@in_all_variants
def test_swords_with_a_move_left_go_on(variant: str) -> None:
    """The other side of it: one dot is enough, one sword is enough."""
    assert after("sword c1, shields d1 c5, chief g7", "c5-c2", variant=variant).result == GOING_ON
    assert after("swords c1 h7, shields b1 d1 c5, chief g7", "c5-c2", variant=variant).result == GOING_ON


@in_all_variants
def test_shields_without_a_move_lose(variant: str) -> None:
    """“A seat with no move (or no pieces) loses”: shield and Chief protect each other, but they can't move."""
    swords = "swords c2 c4 d2 d4 b3 i3"
    assert after(f"{swords}, shield d3, chief c3", "i3-e3", variant=variant).outcome == (set(), SHIELDS_STUCK)
    assert after(f"{swords}, shields d3 h7, chief c3", "i3-e3", variant=variant).result == GOING_ON


@pytest.mark.parametrize("variant", ["milton_bradley", "corner_escape"])
def test_a_throne_that_only_the_chief_may_enter_is_no_move_for_a_sword(variant: str) -> None:
    """“Only the Chief may move onto or through e5”; “A seat with no move (or no pieces) loses.”"""
    assert after("sword e4, shields d4 f4 a3, chief g7", "a3-e3", variant=variant).outcome == (set(), SWORDS_STUCK)


@in_all_variants
def test_the_chief_who_can_enter_the_throne_has_a_move(variant: str) -> None:
    """“Only the Chief may move onto or through e5”: here it is the shields' only move."""
    scene = after("swords c9 d3 d5 g4 f3 f5 e2 e6, shields d4 f4 e3, chief e4", "c9-c4", variant=variant)
    assert scene.result == GOING_ON
    assert scene.moves == {"e4-e5"}


def test_a_corner_that_only_the_chief_may_enter_is_no_move_for_a_sword() -> None:
    """“only the Chief may stop on a corner”; “A seat with no move (or no pieces) loses.”"""
    pieces, move = "sword b1, shields c1 b6, chief g7", "b6-b2"
    assert after(pieces, move, variant="corner_escape").result == SWORDS_STUCK
    assert after(pieces, move, variant="milton_bradley").result == GOING_ON


def test_the_chief_who_can_enter_a_corner_has_a_move() -> None:
    """The same, of the Chief: it is his only move, and it wins."""
    scene = after("swords c1 a2 b9, chief b1", "b9-b2", variant="corner_escape")
    assert scene.moves == {"b1-a1"}
    assert scene.play("b1-a1").result == ESCAPE


@in_all_variants
def test_swords_without_pieces_lose(variant: str) -> None:
    """“A seat with no move (or no pieces) loses.”"""
    assert after("sword c3, shields c2 c7, chief g7", "c7-c4", variant=variant).outcome == ({"c3"}, SWORDS_STUCK)
    assert after("swords c3 h2, shields c2 c7, chief g7", "c7-c4", variant=variant).result == GOING_ON


@in_all_variants
def test_shields_without_men_go_on_with_their_chief(variant: str) -> None:
    """The Chief is a piece of theirs."""
    scene = after("swords c2 c9, shield c3, chief g7", "c9-c4", variant=variant)
    assert scene.outcome == ({"c3"}, GOING_ON)
    assert {move[:2] for move in scene.moves} == {"g7"}
