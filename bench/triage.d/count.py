#!/usr/bin/env python3
"""A line of bench/triage: count.py ROW NATIVE_SECONDS CPU_SECONDS EVIDENCE REPORT...; without arguments the heading.

Status 1 if a race has no verdict, or if two runs tell something else of one race.
"""
import json
import sys

VERDICTS = ("spec-violated", "output-differs", "k-witness-harmless", "single-ordering", "unknown")
LINE = "%-14s %8s %5s %5s %6s %8s %6s %7s %6s %7s %6s %7s %6s %9s"

if len(sys.argv) < 2:
    print(LINE % ("program", "native s", "races", "spec", "output", "harmless", "single", "unknown", "execs", "seconds",
                  "/race", "CPU s", "/race", "evidence"))
    sys.exit()

row, native, cpu, evidence = sys.argv[1:5]
reports = []
for path in sys.argv[5:]:
    with open(path, encoding="utf-8") as file:
        reports.append(json.load(file))
best = min(reports, key=lambda r: r["stats"]["seconds"])
races = best["races"]
count = {v: sum(r.get("verdict") == v for r in races) for v in VERDICTS}
seconds = best["stats"]["seconds"]


def per_race(n):
    return "%.2f" % (n / len(races)) if races else "-"


print(LINE % (row, "%.2f" % float(native), len(races), *(count[v] for v in VERDICTS), best["stats"]["executions"],
              "%.1f" % seconds, per_race(seconds), "%.1f" % float(cpu), per_race(float(cpu)), evidence))

bad = count["unknown"] or sum(count.values()) != len(races) or evidence.split()[0] != evidence.split()[-1]
for r in races:
    if r.get("verdict") in (None, "unknown"):
        print("   %s: no verdict: %s" % (r["id"], r.get("why", "?")))
told = {}
for n, report in enumerate(reports):
    for r in report["races"]:
        told.setdefault(r["id"], {})[n] = r.get("verdict")
for race, verdicts in sorted(told.items()):
    if len(set(verdicts.values())) > 1:
        print("   %s: %s" % (race, ", ".join("%s in run %d" % (v, n + 1) for n, v in sorted(verdicts.items()))))
sys.exit(1 if bad else 0)
