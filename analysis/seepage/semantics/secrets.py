"""Secrets that the text surely assigns twice, and outputs that are observed to be one number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.exact import Number
from seepage.semantics.checked import SecretSymbol, Symbols
from seepage.semantics.declarations import written_name
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import conjuncts, nodes
from seepage.semantics.first_reads import assigned
from seepage.semantics.runs import Stretch
from seepage.semantics.static import quiet_value
from seepage.semantics.units import Units
from seepage.source import SourceFile, Span
from seepage.syntax.tree import (
    Assign,
    Binary,
    Expression,
    For,
    If,
    Index,
    Item,
    Module,
    Name,
    Observe,
    Placed,
    Sample,
    While,
    array_of,
)

_MANY = 2  # counting stops here


def names_in_rounds(tree: Module) -> frozenset[str]:
    """Return the names that loops which end by chance assign, arrays by their own name."""
    bodies = (item.arm.block for item in tree.walk() if isinstance(item, While))
    return frozenset(name for body in bodies for name in assigned(body))


def assigned_in_rounds(symbols: Symbols, names: Set[str], source: SourceFile) -> Iterator[Diagnostic]:
    """Yield a warning for each plain secret among names that loops assign in each round: its value at the end is taken to be meant."""
    for secret in symbols.secrets:
        if secret.mode is None and array_of(secret.name) in names:
            message = (
                f"a loop assigns the secret '{secret.name}' in each round; its value at the end is taken to be meant"
            )
            yield Diagnostic(
                rules.SECRET_OF_A_LOOP,
                secret.declaration,
                message,
                fixes=_modes(secret, source),
                subject=array_of(secret.name),
            )


def assigned_twice(
    tree: Module, symbols: Symbols, source: SourceFile, units: Units, in_rounds: Set[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Yield an error for each plain secret that every run assigns more than once, those ``in_rounds`` of loops left out.

    What depends on the run, or on loop variables in an index, is counted while the program runs.
    """
    plain = {
        secret.name: secret
        for secret in symbols.secrets
        if secret.mode is None and array_of(secret.name) not in in_rounds
    }
    arrays = {array_of(name) for name in plain}
    written = {name: units.written.labels[name] for name in arrays if name in units.written.labels}
    if all(len(labels) == 1 for labels in written.values()):
        once = [units.place(label) for (label,) in written.values()]
        loops = [loop.span for loop in units.loops(arrays)] if once else []
        if not any(loop.start <= place.start < loop.end for loop in loops for place in once):
            return
    least = _least_writes(tree.items, arrays, symbols.consts, units)
    reported: set[Span] = set()
    for name, secret in plain.items():
        elements = [one for one in least if one == name or one.startswith(f"{name}[")]
        twice = next((one for one in elements if least[one] >= _MANY), None)
        if twice is not None and secret.declaration not in reported:
            reported.add(secret.declaration)
            yield _twice(twice, secret, _places(tree, twice, symbols.consts), source)


def _modes(secret: SecretSymbol, source: SourceFile) -> tuple[Fix, ...]:
    """Return the fixes that say which value of a secret is meant."""
    assert source[secret.declaration].startswith("secret")
    after = Span(secret.declaration.start, secret.declaration.start + len("secret"))
    return tuple(
        Fix(f"write 'secret {mode}': {meaning}", (Edit(after, f"secret {mode}"),))
        for mode, meaning in (("initial", "the first value is secret"), ("final", "the value at the end is secret"))
    )


def _twice(name: str, secret: SecretSymbol, places: Sequence[Span], source: SourceFile) -> Diagnostic:
    fixes = _modes(secret, source)
    ordinals = ("the first assignment", "assigned again here")
    labels = tuple(Label(place, ordinals[min(i, 1)]) for i, place in enumerate(places))
    message = f"secret '{name}' is assigned more than once: say 'secret initial' or 'secret final'"
    subject = array_of(name)
    return Diagnostic(
        rules.SECRET_ASSIGNED_TWICE, secret.declaration, message, labels=labels, fixes=fixes, subject=subject
    )


