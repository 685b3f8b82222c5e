"""The tests of Agon."""
