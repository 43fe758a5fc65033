"""Budgets decided over whole ranges of parameters; see docs/architecture.md."""
