"""Tests of what the examples compute, where that can be wrong without an error."""
