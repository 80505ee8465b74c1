"""Our engines beside Maude, on the same formulas: 100 of each nesting 1 to 6, each program from its start
to its end. usage: NRS=build/dev/bin/nrs python3 benchmarks/against_maude.py [MODEL]

Maude reads the formulas as terms of the module in tests/maude_test.py, our program as lines of text."""
import csv
import io
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import maude_terms  # noqa: E402

NRS = os.environ["NRS"]
REPEATS = 5


def seconds(work):
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def simplify(formulas, *how):
    subprocess.run([NRS, "simplify", "--domain", "arithmetic", *how], input="\n".join(formulas) + "\n", text=True,
                   capture_output=True)


formulas = []
for level in range(1, 7):
    made = subprocess.run([NRS, "generate", "arithmetic", "--nesting", str(level), "--count", "100", "--seed", "2025"],
                          capture_output=True, text=True, check=True).stdout
    formulas += [row["X"] for row in csv.DictReader(io.StringIO(made))]
terms = [maude_terms.arithmetic(formula) for formula in formulas]
maude = seconds(lambda: maude_terms.maude("ARITHMETIC", terms))
print("%d formulas, %d characters; medians of %d runs" % (len(formulas), sum(map(len, formulas)), REPEATS))
print("Maude   %.3f s" % maude)
engines = [("oracle", ["--engine", "oracle"])]
if len(sys.argv) > 1:
    engines.append(("model", ["--model", sys.argv[1]]))
for name, how in engines:
    ours = seconds(lambda: simplify(formulas, *how))
    print("%-7s %.3f s, %.2f times Maude" % (name, ours, ours / maude))
