"""What grew past a limit is not worked out again: a program of many parts did so for each of its questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.engines.programs import core_of

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, Joint
from seepage.engines.select import solve
from seepage.exact import Number
from seepage.measures import joints
from seepage.measures.joints import Inquiry, Memory, joint_of
from seepage.measures.scope import Scope
from seepage.semantics.core import CoreProgram
from seepage.source import Span

CLAMPED = "for i in 1..4 { x[i] ~ normal(0, 1); y[i] := max(x[i], 0) }\no := y[1] + y[2] + y[3] + y[4]\n"
SMALL = Budget(components=8)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []

    def counted(core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget) -> Joint:
        found.append(asked)
        return solve(core, asked, parameters, budget)

    monkeypatch.setattr(joints, "solve", counted)
    return found


def test_a_joint_that_grew_past_a_limit_is_refused_at_once_under_the_same_limit(runs: list[tuple[str, ...]]) -> None:
    core = core_of(CLAMPED)
    inquiry = Inquiry(Scope(core, {}, {}, 0), Span(0, 0), SMALL, Memory())

    told = []
    for _ in range(3):
        with pytest.raises(Fault) as fault:
            joint_of(inquiry, core, ("o",))
        told.append(fault.value.diagnostic)

    assert {each.rule for each in told} == {rules.BUDGET_EXCEEDED}
    assert told[0] == told[1] == told[2]
    assert runs == [("o",)]
    assert joint_of(replace(inquiry, budget=Budget()), core, ("o",)) is not None
    assert runs == [("o",), ("o",)]
