"""What a run of tests leaves behind is found (`tests/conftest.py` asks for it)."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import harm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is read from /proc")


def test_a_null_device_that_became_a_file(tmp_path: Path) -> None:
    assert harm.replaced_device() == []
    (tmp_path / "null").write_text("")
    assert "no device" in harm.replaced_device(tmp_path / "null")[0]


def test_a_file_in_the_home_folder(tmp_path: Path) -> None:
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "fonts").write_text("")
    assert harm.files_in(tmp_path) == []
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "parlour").write_text("")
    assert harm.files_in(tmp_path) == [f"{tmp_path}/.config/parlour was written"]


def test_a_file_in_the_checkout(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "left").write_text("")
    assert harm.changes_in(tmp_path) == {"?? left"}


def test_a_process_that_has_not_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert any(f"process {process.pid} " in found for found in harm.children())
    assert not any(f"process {process.pid} " in found for found in harm.children())


def test_a_port_that_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert f"port {port} is still open" in harm.open_ports()
    assert f"port {port} is still open" not in harm.open_ports()
