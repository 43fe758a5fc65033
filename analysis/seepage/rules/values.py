"""Rules on kinds and static values: SEEP2xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

NOT_STATIC = rule(
    "SEEP201",
    "not-static",
    Severity.ERROR,
    "a value that must be known before the analysis is not",
    "Loops are unrolled before the analysis, and domains and defaults are known before any run. So they are "
    "computed from numbers, constants and (in loops) the variables of outer loops. A parameter stays symbolic and "
    "cannot size a loop."
    "\n\nWhat to do: use a `const`, or let the loop go up to the largest value and test inside of it with `if`.",
    "n ~ uniform_int(1, 3)\nfor i in 1..n { skip }",
)
DEFAULT_OUTSIDE_DOMAIN = rule(
    "SEEP204",
    "default-outside-domain",
    Severity.ERROR,
    "the default of a parameter is outside its domain",
    "Numbers are shown at the default of a parameter, so it must be a value that the domain allows."
    "\n\nWhat to do: change the default, or widen the domain.",
    "param p in [0, 1] = 2",
)
EMPTY_DOMAIN = rule(
    "SEEP205",
    "empty-domain",
    Severity.ERROR,
    "an interval holds no number",
    "The left end of an interval must not be above the right end. `[a, a]` holds `a` alone, `(a, a]` nothing; an "
    "infinite end holds no number of its own."
    "\n\nWhat to do: exchange or correct the ends.",
    "param p in [1, 0]",
)
RANGE_OUTSIDE_DOMAIN = rule(
    "SEEP206",
    "range-outside-domain",
    Severity.ERROR,
    "a budget is asked for parameter values outside the domain",
    "The domain of a parameter says for which values the program is meant; a budget cannot hold for others."
    "\n\nWhat to do: narrow the range behind `over`, or widen the domain.",
    "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nrequire H(x) <= 1 over p in [0, 2]",
)
PARAMETER_NEEDS_RANGE = rule(
    "SEEP207",
    "parameter-needs-range",
    Severity.ERROR,
    "a budget depends on a parameter that has neither default nor range",
    "A budget is checked at the defaults of the parameters, or for all values in the ranges behind `over`. This "
    "parameter has neither."
    "\n\nWhat to do: give the parameter a default, or the budget a range.",
    "param eps in [0, 1]\nx ~ bernoulli(1/2)\nrequire H(x) <= eps",
)
INVALID_INDEX = rule(
    "SEEP208",
    "invalid-index",
    Severity.ERROR,
    "an index that is no integer",
    "The elements of an array are numbered by integers. An index that is known beforehand must be one, and a "
    "continuous variable is one with probability 0, so that it picks an element that does not exist."
    "\n\nWhat to do: use an integer, or a discrete variable; `floor(i / 2)` is the integer part of a quotient.",
    "a[1] := 2\nx := a[3/2]",
)

NO_EFFECT = rule(
    "SEEP250",
    "no-effect",
    Severity.WARNING,
    "a statement on which nothing asked for depends",
    "The value that the statement assigns reaches no output, no secret, no shown measure and no observation: it is "
    "overwritten first, or flows only into variables that are not asked for themselves. The note lists them."
    "\n\nWhat to do: remove the statement, or declare what it was meant for.",
    "x ~ bernoulli(1/2)\ny := x + 1\nz := 2 * y\ny := z\nshow H(x)",
)
LEAKS_NOTHING = rule(
    "SEEP251",
    "leaks-nothing",
    Severity.INFORMATION,
    "a secret on which no output depends",
    "No source of randomness is common to the secret and the outputs, by values or by branches, and no observation "
    "joins them. So they are independent whatever the numbers in the program are: the mutual information is exactly "
    "0."
    "\n\nWhat to do: nothing, if that is the proof you wanted; else look for an assignment that is missing.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no ~ bernoulli(1/2)",
)
OUTPUT_DETERMINES_SECRET = rule(
    "SEEP252",
    "output-determines-secret",
    Severity.WARNING,
    "an output from which the secret can be computed",
    "A chain of assignments that can all be inverted (copies, sums with known numbers, products with known numbers "
    "other than 0) leads from the secret to the output, so that whoever sees the output knows the secret."
    "\n\nWhat to do: add noise, or show the attacker less.",
    "secret s\noutput o\ns ~ uniform_int(0, 9)\no := 2 * s + 1",
)

ALWAYS_OBSERVED = rule(
    "SEEP253",
    "observation-always-true",
    Severity.WARNING,
    "an observation that holds on every run",
    "The values that the variables can have make the condition true wherever it is reached, so that the observation "
    "discards no run and changes nothing."
    "\n\nWhat to do: correct the condition, or remove the observation.",
    "x ~ uniform_int(0, 3)\nobserve(x >= 0)",
)
NEVER_OBSERVED = rule(
    "SEEP254",
    "observation-never-true",
    Severity.WARNING,
    "an observation that holds on no run",
    "The values that the variables can have make the condition false wherever it is reached, so that every run that "
    "gets here is discarded. Where all runs do, no posterior is left, and no measure has a value."
    "\n\nWhat to do: correct the condition; to discard the runs of a branch on purpose, write `observe(false)`.",
    "x ~ uniform_int(0, 3)\nobserve(x > 5)",
)
UNREACHABLE_BRANCH = rule(
    "SEEP255",
    "unreachable-branch",
    Severity.WARNING,
    "a branch that no run takes",
    "The values that the variables can have decide the condition, so that the block is never reached. Conditions of "
    "constants and loop variables only are left alone: they are settings."
    "\n\nWhat to do: correct the condition, or remove the branch.",
    "x ~ uniform_int(0, 3)\nif x > 5 { y := 1 } else { y := 2 }",
)
LOOP_NEVER_RUNS = rule(
    "SEEP256",
    "loop-never-runs",
    Severity.INFORMATION,
    "a loop without iterations",
    "`for i in a..b` runs from `a` up to `b`, both included, and not at all if `b` is below `a`."
    "\n\nWhat to do: exchange the ends if they are the wrong way round.",
    "x ~ bernoulli(1/2)\nfor i in 3..1 { x := 0 }",
)
INVALID_WHERE_REACHED = rule(
    "SEEP257",
    "invalid-where-reached",
    Severity.WARNING,
    "a value that is wrong on every run that gets there, if one does",
    "A probability outside of [0, 1], a distribution without values, a division by 0 or the like, written out inside of a branch. On a run that gets "
    "there it is an error; but that runs do cannot be told without running, and a value that no run meets is none. The "
    "analysis follows the runs, and reports the error itself if one of them gets there."
    "\n\nWhat to do: correct the value, or remove the branch.",
    "n ~ uniform_int(0, 2)\nx := 0\nif 2 * n == 3 { x ~ flip(3/2) }\nshow E(x)",
)
CLASSICAL_NOISE = rule(
    "SEEP258",
    "classical-gaussian-noise",
    Severity.INFORMATION,
    "noise by the classical Gaussian mechanism, where that is not proved",
    "A normal with the variance `2 * log(1.25 / delta) * sensitivity^2 / eps^2` makes a query (ε, δ)-differentially private as long as "
    "0 < ε < 1 (Dwork and Roth 2014, theorem A.1). For larger ε the proof fails, and the noise can be too little for "
    "the ε that is claimed (Balle and Wang 2018). The numbers of the program are right all the same: they are those of the noise that it draws."
    "\n\nWhat to do: choose ε below 1, or ask what the noise gives: `DP(x -> y, delta=d)` is its ε, and `Delta(x -> y, eps=e)` its δ.",
    "param eps = 4\nconst delta = 1/1000\nsecret x\noutput o\nx ~ flip(1/2)\no ~ normal(x, 2 * log(1.25 / delta) / eps^2)",
)
NEVER_EQUAL = rule(
    "SEEP259",
    "never-equal",
    Severity.WARNING,
    "cells of a table are compared with what none of them is",
    "A column holds numbers, truth values or symbols, and one odd cell makes symbols of all: where one age is `NA`, the others are texts, and `row.age == 34` "
    'holds in no row. Likewise `row.zip == "12345"` where the column holds numbers, a text that no cell is, and two columns of different kinds, by which two '
    "tables are joined. What is computed then is right for the program as it stands, and seldom what was meant."
    "\n\nWhat to do: write the value as the column holds it, or correct the file; the hover of a column says what it holds, and why.",
    'table people from "people.csv"\nrow ~ people\nx := row.zip == "12345"\nshow P(x)',
)
UNREADABLE_TABLE = rule(
    "SEEP211",
    "unreadable-table",
    Severity.ERROR,
    "a table cannot be read from its file",
    "A table is a file with comma-separated values in UTF-8: a header with the names of the columns, then rows of as many cells; or a Parquet or Arrow file. It stands in "
    "the workspace, and has at most 256 MB and 10 million cells. The message says what is wrong, and in which line."
    "\n\nWhat to do: correct the path or the file. A program that is given as a text alone has no folder in which tables could be: load it from a file.",
    'table people from "poeple.csv"\nrow ~ people\nx := row.age\nshow H(x)',
)
UNKNOWN_COLUMN = rule(
    "SEEP212",
    "unknown-column",
    Severity.ERROR,
    "a table has no such column",
    "The columns of a table are named by its header; what is no letter, digit or `_` in it becomes `_`."
    "\n\nWhat to do: correct the name. The nearest column is offered.",
    'table people from "people.csv"\nrow ~ people\nx := row.agee\nshow H(x)',
)
