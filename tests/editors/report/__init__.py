"""Reports in a plain browser, with a checker of accessibility."""
