"""Measures of programs beyond SOGA's exactness, from the exact laws of their paths; see docs/architecture.md."""
