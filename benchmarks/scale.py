"""Programs that defeat enumeration, each against a run that holds every state on its own: of the same program, or of a smaller one."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.task import Job, Task

POLL = """
param p in [0, 1] = 1/2
param eps in [0, 10] = 1
o := 0
for i in 1..{n} {{
    r[i] ~ bernoulli(p)
    t[i] ~ bernoulli(exp(eps) / (exp(eps) + 1))
    if t[i] {{ o := o + r[i] }} else {{ o := o + !r[i] }}
}}
o := o / {n}
"""
POLL_SAMPLED_FIRST = """
param p in [0, 1] = 1/2
param eps in [0, 10] = 1
for i in 1..{n} {{ r[i] ~ bernoulli(p) }}
for i in 1..{n} {{ t[i] ~ bernoulli(exp(eps) / (exp(eps) + 1)) }}
o := 0
for i in 1..{n} {{ if t[i] {{ o := o + r[i] }} else {{ o := o + !r[i] }} }}
"""
HIDDEN_CHAIN = """
x ~ bernoulli(1/2)
first := x
for i in 1..{n} {{
    x ~ bernoulli(if x then 999/1000 else 1/500)
    y ~ bernoulli(if x then 11/20 else 9/20)
    observe(y == i % 2)
}}
"""
DINING = """
who ~ uniform_int(0, {n})
for i in 1..{n} {{ coin[i] ~ bernoulli(1/2) }}
for i in 1..{n} {{ a[i] := coin[i] xor coin[i % {n} + 1] xor (who == i) }}
"""
PIN = """
for i in 1..{n} {{ pin[i] ~ uniform_int(0, 9) }}
rounds := 0
ok := 1
for i in 1..{n} {{ if ok {{ rounds := rounds + 1; if pin[i] != i {{ ok := 0 }} }} }}
"""
NOISY_OR = """
for i in 1..{n} {{ c[i] ~ bernoulli(1/5) }}
for j in 1..{n} {{
    off := 1/2
    for i in 1..{n} {{ if c[i] {{ off := off * (1 - 1/(i + j)) }} }}
    e[j] ~ bernoulli(1 - off)
}}
"""
CROWDS = """
start ~ uniform_int(1, 15)
at := start
seen := 0
for i in 1..{n} {{
    if seen == 0 {{
        next ~ uniform_int(1, 20)
        if next > 15 {{ seen := at }} else {{
            forward ~ bernoulli(3/4)
            if forward {{ at := next }} else {{ seen := 21 }}
        }}
    }}
}}
"""
TWO_PARTIES = """
x ~ binomial({n}, 1/2)
y ~ binomial({n}, 1/3)
u ~ discrete_laplace(1)
v ~ discrete_laplace(1)
z := x + y + u - v
"""
HUGE = """
s ~ uniform_int(0, 2^{n} - 1)
a := s % 8
b := floor(s / 2^({n} - 4))
c := s == 42
"""
WORDS = """const n = {n}
secret s, v
s ~ uniform_int(0, 2^n - 1)
v ~ uniform_int(0, 2^n - 1)
k ~ uniform_int(0, 2^n - 1)
o := s < v
a := (s + k) % 2^n
b := (v + k) % 2^n
w := popcount(bit_xor(s, shift_right(s, 2)))
"""
HUGE_GUESS = """
s ~ uniform_int(0, 2^{n} - 1)
g ~ uniform_int(0, 2^{n} - 1)
hit := s == g
"""

GATES = """
for i in 0..2^{n}-1 {{ a[i] ~ bernoulli(1/3) }}
x := a[2^{n}-1]
for l in 0..{n}-1 {{
    for i in 0..(2^({n}-1-l)-1) {{
        if l % 2 == 0 {{ a[i] := a[2*i] and a[2*i+1] }} else {{ a[i] := a[2*i] or a[2*i+1] }}
    }}
}}
o := a[0]
"""
PICKED = """
for i in 0..{n}-1 {{ a[i] ~ bernoulli(1/3) }}
k ~ uniform_int(0, {n}-1)
o := a[k]
"""
CHAIN = """
x[0] ~ bernoulli(1/3)
for i in 1..{n}-1 {{ if x[i-1] {{ x[i] ~ bernoulli(1/4) }} else {{ x[i] ~ bernoulli(3/4) }} }}
"""


CROWDS_OF = """
start ~ uniform_int(1, {n})
at := start
seen := 0
for i in 1..{n} {{
    if seen == 0 {{
        next ~ uniform_int(1, {n} + 5)
        if next > {n} {{ seen := at }} else {{
            forward ~ bernoulli(3/4)
            if forward {{ at := next }} else {{ seen := {n} + 6 }}
        }}
    }}
}}
"""
ANSWERS = """
for i in 1..{n} {{
    r[i] ~ bernoulli(1/2)
    t[i] ~ bernoulli(3/4)
    o[i] := if t[i] then r[i] else !r[i]
}}
"""
COUNTED = """
for i in 1..{n} {{
    r[i] ~ bernoulli(3/10)
    t ~ bernoulli(3/4)
    o := o + (if t then r[i] else !r[i])
}}
"""
BESIDE = """
c := 0
for i in 1..{n} {{ s[i] ~ bernoulli(1/2); t ~ bernoulli(1/4); o[i] := s[i] xor t; c := c + s[i] }}
e ~ laplace(0, 2)
c := c + e
"""
LOOKS_AT_A_CHAIN = """
x[1] ~ bernoulli(1/2)
for i in 2..{n} {{ x[i] ~ bernoulli(if x[i-1] then 4/5 else 1/5) }}
for i in 1..{n} {{ y[i] ~ bernoulli(if x[i] then 3/4 else 1/4) }}
"""
PASSWORD = """
pin ~ uniform_int(1, 2*{n})
tries := 0
found := 0
for i in 1..{n} {{ if found == 0 {{ tries := tries + 1; if pin == i {{ found := 1 }} }} }}
"""
KALMAN = """
x ~ normal(0, 1)
for i in 1..{n} {{
    w ~ normal(0, 1/10)
    x := 9/10*x + w
    v ~ normal(0, 1/2)
    y := x + v
    observe(y == 1/2)
}}
"""
SCAN = """
for i in 1..{n} {{ a[i] := 0 }}
k ~ uniform_int(1, {n})
a[k] := 1
for i in 1..{n} {{ if a[i] == 1 {{ o := i % 2 }} }}
"""
LOOKS = """
s ~ bernoulli(1/2)
for i in 1..{n} {{ e ~ normal(0, 4); o[i] := s + e }}
"""
DRAWS_FIRST = """
x[0] ~ bernoulli(1/3)
for i in 1..{n} {{ a[i] ~ bernoulli(1/4) }}
for i in 1..{n} {{ b[i] ~ bernoulli(3/4) }}
for i in 1..{n} {{ if x[i-1] {{ x[i] := a[i] }} else {{ x[i] := b[i] }} }}
last := x[{n}]
"""
XOR = """
for i in 1..{n} {{ a[i] ~ bernoulli(1/1000) }}
x[0] := 0
for i in 1..{n} {{ x[i] := x[i-1] xor a[i] }}
last := x[{n}]
"""
PEOPLE = """
for i in 1..{n} {{ x[i] ~ bernoulli(1/10) }}
for i in 1..{n} {{ c := c + x[i] }}
"""
IFS = """
k ~ uniform_int(1, {n})
for i in 1..{n} {{ if k == i {{ o := i % 7 }} }}
"""


def measured(text: str, measure: str, n: int) -> Callable[[], Job]:
    """Return the preparation of one measure of a program of size n, as people ask for it."""

    def prepare() -> Job:
        import seepage

        seepage.parse("x ~ bernoulli(1/2)").measure("H(x)")
        program = seepage.parse(text.format(n=n))
        return lambda: program.measure(measure)

    return prepare


def one_by_one(text: str, measure: str, n: int) -> Callable[[], Job]:
    """Return the same without tables, polynomials, classes, whole weights and elimination: every state is a key of a dictionary."""

    def prepare() -> Job:
        from seepage.engines.factors import solving
        from seepage.engines.forward import class_widths, counting, run
        from seepage.measures.planning import elimination

        never = 1 << 62
        run._MANY, run._WHOLE_STATES, counting._FEWEST, class_widths.WIDE = never, -1, never, never
        solving._SHORT = elimination._MANY_STATES = float("inf")
        return measured(text, measure, n)()

    return prepare


def _task(text: str, measure: str, n: int, small: int) -> Task:
    size = "the same" if small == n else f"size {small}"
    return Task(measured(text, measure, n), one_by_one(text, measure, small), f"every state on its own, {size}")


TASKS = {
    "respondents, n = 1000": _task(POLL, "I(r[1]; o)", 1000, 100),
    "respondents sampled first, n = 200": _task(POLL_SAMPLED_FIRST, "I(r[1]; o)", 200, 200),
    "hidden chain of 1000 steps": _task(HIDDEN_CHAIN, "I(first; x)", 1000, 1000),
    "dining cryptographers, n = 12": _task(DINING, "I(who; a)", 12, 12),
    "dining cryptographers, n = 16": _task(DINING, "I(who; a)", 16, 12),
    "PIN of 6 digits with early exit": _task(PIN, "I(pin; rounds, ok)", 6, 6),
    "noisy-or, 10 × 10": _task(NOISY_OR, "I(c[1]; e)", 10, 6),
    "crowds, 20 members, 40 hops": _task(CROWDS, "I(start; seen)", 40, 40),
    "two parties with geometric noise, N = 64": _task(TWO_PARTIES, "I(x; z)", 64, 16),
    "tree of gates with 64 leaves": _task(GATES, "I(x; o)", 6, 4),
    "one of 10,000 elements": _task(PICKED, "H(o)", 10_000, 14),
    "all states of a chain of 1000": _task(CHAIN, "H(x)", 1000, 14),
    "64-bit secret, low bits": _task(HUGE, "I(s; a)", 64, 16),
    "64-bit secret, all outputs": _task(HUGE, "H(s | a, b, c)", 64, 16),
    "64-bit secret, guesses": _task(HUGE, "Guess(s | a, b, c)", 64, 16),
    "64-bit secret, a random guess": _task(HUGE_GUESS, "V(s | hit)", 64, 8),
    "comparison of two 64-bit words": _task(WORDS, "P(o)", 64, 8),
    "what a comparison tells of a 64-bit word": _task(WORDS, "I(s; o)", 64, 8),
    "64-bit pad used twice": _task(WORDS, "I(s, v; a, b)", 64, 4),
    "weight of a mixed 64-bit word": _task(WORDS, "V(s | w)", 64, 14),
}

FAMILIES = {
    "one of n respondents, their sum": (POLL, "I(r[1]; o)", (250, 500, 1000)),
    "n respondents, all answers": (ANSWERS, "I(r; o)", (500, 1000, 2000)),
    "n respondents, their count": (COUNTED, "V(r | o)", (50, 100, 200)),
    "loss of a count of n": (COUNTED, "DP(r -> o, distance=1)", (1000, 2000, 4000)),
    "loss of n answers beside their count": (BESIDE, "DP(s -> o, c, distance=1)", (50, 100, 200)),
    "n looks at a hidden chain": (LOOKS_AT_A_CHAIN, "I(x[1]; y)", (50, 100, 200)),
    "crowds of n members, n hops": (CROWDS_OF, "I(start; seen)", (10, 20, 40)),
    "password, n guesses": (PASSWORD, "I(pin; tries)", (250, 500, 1000)),
    "Kalman chain of n steps": (KALMAN, "H(x)", (100, 200, 400)),
    "hidden chain of n steps": (HIDDEN_CHAIN, "I(first; x)", (250, 500, 1000)),
    "all states of a chain of n steps": (CHAIN, "H(x)", (250, 500, 1000)),
    "chain of n steps, draws first": (DRAWS_FIRST, "I(x[0]; last)", (500, 1000, 2000)),
    "chain of n steps, draws first, all states": (DRAWS_FIRST, "H(x)", (500, 1000, 2000)),
    "xor of n bits": (XOR, "I(a[1]; last)", (500, 1000, 2000)),
    "xor of n bits, all that lead to it": (XOR, "H(x)", (500, 1000, 2000)),
    "best guess at n people, their sum told": (PEOPLE, "V(x | c)", (250, 500, 1000)),
    "n comparisons with one value": (IFS, "I(k; o)", (250, 500, 1000)),
    "a[k] := 1, then a scan of n": (SCAN, "I(k; o)", (50, 100, 200)),
    "one of n elements": (PICKED, "H(o)", (2500, 5000, 10000)),
    "n normal looks": (LOOKS, "I(s; o)", (50, 100, 200)),
    "n plain statements, checked": (None, "check", (1000, 2000, 4000)),
}
"""Programs by their size, and three sizes, each twice the one before: how their cost grows is told by :mod:`benchmarks.growth`."""
