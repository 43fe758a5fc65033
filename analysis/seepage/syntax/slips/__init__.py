"""Slips that have a name: habits of other languages and half-typed statements, each with its mending.

A slip is a function of the place where reading stopped; it returns what to say, or None if it does not know the place.
Lines that are several pieces here are a table of their own (``lines.py``).
"""

from __future__ import annotations

from collections.abc import Callable

from seepage.diagnostics import Diagnostic
from seepage.syntax.slips.declarations import (
    budget_of_many,
    declared_value,
    domain_after_value,
    keyword_as_name,
    list_without_commas,
    misplaced_unit,
    values_for_domain,
)
from seepage.syntax.slips.expressions import (
    call_without_parentheses,
    comma_outside,
    end_of_comment,
    missing_parentheses,
    named_argument,
    table_without_weights,
)
from seepage.syntax.slips.loops import colon_for_brace, loop_in_parentheses, loop_over_call
from seepage.syntax.slips.other_languages import (
    comment_of_other_languages,
    conditional_of_other_languages,
    operator_of_other_languages,
    then_in_statement,
    word_of_other_languages,
)
from seepage.syntax.slips.place import Place as Place
from seepage.syntax.slips.statements import assignment_inside, bare_expression

SLIPS: tuple[Callable[[Place], Diagnostic | None], ...] = (
    keyword_as_name,
    declared_value,
    domain_after_value,
    values_for_domain,
    end_of_comment,
    comment_of_other_languages,
    word_of_other_languages,
    bare_expression,
    assignment_inside,
    then_in_statement,
    loop_over_call,
    colon_for_brace,
    loop_in_parentheses,
    conditional_of_other_languages,
    comma_outside,
    call_without_parentheses,
    list_without_commas,
    table_without_weights,
    missing_parentheses,
    operator_of_other_languages,
    misplaced_unit,
    budget_of_many,
    named_argument,
)
