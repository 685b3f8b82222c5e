"""The variants as option values, typed from the rules, for the referee."""

RING = {
    "geometry": "ring",
    "entering": "trapped",
    "guard_goes": "next_ring",
    "queen_goes": "next_ring",
    "surround_loses": "throne_empty",
}
VARIANT_OPTIONS: dict[str, dict[str, str]] = {
    "classic": {},
    "classic_placing": {"setup": "guards"},
    "classic_exile": {"queen_placed_by": "opponent"},
    "lion_coffee": {"entering": "trapped"},
    "bell": {"entering": "trapped", "setup": "guards"},
    "parlett": {"entering": "trapped", "setup": "all"},
    "ring": RING,
    "ring_outer": {**RING, "guard_goes": "outer", "queen_goes": "outer"},
    "bloody_queen": {"capture": "bloody"},
}
