"""Two PostgreSQL servers, of which one writes and the other repeats each of its commits."""
import glob
import os
import secrets
import shutil
import threading

from hosts import run, wait_until

PROGRAMS = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[4]))[-1]
AS_POSTGRES = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] if os.getuid() == 0 else []

SETTINGS = """
unix_socket_directories = ''
max_connections = 150
shared_buffers = 64MB
max_wal_size = 256MB
min_wal_size = 64MB
wal_keep_size = 128MB
max_wal_senders = 6
hot_standby = on
wal_sender_timeout = 10s
wal_receiver_timeout = 10s
wal_retrieve_retry_interval = 1s
tcp_keepalives_idle = 10
tcp_keepalives_interval = 5
tcp_keepalives_count = 3
log_line_prefix = '%m %a %p '
"""


class Server:
    def __init__(self, host, passwords, syncs):
        self.host, self.port, self.syncs = host, host.port(), syncs
        self.data, self.room = os.path.join(host.folder, "data"), os.path.join(host.folder, "room")
        self.passwords = passwords
        self.program = None

    def tool(self, name, *arguments, timeout=120):
        return self.host.run(
            [*AS_POSTGRES, f"{PROGRAMS}/{name}", *arguments], {"PGPASSFILE": self.passwords.file}, timeout)

    def make(self):
        """A new server without a partner."""
        self.own(self.host.folder)
        self.tool(
            "initdb", "-D", self.data, "-U", "admin", "-A", "scram-sha-256", "--pwfile", self.passwords.secret, "-E",
            "UTF8", "--locale", "C", "--no-sync")
        with open(f"{self.data}/pg_hba.conf", "a") as file:
            file.write("host all all 0.0.0.0/0 scram-sha-256\nhost replication admin 0.0.0.0/0 scram-sha-256\n")
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write(SETTINGS)
        self.start()

    def own(self, path):
        if AS_POSTGRES:
            shutil.chown(path, "postgres", "postgres")

    def start(self):
        self.program = self.host.start(
            [*AS_POSTGRES, f"{PROGRAMS}/postgres", "-D", self.data, "-c", f"port={self.port}", "-c",
             f"listen_addresses={self.host.address}", "-c", f"fsync={'on' if self.syncs else 'off'}"],
            f"postgresql-{self.host.name}", {"PGPASSFILE": self.passwords.file})
        wait_until(lambda: self.program.ended or self.sql("SELECT 1") == "1", 60, "PostgreSQL's start")
        if self.program.ended:
            raise RuntimeError(f"PostgreSQL does not start: {self.program.errors[-600:]}")

    def kill(self):
        self.program.kill()

    def copy(self, other):
        """Becomes a standby of another server, with its files copied anew."""
        for folder in (self.data, self.room):
            for name in os.listdir(folder) if os.path.isdir(folder) else []:
                path = os.path.join(folder, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        os.makedirs(self.data, 0o700, exist_ok=True)
        for folder in (self.host.folder, self.data, self.room):
            self.own(folder)
        os.chmod(self.data, 0o700)
        self.tool(
            "pg_basebackup", "-R", "-X", "stream", "-c", "fast", "-D", self.data, "-T", f"{other.room}={self.room}",
            "--no-sync", "-d",
            f"host={other.host.address} port={other.port} user=admin application_name=pair connect_timeout=5")
        with open(f"{self.data}/postgresql.auto.conf", "a") as file:
            file.write("synchronous_standby_names = ''\n")
        self.start()

    def sql(self, text, database="postgres", timeout=20):
        """The answer to a statement, a line a row, with | between columns."""
        return run(
            f"{PROGRAMS}/psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.host.address, "-p",
            self.port, "-U", "admin", "-d", database, "-c", text, timeout=timeout,
            env={**os.environ, "PGPASSFILE": self.passwords.file, "PGCONNECT_TIMEOUT": "3"}).stdout.strip()


class Passwords:
    """Files with the password of the servers' users, which only their owner may read."""

    def __init__(self, room):
        word = secrets.token_urlsafe(18)
        self.word, self.file, self.secret = word, os.path.join(room, "pgpass"), os.path.join(room, "secret")
        for path, text in ((self.file, f"*:*:*:*:{word}\n"), (self.secret, word + "\n")):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(text)
            if AS_POSTGRES:
                shutil.chown(path, "postgres", "postgres")


class Pair:
    """The primary and its synchronous standby."""

    def __init__(self, network, room_megabytes=None, data_megabytes=None, syncs=True):
        self.passwords = Passwords(network.room)
        self.lock = threading.Lock()
        self.servers = [
            Server(network.host(name, data_megabytes), self.passwords, syncs) for name in ("first", "second")]
        for server in self.servers:
            network.disk(server.room, room_megabytes or 0) if room_megabytes else os.mkdir(server.room)
            server.own(server.room)
        self.primary, self.standby = self.servers
        self.primary.make()
        # Made as docs/guide/shared.md says, in a disk of its own.
        self.primary.sql(f"CREATE ROLE keeper LOGIN PASSWORD '{self.passwords.word}'")
        self.primary.sql(f"CREATE TABLESPACE room LOCATION '{self.primary.room}'")
        self.primary.sql("CREATE DATABASE shared OWNER keeper ENCODING 'UTF8' TEMPLATE template0 TABLESPACE room")
        self.attach()

    def attach(self):
        """Makes the standby anew, and lets commits wait for it."""
        self.standby.copy(self.primary)
        state = "SELECT count(*) FROM pg_stat_replication WHERE application_name = 'pair' AND state = 'streaming'"
        wait_until(lambda: self.primary.sql(state) == "1", 60, "the standby's start")
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'pair'")
        self.primary.sql("SELECT pg_reload_conf()")
        self.await_synchronous(60)

    def await_synchronous(self, seconds):
        state = "SELECT sync_state FROM pg_stat_replication WHERE application_name = 'pair'"
        wait_until(lambda: self.primary.sql(state) == "sync", seconds, "the standby's catching up")

    def promote(self):
        """The standby takes over from a primary that is dead."""
        old, new = self.primary, self.standby
        if new.sql("SELECT pg_promote(true, 60)", timeout=70) != "t":
            raise RuntimeError("the standby is not promoted")
        self.primary, self.standby = new, old

    def address(self, blobs, attributes="read-write"):
        """The library's address for any of the two."""
        places = ",".join(f"{server.host.address}:{server.port}" for server in self.servers)
        return f"postgresql://keeper@{places}/shared?target_session_attrs={attributes}&blobs={blobs}"

    def rows(self, text, timeout=60):
        """Rows of the library, as lists of texts."""
        answer = self.primary.sql(f"SET search_path = media; {text}", "shared", timeout)
        return [line.split("|") for line in answer.split("\n")] if answer else []
