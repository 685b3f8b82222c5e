"""People at the board, at the terminal and in the browser: where to click, what may be typed, reasons, and advice."""
