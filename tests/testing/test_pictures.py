"""What `parlour check` refuses in a picture: fonts and numbers that are none, wherever numbers stand, but no words."""

from __future__ import annotations

import pytest

from parlour.testing.pictures import require_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 8 8"'


@pytest.mark.parametrize(
    "words",
    [
        "<title>Nannon</title>", "<title>fontana</title>", "<desc>infinite bonanza</desc>",
        '<g id="nannon-font"/><use href="#nannon-font"/>', '<g aria-label="the nan of a font is infinite"/>',
        '<clipPath id="nan"/><g clip-path="url(#nan)" fill="tan"/>',
    ],
)  # fmt: skip
def test_words_are_no_matter(words: str) -> None:
    require_svg(f"{HEAD}>{words}</svg>")


@pytest.mark.parametrize(
    ("element", "problem"),
    [
        ('<g font-family="serif"/>', "font"), ('<g font-size="3"/>', "font"), ('<g font="3px serif"/>', "font"),
        ('<circle cx="nan" cy="1" r="1"/>', "nan"), ('<circle cx="1" cy="1" r="-inf"/>', "inf"),
        ('<path d="MNaN 3"/>', "NaN"), ('<g transform="translate(3,nan)"/>', "nan"), ('<rect rx="nan"/>', "nan"),
        ('<polygon points="1,2 nan,3"/>', "nan"), ('<g stroke-width="nan"/>', "nan"), ('<line x1="nan"/>', "nan"),
        ('<g fill-opacity="nan"/>', "nan"), ('<g stroke-dasharray="1 nan"/>', "nan"),
    ],
)  # fmt: skip
def test_fonts_and_what_is_no_number_are_refused(element: str, problem: str) -> None:
    with pytest.raises(AssertionError, match=problem):
        require_svg(f"{HEAD}>{element}</svg>")
