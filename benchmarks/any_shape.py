#!/usr/bin/env python3
"""Do the models that know every leaf solve formulas of any shape, and refuse those that have no value?
usage: python3 benchmarks/any_shape.py [MODEL...]

2,000 distinct formulas of each domain, up to 8 deep, from a generator that shares nothing with nrs generate: it splits
a budget of operators at random, so that lopsided and balanced trees, short and long lists and all atoms mix. The oracle
says which value a formula has, if it has one. A model must give that value, and must not answer a formula without one.
Fails if some model errs. The draws are from seed 20261118."""
import json
import os
import pathlib
import random
import string
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NRS = os.environ.get("NRS", str(ROOT / "nrs"))
COUNT, DEPTH, SEED = 2000, 8, 20261118
DOMAINS = ("logic", "listops", "arithmetic", "algebra")
MODELS = ["multi-compiled"] + [prefix + name for prefix in ("", "nrs-") for name in ("multi", *DOMAINS)]


class Shapes:
    """Trees of random shape; a domain says how a node and an atom are written."""
    def __init__(self, domain, rng):
        self.rng = rng
        self.node, self.atom = {"logic": (self.connective, self.letter), "listops": (self.list, self.digit),
                                "arithmetic": (self.operation, self.number), "algebra": (self.sum, self.monomial)}[domain]
        self.variables = []

    def formula(self):
        self.variables = self.rng.choice(["x", "y", "ax", "bx", "ay", "by", "abx", "xy", "abxy"])
        return self.tree(self.rng.randint(1, 24), DEPTH)

    def tree(self, operators, depth):
        return self.node(operators - 1, depth - 1) if operators > 0 and depth > 0 else self.atom()

    def parts(self, count, operators, depth):
        cuts = sorted(self.rng.randint(0, operators) for _ in range(count - 1))
        return [self.tree(end - begin, depth) for begin, end in zip([0, *cuts], [*cuts, operators])]

    def connective(self, operators, depth):
        if self.rng.random() < 0.2:
            return "(!%s)" % self.parts(1, operators, depth)[0]
        return "(%s)" % self.rng.choice("&|").join(self.parts(2, operators, depth))

    def letter(self):
        return self.rng.choice("TF" if self.rng.random() < 0.6 else string.ascii_lowercase)

    def list(self, operators, depth):
        arguments = self.parts(self.rng.randint(2, 4), operators, depth)
        return "[%s%s]" % (self.rng.choice(["MIN", "MAX", "SM"]), "".join(arguments))

    def digit(self):
        return self.rng.choice(string.digits)

    def operation(self, operators, depth):
        return "(%s)" % self.rng.choice("+-*").join(self.parts(2, operators, depth))

    def number(self):
        return str(self.rng.randint(-99, 99) if self.rng.random() < 0.7 else self.rng.randint(-9, 9))

    def sum(self, operators, depth):
        return "(%s)" % self.rng.choice("+-").join(self.parts(2, operators, depth))

    def monomial(self):
        size = self.rng.choice([9, 99])
        factor = self.rng.choice(["", "%d*" % self.rng.randint(0, size), "%+d*" % self.rng.randint(-size, size)])
        return factor + "*".join(self.rng.sample(self.variables, len(self.variables)))


def answers(formulas, *options):
    """The value of each formula; nothing where none is given; False where the reader does not accept it."""
    done = subprocess.run([NRS, "simplify", "--json", *options, "-"], input="\n".join(formulas) + "\n",
                          capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(formulas), done.stderr
    return [False if "error" in line else line["result"] if line["stop"] == "final" else None for line in lines]


def questions(domain):
    """Formulas that the reader accepts, and their values."""
    shapes, asked = Shapes(domain, random.Random("%d %s" % (SEED, domain))), {}
    while len(asked) < COUNT:
        made = list(dict.fromkeys(shapes.formula() for _ in range(COUNT)))
        values = answers(made, "--engine", "oracle", "--domain", domain)
        asked.update((text, value) for text, value in zip(made, values) if value is not False)
    return dict(list(asked.items())[:COUNT])


def domains_of(model):
    told = subprocess.run([NRS, "info", model, "--json"], capture_output=True, text=True, check=True).stdout
    return json.loads(told)["domains"]


def main(models):
    asked, failed = {domain: questions(domain) for domain in DOMAINS}, False
    for model in models:
        for domain in domains_of(model):
            said = answers(list(asked[domain]), "--model", model, "--domain", domain)
            pairs = list(zip(asked[domain].values(), said))
            valued = [(value, answer) for value, answer in pairs if value is not None]
            right, refused = sum(value == answer for value, answer in valued), sum(value is answer is None for value, answer in pairs)
            print("%-15s %-10s %4d of %4d right, %4d of %4d without a value refused" %
                  (model, domain, right, len(valued), refused, len(pairs) - len(valued)), flush=True)
            failed |= right + refused < len(pairs)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or MODELS))
