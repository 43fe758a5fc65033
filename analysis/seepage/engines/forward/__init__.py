"""The forward layer; see docs/architecture.md."""
