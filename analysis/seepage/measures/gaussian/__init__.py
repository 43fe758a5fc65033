"""Measures of Gaussian mixtures, with guaranteed bounds; see docs/architecture.md."""
