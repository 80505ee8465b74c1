"""The formulas that are asked. nrs makes them and computes their values."""
import collections
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

import prose
from chat import Failure

LAUNCHER = pathlib.Path(__file__).resolve().parents[2] / "nrs"
NRS = os.environ.get("NRS") or (str(LAUNCHER) if LAUNCHER.exists() else "nrs")

Question = collections.namedtuple("Question", "domain formula value nesting args")


def run_nrs(*arguments, lines=""):
    try:
        done = subprocess.run([NRS, *arguments], input=lines, capture_output=True, text=True)
    except OSError as error:
        raise Failure(1, "%s: cannot run: %s" % (NRS, error.strerror)) from None
    if done.returncode not in (0, 3):  # 3: some formula is bad, as its line of the output says
        complaint = done.stderr.strip().splitlines() or [""]
        raise Failure(done.returncode, complaint[-1].removeprefix("nrs: "))
    return done.stdout


def generated(options):
    nesting = options.nesting or prose.test_levels(options.domain)
    args = ["--args", options.args] if options.args else []
    made = run_nrs("generate", options.domain, "--nesting", nesting, "--space", options.space,
                   "--count", str(options.count), "--seed", str(options.seed), *args)
    for row in csv.DictReader(io.StringIO(made)):
        yield Question(options.domain, row["X"], row["Y"], int(row["nesting"]),
                       int(row["num_operands"]))


def read_rows(path):
    """The rows of a CSV file, each with its place."""
    try:
        with sys.stdin if path == "-" else open(path, newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            found = [("%s:%d" % (path, rows.line_num), row) for row in rows]
    except OSError as error:
        raise Failure(1, "%s: cannot read: %s" % (path, error.strerror)) from None
    except (ValueError, csv.Error) as error:
        raise Failure(3, "%s: %s" % (path, error)) from None
    if found and not found[0][1].get("X"):
        raise Failure(3, "%s: there is no column X with formulas" % path)
    return found


def depth(formula):
    level = deepest = 0
    for character in formula:
        level += (character in "([") - (character in ")]")
        deepest = max(deepest, level)
    return deepest


def of_file(options):
    """The values are what nrs computes, whatever the file says about them."""
    rows = read_rows(options.data)
    domain = ["--domain", options.domain] if options.domain else []
    lines = "".join(" ".join(row["X"].split()) + "\n" for _, row in rows)
    told = run_nrs("simplify", "--engine", "oracle", "--json", "--trace", *domain, "-", lines=lines)
    for (place, row), answer in zip(rows, map(json.loads, told.splitlines())):
        if "error" in answer:
            raise Failure(3, "%s: %s" % (place, answer["error"]["message"]))
        formula, args = answer["trace"][0]["formula"], row.get("num_operands")
        yield Question(answer["domain"], formula, answer["result"], depth(formula),
                       int(args) if args else None)


def gather(options):
    """Each formula once: a record knows replies by formula."""
    if not options.data and not options.domain:
        raise Failure(2, "--domain is missing (or give formulas with --data)")
    found = of_file(options) if options.data else generated(options)
    return list({(q.domain, q.formula): q for q in found}.values())
