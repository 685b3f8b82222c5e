"""Compiling a kernel and all the kernels that it calls as one piece, which LLVM optimises once.

Numba makes a library of every function that another one calls: it optimises the function, makes machine code of it
(which is never called if the function is inlined) and links the optimised function into its caller, where it is
optimised again, and so on at each level of calls. Kernels call one another up to ten levels deep, so that most of the
time went into optimising the same code again and again.

Here a kernel has two forms. What Python calls, Numba compiles as usual. What another kernel calls is only translated to
LLVM's language and linked into its caller as it is; the whole is optimised when it is complete. The machine code is as
fast as before, and so are the results.

This stands on parts of Numba that are not public, so it is used with tested versions only: see `jit.TESTED`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import compiler, sigutils, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher


class PartialLibrary(JITCodeLibrary):
    """A function in LLVM's language with all that it calls, to be linked into a caller: not optimised, no machine
    code."""

    def _optimize_final_module(self) -> None:
        """Left to the caller."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class Kernel(CPUDispatcher):
    """A function that Python calls as machine code of its own, and that other kernels take in as a `PartialLibrary`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """See `numba.core.dispatcher.Dispatcher`."""
        super().__init__(*args, **options)
        self._partial: dict[tuple[Any, ...], Any] = {}

    def compile(self, sig: Any) -> Any:
        """Compiles, or loads, what Python calls. See `numba.core.dispatcher.Dispatcher.compile`."""
        with _no_garbage_collection():
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Takes what was compiled; the constants of all kernels in it must be known to it."""
        super().add_overload(cres)
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        """How Numba asks for the type of a call by another function."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        result = self._partial_result(tuple(folded))
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=[result.signature])
        return template, signature, folded, {}

    def get_overload(self, sig: Any) -> PartialLibrary:
        """How Numba asks for the code that a call by another function goes to."""
        args, _ = sigutils.normalize_signature(sig)
        return self._partial[tuple(args)].library

    def _partial_result(self, args: tuple[Any, ...]) -> Any:
        """The kernel for arguments of these types, as other kernels take it in."""
        if args not in self._partial:
            flags = compiler.Flags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            library = PartialLibrary(self.targetctx.codegen(), self.py_func.__qualname__)
            with self._compiling_counter:
                result = compiler.compile_extra(
                    self.typingctx, self.targetctx, self.py_func, args, None, flags, self.locals, library
                )
            self.targetctx.insert_user_function(library, result.fndesc, [library])
            self._partial[args] = result
        return self._partial[args]


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Without Python's search for cycles, which takes a tenth of the time of compiling and finds next to nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
