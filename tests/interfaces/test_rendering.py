"""Pictures: drawn as shapes alone, the same for the same state, and showing what is to be seen of it."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.interfaces.rendering import rasterise
from parlour.testing.pictures import require_svg
from parlour.testing.subject import random_action
from tests.games.swords_and_shields.texts import board_text
from tests.support.cases import PRINTED_GAMES, VARIANTS
from tests.support.games import begun
from tests.support.pictures import START, SWORDS, Box, Pixels, at, bounds

SVG = "{http://www.w3.org/2000/svg}"
SMALL = 240
"""A width in pixels that is quickly drawn, and enough to see what differs."""


@cache
def pixels_at(position: str, variant: str | None = None) -> Pixels:
    return rasterise(at(position, variant).svg())


def differing(first: Pixels, second: Pixels) -> NDArray[np.bool_]:
    assert first.shape == second.shape
    return (first != second).any(axis=2)


def text_of(pieces: dict[str, str], seat: str) -> str:
    """The position text of pieces by dot name."""
    return f"{board_text(pieces)} {seat}"


@cache
def cell(dot: str) -> Box:
    """Where a sword (on e5 the Chief) is drawn: what differs from two pictures where it stands elsewhere."""
    others = [other for other in ("b8", "h2", "b2") if other != dot]
    fixed, moving = ({"c7": "s"}, "c") if dot == "e5" else ({"d4": "c"}, "s")
    here, there, yonder = (pixels_at(text_of({**fixed, each: moving}, "s")) for each in (dot, *others[:2]))
    return bounds(differing(here, there) & differing(here, yonder))


def within(where: NDArray[np.bool_], box: Box) -> NDArray[np.bool_]:
    left, top, right, bottom = box
    return where[top:bottom, left:right]


def board() -> Box:
    """The hull of all dots."""
    left, top = cell("a9")[:2]
    right, bottom = cell("i1")[2:]
    return left, top, right, bottom


def off_board(where: NDArray[np.bool_], margin: int = 12) -> NDArray[np.bool_]:
    left, top, right, bottom = board()
    outside = where.copy()
    outside[top - margin : bottom + margin, left - margin : right + margin] = False
    return outside


ENDINGS = {
    "capture": "9/4s4/9/9/3s5/9/3s5/9/7o1 o plies=31 end=capture",
    "escape": "2s6/9/c8/9/3s5/9/9/3o5/9 s plies=30 end=escape",
    "no_move of the swords": "9/9/2o6/9/4c4/9/9/9/9 s plies=77 end=no_move",
    "no_move of the shields": "9/9/9/4s4/3scs3/4s4/9/9/9 o plies=88 end=no_move",
    "repetition": "9/4s4/9/2c6/5s3/9/9/3o5/9 s plies=50 end=repetition",
    "max_plies": "9/4s4/9/2c6/5s3/9/9/3o5/9 s plies=400 end=max_plies",
}
CORNER_ENDINGS = {**ENDINGS, "escape": "c1s6/9/9/9/5s3/9/9/3o5/9 s plies=30 end=escape"}
LAST_LINES = {
    "capture": "Swords win: the Chief is captured",
    "escape": "Shields win: the Chief has escaped",
    "no_move of the swords": "Shields win: the Swords have no move",
    "no_move of the shields": "Swords win: the Shields have no move",
    "repetition": "Nobody wins: the position has been repeated",
    "max_plies": "Nobody wins: the limit of 400 plies is reached",
}


def test_the_printed_games_bring_ids_of_their_own() -> None:
    """A page may show several pictures: ids begin with letters of the game's own."""
    prefixes: dict[str, str] = {}
    for game in PRINTED_GAMES:
        env = begun(game)
        own = {name.partition("-")[0] for name in re.findall(r'id="([^"]*)"', env.svg())}
        assert len(own) <= 1
        for prefix in own:
            assert prefixes.setdefault(prefix, game) == game


def test_a_notebook_shows_the_svg() -> None:
    env = parlour.make(SWORDS)
    assert env._repr_svg_() is None
    env.reset(seed=0)
    assert env._repr_svg_() == env.svg()
    before = env.svg()
    env.step(env.parse_move("e8-a8"))
    assert env._repr_svg_() == env.svg() != before


