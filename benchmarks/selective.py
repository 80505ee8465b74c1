#!/usr/bin/env python3
"""How many wrong answers the models of the paper's protocol give, and how many formulas they leave unanswered.
usage: python3 benchmarks/selective.py FOLDER [DOMAIN...]

The Solver of DOMAIN-paper and that of multi-paper are asked every leaf of the domain once (nrs verify, with copies of
the models that are never sure, so that every score is written). FOLDER keeps the answers. A formula's derivation is
then looked up: 10,000 formulas of nesting 6 and of nesting 8, seed 20261118, with a Selector that makes no mistake.
Compared are no threshold, the stored ones, and two ways to ask both Solvers. Agreement: a leaf is rewritten only if
both give it the same value, however sure. Mean: it becomes the value that is likelier by the mean of both, and only if
that mean is above 0.497: both agree, or one is nearly certain. A formula with a value that is in no leaf of the
domain, such as +1*x, counts as unanswered."""
import csv
import io
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NRS = os.environ.get("NRS", str(ROOT / "nrs"))
COUNT, SEED = 10000, 20261118
MEAN = -0.7  # the logarithm of 0.497, chosen on formulas of another seed
LEAF = {"listops": re.compile(r"\[[^\[\]]*\]")}
ROUND_BRACKETS = re.compile(r"\([^()]*\)")


def never_sure(source, target):
    """A copy of a model with a threshold that no value reaches; returns the threshold that it has."""
    data = source.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    metadata = header["__metadata__"]
    solver = json.loads(metadata["solver"])
    threshold, solver["min_log_prob"] = solver["min_log_prob"], 0.0
    metadata.pop("certificate", None)
    metadata.update(solver=json.dumps(solver, ensure_ascii=False), crc32="00000000")
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    made = struct.pack("<Q", len(text)) + text + data[8 + size:]
    made = made.replace(b'"crc32":"00000000"', b'"crc32":"%08x"' % zlib.crc32(made), 1)
    target.write_bytes(made)
    return threshold


def answers(folder, model, domain):
    """What a Solver says of every leaf: value and log-probability; and its stored threshold."""
    copy, said = folder / (model + ".nrs"), folder / ("%s.%s.jsonl" % (model, domain))
    threshold = never_sure(ROOT / "models" / (model + ".nrs"), copy)
    if not said.exists():
        subprocess.run([NRS, "verify", "--model", copy, "--domain", domain, "--contexts", "1", "--errors", said],
                       stdout=subprocess.DEVNULL, check=True)
    table = {}
    for line in said.read_text().splitlines():
        one = json.loads(line)
        table[one["leaf"]] = one["said"], one["log_prob"]
    return table, threshold


def mean_of(one, two):
    """The likelier value of every leaf, by the mean of what both Solvers give it; what one does not name has no chance
    with that one."""
    table = {}
    for leaf, first in one.items():
        chances = {}
        for value, score in (first, two[leaf]):
            chances[value] = chances.get(value, 0) + math.exp(score) / 2
        best = max(chances, key=chances.get)
        table[leaf] = best, math.log(chances[best])
    return table


def formulas(domain, nesting):
    words = [NRS, "generate", domain, "--space", "paper", "--nesting", nesting, "--count", COUNT, "--seed", SEED]
    made = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout
    csv.field_size_limit(1 << 30)
    return [(row["X"], row["Y"]) for row in csv.DictReader(io.StringIO(made))]


def derive(text, leaf, table):
    """What a formula comes to, and the least score on the way; nothing if some leaf is not in the table."""
    least, before = 0.0, None
    while text != before:
        steps = [table.get(match) for match in leaf.findall(text)]
        if None in steps:
            return None, -math.inf
        least = min([least] + [score for _, score in steps])
        values = iter(steps)
        before, text = text, leaf.sub(lambda _: next(values)[0], text)
    return text, least


def show(domain, nesting, name, derived, threshold):
    answered = [(value, right) for (value, least), right in derived if value is not None and least >= threshold]
    wrong = sum(value != right for value, right in answered)
    print("%-10s nesting %d  %-32s %5d of %d unanswered, %3d wrong" %
          (domain, nesting, name, len(derived) - len(answered), len(derived), wrong), flush=True)


def main(folder, *domains):
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    for domain in domains or ("logic", "listops", "arithmetic", "algebra"):
        models = [name + "-paper" for name in (domain, "multi")]
        tables = [answers(folder, model, domain) for model in models]
        (one, _), (two, _) = tables
        same = {x: (said, 0.0) for x, (said, _) in one.items() if two[x][0] == said}
        mean = mean_of(one, two)
        leaf = LEAF.get(domain, ROUND_BRACKETS)
        for nesting in (6, 8):
            asked = formulas(domain, nesting)
            for model, (table, threshold) in zip(models, tables):
                derived = [(derive(x, leaf, table), y) for x, y in asked]
                show(domain, nesting, model + ", no threshold", derived, -math.inf)
                show(domain, nesting, model + ", %.4g" % threshold, derived, threshold)
            show(domain, nesting, "both agree", [(derive(x, leaf, same), y) for x, y in asked], 0.0)
            show(domain, nesting, "mean of both", [(derive(x, leaf, mean), y) for x, y in asked], MEAN)


if __name__ == "__main__":
    main(*sys.argv[1:])
