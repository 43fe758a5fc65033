"""The engines layer; see docs/architecture.md."""
