"""Named tuples of arrays that kernels hand to each other as one value.

Numba hands every number in a tuple to a function by itself, and an array has seven. So calls had hundreds of arguments:
to take them out of tuples and to put them in again was two fifths of the code of alpha-beta that LLVM was given.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba import types
from numba.core.datamodel import register_default
from numba.core.datamodel.models import TupleModel
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, typeof_impl

from parlour.rulebook.compiling import COMPILED

Class = TypeVar("Class", bound=type[Any])


class Bundle(types.NamedTuple):
    """The type of such a tuple"""


@register_default(Bundle)
class _AsOne(TupleModel):
    def get_argument_type(self) -> Any:
        """See `numba.core.datamodel.models.DataModel`, here and below."""
        return self.get_value_type()

    def as_argument(self, builder: Any, value: Any) -> Any:
        return value

    def from_argument(self, builder: Any, value: Any) -> Any:
        return value


def bundle(named: Class) -> Class:
    """Makes a class of named tuples a bundle for kernels."""

    @typeof_impl.register(named)
    def typeof(values: Any, context: Any) -> Bundle:
        return Bundle([typeof_impl(value, context) for value in values], named)

    return named


if COMPILED:

    @intrinsic
    def bundled(context: Any, values: Any) -> Any:
        """A named tuple that a kernel has made, as a bundle."""
        kind = Bundle(values.types, values.instance_class)

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return impl_ret_borrowed(target, builder, kind, arguments[0])

        return kind(values), generate

else:

    def bundled(values: Any) -> Any:
        """See above."""
        return values
