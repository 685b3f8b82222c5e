"""The tests of Acey Ducey."""
