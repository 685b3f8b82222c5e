"""Rules compared: plans and results of comparisons, explorations and atlases as data."""
