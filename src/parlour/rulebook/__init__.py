"""Everything that the author of a game needs to read: what a game consists of, and the helpers to write it with.

A *kernel* is a plain Python function that Numba can compile and that also runs uncompiled (``NUMBA_DISABLE_JIT=1``),
for reading, debugging and coverage.

* `protocol`  the parts of a game: rules, evaluation, notation, drawing
* `options`   options and variants
* `positions` positions as text; `position_parts` those in parts with bars between
* `compiling` the decorator ``kernel``, and where compiled code is kept
* `bits`      sets of cells in two 64-bit words
* `planes`    writing observation planes
* `masks`     counting and drawing the actions that a mask allows
* `chance`    random streams, and dice
* `races`     who is ahead in a race
* `hashing`   one ordered hash of words, for positions and searches
* `no_dice`   the chance functions of a game without dice
* `no_evaluation`, `no_guide`  defaults for what a game's ``evaluation.py`` or ``guide.py`` does not define
* `svg_text`, `svg_shapes`  letters and shapes for drawings
"""
