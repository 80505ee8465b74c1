#!/usr/bin/env python3
"""Worked examples of a small rewriting system of our own: sets.

A formula is a set such as {a,c}, or an operator with its arguments in angle brackets:
join<A,B>, meet<A,B>, less<A,B> (what is in A and not in B) and flip<A> (what is not in A).
Written are JSON lines, as docs/data.md describes them: every formula that occurs on the way to a
value, with all the leaves that can be rewritten now.

usage: make_traces.py [DEEPER] > traces.jsonl, with DEEPER formulas of nesting 2 and as many of nesting 3 (300)
"""
import itertools
import json
import random
import re
import sys

EVERYTHING = "abc"
SETS = ["{%s}" % ",".join(c) for n in range(4) for c in itertools.combinations(EVERYTHING, n)]
LEAF = re.compile(r"(join|meet|less)<({[^{}]*}),({[^{}]*})>|(flip)<({[^{}]*})>")


def value(leaf):
    """The set that a leaf stands for: what the neural network will have to learn."""
    name, a, b, flip, c = LEAF.fullmatch(leaf).groups()
    members = lambda text: set(text) & set(EVERYTHING)
    if flip:
        result = set(EVERYTHING) - members(c)
    elif name == "join":
        result = members(a) | members(b)
    else:
        result = members(a) & members(b) if name == "meet" else members(a) - members(b)
    return "{%s}" % ",".join(sorted(result))


def formula(nesting, rng):
    """A random formula: one argument is nested to the full, the other may be less."""
    if nesting == 0:
        return rng.choice(SETS)
    if rng.random() < 0.15:
        return "flip<%s>" % formula(nesting - 1, rng)
    arguments = [formula(nesting - 1, rng), formula(rng.randrange(nesting), rng)]
    rng.shuffle(arguments)
    return "%s<%s,%s>" % (rng.choice(["join", "meet", "less"]), *arguments)


def rounds(text):
    """The formula with its leaves, then what is left when all of them are rewritten, and so on."""
    while text not in SETS:
        yield {"formula": text,
               "steps": [{"begin": m.start(), "end": m.end(), "value": value(m.group())}
                         for m in LEAF.finditer(text)]}
        text = LEAF.sub(lambda m: value(m.group()), text)
    yield {"formula": text, "final": True}


def examples(rng, deeper=300):
    leaves = ["%s<%s,%s>" % (op, a, b) for op in ("join", "meet", "less") for a in SETS for b in SETS]
    leaves += ["flip<%s>" % a for a in SETS]
    nested = [formula(nesting, rng) for nesting in (2, 3) for _ in range(deeper)]
    seen = set()
    for text in leaves + nested:
        for example in rounds(text):
            if example["formula"] not in seen:
                seen.add(example["formula"])
                yield example


if __name__ == "__main__":
    for example in examples(random.Random(1), *map(int, sys.argv[1:])):
        print(json.dumps(example))
