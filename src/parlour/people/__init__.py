"""What people at the board need, at the terminal and in the browser alike, whatever the game: where to click, what may
be typed, why a move is not legal, and advice."""
