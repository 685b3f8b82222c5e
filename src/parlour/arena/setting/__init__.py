"""What is played: rulesets, openings, games, plans, ladders as data."""
