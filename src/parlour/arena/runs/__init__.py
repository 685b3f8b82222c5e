"""Plays the games of a plan on threads or a cluster, and saves them in a journal."""
