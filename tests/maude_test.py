"""Our exact engine against Maude, a rewriting system by others: the same value for every formula."""
import csv
import io
import os
import subprocess
import sys

from maude_terms import algebra, arithmetic, listops, logic, maude, monomial

NRS = os.environ["NRS"]
PER_LEVEL = 1000


def run(*arguments, **options):
    return subprocess.run([NRS, *arguments], capture_output=True, text=True, check=True, **options).stdout


def check(domain, levels):
    for level in levels:
        made = run("generate", domain, "--nesting", str(level), "--count", str(PER_LEVEL), "--seed", "2024")
        formulas = [row["X"] for row in csv.DictReader(io.StringIO(made))]
        ours = run("simplify", "--engine", "oracle", "--domain", domain, input="\n".join(formulas) + "\n").split()
        if domain == "algebra":
            terms, names = zip(*map(algebra, formulas))
            theirs = [monomial(c, n) for c, n in zip(maude("ARITHMETIC", terms), names)]
        elif domain == "logic":
            spelt = {"yes": "T", "no": "F"}
            theirs = [spelt.get(v, v.lstrip("'")) for v in maude("LOGIC", map(logic, formulas))]
        else:
            respell = {"arithmetic": arithmetic, "listops": listops}[domain]
            theirs = maude(domain.upper(), map(respell, formulas))
        wrong = [t for t in zip(formulas, ours, theirs) if t[1] != t[2]]
        print("%s nesting %d: %d formulas, %d differ" % (domain, level, len(theirs), len(wrong)))
        if wrong or not len(formulas) == len(ours) == len(theirs) or len(formulas) < 166:
            sys.exit("formula, ours, Maude's: %s" % (wrong[:3],))


check("logic", range(1, 13))
for name in ("listops", "arithmetic", "algebra"):
    check(name, range(1, 7))
