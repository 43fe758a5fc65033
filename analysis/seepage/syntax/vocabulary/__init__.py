"""The words of the language, each said once: how it is written, what it takes, what it means, and an example."""
