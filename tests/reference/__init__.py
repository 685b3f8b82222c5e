"""Slow, plain referees written from the rules alone, to hold the fast kernels against."""
