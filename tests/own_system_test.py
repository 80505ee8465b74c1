"""A rewriting system that the program knows only from a file of worked examples: it is learnt from formulas of nesting 1
to 3, and then solves nesting 6 without a mistake. What is learnt and how is in examples/own-system, as a user would do it."""
import json
import os
import pathlib
import random
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

    def test_what_it_does_not_know_is_refused_with_its_place(self):
        code, answers, err = self.simplify(["flip<{a}>", "flip<{d}>", "(T&F)"])
        self.assertEqual((code, answers[0]), (3, "{b,c}"))
        self.assertIn("line 2, column 7: 'd' is not a token of this model (the model knows , < > a b c", err.splitlines()[0])
        self.assertIn("line 3, column 1: '('", err.splitlines()[1])


if __name__ == "__main__":
    unittest.main()
