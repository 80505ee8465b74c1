"""Compiled models through the program: they answer what the network answers, and refuse what it refuses.
Needs the program in $NRS."""
import csv
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(*arguments, text="", code=0):
    done = subprocess.run([NRS, *arguments], input=text, capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError("%s: exit %d\n%s" % (arguments, done.returncode, done.stderr))
    return done.stdout


def formulas(domain, levels, count):
    made = []
    for level in levels:
        text = run("generate", domain, "--nesting", str(level), "--count", str(count), "--seed", "77")
        made += [row["X"] for row in csv.DictReader(io.StringIO(text))]
    return made


def boolean(draw, depth):
    """A formula as in examples/booleans.txt."""
    if depth == 0 or draw.random() < 0.2:
        return draw.choice(["True", "False"])
    if draw.random() < 0.3:
        return "not ( %s )" % boolean(draw, depth - 1)
    return "( %s %s %s )" % (boolean(draw, depth - 1), draw.choice(["and", "or"]), boolean(draw, depth - 1))


class Compile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = os.path.join(cls.folder.name, "logic.nrs")
        cls.report = run("compile", "logic", "--sample", "60000", "--contexts", "60000", "--out", cls.model)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_says_what_it_did(self):
        self.assertIn(": 0 different, the network is asked about 0", self.report)
        self.assertIn("298 leaves and values, 0 of them unsure; no other text has a value", self.report)

    def test_answers_are_those_of_the_network(self):
        asked = formulas("logic", range(1, 13), 30) + ["(a&b)", "((a&b)|(T&F))", "(!q)", "T", "((l OR l) AND (!x))", "(T&"]
        lines = "\n".join(asked) + "\n"
        ours = run("simplify", "--json", "--model", self.model, "-", text=lines, code=3)
        self.assertEqual(ours, run("simplify", "--json", "--model", "logic", "-", text=lines, code=3))
        self.assertEqual(len(ours.splitlines()), len(asked))

    def test_one_leaf_at_a_time_and_many_threads_change_nothing(self):
        asked = "\n".join(formulas("logic", [5], 300)) + "\n"
        one = run("simplify", "--model", self.model, "--threads", "1", "-", text=asked)
        self.assertEqual(run("simplify", "--model", self.model, "--threads", "3", "-", text=asked), one)
        self.assertEqual(run("simplify", "--model", self.model, "--leaves", "last", "-", text=asked), one)

    def test_what_was_not_taught_is_refused(self):
        self.assertEqual(run("simplify", "--model", self.model, "((a&b)|(T&F))", code=4),
                         "stopped: unknown_leaf: ((a&b)|F)\n")

    def test_a_trace_tells_where_values_come_from(self):
        trace = json.loads(run("simplify", "--trace", "--json", "--model", self.model, "((T&F)|T)"))
        steps = [step for one in trace["trace"] for step in one["steps"]]
        self.assertEqual({step["source"] for step in steps}, {"table"})

    def test_is_verified_like_the_network(self):
        def certificate(model):
            text = run("verify", "--model", model, "--contexts", "20000", "--json")
            return json.loads(text)["domains"]
        self.assertEqual(certificate(self.model), certificate("logic"))

    def test_info_and_eval_know_it(self):
        self.assertIn("automata", run("info", self.model))
        self.assertEqual(json.loads(run("info", "--json", self.model))["values"]["leaves"], 298)
        run("eval", "--model", self.model, "--count", "20")

    def test_alone_it_is_small_and_has_no_network(self):
        alone = os.path.join(self.folder.name, "alone.nrs")
        run("compile", "logic", "--alone", "--sample", "60000", "--contexts", "1000", "--out", alone)
        self.assertLess(os.path.getsize(alone), 20000)
        self.assertEqual(run("simplify", "--model", alone, "((l|l)&(r&F))"), "F\n")

    def test_the_networks_may_stay_where_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            original, compiled = os.path.join(folder, "logic.nrs"), os.path.join(folder, "small.nrs")
            shutil.copy(ROOT / "models" / "logic.nrs", original)
            options = ["--sample", "60000", "--contexts", "1000", "--share", "--out"]
            run("compile", original, *options, compiled)
            self.assertLess(os.path.getsize(compiled), 30000)
            self.assertIn("its selector is in logic.nrs", run("info", compiled))
            asked = "((l|l)&(r&F))\n(a&b)\n((a&b)|(T&F))\n"
            self.assertEqual(run("simplify", "--json", "--model", compiled, "-", text=asked, code=4),
                             run("simplify", "--json", "--model", original, "-", text=asked, code=4))
            run("verify", "--model", compiled, "--contexts", "1000", "--store")
            self.assertIn("its selector is in logic.nrs", run("info", compiled))
            shutil.copy(ROOT / "models" / "arithmetic.nrs", original)
            self.assertEqual(run("simplify", "--model", compiled, "((l|l)&(r&F))"), "F\n")  # no network is needed
            run("simplify", "--model", compiled, "(a&b)", code=3)
            os.remove(original)
            run("simplify", "--model", compiled, "((l|l)&(r&F))", code=3)
            run("compile", "logic", *options, compiled, code=2)  # of another folder

    def test_the_table_is_told_as_rules(self):
        rules = run("rules", self.model)
        self.assertIn("(x&T) -> x  # 28 leaves\n", rules)
        self.assertIn("(!T) -> F   # 1 leaf\n", rules)
        self.assertEqual(len(rules.splitlines()), 12)
        run("rules", self.model, "--format", "maude", code=2)

    def emitted(self, model):
        """The model as a program of its own."""
        source, program = (os.path.join(self.folder.name, "emitted" + end) for end in (".cpp", ""))
        run("rules", model, "--format", "cpp", "--out", source)
        subprocess.run(["g++", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
        return program

    def compare_emitted(self, model, asked):
        lines = "\n".join(asked) + "\n"
        ours = subprocess.run([self.emitted(model)], input=lines, capture_output=True, text=True)
        theirs = subprocess.run([NRS, "simplify", "--model", model, "-"], input=lines, capture_output=True, text=True)
        self.assertEqual(ours.stdout, theirs.stdout)
        self.assertEqual(ours.returncode, theirs.returncode)
        return ours

    def test_as_a_program_it_answers_and_refuses_the_same(self):
        draw = random.Random(7)
        asked = formulas("logic", range(1, 13), 200)
        for formula in formulas("logic", range(2, 7), 100):  # with a leaf that has no value
            begin, end = draw.choice([m.span() for m in re.finditer(r"\([^()]*\)", formula)])
            asked.append(formula[:begin] + draw.choice(["(q&p)", "(p|q)"]) + formula[end:])
        done = self.compare_emitted(self.model, asked)
        self.assertEqual((done.returncode, done.stdout.count("stopped: unknown_leaf: ")), (4, 500))
        bad = subprocess.run([self.emitted(self.model)], input="(T&F) \n(1&T)\n\n(T&\n", capture_output=True, text=True)
        self.assertEqual(bad.stdout.splitlines(), ["F", "error: column 2: '1' is not a token of this model",
                                                   "error: column 1: the formula is empty", "stopped: no_leaf: (T&"])
        self.assertEqual((bad.returncode, bad.stderr.count("\n")), (3, 2))

    def test_a_system_that_was_taught(self):
        taught, compiled = (os.path.join(self.folder.name, name) for name in ("taught.nrs", "taught-compiled.nrs"))
        run("learn", os.path.join(ROOT, "examples", "booleans.txt"), "--out", taught)
        run("compile", taught, "--sample", "100000", "--contexts", "100000", "--out", compiled)
        asked = "\n".join(["not ( True and not ( False or ( not False and True ) ) )", "True or False and False", "(True)",
                           "True or", "not  False", "False", "( True or False ) and ( False )"]) + "\n"
        run("compile", taught, "--alone", "--sample", "100000", "--contexts", "1000", "--out", compiled)
        self.assertEqual(run("simplify", "--json", "--model", compiled, "-", text=asked, code=4),
                         run("simplify", "--json", "--model", taught, "-", text=asked, code=4))
        self.compare_emitted(compiled, [boolean(random.Random(i), 6) for i in range(1000)] + ["True or"])

    def test_what_cannot_be_compiled_is_said(self):
        done = subprocess.run([NRS, "compile", "ndr-logic", "--out", os.path.join(self.folder.name, "x.nrs")],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be compiled", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_selector_that_writes_the_last_leaf(self):
        compiled = os.path.join(self.folder.name, "last.nrs")
        report = run("compile", "nrs-logic", "--sample", "60000", "--contexts", "60000", "--out", compiled)
        self.assertIn(": 0 different, the network is asked about 0", report)
        asked = "\n".join(formulas("logic", range(1, 13, 2), 30) + ["(a&b)", "((a&b)|(T&F))", "((T&F)|(a&b))"]) + "\n"
        ours, theirs = (run("simplify", "--json", "--model", model, "-", text=asked, code=4)
                        for model in (compiled, "nrs-logic"))
        self.assertEqual(ours, theirs)
        self.assertEqual(json.loads(ours.splitlines()[-4])["steps"], json.loads(ours.splitlines()[-4])["rounds"])
        self.assertIn("exact", run("verify", "--model", compiled, "--contexts", "5000"))


class Default(unittest.TestCase):
    def test_it_is_multi_compiled_and_answers_what_multi_answers(self):
        told = json.loads(run("info", "--json", "multi-compiled"))
        self.assertEqual(told["shared"], {"selector": "multi.nrs"})
        self.assertEqual(told["results"]["compiled"]["from"], json.loads(run("info", "--json", "multi"))["checksum"])
        self.assertEqual(told["results"]["compiled"]["different"], 0)
        asked = ["(T&a)", "((a&b)|(T&F))", "T"]
        for domain in ("logic", "listops", "arithmetic", "algebra"):
            asked += formulas(domain, [1, 2, 4], 20)
        lines = "\n".join(asked) + "\n"
        self.assertEqual(run("simplify", "--json", "-", text=lines, code=4),
                         run("simplify", "--json", "--model", "multi", "-", text=lines, code=4))
        self.assertIn("table", run("simplify", "--trace", "((15+5)*(3-4))"))


if __name__ == "__main__":
    unittest.main()
