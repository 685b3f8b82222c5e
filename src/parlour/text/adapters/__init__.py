"""Games in words in the shapes of other libraries, one module a library. Each needs that library, except `trl`."""
