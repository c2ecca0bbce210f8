"""Which faults happen when: decided by a seed alone, before anything runs."""
import random

# Each kind with how often it is drawn.
KINDS = {
    "primary dies": 2, "primary vanishes": 1, "worker sleeps": 2, "worker dies": 3, "worker is cut off": 3, "primary is cut off": 1,
    "standby is cut off": 1, "volume server dies": 2, "gateway is cut off": 1, "disk of a worker is full": 1,
    "disk of the primary is full": 1, "reader is cut off": 1,
}
# How long a fault lasts, in seconds. A worker sleeps for longer than its lease.
LENGTHS = {
    "primary dies": (0.2, 3), "primary vanishes": (2, 10), "worker sleeps": (65, 100), "worker dies": (1, 20),
    "worker is cut off": (5, 90),
    "primary is cut off": (3, 25), "standby is cut off": (3, 25), "volume server dies": (5, 40),
    "gateway is cut off": (3, 20), "disk of a worker is full": (5, 30), "disk of the primary is full": (5, 20),
    "reader is cut off": (5, 60),
}


# The sample, on machines whose network and disks are not their own.
SAMPLE = [(1, "worker sleeps", 0.1, 4), (2, "primary dies", 0.2, 0.5), (6, "worker dies", 0.9, 0.5)]


def plan(seed, seconds, kinds=None):
    """Returns (when, kind, chance, how long): each kind once, and then at random."""
    chance = random.Random(seed)
    kinds = kinds or list(KINDS)
    waiting = list(kinds)
    chance.shuffle(waiting)
    at, made = chance.uniform(10, 20), []
    while at < seconds:
        kind = waiting.pop() if waiting else chance.choices(kinds, [KINDS[kind] for kind in kinds])[0]
        made.append((at, kind, chance.random(), chance.uniform(*LENGTHS[kind])))
        at += chance.uniform(5, 20)
    return made