def _least_writes(
    items: Sequence[Item], names: set[str], constants: Mapping[str, Number], units: Units
) -> Counter[str]:
    """Return how often each of ``names`` (elements: with a constant index) is assigned at least, counted up to 2."""
    counts: Counter[str] = Counter()
    for item in _assigning(items, names, units):
        match item:
            case Placed(node=Assign(target=target) | Sample(target=target)):
                name = _element(target, item.start, constants)
                if name is not None and array_of(name) in names:
                    counts[name] = min(_MANY, counts[name] + 1)
            case If(arms=arms, otherwise=otherwise):
                blocks = [*(arm.block.items for arm in arms), otherwise.items if otherwise else ()]
                each = [_least_writes(block, names, constants, units) for block in blocks]
                for name in each[0]:
                    counts[name] = min(_MANY, counts[name] + min(one[name] for one in each))
            case For(block=block):
                low, high = (quiet_value(bound, item.start, constants) for bound in (item.low, item.high))
                if isinstance(low, int) and isinstance(high, int) and high >= low:
                    for name, count in _least_writes(block.items, names, constants, units).items():
                        counts[name] = min(_MANY, counts[name] + count * min(_MANY, high - low + 1))
            case _:
                pass
    return counts


def _assigning(items: Sequence[Item], names: Set[str], units: Units) -> Iterator[Item]:
    """Yield the items of a block without those of runs that assign none of some names."""
    for part in units.parts(items):
        if not isinstance(part, Stretch):
            yield part
        elif not names.isdisjoint(part.run.says.targets):
            yield from part.items


def _element(target: Name | Index, start: int, constants: Mapping[str, Number]) -> str | None:
    if isinstance(target, Name):
        return target.id
    value = quiet_value(target.index, start, constants)
    return f"{target.array}[{value}]" if isinstance(value, int) else None


def _places(tree: Module, name: str, constants: Mapping[str, Number]) -> list[Span]:
    return [
        item.span
        for item in tree.walk()
        if isinstance(item, Placed)
        and isinstance(item.node, Assign | Sample)
        and _element(item.node.target, item.start, constants) == name
    ]


def observed_outputs(tree: Module, symbols: Symbols, units: Units) -> Iterator[Diagnostic]:
    """Yield a warning for each top-level observation that an output equals a known number, unless the output is assigned again."""
    outputs = {output.name: output for output in symbols.outputs}
    bases = {array_of(name) for name in outputs}
    observed = (stretch.run.says.observed for stretch in units.runs.stretches)
    if all(one is None or bases.isdisjoint(one) for one in observed):
        return
    secrets = [secret.name for secret in symbols.secrets]
    later: set[str] = set()
    for item in reversed(tree.items):
        if not isinstance(item, Placed):
            later.update(_assigned_inside(item, symbols.consts))
            continue
        if isinstance(item.node, Assign | Sample):
            later.add(written_name(item.node.target, symbols.consts))
        if not isinstance(item.node, Observe):
            continue
        for part in conjuncts(item.node.condition):
            name = _observed_variable(part, symbols)
            if name in outputs and name not in later:
                secret = next((one for one in secrets if one != name), "secret")
                event = part if isinstance(part, Binary) else None
                asked = f"H({secret} | {name} == …)" if event is None else f"H({secret} | {spelled(event)})"
                yield Diagnostic(
                    rules.OBSERVED_OUTPUT,
                    item.span,
                    f"output '{name}' is observed, and constant afterwards: it tells nothing more; ask '{asked}' without the "
                    "observation",
                    labels=(Label(outputs[name].span, f"'{name}' is declared as output here"),),
                )


def _observed_variable(part: Expression, symbols: Symbols) -> str | None:
    """Return the variable that an equality fixes to a number of constants and parameters."""
    if not (isinstance(part, Binary) and part.operator == "=="):
        return None
    for side, other in ((part.left, part.right), (part.right, part.left)):
        if isinstance(side, Name | Index) and not any(
            isinstance(node, Index) or (isinstance(node, Name) and node.id in symbols.variables)
            for node in nodes(other)
        ):
            return written_name(side, symbols.consts)
    return None


def _assigned_inside(item: Item, constants: Mapping[str, Number]) -> Iterator[str]:
    inner = Module((item,), item.span)
    for one in inner.walk():
        if isinstance(one, Placed) and isinstance(one.node, Assign | Sample):
            yield written_name(one.node.target, constants)
