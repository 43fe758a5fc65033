"""Channels whatever the prior, and their capacities; see docs/architecture.md."""
