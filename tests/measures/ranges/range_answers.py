"""Randomized response, and what becomes of a budget over ranges of its parameters."""

from __future__ import annotations

from seepage import parse

RESPONSE = """param p in [0, 1] = 1/2
param eps in [0, inf) = 1
secret r
output o
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""


def answer(text: str, requirement: str, seconds: float = 30.0) -> tuple[str | None, str]:
    """Return the verdict on a budget behind ``require``, and what is said about it; nothing where it holds."""
    found = parse(f"{text}require {requirement}\n").analyze(seconds=seconds).answers[-1]
    return found.verdict, "" if found.diagnostic is None else found.diagnostic.message
