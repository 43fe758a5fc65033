"""Differential privacy of discrete outputs and of mechanisms read from the text; see docs/architecture.md."""
