#!/usr/bin/env python3
"""How often a taught model answers what no example explains: three systems that the program has never heard of.
usage: cmake --build --preset dev --target solve_leaves && python3 benchmarks/invented.py [SYSTEM...]

Each system is taught by worked examples, as docs/own-systems.md describes it. Then the Solver is asked about 20,000
mutated and spliced leaves: a taught leaf with a character changed, dropped, doubled or moved, or the front of one with
the back of another, none of them taught. Counted are its answers that are not the value which the system gives
("invented"; the system gives most mutants none), with the networks alone at a threshold of -0.7, which earlier versions
used, and as the model is stored. Answers that are the value are a gain and are counted apart. What the guard and the threshold cost is
measured on fresh formulas of nesting 1 to 5: right answers of the networks alone that are no longer given.
Fails if more than one in a thousand is invented, or lost."""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NRS = pathlib.Path(os.environ.get("NRS", ROOT / "nrs"))
SOLVE = pathlib.Path(os.environ.get("SOLVE_LEAVES", ROOT / "build" / "dev" / "bin" / "solve_leaves"))
sys.path.insert(0, str(ROOT / "examples" / "own-system"))
import make_traces  # noqa: E402

MUTANTS, FRESH = 20000, 5000
OLD_THRESHOLD = -0.7
MOST = 0.001


class Sets:
    """The example of docs/own-systems.md: 200 leaves, each of them taught."""
    recipe = (ROOT / "examples" / "own-system" / "recipe.toml").read_text()
    leaf = make_traces.LEAF
    formula = staticmethod(make_traces.formula)

    @staticmethod
    def value(text):
        match = make_traces.LEAF.fullmatch(text)
        known = match and all(a in make_traces.SETS for a in match.group(2, 3, 5) if a is not None)
        return make_traces.value(text) if known else None

    @staticmethod
    def examples(rng):
        return list(make_traces.examples(rng))


class Taught:
    """A system that is taught by random formulas of nesting 1 to 3 and all that becomes of them."""
    @classmethod
    def rounds(cls, text):
        while True:
            steps = [{"begin": m.start(), "end": m.end(), "value": cls.value(m.group())} for m in cls.leaf.finditer(text)]
            yield {"formula": text, "steps": steps} if steps else {"formula": text, "final": True}
            if not steps:
                return
            text = cls.leaf.sub(lambda m: cls.value(m.group()), text)

    @classmethod
    def examples(cls, rng):
        taught = {}
        for text in cls.atoms + [cls.formula(1 + i % 3, rng) for i in range(cls.formulas)]:
            taught.update((example["formula"], example) for example in cls.rounds(text))
        return list(taught.values())


class Words(Taught):
    """Words of at most three letters: rev turns one around, swap changes its case, head takes its first letter, and
    cat puts two together if the result is no longer than three. 396 leaves."""
    atoms = [a + b + c for a in "abAB" for b in ("", *"abAB") for c in ("", *"abAB") if b or not c]
    leaf = re.compile(r"(rev|swap|head)\(([abAB]+)\)|cat\(([abAB]+),([abAB]+)\)")
    formulas = 1500
    recipe = """
name = "words"
[data]
traces = "traces.jsonl"
[selector.encoder]
dim = 32
layers = 6
dilations = [1, 2, 4, 4, 2, 1]
[solver.encoder]
dim = 48
[train.selector]
steps = 400
batch = 32
validate_every = 100
[train.solver]
steps = 1200
batch = 64
average = 0.98
validate_every = 200
patience = 3
"""

    @classmethod
    def value(cls, text):
        match = cls.leaf.fullmatch(text)
        if not match:
            return None
        name, word, front, back = match.groups()
        if name is None:
            return front + back if len(front + back) <= 3 else None
        return {"rev": word[::-1], "swap": word.swapcase(), "head": word[0]}[name] if len(word) <= 3 else None

    @classmethod
    def formula(cls, nesting, rng):
        return cls.with_value(nesting, rng)[0]

    @classmethod
    def with_value(cls, nesting, rng):
        if nesting == 0:
            word = rng.choice(cls.atoms)
            return word, word
        while True:
            text, word = cls.with_value(nesting - 1, rng)
            name = rng.choice(["rev", "swap", "head", "cat", "cat"])
            if name != "cat":
                return "%s(%s)" % (name, text), cls.value("%s(%s)" % (name, word))
            parts = [(text, word), cls.with_value(rng.randrange(nesting), rng)]
            rng.shuffle(parts)
            if len(parts[0][1] + parts[1][1]) <= 3:
                return "cat(%s,%s)" % (parts[0][0], parts[1][0]), parts[0][1] + parts[1][1]


