"""nrs learn that is interrupted while it trains a Solver, or goes on from one. NRS is the program, with nrs-learn beside
it."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
OPTIONS = ["--minutes", "0.08", "--threads", "1"]


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def nrs(self, *arguments):
        done = subprocess.run([NRS, *arguments], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr


class Networks(Folder):
    def test_they_are_trained_on_what_patterns_find(self):
        values = {"not T": "F", "not F": "T", "( T )": "T", "( F )": "F"}
        lines = ["%s -> %s" % item for item in values.items()]
        for leaf, value in values.items():
            lines += ["( %s ) -> ( %s ) -> %s" % (leaf, value, value),
                      "( ( %s ) ) -> ( ( %s ) ) -> ( %s ) -> %s" % (leaf, value, value, value)]
        (self.folder / "not.txt").write_text("\n".join(lines) + "\n")
        code, out, err = self.nrs("learn", "not.txt", "--architecture", "fastnrs", "--minutes", "0.02", "--threads", "1")
        self.assertEqual(code, 0, err)
        self.assertIn("networks, trained on ", out)
        formulas = [json.loads(line) for line in (self.folder / "not.nrs.traces.jsonl").read_text().splitlines()]
        self.assertGreater(max(len(formula["formula"]) for formula in formulas), 30)
        for formula in formulas:
            self.assertTrue(formula.get("final") or formula["steps"], formula)
        total = json.loads(self.nrs("eval", "--model", "not.nrs", "not.txt", "--json")[1])["total"]
        self.assertGreaterEqual(total["right"], 10, total)
        # Nothing is trained anew in the place of what is there.
        (self.folder / "more.txt").write_text("( ( T ) ) -> ( T ) -> T\n")
        before = (self.folder / "not.nrs").read_bytes()
        code, out, err = self.nrs("learn", "--more", "more.txt", "not.nrs")
        self.assertEqual(code, 2, err)
        self.assertIn("cannot continue from their weights", err)
        self.assertEqual((self.folder / "not.nrs").read_bytes(), before)
        # The recipe can be changed and trained again.
        recipe = self.folder / "not.nrs.toml"
        recipe.write_text(recipe.read_text().replace("steps = 100", "steps = 2"))
        self.assertEqual(self.nrs("train", "not.nrs.toml", "--out", "again.nrs", "--quiet")[0], 0)
        # What networks cannot learn is said before any training.
        (self.folder / "erase.txt").write_text("aA -> \naaA -> a\nAaa -> a\nAa -> \nAaA -> A\n")
        code, out, err = self.nrs("learn", "erase.txt", "--architecture", "fastnrs", "--out", "e.nrs")
        self.assertEqual((code, out), (3, ""), err)


class Sums(Folder):
    @classmethod
    def setUpClass(cls):
        """A Solver that is trained without interruption, once for all tests."""
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.whole = pathlib.Path(temporary.name)
        rng = random.Random(1)
        # One more than the sum, because plain arithmetic is found as a law, without a Solver.
        sums = ((rng.randrange(20), rng.randrange(20)) for _ in range(500))
        (cls.whole / "sums.txt").write_text("".join("%d+%d -> %d\n" % (a, b, a + b + 1) for a, b in sums))
        cls.learned = subprocess.run([NRS, "learn", "sums.txt", *OPTIONS], cwd=cls.whole, capture_output=True, text=True)

    def setUp(self):
        super().setUp()
        self.assertEqual(self.learned.returncode, 0, self.learned.stderr)
        shutil.copy(self.whole / "sums.txt", self.folder)

    def copy_whole(self):
        shutil.copy(self.whole / "sums.nrs", self.folder)

    def info(self):
        return json.loads(self.nrs("info", "sums.nrs", "--json")[1])

    def interrupt(self):
        """Learns until a Solver has been measured, and then as Ctrl-C would have it; returns what was said."""
        run = subprocess.Popen([NRS, "learn", "sums.txt", *OPTIONS], cwd=self.folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        said = []
        for line in run.stderr:
            said.append(line)
            if line.startswith("solver ") and "distribution" in line:
                run.send_signal(signal.SIGINT)
                break
        said += run.stderr.readlines()
        run.stderr.close()
        self.assertEqual(run.wait(), 128 + signal.SIGINT, said)
        return "".join(said)

    def test_what_was_learned_stays_and_goes_on(self):
        said = self.interrupt()
        self.assertIn("nrs learn sums.nrs --minutes 0.08 --seed 1 continues", said)
        before = self.info()
        self.assertEqual(before["results"]["solver"]["ended"], "interrupted")
        self.assertTrue((self.folder / "sums.nrs.training").is_dir())
        self.assertEqual(self.nrs("simplify", "--model", "sums.nrs", "1+1")[0] in (0, 4), True)
        code, _, err = self.nrs("learn", "sums.nrs", *OPTIONS)
        self.assertEqual(code, 0, err)
        steps = before["results"]["solver"]["steps"]
        first = next(int(line.split()[1].split("/")[0]) for line in err.splitlines() if line.startswith("solver "))
        self.assertGreater(first, steps)
        self.assertNotEqual(self.info()["results"]["solver"]["ended"], "interrupted")
        self.assertFalse((self.folder / "sums.nrs.training").exists())
        # A run without the interruption comes to the same Solver.
        resumed = self.info()["results"]["solver"]
        self.copy_whole()
        self.assertEqual(self.info()["results"]["solver"], resumed)

    def test_more_examples_go_on_from_the_weights(self):
        self.copy_whole()
        (self.folder / "more.txt").write_text("19+91 -> 111\n18+91 -> 110\n")
        code, _, more = self.nrs("learn", "--more", "more.txt", "sums.nrs", *OPTIONS)
        self.assertEqual(code, 0, more)
        self.assertGreater(self.first_score(more), self.first_score(self.learned.stderr) + 10)
        self.assertEqual(self.nrs("simplify", "--model", "sums.nrs", "19+91")[:2], (0, "111\n"))

    @staticmethod
    def first_score(err):
        line = next(line for line in err.splitlines() if line.startswith("solver "))
        return float(line.split("in-distribution ")[1].split()[0])


if __name__ == "__main__":
    unittest.main()
