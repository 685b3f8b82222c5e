"""The tests of Parlour."""
