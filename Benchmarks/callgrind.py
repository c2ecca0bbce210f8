"""Counts programs' instructions with valgrind's callgrind, repeatable to one percent."""
import collections
import re

PLACE = re.compile(r"\((\d+)\)(?: (.*))?")


def command(profile, arguments, children=False):
    """The arguments by which a program is run and counted, some fifty times as slowly; `%p` in the profile's name is the
    process."""
    traced = ["--trace-children=yes"] if children else []
    return ["/usr/bin/valgrind", "-q", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}"] \
        + traced + arguments


def costs(profile):
    """Each function's own instructions, by the file that it was loaded from and its name. A profile numbers its names
    and spells each once."""
    files, names, found, file, function, called = {}, {}, collections.Counter(), None, None, False

    def name(text, known):
        number, told = PLACE.fullmatch(text).groups()
        return known.setdefault(number, told)

    for line in open(profile, errors="replace"):
        key, _, text = line.rstrip("\n").partition("=")
        if key in ("ob", "cob"):
            seen = name(text, files)
            file = seen if key == "ob" else file
        elif key in ("fn", "cfn"):
            seen = name(text, names)
            function = seen.split("'")[0] if key == "fn" else function
        elif key == "calls":
            called = True
        elif line[0] in "0123456789+-*":
            # The cost of a call is in the next line, and belongs to the called function.
            found[file, function] += 0 if called else int(line.split()[1])
            called = False
    return found
