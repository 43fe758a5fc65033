"""The speed of each thing, as ratios to a baseline measured in the same run: ``python -m benchmarks [TASK…]``."""
