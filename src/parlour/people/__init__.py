"""What people at the board need, at the terminal and in the browser, in every game: where to click, what may be typed,
why a move is not legal, and advice."""
