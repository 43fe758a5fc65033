"""The soga layer; see docs/architecture.md."""
