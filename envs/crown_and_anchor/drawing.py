from .notation import write
def svg(state, variant): return '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'
def ansi(state, variant): return write(state, variant)
