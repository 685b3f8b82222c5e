"""placeholder"""
from __future__ import annotations
def svg(state, variant):
    return '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
def ansi(state, variant):
    return "x"
