"""The step of many games on a GPU: the same kernels as on the CPU, a thread a game. It needs ``parlour[cuda]``."""
