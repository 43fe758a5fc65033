"""Measures of an attacker who guesses, on discrete programs; see docs/architecture.md."""
