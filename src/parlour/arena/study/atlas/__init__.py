"""The atlas of a game's variants: a comparison under several players, and what can be measured beside it of their
policies, of the worth of pieces, of rules one by one and of skill."""
