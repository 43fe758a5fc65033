"""Each form is opened by what reads it: a validator of SARIF, parsers of XML, HTML and Markdown, a reader of workflow commands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as Xml

import pytest
from markdown_it import MarkdownIt
from tests.checking.sarif_shape import faults
from tests.checking.trees import HOLDS, LEAKY, UNDECIDED, VIOLATED, run, tree

from seepage.checking.cache import VARIABLE
from seepage.checking.fingerprints import fingerprints
from seepage.program import parse
from seepage.rules import RULES
from seepage.source import SourceFile

# A slip with a fix, a finding with a related place, and text that is hostile to every form.
FIXABLE = "secret s\noutput o\ns = flip(1/2)\no := s\n"
HOSTILE = "// <script>alert(1)</script> `x` [a](http://b) ::error::no %0A ]]> &amp; \x1b[31m 🙂\n"
BROKEN = f"{LEAKY}x := 1\nx := '<b>&\"'\n"
FILES = {
    "a.seep": HOLDS,
    "deep/b c.seep": f"{HOSTILE}{VIOLATED}",
    "c.seep": UNDECIDED,
    "d.seep": FIXABLE,
    "e<&>.seep": BROKEN,
    "f.seep": "",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree(tmp_path_factory.mktemp("forms"), FILES)


@pytest.fixture
def render(made: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.setenv(VARIABLE, str(tmp_path_factory.getbasetemp() / "cache-of-forms"))

    def rendered(form: str, *options: str) -> str:
        done = run("check", ".", "--format", form, *options, inside=made)
        assert done.exit_code == 1
        assert done.stderr == ""
        return done.stdout

    return rendered


def found(render: Callable[..., str]) -> list[dict[str, Any]]:
    """Return what the JSON says, the form that the others are compared with."""
    reports: list[dict[str, Any]] = json.loads(render("json"))
    return reports


def told(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the findings that people are told: hints are for editors."""
    if "error" in report:
        return [{**report["error"], "severity": "error"}]
    return [each for each in report["diagnostics"] if each["severity"] != "hint"]


# --- SARIF ------------------------------------------------------------------------------------------------------------


def test_sarif_has_its_shape_and_all_findings(render: Callable[..., str]) -> None:
    log = json.loads(render("sarif"))
    (run_,) = log["runs"]
    expected = [
        (report["file"], each["code"], each["line"], each["column"])
        for report in found(render)
        for each in told(report)
    ]

    assert list(faults(log)) == []
    assert [
        (
            unquote(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]),
            result["ruleId"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
            result["locations"][0]["physicalLocation"]["region"]["startColumn"],
        )
        for result in run_["results"]
    ] == expected
    assert run_["invocations"] == [{"executionSuccessful": False}]  # of the empty file


def test_sarif_describes_the_rules_that_it_uses(render: Callable[..., str]) -> None:
    (run_,) = json.loads(render("sarif"))["runs"]
    rules = run_["tool"]["driver"]["rules"]

    for result in run_["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert all(rule["help"]["markdown"] == RULES[rule["id"]].explanation for rule in rules)
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9]*", rule["name"]) for rule in rules)


def test_a_fix_of_sarif_can_be_applied(render: Callable[..., str]) -> None:
    (run_,) = json.loads(render("sarif"))["runs"]
    (fix,) = next(each["fixes"] for each in run_["results"] if "fixes" in each and "d.seep" in json.dumps(each))
    lines = FIXABLE.split("\n")
    for change in fix["artifactChanges"]:
        for one in reversed(change["replacements"]):
            region = one["deletedRegion"]
            assert region["startLine"] == region["endLine"]
            line = lines[region["startLine"] - 1]
            new = line[: region["startColumn"] - 1] + one["insertedContent"]["text"] + line[region["endColumn"] - 1 :]
            lines[region["startLine"] - 1] = new

    assert not [each for each in parse("\n".join(lines)).diagnostics if each.is_error]


def test_sarif_names_related_places(render: Callable[..., str]) -> None:
    (run_,) = json.loads(render("sarif"))["runs"]
    related = [each for result in run_["results"] for each in result.get("relatedLocations", ())]

    assert {each["message"]["text"] for each in related} >= {"'x' became continuous here", "'y' became continuous here"}


def test_fingerprints_stay_when_lines_move_and_differ_within_a_file() -> None:
    text = "x := 1 / 0\ny := q\nz := q\nz := q\n"
    moved = f"// more\n\n{text.replace(' := ', '  :=  ')}"

    def prints(one: str) -> list[str]:
        program = parse(one)
        return fingerprints(SourceFile("a.seep", one), program.diagnostics)

    assert prints(text) == prints(moved)
    assert len(set(prints(text))) == len(prints(text)) > 2


# --- JUnit ------------------------------------------------------------------------------------------------------------


def test_junit_has_a_case_for_each_require(render: Callable[..., str]) -> None:
    root = Xml.fromstring(render("junit"))
    requires = [
        (report["file"], f"require {answer['text']}", answer["verdict"])
        for report in found(render)
        for answer in report.get("answers", ())
        if answer["role"] == "require"
    ]
    cases = [case for case in root.iter("testcase") if case.get("name") != "errors"]

    assert [(case.get("classname"), case.get("name")) for case in cases] == [each[:2] for each in requires]
    outcomes = [("violated" if (bad := case.find("failure")) is not None else "holds", bad) for case in cases]
    assert [bad is None for _, bad in outcomes] == [verdict == "holds" for *_, verdict in requires]
    assert {bad.get("type") for _, bad in outcomes if bad is not None} == {"violated", "cannot tell"}


