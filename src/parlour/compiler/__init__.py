"""Turns kernels into machine code. It knows no game and no rules; `parlour.rulebook.compiling` is its only user.

* `jit`     which way of compiling is used
* `linking` compiling a kernel and all that it calls as one piece
* `cache`   where machine code is kept
"""
