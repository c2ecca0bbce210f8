"""Firefox, driven by WebDriver BiDi: https://w3c.github.io/webdriver-bidi/"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile

from websockets.sync.client import connect


HOME, END = "\ue011", "\ue010"


class Firefox:
    """A headless Firefox with one page."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="firefox-")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--remote-debugging-port=0", "--profile", self.profile, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self._environment())
        address = next(
            match[1] for line in self.process.stderr if (match := re.search(r"BiDi listening on (ws://\S+)", line)))
        self.open = contextlib.ExitStack()
        self.socket = self.open.enter_context(connect(f"{address}/session", max_size=None))
        self.count = 0
        self._command("session.new", capabilities={})
        self.page = self._command("browsingContext.getTree")["contexts"][0]["context"]

    def _environment(self):
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

    def _act(self, kind, actions, **more):
        source = {"type": kind, "id": kind, "actions": actions, **more}
        self._command("input.performActions", context=self.page, actions=[source])

    def click(self, x, y):
        self._act("pointer", [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}])

    def press(self, key):
        """A key: a character, or the value that WebDriver gives a key without one, such as HOME."""
        self._act("key", [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}])

    def scroll(self, distance):
        """Turns the wheel over the middle of the page."""
        self._act("wheel", [{"type": "scroll", "x": 600, "y": 500, "deltaX": 0, "deltaY": distance}])

    def close(self):
        self.open.close()
        self.process.terminate()
        self.process.wait(timeout=20)
        shutil.rmtree(self.profile, ignore_errors=True)
