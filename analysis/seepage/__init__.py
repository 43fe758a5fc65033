"""Seepage: how much a probabilistic program leaks about its secrets."""
