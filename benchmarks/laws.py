"""Noise of laws that are no normal ones, against plain sums over a grid."""

from __future__ import annotations

from functools import partial

from benchmarks.task import Job, Task

_PROGRAM = "secret s\noutput o\ns ~ uniform_int(0, 3)\n{noise}\no := s + n\n"
_NOISES = {
    "logistic": "n ~ logistic(0, 1)",
    "Cauchy": "n ~ cauchy(0, 1)",
    "Weibull": "n ~ weibull(2, 1)",
    "Pareto": "n ~ pareto(1, 3)",
    "Gumbel difference": "a ~ gumbel(0, 1)\nb ~ gumbel(0, 1)\nn := a - b",
}


def told(noise: str) -> Job:
    """Prepare the information about a secret behind noise; each run asks a new program."""
    import seepage

    text = _PROGRAM.format(noise=_NOISES[noise])
    return lambda: seepage.parse(text).measure("I(s; o)").value


def summed() -> Job:
    """Prepare what logistic noise leaves, as a plain sum over a fine grid."""
    import numpy as np

    def information() -> float:
        places = np.linspace(-60, 60, 1_200_001)
        rows = []
        for secret in range(4):
            away = np.exp(-np.abs(places - secret))
            rows.append(away / (1 + away) ** 2)
        mean = sum(rows) / 4
        step = places[1] - places[0]
        return float(sum(np.sum(row * np.log2(row / mean)) for row in rows) / 4 * step)

    return information


TASKS = {
    f"what is told behind {noise} noise": Task(
        partial(told, noise), summed, "the same of logistic noise as a sum over a million places in numpy"
    )
    for noise in _NOISES
}
