"""The variants as option values, typed from the rules, for the referee."""

VARIANT_OPTIONS: dict[str, dict[str, str]] = {
    "milton_bradley": {},
    "tablut": {"throne_hostile": "all", "chief_beside_throne": "three"},
    "corner_escape": {"escape": "corner"},
}
