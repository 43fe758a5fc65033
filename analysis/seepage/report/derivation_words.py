"""The words of derivations: definitions of measures, rows of Table 1, expressions with ghosts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from seepage.data_classes import dataclass
from seepage.engines.wpe.derivation import Rule
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.letters import is_own, quoted
from seepage.measures.formulas.tree import Symbol
from seepage.measures.told_derivation import Explanation
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

_SIGNS = (
    ("==", "="),
    ("!=", "≠"),
    ("<=", "≤"),
    (">=", "≥"),
    (" * ", "·"),
    (" / ", "/"),
    ("-", "−"),
    (" % ", " mod "),
    (" and ", " ∧ "),
    (" or ", " ∨ "),
    (" xor ", " ⊕ "),
)
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
_IN_TEXT = MappingProxyType(
    {letter: f"\\{letter}" for letter in "{}$%#&_"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {letter: f"{{{letter}}}" for letter in "<![`"}
)
_SYMBOL = re.compile(r'("[^"]*+")')
_NAME = r"[^\W\d]\w*(?:@\w+)*(?:\[\d+\])?(?:@\w+)*"


def text_expression(expression: Expression) -> str:
    """Return an expression with ghosts underlined and the signs of mathematics."""
    return outside_symbols(spell(expression), _with_signs)


def outside_symbols(text: str, change: Callable[[str], str], symbol: Callable[[str], str] = str) -> str:
    """Return spelled code, changed where no symbol stands: what is between its quotes may be any text, and is no code."""
    parts = enumerate(_SYMBOL.split(text))
    return "".join(symbol(part) if position % 2 else change(part) for position, part in parts)


def _with_signs(text: str) -> str:
    text = _with_fractions(text)
    for sign, shown in _SIGNS:
        text = text.replace(sign, shown)
    text = re.sub(r"\bnot ", "¬", text).replace("!", "¬")
    return re.sub(rf"({_NAME})(\()?", lambda found: found[0] if found[2] else text_name(found[1]), text)


def with_fractions(text: str) -> str:
    """Return spelled code in which 0.5 is 1/2, as the coefficients of expectations have it."""
    return outside_symbols(text, _with_fractions)


def _with_fractions(text: str) -> str:

    def fraction(found: re.Match[str]) -> str:
        before, digits, after = found.groups()
        value = str(Fraction(digits))
        return f"{before}({value}){after}" if before or after else value

    text = re.sub(r"((?:[/%] |\^)?)(?<![\w.])(\d+\.\d+)(\^?)", fraction, text)
    return re.sub(r"(?<![\w/])(\d+) / (\d+)(?![\w^])", r"\1/\2", text)


def text_name(name: str) -> str:
    """Return a variable, a ghost with a line below its name, initial and final values of secrets with an index; one that formulas have on their own as code."""
    base, *marks = name.split("@")
    bare, bracket, rest = base.partition("[")
    if "ghost" in marks:
        shown = "".join(letter + GHOST for letter in bare)
        base = (f"'{shown}'" if is_own(bare) else shown) + bracket + rest
    else:
        base = quoted(bare) + bracket + rest
    return base + ("₀" if "initial" in marks else "₁" if "final" in marks else "")


def latex_expression(expression: Expression) -> str:
    """Return an expression in LaTeX."""
    return outside_symbols(spell(expression), _latex_code, _latex_symbol)


def _latex_code(text: str) -> str:
    pieces = re.findall(rf"{_NAME}|\d+(?:\.\d+)?|==|!=|<=|>=|\s+|.", _with_fractions(text))
    return "".join(_latex_piece(piece) for piece in pieces)


def _latex_symbol(text: str) -> str:
    """Return a symbol as text in LaTeX, in which no mark of LaTeX or of Markdown, where it may stand, does anything."""
    return rf"\text{{{''.join(_IN_TEXT.get(letter, letter) for letter in text)}}}"


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

    def program(self, name: str) -> str:
        """Return S, S₁ or S₂."""
        return name.replace("₁", "_1").replace("₂", "_2") if self.latex else name

    def cwp(self, above: str, below: str, program: str) -> str:
        if self.latex:
            return rf"\mathsf{{cwp}}\llbracket {self.program(program)} \rrbracket\left({above}, {below}\right)"
        return f"cwp⟦{program}⟧({above}, {below})"

    def expression(self, expression: Expression) -> str:
        return latex_expression(expression) if self.latex else text_expression(expression)

    def under(self, event: Expression | None) -> str:
        """Return `` | event``, nothing without one."""
        return "" if event is None else (r" \mid " if self.latex else " | ") + self.expression(event)

    def meaning(self, program: str, event: Expression | None) -> str:
        """Return what S₁ or S₂ is, nothing for S."""
        if event is None:
            return ""
        observe = (
            rf"\mathtt{{observe}}\ {self.expression(event)}" if self.latex else f"observe {self.expression(event)}"
        )
        return (r",\quad " if self.latex else ", ") + f"{self.program(program)} = S; {observe}"

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
    x, y, event = explanation.x, explanation.y, explanation.event
    log, minus = (r"\log ", "-") if marks.latex else ("log ", "−")
    bar = r" \mid " if marks.latex else " | "
    program = "S" if event is None else "S₁"
    under, meaning = marks.under(event), marks.meaning(program, event)

    def expected(inside: str) -> str:
        return marks.divided(marks.cwp(inside, "1", program))

    match explanation.kind:
        case "H":
            inner = expected(marks.equal([(v, v) for v in x])) + marks.renamed(x)
            return f"H({marks.names(x)}{under}) = {expected(f'{minus}{log}{inner}')}{meaning}"
        case "H|":
            pairs = [(v, v) for v in (*y, *(v for v in x if v not in y))]
            inner = marks.divided(marks.cwp(marks.equal(pairs), marks.equal([(v, v) for v in y]), program))
            inner += marks.renamed([ghost for ghost, _ in pairs])
            return f"H({marks.names(x)}{bar}{marks.names(y)}) = {expected(f'{minus}{log}{inner}')}"
        case "KL":
            return _divergence(explanation, marks, log)
        case "I":
            first, second = marks.names(x), marks.names(y)
            if explanation.given:
                third = marks.names(explanation.given)
                both = f"H({first}{bar}{third}) {minus} H({first}{bar}{second}, {third})"
                return f"I({first}; {second}{bar}{third}) = {both}"
            both = f"H({first}{under}) {minus} H({first}{bar}{second}{_also(under, bar)})"
            return f"I({first}; {second}{under}) = {both}{meaning}"
        case "P" | "E":
            if explanation.argument is None:
                raise AssertionError("P and E have an argument")
            inside = marks.expression(explanation.argument)
            post = f"[{inside}]" if explanation.kind == "P" else inside
            return f"{explanation.kind}({inside}{under}) = {expected(post)}{meaning}"


def _also(under: str, bar: str) -> str:
    """Return an event behind variables that are given, too."""
    return under.replace(bar, ", ", 1)


def _divergence(explanation: Explanation, marks: _Marks, log: str) -> str:
    x, y, events = explanation.x, explanation.y, (explanation.event, explanation.right_event)
    here = "S" if events[0] is None else "S₁"
    there = here if events[0] == events[1] else "S" if events[1] is None else "S₂"
    above, below = marks.equal([(v, v) for v in x]), marks.equal(list(zip(x, y, strict=True)))
    if here == there:
        inner = marks.divided(marks.cwp(above, below, here)) + marks.renamed(x)
    else:
        first, second = marks.cwp(above, "1", here), marks.cwp(below, "1", there)
        ratio = f"{marks.divided(first)} / {marks.divided(second)}"
        inner = (rf"\left({ratio}\right)" if marks.latex else f"({ratio})") + marks.renamed(x)
    parallel = r" \parallel " if marks.latex else " ‖ "
    inside = f"{marks.names(x)}{marks.under(events[0])}{parallel}{marks.names(y)}{marks.under(events[1])}"
    name = r"\mathit{KL}" if marks.latex else "KL"
    meaning = marks.meaning(here, events[0]) + (marks.meaning(there, events[1]) if there != here else "")
    return f"{name}({inside}) = {marks.divided(marks.cwp(log + inner, '1', here))}{meaning}"
