"""The measures layer; see docs/architecture.md."""
