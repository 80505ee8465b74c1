"""nrs learn and nrs check from outside."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import sessions

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])

DERIVATIVES = """
d(x) -> 1
d(a) -> 0
d(plus(?u,?v)) -> plus(d(?u),d(?v))
d(mul(?u,?v)) -> plus(mul(d(?u),?v),mul(?u,d(?v)))
d(sin(?u)) -> mul(cos(?u),d(?u))
plus(0,?u) -> ?u
plus(?u,0) -> ?u
mul(0,?u) -> 0
mul(?u,0) -> 0
mul(1,?u) -> ?u
mul(?u,1) -> ?u
"""


def nrs(*arguments, text=""):
    done = subprocess.run([NRS, *map(str, arguments)], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class LearnAndCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.rules = cls.path / "derivatives.rules"
        cls.rules.write_text(DERIVATIVES)
        cls.chains = cls.path / "chains.txt"
        cls.chains.write_text(nrs("derive", cls.rules, "--count", 600, "--seed", 7)[1])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_learns_the_rules_again(self):
        learned = self.path / "learned.rules"
        code, out, err = nrs("learn", self.chains, "--out", learned)
        self.assertEqual(code, 0)
        self.assertTrue(err.startswith("examples     600 (chains): "), err)
        self.assertIn("formulas     terms: functional\n", err)
        self.assertEqual(out, learned.read_text())
        self.assertTrue(out.startswith("# 11 rules from 600 chains with "), out)
        self.assertIn("(leftmost-innermost)\n", out)
        self.assertIn("d(mul(?1,?2)) -> plus(mul(d(?1),?2),mul(?1,d(?2)))", out)
        self.assertIn("# terminating: yes, by a recursive path order\n", out)
        # What it writes is a rule file.
        as_ari = nrs("rules", learned, "--format", "ari")[1]
        self.assertEqual(as_ari.count("(rule"), 11)

    def test_what_was_learned_is_a_model(self):
        model = self.path / "derivatives.nrs"
        self.assertEqual(nrs("learn", self.chains, "--out", model)[0], 0)
        formula = "d(mul(x,sin(mul(a,x))))"
        by_model = nrs("simplify", "--model", model, formula)
        self.assertEqual(by_model, (0, "plus(sin(mul(a,x)),mul(x,mul(cos(mul(a,x)),a)))\n", ""))
        self.assertEqual(nrs("simplify", "--rules", self.rules, formula), by_model)
        self.assertEqual(nrs("rules", model, "--format", "ari")[0], 0)
        # The certificate of what learn proved is in it; check finds it again.
        self.assertEqual(nrs("check", model, "--again")[:2], (0, "the certificate holds\n"))
        self.assertIn("terminating  yes", nrs("check", model)[1])
        self.assertEqual(nrs("check", model, "--again")[:2], (0, "the certificate holds\n"))
        self.assertEqual(nrs("check", self.rules, "--again")[0], 2)
        info = nrs("info", model)[1]
        self.assertIn("rules        11, ", info)
        self.assertIn("certificate\n", info)
        described = json.loads(nrs("info", model, "--json")[1])
        self.assertEqual(len(described["rules"]["rules"]), 11)
        self.assertGreater(described["rules"]["rules"][0]["steps"], 10)
        self.assertEqual(nrs("derive", model, "--count", 5)[1].count("\n"), 5)
        self.assertIn("by d(mul(?1,?2)) -> ", nrs("simplify", "--model", model, "--trace", formula)[1])

    def test_the_answer_to_a_guess_settles_it(self):
        few = [line for line in self.chains.read_text().splitlines() if "d(plus" not in line][:200]
        few += ["d(plus(x,a)) -> plus(d(x),d(a)) -> plus(1,d(a)) -> plus(1,0) -> 1",
                "d(plus(a,x)) -> plus(d(a),d(x)) -> plus(0,d(x)) -> d(x) -> 1"]
        chains, model, answer = (self.path / name for name in ("few.txt", "few.nrs", "answer.txt"))
        chains.write_text("\n".join(few) + "\n")
        code, out, err = nrs("learn", chains, "--out", model)
        self.assertEqual(code, 0, err)
        self.assertIn("#   a guess: show me what becomes of d(plus(a,a))\n", out)
        answer.write_text("d(plus(a,a)) = 0\n")
        code, out, err = nrs("learn", "--more", answer, model)
        self.assertEqual(code, 0, err)
        self.assertIn("d(plus(?1,?2)) -> plus(d(?1),d(?2))", out)
        self.assertNotIn("d(plus(a,a))", out)
        # It is verified by its examples and by its rules; neither certificate takes the other's place.
        self.assertEqual(nrs("verify", "--model", model, "--contexts", 100, "--store")[0], 0)
        self.assertIn(nrs("check", model)[0], (0, 4))  # 4: not proved confluent
        certificate = json.loads(nrs("info", model, "--json")[1])["certificate"]
        self.assertEqual(certificate["examples"]["verdict"], "exact")
        self.assertIn("rules", certificate)

    def test_a_model_runs_like_a_rule_file(self):
        model = self.path / "same.nrs"
        self.assertEqual(nrs("learn", self.chains, "--out", model)[0], 0)
        lines = "d(plus(x,a))\nd(\n\nplus( 0, x)\n"
        by_rules = self.path / "same.rules"
        by_rules.write_text(nrs("rules", model)[1])
        for options in [(), ("--trace",), ("--json", "--trace"), ("--strategy", "outermost"),
                        ("--max-steps", 1), ("--threads", 1, "--notation", "sexpr")]:
            code, out, err = nrs("simplify", "--model", model, *options, text=lines)
            self.assertEqual((code, out, err), nrs("simplify", "--rules", by_rules, *options, text=lines))
            self.assertEqual(code, 3)
        self.assertEqual(nrs("simplify", "--model", model, "--max-steps", 1, "d(plus(x,a))")[0], 4)
        self.assertEqual(nrs("simplify", "--model", model, "--samples", 4, "x")[0], 2)

    def test_json_says_what_each_rule_rests_on(self):
        code, out, _ = nrs("learn", self.chains, "--json")
        self.assertEqual(code, 0)
        learned = json.loads(out)
        self.assertEqual((learned["chains"], learned["strategy"]), (600, "leftmost-innermost"))
        self.assertEqual(learned["suspicious"], [])
        for rule in learned["rules"]:
            self.assertGreaterEqual(rule["steps"], rule["redexes"])
            self.assertEqual(rule["lines"], sorted(set(rule["lines"])))

    def test_wrong_lines_are_named(self):
        lines = self.chains.read_text().splitlines()
        long = [i for i, line in enumerate(lines) if line.count(" -> ") > 3]
        for i in long[::40]:
            terms = lines[i].split(" -> ")
            lines[i] = " -> ".join(terms[:1] + terms[3:])
        code, out, _ = nrs("learn", "-", "--json", text="\n".join(lines) + "\n")
        self.assertEqual(code, 0)
        learned = json.loads(out)
        self.assertEqual(len(learned["rules"]), 11)
        named = {bad["line"] for bad in learned["suspicious"]}
        self.assertTrue(named)
        self.assertLessEqual(named, {i + 1 for i in long[::40]})

    def test_guesses_come_with_a_question(self):
        out = nrs("learn", "-", text="le(s(0),s(0)) -> le(0,0) -> true\nle(0,s(0)) -> true\ns(s(0))\n")[1]
        self.assertRegex(out, r"#   a guess: show me what becomes of le\(")

    def test_bad_chains(self):
        code, out, err = nrs("learn", "-", "--architecture", "rules", text="f(a -> b\n")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("nrs: standard input:1: column ", err.replace(", column", ": column"))
        code, out, err = nrs("learn", "-", text="f(a -> b\n")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("nrs: no short question shows how longer ones are answered", err)
        self.assertEqual(nrs("learn", self.path / "missing")[0], 1)
        self.assertEqual(nrs("learn", "-", text="a\n")[0], 3)

    def test_check_writes_a_certificate_that_holds(self):
        certificate = self.path / "certificate.json"
        group = self.path / "group.rules"
        group.write_text("m(e,?x) -> ?x\nm(?x,e) -> ?x\nm(m(?x,?y),?z) -> m(?x,m(?y,?z))\n")
        code, out, err = nrs("check", group, "--certificate", certificate)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("terminating  yes: a recursive path order\n", out)
        self.assertIn("confluent    yes: all 5 critical pairs join\n", out)
        self.assertEqual(nrs("check", group, "--again", certificate)[:2], (0, "the certificate holds\n"))
        code, _, err = nrs("check", self.rules, "--again", certificate)
        self.assertEqual(code, 3)
        self.assertIn("it is for other rules", err)

    def test_check_says_what_is_not_proved(self):
        code, out, _ = nrs("check", self.rules, "--json")
        checked = json.loads(out)
        self.assertEqual(code, 4)  # d(plus(0,x)) has two results: there is no rule for d(0)
        self.assertEqual((checked["terminating"], checked["confluent"]), ("yes", "no"))
        self.assertTrue(checked["open"])
        self.assertIn("d(1)", checked["stuck"])
        loop = self.path / "loop.rules"
        loop.write_text("f(?x,?y) -> f(?y,?x)\n")
        code, out, _ = nrs("check", loop)
        self.assertEqual(code, 4)
        self.assertIn("terminating  unknown", out)


class Page(unittest.TestCase):
    """docs/terms.md shows what the program prints."""

    def test_every_command_of_it(self):
        found = list(sessions.sessions((ROOT / "docs" / "terms.md").read_text()))
        self.assertGreater(len(found), 4)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "nrs").symlink_to(pathlib.Path(NRS).resolve())
            for name in ("benchmarks", "examples"):
                (pathlib.Path(folder) / name).symlink_to((ROOT / name).resolve())
            for command, expected in found:
                done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
                with self.subTest(command):
                    summary = "examples     " if command.startswith("./nrs learn ") else ""
                    self.assertTrue(done.stderr.startswith(summary) if summary else not done.stderr, done.stderr)
                    self.assertIsNone(sessions.difference(expected, done.stdout), done.stdout)


if __name__ == "__main__":
    unittest.main()
