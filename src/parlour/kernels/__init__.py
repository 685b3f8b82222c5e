"""The compiled part that all games share.

A *kernel* is a plain Python function that Numba can compile and that also runs uncompiled (``NUMBA_DISABLE_JIT=1``):
for reading, debugging and coverage. This folder holds every kernel that the games share, and nothing else, so that its
text together with a game's own folder is the whole source of that game's machine code:

* `compiling` the decorator, and where compiled code is kept
* `bits`      sets of cells in two 64-bit words
* `planes`    writing observation planes
* `chance`    the random streams, one a game
* `diceless`  the chance functions of a game without dice
* `protocol`  what a game's rules consist of
* `masks`     counting and drawing the actions that a mask allows
* `relay`     handing work to threads without leaving compiled code
* `templates` what is compiled once a game, with its rules right in it
"""
