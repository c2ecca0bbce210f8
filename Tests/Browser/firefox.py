"""Firefox, driven by WebDriver BiDi: https://w3c.github.io/webdriver-bidi/"""

import json
import re
import shutil
import subprocess
import tempfile

from websockets.sync.client import connect


class Firefox:
    """A headless Firefox with one page."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="firefox-")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--remote-debugging-port=0", "--profile", self.profile, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self._environment())
        address = next(
            match[1] for line in self.process.stderr if (match := re.search(r"BiDi listening on (ws://\S+)", line)))
        self.socket = connect(f"{address}/session", max_size=None)
        self.count = 0
        self._command("session.new", capabilities={})
        self.page = self._command("browsingContext.getTree")["contexts"][0]["context"]

    def _environment(self):
        import os
        return {**os.environ, "HOME": self.profile, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "800"}

    def _command(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv(timeout=30))).get("id") != self.count:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, url):
        self._command("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def evaluate(self, expression):
        """The value of an expression, which may be a promise, as JSON."""
        result = self._command(
            "script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self.page}, awaitPromise=True)
        assert result["type"] == "success", result
        value = result["result"].get("value")
        return None if value is None else json.loads(value)

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(timeout=20)
        shutil.rmtree(self.profile, ignore_errors=True)
