#!/usr/bin/env python3
"""Worked derivatives: d(mul(x,x)) -> plus(mul(d(x),x),mul(x,d(x))) -> ... -> plus(x,x).

Each line is a chain that rewrites the first innermost place again and again, as a person would who works from the inside
and from the left. The rule for the cosine is used twice only, on cos(x) and cos(a): who sees nothing else has to guess it.

usage: make_derivatives.py > derivatives.txt
       make_derivatives.py --page > page.txt, one term to differentiate that fills a page: 3,000 characters or more
"""
import random
import sys

PAGE = 3000
ATOMS = ("x", "a", "0", "1")


def derivative(u):
    """What d(u) becomes in one step."""
    if isinstance(u, str):
        return "1" if u == "x" else "0"
    name, *parts = u
    if name == "plus":
        return ("plus", ("d", parts[0]), ("d", parts[1]))
    if name == "mul":
        return ("plus", ("mul", ("d", parts[0]), parts[1]), ("mul", parts[0], ("d", parts[1])))
    inner = ("d", parts[0])
    return {"sin": ("mul", ("cos", parts[0]), inner),
            "cos": ("neg", ("mul", ("sin", parts[0]), inner)),
            "exp": ("mul", ("exp", parts[0]), inner)}[name]


def rewritten(term):
    """What the term itself becomes in one step, if it is the left side of a rule."""
    if isinstance(term, str):
        return None
    name, *parts = term
    if name == "d":
        return derivative(parts[0])
    if name == "mul" and "0" in parts:
        return "0"
    neutral = {"plus": "0", "mul": "1"}.get(name)
    if neutral in parts:
        return parts[1 - parts.index(neutral)]
    return None


def step(term):
    """The term after one rewrite of its first innermost place, or nothing."""
    if isinstance(term, str):
        return None
    for place, part in enumerate(term[1:], 1):
        inner = step(part)
        if inner is not None:
            return term[:place] + (inner,) + term[place + 1:]
    return rewritten(term)


def chain(term):
    written = []
    while term is not None:
        written.append(text(term))
        term = step(term)
    return written


def text(term):
    return term if isinstance(term, str) else "%s(%s)" % (term[0], ",".join(map(text, term[1:])))


def function(depth, rng):
    """A random function of x to differentiate."""
    if depth == 0:
        return rng.choice("xxxxaaa01")
    name = rng.choice(("plus", "mul", "mul", "sin", "exp"))
    parts = [function(rng.randrange(depth), rng) for _ in range(2 if name in ("plus", "mul") else 1)]
    return (name, *parts)


def chains(rng, count):
    made = {("d", term): None for term in (*ATOMS, ("cos", "x"), ("cos", "a"))}
    while len(made) < count:
        made[("d", function(rng.randint(1, 3), rng))] = None
    terms = list(made)
    rng.shuffle(terms)
    return [chain(term) for term in terms]


def page(rng):
    """The derivative of a long sum whose parts are deeper than those of any example."""
    total = function(5, rng)
    while len(text(("d", total))) < PAGE:
        total = ("plus", total, function(5, rng))
    return ("d", total)


if __name__ == "__main__":
    if sys.argv[1:] == ["--page"]:
        print(text(page(random.Random(2))))
    else:
        for written in chains(random.Random(1), 300):
            print(" -> ".join(written))
