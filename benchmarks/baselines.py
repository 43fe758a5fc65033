"""What the jobs are compared with: the same or a smaller question, answered the plain way."""

from __future__ import annotations

import ast
import itertools
import math
import subprocess
import sys

from benchmarks.task import Job


def parse_python() -> Job:
    """Parse 5000 assignments with Python's parser."""
    text = "x0 = 0\n" + "".join(f"x{i} = (x{i - 1} + {i % 7}) * 2 - x{i // 2}\n" for i in range(1, 5000))
    return lambda: ast.parse(text)


def enumerate_poll_of_10() -> Job:
    """I(r[1]; o) of the poll with 10 people, by listing all runs."""

    def information() -> float:
        n, p, q = 10, 0.5, math.e / (math.e + 1)
        joint: dict[tuple[int, int], float] = {}
        for answers in itertools.product((0, 1), repeat=n):
            prior = math.prod(p if answer else 1 - p for answer in answers)
            for truths in itertools.product((0, 1), repeat=n):
                count = sum(answer if truth else 1 - answer for answer, truth in zip(answers, truths, strict=True))
                told = sum(truths)
                key = (answers[0], count)
                joint[key] = joint.get(key, 0.0) + prior * q**told * (1 - q) ** (n - told)
        left, right = {0: 0.0, 1: 0.0}, [0.0] * (n + 1)
        for (answer, count), mass in joint.items():
            left[answer] += mass
            right[count] += mass
        return sum(mass * math.log2(mass / (left[answer] * right[count])) for (answer, count), mass in joint.items())

    return information


def gaussian_grid() -> Job:
    """I(inc[1]; out) of the Gaussian mechanism at eps = 100, by a plain sum over a grid that covers ten standard deviations."""
    import numpy as np

    def normal(x: np.ndarray, variance: float) -> np.ndarray:
        density: np.ndarray = np.exp(-x * x / (2 * variance)) / math.sqrt(2 * math.pi * variance)
        return density

    def information() -> float:
        noise = 2 * 100 * math.log(12.5) / 100**2
        x, y = np.linspace(-10, 10, 1601)[:, None], np.linspace(-10, 10, 4001)[None, :]
        joint = np.zeros((x.size, y.size))
        for others in range(4):
            for first in (0, 1):
                women = others + first
                if women == 0:
                    continue
                weight = math.comb(3, others) * 0.75**women * 0.25 ** (4 - women) / (1 - 0.25**4)
                given = normal(y - first * x / women, (others + noise) / women**2)
                joint += weight * normal(x, 1.0) * given
        step = (x[1, 0] - x[0, 0]) * (y[0, 1] - y[0, 0])
        marginals = normal(x, 1.0) * (joint.sum(axis=0) * (x[1, 0] - x[0, 0]))[None, :]
        inside = joint > 0
        return float((joint[inside] * np.log(joint[inside] / marginals[inside])).sum() * step)

    return information


def start_python() -> Job:
    """Start Python and import the library that the server is built on."""
    return lambda: subprocess.run([sys.executable, "-c", "import pygls.lsp.server"], check=True)
