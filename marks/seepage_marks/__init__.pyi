from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

_F = TypeVar("_F", bound=Callable[..., object])

def leakage(
    *,
    secret: Mapping[str, str] | None = None,
    fixed: Mapping[str, object] | None = None,
    param: Mapping[str, str] | None = None,
    output: Sequence[str] = (),
    show: Sequence[str] = (),
    require: Sequence[str] = (),
    raises: Literal["output", "observe"] = "output",
    assertions: Literal["output", "observe"] = "output",
) -> Callable[[_F], _F]: ...
