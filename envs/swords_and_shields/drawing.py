"""x"""
def svg(state, variant): return ""
def ansi(state, variant): return ""