class Numbers(Taught):
    """Numbers from 0 to 99 and what remains of them: 30,000 leaves, of which about a third is taught."""
    atoms = [str(n) for n in range(100)]
    leaf = re.compile(r"\((\d+) (plus|minus|or) (\d+)\)")
    formulas = 5000
    recipe = """
name = "numbers"
[data]
traces = "traces.jsonl"
[selector.encoder]
dim = 32
layers = 5
dilations = [1, 2, 4, 4, 2]
[solver.encoder]
dim = 64
[train.selector]
steps = 400
batch = 32
validate_every = 100
[train.solver]
steps = 4000
batch = 128
validate_every = 500
"""

    @classmethod
    def value(cls, text):
        match = cls.leaf.fullmatch(text)
        if not match or match.group(1) not in cls.atoms or match.group(3) not in cls.atoms:
            return None
        a, b = int(match.group(1)), int(match.group(3))
        return str({"plus": a + b, "minus": a - b, "or": max(a, b)}[match.group(2)] % 100)

    @classmethod
    def formula(cls, nesting, rng):
        if nesting == 0:
            return rng.choice(cls.atoms)
        parts = [cls.formula(nesting - 1, rng), cls.formula(rng.randrange(nesting), rng)]
        rng.shuffle(parts)
        return "(%s %s %s)" % (parts[0], rng.choice(["plus", "minus", "or"]), parts[1])


SYSTEMS = {"sets": Sets, "words": Words, "numbers": Numbers}


def mutants(taught, rng):
    """Distinct texts that are not taught, though they look like those that are."""
    known, made = set(taught), {}
    while len(made) < MUTANTS:
        text, other = rng.choice(taught), rng.choice(taught)
        at, strange = rng.randrange(len(text)), rng.choice(other)
        to = rng.randrange(len(text))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + strange + text[at + 1:]
        elif kind == 1:
            text = text[:at] + text[at + 1:]
        elif kind == 2:
            text = text[:at] + strange + text[at:]
        elif kind == 3:
            swapped = list(text)
            swapped[at], swapped[to] = swapped[to], swapped[at]
            text = "".join(swapped)
        else:
            text = text[:at] + other[rng.randrange(len(other)):]
        if text and text not in known:
            made[text] = True
    return list(made)


def solve(model, leaves):
    """Of each leaf: whether the guard lets it through, the log-probability, and the value."""
    done = subprocess.run([SOLVE, model], input="\n".join(leaves) + "\n", capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [(guard == "1", float(score), value) for guard, score, value in rows]


def leaves_of(system, text):
    """All that the Solver is asked on the way to the value."""
    asked = []
    while system.leaf.search(text):
        asked += [m.group() for m in system.leaf.finditer(text)]
        text = system.leaf.sub(lambda m: system.value(m.group()), text)
    return asked + [text]


def teach(system, name, folder):
    """The model, and all texts that it was taught, those that are final apart."""
    examples = system.examples(random.Random(1))
    finals = {e["formula"] for e in examples if e.get("final")}
    leaves = {e["formula"][s["begin"]:s["end"]] for e in examples for s in e.get("steps", [])}
    (folder / "traces.jsonl").write_text("".join(json.dumps(e) + "\n" for e in examples))
    (folder / "recipe.toml").write_text(system.recipe)
    model = folder / (name + ".nrs")
    subprocess.run([NRS, "train", "recipe.toml", "--out", model, "--quiet", "--threads", "1"], cwd=folder, check=True)
    return model, finals, sorted(leaves | finals)


def threshold_of(model):
    info = subprocess.run([NRS, "info", "--json", model], capture_output=True, check=True).stdout
    return json.loads(info)["solver"]["min_log_prob"]


def measure(name, folder):
    system, rng = SYSTEMS[name], random.Random(2)
    model, finals, taught = teach(system, name, folder)
    threshold = threshold_of(model)
    true = lambda text: "omega" if text in finals else system.value(text)
    texts = mutants(taught, rng)
    solved = solve(model, texts)
    fresh = [leaves_of(system, system.formula(1 + i % 5, rng)) for i in range(FRESH)]
    asked = sorted({leaf for leaves in fresh for leaf in leaves})
    known = dict(zip(asked, solve(model, asked)))
    print("%s: %d texts taught, threshold %.4g; %d mutants, %d of them have a value" %
          (name, len(taught), threshold, len(texts), sum(true(text) is not None for text in texts)))
    counts = []
    for label, given in (("networks alone", lambda guard, score, _: score >= OLD_THRESHOLD),
                         ("as stored", lambda guard, score, _: guard and score >= threshold)):
        answers = [(text, one[2]) for text, one in zip(texts, solved) if given(*one)]
        invented = sum(true(text) != value for text, value in answers)
        right = sum(all(known[x][2] == true(x) and given(*known[x]) for x in leaves) for leaves in fresh)
        counts.append((invented, right))
        print("  %-15s invented %6.3f %%, right %6.3f %% of mutants; %d of %d fresh formulas right" %
              (label, 100 * invented / len(texts), 100 * (len(answers) - invented) / len(texts), right, FRESH))
    (_, right_before), (invented, right_after) = counts
    return invented <= MOST * len(texts) and right_before - right_after <= MOST * right_before


def main(names):
    with tempfile.TemporaryDirectory() as folder:
        good = [measure(name, pathlib.Path(folder)) for name in names or SYSTEMS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
