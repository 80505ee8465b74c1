#!/usr/bin/env python3
"""How learning and rewriting by rules grow: seconds over chains and over steps, and the slope of log over log.

  python3 benchmarks/growth.py FOLDER [--nrs PROGRAM]

FOLDER has the rule files (ARI) of the TPDB. Chains are made by `nrs derive`, seed 1; the terms that are rewritten are
multiplications of unary numbers, so that the number of steps is known. Times are processor times of the whole process.
"""
import argparse
import math
import os
import resource
import subprocess
import tempfile

SYSTEMS = ["Der95__08", "AProVE_06__quicksort"]
COUNTS = [1000, 3000, 10000, 30000, 100000]
RULES = "plus(0,?y) -> ?y\nplus(s(?x),?y) -> s(plus(?x,?y))\ntimes(0,?y) -> 0\ntimes(s(?x),?y) -> plus(?y,times(?x,?y))\n"


def processor_seconds(command, **more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def slope(points):
    xs, ys = zip(*((math.log(x), math.log(y)) for x, y in points))
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def learning(nrs, folder, system):
    points = []
    with tempfile.TemporaryDirectory() as temporary:
        name = os.path.join(temporary, "chains")
        for count in COUNTS:
            with open(name, "w") as out:
                subprocess.run([nrs, "derive", os.path.join(folder, system + ".ari"), "--count", str(count), "--depth", "5",
                                "--seed", "1"], check=True, stdout=out, stderr=subprocess.DEVNULL)
            points.append((count, processor_seconds([nrs, "learn", name, "--json"])))
    return points


def rewriting(nrs):
    points = []
    with tempfile.TemporaryDirectory() as temporary:
        name = os.path.join(temporary, "peano.rules")
        open(name, "w").write(RULES)
        for n in (300, 600, 1200, 2400):
            number = "s(" * n + "0" + ")" * n
            steps = n * (n + 1) + n + 1  # plus: n + 1 steps for each of n times; times: n + 1
            points.append((steps, processor_seconds([nrs, "simplify", "--rules", name, "--max-steps", "100000000", "-"],
                                                    input="times(%s,%s)\n" % (number, number), text=True)))
    return points


def show(title, unit, points):
    print("%-28s %s; slope %.2f" % (title, ", ".join("%d %s %.2f s" % (x, unit, y) for x, y in points), slope(points)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--nrs", default=os.path.join(os.path.dirname(__file__), "..", "nrs"))
    options = parser.parse_args()
    for system in SYSTEMS:
        show("learning " + system, "chains", learning(options.nrs, options.folder, system))
    show("rewriting times(n,n)", "steps", rewriting(options.nrs))


if __name__ == "__main__":
    main()
