def svg(s,v): return ""
def ansi(s,v): return ""
