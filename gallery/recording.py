"""Asks a language server what the panel may ask of a program, and keeps the answers."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, TypeAlias

from seepage_lsp.notebook.kernel import Kernel

Kept: TypeAlias = dict[str, Any]
"""What a page has: ``results`` as the panel gets them, ``answers`` by question, how many questions are ``left`` after the ``seconds``
that were spent, and the measures that were asked ``atTextAlone``."""

BUDGET = 120.0  # seconds for the questions of one program
_MISSING = Path(__file__).parents[1] / "vscode-extension" / "out" / "gallery" / "missing.js"
_LIMIT = 240  # seconds for the analysis of a program
_PATIENCE = 300.0  # until its end is told
_LONGEST = 400_000  # characters of one answer: a page is read over a network
_TOO_LONG = {"code": -32803, "message": "too long for this page: `seepage explain` prints it"}
_TOO_LATE = {"code": -32803, "message": "this page had no time for it; `seepage play` computes it"}
_SHARE = 0.25  # of the time for a program that one question may take
_UNFINISHED = ("computing", "none")


class _Session:
    """A language server with one program open."""

    def __init__(self, program: Path) -> None:
        self._told = threading.Event()
        self._kernel = Kernel(self._hear)
        self._uri = program.resolve().as_uri()
        # Nobody waits at an editor: a busy machine may take longer than there.
        self._kernel.open(self._uri, program.read_text(encoding="utf-8"), timeLimit=_LIMIT)

    def __enter__(self) -> _Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._kernel.close()

    def _hear(self, method: str, params: object) -> None:
        if method == "seepage/resultsChanged":
            self._told.set()

    def results(self) -> Kept:
        """Return the results of the program once they are all there."""
        while True:
            if not self._told.wait(_PATIENCE):
                raise TimeoutError(f"no results of {self._uri}")
            self._told.clear()
            answer = self.ask("seepage/results", {})
            results: Kept = answer["answer"]
            if results["state"] not in _UNFINISHED:
                return results

    def ask(self, method: str, params: dict[str, Any], seconds: float = _PATIENCE) -> Kept:
        """Return the answer to a question, or the error.

        Raises:
            TimeoutError: if there is none in so many seconds.
        """
        answered: list[dict[str, Any]] = []
        done = threading.Event()

        def take(message: dict[str, Any]) -> None:
            answered.append(message)
            done.set()

        number = self._kernel.request(method, {**params, "textDocument": {"uri": self._uri}}, take)
        if not done.wait(seconds):
            self._kernel.notify("$/cancelRequest", {"id": number})
            raise TimeoutError(f"no answer to {method} of {self._uri}")
        message = answered[0]
        return {"error": message["error"]} if "error" in message else {"answer": message["result"]}


def record(program: Path, node: str, seconds: float = BUDGET, known: Kept | None = None) -> Kept:
    """Return what a page of a program needs, as far as it is known when the time is over.

    Args:
        program: a file of Seep.
        node: the command that runs Node.
        seconds: for the questions, those of before among them.
        known: what was found before, of the same program by the same analysis.

    Raises:
        TimeoutError: if the server has no results.
        subprocess.CalledProcessError: if the questions cannot be told.
    """
    with _Session(program) as session:
        results = session.results()
        # Nobody is told where this machine keeps its files.
        begun: Kept = {"results": {**results, "uri": f"seep:{program.name}"}, "answers": {}}
        begun |= {"left": 0, "seconds": 0.0, "atTextAlone": []}
        kept = begun if known is None else _without_late(known)
        end = time.monotonic() + seconds - kept["seconds"]
        while (questions := _missing(kept, node)) and time.monotonic() < end:
            for question in questions:
                if (left := end - time.monotonic()) <= 0:
                    break
                _answer(session, question, kept, min(left, _SHARE * seconds))
        kept["left"] = len(questions) + sum("late" in each for each in kept["answers"].values())
        kept["seconds"] = seconds - max(0.0, end - time.monotonic())
    return kept


def _without_late(kept: Kept) -> Kept:
    """Return what is kept without what there was no time for."""
    answers = {key: each for key, each in kept["answers"].items() if "late" not in each}
    return {**kept, "answers": answers}


def _answer(session: _Session, question: dict[str, Any], kept: Kept, seconds: float) -> None:
    """Ask one question and keep its answer, or that there was no time for it."""
    try:
        found = session.ask(question["method"], question["params"], seconds)
    except TimeoutError:
        found = {"error": _TOO_LATE, "late": True}
    if len(json.dumps(found)) > _LONGEST:
        found = {"error": _TOO_LONG}
    kept["answers"][question["key"]] = _shortened(found, question, kept["answers"])


def _missing(kept: Kept, node: str) -> list[dict[str, Any]]:
    """Return the questions without answers, and note what is not asked; there are new ones once it is known at which values sliders stop."""
    told = subprocess.run([node, str(_MISSING)], input=json.dumps(kept), capture_output=True, text=True, check=True)
    found: Kept = json.loads(told.stdout)
    kept["atTextAlone"] = found["atTextAlone"]
    questions: list[dict[str, Any]] = found["asked"]
    return questions


def _shortened(found: Kept, question: dict[str, Any], answers: Kept) -> Kept:
    """Return an answer as what it differs in from that at the values of the text: formulas and their like are long, and stay."""
    base = answers.get(question["base"], {}).get("answer")
    if question["key"] == question["base"] or "answer" not in found or base is None or "result" not in base:
        return found
    new, old = found["answer"]["result"], base["result"]
    differs = {name: value for name, value in new.items() if name != "seconds" and value != old[name]}
    return {"base": question["base"], "differs": differs}
