"""What a user does with the examples, as a plan for an editor's probe; answers are asked for by the steps' names."""

from __future__ import annotations

from typing import Any, TypeAlias

Step: TypeAlias = dict[str, Any]

ONE_ANSWER = "randomized-response-single.seep"
MECHANISM = "gaussian-mechanism.seep"

# Regular expressions on an answer as JSON, the same for JavaScript, Vim and Emacs.
BROKEN = "answer"
OVERDRAWN = "<= 0[.]1"
HOLDS = "holds"
VIOLATED = "violated"
LEAK = "0[.]16"
EXACT = "· exact"
FORMULA = "eps"  # it comes after the numbers
COMPUTING = "computing"
CERTIFIED = "· certified"

USE_THE_EXAMPLES: list[Step] = [
    {"do": "open", "file": ONE_ANSWER},
    {
        "do": "lenses",
        "file": ONE_ANSWER,
        "until": HOLDS,
        "hover": EXACT,
        "unless": COMPUTING,
        "name": "lenses of one answer",
    },
    {"do": "hover", "file": ONE_ANSWER, "find": "o := r }", "until": FORMULA, "name": "hover on o"},
    {"do": "hover", "file": ONE_ANSWER, "find": "secret r", "at": 7, "until": LEAK, "name": "hover on r"},
    {"do": "diagnostics", "file": ONE_ANSWER, "unless": BROKEN, "name": "findings at first"},
    {"do": "replace", "file": ONE_ANSWER, "find": "o := r }", "by": "o := answer }"},
    {"do": "diagnostics", "file": ONE_ANSWER, "until": BROKEN, "name": "findings when broken"},
    {"do": "replace", "file": ONE_ANSWER, "find": "o := answer }", "by": "o := r }"},
    {"do": "diagnostics", "file": ONE_ANSWER, "unless": BROKEN, "name": "findings when mended"},
    {"do": "replace", "file": ONE_ANSWER, "find": "<= 0.2 bits", "by": "<= 0.1 bits"},
    {"do": "save", "file": ONE_ANSWER},
    {"do": "diagnostics", "file": ONE_ANSWER, "until": OVERDRAWN, "name": "findings when overdrawn"},
    {
        "do": "lenses",
        "file": ONE_ANSWER,
        "until": VIOLATED,
        "hover": EXACT,
        "unless": COMPUTING,
        "name": "lenses when overdrawn",
    },
    {"do": "open", "file": MECHANISM},
    {
        "do": "lenses",
        "file": MECHANISM,
        "until": HOLDS,
        "hover": CERTIFIED,
        "unless": COMPUTING,
        "name": "lenses of the mechanism",
    },
    {"do": "hover", "file": MECHANISM, "find": "secret inc", "at": 7, "name": "hover on inc"},
    {"do": "diagnostics", "file": MECHANISM, "name": "findings of the mechanism"},
]

# Characters of one to four bytes, a joined emoji and a combining mark, before what is edited and looked at afterwards: a server that
# counts other units than the editor loses its place at the first of them.
WRITE_MANY_SCRIPTS: list[Step] = [
    {"do": "open", "file": ONE_ANSWER},
    {"do": "replace", "file": ONE_ANSWER, "find": "secret r", "by": "/* 漢字 😀👩‍👩‍👧 é */ secret r"},
    {"do": "replace", "file": ONE_ANSWER, "find": "secret r", "by": "/* 𝒳 */ secret r /* 한 e\u0301 */"},
    {"do": "replace", "file": ONE_ANSWER, "find": "👩‍👩‍👧 ", "by": "🧪"},
    {"do": "hover", "file": ONE_ANSWER, "find": "secret r", "at": 7, "until": "secret", "name": "hover behind emoji"},
    {"do": "replace", "file": ONE_ANSWER, "find": "o := r }", "by": "/* 😀漢 */ o := answer /* é */ }"},
    {"do": "diagnostics", "file": ONE_ANSWER, "until": BROKEN, "name": "findings behind emoji"},
    {"do": "replace", "file": ONE_ANSWER, "find": "answer /*", "by": "r /* 漢😀"},
    {"do": "diagnostics", "file": ONE_ANSWER, "unless": BROKEN, "name": "findings when mended behind emoji"},
    {"do": "save", "file": ONE_ANSWER},
    {
        "do": "lenses",
        "file": ONE_ANSWER,
        "until": VIOLATED,
        "hover": EXACT,
        "unless": COMPUTING,
        "name": "lenses behind emoji",
    },
    {
        "do": "hover",
        "file": ONE_ANSWER,
        "find": "o := r /*",
        "until": "exact",
        "name": "hover with numbers behind emoji",
    },
]


def without_lenses(plan: list[Step]) -> list[Step]:
    """Return the plan for an editor that shows no lenses: where they are waited for, the hover of the budget is."""
    return [
        {**step, "do": "hover", "find": "require", "at": 1, "until": step["hover"]} if step["do"] == "lenses" else step
        for step in plan
    ]


def answers_by_name(carried_out: list[Step]) -> dict[str, Any]:
    """Return the answers of the named steps; the reason if the plan failed on the way."""
    failed = [step["answer"] for step in carried_out if step["do"] == "failed"]
    if failed:
        raise RuntimeError(f"the plan failed: {failed[0]}")
    return {step["name"]: step["answer"] for step in carried_out if "name" in step}


def titles(lenses: list[Step]) -> str:
    """Return the texts of lenses, one a line."""
    return "\n".join(lens["title"] for lens in lenses)


def beyond_hints(findings: list[Step]) -> list[Step]:
    """Return the findings that say that something may be wrong: hints only tell how a text was read."""
    return [finding for finding in findings if finding["severity"] not in ("Hint", 4)]


def errors(findings: list[Step]) -> list[Step]:
    """Return the findings that are errors, in either editor's words."""
    return [finding for finding in findings if finding["severity"] in ("Error", 1)]


def of_the_text(findings: list[Step]) -> list[Step]:
    """Return the errors of the present text, without the budgets that were violated before the last edits."""
    return [one for one in errors(findings) if "as of the last analysis" not in one["message"]]
