"""The wpe layer; see docs/architecture.md."""
