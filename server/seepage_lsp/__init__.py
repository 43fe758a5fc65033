"""The language server; see docs/architecture.md."""
