#!/usr/bin/env python3
"""predicted.py [NAME NATIVE CPU REPLAYS REPORT...]: a row of bench/triage --predict, of the last report; without
arguments the heading. Fails if a race is neither confirmed nor explained."""
import json
import sys

FORMAT = "{:14} {:>7} {:>9} {:>4} {:>7} {:>6} {:>5} {:>4} {:>4} {:>4} {:>5} {:>9} {:>7} {:>8} {:>9}"


def main():
    if len(sys.argv) == 1:
        print(FORMAT.format("program", "native", "events", "thr", "sync", "vars", "QC", "RV", "SP", "HB", "seen",
                            "confirmed", "left", "CPU s", "replays"))
        return 0
    name, native, cpu, replays = sys.argv[1:5]
    with open(sys.argv[-1]) as f:
        report = json.load(f)
    stats, races = report["stats"], report["races"]
    found = {t["tier"]: t["races"] for t in stats["tiers"]}
    hb = found.get("happens-before", 0)
    sp = hb + found.get("sync-preserving", 0)
    rv = sp + found.get("maximal", 0)
    predicted = [r for r in races if r["found_by"] == "predicted"]
    confirmed = [r for r in predicted if r["confirmed"]]
    left = [r for r in predicted if not r["confirmed"]]
    print(FORMAT.format(name, native, stats["events"], stats["threads"], stats["sync"], stats["variables"],
                        stats.get("maximal", {}).get("candidates", 0) + sp, rv, sp, hb, len(races) - len(predicted),
                        len(confirmed), len(left), cpu, replays))
    for race in left:
        places = " / ".join(a["location"] for a in race["accesses"])
        print(f"   not confirmed ({race['tier']}): {places}: {race.get('why', '')}")
    return 0 if all(r.get("why") for r in left) else 1


sys.exit(main())
