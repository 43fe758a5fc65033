"""Chains of JANI (https://jani-spec.org): automata of kind ``dtmc``, written as the model of PRISM that means the same, which is then read as one.

What stays: bounded and Boolean variables, constants, locations, guards, destinations with chances and assignments, and vectors of synchronisation, each of
which becomes an action of its own. Transient variables, which count rewards, and properties are passed over. Refused with the automaton where they
stand: unbounded and real variables, arrays, functions, rates, clocks, several initial states, assignments in an order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from seepage.data_classes import dataclass
from seepage.imports.prism import of_prism
from seepage.imports.writing import NotImported
from seepage.imports.writing import name as plain_name
from seepage.report.findings import printable

_SIGNS: Mapping[str, str] = {
    "∨": "|", "∧": "&", "=": "=", "≠": "!=", "<": "<", "≤": "<=", ">": ">", "≥": ">=", "+": "+", "-": "-", "*": "*", "/": "/",
}  # fmt: skip
_CALLS: Mapping[str, str] = {"%": "mod", "pow": "pow", "min": "min", "max": "max"}
_LONGEST = 400  # digits of a number
_WORDS = (
    "module",
    "endmodule",
    "init",
    "true",
    "false",
    "const",
    "global",
    "min",
    "max",
    "mod",
    "pow",
    "floor",
    "ceil",
)
_LINE = re.compile(r"\bline (\d+)\b")


def of_jani(
    text: str,
    secrets: Sequence[str] = (),
    outputs: Sequence[str] = (),
    until: str | None = None,
    steps: int | None = None,
) -> str:
    """Return the program of a chain, as :func:`seepage.imports.prism.of_prism` does; ``until`` is an expression of PRISM over the variables.

    The location of an automaton ``a`` is the variable ``at_a``, which counts its locations from 0.

    Raises:
        NotImported: what is not in the subset, with its automaton; a chain that has no end; or a variable that is not there.
    """
    model = _Jani()
    try:
        model.read(_part(_value_of(text), dict, "the file"))
        secrets, outputs = ([model.names.get(("", each), each) for each in many] for many in (secrets, outputs))
        return _of_lines(model, secrets, outputs, until, steps)
    except RecursionError:
        raise NotImported("expressions are nested too deeply") from None
    except NotImported as error:  # names may be any texts
        raise NotImported(printable(str(error))) from None


def _of_lines(
    model: _Jani, secrets: Sequence[str], outputs: Sequence[str], until: str | None, steps: int | None
) -> str:
    """Return the program of a model that is written; what is wrong stands in the text that people have, not in its lines."""
    try:
        return of_prism("\n".join(model.lines) + "\n", secrets, outputs, until, steps)
    except NotImported as error:
        raise NotImported(_LINE.sub(lambda found: model.places[int(found[1]) - 1], str(error))) from None


def _value_of(text: str) -> object:
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_float=Decimal, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise NotImported(f"line {error.lineno}: it is no JSON: {error.msg.lower()}") from None
    except ValueError as error:
        raise NotImported(f"it is no JSON: {error}") from None


def _no_number(word: str) -> object:
    raise ValueError(f"{word} is no number")


_KINDS: Mapping[type, str] = {dict: "an object", list: "a list", str: "a text"}


def _part(value: object, kind: type, place: str) -> Any:
    """Return a part of the model that is of the kind that it should be."""
    if not isinstance(value, kind):
        raise NotImported(f"{place}: expected {_KINDS[kind]}")
    return value


@dataclass(slots=True)
class _Jani:
    """Writes a model. Mutable: belongs to one reading."""

    lines: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # what each line is
    names: dict[tuple[str, str], str] = field(
        default_factory=dict
    )  # of variables and constants, of an automaton or of all (""), and of locations ("@")
    transient: set[tuple[str, str]] = field(default_factory=set)

    def read(self, model: Mapping[str, Any]) -> None:
        """Write all of it.

        Raises:
            NotImported: what is not in the subset.
        """
        if model.get("type") != "dtmc":
            raise NotImported(f"models of type '{str(model.get('type'))[:40]}' are not imported: only 'dtmc'")
        self._write("dtmc", "the model")
        self._refuse_initial(model, "the model")
        for each in self._many(model, "constants", "the model"):
            self._constant(each)
        for each in self._many(model, "variables", "the model"):
            self._variable(each, "")
        system = _part(model.get("system"), dict, "system")
        known = {
            _part(each.get("name"), str, "an automaton"): each for each in self._many(model, "automata", "the model")
        }
        running = [_part(each.get("automaton"), str, "system") for each in self._many(system, "elements", "system")]
        missing = next((each for each in running if each not in known), None)
        if missing is not None or len(set(running)) < len(running) or not running:
            raise NotImported("system: expected each element to be an automaton of the model, and another one")
        actions = list(self._actions(system, running, known))
        locations = [self._declare(known[each], each) for each in running]
        for number, (each, labels) in enumerate(zip(running, locations, strict=True)):
            self._write(f"module m{number}", f"automaton '{each}'")
            self._edges(known[each], each, labels, [(name, one[number]) for name, one in actions])
            self._write("endmodule", f"automaton '{each}'")

    def _write(self, line: str, place: str) -> None:
        self.lines.append(line)
        self.places.append(place)

    def _many(self, holder: Mapping[str, Any], key: str, place: str) -> list[dict[str, Any]]:
        return [_part(each, dict, f"{place}, {key}") for each in _part(holder.get(key, []), list, f"{place}, {key}")]

    def _refuse_initial(self, holder: Mapping[str, Any], place: str) -> None:
        """Refuse conditions on initial values: here each variable has one."""
        asked = holder.get("restrict-initial")
        if asked is not None and _part(asked, dict, place).get("exp") is not True:
            raise NotImported(f"{place}: 'restrict-initial' is not imported: give each variable an initial value")

    # --- declarations -------------------------------------------------------------------------------------------------

    def _named(self, scope: str, written: str, place: str) -> str:
        if (scope, written) in self.names:
            raise NotImported(f"{place}: '{written[:40]}' is declared twice")
        taken = [*self.names.values(), *_WORDS]
        self.names[scope, written] = plain_name(written if written not in taken else f"{scope}_{written}", taken)
        return self.names[scope, written]

    def _constant(self, constant: Mapping[str, Any]) -> None:
        written = _part(constant.get("name"), str, "a constant")
        place = f"constant '{written[:40]}'"
        kind = constant.get("type")
        value = f" = {self._expression(constant['value'], '', place)}" if "value" in constant else ""
        word = "bool" if kind == "bool" else "double" if kind == "real" else "int"
        self._write(f"const {word} {self._named('', written, place)}{value};", place)

    def _variable(self, variable: Mapping[str, Any], scope: str) -> None:
        written = _part(variable.get("name"), str, "a variable")
        place = f"variable '{written[:40]}'" + (f" of automaton '{scope[:40]}'" if scope else "")
        if variable.get("transient") is True:
            self.transient.add((scope, written))
            return
        kind = variable.get("type")
        if kind == "bool":
            values = "bool"
        elif (
            isinstance(kind, dict)
            and (kind.get("kind"), kind.get("base")) == ("bounded", "int")
            and {"lower-bound", "upper-bound"} <= kind.keys()
        ):
            low, high = (self._expression(kind[each], "", place) for each in ("lower-bound", "upper-bound"))
            values = f"[{low}..{high}]"
        else:
            raise NotImported(f"{place}: expected a Boolean, or a whole number with a lower and an upper bound")
        if "initial-value" not in variable:
            raise NotImported(f"{place}: it has no initial value")
        start = self._expression(variable["initial-value"], scope, place)
        self._write(f"global {self._named(scope, written, place)} : {values} init {start};", place)

    def _declare(self, automaton: Mapping[str, Any], name: str) -> Mapping[str, int]:
        """Write the variables of an automaton, and return its locations by their numbers."""
        place = f"automaton '{name[:40]}'"
        self._refuse_initial(automaton, place)
        for each in self._many(automaton, "variables", place):
            self._variable(each, name)
        labels = [_part(each.get("name"), str, place) for each in self._many(automaton, "locations", place)]
        starts = _part(automaton.get("initial-locations", []), list, place)
        if len(set(labels)) < len(labels) or len(starts) != 1 or starts[0] not in labels:
            raise NotImported(
                f"{place}: expected locations with names of their own, and one of them as the initial one"
            )
        if len(labels) > 1:
            at = self._named("@", f"at_{name}", place)
            self._write(f"global {at} : [0..{len(labels) - 1}] init {labels.index(starts[0])};", place)
        return {each: number for number, each in enumerate(labels)}

    # --- edges --------------------------------------------------------------------------------------------------------

    def _actions(
        self, system: Mapping[str, Any], running: Sequence[str], known: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[tuple[str, Sequence[str | None]]]:
        """Yield a name for each vector of synchronisation, and the action of each automaton in it.

        One in which an automaton never has its action never happens.
        """
        has = [{_action(each, name) for each in self._many(known[name], "edges", name)} for name in running]
        if "syncs" not in system and any(one - {None} for one in has):
            raise NotImported("system: there are edges with actions, and no 'syncs' that say how they happen")
        for number, sync in enumerate(self._many(system, "syncs", "system")):
            vector = _part(sync.get("synchronise"), list, "system, syncs")
            if len(vector) != len(running) or not all(each is None or isinstance(each, str) for each in vector):
                raise NotImported("system: expected an action, or null, for each element in 'synchronise'")
            if all(each is None or each in one for each, one in zip(vector, has, strict=True)):
                yield f"s{number}", vector

    def _edges(
        self,
        automaton: Mapping[str, Any],
        name: str,
        labels: Mapping[str, int],
        actions: Sequence[tuple[str, str | None]],
    ) -> None:
        for number, edge in enumerate(self._many(automaton, "edges", f"automaton '{name}'"), 1):
            place = f"automaton '{name[:40]}', edge {number}"
            if "rate" in edge:
                raise NotImported(f"{place}: rates are not imported")
            guard = (
                [f"{self.names['@', f'at_{name}']}={self._location(edge, labels, place)}"] if len(labels) > 1 else []
            )
            if "guard" in edge:
                guard.append(self._expression(_part(edge["guard"], dict, place).get("exp"), name, place))
            ends = self._many(edge, "destinations", place)
            if not ends:
                raise NotImported(f"{place}: it has no destination")
            told = " + ".join(self._destination(each, name, labels, place) for each in ends)
            action = _action(edge, name)
            for each in [""] if action is None else [one for one, part in actions if part == action]:
                self._write(f"[{each}] {' & '.join(guard) or 'true'} -> {told};", place)

    def _location(self, holder: Mapping[str, Any], labels: Mapping[str, int], place: str) -> int:
        found = _part(holder.get("location"), str, place)
        if found not in labels:
            raise NotImported(f"{place}: there is no location '{found[:40]}'")
        return labels[found]

    def _destination(self, end: Mapping[str, Any], name: str, labels: Mapping[str, int], place: str) -> str:
        chance = "1"
        if "probability" in end:
            chance = self._expression(_part(end["probability"], dict, place).get("exp"), name, place)
        updates: list[str] = []
        to = self._location(end, labels, place)
        if len(labels) > 1:
            updates.append(f"({self.names['@', f'at_{name}']}'={to})")
        for each in self._many(end, "assignments", place):
            target = _part(each.get("ref"), str, f"{place}: arrays are not imported")
            if each.get("index", 0) != 0:
                raise NotImported(f"{place}: assignments in an order ('index') are not imported")
            if not self.transient & {(name, target), ("", target)}:
                updates.append(
                    f"({self._meaning(target, name, place)}'={self._expression(each.get('value'), name, place)})"
                )
        return f"{chance} : {'&'.join(updates) or 'true'}"

    # --- expressions --------------------------------------------------------------------------------------------------

    def _meaning(self, written: str, scope: str, place: str) -> str:
        found = self.names.get((scope, written)) or self.names.get(("", written))
        if found is None:
            raise NotImported(f"{place}: there is no variable or constant '{written[:40]}'")
        return found

    def _expression(self, value: object, scope: str, place: str) -> str:
        """Return an expression as PRISM writes it."""
        match value:
            case bool():
                return "true" if value else "false"
            case int() | Decimal():
                return _number(value, place)
            case str():
                return self._meaning(value, scope, place)
            case {"op": "ite", "if": condition, "then": one, "else": other}:
                parts = [self._expression(each, scope, place) for each in (condition, one, other)]
                return f"({parts[0]} ? {parts[1]} : {parts[2]})"
            case {"op": str(operator), "exp": inner}:
                return self._unary(operator, self._expression(inner, scope, place), place)
            case {"op": str(operator), "left": left, "right": right}:
                one, other = (self._expression(each, scope, place) for each in (left, right))
                if operator in _SIGNS:
                    return f"({one} {_SIGNS[operator]} {other})"
                if operator in _CALLS:
                    return f"{_CALLS[operator]}({one}, {other})"
                if operator == "⇒":
                    return f"(!{one} | {other})"
        word = value.get("op") if isinstance(value, dict) else value
        raise NotImported(f"{place}: '{str(word)[:40]}' is not imported")

    def _unary(self, operator: str, inner: str, place: str) -> str:
        match operator:
            case "¬":
                return f"(!{inner})"
            case "floor" | "ceil":
                return f"{operator}({inner})"
            case "abs":
                return f"max({inner}, -{inner})"
            case _:
                raise NotImported(f"{place}: '{operator[:40]}' is not imported")


def _action(edge: Mapping[str, Any], name: str) -> str | None:
    """Return the action of an edge; None of one that happens by itself."""
    return None if edge.get("action") is None else str(_part(edge["action"], str, f"automaton '{name[:40]}', an edge"))


def _number(value: int | Decimal, place: str) -> str:
    """Return a number by its digits."""
    if isinstance(value, Decimal) and not -_LONGEST <= value.adjusted() <= _LONGEST:
        raise NotImported(f"{place}: a number has more than {_LONGEST} digits")
    exact = Fraction(value)
    return f"({exact.numerator}/{exact.denominator})" if exact.denominator != 1 else f"({exact.numerator})"
