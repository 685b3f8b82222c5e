"""The tests of Checkers."""
