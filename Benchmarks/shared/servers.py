"""A PostgreSQL server that keeps what it stores, and an S3 service that does not, both on loopback.

PostgreSQL has the settings that docs/guide/shared.md recommends. They are read from there.
"""

import os
import re
import secrets
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide" / "shared.md"


def recommended():
    """The settings of the guide: the block of code that begins with shared_buffers."""
    block = re.search(r"```\n(shared_buffers.*?)```", GUIDE.read_text(), re.DOTALL)
    assert block, f"{GUIDE} recommends no settings"
    lines = [line.split("#")[0].strip() for line in block[1].splitlines()]
    return [line.replace(" ", "") for line in lines if line]


def free_port():
    import socket
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class PostgreSQL:
    """A server with its data in a folder, from `start` to `stop`. `settings` come after the guide's."""

    def __init__(self, folder, settings=()):
        self.folder = Path(folder)
        self.settings = [*recommended(), *settings]
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self.bin = found[-1] if found else Path(shutil.which("postgres")).parent
        # PostgreSQL refuses to run as root.
        self.user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        self.passwords = self.folder / "pgpass"
        self.environment = {**os.environ, "PGPASSFILE": str(self.passwords), "TZ": "UTC"}

    def start(self):
        if not (self.folder / "data" / "PG_VERSION").exists():
            self._make()
        self.port = free_port()
        password = (self.folder / "password").read_text().strip()
        self.passwords.write_text(f"127.0.0.1:*:*:media:{password}\n")
        self.passwords.chmod(0o600)
        options = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories=", *self.settings]
        command = [self.bin / "postgres", "-D", self.folder / "data"]
        for option in options:
            command += ["-c", option]
        with (self.folder / "postgresql.log").open("a") as log:
            self.process = subprocess.Popen(command, cwd=self.folder / "data", stdout=log, stderr=log, **self.user)
        for _ in range(6000):
            if self.process.poll() is not None:
                raise SystemExit(f"bench shared: PostgreSQL ended: {self.folder}/postgresql.log says why")
            if self._psql("postgres", "-c", "SELECT 1", check=False).returncode == 0:
                return self
            time.sleep(0.1)
        raise SystemExit("bench shared: PostgreSQL does not answer")

    def _make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        password = self.folder / "password"
        password.touch(mode=0o600)
        password.write_text(secrets.token_hex(16))
        (self.folder / "data").mkdir(mode=0o700, exist_ok=True)
        if self.user:
            shutil.chown(self.folder / "data", "postgres", "postgres")
            shutil.chown(password, "postgres", "postgres")
        command = [self.bin / "initdb", "-D", self.folder / "data", "-U", "media", "-A", "scram-sha-256", "-E", "UTF8",
                   "--locale", "C", "--no-sync", "--pwfile", password]
        with (self.folder / "postgresql.log").open("a") as log:
            subprocess.run(command, cwd=self.folder / "data", stdout=log, stderr=log, check=True, **self.user)

    def stop(self):
        self.process.send_signal(2)
        self.process.wait()

    def _psql(self, database, *arguments, check=True, **options):
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "media", "-d", database]
        command = [self.bin / "psql", "-X", "-q", *where]
        if not check:
            options |= {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.run([*command, *arguments], env=self.environment, check=check, **options)

    def script(self, database, path, **variables):
        """Runs a file of statements."""
        values = [text for name, value in variables.items() for text in ("-v", f"{name}={value}")]
        self._psql(database, *values, "-f", path)

    def ask(self, database, sql):
        """The answer to a statement, as text: columns between bars, a row a line."""
        return self._psql(database, "-A", "-t", "-c", sql, stdout=subprocess.PIPE, text=True).stdout.strip()

    def has(self, database):
        return self.ask("postgres", f"SELECT 1 FROM pg_database WHERE datname = '{database}'") == "1"

    def new(self, database):
        """An empty database of that name."""
        if self.has(database):
            self.drop(database)
        self.ask("postgres", f'CREATE DATABASE "{database}" TEMPLATE template0 ENCODING \'UTF8\'')
        return self.address(database)

    def drop(self, database):
        self.ask("postgres", f'DROP DATABASE "{database}"')

    def address(self, database, blobs=None):
        return f"postgresql://media@127.0.0.1:{self.port}/{database}" + (f"?blobs={blobs}" if blobs else "")

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class S3:
    """SeaweedFS, which ends and is thrown away at `stop`."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def start(self):
        self.process = subprocess.Popen(
            [ROOT / "Scripts" / "lib" / "s3-server", self.folder, "media"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        while not (self.folder / "address").exists():
            assert self.process.poll() is None, "the S3 service ended"
            time.sleep(0.1)
        self.environment = {
            "AWS_ACCESS_KEY_ID": "owner", "AWS_SECRET_ACCESS_KEY": "owner-secret", "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL_S3": (self.folder / "address").read_text().strip()}
        return self

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
