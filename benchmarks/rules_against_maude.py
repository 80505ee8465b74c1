"""Rewriting by rules side by side with Maude, in one run: the programs of the Rewrite Engines Competition.

usage: rules_against_maude.py NRS [FOLDER [MILLISECONDS]]

NRS is the program, FOLDER has .rec files (default: ../shared/trs/rec). Each file that asks for terms is run by Maude, by
`nrs bench --rules` and by the C++ that `nrs rules --format cpp` writes; the table has those for which Maude needs at
least MILLISECONDS (default 50), then larger terms of the same files. Times are CPU times: of Maude what it says itself
of its reductions, of nrs what `nrs bench` says; of the C++ that of the whole process, with reading and printing. Each is
the least of several runs, because the machine is shared."""
import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

NRS = sys.argv[1]
FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[1] / "../shared/trs/rec")
LEAST = float(sys.argv[3]) if len(sys.argv) > 3 else 50
RUNS = 5


def number(n, zero="d0"):
    return "s(" * n + zero + ")" * n


# Larger terms for programs that Maude is through with too soon to measure: name, file to include, term.
LARGER = [
    ("fibonacci 26", "Fibonacci", "fibb(%s)" % number(26)),
    ("factorial 9", "Factorial", "fact(%s)" % number(9)),
    ("bubblesort 500", "BubbleSort", "rev(times(%s,times(d10,d10)))" % number(5)),
    ("mergesort 1000", "MergeSort", "mergesort(rev(times(d10,times(d10,d10))))"),
    ("quicksort 300", "QuickSort", "qsort(rev(times(%s,times(d10,d10))))" % number(3)),
    ("revnat 3000", "Revnat", "rev(gen(times(%s,times(d10,times(d10,d10)))))" % number(3)),
    ("tak 24 16 8", "Tak", "tak(Pos(%s),Pos(%s),Pos(%s))" % (number(24), number(16), number(8))),
]


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True, **options).stdout


def maude(module):
    text = run("sh", "-c", "ulimit -s unlimited; exec maude -no-banner -no-advise -batch -no-wrap %s" % module,
               stdin=subprocess.DEVNULL)
    found = re.findall(r"rewrites: (\d+) in (\d+)ms cpu", text)
    results = [re.sub(r"\s", "", line.split(": ", 1)[1]) for line in text.splitlines() if line.startswith("result ")]
    return sum(int(ms) for _, ms in found) / 1e3, sum(int(n) for n, _ in found), results


def timed(*command, **options):
    """CPU seconds of a process, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = run(*command, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text.split()


def measure(name, path, folder):
    module = folder / "module.maude"
    module.write_text(run(NRS, "rules", path, "--format", "maude"))
    if "\nred " not in module.read_text():
        return None
    theirs = maude(module)
    if theirs[0] * 1e3 < LEAST:
        return None
    theirs = min([theirs] + [maude(module) for _ in range(RUNS - 1)])
    source, program = folder / "emitted.cpp", folder / "emitted"
    run(NRS, "rules", path, "--format", "cpp", "--out", source)
    run("g++", "-O2", "-o", program, source, "-pthread")
    terms = run(NRS, "rules", path, "--format", "rec").split("\nEVAL\n", 1)[1].rsplit("END-SPEC", 1)[0]
    terms = re.sub(r"^ +", "", terms, flags=re.M)
    compiled = min(timed(program, input=terms) for _ in range(RUNS))
    report = json.loads(run(NRS, "bench", "--rules", path, "--seconds", 1, "--json"))
    seconds = sum(term["seconds"]["least"] for term in report["terms"])
    same = [re.sub(r"v2\b", "", t).replace("u", "_") for t in theirs[2]] == [
        t.replace("u", "_") for t in compiled[1]]
    print("%-18s %12d %9.0f %9.0f %6.1f %9.0f %6.1f  %s" % (
        name, theirs[1], theirs[0] * 1e3, seconds * 1e3, theirs[0] / seconds, compiled[0] * 1e3,
        theirs[0] / max(compiled[0], 1e-4), "same" if same else "DIFFERENT"), flush=True)
    return theirs[0] / seconds, theirs[0] / max(compiled[0], 1e-4)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def table(title, programs, folder):
    print("\n%s\n%-18s %12s %9s %9s %6s %9s %6s  %s" % (
        title, "program", "rewrites", "Maude ms", "nrs ms", "times", "C++ ms", "times", "results"))
    ratios = [r for name, path in programs if (r := measure(name, path, folder))]
    if ratios:
        print("%-18s %32s %6.1f %9s %6.1f" % ("geometric mean", "", mean([r[0] for r in ratios]), "",
                                              mean([r[1] for r in ratios])))


with tempfile.TemporaryDirectory() as name:
    temporary = pathlib.Path(name)
    readable = [p for p in sorted(FOLDER.glob("*.rec"))
                if subprocess.run([NRS, "rules", str(p)], capture_output=True).returncode == 0]
    table("programs of at least %.0f ms" % LEAST, [(p.stem, p) for p in readable], temporary)
    for path in FOLDER.glob("*.rec"):
        (temporary / path.name).write_bytes(path.read_bytes())
    larger = []
    for title, base, term in LARGER:
        path = temporary / (re.sub(r"\W", "", title) + "x.rec")
        path.write_text("REC-SPEC X : %s\nSORTS\nCONS\nOPNS\nVARS\nRULES\nEVAL\n  %s\nEND-SPEC\n" % (base, term))
        larger.append((title, path))
    table("larger terms of the same programs", larger, temporary)
