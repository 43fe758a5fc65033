"""The keys of a mark of a Python function, said once: decorators and project files have the same."""

MARK_KEYS = ("secret", "fixed", "param", "output", "show", "require", "raises", "assertions")
