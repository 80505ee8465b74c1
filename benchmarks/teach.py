#!/usr/bin/env python3
"""Teaches nrs text systems that it has never seen, by one command each, and measures what it learned.

The systems are written here, exactly, and share no code with nrs: it sees a file of examples and nothing else.

  python3 benchmarks/teach.py                                  all systems below, as a table
  python3 benchmarks/teach.py booleans-steps sorting           some of them
  python3 benchmarks/teach.py --write booleans-steps --count 300 > examples.txt

  --count N     examples instead of those below        --seed S      of examples and of questions
  --noise P     share of examples with a wrong value   --minutes M   for a Solver
  --nrs FILE    the program                            --keep DIR    for examples, questions and models
  --results DIR writes a result file for each system, from which nrs report makes the table in docs/results.md
"""
import argparse
import csv
import itertools
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.setrecursionlimit(100000)


# --- the systems: random questions, and the places of a formula that one step may rewrite ---------
def boolean(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.25:
        return rng.choice(["True", "False"])
    if kind < 0.45:
        return "not " + (boolean(rng, 0) if rng.random() < 0.5 else "( " + boolean(rng, depth - 1) + " )")
    if kind < 0.6:
        return "( " + boolean(rng, depth - 1) + " )"
    return boolean(rng, depth - 1) + rng.choice([" and ", " or "]) + boolean(rng, depth - 1)


def boolean_leaves(text):
    t, values, found = text.split(), ("True", "False"), []
    for i, word in enumerate(t):
        left, rest = (t[i - 1] if i else ""), t[i:] + [""] * 4
        if word == "not" and rest[1] in values:
            found.append((i, i + 2, str(rest[1] == "False")))
        elif word == "(" and rest[1] in values and rest[2] == ")":
            found.append((i, i + 3, rest[1]))
        elif word in values and rest[2] in values and left not in ("not", "and"):
            if rest[1] == "and":
                found.append((i, i + 3, str(word == rest[2] == "True")))
            if rest[1] == "or" and left != "or" and rest[3] != "and":
                found.append((i, i + 3, str("True" in (word, rest[2]))))
    return t, found


def two_digits(value):
    return (-1 if value < 0 else 1) * (abs(value) % 100)


def compute(a, sign, b):
    return two_digits({"+": a + b, "-": a - b, "*": a * b}[sign])


def number(rng):
    return str(rng.randrange(-99, 100))


def precedence(rng, operators):
    return number(rng) + "".join(rng.choice("+-*") + number(rng) for _ in range(operators))


def every_operation():
    return ("%d%s%d" % (a, sign, b) for a in range(-99, 100) for sign in "+-*" for b in range(-99, 100))


def precedence_leaves(text):
    t, items = re.findall(r"\d+|[-+*]", text), []
    while (k := items[-1][3] if items else 0) < len(t):
        operand = not items or items[-1][0] is None
        size = 2 if operand and t[k] == "-" else 1
        items.append((int("".join(t[k:k + size])) if operand else None, t[k], k, k + size))
    found = []
    for i in range(0, len(items) - 2, 2):
        left = items[i - 1][1] if i else ""
        right = items[i + 3][1] if i + 3 < len(items) else ""
        sign = items[i + 1][1]
        if (sign == "*" and left != "*") or (sign != "*" and not left and right != "*"):
            found.append((items[i][2], items[i + 2][3], str(compute(items[i][0], sign, items[i + 2][0]))))
    return t, found


def bracketed(rng, depth):
    if depth == 0:
        return number(rng)
    other = rng.randrange(depth)
    a, b = (depth - 1, other) if rng.random() < 0.5 else (other, depth - 1)
    return "(" + bracketed(rng, a) + rng.choice("+-*") + bracketed(rng, b) + ")"


def bracketed_leaves(text):
    found = []
    for m in re.finditer(r"\((-?\d+)([-+*])(-?\d+)\)", text):
        found.append((m.start(), m.end(), str(compute(int(m[1]), m[2], int(m[3])))))
    return list(text), found


LISTOPS = {"MIN": min, "MAX": max, "MED": lambda x: int(statistics.median(x)), "SM": lambda x: sum(x) % 10}


def listops(rng, depth, most=5, words=("MAX", "MED", "MIN", "SM")):
    if depth == 0:
        return str(rng.randrange(10))
    count = rng.randrange(2, most + 1)
    deep = rng.randrange(count)
    parts = [listops(rng, depth - 1 if k == deep else rng.randrange(depth) if rng.random() < 0.3 else 0, most, words)
             for k in range(count)]
    return "[" + rng.choice(words) + " " + " ".join(parts) + " ]"


def listops_leaves(text):
    t, found = text.split(), []
    for i, word in enumerate(t):
        if word[0] == "[":
            j = i + 1
            while t[j].isdigit():
                j += 1
            if t[j] == "]":
                found.append((i, j + 1, str(LISTOPS[word[1:]]([int(x) for x in t[i + 1:j]]))))
    return t, found


def short_listops(rng, depth):
    """For teaching. Half of the lists have few different digits, so that ties are common."""
    if depth == 0:
        return str(rng.randrange(10))
    count = rng.randrange(2, 6)
    deep = rng.randrange(count) if depth > 1 else -1
    few = rng.sample("0123456789", rng.choice([1, 2, 3, 10, 10, 10]))
    parts = [short_listops(rng, depth - 1) if k == deep else
             short_listops(rng, rng.randrange(depth)) if depth > 1 and rng.random() < 0.2 else rng.choice(few)
             for k in range(count)]
    return "[" + rng.choice(list(LISTOPS)) + " " + " ".join(parts) + " ]"


def official_listops(rng, depth):
    """The published generator (Nangia and Bowman 2018): an operator with probability 1/4, at most 20 deep."""
    if depth == 20 or rng.random() > 0.25:
        return str(rng.randrange(10))
    parts = [official_listops(rng, depth + 1) for _ in range(rng.randint(2, 5))]
    return "[" + rng.choice(list(LISTOPS)) + " " + " ".join(parts) + " ]"


def long_listops_leaves(text):
    """Two arguments at a time. A median, [MID while it is at work, carries the largest to the end and drops it, then
    the smallest to the front and drops it, and so on: { 7 } is carried to the right, ( 2 ) to the left."""
    t, found = text.split(), []
    is_number = lambda k: k < len(t) and t[k].isdigit()
    for i, word in enumerate(t):
        a, b, rest = is_number(i + 1), is_number(i + 2), t[i + 1:i + 5] + [""] * 4
        if word == "[MED" and a and b:
            found.append((i, i + 3, "[MID %s { %s }" % (min(rest[:2]), max(rest[:2]))))
        elif word == "[MID" and a and rest[1] == "{" and t[i + 5] == "]":
            found.append((i, i + 6, str((int(rest[0]) + int(rest[2])) // 2)))
        elif word == "[MID" and rest[0] == "(":
            found.append((i, i + 4, "[MED"))
        elif word[0] == "[" and a and b and word != "[MID":
            found.append((i, i + 3, word + " " + str(LISTOPS[word[1:]]([int(rest[0]), int(rest[1])]))))
        elif word[0] == "[" and a and rest[1] == "]":
            found.append((i, i + 3, rest[0]))
        elif word == "{" and is_number(i + 3):
            found.append((i, i + 4, "%s { %s }" % (min(rest[0], rest[2]), max(rest[0], rest[2]))))
        elif is_number(i) and rest[0] == "{" and rest[3] == "]" and is_number(i - 1):
            found.append((i, i + 4, "( %s )" % word))
        elif is_number(i) and rest[0] == "(":
            found.append((i, i + 4, "( %s ) %s" % (min(word, rest[1]), max(word, rest[1]))))
    return t, found


def long_listops(rng, depth):
    if depth <= 2:
        return listops(rng, depth, 5)
    while True:
        text = listops(rng, depth, 10)
        if 500 <= len(text.split()) <= 2000:
            return text


def word(letters):
    return lambda rng, size: "".join(rng.choice(letters) for _ in range(size))


def swaps(text):
    return list(text), [(i, i + 2, text[i + 1] + text[i]) for i in range(len(text) - 1) if text[i] > text[i + 1]]


def increment_leaves(text):
    i = text.find("^")
    if i < 0:
        return list(text), []
    return list(text), [(0, 1, "1") if i == 0 else (i - 1, i + 1, "1" if text[i - 1] == "0" else "^0")]


def addition(rng, size):
    """Two numbers, digit above digit, and the carry: <24><95>n -> <24>(4 and carry)."""
    return "".join("<%d%d>" % (rng.randrange(10), rng.randrange(10)) for _ in range(size)) + "n"


def addition_leaves(text):
    m = re.search(r"<(\d)(\d)>([nc])", text)
    if m:
        value = int(m[1]) + int(m[2]) + (m[3] == "c")
        return list(text), [(m.start(), m.end(), ("c" if value > 9 else "n") + str(value % 10))]
    m = re.match(r"([nc])", text)
    return list(text), [(0, 1, "1" if m[1] == "c" else "")] if m else []


def cancel(text):
    return list(text), [(i, i + 2, "") for i in range(len(text) - 1) if text[i] != text[i + 1]
                        and text[i].lower() == text[i + 1].lower()]


def unary(rng, size):
    return "1" * rng.randrange(1, size + 1) + "".join("+" + "1" * rng.randrange(1, size + 1) for _ in range(size))


def unary_leaves(text):
    return list(text), [(i, i + 3, "11") for i in range(len(text) - 2) if text[i:i + 3] == "1+1"]


# --- examples -----------------------------------------------------------------------------------------
class System:
    """`draw(rng, size)`; sizes of examples and of questions; "steps", "rounds", "pairs" or "answers".

    `ask` draws the questions, all different, if not `draw`. `every` lists examples that are always there.
    """

    def __init__(self, draw, leaves, blank, sizes, deep, form, count, questions=300, ask=None, every=None):
        self.ask, self.every = ask, every
        self.draw, self.leaves, self.blank = draw, leaves, blank
        self.sizes, self.deep, self.form, self.count, self.questions = sizes, deep, form, count, questions

    def chain(self, text, rng, rounds=False):
        chain = [text]
        while True:
            tokens, found = self.leaves(text)
            if not found:
                return chain
            chosen, end = [], 0
            for leaf in found if rounds else [rng.choice(found)]:
                if leaf[0] >= end:
                    chosen.append(leaf)
                    end = leaf[1]
            for begin, end, value in reversed(chosen):
                tokens = tokens[:begin] + ([value] if value else []) + tokens[end:]
            text = self.blank.join(tokens)
            chain.append(text)

    def answer(self, text):
        tokens, found = self.leaves(text)
        while found:
            done = []
            at = 0
            for begin, end, value in found:
                if begin >= at:
                    done += tokens[at:begin] + ([value] if value else [])
                    at = end
            text = self.blank.join(done + tokens[at:])
            tokens, found = self.leaves(text)
        return text

    def examples(self, count, seed, noise):
        rng = random.Random(seed)
        wrong = random.Random(seed + 1)
        drawn = (self.draw(rng, rng.choice(self.sizes)) for _ in range(count))
        for text in itertools.chain(self.every() if self.every else [], drawn):
            if self.form == "answers":
                chain = [text, self.answer(text)]
            else:
                chain = self.chain(text, rng, self.form == "rounds")
            if wrong.random() < noise and len(chain) > 1:
                chain[-1] = self.answer(self.draw(wrong, min(self.sizes)))
            if self.form == "answers":
                yield " = ".join(chain)
            elif self.form == "pairs":
                yield from (a + " -> " + b for a, b in zip(chain, chain[1:]))
            else:
                yield " -> ".join(chain)

    def tests(self, seed):
        rng = random.Random(seed + 1000)
        asked = set()
        while len(asked) < self.questions and self.ask:
            text = self.ask(rng, rng.choice(self.deep))
            if text not in asked:
                asked.add(text)
                yield text, self.answer(text)
        for _ in range(0 if self.ask else self.questions):
            text = self.draw(rng, rng.choice(self.deep))
            yield text, self.answer(text)


OPTIONS = None  # of the command line
NRS = str(Path(__file__).resolve().parent.parent / "nrs")


class Domain:
    """One of the paper's four, from `nrs generate`: formulas of nesting 1 to 3 with their values; asked at nesting 6."""
    form = "answers"

    def __init__(self, name, count):
        self.name, self.count = name, count

    def rows(self, nesting, count, seed):
        made = subprocess.run([OPTIONS.nrs, "generate", self.name, "--nesting", nesting, "--count", str(count), "--seed",
                               str(seed)], capture_output=True, text=True, check=True).stdout
        return [(row["X"], row["Y"]) for row in csv.DictReader(made.splitlines())]

    def examples(self, count, seed, noise):
        if noise:
            sys.exit("no noise in the paper's domains")
        return (" = ".join(row) for row in self.rows("1-3", count, seed))

    def tests(self, seed):
        return self.rows("6", 1000, seed + 1000)


SYSTEMS = {
    "booleans-steps": System(boolean, boolean_leaves, " ", [1, 2, 3, 3], range(4, 9), "steps", 300),
    "booleans-rounds": System(boolean, boolean_leaves, " ", [1, 2, 3, 3], range(4, 9), "rounds", 300),
    "booleans-answers": System(boolean, boolean_leaves, " ", [1, 2, 3, 3], range(4, 9), "answers", 3000),
    "sorting": System(word("abc"), swaps, "", range(1, 13), [1000], "steps", 300, 20),
    "increment": System(lambda r, n: word("01")(r, n) + "^", increment_leaves, "", range(1, 13), [1000], "steps", 200, 50),
    "addition": System(addition, addition_leaves, "", range(1, 13), [1000], "steps", 400, 50),
    "unary": System(unary, unary_leaves, "", range(1, 5), [30], "steps", 200, 50),
    "free-group": System(word("abAB"), cancel, "", range(1, 13), [1000], "steps", 300, 50),
    "long-listops": System(long_listops, long_listops_leaves, " ", [1, 2], range(6, 11), "steps", 20000, 200),
    "precedence-some-steps": System(precedence, precedence_leaves, "", range(1, 10), [300], "steps", 25000, 100),
    "precedence-steps": System(precedence, precedence_leaves, "", range(2, 10), [300], "steps", 10000, 100,
                               every=every_operation),
    "precedence-answers": System(precedence, precedence_leaves, "", [2, 3, 4], [300], "answers", 60000, 100,
                                 every=every_operation),
    "arithmetic-answers": System(bracketed, bracketed_leaves, "", [1, 1, 2, 3], [6], "answers", 120000),
    "listops-steps": System(short_listops, listops_leaves, " ", [1, 2, 3], [1], "steps", 60000, 10000, official_listops),
    "listops-answers": System(short_listops, listops_leaves, " ", [1, 1, 2, 3], [1], "answers", 150000, 10000,
                              official_listops),
    "domain-logic": Domain("logic", 6000),
    "domain-listops": Domain("listops", 30000),
    "domain-arithmetic": Domain("arithmetic", 120000),
    "domain-algebra": Domain("algebra", 120000),
}


# What is asked, for people.
ASKED = {"booleans": "nesting 4-8", "sorting": "1,000 letters", "increment": "1,000 digits", "addition": "1,000 digits",
         "unary": "31 numbers", "free": "1,000 letters", "long": "500-2,000 tokens, depth 6-10",
         "precedence": "300 operators", "arithmetic": "nesting 6", "listops": "published generator, depth to 20",
         "domain": "nesting 6"}
TAUGHT_BY = {"steps": "one step at a time", "rounds": "several steps at once", "pairs": "steps as pairs",
             "answers": "answers only"}


def machine():
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return found[1] if found else "a processor without a name"


def store(name, options, row, examples):
    """Everything that is needed to run it again, and how it went."""
    _, _, form, seconds, right, wrong, refused = row
    command = "python3 benchmarks/teach.py %s --seed %d" % (name, options.seed)
    for option, usual in ("count", None), ("noise", 0), ("minutes", 10):
        if getattr(options, option) != usual:
            command += " --%s %s" % (option, getattr(options, option))
    version = subprocess.run([options.nrs, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    document = {"command": command, "program": version, "machine": machine() + ", beside other work", "seed": options.seed,
                "date": time.strftime("%Y-%m-%d"), "system": name, "examples": examples, "taught_by": TAUGHT_BY[form],
                "noise": options.noise, "asked": ASKED[name.split("-")[0]], "questions": right + wrong + refused,
                "right": right, "wrong": wrong, "refused": refused, "seconds": seconds}
    noise = "-noise-%g" % (100 * options.noise) if options.noise else ""
    folder = Path(options.results)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ("%s%s-seed-%d.json" % (name, noise, options.seed))).write_text(json.dumps(document, indent=1) + "\n")


def run(name, options, folder):
    system = SYSTEMS[name]
    count = options.count or system.count
    examples, model = folder / (name + ".txt"), folder / (name + ".nrs")
    lines = [line + "\n" for line in system.examples(count, options.seed, options.noise)]
    examples.write_text("".join(lines))
    tests = list(system.tests(options.seed))
    begin = time.monotonic()
    learned = subprocess.run([options.nrs, "learn", examples, "--out", model, "--minutes", str(options.minutes)],
                             capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if learned.returncode != 0:
        return [name, count, "failed: " + learned.stderr.strip().splitlines()[-1]]
    asked = "".join(text + "\n" for text, _ in tests)
    answers = subprocess.run([options.nrs, "simplify", "--model", model, "-", "--json"], input=asked,
                             capture_output=True, text=True).stdout.splitlines()
    right = wrong = 0
    for (_, value), line in zip(tests, answers):
        if '"stop":"final"' in line:
            given = re.search(r'"result":"((?:[^"\\]|\\.)*)"', line)[1]
            right += given == value
            wrong += given != value
    row = [name, len(lines), system.form, round(seconds, 1), right, wrong, len(tests) - right - wrong]
    if options.results:
        store(name, options, row, len(lines))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*SYSTEMS, []], metavar="SYSTEM")
    parser.add_argument("--write", choices=SYSTEMS)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=0)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--nrs", default=NRS)
    parser.add_argument("--keep")
    parser.add_argument("--results")
    global OPTIONS
    options = OPTIONS = parser.parse_args()
    if options.write:
        system = SYSTEMS[options.write]
        for line in system.examples(options.count or system.count, options.seed, options.noise):
            print(line)
        return
    print("| system | examples | form | seconds | right | wrong | refused |\n|---|---:|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.keep or scratch)
        folder.mkdir(exist_ok=True)
        for name in options.names or SYSTEMS:
            print("| " + " | ".join(str(cell) for cell in run(name, options, folder)) + " |", flush=True)


main()
