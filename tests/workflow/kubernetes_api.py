"""As much of the Kubernetes API as the executor uses: jobs are noted, and their container's command is run here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Cluster:
    """The jobs that were submitted, by name, and the exit status of each that has ended."""

    def __init__(self) -> None:
        self.jobs: dict[str, dict[str, Any]] = {}
        self.ended: dict[str, int] = {}

    def run(self, name: str, body: dict[str, Any]) -> None:
        """Run a job's command in an empty folder, with nothing of this process's environment.

        The image's `python` is this one, which has the plugins; its `pip` does nothing.
        """
        self.jobs[name] = body
        (container,) = body["spec"]["template"]["spec"]["containers"]

        def work() -> None:
            with tempfile.TemporaryDirectory() as home:
                folder, programs = Path(home, "workdir"), Path(home, "bin")
                folder.mkdir()
                programs.mkdir()
                (programs / "pip").symlink_to("/bin/true")
                search = os.pathsep.join(
                    [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
                )
                self.ended[name] = subprocess.run(
                    [*container["command"], *container["args"]],
                    cwd=folder,
                    env={"PATH": search, "HOME": home},
                    check=False,
                ).returncode

        threading.Thread(target=work).start()

    def status(self, name: str) -> dict[str, int]:
        """What the API says of a job."""
        if name not in self.ended:
            return {"active": 1}
        return {"succeeded": 1} if self.ended[name] == 0 else {"failed": 1}


@contextmanager
def serving(kubeconfig: Path) -> Iterator[Cluster]:
    """A cluster behind an HTTP server of this machine, which ``kubeconfig`` then names."""
    cluster = Cluster()

    class Api(BaseHTTPRequestHandler):
        def answer(self, content: dict[str, Any], status: int = 200) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.split("?")[0].endswith("/jobs"):
                cluster.run(body["metadata"]["name"], body)
            self.answer(body, 201)

        def do_GET(self) -> None:
            parts = self.path.split("?")[0].split("/")
            if parts[-1] == "status":
                self.answer({"metadata": {"name": parts[-2]}, "status": cluster.status(parts[-2])})
            else:
                self.answer({"items": []})

        def do_DELETE(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.answer({})

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = {"name": "here", "context": {"cluster": "here", "user": "me"}}
    address = {"name": "here", "cluster": {"server": f"http://127.0.0.1:{server.server_address[1]}"}}
    config = {"apiVersion": "v1", "kind": "Config", "current-context": "here", "contexts": [context]}
    kubeconfig.write_text(
        json.dumps({**config, "clusters": [address], "users": [{"name": "me", "user": {}}]})
    )
    try:
        yield cluster
    finally:
        server.shutdown()
        server.server_close()
