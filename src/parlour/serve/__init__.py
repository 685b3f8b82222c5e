"""``parlour serve``: play, watch and replay in a browser, on this machine. Needs ``parlour[web]``.

Rules and drawing stay in Python. The page posts what was clicked; the server decides what is legal, draws the board and
sends the new page.
"""
