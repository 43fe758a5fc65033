"""The formulas of measures on discrete joint distributions, one file a family, each with its source in its docstring."""
