"""Our engines beside Maude, on the same formulas: 100 of each nesting 1 to 6, each program from its start to its end,
one after the other in every round; the best of 10 rounds.
usage: NRS=build/release/bin/nrs python3 benchmarks/against_maude.py DOMAIN [MODEL...]
A MODEL that ends in .cpp is what `nrs rules MODEL --format cpp` wrote: it is compiled with g++ -O2 before.

Maude reads the formulas as terms of the modules in tests/maude_terms.py, our program as lines of text. The processor
time of a program counts as well as the time on the clock, which other programs lengthen."""
import csv
import io
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import maude_terms  # noqa: E402

NRS = os.environ["NRS"]
ROUNDS = 10
MODULES = {"arithmetic": "ARITHMETIC", "algebra": "ARITHMETIC", "listops": "LISTOPS", "logic": "LOGIC"}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spend(work):
    start, used = time.perf_counter(), processor_seconds()
    work()
    return time.perf_counter() - start, processor_seconds() - used


def simplify(text, *how):
    done = subprocess.run([NRS, "simplify", *how], input=text, text=True, capture_output=True)
    return done.stdout


def emitted(source, folder):
    program = os.path.join(folder, pathlib.Path(source).stem)
    subprocess.run(["g++", "-O2", "-o", program, source], check=True)
    return lambda text: subprocess.run([program], input=text, text=True, capture_output=True).stdout


def term(domain, formula):
    made = getattr(maude_terms, domain)(formula)
    return made[0] if domain == "algebra" else made


domain, models = sys.argv[1], sys.argv[2:]
formulas = []
for level in range(1, 7):
    made = subprocess.run([NRS, "generate", domain, "--nesting", str(level), "--count", "100", "--seed", "2025"],
                          capture_output=True, text=True, check=True).stdout
    formulas += [row["X"] for row in csv.DictReader(io.StringIO(made))]
terms = [term(domain, formula) for formula in formulas]
text = "\n".join(formulas) + "\n"
programs = {"Maude": lambda: maude_terms.maude(MODULES[domain], terms),
            "oracle": lambda: simplify(text, "--domain", domain, "--engine", "oracle")}
folder = tempfile.TemporaryDirectory()
for model in models:
    if model.endswith(".cpp"):
        programs[model] = lambda program=emitted(model, folder.name): program(text)
        continue
    programs[pathlib.Path(model).stem] = lambda model=model: simplify(text, "--domain", domain, "--model", model)
answers = {name: work() for name, work in programs.items() if name != "Maude"}
best = {name: (float("inf"), float("inf")) for name in programs}
for _ in range(ROUNDS):
    for name, work in programs.items():
        best[name] = tuple(map(min, best[name], spend(work)))
print("%s: %d formulas, %d characters; the best of %d rounds" % (domain, len(formulas), len(text), ROUNDS))
for name, (clock, used) in best.items():
    same = "" if name == "Maude" or answers[name] == answers["oracle"] else ", other answers than the oracle"
    print("%-22s %7.1f ms, %.2f times Maude; processor %7.1f ms, %.2f times Maude%s"
          % (name, clock * 1e3, clock / best["Maude"][0], used * 1e3, used / best["Maude"][1], same))
