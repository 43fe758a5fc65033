"""The semantics layer; see docs/architecture.md."""
