#!/usr/bin/env python3
"""trace.py FILE [KIND COUNT PATTERN]...: is this a trace that Perfetto shows without loss, and has it COUNT slices, instants
or flows of a kind (the category of a slice or instant, or "flow") whose names match PATTERN? "+N" means at least N."""
import collections
import json
import re
import sys

NOT_TWICE = "a name appears twice in an object"


def no_doubles(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), NOT_TWICE
    return dict(pairs)


def load(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file, object_pairs_hook=no_doubles)
    assert "virtual" in trace["otherData"]["clock"], "the clock is not said to be virtual"
    return trace


def nanoseconds(event, key="ts"):
    return round(event[key] * 1000)


def track(event):
    return event["pid"], event["tid"]


class Trace:
    def __init__(self, trace):
        self.data = trace["otherData"]
        events = trace["traceEvents"]
        self.names = {track(e): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
        self.events = [e for e in events if e["ph"] != "M"]
        self.slices = collections.defaultdict(list)
        for event in self.events:
            if event["ph"] == "X":
                self.slices[track(event)].append(event)

    def check(self):
        times = [nanoseconds(e) for e in self.events]
        assert times == sorted(times), "events are not in the order of time"
        assert {e["ph"] for e in self.events} <= set("Xsfi"), "an event of a kind that is not expected"
        for event in self.events:
            assert track(event) in self.names, "a track without a name: %s" % event
        for slices in self.slices.values():
            self.check_nesting(slices)
        self.check_flows()
        for event in self.events:
            if event["ph"] == "i":
                assert self.on_slice(event), "an instant outside of its thread's life: %s" % event
        self.check_mutexes()

    @staticmethod
    def check_nesting(slices):
        open_until = []
        for event in slices:
            start = nanoseconds(event)
            end = start + nanoseconds(event, "dur")
            assert end > start, "an empty slice: %s" % event
            while open_until and open_until[-1] <= start:
                open_until.pop()
            assert not open_until or end <= open_until[-1], "slices that cross: %s" % event
            open_until.append(end)

    def on_slice(self, event):
        at = nanoseconds(event)
        return any(nanoseconds(s) <= at < nanoseconds(s) + nanoseconds(s, "dur") for s in self.slices[track(event)])

    def check_flows(self):
        self.flows = []
        begun = {}
        for event in self.events:
            if event["ph"] == "s":
                assert event["id"] not in begun, "two flows with one id: %s" % event
                begun[event["id"]] = event
            elif event["ph"] == "f":
                assert event["id"] in begun, "a flow that ends without a beginning: %s" % event
                self.flows.append((begun.pop(event["id"]), event))
        assert not begun, "flows without an end: %s" % list(begun.values())[:3]
        for start, end in self.flows:
            assert (start["name"], start["cat"]) == (end["name"], end["cat"]) and end["bp"] == "e"
            assert track(start) != track(end), "a flow from a thread to itself: %s" % start
            assert self.on_slice(start) and self.on_slice(end), "a flow that is not on slices: %s" % start

    def check_mutexes(self):
        """One thread at a time holds a named mutex, and a flow leads from each holder to the next thread."""
        held = collections.defaultdict(list)
        for event in self.events:
            if event.get("cat") == "lock" and event["name"].startswith("mutex `") and "continued" not in event["args"]:
                held[event["name"]].append(event)
        handed = collections.Counter((track(s), track(f), nanoseconds(f)) for s, f in self.flows if s["name"] == "unlock → lock")
        for name, slices in held.items():
            for before, after in zip(slices, slices[1:]):
                if track(before) == track(after):
                    continue
                assert nanoseconds(before) + nanoseconds(before, "dur") <= nanoseconds(after), "%s is held by two" % name
                assert handed[track(before), track(after), nanoseconds(after) + 2] == 1, "no flow to %s" % after

    def count(self, kind, pattern):
        if kind == "flow":
            return sum(bool(re.fullmatch(pattern, start["name"])) for start, _ in self.flows)
        return sum(e["ph"] in "Xi" and e["cat"] == kind and bool(re.fullmatch(pattern, e["name"])) and
                   not e["args"].get("continued") for e in self.events)


def main():
    path, *expected = sys.argv[1:]
    trace = Trace(load(path))
    trace.check()
    for kind, count, pattern in zip(*[iter(expected)] * 3):
        seen = trace.count(kind, pattern)
        if seen < int(count) or (seen != int(count) and not count.startswith("+")):
            sys.exit("%d of %s %r, not %s" % (seen, kind, pattern, count))


try:
    main()
except (AssertionError, ValueError, KeyError) as error:
    sys.exit("%s: %s" % (type(error).__name__, error))
