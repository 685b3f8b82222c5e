"""All that the author of a game reads: what rules consist of, and the pieces that they are written with.

A *kernel* is a plain Python function that Numba can compile and that also runs uncompiled (``NUMBA_DISABLE_JIT=1``),
for reading, debugging and coverage.

* `protocol`  the parts of a game: rules, evaluation, notation, drawing
* `options`   options and variants
* `positions` positions as text
* `compiling` the decorator ``kernel``, and where compiled code is kept
* `bits`      sets of cells in two 64-bit words
* `planes`    writing observation planes
* `masks`     counting and drawing the actions that a mask allows
* `chance`    random streams, and dice
* `hashing`   one ordered hash of words, for positions and searches
* `no_dice`   the chance functions of a game without dice
* `no_evaluation`  what stands for what an ``evaluation.py`` does not define
* `svg_text`, `svg_shapes`  letters and shapes for drawings
"""
