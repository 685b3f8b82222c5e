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
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from graphlib import TopologicalSorter
from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler, sigutils, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

LARGE = 10_000
"""Lines in LLVM's language, with all that goes inside it, from which on a function is not copied into several callers.

With less, batches of Checkers lost a fifth of their speed. With more, compiling searches of Agon takes a third longer.
"""
FUNCTION = re.compile(r'^define [^@]*@"?(?P<name>[^"(]+)"?\(.*?\{\n(?P<body>.*?)^\}', re.MULTILINE | re.DOTALL)
HEAD = re.compile(
    r'^(?P<before>define [^@]*@"?(?P<name>[^"(]+)"?\(.*?)(?P<after>(?: #\d+)?(?: !dbg !\d+)? \{)$', re.MULTILINE
)
CALL = re.compile(r'^\s.*? call [^@\n]*@"?([^"(\n]+)"?\(', re.MULTILINE)


class PartialLibrary(JITCodeLibrary):
    """A function in LLVM's language with all that it calls, to be linked into a caller: not optimised, no machine
    code."""

    inlined: str | None = None
    """the function's name, if it goes right inside its callers"""

    def _optimize_final_module(self) -> None:
        """Left to the caller."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class WholeLibrary(JITCodeLibrary):
    """What Python calls, with all that it calls."""

    _final_module: Any

    def _optimize_final_module(self) -> None:
        inlined = {part.inlined for part in _parts(self) if part.inlined}
        text = str(self._final_module)
        attributes = inlining(text, inlined)

        def marked(head: re.Match[str]) -> str:
            attribute = attributes.get(head["name"])
            return f"{head['before']} {attribute}{head['after']}" if attribute else head[0]

        name = self._final_module.name
        self._final_module = llvm.parse_assembly(HEAD.sub(marked, text))  # llvmlite 0.44 can't add attributes itself
        self._final_module.name = name
        super()._optimize_final_module()


def _parts(library: Any) -> set[PartialLibrary]:
    """All that was linked into a library."""
    parts: set[PartialLibrary] = set()
    left = [library]
    while left:
        new = {part for part in left.pop()._linking_libraries if isinstance(part, PartialLibrary)} - parts
        parts |= new
        left.extend(new)
    return parts


def inlining(module: str, inlined: set[str]) -> dict[str, str]:
    """Which functions of a module go right inside their callers: ``alwaysinline``, or ``noinline`` for those that are
    large and would be there more than once.

    Args:
        module: in LLVM's language.
        inlined: the functions that go inside their callers if they are small, or called from one place only.
    """
    calls = {
        match["name"]: (match["body"].count("\n"), Counter(name for name in CALL.findall(match["body"])))
        for match in FUNCTION.finditer(module)
    }
    callees = {name: set(called) & set(calls) for name, (_, called) in calls.items()}
    order = list(TopologicalSorter(callees).static_order())
    sizes: dict[str, int] = {}
    for name in order:
        lines, called = calls[name]
        sizes[name] = lines + sum(count * sizes[other] for other, count in called.items() if other in inlined)
    copies = Counter(name for name in calls if name not in inlined)
    attributes: dict[str, str] = {}
    for name in reversed(order):
        if name in inlined:
            apart = sizes[name] > LARGE and copies[name] > 1
            attributes[name] = "noinline" if apart else "alwaysinline"
            copies[name] = 1 if apart else copies[name]
        for other, count in calls[name][1].items():
            if other in inlined:
                copies[other] += count * copies[name]
    return attributes


class WholeCompiler(compiler.Compiler):
    """Numba's compiler for what Python calls."""

    def compile_extra(self, func: Any) -> Any:
        """See `numba.core.compiler.CompilerBase`."""
        self.state.library = WholeLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class Kernel(CPUDispatcher):
    """A function that Python calls as machine code of its own, and that other kernels take in as a `PartialLibrary`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """See `numba.core.dispatcher.Dispatcher`."""
        super().__init__(*args, pipeline_class=WholeCompiler, **options)
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
        folded = [unliteral(argument) for argument in folded]  # else every constant has a kernel of its own
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
            inline, flags.forceinline = flags.forceinline, False
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            library = PartialLibrary(self.targetctx.codegen(), self.py_func.__qualname__)
            with self._compiling_counter:
                result = compiler.compile_extra(
                    self.typingctx, self.targetctx, self.py_func, args, None, flags, self.locals, library
                )
            library.inlined = result.fndesc.llvm_func_name if inline else None
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
