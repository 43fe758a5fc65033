from __future__ import annotations

from seepage.semantics.check import check
from seepage.source import SourceFile


def documentation_of(name: str, text: str) -> str:
    return check(SourceFile("a.seep", text)).symbols.variables[name].documentation


def test_a_declaration_documents_its_variable() -> None:
    assert documentation_of("r", "/// what is hidden\nsecret r\nr ~ flip(1/2)\n") == "what is hidden"


def test_the_first_assignment_documents_before_the_declaration_does() -> None:
    assert documentation_of("o", "/// what is seen\noutput o\n/// a coin\no ~ flip(1/2)\n") == "a coin"


def test_a_bare_array_name_documents_the_array() -> None:
    assert documentation_of("r", "/// the answers\nsecret r\nfor i in 1..2 { r[i] ~ flip(1/2) }\n") == "the answers"
