"""The keys of a mark of a Python function, and of a mechanism of a library, said once: decorators, project files and their schema have the same."""

MARK_KEYS = ("secret", "fixed", "param", "output", "show", "require", "raises", "assertions")
MECHANISM_KEYS = ("parameters", "draw", "result", "method", "type", "need", "note")
MECHANISM_TYPES = ("float", "int", "str")
