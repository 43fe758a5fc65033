"""Draws from continuous families, by the name and the values of the parameters."""

from __future__ import annotations

from collections.abc import Mapping

from seepage import exact
from seepage.engines.pivot.forms import Beyond, Polynomial, Value, plus, times
from seepage.engines.pivot.laws import Law
from seepage.engines.pivot.laws import Name as LawName
from seepage.engines.pivot.path import Path
from seepage.exact import Number


def drawn_from(path: Path, family: str, values: Mapping[str, Value]) -> tuple[Path, Value]:
    """Return a path with a draw from a continuous family, and the draw: a location plus a scale times a new source.

    Raises:
        Beyond: for another family, or a scale or shape that is continuous or not positive.
    """
    match family:
        case "normal":
            variance = times(values["std"], values["std"]) if "std" in values else values["variance"]
            return _located(path, values["mean"], 1, "normal", variance)
        case "laplace":
            return _located(path, values["mean"], 1, "laplace", values["scale"])
        case "uniform":
            low, width = values["a"], plus(values["b"], times(-1, values["a"]))
            return (path, low) if width == 0 else _located(path, low, _positive(width), "uniform")
        case "exponential":
            return _located(path, 0, exact.div(1, _positive(values["rate"])), "exponential")
        case "gamma":
            shape, rate = _positive(values["shape"]), _positive(values["rate"])
            if shape == 1:
                return _located(path, 0, exact.div(1, rate), "exponential")
            return _located(path, 0, exact.div(1, rate), "gamma", shape)
        case "beta":
            a, b = _positive(values["a"]), _positive(values["b"])
            return _located(path, 0, 1, "uniform") if a == b == 1 else _located(path, 0, 1, "beta", a, b)
        case "lognormal":
            centre = _number(values["m"])
            if values["v"] == 0:
                return path, exact.exp_(centre)
            return _located(path, 0, exact.exp_(centre), "lognormal", values["v"])
        case "student_t":
            return _located(path, values["mean"], _positive(values["scale"]), "student_t", values["df"])
        case "triangular":
            low, mode, high = (values[name] for name in ("a", "m", "b"))
            if low == high:
                return path, low
            width = _positive(plus(high, times(-1, low)))
            place = _number(times(plus(mode, times(-1, low)), exact.div(1, width)))
            if place in (0, 1):
                return _located(path, low, width, "beta", exact.add(1, place), exact.sub(2, place))
            if exact.compare(place, 0) < 0 or exact.compare(place, 1) > 0:
                raise Beyond("a triangle with its mode outside")
            return _located(path, low, width, "triangular", place)
        case _:
            raise Beyond(f"the law '{family}'")


def _located(path: Path, location: Value, scale: Number, name: LawName, *parameters: Value) -> tuple[Path, Value]:
    if name in ("normal", "laplace") and parameters == (0,):
        return path, location
    after, drawn = path.drawn(Law(name, tuple(_positive(parameter) for parameter in parameters)))
    return after, plus(location, times(scale, drawn))


def _positive(value: Value) -> Number:
    if isinstance(value, Polynomial) or exact.sign(value) <= 0:
        raise Beyond("a parameter that is continuous or not positive")
    return value


def _number(value: Value) -> Number:
    if isinstance(value, Polynomial):
        raise Beyond("a parameter that is continuous")
    return value
