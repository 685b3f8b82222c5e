"""Compiles a kernel and all kernels that it calls as one piece, which LLVM optimises once.

Numba makes a library of every function that another function calls: it optimises the function, generates machine code
for it (which is never called if the function is inlined) and links the optimised function into its caller. There it is
optimised again, and so on at each level of calls. Kernels call each other up to ten levels deep, so most of the time
would be spent on optimising the same code again and again.

Here a kernel has two forms. For calls from another kernel it is only translated to LLVM IR, and simplified by itself.
(Without that, batches of Checkers were 1.7 times as slow.) For calls from Python, all that it calls, directly or not,
is linked once, and the whole is optimised once. The machine code is as fast as Numba's, and the results are the same.

This uses parts of Numba that are not public, so it is used with tested versions only: see `jit.TESTED`.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from graphlib import TopologicalSorter
from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler, sigutils, typing
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

LARGE = 10_000
"""A function with more lines of LLVM IR, including the functions inlined into it, is not inlined into several callers.

With a limit of 2,000 Agon's `mcts` is 6 % slower, and all searches together compile in 3 % less time. With a larger
one, compiling searches of Agon takes a third longer.
"""
FUNCTION = re.compile(r'^define [^@]*@"?(?P<name>[^"(]+)"?\(.*?\{\n(?P<body>.*?)^\}', re.MULTILINE | re.DOTALL)
HEAD = re.compile(
    r'^(?P<before>define [^@]*@"?(?P<name>[^"(]+)"?\(.*?)(?P<after>(?: #\d+)?(?: !dbg !\d+)? \{)$', re.MULTILINE
)
CALL = re.compile(r'^\s.*? call [^@\n]*@"?([^"(\n]+)"?\(', re.MULTILINE)


class PartialLibrary(JITCodeLibrary):
    """The LLVM IR of a function, to be linked into whatever calls it. It has no machine code, and only its own function
    has been simplified."""

    inlined: str | None = None
    """The function's name, if it should be inlined into its callers"""

    def finalize(self) -> None:
        """Links nothing: the same function would be copied again at each level of calls."""
        self._finalized = True

    def own_module(self) -> Any:
        """The function alone"""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """With all that it calls, for a caller that is no kernel."""
        module = self.own_module().clone()
        link_called(module, called(self))
        return module


class WholeLibrary(JITCodeLibrary):
    """A function that Python calls, with all that it calls."""

    _final_module: Any
    _linking_libraries: list[Any]
    _called: list[Any]

    def finalize(self) -> None:
        """Links all that is called, directly or indirectly, and optimises it."""
        self._called, self._linking_libraries = called(self), []
        link_called(self._final_module, self._called)
        super().finalize()

    def _optimize_final_module(self) -> None:
        inlined = {part.inlined for part in self._called if isinstance(part, PartialLibrary) and part.inlined}
        text = str(self._final_module)
        attributes = inlining(text, inlined)

        def marked(head: re.Match[str]) -> str:
            attribute = attributes.get(head["name"])
            return f"{head['before']} {attribute}{head['after']}" if attribute else head[0]

        name = self._final_module.name
        self._final_module = llvm.parse_assembly(HEAD.sub(marked, text))  # llvmlite 0.44 can't add attributes itself
        self._final_module.name = name
        made = self._codegen._module_pass_manager()  # in Numba 0.61 the passes alone
        passes, *builder = made if isinstance(made, tuple) else (made,)
        passes.run(self._final_module, *builder)  # without Numba's first pass, which is for its counts of references


def called(library: Any) -> list[Any]:
    """The libraries of all that a function calls, directly or indirectly, each before those that it calls itself."""
    callers: dict[Any, set[Any]] = {library: set()}
    pending = [library]
    while pending:
        caller = pending.pop()
        for part in caller._linking_libraries:
            if part not in callers and isinstance(part, PartialLibrary):  # any other holds what it calls
                pending.append(part)
            callers.setdefault(part, set()).add(caller)
    return [part for part in TopologicalSorter(callers).static_order() if part is not library]


def link_called(module: Any, libraries: Iterable[Any]) -> None:
    """Links the libraries that `called` has found into a module. (LLVM leaves out a function that nothing calls yet,
    so their order counts.)"""
    for library in libraries:
        library._ensure_finalized()
        partial = isinstance(library, PartialLibrary)
        code = library.own_module() if partial else library._get_module_for_linking()
        module.link_in(code, preserve=True)


def inlining(module: str, inlined: set[str]) -> dict[str, str]:
    """The LLVM attribute of each function that may be inlined: ``alwaysinline``, or ``noinline`` for functions that are
    large and would be copied more than once.

    Args:
        module: the LLVM IR of a module.
        inlined: the names of the functions that should be inlined if they are small, or called only once.
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
            separate = sizes[name] > LARGE and copies[name] > 1
            attributes[name] = "noinline" if separate else "alwaysinline"
            copies[name] = 1 if separate else copies[name]
        for other, count in calls[name][1].items():
            if other in inlined:
                copies[other] += count * copies[name]
    return attributes


class WholeCompiler(compiler.Compiler):
    """Numba's compiler, for functions that Python calls."""

    def compile_extra(self, func: Any) -> Any:
        """See `numba.core.compiler.CompilerBase`."""
        self.state.library = WholeLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class Kernel(CPUDispatcher):
    """A kernel: Python calls its machine code, and other kernels link it as a `PartialLibrary`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, pipeline_class=WholeCompiler, **options)
        self._partial: dict[tuple[Any, ...], Any] = {}

    def compile(self, sig: Any) -> Any:
        """Compiles or loads the form for calls from Python. See `numba.core.dispatcher.Dispatcher.compile`."""
        cache = self._cache
        alone = nullcontext() if isinstance(cache, NullCache) else cache.alone(sig, self.targetctx)
        with _no_garbage_collection(), global_compiler_lock, alone:
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Adds compiled code, and registers the constants (environments) of all kernels that are linked into it."""
        super().add_overload(cres)
        for environment in cres._find_referenced_environments():
            cres.codegen.set_env(environment.env_name, environment)

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Called by Numba for the types of a call from another function."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        folded = [unliteral(argument) for argument in folded]  # so that constants don't need a kernel each
        result = self._partial_result(tuple(folded))
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=[result.signature])
        return template, signature, folded, {}

    def get_overload(self, sig: Any) -> PartialLibrary:
        """Called by Numba for the code of a call from another function."""
        args, _ = sigutils.normalize_signature(sig)
        return self._partial[tuple(args)].library

    def _partial_result(self, args: tuple[Any, ...]) -> Any:
        """The kernel compiled for calls from other kernels with these argument types."""
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
    """Disables Python's garbage collector, which takes a tenth of the compile time and finds almost nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
