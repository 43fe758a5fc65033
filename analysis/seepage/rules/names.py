"""Rules on names and declarations: SEEP1xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

UNKNOWN_NAME = rule(
    "SEEP101",
    "unknown-name",
    Severity.ERROR,
    "a name that nothing declares or assigns",
    "Variables come into being by an assignment or a sampling somewhere in the program, parameters and constants by "
    "a declaration. A loop variable is known in the body of its loop only."
    "\n\nWhat to do: check the spelling, declare the name, or assign the variable.",
    "x := coutn + 1",
)
DUPLICATE_DECLARATION = rule(
    "SEEP102",
    "duplicate-declaration",
    Severity.ERROR,
    "a name is declared twice",
    "A declaration holds for the whole file, so that two of them for one name contradict or repeat each other."
    "\n\nWhat to do: remove one, or rename it.",
    "const n = 3\nconst n = 4",
)
READ_BEFORE_ASSIGNMENT = rule(
    "SEEP103",
    "read-before-assignment",
    Severity.WARNING,
    "a variable is read before any statement assigns it",
    "Variables are 0 before their first assignment. That is well defined, and more often than not a slip in the "
    "order of statements."
    "\n\nWhat to do: assign the variable before; write `y := 0` if the 0 is meant.",
    "x := y + 1\ny := 2",
)
CANNOT_ASSIGN = rule(
    "SEEP104",
    "cannot-assign",
    Severity.ERROR,
    "a parameter, a constant or a loop variable is assigned",
    "A parameter stands for one unknown number during the whole analysis, a constant for a known one, and a loop "
    "variable belongs to its loop."
    "\n\nWhat to do: use a variable with a name of its own.",
    "param p = 1/2\np := 1/3",
)
LOOP_VARIABLE_SHADOWS = rule(
    "SEEP105",
    "loop-variable-shadows",
    Severity.ERROR,
    "a loop variable has the name of something else",
    "A loop variable that has the name of something else, or of the variable of a loop around it, could be read in "
    "two ways."
    "\n\nWhat to do: give the loop variable a name that nothing else has; loops that follow each other may share one.",
    "for i in 1..2 {\n    for i in 5..7 { skip }\n}",
)
ARRAY_OR_NUMBER = rule(
    "SEEP106",
    "array-or-number",
    Severity.ERROR,
    "a name is used both as an array and as a number",
    "`x` and `x[1]` cannot both be variables, and an expression calculates with numbers, not with all elements of "
    "an array."
    "\n\nWhat to do: name one element, or use another name; only declarations and measures take a whole array.",
    "r[1] := 1\nx := r + 1",
)
MISSING_ELEMENT = rule(
    "SEEP107",
    "missing-element",
    Severity.ERROR,
    "an array element is read that nothing writes",
    "An element exists if some statement writes it, anywhere in the unrolled program, with an index that is known "
    "beforehand. Often a loop starts or ends one step too far."
    "\n\nWhat to do: write the element, or correct the index.",
    "for i in 1..3 { a[i] := i }\nx := a[4]",
)
NEVER_ASSIGNED = rule(
    "SEEP108",
    "never-assigned",
    Severity.ERROR,
    "a secret or an output that no statement assigns",
    "A secret or an output has a value only if some statement assigns it."
    "\n\nWhat to do: check the spelling, assign the variable, or remove the declaration.",
    "secret s\nx := 1",
)
SECRET_ASSIGNED_TWICE = rule(
    "SEEP109",
    "secret-assigned-twice",
    Severity.ERROR,
    "a secret is assigned more than once",
    "If a run assigns a secret twice it is not clear which value must stay secret. Measures that name it have no number then; others keep theirs."
    "\n\nWhat to do: write `secret initial s` for the value of the first assignment, about which an attacker has "
    "beliefs beforehand, or `secret final s` for the value at the end.",
    "secret s\ns ~ bernoulli(1/2)\no := s\ns := 0",
)
UNKNOWN_DISTRIBUTION = rule(
    "SEEP110",
    "unknown-distribution",
    Severity.ERROR,
    "a distribution that the language does not have",
    "Behind `~` stands the name of a distribution, a table or a mixture, and no distribution has this name."
    "\n\nWhat to do: check the spelling (the page on the language lists all distributions); a value is assigned with "
    "`:=`.",
    "x ~ bernuli(1/2)",
)
WRONG_ARGUMENTS = rule(
    "SEEP111",
    "wrong-arguments",
    Severity.ERROR,
    "a distribution or function is called with the wrong arguments",
    "Arguments stand by position or by name, each once, positional ones first. The message lists what is expected. "
    "The second position of `normal` is the variance."
    "\n\nWhat to do: give exactly the arguments that are listed; a standard deviation is named, `normal(0, std=2)`.",
    "x ~ uniform_int(1)",
)
UNKNOWN_FUNCTION = rule(
    "SEEP112",
    "unknown-function",
    Severity.ERROR,
    "a function that the language does not have",
    "The functions are `min max abs floor ceil exp log sqrt bit_xor bit_and bit_or shift_left shift_right popcount`, those of arrays "
    "`sum count any all mean length sort argmin argmax`."
    "\n\nWhat to do: use one of them; distributions stand behind `~`, measures in `show` and `require`.",
    "x := sin(1)",
)
CYCLIC_DEFINITION = rule(
    "SEEP113",
    "cyclic-definition",
    Severity.ERROR,
    "a constant is defined by itself",
    "Constants may use each other in any order, but not in a circle: then none of them has a value."
    "\n\nWhat to do: give one of them a number.",
    "const a = b + 1\nconst b = a - 1",
)
OBSERVED_OUTPUT = rule(
    "SEEP114",
    "observed-output",
    Severity.WARNING,
    "an output is observed to have one value",
    "After `observe(out == 9)` the output is the constant 9, and tells nothing more: its mutual information with "
    "anything is 0, truly and uselessly."
    "\n\nWhat to do: leave the observation out, and ask for `H(secret | out == 9)`.",
    "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\nobserve(o == 1)",
)
FOREIGN_VARIABLE = rule(
    "SEEP115",
    "foreign-variable",
    Severity.ERROR,
    "a procedure reads a variable of the program",
    "A procedure sees its arguments, its own variables, constants, parameters, enumerations and other procedures. What it is to know of the "
    "program is passed to it, so that what a call depends on stands at the call."
    "\n\nWhat to do: pass the variable as an argument.",
    "output o\ndef f(x) { return x + y }\ny ~ flip(1/2)\no := f(1)",
)
IMPORT = rule(
    "SEEP116",
    "import",
    Severity.ERROR,
    "a module cannot be imported, or a name cannot be had from it",
    'A module is a file that ends in `.seep` and lies with the program, or `"seep:mechanisms"`, which Seepage brings along. Names are had of it '
    "that `def`, `const`, `enum` and `table` declare there, but for procedures that read what is no argument of theirs: a parameter of that file has "
    "no value here. Files that import each other in a circle have no beginning."
    "\n\nWhat to do: correct the path or the name; pass a parameter that a procedure reads as an argument; take the definitions that both "
    "files of a circle need to a third one.",
    'import "mechanisms"\nx := 1',
)
STATEMENTS_OF_MODULE = rule(
    "SEEP117",
    "statements-of-module",
    Severity.HINT,
    "the statements of a module do not run where it is imported",
    "An import gives names and runs nothing: what a module draws, assigns, declares secret or asks for belongs to it alone."
    "\n\nWhat to do: nothing, if it is a program of its own as well; else put what shall happen here into a procedure, and call it.",
    'import "survey.seep"\nx := survey.red',
)
ENDLESS_RECURSION = rule(
    "SEEP118",
    "endless-recursion",
    Severity.ERROR,
    "a procedure calls itself without end",
    "Calls of a procedure by itself are written out, at most 1,000 inside each other, so that their arguments must be known where they "
    "decide how often it calls itself."
    "\n\nWhat to do: have an argument fall with each call, or write a loop. `def f(k) { x ~ uniform_int(0, 5)  if x < k { y ~ f(k)  return y }  return x }` "
    "draws the same as `def f(k) { repeat { x ~ uniform_int(0, 5) } until x >= k  return x }`.",
    "def f(x) { return f(x + 1) }\na := f(1)",
)
SEEN_OUTPUT_CHANGES = rule(
    "SEEP119",
    "seen-output-changes",
    Severity.ERROR,
    "an output that an attacker has seen changes later",
    "A choice of an attacker sees the outputs that are assigned before it. What was seen stays known, so such an output keeps its value."
    "\n\nWhat to do: use one element for each round, `o[i]`. What is seen at the end only is computed in another variable, which is no output, "
    "and assigned to the output after the last choice: `found := found or g[i] == s` in the loop, `o := found` behind it.",
    "secret s\noutput o\ns ~ uniform_int(0, 3)\nfor i in 1..2 {\n  attacker g[i] in 0..3\n  o := g[i] == s\n}",
)
MISPLACED_CHOICE = rule(
    "SEEP120",
    "misplaced-choice",
    Severity.ERROR,
    "'attacker' does not stand where everybody knows that it is asked",
    "Being asked would tell the attacker something, so `attacker` stands at the top or in `for`: not in `while` and `repeat`, in procedures, or in "
    "branches that constants do not decide. What the attacker chooses has no other value, and is neither secret nor output."
    "\n\nWhat to do: let the attacker choose in any case, before the branch or loop, and use the choice where it counts.",
    "secret s\noutput o\ns ~ flip(1/2)\nif s { attacker g in 0..1 }\no := g == s",
)
WRONG_RESULTS = rule(
    "SEEP121",
    "wrong-results",
    Severity.ERROR,
    "as many values as targets are needed",
    "`a, b ~ f(x)` and `a, b := g(x)` have one target for each result of the procedure."
    "\n\nWhat to do: write as many targets as the procedure returns values.",
    "def two(x) { return x, x + 1 }\na := two(3)",
)
NO_RESULT = rule(
    "SEEP122",
    "no-result",
    Severity.ERROR,
    "a procedure has a path without a return",
    "Whoever calls a procedure uses its results, so that each path through it ends with `return`."
    "\n\nWhat to do: return a value on every path, behind the last branch for instance.",
    "def f(x) { if x > 0 { return 1 } }\na := f(1)",
)
SECRET_OF_A_LOOP = rule(
    "SEEP123",
    "secret-of-a-loop",
    Severity.WARNING,
    "a secret that a loop assigns again in each round, without 'initial' or 'final'",
    "A `while` or `repeat` may assign the secret any number of times, so that it has many values. What is meant is taken to be the value at the "
    "end; the value that it had first is another secret, and leaks another amount."
    "\n\nWhat to do: write `secret final` or `secret initial`.",
    "secret k\noutput n\nn := 0\nrepeat { k ~ uniform_int(0, 7)\n    n := n + 1 } until k < 6",
)

UNUSED_VARIABLE = rule(
    "SEEP150",
    "unused-variable",
    Severity.WARNING,
    "a variable that nothing reads",
    "Statements assign the variable, and no statement, measure or declaration mentions it: it changes no number. "
    "Reported once the program has an output, a `show` or a `require`."
    "\n\nWhat to do: remove it, or ask for it.",
    "x ~ bernoulli(1/2)\ny ~ bernoulli(1/2)\nshow H(x)",
)
UNUSED_PARAMETER = rule(
    "SEEP151",
    "unused-parameter",
    Severity.WARNING,
    "a parameter that nothing uses",
    "Results do not depend on the parameter; often a number stands where the parameter was meant."
    "\n\nWhat to do: use it, or remove it.",
    "param p in [0, 1] = 1/2\nx ~ bernoulli(1/2)\nshow H(x)",
)
UNUSED_CONSTANT = rule(
    "SEEP152",
    "unused-constant",
    Severity.WARNING,
    "a constant that nothing uses",
    "Nothing depends on the constant; often a number stands where the constant was meant."
    "\n\nWhat to do: use it, or remove it.",
    "const n = 3\nx ~ uniform_int(1, 3)\nshow H(x)",
)
LOOKALIKE_NAME = rule(
    "SEEP153",
    "lookalike-name",
    Severity.WARNING,
    "a name that looks like another one",
    "Letters of several scripts look the same: the Cyrillic `\N{CYRILLIC SMALL LETTER ER}` and the Latin `p` are two letters, and two names. "
    "A program with both says something else than what people read in it. Names in any one script are fine, and so are Greek "
    "letters of formulas beside Latin ones (`σ_x`)."
    "\n\nWhat to do: write the name with the letters of one script, and give things that differ names that look different.",
    "\N{CYRILLIC SMALL LETTER ER}in ~ flip(1/2)\npin := 0\nshow H(pin)",
)
ELEMENT_FOR_ARRAY = rule(
    "SEEP154",
    "element-for-array",
    Severity.INFORMATION,
    "one element of an array is declared secret, where all of them may be meant",
    "`secret a[n]` declares the one element `a[n]`, not an array of n elements: arrays have no size to declare. It is told "
    "where a loop over `1..n`, or `0..n - 1`, assigns the elements and no other one is declared. Leaks of the other elements have "
    "no rows in the leakage table then."
    "\n\nWhat to do: write `secret a` for all elements. Where the one element is meant, nothing has to be done: the finding is an information.",
    "const n = 3\nsecret a[n]\noutput o\no := 0\nfor i in 1..n {\n  a[i] ~ flip(1/2)\n  o := o + a[i]\n}",
)
DEVIATION_AS_VARIANCE = rule(
    "SEEP155",
    "deviation-as-variance",
    Severity.WARNING,
    "what is called a standard deviation stands where the variance is meant",
    "The second argument of `normal` is the variance, as in textbooks; Stan, PyMC, R, numpy and others take the standard deviation there. A variable "
    "or parameter that is called `sigma`, `sd` or `std` and stands there by position is read as the variance, so that the noise is another one than meant."
    "\n\nWhat to do: write `normal(m, std=sigma)`, or `normal(m, variance=sigma)` where the name misleads.",
    "param sigma in (0, 10] = 2\nx ~ normal(0, sigma)\nshow H(x)",
)
