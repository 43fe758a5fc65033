"""Rules on limits and on what is not supported yet: SEEP9xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

NOT_SUPPORTED = rule(
    "SEEP901",
    "not-supported-yet",
    Severity.ERROR,
    "this version has no engine for it yet",
    "The construct belongs to the language, but no engine of this version computes it. Nothing is guessed: what "
    "depends on it has no number."
    "\n\nWhat to do: see the page on the language for what is computed; other measures of the same program keep their "
    "numbers.",
    "x := 0\nwhile x < 1 { n ~ normal(0, 1)\n    x := x + n }\nshow E(x)",
)
BUDGET_EXCEEDED = rule(
    "SEEP902",
    "limit-reached",
    Severity.ERROR,
    "the analysis grew past its limit",
    "The number of states, components, statements or seconds reached its limit at this statement. Other results "
    "stay."
    "\n\nWhat to do: use a smaller range or an output with fewer values, ask for single variables instead of whole "
    "arrays, or allow more time.",
    "for i in 1..1000000 { x ~ flip(1/2) }\nshow H(x)",
)
UNBOUNDED_LOOP = rule(
    "SEEP903",
    "unbounded-loop",
    Severity.ERROR,
    "a loop goes through more states than are followed",
    "A `while` or `repeat` is computed from the states that its rounds lead to, each a choice of values for what the loop reads. Here there are too "
    "many of them, perhaps infinitely many, and after as many rounds as are followed a run is still in the loop with a chance above 2^-64. "
    "Nothing is cut in silence: what comes behind the loop has no number."
    "\n\nWhat to do: leave the loop at some bound (`while 0 < x and x < 100`), or let a variable that only counts be read by nothing in the loop.",
    "x := 1\nwhile x > 0 { up ~ flip(2/3)\n    x := if up then x + 1 else x - 1 }\nshow P(x == 0)",
)
NOT_TRUSTED = rule(
    "SEEP904",
    "not-trusted",
    Severity.ERROR,
    "a file is not read, as its folder is not trusted",
    "Files that a program names, tables and modules, are read only in folders that the editor was told to trust: who opens a "
    "program of somebody else should not be made to read files by it."
    "\n\nWhat to do: trust the folder, if you know where it comes from.",
)
FILE_TOO_LONG = rule(
    "SEEP981",
    "file-too-long",
    Severity.INFORMATION,
    "an editor does not check a text this long",
    "Programs are checked between two keystrokes, so the language server leaves texts of more than 200,000 "
    "characters alone."
    "\n\nWhat to do: run `seepage check`, which reads longer texts; use loops in place of repeated statements.",
)
ANALYSIS_BROKE = rule(
    "SEEP982",
    "analysis-broke",
    Severity.ERROR,
    "the analysis broke off by a fault of Seepage",
    "The process that analyses ended, or raised an error that is no fault of the program: no number of this run is "
    "shown. Or two ways of computing one number gave bounds that exclude each other, so that one of them is wrong: that "
    "number is not shown."
    "\n\nWhat to do: report it, with the program and the details in the log of the language server; saving the file, or "
    "the next `seepage check`, starts the analysis again. If the process was ended from outside, it may have needed "
    "more memory than there is.",
)
