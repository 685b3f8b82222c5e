"""The package against the real RL libraries; each file is skipped where its library is not installed."""
