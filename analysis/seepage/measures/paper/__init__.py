"""The paper's own bounds, by name; see docs/architecture.md."""
