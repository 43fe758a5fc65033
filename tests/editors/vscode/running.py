"""Runs code-server on a folder, with extensions installed in directories of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.editors.installed import REPOSITORY, VSCode

START_LIMIT = 180.0  # seconds; it takes two on an idle machine
USER_SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "files.exclude": {".venv": True},
    "search.followSymlinks": False,
    "editor.minimap.enabled": False,
    "chat.commandCenter.enabled": False,
}

DISTRUST = {
    "security.workspace.trust.enabled": True,
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
}


@dataclass(frozen=True, slots=True)
class Window:
    """A running code-server: the address of the window on ``folder``, and of those on others."""

    address: str
    folder: Path

    def on(self, folder: Path) -> str:
        """Return the address of the window on another folder."""
        return f"{self.address.partition('/?')[0]}/?folder={folder}"

    def on_workspace(self, file: Path) -> str:
        """Return the address of the window on a workspace that a ``.code-workspace`` file describes."""
        return f"{self.address.partition('/?')[0]}/?workspace={file}"


def workspace(folder: Path) -> Path:
    """Fill ``folder`` with the examples and the environment of this checkout, as a user's project has them."""
    folder.mkdir(parents=True, exist_ok=True)
    for example in (REPOSITORY / "examples").glob("*.seep"):
        shutil.copy(example, folder)
    shutil.copytree(REPOSITORY / "examples" / "data", folder / "data", dirs_exist_ok=True)
    (folder / ".venv").symlink_to(REPOSITORY / ".venv")
    return folder


@contextlib.contextmanager
def code_server(
    parts: VSCode,
    folder: Path,
    data: Path,
    extensions: tuple[Path, ...],
    environment: dict[str, str] | None = None,
    settings: dict[str, object] | None = None,
    port: int | None = None,
    trusting: bool = True,
) -> Iterator[Window]:
    """Run code-server with the ``.vsix`` files ``extensions``, its data under ``data``, until the context ends.

    ``environment`` adds to and replaces variables, PATH too. Where it is not ``trusting``, folders are opened in restricted mode.
    """
    port = port or _free_port()
    path = f"{parts.node.parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, **(environment or {})}
    for variable in ("VSCODE_IPC_HOOK_CLI", "PORT", "PASSWORD"):
        env.pop(variable, None)
    # A window in a browser is a remote one: paths on the machine are read from its settings, the rest from the user's.
    trust = {} if trusting else DISTRUST
    for place, values in (("User", {**USER_SETTINGS, **trust, **(settings or {})}), ("Machine", settings or {})):
        (data / "user" / place).mkdir(parents=True, exist_ok=True)
        (data / "user" / place / "settings.json").write_text(json.dumps(values), encoding="utf-8")
    base = [
        str(parts.code_server),
        "--config",
        str(data / "config.yaml"),
        "--user-data-dir",
        str(data / "user"),
        "--extensions-dir",
        str(data / "extensions"),
    ]
    (data / "config.yaml").write_text("auth: none\n", encoding="utf-8")
    for extension in extensions:
        subprocess.run(
            [*base, "--force", "--install-extension", str(extension)], env=env, check=True, capture_output=True
        )
    options = [
        "--auth",
        "none",
        "--bind-addr",
        f"127.0.0.1:{port}",
        "--disable-telemetry",
        "--disable-update-check",
        *(["--disable-workspace-trust"] if trusting else []),
    ]
    with (data / "code-server.log").open("w") as log:
        process = subprocess.Popen(
            [*base, *options, str(folder)], env=env, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_until_healthy(port, process)
            yield Window(f"http://127.0.0.1:{port}/?folder={folder}", folder)
        finally:
            _end(process)


def path_without_python(parts: VSCode, folder: Path) -> str:
    """Return a PATH with all programs of the system but Python, for a machine that has none; made of links in ``folder``."""
    folder.mkdir()
    for directory in ("/usr/bin", "/bin"):
        for program in Path(directory).iterdir():
            link = folder / program.name
            if not program.name.startswith(("python", "pypy", "seepage")) and not link.is_symlink():
                link.symlink_to(program)
    return f"{parts.node.parent}{os.pathsep}{folder}"


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 15)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"code-server ended with {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"code-server did not answer within {START_LIMIT:.0f} s")
