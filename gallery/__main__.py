"""``python -m gallery FOLDER``: write the gallery, asking anew only where a program or the analysis has changed."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gallery.pages import headline, write_example, write_list
from gallery.recording import BUDGET, Kept, record
from seepage_play import gallery

_ROOT = Path(__file__).parents[1]
_EXTENSION = _ROOT / "vscode-extension"
_BUILT = _EXTENSION / "out" / "gallery"
_SERVERS = 2


def build(folder: Path, cache: Path, node: str, names: set[str] | None = None, seconds: float = BUDGET) -> None:
    """Write the pages of the gallery.

    Args:
        folder: for the pages.
        cache: where answers are kept from one time to the next.
        node: the command that runs Node.
        names: of the examples to write, all by default.
        seconds: for the questions of each example.
    """
    examples = [each for each in gallery.examples() if names is None or each.name in names]
    folder.mkdir(parents=True, exist_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    copy_parts(folder)
    version = _version()

    def kept(example: gallery.Example) -> Kept:
        return _remembered(gallery.FOLDER / example.name, cache, version, node, seconds)

    with ThreadPoolExecutor(_SERVERS) as pool:
        answers = list(pool.map(kept, examples))
    for at, (example, found) in enumerate(zip(examples, answers, strict=True)):
        text = (gallery.FOLDER / example.name).read_text(encoding="utf-8")
        write_example(folder, examples, at, text, found)
    write_list(folder, examples, {each.name: headline(found) for each, found in zip(examples, answers, strict=True)})


def copy_parts(folder: Path) -> None:
    """Copy what all pages share, which ``node build.mjs --gallery`` has built."""
    for path in (_BUILT / "gallery.js", _BUILT / "gallery.css", _EXTENSION / "images" / "icon.png"):
        shutil.copy(path, folder)


def _remembered(program: Path, cache: Path, version: str, node: str, seconds: float) -> Kept:
    """Return what is kept of a program, from the cache where neither it nor the analysis has changed; goes on where less time was spent than is given now."""
    stamp = hashlib.sha256(version.encode() + program.read_bytes()).hexdigest()
    file = cache / f"{program.stem}.json"
    before: Kept | None = None
    if file.exists():
        known: Kept = json.loads(file.read_text(encoding="utf-8"))
        before = known["kept"] if known["stamp"] == stamp else None
    if before is not None and (before["left"] == 0 or before["seconds"] >= seconds):
        return before
    kept = record(program, node, seconds, before)
    file.write_text(json.dumps({"stamp": stamp, "kept": kept}), encoding="utf-8")
    told = f"{len(kept['answers'])} answers, {kept['left']} left, {kept['seconds']:.0f} s"
    print(f"  {program.name}: {told}, {file.stat().st_size // 1000} kB", flush=True)
    return kept


def _version() -> str:
    """Return what changes whenever answers may: the sources of the analysis, and what is asked."""
    sources = sorted((_ROOT / "analysis").rglob("*.py")) + sorted((_ROOT / "server" / "seepage_lsp").rglob("*.py"))
    digest = hashlib.sha256()
    for path in [*sources, _BUILT / "missing.js"]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m gallery", description=__doc__)
    parser.add_argument("folder", type=Path, help="for the pages")
    parser.add_argument("--cache", type=Path, required=True, help="where answers are kept from one time to the next")
    parser.add_argument("--node", default="node", help="the command that runs Node")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of the examples to write, such as tally.seep")
    parser.add_argument(
        "--seconds", type=float, default=BUDGET, help="for the questions of each example (default: %(default)g)"
    )
    given = parser.parse_args()
    build(given.folder, given.cache, given.node, given.only and set(given.only), given.seconds)
