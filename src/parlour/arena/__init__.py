"""Players against players: matches, tournaments, ratings, and the comparison of variants."""
