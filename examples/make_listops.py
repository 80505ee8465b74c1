#!/usr/bin/env python3
"""Questions with answers about ListOps with two arguments: [MAX [SM 7 5] 1] = 2.

MAX and MIN are the greatest and the least, SM is the sum modulo 10. Written are all 300 leaves,
each twice, and random questions of nesting 2 and 3. Steps are not shown.

usage: make_listops.py > listops.txt
"""
import random
import re

OPERATORS = {"MAX": max, "MIN": min, "SM": lambda a, b: (a + b) % 10}
LEAF = re.compile(r"\[(\w+) (\d) (\d)\]")


def question(nesting, rng):
    """A random question: one argument is nested to the full, the other may be less."""
    if nesting == 0:
        return str(rng.randrange(10))
    arguments = [question(nesting - 1, rng), question(rng.randrange(nesting), rng)]
    rng.shuffle(arguments)
    return "[%s %s %s]" % (rng.choice(list(OPERATORS)), *arguments)


def answer(text):
    while not text.isdigit():
        text = LEAF.sub(lambda m: str(OPERATORS[m[1]](int(m[2]), int(m[3]))), text)
    return text


def examples(rng):
    leaves = ["[%s %d %d]" % (name, a, b) for name in OPERATORS for a in range(10) for b in range(10)]
    nested = [question(nesting, rng) for nesting, count in ((2, 600), (3, 300)) for _ in range(count)]
    questions = leaves * 2 + nested
    rng.shuffle(questions)
    return questions


if __name__ == "__main__":
    for text in examples(random.Random(1)):
        print(text, "=", answer(text))
