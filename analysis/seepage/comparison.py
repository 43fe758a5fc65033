"""Two versions of a program side by side: whether the outputs of one are at most as leaky as those of the other, whatever the prior and the gain.

Both are asked for the channel from the same secrets to their outputs, as ``C(secrets -> outputs)`` takes it: each row is the law of the outputs given
the values of the secrets, with everything else drawn as the program draws it. Other secrets are drawn as well, with the laws that the program gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget
from seepage.exact import ArithmeticFault, CannotDecide, Number
from seepage.measures.asking import Asking
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.refinement import AnyChannel, NotRefined, Refined, Refinement, Undecided, refinement
from seepage.measures.clock import OutOfTime
from seepage.measures.evaluation import Evaluation
from seepage.measures.games.game import has_choices
from seepage.measures.scope import variables
from seepage.pipeline import asking_of, need_meaning, read_measure
from seepage.semantics.checked import Checked
from seepage.semantics.measure_names import names_in
from seepage.semantics.needed import unroll_for
from seepage.syntax.tree import MeasureCall

Order: TypeAlias = Literal["the same", "less leaky", "leakier", "neither", "undecided"]


@dataclass(frozen=True, slots=True)
class Version:
    """A program with values of its parameters."""

    checked: Checked
    params: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class ChannelOrder:
    """How two channels from the same secrets compare.

    Attributes:
        secrets: their names.
        before: the outputs of the first program.
        after: those of the second one.
        no_worse: whether the second is at most as leaky as the first.
        no_better: whether the first is at most as leaky as the second.
    """

    secrets: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    no_worse: Refinement
    no_better: Refinement

    @property
    def order(self) -> Order:
        """The second one beside the first."""
        match self.no_worse, self.no_better:
            case Refined(), Refined():
                return "the same"
            case Refined(), NotRefined():
                return "less leaky"
            case NotRefined(), Refined():
                return "leakier"
            case NotRefined(), NotRefined():
                return "neither"
            case _:
                return "undecided"


def channel_orders(before: Version, after: Version, seconds: float) -> Iterator[ChannelOrder]:
    """Yield the order for each secret that both versions have, and for all of them together where they are several.

    Args:
        before: the first version.
        after: the second one.
        seconds: of a processor, for each of them.
    """
    common = tuple(name for name in _secrets(before) if name in _secrets(after))
    if not common or not before.checked.symbols.outputs or not after.checked.symbols.outputs:
        return
    together = (common,) if len(common) > 1 else ()
    for names in (*((name,) for name in common), *together):
        yield channel_order(before, after, names, seconds)


def channel_order(before: Version, after: Version, secrets: tuple[str, ...], seconds: float) -> ChannelOrder:
    """Return how the channels from secrets to all outputs compare; what keeps one from being had is told as undecided."""
    outputs = _outputs(before), _outputs(after)
    try:
        first, second = (_channel(each, secrets, seconds) for each in (before, after))
        budget = Budget(deadline=Deadline.after(seconds))
        orders = refinement(first, second, budget), refinement(second, first, budget)
    except Fault as fault:
        orders = (Undecided(fault.diagnostic.message),) * 2
    except OutOfTime:
        orders = (Undecided(f"not decided within {seconds:g} s"),) * 2
    except (ArithmeticFault, CannotDecide, ValueError) as error:
        orders = (Undecided(str(error)),) * 2
    return ChannelOrder(secrets, *outputs, *orders)


def _channel(version: Version, secrets: tuple[str, ...], seconds: float) -> AnyChannel:
    """Return the channel from secrets to all outputs.

    Raises:
        Fault: of the program; continuous variables; values that are too many to be told one by one.
        OutOfTime: past the seconds.
    """
    tree, offset = read_measure(version.checked, f"C({', '.join(secrets)} -> {', '.join(_outputs(version))})")
    assert isinstance(tree, MeasureCall)
    core = unroll_for(version.checked, (name for _, name in names_in(tree)))
    if has_choices(core):
        raise ValueError("an attacker chooses: there is a channel for each strategy, and none for all of them")
    asking = asking_of(version.checked, core, version.params, "bits", seconds)
    need_meaning(asking, tree, seconds)
    asked = _asked(asking, tree, offset)
    if asked.classes() is not None:
        raise ValueError("the values of a uniform variable are too many to be told one by one")
    return asked.channel()


def _asked(asking: Asking, call: MeasureCall, offset: int) -> AskedChannel:
    evaluation = Evaluation(asking.inquiry(call.span.shift(offset), offset), asking.unit, formulas=False, domains={})
    scope = evaluation.scope
    return AskedChannel(evaluation, call, variables(scope, call.left), variables(scope, call.right), ())


def _secrets(version: Version) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.name for each in version.checked.symbols.secrets))


def _outputs(version: Version) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.name for each in version.checked.symbols.outputs))
