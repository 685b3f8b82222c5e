"""Kept machine code: damaged files are never looked at, folders of others are not used, and any number of processes may
write the same files at once."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import pytest
from filelock import FileLock

from parlour.rulebook.compiler import cache
from parlour.rulebook.compiler.cache import KernelCache, code_folder, sources_digest
from parlour.rulebook.compiler.jit import jit
from parlour.rulebook.compiling import COMPILED
from tests.support.cases import sampled
from tests.support.faults import EVERY_BYTE, damaged, disk_full_from
from tests.support.processes import ROOT, run_python

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")

PLAY = """
import hashlib, parlour
parlour.register("tests.toy_games.pig")
batch = parlour.make_batch("pig-v0", num_games=8, seed=3)
batch.reset()
digest = hashlib.sha256()
for _ in range(50):
    observed, rewards, *_ = batch.step(batch.sample_actions())
    digest.update(observed["observation"].tobytes() + rewards.tobytes())
from tests.support.kernels import misses_and_hits
print(digest.hexdigest(), misses_and_hits()[0])
"""


def copy_of(name: str, folder: Path) -> None:
    """Copies the machine code in the usual folder ``name`` into a cache in ``folder``."""
    usual = code_folder(name)
    assert usual is not None
    (folder / "cache").mkdir(exist_ok=True)
    (folder / "cache" / name).mkdir()
    for file in usual.glob("*.code"):
        shutil.copy(file, folder / "cache" / name)


def tripled(number: Any) -> Any:
    return number + number + number


def halved(number: Any) -> Any:
    return number / 2


class Kept:
    """Kernels whose machine code is kept in one folder; ``compiled`` counts how often any was compiled."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.compiled = folder, 0

    def kernel(self, function: Callable[..., Any] = tripled) -> Any:
        """A kernel as a new process would have it: nothing of it is compiled or loaded yet."""
        return jit(function, True, KernelCache(function, lambda: code_folder("kernels"), self._count))

    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    def _count(self) -> None:
        self.compiled += 1


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    monkeypatch.setenv("PARLOUR_CACHE_DIR", str(tmp_path / "cache"))
    once = (code_folder, cache._warn_damaged, cache._warn_not_kept)
    for function in once:
        function.cache_clear()
    yield Kept(tmp_path / "cache")
    for function in once:
        function.cache_clear()


def test_what_is_kept_is_not_compiled_again(kept: Kept) -> None:
    assert [kept.kernel()(14) for _ in range(3)] == [42, 42, 42]
    assert kept.compiled == 1
    assert kept.kernel()(1.5) == 4.5
    assert kept.kernel(halved)(14) == 7
    assert kept.compiled == 3
    assert len(kept.files()) == 3
    assert kept.folder.stat().st_mode & 0o777 == 0o700


