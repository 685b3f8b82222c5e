"""What is missing for writing a policy file is noticed before the training, not after it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.players import check_export, export, export_torch

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def without_onnxscript(name: str, package: Any = None) -> object | None:
    return None if name == "onnxscript" else sys


def test_a_package_that_is_missing_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "find_spec", without_onnxscript)
    message = r"needs onnxscript: python -m pip install 'parlour\[learn\]'"
    with pytest.raises(ImportError, match=message):
        check_export()
    with pytest.raises(ImportError, match=message):
        export_torch(None, "policy.onnx", "agon-v0")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "file", [one.name for one in sorted(EXAMPLES.glob("*.py")) if "export_torch(" in one.read_text()]
)
def test_examples_look_before_they_train(file: str) -> None:
    lines = (EXAMPLES / file).read_text().splitlines()
    (parsed,) = [k for k, line in enumerate(lines) if "parser.parse_args()" in line]
    assert lines[parsed + 1].startswith("    check_export()")
