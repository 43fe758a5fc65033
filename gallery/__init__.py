"""The gallery as a static site: each example with the Leakage panel, which works without a server over answers that are kept.

``recording.py`` asks a language server beforehand what the panel may ask, as the panel itself tells (``vscode-extension/gallery``); ``pages.py`` writes the pages.
``python -m gallery`` does both (``make gallery``).
"""
