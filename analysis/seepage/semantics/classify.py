"""Exactness: what leaves the fragment in which SOGA computes the exact semantics, and why.

The conditions are those of the paper's proposition on exactness: i) assignments are linear, ii) what is sampled is a Gaussian mixture, iii) what is observed is an
equality or depends on discrete variables only, iv) branches depend on discrete variables only. Finer than there: a factor that is
discrete, a variance that is discrete, and a mean that is linear keep every component Gaussian, and so the program exact.
"""

from __future__ import annotations

from collections.abc import Sequence

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Label, Reason, Rule
from seepage.source import Span
from seepage.syntax.tree import Expression

INEXACT = frozenset(
    rule.code
    for rule in (
        rules.PRODUCT_OF_CONTINUOUS,
        rules.NONLINEAR_FUNCTION,
        rules.NOT_GAUSSIAN,
        rules.OBSERVE_INEQUALITY,
        rules.BRANCH_ON_CONTINUOUS,
        rules.COMPARISON_OF_CONTINUOUS,
        rules.VARIANCE_DEPENDS_ON_CONTINUOUS,
        rules.NONLINEAR_MEAN,
        rules.PARAMETER_DEPENDS_ON_CONTINUOUS,
        rules.DIVISION_BY_CONTINUOUS,
        rules.CONDITIONAL_ON_CONTINUOUS,
        rules.INDEX_ON_CONTINUOUS,
    )
)
"""Codes of the rules whose findings make results approximate."""

NONLINEAR = frozenset(
    rule.code for rule in (rules.PRODUCT_OF_CONTINUOUS, rules.NONLINEAR_FUNCTION, rules.DIVISION_BY_CONTINUOUS)
)
"""Codes of the rules for operations that are not linear in continuous variables."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A part of a statement that is not exact; ``culprit`` is relative to its piece, ``subject`` the name that it is about, where that matters."""

    rule: Rule
    culprit: Expression
    message: str
    subject: str = ""

    def under(self, rule: Rule) -> Issue:
        """Return the same finding under another rule."""
        return Issue(rule, self.culprit, self.message, self.subject)


def outermost(issues: Sequence[Issue]) -> list[Issue]:
    """Return the issues that lie in no other one of the same kind: ``x * y * z`` is one finding, and so is a statement that is not exact for one reason.

    Whatever ends exactness is of one kind: ``laplace(x, 1)`` is no mixture, whatever its mean depends on.
    """
    kept = [
        issue
        for issue in issues
        if not any(
            (other.rule is issue.rule or {other.rule.code, issue.rule.code} <= INEXACT)
            and other.culprit.span != issue.culprit.span
            and other.culprit.span.cover(issue.culprit.span) == other.culprit.span
            for other in issues
        )
    ]
    first = {each.rule.code: each for each in reversed(kept)}
    return [each for each in kept if each.rule.code not in INEXACT or each is first[each.rule.code]]


def diagnose(issue: Issue, span: Span, labels: tuple[Label, ...]) -> Diagnostic:
    """Return an issue as a diagnostic at an absolute place."""
    return Diagnostic(issue.rule, span, issue.message, labels=labels, subject=issue.subject)


def reasons(diagnostics: list[Diagnostic]) -> tuple[Reason, ...]:
    """Return those findings that make results approximate, in the order of the text."""
    return tuple(
        Reason(one.span, one.rule.code, one.message)
        for one in sorted(diagnostics, key=lambda one: (one.span.start, one.rule.code))
        if one.rule.code in INEXACT
    )
