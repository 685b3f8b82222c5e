"""Wrappers, one a file: what they change in observation, action, reward and info stands at the head of each."""

if __name__ != "parlour.wrappers":  # run from the repository's root, `import wrappers` would make every class twice
    raise ImportError("import parlour.wrappers, not wrappers")
