"""Vim without a screen, with ALE."""
