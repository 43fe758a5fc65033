"""The questions, as each side is asked them. A text ends with the name ``value`` bound to a number, or to the bounds of one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a task: what is loaded first, and what is timed beside it."""

    loaded: str
    asked: str


@dataclass(frozen=True, slots=True)
class Task:
    """A question.

    Attributes:
        title: of it.
        peer: the distribution of the other tool on the index.
        ours: as Seepage is asked.
        theirs: as the other is.
    """

    title: str
    peer: str
    ours: Side
    theirs: Side


_CHANNEL = """\
generator = np.random.default_rng(1)
matrix = generator.integers(1, 1000, (SIZE, SIZE)).astype(float)
matrix /= matrix.sum(axis=1, keepdims=True)
prior = np.full(SIZE, 1 / SIZE)
"""


def _channel(size: int) -> str:
    return _CHANNEL.replace("SIZE", str(size))


def _ours(program: str, measure: str) -> Side:
    return _bounds("import seepage", f"result = seepage.parse('''{program}''').measure({measure!r})")


def _bounds(loaded: str, asked: str) -> Side:
    return Side(loaded, f"{asked}\nvalue = float(result.lower), float(result.upper)")


_STEPS = """\
secret member
output gradient
member ~ flip(1/2)
for i in 1..{steps} {{
    sampled ~ flip(1/10)
    signal := if sampled and member == 1 then 1 else 0
    gradient[i] ~ normal(signal, {variance})
}}
"""
_QUERIES = """\
secret s
output o
s ~ flip(1/2)
for i in 1..30 { noise[i] ~ laplace(0, 2)  o[i] := s + noise[i] }
"""
_COUNT = """\
secret s
output o
s ~ uniform_int(0, 1)
noise ~ discrete_laplace(2)
o := s + noise
"""
_GAMBLER = """\
secret first
output rich
first ~ flip(1/2)
coins := CAPITAL
while coins > 0 and coins < GOAL {
    won ~ flip(2/5)
    if won == 1 { coins := coins + 1 } else { coins := coins - 1 }
}
rich := coins == GOAL
"""
_CHAIN = """\
dtmc
module gambler
  coins : [0..GOAL] init CAPITAL;
  [] coins > 0 & coins < GOAL -> 2/5 : (coins' = coins + 1) + 3/5 : (coins' = coins - 1);
  [] coins = 0 | coins = GOAL -> true;
endmodule
"""
_STORM = """\
import tempfile
with tempfile.NamedTemporaryFile("w", suffix=".pm") as file:
    file.write('''CHAIN''')
    file.flush()
    program = stormpy.parse_prism_program(file.name)
formulas = stormpy.parse_properties("P=? [F coins = GOAL]", program)
model = stormpy.build_model(program, formulas)
value = stormpy.model_checking(model, formulas[0]).get_value(model.initial_states[0])
"""


def _filled(text: str, capital: int, goal: int) -> str:
    return text.replace("CHAIN", _CHAIN).replace("CAPITAL", str(capital)).replace("GOAL", str(goal))


TASKS = (
    Task(
        "Bayes vulnerability behind a channel of 500 × 500",
        "qif",
        _bounds(
            "import numpy as np\nimport seepage",
            f"{_channel(500)}result = seepage.channel(prior, matrix).measure('V(x | y)')",
        ),
        Side(
            "import numpy as np\nfrom qif.measure import bayes_vuln",
            f"{_channel(500)}value = bayes_vuln.posterior(prior, matrix)",
        ),
    ),
    Task(
        "Shannon capacity of a channel of 50 × 50, in bits",
        "qif",
        _bounds(
            "import numpy as np\nimport seepage",
            f"{_channel(50)}result = seepage.channel(prior, matrix).measure('C(x -> y)')",
        ),
        Side(
            "import numpy as np\nfrom qif.measure import shannon",
            f"{_channel(50)}value = shannon.add_capacity(matrix)[0]",
        ),
    ),
    Task(
        "δ at ε = 1 of five subsampled Gaussian steps",
        "dp-accounting",
        _ours(_STEPS.format(steps=5, variance=1), "Delta(member -> gradient, eps=1)"),
        Side(
            "from dp_accounting.pld import privacy_loss_distribution as pld",
            "value = pld.from_gaussian_mechanism(1.0, sampling_prob=0.1).self_compose(5).get_delta_for_epsilon(1.0)",
        ),
    ),
    Task(
        "δ at ε = 1 of thirty Laplace releases of scale 2",
        "dp-accounting",
        _ours(_QUERIES, "Delta(s -> o, eps=1)"),
        Side(
            "from dp_accounting.pld import privacy_loss_distribution as pld",
            "value = pld.from_laplace_mechanism(2.0).self_compose(30).get_delta_for_epsilon(1.0)",
        ),
    ),
    Task(
        "ε of a count behind discrete Laplace noise of scale 2",
        "opendp",
        _ours(_COUNT, "DP(s -> o)"),
        Side(
            "import opendp.prelude as dp\ndp.enable_features('contrib')",
            "value = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0).map(1)",
        ),
    ),
    Task(
        "a gambler with 3 coins who wants 10: the chance that he gets them",
        "stormpy",
        _ours(_filled(_GAMBLER, 3, 10), "P(rich)"),
        Side("import stormpy", _filled(_STORM, 3, 10)),
    ),
    Task(
        "a gambler with 190 coins who wants 200",
        "stormpy",
        _ours(_filled(_GAMBLER, 190, 200), "P(rich)"),
        Side("import stormpy", _filled(_STORM, 190, 200)),
    ),
)
