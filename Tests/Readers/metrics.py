"""Reads metrics with the parsers of prometheus_client, and reports what they refuse.

    metrics.py PROMETHEUS OPENMETRICS    a file in each form; prints the names and the number of samples
"""
import re
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as prometheus

found = []
for path, parse in zip(sys.argv[1:], (prometheus, openmetrics)):
    with open(path, encoding="utf-8") as file:
        families = list(parse(file.read()))
    for family in families:
        # https://prometheus.io/docs/practices/naming
        assert re.fullmatch(r"media_[a-z_]*[a-z]", family.name), family.name
        assert family.documentation and not family.documentation.endswith("."), family.name
        assert not family.name.endswith(("_total", "_count", "_sum", "_bucket")), f"{family.name} is no counter"
    found.append({(s.name, tuple(sorted(s.labels.items()))): s.value for f in families for s in f.samples})
assert found[0].keys() == found[1].keys(), found[0].keys() ^ found[1].keys()
for name in sorted({name for name, _ in found[0]}):
    print(name, sum(1 for other, _ in found[0] if other == name))
