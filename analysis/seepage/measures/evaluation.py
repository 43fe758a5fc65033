"""What one evaluation of a measure rests on, and the closed forms that go with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.measures.asking import InformationUnit
from seepage.measures.formulas.closed_form import closed_form
from seepage.measures.formulas.form import NO_FORMULA, ClosedForm
from seepage.measures.formulas.known_forms import form_of, key_of
from seepage.measures.guessing.gains import Gain
from seepage.measures.joints import Inquiry
from seepage.measures.quantity import Quantity, Search, Several
from seepage.measures.result import Method
from seepage.measures.scope import Scope
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One measure being evaluated.

    Attributes:
        inquiry: what joints are asked with.
        unit: of entropies, information and divergences.
        formulas: whether to look for closed forms.
        domains: of the parameters.
        secrets: the declared secrets, as written.
        method: which of the paper's bounds to use for mixtures, None for quadrature.
    """

    inquiry: Inquiry
    unit: InformationUnit
    formulas: bool
    domains: Mapping[str, Domain]
    secrets: tuple[str, ...] = ()
    method: Method | None = None

    @property
    def scope(self) -> Scope:
        """The meaning of names in the measure."""
        return self.inquiry.scope


def formula(
    evaluation: Evaluation,
    name: str,
    core: CoreProgram,
    x: Sequence[str],
    y: Sequence[str] = (),
    z: Sequence[str] = (),
    other: CoreProgram | None = None,
    gain: Gain | None = None,
) -> ClosedForm:
    """Return the closed form of a measure, if one was asked for and there is one to read; arguments as in :func:`closed_form`."""
    if not evaluation.formulas or not core.parameters:
        return NO_FORMULA
    arguments = (tuple(x), tuple(y), tuple(z))

    def search(evaluation: Evaluation) -> ClosedForm:
        inquiry, unit, domains = evaluation.inquiry, evaluation.unit, evaluation.domains
        key = key_of(name, (core, other), arguments, unit, inquiry.scope.parameters, domains, gain)
        return form_of(
            (*key, inquiry.scope.taken),
            lambda: closed_form(inquiry, name, core, arguments, unit, domains, other, gain),
            inquiry.budget.deadline,
        )

    later = evaluation.inquiry.memory.later
    if not later.defers:
        return search(evaluation)
    put_off = Search(len(later.searches))
    later.searches[put_off] = lambda inquiry: search(replace(evaluation, inquiry=inquiry))
    return ClosedForm(None, search=put_off)


def with_formula(evaluation: Evaluation, quantity: Quantity, compute: Callable[[], Quantity]) -> Quantity:
    """Return a quantity with the formula that it waits for, found now; itself if it waits for none.

    One made of several is computed once more by ``compute``: only so do their formulas combine.
    """
    later = evaluation.inquiry.memory.later
    if later.defers or quantity.search is None:
        return quantity
    if isinstance(quantity.search, Several):
        return compute()
    closed = later.searches[quantity.search](evaluation.inquiry)
    return replace(quantity, formula=closed.formula, notes=(*quantity.notes, *closed.notes), search=None)
