"""What the scripts of this directory share."""
import json
import os
import subprocess
import sys

TIERS = {"hb": "happens-before", "sp": "sync-preserving", "max": "maximal"}
HERE = os.path.dirname(os.path.abspath(__file__))


def programs():
    return sorted(os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith((".c", ".cc")))


def load(path):
    with open(path) as f:
        return json.load(f)


def marks(file):
    """What the program says of itself; it is a mistake of the program's if it cannot be read."""
    return json.loads(subprocess.run([os.path.join(HERE, "marks"), file], stdout=subprocess.PIPE, check=True).stdout)[0]


def build(build_dir, file, program, flags):
    compiler = os.path.join(build_dir, "omen-c++" if file.endswith(".cc") else "omen-cc")
    r = subprocess.run([compiler, "-g", "-O1", file, *flags, "-o", program], capture_output=True, timeout=120)
    return "" if r.returncode == 0 else "it does not build: " + r.stderr.decode()[:300]


def predict(build_dir, program, work):
    """What omen predict says of a run of the program, or why it says nothing."""
    report = os.path.join(work, "report.json")
    r = subprocess.run([os.path.join(build_dir, "omen"), "predict", "--format", "json", "-o", report, "--data",
                        os.path.join(work, "data"), "--", program], capture_output=True, timeout=120, cwd=work)
    if r.returncode not in (0, 66):
        return None, "omen predict exits %d: %s" % (r.returncode, r.stderr.decode()[:300])
    return load(report), ""


def predicted(report):
    """Without those that happens-before of C11 sees in the recorded execution and that no other order has."""
    return [race for race in report["races"] if race["found_by"] == "predicted"]


def confirmed(race):
    return race.get("confirmed") is True


def frames(access):
    """Where an access is, and who called that: (file, line) of each."""
    if "location" in access:
        file, line, *_ = (access["location"] + ":0:0").split(":")
        yield file, int(line)
    for frame in [access, *access.get("stack", [])]:
        yield frame.get("file", ""), frame.get("line", 0)


def line_of(access, file):
    """The line in the program; an access inside the C++ library stands at the line that called it. 0: there is none."""
    for name, line in frames(access):
        if os.path.basename(name) == os.path.basename(file):
            return line
    return 0


def lines_of(race, file):
    return tuple(sorted(line_of(a, file) for a in race["accesses"]))


def run(check, prefix):
    build_dir, files, bad = os.path.abspath(sys.argv[1]), sys.argv[2:] or programs(), 0
    for file in files:
        name = prefix + "/" + os.path.splitext(os.path.basename(file))[0]
        try:
            why = check(build_dir, os.path.abspath(file))
        except (subprocess.SubprocessError, ValueError, KeyError, OSError) as e:
            why = "%s: %s" % (type(e).__name__, str(e)[:300])
        print("FAIL %s: %s" % (name, why) if why else "ok " + name, flush=True)
        bad += bool(why)
    return bad != 0
