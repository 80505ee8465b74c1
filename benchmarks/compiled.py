"""A compiled model beside the model that it was made of.
usage: NRS=build/release/bin/nrs python3 benchmarks/compiled.py equal MODEL COMPILED [DOMAIN...]
       NRS=build/release/bin/nrs python3 benchmarks/compiled.py speed COMPILED

equal: 1,000 formulas of every level that the paper tests, 200 of nesting 8 (logic 40) and 500 in which a leaf has no
value: the whole JSON must be the same, with stop reasons, steps and rounds. Domains: those that are named, else all.
speed: a formula of more than a million characters, a comb 190,000 deep, a million short formulas, and the start."""
import csv
import io
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

NRS = os.environ["NRS"]
LEVELS = {"logic": (12, 40), "listops": (4, 8), "arithmetic": (6, 8), "algebra": (6, 8)}
SEED = "31"


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def formulas(domain, level, count):
    more = ["--args", "2"] if domain == "listops" and level == 8 else []
    done = subprocess.run([NRS, "generate", domain, "--nesting", str(level), "--count", str(count), "--seed", SEED, *more],
                          capture_output=True, text=True, check=True)
    return [row["X"] for row in csv.DictReader(io.StringIO(done.stdout))]


def spoil(formula, draw):
    """Puts what has no value in the place of a leaf, if the domain has such: only logic does."""
    leaves = [m.span() for m in re.finditer(r"\([^()]*\)", formula)]
    begin, end = draw.choice(leaves)
    one, other = draw.sample("abcdefghijklmnopqrstuvwxyz", 2)
    return formula[:begin] + draw.choice(["(%s&%s)", "(%s|%s)"]) % (one, other) + formula[end:]


def answer(model, text):
    used = processor_seconds()
    done = subprocess.run([NRS, "simplify", "--json", "--threads", "1", "--model", model, "-"], input=text, text=True,
                          capture_output=True)
    return done.stdout.splitlines(), processor_seconds() - used


def compare(title, model, compiled, asked):
    text = "\n".join(asked) + "\n"
    (theirs, slow), (ours, fast) = answer(model, text), answer(compiled, text)
    different = [(a, b) for a, b in zip(theirs, ours) if a != b]
    print("%-22s %5d formulas, %8d characters: %d different; processor %.2f s and %.3f s, %.0f times faster"
          % (title, len(asked), len(text), len(different), slow, fast, slow / fast), flush=True)
    for a, b in different[:3]:
        print("  %s\n  %s" % (a[:300], b[:300]))
    return len(different) + abs(len(theirs) - len(ours))


def equal(model, compiled, domains):
    draw, wrong = random.Random(1), 0
    for domain in domains or LEVELS:
        most, deep = LEVELS[domain]
        for level in range(1, most + 1):
            wrong += compare("%s %d" % (domain, level), model, compiled, formulas(domain, level, 1000))
        wrong += compare("%s %d" % (domain, deep), model, compiled, formulas(domain, deep, 200))
        if domain == "logic":
            spoilt = [spoil(formula, draw) for formula in formulas(domain, 5, 500)]
            wrong += compare("logic without value", model, compiled, spoilt)
    print("%d different" % wrong)
    return 1 if wrong else 0


def tree(draw, depth):
    if depth == 0:
        return str(draw.randint(-99, 99))
    return "(%s%s%s)" % (tree(draw, depth - 1), draw.choice("+-*"), tree(draw, depth - 1))


def timed(title, compiled, text, count):
    with tempfile.TemporaryFile("w+") as lines:
        lines.write(text)
        lines.flush()
        best = (float("inf"), float("inf"))
        for _ in range(5):
            lines.seek(0)
            start, used = time.perf_counter(), processor_seconds()
            subprocess.run([NRS, "simplify", "--threads", "1", "--model", compiled, "-"], stdin=lines,
                           stdout=subprocess.DEVNULL, check=True)
            best = tuple(map(min, best, (time.perf_counter() - start, processor_seconds() - used)))
    print("%-32s %8d characters, %.3f s, processor %.3f s%s"
          % (title, len(text), *best, "" if count == 1 else ", %.2f million a second" % (count / best[1] / 1e6)))


def speed(compiled):
    draw = random.Random(1)
    timed("start: one leaf", compiled, "(1+2)\n", 1)
    timed("tree of nesting 18", compiled, tree(draw, 18) + "\n", 1)
    deep = 190_000
    timed("comb 190,000 deep, from the left", compiled,
          "(" * deep + "1" + "".join("+%d)" % (i % 90) for i in range(deep)) + "\n", 1)
    timed("comb 190,000 deep, to the right", compiled,
          "".join("(%d+" % (i % 90) for i in range(deep)) + "1" + ")" * deep + "\n", 1)
    timed("a million short formulas", compiled, "".join(tree(draw, 1) + "\n" for _ in range(1_000_000)), 1_000_000)
    print("memory for a tree of nesting 18: %.1f MB" % memory(compiled, tree(draw, 18) + "\n"))


def memory(compiled, text):
    """A program begins with the memory of the one that starts it, so a small one does."""
    helper = ("import os,resource,subprocess,sys\n"
              "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", helper, NRS, "simplify", "--threads", "1", "--model", compiled, "-"],
                          input=text, text=True, capture_output=True, check=True)
    return int(done.stdout) / 1e3


if __name__ == "__main__":
    if sys.argv[1] == "equal":
        sys.exit(equal(sys.argv[2], sys.argv[3], sys.argv[4:]))
    speed(sys.argv[2])
