"""The examples in Emacs with eglot and with lsp-mode, set up as the documentation shows."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.editors import sessions
from tests.editors.emacs.probing import run_plan
from tests.editors.installed import REPOSITORY, emacs
from tests.editors.plans import USE_THE_EXAMPLES, WRITE_MANY_SCRIPTS, answers_by_name, without_lenses
from tests.editors.required import have
from tests.editors.terminal import shown

pytestmark = pytest.mark.timeout(900)
PLAN = [*USE_THE_EXAMPLES, *WRITE_MANY_SCRIPTS]
MODE = REPOSITORY / "editors" / "emacs" / "seep-mode.el"


@pytest.fixture(scope="module")
def eglot() -> dict[str, Any]:
    return answers_by_name(run_plan(have(emacs), "eglot", shown("emacs.md", "elisp", 0), without_lenses(PLAN)))


@pytest.fixture(scope="module")
def lsp_mode() -> dict[str, Any]:
    return answers_by_name(run_plan(have(emacs), "lsp-mode", shown("emacs.md", "elisp", 1), PLAN))


def test_eglot_shows_findings_that_follow_the_text(eglot: dict[str, Any]) -> None:
    sessions.saw_findings_follow_the_text(eglot)


def test_eglot_shows_the_numbers_in_hovers(eglot: dict[str, Any]) -> None:
    sessions.saw_hovers(eglot)
    sessions.saw_numbers_of_budgets_in_hovers(eglot)


def test_eglot_keeps_its_place_behind_emoji(eglot: dict[str, Any]) -> None:
    sessions.kept_its_place_behind_emoji(eglot)


@pytest.mark.variation(of="test_eglot_shows_findings_that_follow_the_text")
def test_lsp_mode_shows_findings_that_follow_the_text(lsp_mode: dict[str, Any]) -> None:
    sessions.saw_findings_follow_the_text(lsp_mode)


@pytest.mark.variation(of="test_eglot_shows_the_numbers_in_hovers")
def test_lsp_mode_shows_the_numbers_in_lenses_and_hovers(lsp_mode: dict[str, Any]) -> None:
    sessions.saw_lenses(lsp_mode)
    sessions.saw_hovers(lsp_mode)


@pytest.mark.variation(of="test_eglot_keeps_its_place_behind_emoji")
def test_lsp_mode_keeps_its_place_behind_emoji(lsp_mode: dict[str, Any]) -> None:
    sessions.kept_its_place_behind_emoji(lsp_mode)


def test_the_mode_compiles_without_warnings(tmp_path: Path) -> None:
    copy = tmp_path / MODE.name
    copy.write_bytes(MODE.read_bytes())
    strict = "(setq byte-compile-error-on-warn t)"

    done = subprocess.run(
        [have(emacs), "-Q", "--batch", "--eval", strict, "-f", "batch-byte-compile", copy],
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr


def test_the_mode_colours_comments_and_indents() -> None:
    program = """
    (with-temp-buffer
      (insert "if r { // 漢 }\\no := /* a /* b */ c */ flip(1/2)\\nif o { x := 1 }\\n}\\n")
      (seep-mode)
      (font-lock-ensure)
      (indent-region (point-min) (point-max))
      (let ((face (lambda (text) (goto-char (point-min)) (search-forward text) (get-text-property (match-beginning 0) 'face))))
        (princ (format "%S" (list (funcall face "if") (funcall face "漢") (funcall face "c */") (funcall face "flip") (funcall face "o :=")
                                  (progn (goto-char (point-min)) (re-search-forward "^    o := .*\\n    if o { x := 1 }\\n}\\n" nil t) t))))))
    """

    done = subprocess.run(
        [have(emacs), "-Q", "--batch", "-l", MODE, "--eval", program],
        capture_output=True, text=True, encoding="utf-8", env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip

    assert done.stdout == (
        "(font-lock-keyword-face font-lock-comment-face font-lock-comment-face font-lock-function-name-face nil t)"
    ), done.stderr
