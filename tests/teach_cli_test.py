"""nrs learn for text that is no terms, from outside: what docs/own-systems.md shows, and what a user may do wrong."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import sessions

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
sys.path.insert(0, str(ROOT / "examples"))
import make_listops as listops  # noqa: E402


class Folder(unittest.TestCase):
    """Each test has a folder of its own, which looks like a clone."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "nrs").symlink_to(pathlib.Path(NRS).resolve())
        for name in ("benchmarks", "examples"):
            (self.folder / name).symlink_to((ROOT / name).resolve())

    def nrs(self, *arguments, text=""):
        done = subprocess.run([NRS, *map(str, arguments)], cwd=self.folder, input=text, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def models(self):
        return sorted(path.name for path in self.folder.glob("*.nrs*"))


class Page(Folder):
    def test_every_command_of_it(self):
        found = list(sessions.sessions((ROOT / "docs" / "own-systems.md").read_text()))
        self.assertGreater(len(found), 15)
        for command, expected in found:
            done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True)
            with self.subTest(command):
                summary = "examples     " if command.startswith("./nrs learn ") else ""
                self.assertTrue(done.stderr.startswith(summary) if summary else not done.stderr, done.stderr)
                self.assertIsNone(sessions.difference(expected, done.stdout), done.stdout)

    def test_examples_are_what_their_programs_write(self):
        for command, file in (("benchmarks/teach.py --write booleans-steps --count 300", "booleans.txt"),
                              ("benchmarks/teach.py --write sorting --count 300", "sorting.txt"),
                              ("examples/make_listops.py", "listops.txt")):
            written = subprocess.run([sys.executable, "-B", *command.split()], cwd=ROOT, capture_output=True, check=True)
            self.assertEqual(written.stdout, (ROOT / "examples" / file).read_bytes(), file)


class Teaching(Folder):
    def test_bad_files_are_refused_and_nothing_is_written(self):
        bad = {"empty": b"", "one": b"ab\n", "binary": bytes(range(256)) * 8, "finals": b"True\nFalse\n",
               "contradictions": b"".join(b"f %d g = %d\n" % (i % 10, i // 10) for i in range(100))}
        for name, content in bad.items():
            (self.folder / (name + ".txt")).write_bytes(content)
            code, out, err = self.nrs("learn", name + ".txt")
            with self.subTest(name):
                self.assertEqual((code, out), (3, ""), err)
                self.assertTrue(err.splitlines()[-1].startswith("nrs: "), err)
                self.assertEqual(self.models(), [])
        code, out, _ = self.nrs("learn", "missing.txt")
        self.assertEqual((code, out, self.models()), (1, "", []))

    def test_a_model_that_is_there_is_not_replaced(self):
        kept = self.folder / "booleans.nrs"
        kept.write_text("mine")
        code, out, err = self.nrs("learn", "examples/booleans.txt")
        self.assertEqual((code, kept.read_text(), self.models()), (0, "mine", ["booleans.nrs"]))
        self.assertIn("nrs: booleans.nrs is there already and stays as it is", err)
        self.assertIn("<value> and <value>", out)
        self.assertEqual(self.nrs("learn", "examples/booleans.txt", "--out", "booleans.nrs")[0], 0)
        self.assertEqual(self.nrs("simplify", "--model", "booleans.nrs", "not True")[:2], (0, "False\n"))

    def test_the_same_examples_give_the_same_model(self):
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            self.assertEqual(self.nrs("learn", "examples/booleans.txt", "--out", name + "/x.nrs")[0], 0)
        self.assertEqual((self.folder / "a/x.nrs").read_bytes(), (self.folder / "b/x.nrs").read_bytes())

    def test_one_more_chain_teaches_what_was_refused(self):
        taught = (ROOT / "examples" / "booleans.txt").read_text() + "not not True -> not False -> True\n"
        (self.folder / "more.txt").write_text(taught)
        self.assertEqual(self.nrs("learn", "more.txt")[0], 0)
        self.assertEqual(self.nrs("simplify", "--model", "more.nrs", "not not not False")[:2], (0, "True\n"))

    def test_answers_alone_teach_deeper_questions(self):
        self.assertEqual(self.nrs("learn", "examples/listops.txt")[0], 0)
        rng = random.Random(9)
        questions = [listops.question(10, rng) for _ in range(200)]
        code, out, err = self.nrs("simplify", "--model", "listops.nrs", "-", text="\n".join(questions))
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.split(), [listops.answer(question) for question in questions])

    def test_wrong_lines_are_listed_and_not_learned(self):
        # The chains of examples/booleans.txt, some with another end.
        write = [sys.executable, "-B", "benchmarks/teach.py", "--write", "booleans-steps", "--count", "300", "--noise", "0.05"]
        noisy = subprocess.run(write, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        right = (ROOT / "examples" / "booleans.txt").read_text().splitlines()
        wrong = {i for i, (a, b) in enumerate(zip(noisy, right), 1) if a != b}
        self.assertGreater(len(wrong), 3)
        (self.folder / "noisy.txt").write_text("\n".join(noisy) + "\n")
        code, out, _ = self.nrs("learn", "noisy.txt")
        self.assertEqual(code, 0)
        listed = {int(line.split()[1][:-1]) for line in out.splitlines() if line.startswith("  line ")}
        self.assertEqual(listed, wrong)
        clean = self.nrs("learn", "examples/booleans.txt")[1]
        self.assertEqual(out.partition("lines that")[0], clean.partition("on held-out")[0])


if __name__ == "__main__":
    unittest.main()
