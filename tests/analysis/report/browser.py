"""A page in headless Chromium at some widths: what it says on the console, loads, and how wide it is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from dataclasses import dataclass
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: Shows the page in frames of the widths, and leaves what it measured as text before it is itself loaded.
_HARNESS = """<!DOCTYPE html><html><head><title>harness</title><link rel="icon" href="data:,"></head><body><script>
const widths = WIDTHS, found = {};
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:800px;border:0`;
  frame.onload = () => {
    const page = frame.contentDocument, images = [...page.images];
    found[width] = {
      content: page.documentElement.scrollWidth,
      visible: page.documentElement.clientWidth,
      images: images.map(image => [image.complete && image.naturalWidth, image.getBoundingClientRect().width]),
      scripts: page.scripts.length,
      requests: frame.contentWindow.performance.getEntriesByType("resource")
        .map(entry => entry.name).filter(name => !name.startsWith("data:")),
    };
    if (Object.keys(found).length == widths.length) {
      const result = document.createElement("pre");
      result.id = "result";
      result.textContent = JSON.stringify(found);
      document.body.replaceChildren(result);
    }
  };
  frame.src = "PAGE";
  document.body.append(frame);
}
</script></body></html>"""


@dataclass(frozen=True)
class Seen:
    """By width in pixels what the browser measured, its console's lines, and the paths it asked the server for."""

    measured: dict[str, dict[str, Any]]
    console: list[str]
    asked: set[str]


def find_browser() -> str | None:
    """Chromium's command: ``$CHROMIUM``, or the first one on the path."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def visit(browser: str, page: Path, widths: tuple[int, ...], profile: Path) -> Seen:
    """Serve the page's folder to the browser and measure."""
    asked: set[str] = set()

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.add(self.path)
            if self.path != "/harness":
                super().do_GET()
                return
            body = _HARNESS.replace("WIDTHS", json.dumps(widths)).replace("PAGE", f"/{page.name}").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(page.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = subprocess.run(
            [
                *(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
                *("--no-first-run", "--disable-extensions", "--disable-background-networking"),
                *("--enable-logging=stderr", f"--user-data-dir={profile}", "--window-size=1600,1000"),
                "--dump-dom",
                f"http://127.0.0.1:{server.server_address[1]}/harness",
            ],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        server.shutdown()
    found = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, f"the page did not load: {done.stdout[-500:]} {done.stderr[-2000:]}"
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return Seen(json.loads(unescape(found[1])), console, asked)