def test_junit_counts_what_is_in_it(render: Callable[..., str]) -> None:
    root = Xml.fromstring(render("junit"))

    for element in (root, *root.iter("testsuite")):
        inside = list(element.iter("testcase"))
        assert int(element.get("tests", "")) == len(inside)
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(element.get(key, "")) == sum(case.find(tag) is not None for case in inside)
    assert [suite.get("name") for suite in root] == [report["file"] for report in found(render)]


def test_junit_has_errors_of_a_program_as_a_case(render: Callable[..., str]) -> None:
    root = Xml.fromstring(render("junit"))
    errors = {
        case.get("classname"): case.find("error") for case in root.iter("testcase") if case.get("name") == "errors"
    }

    assert set(errors) == {"d.seep", "e<&>.seep", "f.seep"}
    empty = errors["f.seep"]
    assert empty is not None
    assert (empty.get("type"), empty.get("message")) == ("SEEP007", "the file is empty, expected a Seep program")


def test_what_only_warns_is_skipped_in_junit(render: Callable[..., str]) -> None:
    root = Xml.fromstring(render("junit", "--undecided", "warn"))

    (skipped,) = root.iter("skipped")
    assert (skipped.get("message") or "").startswith("cannot tell whether I(x; z)")


# --- annotations ------------------------------------------------------------------------------------------------------


def unescaped(text: str) -> str:
    return unquote(text)


def test_annotations_of_github_say_what_is_told_at_its_place(render: Callable[..., str]) -> None:
    lines = render("github").splitlines()
    matches = [re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line) for line in lines]
    expected = [
        (report["file"], each["severity"], str(each["line"]), each["code"], each["message"])
        for report in found(render)
        for each in told(report)
    ]
    read = []
    for match in matches:
        assert match is not None
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        level = {"notice": "information"}.get(match[1], match[1])
        message = unescaped(match[3]).split("\n")[0]
        read.append((unescaped(properties["file"]), level, properties["line"], properties["title"], message))

    assert read == expected


def test_code_quality_of_gitlab_has_what_it_requires(render: Callable[..., str]) -> None:
    issues = json.loads(render("gitlab"))
    expected = [(report["file"], each["line"]) for report in found(render) for each in told(report)]

    assert [(each["location"]["path"], each["location"]["lines"]["begin"]) for each in issues] == expected
    assert len({each["fingerprint"] for each in issues}) == len(issues)
    for each in issues:
        assert each["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert each["description"]
        assert each["check_name"] in {rule.name for rule in RULES.values()}


# --- pages ------------------------------------------------------------------------------------------------------------

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """A page, with what it loads, its tags, and whether each that is opened is closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.targets += [value or "" for key, value in attrs if key in ("href", "src", "srcset", "action")]
        self.ids += [value or "" for key, value in attrs if key == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_whole_and_loads_nothing(render: Callable[..., str]) -> None:
    text = render("html")
    page = Page()
    page.feed(text)
    page.close()

    assert page.open == []
    assert not {"script", "link", "img", "iframe", "base", "form"} & set(page.tags)
    assert {target.removeprefix("#") for target in page.targets} <= set(page.ids)
    assert "url(" not in text
    assert "@import" not in text
    shown = "".join(page.words)
    assert all(each["message"] in shown for report in found(render) for each in told(report))
    assert "0.188722 bits · exact" in shown


def test_a_comment_in_markdown_tells_all_and_runs_nothing(render: Callable[..., str]) -> None:
    text = render("markdown")
    html = MarkdownIt("commonmark").enable("table").render(text)
    page = Page()
    page.feed(html)

    assert page.targets == []
    assert set(page.tags) <= {"h2", "h3", "ul", "li", "strong", "code", "p", "em", "table", "thead", "tbody", "tr", "th", "td", "details", "summary"}  # fmt: skip
    shown = " ".join("".join(page.words).split())
    for report in found(render):
        assert report["file"] in shown
        assert all(each["message"].replace("@", "@\u2060") in shown for each in told(report))
    assert text.startswith("## ❌ Seepage: 6 programs, 1 passes")


@pytest.mark.parametrize("form", ["text", "sarif", "junit", "github", "gitlab", "markdown", "html", "json"])
def test_no_form_holds_what_could_command_a_terminal(render: Callable[..., str], form: str, made: Path) -> None:
    text = run("check", ".", "--format", form, inside=made).stdout

    assert all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.parametrize("form", ["sarif", "junit", "github", "gitlab", "markdown", "html"])
def test_a_form_of_nothing_wrong_is_well_formed(form: str, tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": "x := 1\n"})

    done = run("check", "a.seep", "--format", form, inside=tmp_path)

    assert done.exit_code == 0
    if form in ("sarif", "gitlab"):
        json.loads(done.stdout)
    if form == "junit":
        assert Xml.fromstring(done.stdout).get("tests") == "0"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda log: log.pop("runs"), "log: no 'runs'"),
        (lambda log: log.update(version="2.0.0"), "log.version"),
        (lambda log: log["runs"][0].update(colour="red"), "log.runs[0]: no property 'colour'"),
        (lambda log: log["runs"][0]["results"][0].update(level="loud"), "log.runs[0].results[0].level"),
        (lambda log: log["runs"][0]["results"][0].pop("message"), "log.runs[0].results[0]: no 'message'"),
        (lambda log: log["runs"][0]["results"][0].update(ruleIndex=-2), "log.runs[0].results[0].ruleIndex"),
    ],
)
def test_the_schema_finds_what_is_wrong(tmp_path: Path, change: Callable[[Any], object], place: str) -> None:
    tree(tmp_path, {"a.seep": VIOLATED})
    log = json.loads(run("check", "a.seep", "--format", "sarif", inside=tmp_path).stdout)
    change(log)
    assert any(each.startswith(place) for each in faults(log))
