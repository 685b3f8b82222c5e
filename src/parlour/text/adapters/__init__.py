"""Games in words in the shapes of other libraries, one module a library, which it needs."""
