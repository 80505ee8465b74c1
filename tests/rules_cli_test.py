"""Rule files from outside: conversion, chains, the emitted C++, and the same results as Maude's."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
CXX = os.environ.get("CXX", "c++")
PUBLIC = ROOT / ".." / "shared" / "trs"

PEANO = """# numbers, with conditions and a symbol that needs bars
variables x y
plus(0,y) -> y
plus(s(x),y) -> s(plus(x,y))
times(0,y) -> 0
times(s(x),y) -> plus(y,times(x,y))
fib(0) -> 0
fib(s(0)) -> s(0)
fib(s(s(x))) -> plus(fib(s(x)),fib(x))
even(0) -> true
even(s(x)) -> true if even(x) = false
even(s(x)) -> false if even(x) <> false
same(x,x) -> true
|a b|(x) -> x
down(0) -> 0
down(s(x)) -> down(x)
"""


def nrs(*arguments, text=None):
    done = subprocess.run([NRS, *map(str, arguments)], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def number(n):
    return "s(" * n + "0" + ")" * n


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rules = self.write("peano.txt", PEANO)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def emitted(self, rules):
        """The program that is made of a rule file."""
        source, program = self.folder / "emitted.cpp", self.folder / "emitted"
        self.assertEqual(nrs("rules", rules, "--format", "cpp", "--out", source), (0, "", ""))
        subprocess.run([CXX, "-O1", "-o", program, source, "-pthread"], check=True)
        return program

    def run_emitted(self, program, terms):
        return subprocess.run([program], input="".join(t + "\n" for t in terms), capture_output=True, text=True)


class Rules(Folder):
    def test_formats_lead_back(self):
        text = nrs("rules", self.rules)[1]
        rec = self.write("peano.rec", nrs("rules", self.rules, "--format", "rec")[1])
        # The symbols have names that the format allows there, and a variable has one for each sort.
        again = re.sub(r"\bx[34]\b", "x", nrs("rules", rec)[1].replace("n0", "0").replace("ax20b", "|a b|"))
        self.assertEqual(again.splitlines()[1:], text.splitlines()[1:])
        group = self.write("group.trs", "(VAR x y z)(RULES m(e,x) -> x m(i(x),x) -> e m(m(x,y),z) -> m(x,m(y,z)))")
        ari = self.write("group.ari", nrs("rules", group, "--format", "ari")[1])
        self.assertEqual(nrs("rules", ari), nrs("rules", group))

    def test_faults_are_one_line_with_their_place(self):
        for name, text, message in (
                ("a.trs", "(VAR x)(RULES f(x) -> y(x)\n g(x) -> )", "a.trs:2:10: expected a term, found ')'"),
                ("b.txt", "f(?x) -> g(?x,?y)\n", "b.txt:1:15: the variable ?y of the right side"),
                ("c.ari", "(format TRS)\n(fun f 1)\n(rule x (f x))", "c.ari:3:7: the left side is a variable: x"),
                ("d.rec", "REC-SPEC D : Missing SORTS", "d.rec:1:14: cannot find the included file")):
            code, out, err = nrs("rules", self.write(name, text))
            self.assertEqual((code, out, err.count("\n")), (3, "", 1), err)
            self.assertIn(message, err)
        code, _, err = nrs("rules", self.folder / "none.trs")
        self.assertEqual((code, err.count("\n")), (1, 1), err)

    def test_includes(self):
        self.write("base.rec", "REC-SPEC Base SORTS N CONS z : -> N s : N -> N OPNS p : N -> N VARS x : N\n"
                               "RULES p(s(x)) -> x END-SPEC")
        top = self.write("top.rec", "REC-SPEC Top : BASE SORTS CONS OPNS VARS RULES EVAL p(s(z)) END-SPEC")
        self.assertEqual(nrs("rules", top)[1], "variables x\np(s(x)) -> x\n")


class Derive(Folder):
    def test_chains_are_the_same_for_the_same_seed(self):
        one = nrs("derive", self.rules, "--count", 50, "--seed", 3)
        self.assertEqual(one, nrs("derive", self.rules, "--count", 50, "--seed", 3))
        self.assertNotEqual(one, nrs("derive", self.rules, "--count", 50, "--seed", 4))
        lines = one[1].splitlines()
        self.assertEqual(len({line.split(" -> ")[0] for line in lines}), 50)

    def test_given_terms(self):
        code, out, err = nrs("derive", self.rules, "--terms", "-", text="plus(s(0),0)\n\nplus(0)\n0\n")
        self.assertEqual(code, 3)
        self.assertEqual(out, "plus(s(0),0) -> s(plus(0,0)) -> s(0)\n0\n")
        self.assertIn("3, column 1: plus has 1 argument here, 2 in the rules", err)

    def test_a_chain_that_does_not_end(self):
        loop = self.write("loop.txt", "a -> f(a)\n")
        out = nrs("derive", loop, "--terms", "-", "--max-steps", 2, text="a\n")[1]
        self.assertEqual(out, "a -> f(a) -> f(f(a)) -> ...\n")


class Emitted(Folder):
    def test_answers_bad_lines_and_deep_terms(self):
        program = self.emitted(self.rules)
        deep = 1_000_000
        terms = ["plus(s(0), |a b|(s(0)))", "times(0", "new(fib(%s),?v)" % number(6), "plus(0)", "",
                 "even(%s)" % number(deep), "same(%s,%s)" % (number(deep), number(deep)), "same(a,b)",
                 "fib(%s)" % number(21), "down(%s)" % number(deep), "plus(%s,s(0))" % number(deep)]
        done = self.run_emitted(program, terms)
        self.assertEqual(done.returncode, 3, done.stderr[-300:])
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "s(s(0))")
        self.assertTrue(lines[1].startswith("error: column 8: expected ',' or ')'"), lines[1])
        self.assertEqual(lines[2], "new(%s,|?v|)" % number(8))
        self.assertTrue(lines[3].startswith("error: column 1: plus has 2 arguments"), lines[3])
        self.assertTrue(lines[4].startswith("error: column 1: expected a term"), lines[4])
        self.assertEqual(lines[5:10], ["true", "true", "same(a,b)", number(10946), "0"])
        self.assertEqual(lines[10], number(deep + 1))

    def test_equals_chains_on_public_systems(self):
        if not PUBLIC.exists():
            self.skipTest("no public systems at %s" % PUBLIC)
        for name in ("AProVE_06__quicksort", "Der95__17", "SK90__4.57"):
            path = PUBLIC / "tpdb" / (name + ".ari")
            chains = nrs("derive", path, "--count", 200, "--depth", "3-6", "--seed", 5)[1].splitlines()
            ends = [(line.split(" -> ")[0], line.split(" -> ")[-1]) for line in chains]
            done = self.run_emitted(self.emitted(path), [term for term, _ in ends])
            self.assertEqual(done.stdout.splitlines(), [normal for _, normal in ends], name)


if __name__ == "__main__":
    unittest.main()
