#!/usr/bin/env python3
"""Normal forms of random terms, by nrs and by Maude, of every system in a folder of rule files (ARI).

  python3 benchmarks/systems_against_maude.py FOLDER [--terms 1000] [--seed 1] [--nrs PROGRAM] [--only PART]

The Maude modules are written here, with names of their own, and share no code with nrs. Terms with very long
rewritings are passed over.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import relearn

LONGEST = 2000  # rewrites, with equal parts rewritten once
LARGEST = 20000  # symbols of the normal form


def spelt(term, names):
    if isinstance(term, str):
        return "V" + names.setdefault(term, str(len(names))) + ":T"
    return names[term[0]] + ("(" + ",".join(spelt(a, names) for a in term[1:]) + ")" if len(term) > 1 else "")


def module(system, names):
    lines = ["fmod SYSTEM is", "sort T ."]
    lines += ["op %s : %s -> T ." % (names[f], "T " * n) for f, n in system.arity.items()]
    lines += ["eq %s = %s ." % (spelt(l, local), spelt(r, local)) for l, r in system.rules for local in [dict(names)]]
    return "\n".join(lines + ["endfm", ""])


def terms_of(system, count, rng):
    store = relearn.Store()
    engine, terms, tries = relearn.Engine(system.rules, store), [], 0
    while len(terms) < count and tries < 5 * count:
        tries += 1
        term = system.sample(rng.randint(2, 7), rng)
        try:
            if store.sizes[engine.normal_form(store.intern(term), LONGEST)] <= LARGEST:
                terms.append(term)
        except (TimeoutError, RecursionError):
            pass
    return terms


def by_maude(system, terms):
    names = {f: "f%d" % k for k, f in enumerate(system.arity)}
    with tempfile.NamedTemporaryFile("w", suffix=".maude") as file:
        file.write(module(system, names) + "".join("red %s .\n" % spelt(t, names) for t in terms))
        file.flush()
        text = subprocess.run(["sh", "-c", "ulimit -s unlimited; exec maude -no-banner -no-advise -batch -no-wrap " + file.name],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    back = {name: f for f, name in names.items()}
    results = [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("result ")]
    return [relearn.show(relearn.parse(re.sub(r"f\d+", lambda m: "|%s|" % back[m[0]], r))) for r in results]


def by_nrs(nrs, path, terms):
    lines = "\n".join(map(quoted, terms)) + "\n"
    done = subprocess.run([nrs, "simplify", "--rules", path, "-"], input=lines, capture_output=True, text=True)
    return [relearn.show(relearn.parse(line)) for line in done.stdout.splitlines()]


def quoted(term):
    args = ",".join(map(quoted, term[1:]))
    return "|%s|" % term[0] + ("(%s)" % args if args else "")


def differences(nrs, path, count, seed):
    """The number of terms, and those with different normal forms: term, ours, Maude's."""
    options = argparse.Namespace(sorts="inferred", shape="deep", roots="defined", constants=None)
    system = relearn.System(path, options)
    terms = terms_of(system, count, random.Random("%s %d" % (os.path.basename(path), seed)))
    ours, theirs = by_nrs(nrs, path, terms), by_maude(system, terms)
    if len(ours) != len(terms) or len(theirs) != len(terms):
        return len(terms), [("all", "%d answers" % len(ours), "%d answers" % len(theirs))]
    return len(terms), [row for row in zip(map(relearn.show, terms), ours, theirs) if row[1] != row[2]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--terms", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nrs", default=os.path.join(os.path.dirname(__file__), "..", "nrs"))
    parser.add_argument("--only", default="", help="systems whose name has this in it")
    options = parser.parse_args()
    systems = terms = wrong = 0
    for name in sorted(os.listdir(options.folder)):
        if not name.endswith(".ari") or options.only not in name:
            continue
        count, different = differences(options.nrs, os.path.join(options.folder, name), options.terms, options.seed)
        systems, terms, wrong = systems + 1, terms + count, wrong + len(different)
        if different or count < options.terms:
            print("%s: %d terms, %d different%s" % (name, count, len(different), ", such as %s" % (different[0],) if different else ""), flush=True)
    print("systems %d, terms %d, different normal forms %d" % (systems, terms, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
