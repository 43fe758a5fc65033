"""JUnit's XML: a suite for each program, a case for each ``require``, and one for the errors that belong to none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as Xml

from seepage.checking.baseline import OF_BUDGETS
from seepage.checking.file_report import ToldAnswer
from seepage.checking.formats.places import place_of
from seepage.checking.judging import Judged, Policy
from seepage.diagnostics import Diagnostic
from seepage.report.findings import diagnostic_text, printable

_COUNTED = ("tests", "failures", "errors", "skipped")


def junit_of(files: Sequence[Judged], policy: Policy) -> str:
    """Return the document; what cannot be told counts as a failure where the ``policy`` says so, and else as skipped."""
    root = Xml.Element("testsuites", name="seepage")
    for file in files:
        root.append(_suite(file, policy))
    for key in _COUNTED:
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _suite(file: Judged, policy: Policy) -> Xml.Element:
    place = printable(place_of(file.source.name))
    suite = Xml.Element("testsuite", name=place)
    suite.extend(_cases(file, place, policy))
    outcomes = [outcome.tag for case in suite for outcome in case]
    counts = (len(suite), outcomes.count("failure"), outcomes.count("error"), outcomes.count("skipped"))
    for key, count in zip(_COUNTED, counts, strict=True):
        suite.set(key, str(count))
    suite.set("time", f"{0.0 if file.report is None else file.report.seconds:.6f}")
    return suite


def _cases(file: Judged, place: str, policy: Policy) -> Iterator[Xml.Element]:
    if errors := [each for each in file.findings if each.is_error and each.rule.code not in OF_BUDGETS]:
        case = Xml.Element("testcase", name="errors", classname=place, file=place)
        first = errors[0]
        told = "\n\n".join(diagnostic_text(file.source, each) for each in errors)
        Xml.SubElement(case, "error", type=first.rule.code, message=printable(first.message)).text = told
        yield case
    for number, answer in enumerate(file.answers):
        if answer.role == "require":
            yield _case(file, answer, place, policy, accepted=number in file.accepted)


def _case(file: Judged, answer: ToldAnswer, place: str, policy: Policy, *, accepted: bool) -> Xml.Element:
    line, _ = file.source.position(answer.span.start)
    name = printable(" ".join(f"require {answer.text}".split()))
    case = Xml.Element("testcase", name=name, classname=place, file=place, line=str(line))
    told = "\n".join(map(printable, answer.lines))
    if answer.verdict != "holds":
        tag = "failure" if answer.verdict == "violated" or policy.undecided_fails else "skipped"
        finding = _finding_of(file, answer)
        message = printable(told.split("\n")[0] if finding is None else finding.message)
        if accepted:
            tag, message = "skipped", f"the baseline accepts it: {message}"
        outcome = Xml.SubElement(case, tag, message=message)
        if tag == "failure":
            outcome.set("type", answer.verdict or "no result")
            outcome.text = told
    Xml.SubElement(case, "system-out").text = told
    return case


def _finding_of(file: Judged, answer: ToldAnswer) -> Diagnostic | None:
    return next((each for each in file.findings if each.span == answer.span and each.rule.code == answer.code), None)
