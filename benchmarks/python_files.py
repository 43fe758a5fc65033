"""A Python file as people have them: 2,000 lines, five functions of which are marked; and an edit of it."""

from __future__ import annotations

from collections.abc import Callable

from seepage.functions import FunctionProgram, programs_of

_HEAD = "import random\n\nimport numpy as np\nfrom seepage_marks import leakage\n\n\n"
_MARKED = (
    """@leakage(secret={"pin": "[4] uniform_int(0, 9)"}, output=["result", "steps"], require=["I(pin; result, steps) <= 1"])
def check(pin):
    for given, digit in zip([1, 2, 3, 4], pin):
        if given != digit:
            return False
    return True
""",
    """@leakage(secret={"answer": "bernoulli(1/2)"}, param={"p": "1/2 in [0, 1]"}, show=["I(answer; result)"])
def respond(answer, p):
    if random.random() < p:
        return answer
    return random.random() < 0.5
""",
    """@leakage(secret={"votes": "[5] bernoulli(1/2)"}, show=["I(votes; result)"])
def tally(votes):
    total = 0
    for vote in votes:
        total += counted(vote)
    return total + np.random.geometric(0.5)


def counted(vote):
    return 1 if vote else 0
""",
    """@leakage(secret={"car": "uniform_int(0, 2)"})
def host(car):
    return random.choice([door for door in range(3) if door not in (0, car)])
""",
    """@leakage(secret={"x": "uniform_int(0, 15)"})
def power(x):
    found, base = 1, 3
    for bit in range(4):
        if (x >> bit) & 1:
            found = found * base % 17
        base = base * base % 17
    return found
""",
)
_OTHER = '''def other_{0}(a, b, c=3):
    """Do something that no mark asks about."""
    found = []
    for number in range(a):
        if number % 2 == 0 and b > c:
            found.append(number * b + c)
        else:
            found.extend([number, b, c])
    names = {{"a": a, "b": b}}
    while len(found) > 10:
        found.pop()
    return found, names, f"{{a}} and {{b}}"
'''


def text(typed: str = "") -> str:
    """Return the file, with something typed into the last statement of the last marked function."""
    blocks = [block for marked in _MARKED for block in (marked, *(_OTHER for _ in range(26)))]
    numbered = (block.format(number) if block is _OTHER else block for number, block in enumerate(blocks))
    return _HEAD + "\n\n".join(numbered).replace(
        "    return found\n\n\ndef other", f"    return found{typed}\n\n\ndef other", 1
    )


def edit() -> Callable[[], list[FunctionProgram]]:
    """Prepare a key press in a marked function, each time another, after the file is known."""
    programs_of(text(), "")
    typed = iter(range(1, 1_000_000))
    return lambda: programs_of(text(f" + {next(typed)}"), "")


def read() -> Callable[[], list[FunctionProgram]]:
    """Prepare reading as much that nothing is known of, each time of other names."""
    times = iter(range(1_000_000))

    def job() -> list[FunctionProgram]:
        number = next(times)
        return programs_of(text().replace("found", f"found{number}").replace("vote", f"vote{number}"), "")

    return job
