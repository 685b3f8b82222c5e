"""``parlour serve``: play, watch and replay in a browser, on this machine. Needs ``parlour[web]``.

Rules and drawing stay in Python: the server draws the picture and decides what is legal; the page posts what was
clicked and shows what comes back.
"""
