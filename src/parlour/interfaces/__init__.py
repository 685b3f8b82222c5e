"""The two interfaces of a game, PettingZoo's and the batch engine, and the registry that makes them."""
