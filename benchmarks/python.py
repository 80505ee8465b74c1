"""How fast lists of formulas are in Python, beside the C++ library.
usage: BUILD=build/dev /usr/bin/python3 benchmarks/python.py [ROUNDS [MODEL DOMAIN NESTING COUNT]...]

Without models: the network `multi`, the default model, and `logic` compiled (./nrs compile logic) just now. Both are asked the same
distinct formulas in one call, in the same run and by turns, with a model that was loaded anew. Of each the least
seconds of processor count: what else the machine does can only add to them. Python's seconds include making the list of
values. The library takes formulas literally, and so does Python with `literal`; otherwise it reads them as people write
them, which is measured, too. Fails if Python has less than 80 % of the throughput of the library, either way, or
if other formulas are answered."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ["BUILD"]).resolve()
sys.path.insert(0, str(BUILD / "python"))

import nrs  # noqa: E402

SEED = 2026
LEAST = 0.8


def in_python(path, formulas, literal):
    model = nrs.load(path, literal=literal)
    start = time.process_time()
    values = model.simplify(formulas).values
    return time.process_time() - start, len(values) - values.count(None)


def in_cpp(path, formulas):
    done = subprocess.run([BUILD / "bin" / "bench_list", path, "1"], input="\n".join(formulas), capture_output=True,
                          text=True, check=True)
    seconds, answered = done.stdout.split()
    return float(seconds), int(answered)


def compare(model, domain, nesting, count, rounds):
    path = nrs.load(model).path
    formulas = [question for question, _ in nrs.generate(domain, int(nesting), int(count), seed=SEED)]
    ways = {"library": lambda: in_cpp(path, formulas), "Python": lambda: in_python(path, formulas, True),
            "Python, reading": lambda: in_python(path, formulas, False)}
    turns = [[way() for way in ways.values()] for _ in range(rounds)]
    least = dict(zip(ways, map(min, zip(*turns))))
    library = least["library"][0]
    print(f"{path.stem}: {len(formulas)} formulas of {domain}, nesting {nesting}")
    for way, (seconds, answered) in least.items():
        print(f"  {way:<16} {seconds * 1e6 / len(formulas):8.2f} microseconds of processor each, "
              f"{library / seconds:4.0%} of the throughput, {answered} answered", flush=True)
    same = len({answered for turn in turns for _, answered in turn}) == 1
    return same and all(library / seconds >= LEAST for seconds, _ in least.values())


def main(rounds="5", *words):
    cases = list(zip(*[iter(words)] * 4, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        if not cases:
            compiled = os.path.join(folder, "logic-compiled.nrs")
            subprocess.run([BUILD / "bin" / "nrs", "compile", "logic", "--out", compiled], check=True,
                           stdout=subprocess.DEVNULL)
            cases = [("multi", "arithmetic", 3, 2000), ("multi-compiled", "arithmetic", 3, 20000), (compiled, "logic", 3, 50000), (compiled, "logic", 12, 500)]
        fine = [compare(*case, int(rounds)) for case in cases]
    sys.exit(0 if all(fine) else "Python is too slow, or answers other formulas")


main(*sys.argv[1:])
