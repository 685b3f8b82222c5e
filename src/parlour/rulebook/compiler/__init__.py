"""Compiles kernels to machine code. It depends on no game and no rules; `parlour.rulebook.compiling` is its only user.

* `jit`     chooses how kernels are compiled
* `linking` compiles a kernel and all kernels that it calls as one piece
* `cache`   stores machine code on disk
"""
