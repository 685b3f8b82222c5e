"""Rates players on ladders, and makes ladders."""
