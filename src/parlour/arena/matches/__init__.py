"""Between players: tallies, contests, sequential tests, standings."""
