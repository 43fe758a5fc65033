"""The words of derivations: definitions of measures, rows of Table 1, expressions with ghosts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from seepage.engines.wpe.derivation import Rule
from seepage.measures.explanation import Explanation
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.tree import Symbol
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

GHOST = "̲"  # a line below the letter before it


@dataclass(frozen=True, slots=True)
class Wording:
    """A line as text and as LaTeX."""

    text: str
    latex: str


RULES: Mapping[Rule, Wording] = MappingProxyType(
    {
        "assign": Wording("wp⟦x := e⟧(X) = X[x ↦ e]", r"\mathsf{wp}\llbracket x := e \rrbracket(X) = X[x \mapsto e]"),
        "sample": Wording(
            "wp⟦x ~ D⟧(X) = Σ D(v)·X[x ↦ v] over the values v",
            r"\mathsf{wp}\llbracket x \sim D \rrbracket(X) = \sum_v D(v) \cdot X[x \mapsto v]",
        ),
        "observe": Wording(
            "wp⟦observe b⟧(X) = [b]·X", r"\mathsf{wp}\llbracket \mathtt{observe}\ b \rrbracket(X) = [b] \cdot X"
        ),
        "if": Wording(
            "wp⟦if b { S₁ } else { S₂ }⟧(X) = [b]·wp⟦S₁⟧(X) + [¬b]·wp⟦S₂⟧(X)",
            r"\mathsf{wp}\llbracket \mathtt{if}\ b\ \{S_1\}\ \mathtt{else}\ \{S_2\} \rrbracket(X) = "
            r"[b] \cdot \mathsf{wp}\llbracket S_1 \rrbracket(X) + [\neg b] \cdot \mathsf{wp}\llbracket S_2 \rrbracket(X)",
        ),
    }
)

_SIGNS = (("==", "="), ("!=", "≠"), ("<=", "≤"), (">=", "≥"), ("*", "·"), (" and ", " ∧ "), (" or ", " ∨ "))
_LATEX_SIGNS = MappingProxyType(
    {
        "==": "=",
        "!=": r"\neq ",
        "<=": r"\leq ",
        ">=": r"\geq ",
        "*": r"\cdot ",
        "and": r"\land ",
        "or": r"\lor ",
        "xor": r"\oplus ",
        "not": r"\neg ",
        "!": r"\neg ",
        "%": r"\bmod ",
        "{": r"\{",
        "}": r"\}",
    }
)
_NAME = r"[^\W\d]\w*(?:@\w+)*(?:\[\d+\])?(?:@\w+)*"


def text_expression(expression: Expression) -> str:
    """Return an expression with ghosts underlined and the signs of mathematics."""
    text = spell(expression)
    for sign, shown in _SIGNS:
        text = text.replace(sign, shown)
    text = re.sub(r"\bnot ", "¬", text).replace("!", "¬")
    return re.sub(_NAME, lambda found: text_name(found.group()), text)


def text_name(name: str) -> str:
    """Return a variable, a ghost with a line below its name, initial and final values of secrets with an index."""
    base, *marks = name.split("@")
    if "ghost" in marks:
        bare, bracket, rest = base.partition("[")
        base = "".join(letter + GHOST for letter in bare) + bracket + rest
    return base + ("₀" if "initial" in marks else "₁" if "final" in marks else "")


def latex_expression(expression: Expression) -> str:
    """Return an expression in LaTeX."""
    pieces = re.findall(rf"{_NAME}|\d+(?:\.\d+)?|==|!=|<=|>=|\s+|.", spell(expression))
    return "".join(_latex_piece(piece) for piece in pieces)


def _latex_piece(piece: str) -> str:
    if piece in _LATEX_SIGNS:
        return _LATEX_SIGNS[piece]
    return latex_name(piece) if re.fullmatch(_NAME, piece) else piece


def latex_name(name: str) -> str:
    """Return a variable in LaTeX, an element with its index below."""
    base, *marks = name.split("@")
    bare, _, index = base.partition("[")
    below = index.rstrip("]") + ("0" if "initial" in marks else "")
    shown = latex_of(Symbol(bare)) + (f"_{{{below}}}" if below else "")
    return rf"\underline{{{shown}}}" if "ghost" in marks else shown


def definition(explanation: Explanation) -> Wording:
    """Return the measure in terms of cwp, as the propositions have it."""
    text = _definition(explanation, _TEXT)
    latex = _definition(explanation, _LATEX)
    return Wording(text, latex)


@dataclass(frozen=True, slots=True)
class _Marks:
    """How the parts of a definition are written."""

    latex: bool

    def names(self, names: Sequence[str]) -> str:
        return ", ".join(latex_name(name) if self.latex else text_name(name) for name in names)

    def equal(self, pairs: Sequence[tuple[str, str]]) -> str:
        if not pairs:
            return "1"
        parts = []
        for ghost, variable in pairs:
            left = f"{ghost}@ghost"
            parts.append(
                f"{latex_name(left)} = {latex_name(variable)}"
                if self.latex
                else f"{text_name(left)} = {text_name(variable)}"
            )
        joined = (r" \land " if self.latex else " ∧ ").join(parts)
        return rf"\left[{joined}\right]" if self.latex else f"[{joined}]"

    def cwp(self, above: str, below: str) -> str:
        if self.latex:
            return rf"\mathsf{{cwp}}\llbracket S \rrbracket\left({above}, {below}\right)"
        return f"cwp⟦S⟧({above}, {below})"

    def divided(self, pair: str) -> str:
        return rf"\llbracket {pair} \rrbracket" if self.latex else f"⟦{pair}⟧"

    def renamed(self, names: Sequence[str]) -> str:
        parts = []
        for name in names:
            ghost = f"{name}@ghost"
            parts.append(
                rf"[{latex_name(ghost)} \mapsto {latex_name(name)}]"
                if self.latex
                else f"[{text_name(ghost)} ↦ {text_name(name)}]"
            )
        return "".join(parts)


_TEXT, _LATEX = _Marks(latex=False), _Marks(latex=True)


def _definition(explanation: Explanation, marks: _Marks) -> str:
    x, y = explanation.x, explanation.y
    log, minus = (r"\log ", "-") if marks.latex else ("log ", "−")
    bar = r" \mid " if marks.latex else " | "
    match explanation.kind:
        case "H":
            inner = marks.divided(marks.cwp(marks.equal([(v, v) for v in x]), "1")) + marks.renamed(x)
            return f"H({marks.names(x)}) = {marks.divided(marks.cwp(f'{minus}{log}{inner}', '1'))}"
        case "H|":
            pairs = [(v, v) for v in (*y, *(v for v in x if v not in y))]
            inner = marks.divided(marks.cwp(marks.equal(pairs), marks.equal([(v, v) for v in y])))
            inner += marks.renamed([ghost for ghost, _ in pairs])
            return f"H({marks.names(x)}{bar}{marks.names(y)}) = {marks.divided(marks.cwp(f'{minus}{log}{inner}', '1'))}"
        case "KL":
            above, below = marks.equal([(v, v) for v in x]), marks.equal(list(zip(x, y, strict=True)))
            inner = marks.divided(marks.cwp(above, below)) + marks.renamed(x)
            parallel = r" \parallel " if marks.latex else " ‖ "
            head = (
                rf"\mathit{{KL}}({marks.names(x)}{parallel}{marks.names(y)})"
                if marks.latex
                else f"KL({marks.names(x)}{parallel}{marks.names(y)})"
            )
            return f"{head} = {marks.divided(marks.cwp(f'{log}{inner}', '1'))}"
        case "I":
            first, second = marks.names(x), marks.names(y)
            return f"I({first}; {second}) = H({first}) {minus} H({first}{bar}{second})"
        case "P" | "E":
            if explanation.argument is None:
                raise AssertionError("P and E have an argument")
            inside = latex_expression(explanation.argument) if marks.latex else text_expression(explanation.argument)
            post = f"[{inside}]" if explanation.kind == "P" else inside
            return f"{explanation.kind}({inside}) = {marks.divided(marks.cwp(post, '1'))}"
