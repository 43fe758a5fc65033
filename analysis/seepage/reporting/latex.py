r"""Texts, code and curves in LaTeX, with packages that every installation has (``latex-base`` of TeX Live).

Each character of TeX that does anything is written as a command. Other characters beyond ASCII are declared for pdfLaTeX in the preamble
(:func:`declared`): signs of mathematics as such, letters with accents as the letters that they are, others by their number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from seepage.report.findings import printable
from seepage.report.svg import is_bounded
from seepage.reporting.document import ListingLine
from seepage.reporting.told import PlotTold, PointTold

_ESCAPES: Mapping[str, str] = MappingProxyType(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
        "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        '"': r"{\char34}", "'": r"{\char39}", "`": r"{\char96}", "-": "{-}", ",": "{,}", "?": "{?}", "!": "{!}",
    }
)  # fmt: skip
# What TeX does not have in its fonts for texts, as it has it in those for mathematics.
_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "→": r"\rightarrow", "←": r"\leftarrow", "·": r"\cdot", "×": r"\times", "−": "-", "∞": r"\infty",
        "∝": r"\propto", "≈": r"\approx", "±": r"\pm", "∈": r"\in", "√": r"\surd", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∧": r"\wedge",
        "∨": r"\vee", "¬": r"\neg", "⊕": r"\oplus", "⟦": r"[\![", "⟧": r"]\!]", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|", "✓": r"\surd",
        "✗": r"\times", "▼": r"\bigtriangledown", "▲": r"\bigtriangleup", "…": r"\ldots", "∣": r"\mid", "÷": r"\div", "μ": r"\mu", "µ": r"\mu",
        "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\varepsilon", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta",
        "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "ς": r"\varsigma",
        "τ": r"\tau", "υ": r"\upsilon", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta",
        "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
        "²": "^2", "³": "^3", "¹": "^1", "⁰": "^0", "⁴": "^4", "⁵": "^5", "⁶": "^6", "⁷": "^7", "⁸": "^8", "⁹": "^9",
        "₀": "_0", "₁": "_1", "₂": "_2", "₃": "_3", "₄": "_4", "₅": "_5", "₆": "_6", "₇": "_7", "₈": "_8", "₉": "_9",
    }
)  # fmt: skip
_ACCENTS: Mapping[str, str] = MappingProxyType(
    {
        "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u0304": "=", "\u0306": "u", "\u0307": ".", "\u030a": "r",
        "\u030b": "H", "\u030c": "v", "\u0327": "c",
    }
)  # fmt: skip
_LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "ß": r"\ss", "æ": r"\ae", "Æ": r"\AE", "œ": r"\oe", "Œ": r"\OE", "ø": r"\o", "Ø": r"\O", "ł": r"\l", "Ł": r"\L", "ı": r"\i", "–": r"\textendash",
        "—": r"\textemdash", "‘": r"\textquoteleft", "’": r"\textquoteright", "“": r"\textquotedblleft", "”": r"\textquotedblright",
        "•": r"\textbullet", "©": r"\textcopyright", "°": r"\textdegree", "§": r"\S", "¶": r"\P", "\xa0": "~",
    }
)  # fmt: skip
_GHOST = re.compile("([^\u0332])\u0332")  # a letter with a line below
_PLAIN_ASCII = re.compile(r"[ -~]")


def text(words: str) -> str:
    """Return a text that means itself."""
    return "".join(_written(words))


def _written(words: str) -> Iterator[str]:
    at = 0
    for ghost in _GHOST.finditer(words):
        yield from (_ESCAPES.get(letter, letter) for letter in words[at : ghost.start()])
        yield rf"\underline{{{_ESCAPES.get(ghost[1], ghost[1])}}}"
        at = ghost.end()
    yield from (_ESCAPES.get(letter, letter) for letter in words[at:] if letter != "\u0332")


def code(words: str) -> str:
    """Return a text as code; lines may break at its blanks, which all stay."""
    return rf"\texttt{{{text(words).replace(' ', chr(92) + ' ')}}}"


def listing_line(line: ListingLine) -> str:
    """Return a line of a program with what stands beside it."""
    inner = text(printable(line.text)).replace(" ", "\\ ")
    beside = " ".join(rf"\seepagebeside{{{text(printable(each.text))}}}" for each in line.beside)
    return rf"\seepageline{{{line.number}}}{{{inner}}}{{{beside}}}"


def declared(document: str) -> str:
    """Return a document with a declaration of each character beyond ASCII in it, where the template says "%DECLARATIONS%"."""
    used = sorted({letter for letter in document if ord(letter) > 127})
    return document.replace("%DECLARATIONS%\n", "".join(map(_declaration, used)), 1)


def _declaration(letter: str) -> str:
    return rf"\seepagecharacter{{{ord(letter):04X}}}{{{character(letter)}}}" + "\n"


def character(letter: str) -> str:
    """Return a character beyond ASCII in text: a command of LaTeX that every installation has, its number where there is none."""
    if letter in _SIGNS:
        return rf"\ensuremath{{{_SIGNS[letter]}}}"
    if letter in _LETTERS:
        return f"{_LETTERS[letter]}{{}}"
    match unicodedata.normalize("NFD", letter):
        case base if len(base) == 2 and _PLAIN_ASCII.match(base[0]) and base[1] in _ACCENTS:
            return rf"\{_ACCENTS[base[1]]}{{{base[0]}}}"
        case _:
            return rf"\texttt{{[U+{ord(letter):04X}]}}"


# --- curves -----------------------------------------------------------------------------------------------------------

_WIDTH, _HEIGHT = 300, 130  # in units of the picture, which are points


def plot(told: PlotTold) -> str:
    """Return a curve with its bounds, the budget and the value that is looked at, as a ``picture``."""
    points = [each for each in told.points if is_bounded(each)]
    left, right = points[0].x, points[-1].x
    known = [end for each in points for end in (each.lower, each.upper)]
    low: float = min(0.0, *known)
    high: float = max([*known, *([] if told.budget is None else [told.budget])])
    high = high if high > low else low + 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return (x - left) / (right - left) * _WIDTH, (y - low) / (high - low) * _HEIGHT

    lines = [
        rf"\begin{{picture}}({_WIDTH + 40},{_HEIGHT + 34})(-34,-28)",
        rf"\put(0,0){{\line(1,0){{{_WIDTH}}}}}\put(0,0){{\line(0,1){{{_HEIGHT}}}}}",
        rf"\put(-4,0){{\makebox(0,0)[r]{{{low:.4g}}}}}\put(-4,{_HEIGHT}){{\makebox(0,0)[r]{{{high:.4g}}}}}",
        rf"\put(0,-10){{\makebox(0,0){{{left:.4g}}}}}\put({_WIDTH},-10){{\makebox(0,0){{{right:.4g}}}}}",
        rf"\put({_WIDTH // 2},-20){{\makebox(0,0){{{text(told.parameter)}}}}}",
        *_curves(points, place),
    ]
    if told.budget is not None:
        _, y = place(left, told.budget)
        lines += [rf"\multiput(0,{y:.2f})(8,0){{{_WIDTH // 8}}}{{\line(1,0){{4}}}}"]
        lines += [rf"\put({_WIDTH},{y + 5:.2f}){{\makebox(0,0)[r]{{budget {told.budget:.6g}}}}}"]
    if told.here is not None and left <= told.here <= right:
        x, _ = place(told.here, low)
        lines += [rf"\multiput({x:.2f},0)(0,8){{{_HEIGHT // 8}}}{{\line(0,1){{3}}}}"]
    return "\n".join((*lines, r"\end{picture}"))


def _curves(points: Sequence[PointTold], place: Callable[[float, float], tuple[float, float]]) -> Iterator[str]:
    """Yield the curve, or both its bounds where they are apart."""
    exactly = all(
        each.value is not None and each.upper - each.lower <= 1e-9 * max(1.0, abs(each.upper)) for each in points
    )
    for name in ("value",) if exactly else ("lower", "upper"):
        for one, other in pairwise(points):
            (x, y), (u, v) = place(one.x, getattr(one, name)), place(other.x, getattr(other, name))
            yield rf"\qbezier({x:.2f},{y:.2f})({(x + u) / 2:.2f},{(y + v) / 2:.2f})({u:.2f},{v:.2f})"
