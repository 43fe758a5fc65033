"""Neovim without a screen."""
