"""All forms of a whole run by name; text is told file by file instead, as they are done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

from seepage.checking.judging import Judged, Policy
from seepage.data_classes import dataclass

TEXT = "text"
FORMS = (TEXT, "json", "sarif", "junit", "github", "gitlab", "markdown", "html")
_WITHOUT_OPTIONS: Mapping[str, str] = MappingProxyType(
    {form: f"{form}_of" for form in ("sarif", "github", "gitlab", "markdown", "html")}
)


@dataclass(frozen=True, slots=True)
class Form:
    """One of the forms, with what it depends on: whether a single file was asked for, and what fails."""

    name: str
    single: bool
    policy: Policy

    def of(self, files: Sequence[Judged]) -> str:
        """Return all of a run."""
        match self.name:
            case "json":
                from seepage.checking.formats.plain import json_of

                return json_of(files, single=self.single)
            case "junit":
                from seepage.checking.formats.junit import junit_of

                return junit_of(files, self.policy)
            case name:
                render: Callable[[Sequence[Judged]], str] = getattr(
                    import_module(f"seepage.checking.formats.{name}"), _WITHOUT_OPTIONS[name]
                )
                return render(files)
