"""The words of the language, each with a sentence: for hover and completion."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.semantics.signatures import SIGNATURES, Signature

KEYWORDS: Mapping[str, str] = MappingProxyType(
    {
        "param": "`param x in [a, b] = e`: a symbolic parameter with domain and default; results stay symbolic in it.",
        "const": "`const x = e`: a static number, known before the analysis.",
        "secret": "`secret x, y[2]`: what must stay secret; a bare array name means all of its elements, jointly.",
        "output": "`output o, a`: what the attacker sees; several outputs are seen jointly.",
        "initial": "`secret initial x`: the secret is the value of the first assignment.",
        "final": "`secret final x`: the secret is the value on termination.",
        "show": "`show M in nats`: compute and show a measure.",
        "require": "`require M <= e bits over p in [a, b]`: a leak budget, which holds, is violated, or cannot be told.",
        "over": "`over p in [a, b]`: the budget is checked for every value of the range.",
        "bits": "The unit of logarithms to base 2.",
        "nats": "The unit of natural logarithms.",
        "if": "`if b { … } else { … }`, or `if b then e1 else e2` inside an expression.",
        "then": "`if b then e1 else e2`: an expression by cases, evaluated lazily.",
        "else": "What happens if no condition above holds.",
        "for": "`for i in a..b { … }`: bounds are static and inclusive; the loop is unrolled.",
        "in": "Stands before a range, a domain or a unit.",
        "observe": "`observe b`: runs in which `b` is false are discarded, the rest renormalised.",
        "skip": "`skip`: nothing happens.",
        "and": "Both hold; evaluated left to right, stops early.",
        "or": "One of both holds; evaluated left to right, stops early.",
        "xor": "Exactly one of both holds.",
        "not": "`not b`: 1 − b of a boolean.",
        "true": "The number 1.",
        "false": "The number 0.",
        "inf": "Infinity, in domains and ranges.",
    }
)

MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "H": "`H(x)`, `H(x | y)`, `H(x | o == 9)`: entropy, given variables or given an event; differential for continuous variables.",
        "I": "`I(x; y)`, `I(x; y | z)`: mutual information, how much y tells about x.",
        "KL": "`KL(x || y)`, `KL(x | o == 9 || x)`: divergence; the second is what the attacker learns from seeing 9.",
        "P": "`P(b)`, `P(b | c)`: probability of an event.",
        "E": "`E(e)`, `E(e | c)`: mean.",
        "Var": "`Var(e)`: variance.",
        "Hmin": "`Hmin(x | y)`: min-entropy.",
        "V": "`V(x | y)`: Bayes vulnerability, the chance to guess x in one try.",
        "Guess": "`Guess(x | y)`: expected number of guesses in the best order.",
        "Lmin": "`Lmin(x -> y)`: min-entropy leakage.",
        "C": "`C(x -> y)`: Shannon capacity of the channel from x to y, over all priors of x.",
        "Cmin": "`Cmin(x -> y)`: min-capacity, over all priors of x.",
        "DP": "`DP(x -> y, distance=k, delta=d)`: smallest ε of differential privacy, in natural units.",
        "Delta": "`Delta(x -> y, eps=e)`: smallest δ at a claimed ε.",
        "G": "`G(x -> y, gain)`: g-leakage.",
    }
)

FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "min": "`min(a, b, …)`: the smallest.",
        "max": "`max(a, b, …)`: the largest.",
        "abs": "`abs(a)`: the absolute value.",
        "floor": "`floor(a)`: the largest integer that is not above a.",
        "ceil": "`ceil(a)`: the smallest integer that is not below a.",
        "exp": "`exp(a)`: the exponential.",
        "log": "`log(a)`: the natural logarithm.",
        "sqrt": "`sqrt(a)`: the square root.",
        "bit_xor": "`bit_xor(a, b)`, of non-negative integers.",
        "bit_and": "`bit_and(a, b)`, of non-negative integers.",
        "bit_or": "`bit_or(a, b)`, of non-negative integers.",
        "shift_left": "`shift_left(a, n)`, of non-negative integers.",
        "shift_right": "`shift_right(a, n)`, of non-negative integers.",
    }
)


def call_text(signature: Signature) -> str:
    """Return how a distribution is written: ``normal(mean, variance)``."""
    parts = [*signature.parameters]
    if signature.variadic is not None:
        parts += [f"{signature.variadic}1", f"{signature.variadic}2", "…"]
    parts += [f"{name}={default}" for name, default in signature.named_only.items()]
    return f"{signature.name}({', '.join(parts)})"


def describe_distribution(signature: Signature) -> str:
    """Return call, kind and exactness of a distribution."""
    said = [f"`{call_text(signature)}`: {signature.kind}"]
    if signature.exactness == "matched":
        said.append(
            "no Gaussian mixture: integrated where its density allows, elsewhere replaced by a normal of the same moments, and approximate"
        )
    said += [f"`{other}=` may be named in place of `{name}`" for other, name in signature.instead.items()]
    return "; ".join(said)


def describe_word(word: str) -> str | None:
    """Return what a keyword, distribution, measure or function means; None for any other word."""
    if word in SIGNATURES:
        return describe_distribution(SIGNATURES[word])
    return KEYWORDS.get(word) or MEASURES.get(word) or FUNCTIONS.get(word)
