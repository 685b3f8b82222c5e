"""Results as tables: pandas DataFrames, and HTML for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from markupsafe import escape

if TYPE_CHECKING:
    import pandas

DataFrame: TypeAlias = "pandas.DataFrame"
"""The class of pandas, which is imported only where a table is made."""


def frame_of(rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """Rows as a DataFrame. ValueError if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise ValueError("tables need pandas: python -m pip install 'parlour[frames]'") from None
    return pandas.DataFrame(list(rows))


def parquet_of(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a Parquet file, by pandas. ValueError if pandas or pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        raise ValueError("Parquet needs pandas and pyarrow: python -m pip install 'parlour[parquet]'")
    written: bytes = frame_of(rows).to_parquet()
    return written


def html_of(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in HTML."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
