"""nrs learn for text that is no terms, from outside: what docs/own-systems.md shows, and what a user may do wrong."""
import json
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
                              ("examples/make_listops.py", "listops.txt"),
                              ("examples/make_derivatives.py", "derivatives.txt")):
            written = subprocess.run([sys.executable, "-B", *command.split()], cwd=ROOT, capture_output=True, check=True)
            self.assertEqual(written.stdout, (ROOT / "examples" / file).read_bytes(), file)


class Teaching(Folder):
    def test_bad_files_are_refused_and_nothing_is_written(self):
        bad = {"empty": b"", "one": b"ab\n", "binary": bytes(range(256)) * 8, "finals": b"True\nFalse\n",
               "contradictions": b"".join(b"f %d g = %d\n" % (i % 10, i // 10) for i in range(100)),
               "few_contradictions": b"f a = 1\nf a = 2\nf b = 1\nf b = 2\n",
               "three_same": b"True and False -> False\n" * 3, "many_same": b"not True -> False\n" * 100000,
               "long": b"a" * 50_000_000 + b"\n", "column": b"X\nTrue\nnot True\n"}
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
        self.assertIn("nrs: booleans.nrs already exists and is left unchanged", err)
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

    def ask(self, *arguments):
        """What nrs learn would like to know."""
        code, out, err = self.nrs("learn", *arguments, "--json")
        self.assertEqual(code, 0, err)
        return [question["formula"] for question in json.loads(out)["ask"]]

    def test_an_answer_settles_a_question(self):
        for answer in ("not not False = False", "not not False -> not True -> False"):
            self.assertEqual(self.nrs("learn", "examples/booleans.txt", "--out", "more.nrs")[0], 0)
            self.assertEqual(self.ask("more.nrs", "--out", "other.nrs"), ["not not False"])
            self.assertEqual(self.nrs("simplify", "--model", "more.nrs", "not not False")[0], 4)
            (self.folder / "answer.txt").write_text(answer + "\n")
            code, out, err = self.nrs("learn", "--more", "answer.txt", "more.nrs")
            self.assertEqual(code, 0, err)
            self.assertNotIn("never seen", out)
            self.assertEqual(self.nrs("simplify", "--model", "more.nrs", "not not ( not not True )")[:2], (0, "True\n"))

    def test_answers_settle_questions_of_a_system_taught_by_answers(self):
        lines = [line for line in (ROOT / "examples" / "listops.txt").read_text().splitlines()
                 if "SM [" not in line]
        (self.folder / "some.txt").write_text("\n".join(lines) + "\n")
        self.assertEqual(self.nrs("learn", "some.txt")[0], 0)
        questions = self.ask("some.nrs", "--out", "other.nrs")
        self.assertEqual(len(questions), 3)
        for question in questions:
            self.assertEqual(self.nrs("simplify", "--model", "some.nrs", question)[0], 4, question)
        (self.folder / "answers.txt").write_text("".join("%s = %s\n" % (q, listops.answer(q)) for q in questions))
        self.assertEqual(self.nrs("learn", "--more", "answers.txt", "some.nrs")[0], 0)
        self.assertEqual(self.nrs("simplify", "--model", "some.nrs", "[SM [SM [MAX 3 4] 9] [MIN 2 [SM 1 [SM 8 8]]]]")[:2],
                         (0, "5\n"))

    def test_more_goes_on_from_a_model_that_was_taught(self):
        lines = (ROOT / "examples" / "booleans.txt").read_text().splitlines(keepends=True)
        (self.folder / "first.txt").write_text("".join(lines[:150]))
        (self.folder / "second.txt").write_text("".join(lines[150:]))
        (self.folder / "both.txt").write_text("".join(lines))
        self.assertEqual(self.nrs("learn", "first.txt", "--out", "m.nrs")[0], 0)
        more = self.nrs("learn", "--more", "second.txt", "m.nrs")
        self.assertEqual(more[1], self.nrs("learn", "both.txt")[1])
        for arguments in (("--more", "second.txt", "first.txt"), ("--more", "missing.txt", "m.nrs"), ("missing.nrs",)):
            code, out, err = self.nrs("learn", *arguments)
            self.assertIn(code, (1, 2), err)
            self.assertEqual(out, "")

    def test_models_are_measured_verified_and_timed(self):
        self.assertEqual(self.nrs("learn", "examples/booleans.txt")[0], 0)
        (self.folder / "asked.txt").write_text("not True -> False\nnot not True = True\nTrue and True -> False\n")
        code, out, err = self.nrs("eval", "--model", "booleans.nrs", "asked.txt", "--json", "--errors", "errors.jsonl")
        self.assertEqual((code, err), (0, ""))
        scores = json.loads(out)
        self.assertEqual([scores["total"][part] for part in ("questions", "right", "wrong", "refused")], [3, 1, 1, 1])
        self.assertEqual(scores["faults"], {"leaf": 1, "value": 1})
        errors = [json.loads(line) for line in (self.folder / "errors.jsonl").read_text().splitlines()]
        self.assertEqual([(error["line"], error["verdict"]) for error in errors], [(2, "refused"), (3, "wrong")])
        code, out, err = self.nrs("verify", "--model", "booleans.nrs", "--contexts", 500, "--store")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("verdict     exact", out)
        certificate = json.loads(self.nrs("info", "booleans.nrs", "--json")[1])["certificate"]
        self.assertEqual(certificate["examples"]["contexts"]["right"], 500)
        for arguments in ((), ("asked.txt",)):
            code, out, err = self.nrs("bench", "--model", "booleans.nrs", "--seconds", 0, "--count", 10, *arguments, "--json")
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(json.loads(out)["formulas"]["right"], 1 if arguments else 60)

    def test_the_file_carries_its_card(self):
        self.assertEqual(self.nrs("learn", "examples/listops.txt")[0], 0)
        info = json.loads(self.nrs("info", "listops.nrs", "--json")[1])
        self.assertTrue(info["data_hash"].startswith("crc32:"))
        self.assertEqual(info["results"]["taught"]["examples"], 1500)
        self.assertEqual(info["results"]["taught"]["from"], "answers")
        self.assertEqual(info["results"]["held_out"]["questions"], info["results"]["held_out"]["right"])

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
