"""Crown and Anchor (Parker Brothers, 1945): two to twelve seats bet chips on six designs against a rotating Banker."""

TITLE = "Crown and Anchor"
VERSION = 0
SEAT_NAMES = ()
