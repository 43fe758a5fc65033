"""From a marked function to a program: :func:`translate`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.python import (
    calls,
    comprehensions,
    definitions,
    expressions,
    following,
    library,
    marked_arguments,
    own_methods,
    printing,
    statements,
)
from seepage.python.marks import Mark
from seepage.python.mechanisms import MECHANISMS, Mechanisms
from seepage.python.module import Module
from seepage.python.occurrences import Occurrence, occurrences
from seepage.python.outputs import Seen, write_output
from seepage.python.places import Places
from seepage.python.questions import Wrong, translated
from seepage.python.run import Hooks, Run
from seepage.python.terms import constant
from seepage.python.values import (
    INT,
    Function,
    Object,
    Value,
)
from seepage.python.world import Branch, Code, Line, Loop, World
from seepage.python.writer import TooMuch
from seepage.source import SourceFile, Span

_COUNTED = re.compile(r"steps|slept|calls\([^\W\d]\w*\)")


_HOOKS = Hooks(
    evaluate=expressions.evaluate,
    block=statements.block,
    define=definitions.define,
    define_class=definitions.define_class,
    inline=calls.inline,
    body=calls.body,
    apply=calls.apply,
    call_library=library.call,
    elements=comprehensions.elements,
    truth=own_methods.truth_on_top,
)


@dataclass(frozen=True, slots=True)
class Translation:
    """A function as a program.

    Attributes:
        source: the file.
        function: its name.
        text: the program; empty if something is wrong.
        places: for each line of the program the place of the Python code that it comes from.
        seen: secrets and outputs by the names that people write.
        run: names and codes.
        findings: what is wrong, or told.
        occurrences: the places of names that the mark is about.
    """

    source: SourceFile
    function: str
    text: str
    places: tuple[Span, ...]
    seen: Mapping[str, Seen]
    run: Run
    findings: tuple[Diagnostic, ...]
    occurrences: tuple[Occurrence, ...] = ()

    def measure(self, text: str) -> str:
        """Return a measure of the program; raises :class:`seepage.python.questions.Wrong`."""
        return translated(text, self.seen, self.run.codes)


def translate(
    source: SourceFile, module: Module, name: str, node: ast.FunctionDef, mark: Mark, mechanisms: Mechanisms = ()
) -> Translation:
    """Return a function as a program; ``mechanisms`` are rows of the project file. Never raises; what is not analysed is a finding, and then there is no program."""
    places = Places(source.text)
    run = Run(
        places,
        module=module,
        hooks=_HOOKS,
        counted=frozenset(one for one in mark.output if _COUNTED.fullmatch(one)),
        observed=mark.observed,
    )
    run.mechanisms = {**MECHANISMS, **dict(mechanisms)}
    run.kept = frozenset(one for one in mark.output if one not in ("result", "printed") and one not in run.counted)
    work = marked_arguments.Work(run, mark, node, places.span(node))
    for place, message in module.faults:
        run.refuse(place, message)
    top = name.partition(".")[0]
    match module.bound.get(top):
        case [ast.FunctionDef() as only] if only is node:
            pass
        case [ast.ClassDef()] if top != name:
            pass
        case _:
            run.refuse(work.head, module.why_unknown(top))
    root = World([])
    try:
        _follow(work, root, name)
    except TooMuch as error:
        run.refuse(work.head, f"'{name}' {error}")
    except RecursionError:
        run.refuse(work.head, f"'{name}' is nested too deep to be followed")
    if run.stale_reads:
        read = ", ".join(sorted({f"'{variable_}'" for _, variable_ in run.stale_reads}))
        run.refuse(work.head, f"what {read} is after a loop that ends by chance is not known; bind it before the loop")
    findings = tuple(sorted(run.found, key=lambda one: (one.span, one.message)))
    named = occurrences(source, node, mark, places)
    if any(one.is_error for one in findings):
        return Translation(source, name, "", (), work.seen, run, findings, named)
    lines = [*work.declarations, *_lines(root.code, 0)]
    text = "".join(f"{line}\n" for line, _ in lines)
    return Translation(source, name, text, tuple(place for _, place in lines), work.seen, run, findings, named)


def _lines(code: Code, depth: int) -> Iterator[tuple[str, Span]]:
    blank = "    " * depth
    for item in code:
        if isinstance(item, Line):
            yield blank + item.text, item.place
            continue
        if isinstance(item, Loop):
            yield f"{blank}while {item.condition} {{", item.place
            yield from _lines(item.body, depth + 1)
            yield f"{blank}}}", item.place
            continue
        yield from _branch_lines(item, depth)


def _branch_lines(branch: Branch, depth: int) -> Iterator[tuple[str, Span]]:
    blank = "    " * depth
    lead = ""
    for condition, code in branch.arms:
        if condition is None and not code:
            continue
        yield f"{blank}{lead}{'if ' + condition + ' ' if condition is not None else ''}{{", branch.place
        yield from _lines(code, depth + 1)
        lead = "} else "
    yield f"{blank}}}", branch.place


# --- what the function starts with ------------------------------------------------------------------------------------


def _follow(work: marked_arguments.Work, root: World, name: str) -> None:
    run, mark = work.run, work.mark
    run.frames.append(0)
    root.frames[0] = {}
    if "printed" in mark.output:
        root.frames[0]["printed "] = run.allocate(root, Object("list", ()))
    for what in sorted(run.counted):
        root.counts[what] = constant(0, INT, 0)
    run.at = work.head
    function = run.hooks.define(run, work.node, 0, root)
    given = marked_arguments.arguments(work, root, name, function)
    if given is None or not isinstance(function, Function):
        return
    ends = following.inline(run, work.node, function, given, root)
    _finish(work, root, ends)


# --- what it ends with ------------------------------------------------------------------------------------------------


def _finish(work: marked_arguments.Work, root: World, ends: list[World]) -> None:
    run, mark = work.run, work.mark
    results: list[tuple[World, Value]] = [(one, one.pop()) for one in ends]
    for one in run.abrupt:
        if not one.outcome.startswith("raise "):
            continue
        name = one.outcome.removeprefix("raise ")
        if "raises" in mark.observed:
            run.write(one, "observe false")
            continue
        results.append((one, constant(run.codes.code("raise", name), frozenset({"raise"}))))
    is_followed = not any(one.is_error for one in run.found)
    if "printed" in mark.output and is_followed:
        results = printing.as_text(run, work.node, results)
    if not results:
        if is_followed:
            run.refuse(work.head, "no run of this function comes to an end")
        return
    if not ends and is_followed:
        raised = ", ".join(dict.fromkeys(one.outcome.removeprefix("raise ") for one, _ in results))
        run.tell(rules.PYTHON_ALWAYS_RAISES, work.head, f"every run of this function ends in {raised}")
    for output in mark.output:
        seen = _output(work, output, results)
        if seen is None:
            if not any(one.is_error for one in run.found):
                run.refuse(work.head, f"the output '{output}' is not analysed")
            continue
        key = re.sub(r"calls\((\w+)\)", r"calls_\1", output)
        if key in work.seen:
            work.wrong(mark.place_of("output"), f"'{output}' is the name of an argument, too")
        work.seen[key] = seen
        names = [
            *([seen.case] if seen.case is not None else []),
            *([seen.whole] if seen.whole is not None else seen.cells.values()),
        ]
        work.declarations.append((f"output {', '.join(names)}", mark.place_of("output")))
    for key, texts in (("show", mark.show), ("require", mark.require)):
        for number, text in enumerate(texts):
            place = mark.place_of(f"{key}.{number}")
            try:
                work.declarations.append((f"{key} {translated(text, work.seen, run.codes)}", place))
            except Wrong as error:
                work.wrong(place, error.message)


def _output(work: marked_arguments.Work, output: str, results: list[tuple[World, Value]]) -> Seen | None:
    run = work.run
    if output == "result":
        return write_output(run, "result", results)
    if output == "printed":
        return write_output(run, "printed", [(one, one.frames[0]["printed "]) for one, _ in results])
    if output in run.counted:
        return write_output(
            run, re.sub(r"\W", "_", output).strip("_"), [(one, one.counts[output]) for one, _ in results]
        )
    values: list[tuple[World, Value]] = []
    for one, _ in results:
        value = one.frames[0].get(f"local {output}")
        if value is None:
            work.wrong(
                work.mark.place_of("output"),
                f"'{output}' is no output: 'result', 'printed', 'steps', 'slept', 'calls(f)', or a variable that every run has",
            )
            return None
        values.append((one, value))
    return write_output(run, output, values)
