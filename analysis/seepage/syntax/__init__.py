"""The syntax layer; see docs/architecture.md."""
