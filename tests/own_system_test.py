"""A rewriting system that the program knows only from a file of worked examples: it is learnt from formulas of nesting 1
to 3, and then solves nesting 6 without a mistake. What is learnt and how is in examples/own-system, as a user would do it."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
EXAMPLE = ROOT / "examples" / "own-system"
PAGE = ROOT / "docs" / "own-systems.md"
sys.path.insert(0, str(EXAMPLE))
import make_traces as sets  # noqa: E402
import sessions  # noqa: E402


class OwnSystem(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        shutil.copy(EXAMPLE / "recipe.toml", cls.folder)
        with open(cls.folder / "traces.jsonl", "w") as traces:
            subprocess.run([sys.executable, "-B", EXAMPLE / "make_traces.py"], stdout=traces, check=True)
        subprocess.run([NRS, "train", "recipe.toml", "--out", "sets.nrs", "--quiet", "--set", "threads=1"],
                       cwd=cls.folder, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def simplify(self, formulas, *options):
        done = subprocess.run([NRS, "simplify", "--model", str(self.folder / "sets.nrs"), *options],
                              input="\n".join(formulas), capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_it_is_exact_far_beyond_what_it_has_seen(self):
        rng = random.Random(2)
        for nesting in 1, 3, 6:
            formulas = [sets.formula(nesting, rng) for _ in range(200)]
            values = [list(sets.rounds(formula))[-1]["formula"] for formula in formulas]
            code, answers, err = self.simplify(formulas)
            wrong = [(f, v, a) for f, v, a in zip(formulas, values, answers) if v != a]
            self.assertEqual((code, wrong, err), (0, [], ""), "nesting %d" % nesting)

    def test_the_training_formulas_were_shallow(self):
        lines = (self.folder / "traces.jsonl").read_text().splitlines()
        traces = [json.loads(line)["formula"] for line in lines]
        self.assertEqual(max(self.nesting(formula) for formula in traces), 3)

    @staticmethod
    def nesting(formula):
        depth = deepest = 0
        for c in formula:
            depth += (c == "<") - (c == ">")
            deepest = max(deepest, depth)
        return deepest

    def test_its_trace_shows_the_rules_that_it_has_learnt(self):
        code, lines, _ = self.simplify(["join<flip<{a}>,meet<{a,b},{b}>>"], "--json", "--trace")
        answer = json.loads(lines[0])
        self.assertEqual((code, answer["result"]), (0, "{b,c}"))
        used = [[(s["leaf"], s["value"]) for s in r["steps"] if s["applied"]] for r in answer["trace"]]
        self.assertEqual(used, [[("flip<{a}>", "{b,c}"), ("meet<{a,b},{b}>", "{b}")],
                                [("join<{b,c},{b}>", "{b,c}")], []])
        self.assertTrue(answer["trace"][-1]["steps"][0]["omega"])

    def test_the_page_about_it_shows_this_recipe(self):
        self.assertIn("```toml\n%s```" % (EXAMPLE / "recipe.toml").read_text(), PAGE.read_text())

    def test_the_page_about_it_shows_this_trace(self):
        page = PAGE.read_text()
        command = re.search(r"^\./nrs simplify --model sets\.nrs (--trace '.*')$", page, re.M).group(1)
        done = subprocess.run("%s simplify --model sets.nrs %s" % (NRS, command), shell=True, cwd=self.folder,
                              capture_output=True, text=True)
        shown = [block for block in sessions.blocks(page, ["text"]) if block.startswith("0  ")]
        self.assertEqual(len(shown), 1)
        wrong = sessions.difference(shown[0].splitlines(), done.stdout, sessions.TRAINED)
        self.assertIsNone(wrong, done.stdout)
        threshold = float("%.4f" % self.info()["solver"]["min_log_prob"])
        self.assertEqual(set(sessions.thresholds(done.stdout)), {threshold})

    def info(self):
        done = subprocess.run([NRS, "info", "--json", "sets.nrs"], cwd=self.folder, capture_output=True, check=True)
        return json.loads(done.stdout)

    def test_the_selector_is_measured_on_formulas_that_it_never_saw(self):
        lines = (self.folder / "sets.nrs.metrics.jsonl").read_text().splitlines()
        scores = [(e["known"], e["beyond"]) for e in map(json.loads, lines)
                  if e["event"] == "validation" and e["module"] == "selector"]
        self.assertTrue(any(known != beyond for known, beyond in scores), scores)

    def refused(self, recipe, traces):
        """What is said of a training that is never begun."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "recipe.toml").write_text(recipe)
            (pathlib.Path(folder) / "traces.jsonl").write_text(traces)
            done = subprocess.run([NRS, "train", "recipe.toml", "--out", "x.nrs"], cwd=folder, capture_output=True, text=True)
            self.assertEqual(sorted(os.listdir(folder)), ["recipe.toml", "traces.jsonl"])
            self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), done.stderr)
            return done.returncode, done.stderr

    def test_what_cannot_be_learnt_is_refused_before_the_training(self):
        recipe = (EXAMPLE / "recipe.toml").read_text()
        traces = (self.folder / "traces.jsonl").read_text()
        short = recipe.replace("[1, 2, 4, 8, 4, 2]", "[1, 2, 4, 8, 3, 1]")
        code, err = self.refused(short, traces)
        self.assertEqual(code, 2)
        self.assertIn("{a,b,c},{a,b,c}>', has 21 tokens, but the Selector finds none longer than 20", err)
        self.assertIn("dilations must be at least 21", err)
        code, err = self.refused(recipe, "".join(line for line in traces.splitlines(True) if "final" not in line))
        self.assertEqual(code, 3)
        self.assertIn("traces.jsonl: no example is final", err)
        code, err = self.refused(recipe, traces + json.dumps(
            {"formula": "flip<flip<flip<flip<{a}>>>>", "steps": [{"begin": 15, "end": 24, "value": "{a}"}]}) + "\n")
        self.assertEqual(code, 3)
        self.assertIn('"flip<{a}>" is "{', err)

    def test_what_no_example_explains_is_not_answered(self):
        strange = ["met<{},{a}>", "flip<{a},{a,b}>", "join<{b,a},{c}>", "less<{a,a},{b}>", "meet<{a},{b},{c}>"]
        code, answers, err = self.simplify(strange + ["meet<{a},{a,b}>"])
        self.assertEqual((code, len(answers), answers[-1]), (4, len(strange) + 1, "{a}"), err)
        for text, answer in zip(strange, answers):
            self.assertTrue(answer.startswith("stopped: ") and answer.endswith(": " + text), answer)

    def test_what_it_does_not_know_is_refused_with_its_place(self):
        code, answers, err = self.simplify(["flip<{a}>", "flip<{d}>", "(T&F)"])
        self.assertEqual((code, answers[0]), (3, "{b,c}"))
        self.assertIn("line 2, column 7: 'd' is not a token of this model (the model knows , < > a b c", err.splitlines()[0])
        self.assertIn("line 3, column 1: '('", err.splitlines()[1])


if __name__ == "__main__":
    unittest.main()
