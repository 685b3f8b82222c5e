"""Exploration of rules: which option values come closest to stated goals, and what each option changes."""
