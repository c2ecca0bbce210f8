"""Runs one command and prints its cost as one JSON object.

    measure.py LOG SAMPLES COMMAND [ARGUMENT ...]

LOG gets what it says. wall: seconds; cpu: seconds of it and its children, user and system; peak: megabytes of the
largest single process; code: how it ended. Where SAMPLES is a number of seconds, memory (megabytes) and open files are
looked at as often. A process of its own, small, since a command's peak counts what its parent held when it began.
"""
import json
import os
import signal
import sys
import time

LIMIT = 900  # seconds; what hangs is ended and counts as failed


def begin(log, command):
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    return os.posix_spawnp(command[0], command, os.environ, file_actions=files, setsid=True, setsigmask=[])


def look(pid):
    """Megabytes and open files of a process now; None if it has ended."""
    try:
        pages = int(open(f"/proc/{pid}/statm").read().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return None


def main(log, every, *command):
    ends = [signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    begun = time.monotonic()
    pid = begin(log, command)

    def end(*_):
        os.killpg(pid, signal.SIGKILL)

    for number in ends:
        signal.signal(number, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ends)
    signal.alarm(LIMIT)
    samples, ended = [], (0, 0, None)
    while float(every) and not ended[0]:
        time.sleep(float(every))
        samples.append(look(pid))
        ended = os.wait4(pid, os.WNOHANG)
    _, status, usage = ended if ended[0] else os.wait4(pid, 0)
    wall = time.monotonic() - begun
    print(json.dumps({
        "wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss * 1024 / 1e6,
        "code": os.waitstatus_to_exitcode(status), "samples": [sample for sample in samples if sample],
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
