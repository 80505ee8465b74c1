"""The Python module: the same answers as the program, errors with a place, learning, notebooks."""
import doctest
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
sys.path.insert(0, str(NRS.parent.parent / "python"))

import nrs  # noqa: E402


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.multi = nrs.load("multi")

    def test_a_formula_and_a_list_of_them(self):
        answer = self.multi.simplify("((15+5)*(3-4))")
        self.assertEqual((answer.ok, answer.value, answer.stop), (True, "-20", "final"))
        self.assertEqual([each.value for each in self.multi.simplify(["(1+1)", "(True AND p)"])], ["2", "p"])
        self.assertEqual(self.multi.simplify([]), [])

    def test_the_same_answers_as_the_program(self):
        questions = [question for domain in ("logic", "listops", "arithmetic", "algebra")
                     for question, _ in nrs.generate(domain, 3, 50, seed=7)]
        done = subprocess.run([NRS, "simplify", "--json"], input="\n".join(questions), capture_output=True, text=True)
        theirs = [json.loads(line)["result"] for line in done.stdout.splitlines()]
        self.assertEqual([answer.formula for answer in self.multi.simplify(questions)], theirs)

    def test_generated_values_are_right(self):
        scores = self.multi.evaluate(nrs.generate("arithmetic", 3, 100, seed=3))
        self.assertEqual((scores.right, scores.asked, scores.accuracy), (100, 100, 1.0))
        self.assertEqual(nrs.generate("arithmetic", 3, 100, seed=3), nrs.generate("arithmetic", 3, 100, seed=3))

    def test_what_is_wrong_and_what_is_refused_are_told_apart(self):
        scores = self.multi.evaluate([("(1+1)", "2"), ("(1+1)", "3"), ("(a&b)", "a"), ("(1+", "1")])
        self.assertEqual((scores.right, len(scores.wrong), len(scores.unanswered)), (1, 1, 2))
        self.assertEqual(scores.wrong[0].value, "2")
        self.assertEqual(scores.unanswered[0].stop, "unknown_leaf")
        self.assertIsNotNone(scores.unanswered[1].error)

    def test_steps_lead_from_the_question_to_the_answer(self):
        answer = self.multi.simplify("((15+5)*(3-4))")
        self.assertEqual([(step.round, step.leaf, step.value) for step in answer.steps],
                         [(0, "(15+5)", "20"), (0, "(3-4)", "-1"), (1, "(20*-1)", "-20")])

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "no numpy")
    def test_log_probabilities_are_an_array(self):
        log_probs = self.multi.simplify("((15+5)*(3-4))").log_probs
        self.assertEqual(log_probs.shape, (3, 2))
        self.assertTrue((log_probs <= 0).all())

    def test_a_notebook_shows_the_derivation(self):
        page = self.multi.simplify("((15+5)*(3-4))")._repr_html_()
        self.assertEqual(page.count("<li>"), 3)
        self.assertIn(">(15+5)</span>*<span", page)
        self.assertIn("<strong>-20</strong>", page)
        self.assertIn("stopped: unknown_leaf", self.multi.simplify("(a&b)")._repr_html_())

    def test_errors_have_a_place_and_a_hint(self):
        with self.assertRaises(nrs.Error) as caught:
            self.multi.simplify("(1+?)")
        self.assertIn("column 4", str(caught.exception))
        self.assertEqual(caught.exception.offset, 3)
        with self.assertRaisesRegex(nrs.Error, "column 4"):
            raise self.multi.simplify(["(1+?)"])[0].error

    def test_an_unknown_model_or_domain_is_an_error(self):
        for wrong in lambda: nrs.load("mutli"), lambda: nrs.load("/no/such.nrs"), lambda: nrs.generate("arith", 1, 1):
            with self.assertRaises(nrs.Error):
                wrong()
        self.assertIn("multi", nrs.models())

    def test_other_threads_run_meanwhile(self):
        turns, done = 0, threading.Event()
        formulas = [question for question, _ in nrs.generate("algebra", 5, 200, seed=1)]
        worker = threading.Thread(target=lambda: (self.multi.simplify(formulas), done.set()))
        worker.start()
        while not done.is_set():
            turns += 1
        worker.join()
        self.assertGreater(turns, 1000)

    def test_ctrl_c_ends_a_long_list(self):
        script = ("import nrs, sys; m = nrs.load('multi'); print('ready', flush=True)\n"
                  "f = [q for q, _ in nrs.generate('algebra', 4, 1000, seed=1)]\n"
                  "while True: m.simplify(f * 100)")
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env=dict(os.environ, PYTHONPATH=str(NRS.parent.parent / "python")))
        self.assertEqual(child.stdout.readline(), "ready\n")
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)


class Guide(unittest.TestCase):
    def test_what_the_guide_shows_is_what_happens(self):
        page = (ROOT / "docs" / "python.md").read_text()
        shown = "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
        guide = doctest.DocTestParser().get_doctest(shown, {}, "docs/python.md", None, None)
        there = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "examples", pathlib.Path(folder) / "examples")
            os.chdir(folder)
            try:
                failed, tried = doctest.DocTestRunner().run(guide)
            finally:
                os.chdir(there)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 10)


class Learning(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.temporary.name) / "mine.nrs"

    def tearDown(self):
        self.temporary.cleanup()

    def test_from_a_file(self):
        model = nrs.learn(ROOT / "examples" / "booleans.txt", self.out)
        self.assertEqual(model.simplify("not ( True and not ( False or True ) )").value, "True")
        self.assertIn("<value> and <value>", model.report)

    def test_from_chains_and_their_rules(self):
        def number(n):
            return "s(" * n + "0" + ")" * n

        def chain(n, m):
            steps = ["s(" * k + f"plus({number(n - k)},{number(m)})" + ")" * k for k in range(n + 1)]
            return [*steps, number(n + m)]

        model = nrs.learn([chain(n, m) for n in range(4) for m in range(4)], self.out)
        self.assertEqual(model.simplify(f"plus({number(9)},{number(2)})").value, number(11))
        self.assertIn("plus", nrs.rules(model))

    def test_faults_of_examples_are_errors(self):
        with self.assertRaises(nrs.Error):
            nrs.learn([], self.out)
        with self.assertRaisesRegex(nrs.Error, "example 1 has a line end"):
            nrs.learn([["a\n", "b", "c"]], self.out)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
