"""The distributions layer; see docs/architecture.md."""
