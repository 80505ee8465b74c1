"""Rule files from outside: conversion, chains, the emitted C++, and the same results as Maude's."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
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

    def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_rule(self):
        self.assertEqual(nrs("rules", self.write("w.rules", "\ufefff(s(?x)) -> f(?x)\r\nf(0) -> 0\r\n"))[:2],
                         (0, "f(s(?x)) -> f(?x)\nf(0) -> 0\n"))
        code, out, err = nrs("rules", self.write("w.trs", "\ufeff(VAR x)\r\n(RULES f(s(x)) -> f(x))\r\n"))
        self.assertEqual((code, err), (0, ""))

    def test_rules_may_come_through_a_pipe(self):
        self.assertEqual(nrs("rules", "-", text="f(0) -> 0\n"), (0, "f(0) -> 0\n", ""))
        self.assertEqual(nrs("rules", "/dev/stdin", text="f(0) -> 0\n"), (0, "f(0) -> 0\n", ""))
        code, _, err = nrs("rules", "-", text="f(0) -> \n")
        self.assertEqual(code, 3)
        self.assertIn("nrs: standard input:1:", err)

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


class Simplify(Folder):
    def simplify(self, *arguments, text=None):
        return nrs("simplify", "--rules", self.rules, *arguments, text=text)

    def test_terms_from_arguments_and_from_a_stream(self):
        self.assertEqual(self.simplify("plus(s(0), s(0))"), (0, "s(s(0))\n", ""))
        code, out, err = self.simplify(text="times(s(0),new)\nplus(0\n\neven(s(0))\n")
        self.assertEqual((code, out.splitlines()[0], out.splitlines()[3]), (3, "plus(new,0)", "false"))
        self.assertEqual(out.splitlines()[1], "error: column 7: expected ',' or ')', found the end")
        self.assertIn("line 2, column 7", err)

    def test_trace_names_the_rules(self):
        code, out, _ = self.simplify("--trace", "plus(s(0),0)")
        self.assertEqual(out, "plus(s(0),0)\n-> s(plus(0,0))    by plus(s(x),y) -> s(plus(x,y))\n"
                              "-> s(0)    by plus(0,y) -> y\n")
        answer = json.loads(self.simplify("--trace", "--json", "plus(s(0),0)")[1])
        self.assertEqual((answer["result"], answer["stop"], answer["steps"]), ("s(0)", "final", 2))
        last = answer["trace"][1]["steps"][0]
        self.assertEqual((last["leaf"], last["value"]), ("plus(0,0)", "0"))
        self.assertEqual((last["source"], last["rule"]), ("rule", "plus(0,y) -> y"))

    def test_what_does_not_end_is_said_so(self):
        loop = self.write("loop.txt", "a -> a\ngrow(?x) -> grow(s(?x))\nk(?x,?y) -> ?x\n")
        code, out, err = nrs("simplify", "--rules", loop, "--max-steps", 1000, "a")
        self.assertEqual((code, out), (4, "stopped: step_limit: a\n"))
        self.assertIn("no normal form after 1000 steps", err)
        code, out, err = nrs("simplify", "--rules", loop, "--max-memory", 64, "grow(b)")
        self.assertEqual((code, out), (4, "stopped: memory_limit: grow(b)\n"))
        self.assertIn("no normal form within 64 MB of memory", err)
        self.assertEqual(nrs("simplify", "--rules", loop, "--strategy", "outermost", "k(b,a)")[:2], (0, "b\n"))

    def test_notations(self):
        infix = self.write("infix.txt", "notation infix\n?x+0 -> ?x\n?x*1 -> ?x\n")
        self.assertEqual(nrs("simplify", "--rules", infix, "(a+0)*1+b")[1], "(a+b)\n")
        self.assertEqual(nrs("simplify", "--rules", infix, "--notation", "sexpr", "(+ (* a 1) 0)")[1], "a\n")

    def test_wrong_options(self):
        self.assertEqual(self.simplify("--model", "multi", "0")[0], 2)
        self.assertEqual(nrs("simplify", "--strategy", "outermost", "0")[0], 2)


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


RESERVED = {"true", "false", "and", "or", "not", "xor", "implies", "if", "eq", "to", "in", "is"}


def as_in_maude(term):
    """The names that the Maude module has."""
    return re.sub(r"[^(),]+", lambda m: m[0] + "v2" if m[0] in RESERVED else m[0].replace("_", "u"), term)


@unittest.skipUnless(shutil.which("maude"), "Maude is not installed")
class Maude(Folder):
    def reduce(self, module):
        text = subprocess.run(["sh", "-c", "ulimit -s unlimited; exec maude -no-banner -no-advise -batch -no-wrap " +
                               str(module)], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
        return [re.sub(r"\s", "", line.split(": ", 1)[1]) for line in text.splitlines() if line.startswith("result ")]

    def test_terms_of_rec_files_have_the_same_normal_forms(self):
        if not PUBLIC.exists():
            self.skipTest("no public systems at %s" % PUBLIC)
        compared = 0
        for path in sorted((PUBLIC / "rec").glob("*.rec")):
            code, module, _ = nrs("rules", path, "--format", "maude")
            if code != 0 or "\nred " not in module:
                continue
            theirs = self.reduce(self.write("module.maude", module))
            ours = [as_in_maude(line) for line in nrs("simplify", "--rules", path)[1].splitlines()]
            self.assertEqual(ours, theirs, path.name)
            compared += len(ours)
        self.assertGreater(compared, 40)

    def test_random_terms_of_public_systems_have_the_same_normal_forms(self):
        if not PUBLIC.exists():
            self.skipTest("no public systems at %s" % PUBLIC)
        sys.path.insert(0, str(ROOT / "benchmarks"))
        import systems_against_maude
        for name in ("AProVE_06__quicksort", "AotoYamada_05__010", "Der95__08", "Der95__17", "SK90__2.31", "Zantema_05__jw15"):
            path = str(PUBLIC / "tpdb" / (name + ".ari"))
            count, different = systems_against_maude.differences(NRS, path, 50, 1)
            self.assertEqual((count, different), (50, []), name)


if __name__ == "__main__":
    unittest.main()
