"""Files are written whole or not at all: on a full disk, after an error, after a kill."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from parlour.support import files
from parlour.support.files import UNFINISHED, read_file, remove_unfinished, replacing, write_file
from tests.support.faults import run_and_kill


def test_content_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content in ("first", "zweites ü", b"\x00\xff", ""):
        write_file(path, content)
        assert read_file(path) == (content.encode() if isinstance(content, str) else content)
    assert os.listdir(tmp_path) == ["a.txt"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "open"])
def test_a_full_disk_changes_nothing_and_leaves_nothing(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "old")
    usual = getattr(os, call)

    def fail(*arguments: Any, **named: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, call, fail)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_file(path, "new")
    monkeypatch.setattr(files.os, call, usual)
    assert caught.value.filename == str(path)
    assert os.listdir(tmp_path) == ["a.txt"]
    assert path.read_text() == "old"


def test_a_disk_that_takes_few_bytes_at_a_time_gets_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda file, data: write(file, data[:7]))
    write_file(tmp_path / "a.txt", "0123456789" * 5)
    assert (tmp_path / "a.txt").read_text() == "0123456789" * 5


def test_a_body_that_raises_or_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "old")
    for error in (RuntimeError("stop"), KeyboardInterrupt()):
        with pytest.raises(type(error)), replacing(path) as fresh:
            fresh.write_text("half")
            raise error
    with pytest.raises(ValueError, match=r"no file was written to '\.unfinished-.*-a\.txt'"), replacing(path):
        pass
    assert os.listdir(tmp_path) == ["a.txt"]
    assert path.read_text() == "old"


def test_what_is_not_a_file_is_not_replaced_and_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError) as caught:
        write_file(tmp_path / "folder", "x")
    assert caught.value.filename == str(tmp_path / "folder")
    for odd in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(OSError, match="Not a plain file"):
            write_file(odd, "x")
    (tmp_path / "victim").write_text("safe")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    write_file(tmp_path / "link", "mine")
    assert ((tmp_path / "victim").read_text(), (tmp_path / "link").read_text()) == ("safe", "mine")
    with pytest.raises(FileNotFoundError) as missing:
        write_file(tmp_path / "none" / "a", "x")
    assert missing.value.filename == str(tmp_path / "none" / "a")
    assert sorted(os.listdir(tmp_path)) == ["folder", "link", "pipe", "victim"]


WRITER = """
import sys
from pathlib import Path
from parlour.support.files import write_file
print("ready", flush=True)
while True:
    for letter in "ab":
        write_file(Path(sys.argv[1]), letter * 200_000)
"""


def test_an_error_names_the_path_of_a_folder(tmp_path: Path) -> None:
    for follow_links in (True, False):
        with pytest.raises(OSError) as caught:
            read_file(tmp_path, follow_links=follow_links)
        assert caught.value.filename == str(tmp_path)


def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path) -> None:
    """Old content or new, never a mixture; and what was left beside it is known by its name."""
    path = tmp_path / "a.txt"
    for delay in (0.0, 0.003, 0.01, 0.03):
        run_and_kill(WRITER, path, delay=delay)
        assert not path.exists() or path.read_text() in ("a" * 200_000, "b" * 200_000)
        assert all(name == "a.txt" or name.startswith(UNFINISHED) for name in os.listdir(tmp_path))
        remove_unfinished(tmp_path)
        assert os.listdir(tmp_path) in ([], ["a.txt"])
