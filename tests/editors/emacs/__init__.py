"""Emacs without a screen, with eglot and with lsp-mode."""
