"""Machines that share a library, under faults. See Scripts/faults shared."""
import argparse
import collections
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import verdict
from hosts import Network, fill, run, wait_until
from library import Machine, Origin, Reader, SmallBlobs, Worker
from plan import KINDS, SAMPLE, plan
from postgresql import Pair
from seaweed import Cluster

BEGAN = time.monotonic()


def say(text):
    print(f"{time.monotonic() - BEGAN:7.1f}  {text}", flush=True)


class Laboratory:
    def __init__(self, options, room):
        self.options, self.room = options, room
        isolated = not options.sample
        self.network = Network(room, isolated)
        self.faults = collections.Counter()
        self.broken, self.typed_captions = [], []
        self.pair = self.blobs = None
        # What can be in one trouble at a time.
        self.disks = threading.Lock()
        self.most_away = threading.Semaphore(3)

    def build(self):
        options, network = self.options, self.network
        isolated = network.isolated
        if isolated:
            say("starting SeaweedFS: three masters, three volume servers, a filer with S3")
            self.blobs = Cluster(network, options.weed, 2048)
        else:
            self.blobs = SmallBlobs(network)
        say("starting PostgreSQL: a primary and its synchronous standby")
        self.pair = Pair(network, 512 if isolated else None, 2048 if isolated else None, syncs=isolated)
        self.origin = Origin(
            network.host("origin"), options.origin, options.seed, options.feeds, options.rate, options.limit, options.window)
        address = self.pair.address("s3://media/library")
        settings = {"PGPASSFILE": self.pair.passwords.file, **self.blobs.environment}
        def machine(kind, name, address=address):
            return kind(network.host(name, 1024), options.media, address, settings)
        self.workers = [machine(Worker, f"worker{number + 1}") for number in range(options.workers)]
        self.keeper = machine(Machine, "keeper")
        self.readers = [machine(Reader, "reader1")]
        if isolated:
            self.readers.append(machine(Reader, "reader2", self.pair.address("s3://media/library", "prefer-standby")))
            if os.path.exists(Network.faked(0)["LD_PRELOAD"]):
                # Two are right, one is early, one is late.
                for worker, seconds in zip(self.workers, (0, 3600, -3600, 0)):
                    worker.host.clock = seconds
            else:
                say("the clocks are right: faketime is not installed")
        say(f"following {options.feeds} feeds at {self.origin.url}")
        for name in self.origin.names:
            self.keeper.run("follow", f"tag:{name}@{self.origin.url}", "--every", "1m")
        for reader in self.readers:
            reader.start()
        for worker in self.workers:
            worker.start()
        # A first pull reads one page: posts that are written before it may push others from that.
        wait_until(lambda: self.pair.rows("SELECT count(*) FROM cursor WHERE state = 'reached'") == [[str(options.feeds)]],
                   options.patience, "the first pull of every feed")
        self.origin.ask("write")

    # Faults

    def run_plan(self, faults):
        running = []
        for at, kind, chance, length in faults:
            while (left := self.started + at - time.monotonic()) > 0:
                self.look()
                time.sleep(min(left, 0.5))
            thread = threading.Thread(target=self.fault, args=(kind, chance, length), daemon=True)
            thread.start()
            running.append(thread)
        end = time.monotonic() + 400
        while any(thread.is_alive() for thread in running):
            self.look()
            time.sleep(0.5)
            if time.monotonic() > end:
                raise RuntimeError("a fault does not end")

    def look(self):
        """Starts workers again that ended. Those that are in trouble are looked at when that ends."""
        for reader in self.readers:
            if reader.program.ended and not reader.is_reported:
                reader.is_reported = True
                say(f"BROKEN  {reader.host.name} has ended: {reader.program.errors[-300:]}")
        if self.options.sample:
            self.hurry("UPDATE media.follow SET due_at = '2000-01-01T00:00:00.000Z' WHERE due_at > '2000-01-02'")
        for worker in self.workers:
            if worker.lock.acquire(blocking=False):
                try:
                    worker.look()
                finally:
                    worker.lock.release()

    def fault(self, kind, chance, length):
        try:
            getattr(self, kind.replace(" ", "_"))(chance, length)
        except Exception as error:
            self.broken.append(f"{kind}: {error!r}")
            say(f"BROKEN  {kind}: {error!r}")

    def note(self, kind, what):
        self.faults[kind] += 1
        say(what)

    def with_worker(self, kind, chance, length, begin, end):
        with self.most_away:
            start = int(chance * len(self.workers))
            while True:
                for worker in self.workers[start:] + self.workers[:start]:
                    if not worker.lock.acquire(blocking=False):
                        continue
                    try:
                        worker.look()
                        self.note(kind, f"{worker.host.name}: {kind.replace('worker ', '')}, {length:.0f} s")
                        begin(worker)
                        time.sleep(length)
                        end(worker)
                        say(f"{worker.host.name}: back")
                        return
                    finally:
                        worker.lock.release()
                time.sleep(0.5)

    def worker_sleeps(self, chance, length):
        def stop(worker):
            worker.stop()
            if self.options.sample:
                # What the server does when the leases' time is over.
                time.sleep(0.5)
                self.hurry("UPDATE media.lease SET until = clock_timestamp()")
        self.with_worker("worker sleeps", chance, length, stop, Worker.wake)

    def worker_dies(self, chance, length):
        self.with_worker("worker dies", chance, length, Worker.kill, Worker.start)

    def worker_is_cut_off(self, chance, length):
        self.with_worker(
            "worker is cut off", chance, length, lambda worker: worker.host.cut(), lambda worker: worker.host.join())

    def disk_of_a_worker_is_full(self, chance, length):
        self.with_worker(
            "disk of a worker is full", chance, length, lambda worker: fill(worker.host.folder),
            lambda worker: os.remove(os.path.join(worker.host.folder, "ballast")))

    def primary_dies(self, chance, length):
        with self.pair.lock:
            self.pair.await_synchronous(120)
            self.note("primary dies", f"{self.pair.primary.host.name}: the primary dies, promotion after {length:.1f} s")
            self.pair.primary.kill()
            # Somebody types a command just now.
            caption = f"death {self.faults['primary dies']}"
            command = threading.Thread(target=self.typed, args=(caption,), daemon=True)
            command.start()
            time.sleep(length)
            self.pair.promote()
            command.join(60)
            say(f"{self.pair.primary.host.name}: promoted")
            # The new primary works alone for a while.
            time.sleep(chance * 10)
            self.pair.attach()
            say(f"{self.pair.standby.host.name}: a standby again")

    def typed(self, caption):
        """A command that a person gives while no server writes: it waits for the next one, and is done once."""
        try:
            self.keeper.run("add", caption)
            self.typed_captions.append(caption)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            self.broken.append(f"media add while the primary was dead: {error}")

    def primary_vanishes(self, chance, length):
        """Its network fails, so that nobody's connection ends. It is switched off before it comes back."""
        with self.pair.lock:
            self.pair.await_synchronous(120)
            old = self.pair.primary
            self.note("primary vanishes", f"{old.host.name}: the primary vanishes, promotion after {length:.1f} s")
            old.host.cut()
            time.sleep(length)
            self.pair.promote()
            say(f"{self.pair.primary.host.name}: promoted")
            time.sleep(chance * 20)
            old.kill()
            old.host.join()
            self.pair.attach()
            say(f"{self.pair.standby.host.name}: a standby again")

    def cut(self, kind, host, length):
        self.note(kind, f"{host.name}: cut off, {length:.0f} s")
        host.cut()
        time.sleep(length)
        host.join()
        say(f"{host.name}: back")

    def primary_is_cut_off(self, chance, length):
        with self.pair.lock:
            self.cut("primary is cut off", self.pair.primary.host, length)
            self.pair.await_synchronous(120)

    def standby_is_cut_off(self, chance, length):
        with self.pair.lock:
            self.cut("standby is cut off", self.pair.standby.host, length)
            self.pair.await_synchronous(120)

    def disk_of_the_primary_is_full(self, chance, length):
        with self.pair.lock:
            server = self.pair.primary
            self.note("disk of the primary is full", f"{server.host.name}: its disk is full, {length:.0f} s")
            path = fill(server.room)
            time.sleep(length)
            os.remove(path)
            say(f"{server.host.name}: room again")

    def volume_server_dies(self, chance, length):
        with self.disks:
            node = self.blobs.nodes[int(chance * 3)]
            is_master_too = chance * 3 % 1 < 0.4
            self.note("volume server dies",
                      f"{node.host.name}: the volume server{' and the master die' if is_master_too else ' dies'}, "
                      f"{length:.0f} s")
            node.volume.kill()
            if is_master_too:
                node.master.kill()
            time.sleep(length)
            if is_master_too:
                self.blobs.start_master(node)
            self.blobs.start_volume(node)
            say(f"{node.host.name}: back")
            # The other copies are those of the next one that dies.
            time.sleep(15)

    def gateway_is_cut_off(self, chance, length):
        with self.disks:
            self.cut("gateway is cut off", self.blobs.gateway, length)

    def reader_is_cut_off(self, chance, length):
        self.cut("reader is cut off", self.readers[int(chance * len(self.readers))].host, length)

    def hurry(self, statement):
        """Lets time pass in the database, which the sample has not. A server that is away does not matter."""
        try:
            self.pair.primary.sql(statement, "shared", 5)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            pass

    # The end

    def settle(self, seconds):
        """Waits until the workers have pulled every feed once more, and stored every picture."""
        state = self.origin.ask("stop")
        stopped = time.strftime("%Y-%m-%dT%H:%M:%S.999Z", time.gmtime())
        say(f"no more posts: {state['posts']} in all, {state['requests']} requests, {state['refused']} refused")
        if self.options.sample:
            # Those of the dead.
            self.hurry("UPDATE media.lease SET until = clock_timestamp()")
        end = time.monotonic() + seconds
        while True:
            self.look()
            left = self.pair.rows(f"""
                SELECT (SELECT count(*) FROM follow w WHERE state <> 'well' OR NOT EXISTS (
                    SELECT 1 FROM cursor c WHERE c.feed = w.feed AND c.started_at > '{stopped}' AND c.state = 'reached')),
                  (SELECT count(*) FROM attachment WHERE state <> 'stored')""")[0]
            if left == ["0", "0"]:
                say("every feed was pulled once more, and every picture is stored")
                return []
            if time.monotonic() > end:
                return [f"after {seconds} s without faults {left[0]} feeds are not up to date and {left[1]} pictures "
                        "not stored"]
            time.sleep(1)

    def convergence(self):
        """Writes posts on a machine, and measures how long after its end each list has them."""
        wrong, slowest = [], 0
        for number in range(self.options.marks):
            caption = f"mark {number}"
            self.keeper.run("add", caption)
            since = time.monotonic()
            for reader in [reader for reader in self.readers if not reader.program.ended]:
                seconds = reader.seconds_until(caption, since, 20)
                if seconds is None or seconds > 2:
                    wrong.append(f"{reader.host.name} shows a post {'more than 20' if seconds is None else seconds} s after its commit")
                slowest = max(slowest, 20 if seconds is None else seconds)
        say(f"lists had {self.options.marks} posts within {slowest:.2f} s of their commits")
        stored = {int(row[0]) for row in self.pair.rows("SELECT id FROM post")}
        for reader in self.readers:
            if reader.program.ended:
                wrong.append(f"{reader.host.name} has ended: {reader.program.errors[-300:]}")
            with reader.changed:
                wrong += reader.wrong
                wrong += verdict.some(stored - reader.posts, f"posts that the list of {reader.host.name} lacks")
                wrong += verdict.some(reader.posts - stored, f"posts too many in the list of {reader.host.name}")
        return wrong

    def judge(self):
        wrong = self.settle(self.options.patience)
        for worker in self.workers:
            code = worker.end()
            if code not in (0, 130, 143):
                wrong.append(f"{worker.host.name} ended with {code}: {worker.program.errors[-300:]}")
        truth = self.origin.ask("all")
        wrong += self.convergence()
        wrong += verdict.posts(self.pair, truth) + verdict.coverage(self.pair, truth)
        wrong += verdict.pictures(self.pair, truth) + verdict.budget(truth) + verdict.follows(self.pair)
        wrong += verdict.typed(self.pair, self.typed_captions)
        wrong += verdict.gaps(self.keeper)
        say("reading every picture")
        wrong += verdict.check(self.keeper)
        for worker in self.workers:
            # Killed by nobody, yet by a signal.
            wrong += [f"{worker.host.name} crashed ({code}): {said}" for code, said in worker.ends
                      if code < 0 or code in (132, 133, 134, 135, 136, 139)]
            ends = collections.Counter(code for code, _ in worker.ends)
            say(f"{worker.host.name}: started {worker.starts} times, ended by itself: {dict(ends) or 'never'}")
        pictures = sum(len(hashes) for hashes in truth["pictures"].values())
        say(f"{len(truth['pictures'])} posts in {len(truth['feeds'])} feeds, {pictures} pictures, "
            f"{sum(truth['windows'].values())} requests in {len(truth['windows'])} windows of {truth['limit']}, "
            f"the fullest {max(truth['windows'].values())}")
        return wrong + self.broken

    def end(self):
        self.network.end()
        if isinstance(self.blobs, SmallBlobs):
            self.blobs.end()


