"""The formulas of measures on discrete joint distributions; see docs/architecture.md."""