@EVERY_BYTE
def test_nothing_in_a_damaged_file_is_ever_looked_at(
    kept: Kept, cases: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = kept.kernel()
    kernel(14)
    (file,) = kept.files()
    content, context = file.read_bytes(), kernel.targetctx
    signature = kernel.signatures[0]
    assert kernel._cache.load_overload(signature, context) is not None

    def refuse(*_: object) -> None:
        raise AssertionError("damaged content was looked at")

    monkeypatch.setattr(cache.pickle, "loads", refuse)
    with warnings.catch_warnings(record=True) as warned:
        for wrong in itertools.chain(damaged(content, cases), [b"", content + b"\0"]):
            file.write_bytes(wrong)
            assert kernel._cache.load_overload(signature, context) is None
            assert not file.exists()
    assert ["was damaged" in str(warning.message) for warning in warned] == [True]


def test_a_damaged_file_is_compiled_anew_with_one_warning(tmp_path: Path) -> None:
    first = run_python(PLAY, ROOT)
    assert first.returncode == 0, first.stderr
    for name in ("kernels", "pig-rules"):
        copy_of(name, tmp_path)
    files = sorted((tmp_path / "cache" / "pig-rules").glob("*.code"))
    assert len(files) > 2
    kept = {file: file.read_bytes() for file in files}
    for k, (file, content) in enumerate(kept.items()):
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        file.write_bytes([b"", content[:middle], flipped][k % 3])
    again = run_python(PLAY, ROOT, PARLOUR_CACHE_DIR=str(tmp_path / "cache"))
    digest, compiled = again.stdout.split()
    assert digest == first.stdout.split()[0], again.stderr
    assert int(compiled) > 2  # pig-rules has those of other tests, too
    assert again.stderr.count("was damaged") == 1
    last = run_python(PLAY, ROOT, PARLOUR_CACHE_DIR=str(tmp_path / "cache"))
    assert last.stdout.split() == [digest, "0"]
    assert last.stderr == ""


def test_exchanged_files_are_damaged_files(kept: Kept) -> None:
    kept.kernel()(14)
    kept.kernel(halved)(14)
    one, other = kept.files()
    contents = one.read_bytes(), other.read_bytes()
    one.write_bytes(contents[1])
    other.write_bytes(contents[0])
    with pytest.warns(RuntimeWarning, match="was damaged"):
        assert (kept.kernel()(14), kept.kernel(halved)(14)) == (42, 7)
    assert kept.compiled == 4
    assert (one.read_bytes()[:32], other.read_bytes()[:32]) != (contents[1][:32], contents[0][:32])


def test_code_of_a_module_that_is_not_there_is_compiled_again(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two packages may have the same sources; kept machine code names the modules of the one that was compiled."""
    module = ModuleType("only_here")
    exec("def doubled(number):\n    return number + number\n", vars(module))
    monkeypatch.setitem(sys.modules, "only_here", module)
    assert kept.kernel(vars(module)["doubled"])(21) == 42
    monkeypatch.delitem(sys.modules, "only_here")
    assert kept.kernel(vars(module)["doubled"])(21) == 42
    assert kept.compiled == 2


posix = pytest.mark.skipif(os.name != "posix", reason="the file system knows no owners")


@posix
@pytest.mark.parametrize("inner", [False, True])
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o1777])
def test_a_folder_that_others_may_write_to_is_not_used(kept: Kept, inner: bool, mode: int) -> None:
    place = kept.folder / "kernels" if inner else kept.folder
    place.mkdir(parents=True)
    kept.folder.chmod(0o700)
    place.chmod(mode)
    with pytest.warns(RuntimeWarning, match="other users may write to it") as warned:
        assert [kept.kernel()(14) for _ in range(2)] == [42, 42]
    assert len(warned) == 1
    assert str(place) in str(warned[0].message)
    assert kept.compiled == 2
    assert not kept.files()


@posix
def test_a_folder_of_another_user_is_not_used(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.kernel()(14)
    code_folder.cache_clear()
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert kept.kernel()(14) == 42
    assert kept.compiled == 2


@posix
def test_a_file_of_another_user_is_not_loaded(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.kernel()(14)
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    assert kept.kernel()(14) == 42
    assert kept.compiled == 2


def test_a_full_disk_leaves_nothing_and_is_told_once(kept: Kept) -> None:
    code_folder("kernels")
    with disk_full_from(0), pytest.warns(RuntimeWarning, match="No space left") as warned:
        assert [kept.kernel()(14) for _ in range(2)] == [42, 42]
    assert len(warned) == 1
    assert not kept.files()


def test_settings_that_change_machine_code_have_files_of_their_own(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.kernel()(14)
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    kept.kernel()(14)
    assert kept.compiled == 2
    assert len(kept.files()) == 2


PLAY_BOTH = """
import sys, parlour
env = parlour.make("checkers-v0")
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
batch = parlour.make_batch("checkers-v0", 8, seed=0)
batch.reset()
batch.step(batch.sample_actions())
print({"scipy.linalg", "asyncio"} & {*sys.modules})
"""


def test_loading_needs_no_compiler() -> None:
    """What Numba imports before it compiles anything, and what locks import, takes longer than all of the loading, and
    a seventh of the memory."""
    run_python(PLAY_BOTH, ROOT)
    assert run_python(PLAY_BOTH, ROOT).stdout == "set()\n"


@sampled("processes", 2, 8)
def test_processes_compile_the_same_game_at_once(tmp_path: Path, processes: int) -> None:
    copy_of("kernels", tmp_path)
    before = set((tmp_path / "cache").rglob("*"))
    environment = {**os.environ, "PARLOUR_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "error", "-c", PLAY]
    started = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    answers = [process.communicate(timeout=300) for process in started]
    assert [process.returncode for process in started] == [0] * processes, answers
    digests = {out.split()[0] for out, _ in answers}
    assert len(digests) == 1
    last = run_python(PLAY, ROOT, PARLOUR_CACHE_DIR=str(tmp_path / "cache"))
    assert last.stdout.split() == [*digests, "0"]
    files = [path for path in set((tmp_path / "cache").rglob("*")) - before if path.is_file()]
    assert {path.suffix for path in files} == {".code"}
    assert sum(int(out.split()[1]) for out, _ in answers) == len(files), "each kernel is compiled by one process"


def test_a_kernel_that_another_process_compiles_is_waited_for_only_so_long(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MAX_WAIT", 0.1)
    kept.kernel()(14)
    [file] = kept.files()
    file.unlink()
    with FileLock(f"{file}.lock"):
        assert kept.kernel()(14) == 42
    assert kept.compiled == 2
    assert file in kept.files()


def test_a_kernel_that_can_not_be_compiled_is_not_locked(kept: Kept) -> None:
    for _ in range(2):
        with pytest.raises(numba.TypingError):
            kept.kernel(halved)("fourteen")
    assert not kept.files()


def test_a_digest_of_sources_does_not_depend_on_where_they_lie(tmp_path: Path) -> None:
    """A checkout has the games beside the package, an installed package within it: so their folders' order differs."""
    digests = []
    for rules, engine in (("a", "b"), ("b", "a"), ("a", "b/c")):
        folders = [tmp_path / str(len(digests)) / name for name in (rules, engine)]
        for folder in folders:
            folder.mkdir(parents=True)
        (folders[0] / "rules.py").write_text("RULES = 1")
        (folders[0] / "__init__.py").touch()
        (folders[1] / "engine.py").write_text("ENGINE = 1")
        (folders[1] / "__init__.py").touch()
        digests.append(sources_digest(tuple(folders)))
    assert len(set(digests)) == 1
    (folders[0] / "rules.py").write_text("RULES = 2")
    assert sources_digest((*folders, folders[0] / "rules.py")) != digests[0]
