"""Comparison of variants: the plan, playing it, estimates and tests, and the conclusions."""
