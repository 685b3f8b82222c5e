"""Matches and tournaments between players, and the tallies from which their results come."""