def test_a_notebook_shows_what_gymnasium_makes() -> None:
    env = gymnasium.make("parlour/SwordsAndShields-v0")
    assert env._repr_svg_() is None  # type: ignore[attr-defined]
    env.reset(seed=0)
    assert env._repr_svg_() == env.unwrapped.env.svg()  # type: ignore[attr-defined]


def test_pictures_want_a_reset_first() -> None:
    env = parlour.make(SWORDS, render_mode="rgb_array")
    for call in (env.svg, env.ansi, env.render):
        with pytest.raises(AssertionError, match="reset"):
            call()


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_rgb_array(game: str, variant: str) -> None:
    env = begun(game, 1, variant=variant, render_mode="rgb_array")
    root = ElementTree.fromstring(env.svg())
    shape = (int(root.attrib["height"]), int(root.attrib["width"]), 3)
    frames = []
    for _ in range(2):
        frame = env.render()
        assert isinstance(frame, np.ndarray)
        assert frame.shape == shape
        assert frame.dtype == np.uint8
        assert (frame != frame[10, 10]).any()
        frames.append(frame)
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    env.reset(seed=1)
    assert (frames[0] == rasterise(env.svg())).all()


@pytest.mark.parametrize("mode", ["svg", "ansi"])
def test_texts_as_render_modes(mode: str) -> None:
    """From `make`, in a wrapper, and in a `gymnasium.Env`."""
    env = parlour.make(SWORDS, render_mode=mode)
    assert mode in env.metadata["render_modes"]
    env.reset(seed=1)
    assert env.render() == getattr(env.unwrapped, mode)()
    wrapped = parlour.wrappers.MaskInInfo(env)
    assert wrapped.render() == env.render()
    learner = gymnasium.make("parlour/SwordsAndShields-v0", opponent="random", render_mode=mode)
    learner.reset(seed=1)
    picture = learner.render()
    assert picture == getattr(learner.unwrapped.env.unwrapped, mode)()
    assert ("<svg" in picture) == (mode == "svg")


def test_pixels_belong_to_the_caller() -> None:
    env = at(f"{START} s", render_mode="rgb_array")
    frame = env.render()
    kept = frame.copy()
    frame[:] = 0
    assert (env.render() == kept).all()


def test_rasterise_to_a_width() -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">{}</svg>'
    half = picture.format('<path d="M0 0H20V20H0Z" fill="#102030"/>')
    own = rasterise(half)
    assert own.shape == (20, 40, 3)
    assert (own[:, :20] == (16, 32, 48)).all()
    assert (own[:, 20:] == 255).all()  # white where nothing is drawn
    assert rasterise(half, 400).shape == (200, 400, 3)
    assert (rasterise(half, 400)[:, :200] == (16, 32, 48)).all()


