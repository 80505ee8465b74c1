"""nrs learn where numbers are computed: rules about numbers, a table, a Solver. ROOT is the project's
folder, NRS the program, which has nrs-learn beside it."""
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])

spec = importlib.util.spec_from_file_location("computed_terms", ROOT / "benchmarks" / "computed_terms.py")
computed_terms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(computed_terms)


def nrs(*arguments, text=""):
    done = subprocess.run([NRS, *map(str, arguments)], input=text, capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    return done.returncode, done.stdout, done.stderr


def chains(system, count, nestings, seed):
    rng = random.Random(seed)
    terms = (system.draw(rng, rng.choice(nestings)) for _ in range(count))
    return "".join(" -> ".join(map(computed_terms.text, computed_terms.chain(system, term))) + "\n"
                   for term in terms)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Polynomials(Folder):
    """All questions that exist are taught many times: a table is enough."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.system = computed_terms.Polynomials()
        cls.chains = pathlib.Path(folder.name) / "p.chains"
        cls.chains.write_text(chains(cls.system, 3000, [1, 2, 3], 1))
        cls.model = pathlib.Path(folder.name) / "p.nrs"
        cls.code, cls.learned, cls.said = nrs("learn", cls.chains, "--out", cls.model)

    def setUp(self):
        super().setUp()
        self.assertEqual(self.code, 0, self.said)

    def test_rules_where_there_are_rules(self):
        self.assertIn("d(plus(?1,?2)) -> plus(d(?1),d(?2))  # ", self.learned)
        for rule in ["# for numbers: d(?n1) -> 0  # ", "# for numbers: d(mul(?n1,x)) -> ?n1  # ",
                     "# computed: d(mul(?n1,pow(x,?n2))) -> mul({1},x) or mul({1},pow(x,{2}))  # "]:
            self.assertIn(rule, self.learned)
        self.assertIn("# confluent: yes\n", self.learned)

    def test_deeper_terms_are_right(self):
        rng = random.Random(2)
        terms = [self.system.draw(rng, 6) for _ in range(100)]
        answers = nrs("simplify", "--model", self.model, "-",
                      text="".join(computed_terms.text(term) + "\n" for term in terms))
        right = [computed_terms.text(computed_terms.chain(self.system, term)[-1]) for term in terms]
        self.assertEqual(answers, (0, "\n".join(right) + "\n", ""))

    def test_traces_say_what_each_step_came_from(self):
        term = "d(plus(mul(12,pow(x,5)),7))"
        trace = nrs("simplify", "--model", self.model, "--trace", term)[1].splitlines()
        self.assertEqual([line.split("    by ")[0] for line in trace],
                         [term, "-> plus(d(mul(12,pow(x,5))),d(7))", "-> plus(mul(60,pow(x,4)),d(7))",
                          "-> plus(mul(60,pow(x,4)),0)"])
        self.assertTrue(trace[2].endswith(" (table)"), trace)
        answer = json.loads(nrs("simplify", "--model", self.model, "--trace", "--json", term)[1])
        self.assertEqual([step["steps"][0]["source"] for step in answer["trace"]], ["rule", "table", "rule"])

    def test_what_was_not_taught_is_not_invented(self):
        code, out, _ = nrs("simplify", "--model", self.model, "d(plus(mul(3,pow(x,2)),mul(3,pow(x,77))))")
        self.assertEqual((code, out), (4, "stopped: unknown_leaf: plus(mul(6,x),d(mul(3,pow(x,77))))\n"))

    def test_other_verbs(self):
        info = nrs("info", self.model)[1]
        self.assertIn("table        784 questions with answers\n", info)
        self.assertIn("certificate\n", info)
        self.assertIn("# computed: d(mul(?n1,pow(x,?n2)))", nrs("rules", self.model)[1])
        for arguments in [("rules", self.model, "--format", "cpp"), ("derive", self.model)]:
            code, _, err = nrs(*arguments)
            self.assertEqual(code, 2)
            self.assertIn("it has 3 rules about numbers", err)
        self.assertIn("3 rules about numbers are left out", nrs("check", self.model)[1])
        self.assertEqual(nrs("check", self.model, "--again")[:2], (0, "the certificate holds\n"))

    def test_a_rule_file_says_what_it_lacks(self):
        rules = self.folder / "p.rules"
        code, out, err = nrs("learn", self.chains, "--out", rules)
        self.assertEqual((code, out), (0, rules.read_text()))
        self.assertIn("a rule file cannot have rules about numbers", err)
        self.assertEqual(nrs("simplify", "--rules", rules, "d(plus(3,4))")[:2], (0, "plus(d(3),d(4))\n"))


class Arithmetic(Folder):
    """Most questions were never met: a Solver is trained, for some seconds only."""

    def test_a_solver_is_trained(self):
        system = computed_terms.Arithmetic()
        taught = chains(system, 300, [1, 2], 1)
        (self.folder / "a.chains").write_text(taught)
        models = [self.folder / name for name in ("a.nrs", "b.nrs")]
        for model in models:
            code, learned, err = nrs("learn", self.folder / "a.chains", "--out", model, "--minutes", 0.05,
                                     "--architecture", "rules")
            self.assertEqual(code, 0, err)
            self.assertIn("a Solver is trained", err)
        self.assertRegex(learned, r"# Solver: \d+ of \d+ held-out questions are right\n")
        # Only the names differ.
        sizes = {model.stat().st_size for model in models}
        self.assertEqual(len(sizes), 1)
        self.assertIn("Solver  ", nrs("info", models[0])[1])
        # What was taught is right, and nothing is invented.
        terms, right = zip(*((line.split(" -> ")[0], line.split(" -> ")[-1]) for line in taught.splitlines()))
        answers = nrs("simplify", "--model", models[0], "-", text="\n".join(terms) + "\n")
        self.assertEqual(answers[:2], (0, "\n".join(right) + "\n"))
        rng = random.Random(2)
        fresh = [system.draw(rng, 1) for _ in range(200)]
        code, out, _ = nrs("simplify", "--model", models[0], "--json", "-",
                           text="".join(computed_terms.text(term) + "\n" for term in fresh))
        self.assertEqual(code, 4)
        stops = {json.loads(line)["stop"] for line in out.splitlines()}
        self.assertLessEqual(stops, {"final", "low_confidence", "unknown_leaf"})
        wrong = sum(json.loads(line)["stop"] == "final" and json.loads(line)["result"] != system.redex(term)
                    for line, term in zip(out.splitlines(), fresh))
        self.assertLess(wrong, 10)


class OnlyComputed(Folder):
    """Terms of which every step computes a number follow no rule: patterns find the laws of the numbers."""

    LAWS = {"+": lambda a, b: (a + b) % 10, "mul": lambda a, b: a * b % 10, "max": max}

    def draw(self, rng, depth):
        if depth == 0:
            return str(rng.randrange(10))
        return [rng.choice(list(self.LAWS)), self.draw(rng, depth - 1), self.draw(rng, rng.randrange(depth))]

    def text(self, term):
        return term if isinstance(term, str) else "(" + " ".join(map(self.text, term)) + ")"

    def step(self, term):
        """The first redex from the left."""
        for i, part in enumerate(term):
            if i > 0 and not isinstance(part, str):
                return term[:i] + [self.step(part)] + term[i + 1:]
        return str(self.LAWS[term[0]](int(term[1]), int(term[2])))

    def chain(self, term):
        chain = [self.text(term)]
        while not isinstance(term, str):
            term = self.step(term)
            chain.append(self.text(term))
        return chain

    def test_words_and_signs_before_their_numbers(self):
        rng = random.Random(1)
        taught = [self.chain(self.draw(rng, rng.randint(1, 3))) for _ in range(300)]
        (self.folder / "lisp.txt").write_text("".join(" -> ".join(chain) + "\n" for chain in taught))
        code, learned, err = nrs("learn", self.folder / "lisp.txt", "--out", self.folder / "lisp.nrs")
        self.assertEqual(code, 0, err)
        self.assertIn("values: 0 in a table\n", learned)
        asked = [self.chain(self.draw(rng, 7)) for _ in range(100)]
        answers = nrs("simplify", "--model", self.folder / "lisp.nrs", "-",
                      text="".join(chain[0] + "\n" for chain in asked))
        self.assertEqual(answers, (0, "".join(chain[-1] + "\n" for chain in asked), ""))


if __name__ == "__main__":
    unittest.main()
