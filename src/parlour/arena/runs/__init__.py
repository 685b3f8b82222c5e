"""Games are played and kept: playing, journals and rows, progress, clusters, replays."""
