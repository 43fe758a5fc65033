"""Closed forms of measures in the parameters of a program, and how they are written; see docs/architecture.md."""