def seconds_of(options):
    return options.seconds if options.seconds is not None else options.minutes * 60


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("media")
    parser.add_argument("--origin", required=True)
    parser.add_argument("--weed", default="weed")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--feeds", type=int, default=100)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3)
    parser.add_argument("--limit", type=int, default=130)
    parser.add_argument("--window", type=int, default=60)
    parser.add_argument("--marks", type=int, default=20)
    parser.add_argument("--patience", type=int, default=300)
    parser.add_argument("--only", action="append", choices=list(KINDS))
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    if options.sample:
        # Feeds are due all the time.
        options.seconds, options.feeds, options.workers, options.marks, options.limit = 8, 12, 2, 5, 10_000
    return options


def main():
    options = parse()
    # Begun by a shell in the background, it would ignore the first.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    room = run("mktemp", "-d").stdout.strip()
    os.chmod(room, 0o755)
    laboratory = None
    try:
        faults = SAMPLE if options.sample else plan(options.seed, seconds_of(options), options.only)
        say(f"seed {options.seed}, {len(faults)} faults within {seconds_of(options):.0f} s, files in {room}")
        laboratory = Laboratory(options, room)
        laboratory.build()
        laboratory.started = time.monotonic()
        say("workers and lists have begun")
        laboratory.run_plan(faults)
        say("everything is healed: " + ", ".join(f"{kind} {count}" for kind, count in laboratory.faults.items()))
        wrong = laboratory.judge()
    except KeyboardInterrupt:
        return 130
    finally:
        if laboratory:
            laboratory.end()
        if options.keep:
            shutil.copytree(os.path.join(room, "logs"), options.keep, dirs_exist_ok=True)
        if not options.sample:
            with open("/proc/mounts") as file:
                places = [line.split()[1] for line in file if line.split()[1].startswith(room + "/")]
            for place in reversed(places):
                subprocess.run(["umount", "-l", place], check=False)
        shutil.rmtree(room, ignore_errors=True)
    for line in wrong:
        say(f"WRONG  {line}")
    say(f"seed {options.seed}: " + ("something is wrong" if wrong else "nothing is wrong"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
