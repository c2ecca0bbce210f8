"""The machines that use the library: workers that harvest, and readers that follow its list."""
import json
import os
import signal
import subprocess
import threading
import time


class Machine:
    """A machine with `media` and a configuration of its own."""

    def __init__(self, host, media, address, environment):
        self.host, self.media, self.address, self.settings = host, media, address, environment

    @property
    def environment(self):
        return {**self.settings, "MEDIA_CONFIG": os.path.join(self.host.folder, "configuration")}

    def arguments(self, *arguments):
        return [self.media, *arguments, "--library", self.address]

    def run(self, *arguments, timeout=120, check=True):
        return self.host.run(self.arguments(*arguments), self.environment, timeout, check)


class Worker(Machine):
    """Harvests until it is told to end. Like a service manager, it starts the program again that ended by itself."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.lock = threading.Lock()
        self.is_wanted, self.program, self.starts = False, None, 0
        # Ends that nobody asked for: the code and what was said last.
        self.ends = []

    def start(self):
        self.is_wanted = True
        self.starts += 1
        self.program = self.host.start(
            self.arguments("harvest", "--workers", "2"), f"worker-{self.host.name}", self.environment)

    def look(self):
        if self.is_wanted and self.program.ended:
            self.ends.append((self.program.process.returncode, self.program.errors[-400:]))
            self.start()

    def kill(self):
        self.is_wanted = False
        self.program.kill()

    def stop(self):
        self.program.signal(signal.SIGSTOP)

    def wake(self):
        self.program.signal(signal.SIGCONT)

    def end(self):
        self.is_wanted = False
        return self.program.end()


class Reader(Machine):
    """Follows the list of all posts, and applies each change to the posts that it was told before."""

    def start(self):
        self.posts, self.captions, self.wrong, self.is_reported = set(), {}, [], False
        self.changed = threading.Condition()
        self.program = self.host.start(
            self.arguments("list", "--follow", "--json", "--limit", "10000000"), f"reader-{self.host.name}",
            self.environment, pipes=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.process.stdout:
            at = time.monotonic()
            post = json.loads(line)
            with self.changed:
                number, change = post["id"], post["change"]
                if change == "removed":
                    self.posts.discard(number)
                else:
                    if change == "inserted" and number in self.posts:
                        self.wrong.append(f"{self.host.name}: post {number} was inserted twice")
                    self.posts.add(number)
                    self.captions.setdefault(post.get("caption", ""), at)
                self.changed.notify_all()

    def seconds_until(self, caption, since, seconds):
        """How long after a moment it showed a caption; None if not within the time."""
        with self.changed:
            if not self.changed.wait_for(lambda: caption in self.captions, seconds):
                return None
            return max(0, self.captions[caption] - since)


class Origin:
    """The server of posts, in a program of its own."""

    def __init__(self, host, program, seed, feeds, rate, limit, window):
        self.program = host.start(
            [program, host.address, host.port(), seed, feeds, rate, limit, window], "origin", pipes=True)
        self.lock = threading.Lock()
        self.url = json.loads(self.program.process.stdout.readline())["url"]
        self.names = [f"feed{number:03d}" for number in range(feeds)]

    def ask(self, word):
        with self.lock:
            self.program.process.stdin.write(word + "\n")
            self.program.process.stdin.flush()
            return json.loads(self.program.process.stdout.readline())


class SmallBlobs:
    """One S3 service on loopback, by Scripts/lib/s3-server."""

    def __init__(self, network):
        folder = os.path.join(network.room, "s3")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Scripts/lib/s3-server")
        self.program = subprocess.Popen(
            [script, folder, "media"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(network.room, "logs", "s3-server.err"), "wb"), start_new_session=True)
        end = time.monotonic() + 90
        while not os.path.exists(f"{folder}/address"):
            if self.program.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the S3 service does not start")
            time.sleep(0.1)
        with open(f"{folder}/address") as file:
            self.environment = {
                "AWS_ACCESS_KEY_ID": "owner", "AWS_SECRET_ACCESS_KEY": "owner-secret", "AWS_REGION": "us-east-1",
                "AWS_ENDPOINT_URL_S3": file.read().strip()}

    def end(self):
        self.program.stdin.close()
        self.program.wait(30)