def test_a_font_would_not_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same raster on every machine: system fonts are not looked at."""
    import resvg_py

    text = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><text x="5" y="30">abc</text></svg>'
    assert (rasterise(text) == 255).all()
    asked: list[dict[str, Any]] = []
    draw = resvg_py.svg_to_bytes
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **kwargs: asked.append(kwargs) or draw(**kwargs))
    rasterise(text)
    assert asked[0]["skip_system_fonts"] is True  # a machine without fonts would not tell


def test_a_move_changes_the_pixels_where_it_is_played() -> None:
    env = at(f"{START} s", render_mode="rgb_array")
    before = env.render()
    env.step(env.parse_move("d9-d6"))
    changed = differing(before, env.render())
    for dot in ("d9", "d6"):
        assert within(changed, cell(dot)).mean() > 0.3
    for dot in ("a9", "e5", "c5", "e6", "i1", "f9", "b2"):
        assert not within(changed, cell(dot)).any()


def test_every_kind_of_piece_looks_its_own_way() -> None:
    boards = [{"e5": "c", "h7": "s"}, {"e5": "c", "h7": "o"}, {"h7": "c"}, {"e5": "c"}]
    pictures = [pixels_at(text_of({"b2": "s", **pieces}, "s")) for pieces in boards]
    for k, first in enumerate(pictures):
        for second in pictures[k + 1 :]:
            assert within(differing(first, second), cell("h7")).mean() > 0.2


def test_pieces_are_drawn_on_their_dots() -> None:
    """The cells lie in rows and columns, rank 9 on top, as far from each other as from their own sides."""
    lefts = [cell(file + "9")[0] for file in "acegi"]
    tops = [cell("a" + rank)[1] for rank in "97531"]
    for places in (lefts, tops):
        steps = {second - first for first, second in pairwise(places)}
        assert max(steps) - min(steps) <= 1
        assert min(steps) > 30
    for dot in ("e3", "g7", "c9"):
        left, top, _, _ = cell(dot)
        assert abs(left - lefts["acegi".index(dot[0])]) <= 1
        assert abs(top - tops["97531".index(dot[1])]) <= 1


def test_a_captured_piece_is_gone_from_the_count() -> None:
    """Beside the board it is shown how many pieces each seat has left."""
    more, less = (
        pixels_at(text_of({"e5": "c", "b2": "s", "c7": "o", "g2": "o", **extra}, "s"))
        for extra in ({"h7": "s"}, {})  # type: ignore[attr-defined]
    )
    assert off_board(differing(more, less)).any()
    fewer_shields = pixels_at(text_of({"e5": "c", "b2": "s", "g2": "o", "h7": "s"}, "s"))
    assert off_board(differing(more, fewer_shields)).any()
    assert bounds(off_board(differing(more, fewer_shields))) != bounds(off_board(differing(more, less)))


@pytest.mark.parametrize("move", ["d9-d6", "d9-a9", "i4-g4", "e2-e1"])
def test_the_last_move_is_marked(move: str) -> None:
    """Pictures that differ in it alone: the same position reached by the move, and read from its text."""
    source, target = move.split("-")
    start = {"e5": "c", source: "s", "b3": "s", "g8": "o"}
    env = at(text_of(start, "s"))
    env.step(env.parse_move(move))
    again = at(env.position())
    assert again.position() == env.position()
    assert again.svg() != env.svg()
    marked = differing(rasterise(env.svg()), rasterise(again.svg()))
    for dot in (source, target):
        assert within(marked, cell(dot)).any()
    for dot in ("e5", "b3", "g8", "h6", "c5"):
        assert not within(marked, cell(dot)).any()
    assert not off_board(marked).any()


def test_the_last_move_is_marked_from_where_to_where() -> None:
    """Two moves to the same position, and a move and its opposite, are not marked alike."""
    rooks = {"e5": "c", "g8": "o"}
    pictures = []
    for source in ("d9", "a6", "d4"):
        env = at(text_of({**rooks, source: "s"}, "s"))
        env.step(env.parse_move(f"{source}-d6"))
        pictures.append(env)
    assert len({env.position() for env in pictures}) > 1  # by the counted positions, not by the pieces
    assert len({env.position().split(" ")[0] for env in pictures}) == 1
    shots = [rasterise(env.svg()) for env in pictures]
    for k, first in enumerate(shots):
        for second in shots[k + 1 :]:
            assert differing(first, second).any()


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_the_last_ply_is_marked_in_every_printed_game(game: str) -> None:
    env = begun(game, 3)
    fresh = parlour.make(game)
    rng = np.random.default_rng(3)
    for _ in range(3):
        env.step(random_action(env, rng))
        fresh.reset(seed=0, options={"position": env.position()})
        assert differing(rasterise(env.svg(), SMALL), rasterise(fresh.svg(), SMALL)).any()
        assert env.ansi() != fresh.ansi()


def test_the_seat_to_act_is_shown() -> None:
    """Pictures that differ in it alone differ beside the board, and on the plaques of both seats."""
    for rows in (START, "9/4s4/9/2c6/5s3/9/9/3o5/9"):
        swords, shields = pixels_at(f"{rows} s"), pixels_at(f"{rows} o")
        changed = differing(swords, shields)
        assert changed.any()
        assert (changed == off_board(changed)).all()
        middle = changed.shape[1] // 2
        assert changed[:, : middle - 60].sum() > 500
        assert changed[:, middle + 60 :].sum() > 500


def test_the_ply_count_alone_does_not_change_the_pixels() -> None:
    assert (pixels_at(f"{START} s") == pixels_at(f"{START} s plies=12")).all()


def test_endings_on_the_same_board_are_told_apart() -> None:
    """Running, drawn and cut: beside the board alone."""
    texts = [ENDINGS["repetition"].partition(" plies")[0], ENDINGS["repetition"], ENDINGS["max_plies"]]
    shots = [pixels_at(text) for text in texts]
    for k, first in enumerate(shots):
        for second in shots[k + 1 :]:
            changed = differing(first, second)
            assert changed.sum() > 50
            assert (changed == off_board(changed)).all()


def test_the_winner_is_shown() -> None:
    """Against a running game on the same board."""
    empty = "9/9/2o6/9/4c4/9/9/9/9"
    won = pixels_at(f"{empty} s end=no_move")
    running = pixels_at(f"{empty[:-1]}8s s")
    assert off_board(differing(won, running)).any()
    shut = "9/9/9/4s4/3scs3/4s4/9/9/9"
    swords_win, drawn = pixels_at(f"{shut} o end=no_move"), pixels_at("9/9/8s/4s4/3sc4/4s4/9/9/9 o end=repetition")
    assert off_board(differing(swords_win, drawn)).sum() > 500
    middle = won.shape[1] // 2
    shields_win = off_board(differing(won, pixels_at(f"{shut} o end=no_move")))
    assert shields_win[:, :middle].any()
    assert shields_win[:, middle:].any()


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("variant", ["milton_bradley", "tablut", "corner_escape"])
def test_every_ending_has_a_picture_and_words(end: str, variant: str) -> None:
    env = at((CORNER_ENDINGS if variant == "corner_escape" else ENDINGS)[end], variant, "rgb_array")
    assert env.is_over()
    assert env.games.ending(0) == end.split(" ")[0]
    assert env.render().shape == pixels_at(f"{START} s").shape
    require_svg(env.svg())
    assert env.ansi().splitlines()[-1] == LAST_LINES[end]
    assert LAST_LINES[end] in (ElementTree.fromstring(env.svg()).findtext(f"{SVG}title") or "")


def test_endings_that_are_played_have_pictures() -> None:
    """By their last ply, which stays marked."""
    plays = {
        "capture": ("9/9/3s5/9/9/4c4/4o4/9/3s1s3 s", ["d1-d4", "e3-h3", "f1-f4"]),
        "escape": ("9/9/9/9/2c6/9/9/6s2/9 o", ["c5-a5"]),
        "repetition": ("9/9/9/9/2c6/9/9/6s2/9 o", ["c5-c6", "g2-g3", "c6-c5", "g3-g2"] * 2),
    }
    for end, (text, moves) in plays.items():
        env = at(text)
        for move in moves:
            env.step(env.parse_move(move))
        assert env.games.ending(0) == end
        require_svg(env.svg())
        assert differing(rasterise(env.svg()), pixels_at(env.position())).any()
        source, target = moves[-1].split("-")
        if end != "repetition":
            assert within(differing(rasterise(env.svg()), pixels_at(env.position())), cell(target)).any()
            assert within(differing(rasterise(env.svg()), pixels_at(env.position())), cell(source)).any()


def test_escape_corner_looks_its_own_way() -> None:
    """The corners are marked, and the ways out; the inner dots are as ever."""
    edge, corner = pixels_at(f"{START} s", "milton_bradley"), pixels_at(f"{START} s", "corner_escape")
    changed = differing(edge, corner)
    for dot in ("a1", "a9", "i1", "i9"):
        assert within(changed, cell(dot)).any()
    for dot in ("e5", "b2", "c7", "h8", "e4", "e9", "a4"):
        assert not within(changed, cell(dot)).any()
    rim, (left, top, right, bottom) = off_board(changed, 0), board()  # where arrowheads are
    assert all(side.any() for side in (rim[:, :left], rim[:top], rim[:, right:], rim[bottom:]))
    assert (edge == pixels_at(f"{START} s", "tablut")).all()


def test_pictures_have_no_class_but_the_one_that_pages_know() -> None:
    """A page has styles for classes of its own, which would reach into the picture."""
    env = begun("agon-v0")
    drawn = env.svg()
    assert 'class="upright"' in drawn
    require_svg(drawn)
    with pytest.raises(AssertionError, match="an element has the class 'board'; the only one that pages know is"):
        require_svg(drawn.replace('class="upright"', 'class="board"'))
