"""nrs check of files of examples, good and bad, from outside."""
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

import sessions

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
SANITIZE = os.environ.get("SANITIZE", "") not in ("", "OFF")


def nrs(*arguments, data=b""):
    done = subprocess.run([NRS, *map(str, arguments)], input=data, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path


class Check(Folder):
    def test_says_what_is_in_a_file(self):
        path = self.write("answers.txt", "((15+5)*2) = 40\n(1+2) = 3\n((1+2)*(3-4)) = -3\n(1+2) = 4\n(5-1) = 4\n")
        code, out, err = nrs("check", path)
        self.assertEqual((code, err), (3, ""))
        self.assertIn("examples     5 (chains): 5 questions with answers\n", out)
        self.assertIn("kind         answers only: ", out)
        self.assertIn("formulas     terms or text: infix with all brackets\n", out)
        self.assertIn('  line 4: "(1+2)" is "4", but "3" in line 2\n', out)

    def test_knows_rules_from_examples(self):
        rules = "f(s(?x)) -> f(?x)\nf(0) -> 0\n"
        self.assertIn("terminating", nrs("check", self.write("a.txt", rules))[1])
        ground = "f(a) -> b\nb -> c\n"
        self.assertIn("terminating", nrs("check", self.write("b.txt", ground))[1])
        self.assertIn("examples", nrs("check", "--examples", self.write("b.txt", ground))[1])
        for chains in ("f(s(0)) -> f(0) -> 0\n", "f(0) -> 0\n0\n", "question,answer\n1+2,3\n",
                       '{"question": "1+2", "answer": "3"}\n', "1+2\t3\n"):
            self.assertIn("examples     ", nrs("check", self.write("c.txt", chains))[1], chains)
        self.assertIn("examples     1 ", nrs("check", "-", data=b"f(0) -> 0\n")[1])
        code, out, _ = nrs("check", ROOT / "examples" / "derivatives.txt")
        self.assertEqual(code, 0, out)
        self.assertIn("terms: functional", out)

    def test_json(self):
        code, out, _ = nrs("check", "--json", "--kind", "steps", "-", data=b"1+2\t3\n4\t4\n")
        found = json.loads(out)
        self.assertEqual((code, found["kind"], found["suspicious"]["counts"]["no rewrite"]), (3, "steps", 1))

    def test_the_worked_systems(self):
        maker = ROOT / "examples" / "own-system" / "make_traces.py"
        traces = subprocess.run(["python3", maker], capture_output=True, check=True).stdout
        code, out, _ = nrs("check", self.write("traces.jsonl", traces))
        self.assertEqual(code, 0, out)
        self.assertIn("values       8 distinct: ", out)


    def test_what_the_page_shows(self):
        page = (ROOT / "docs" / "data.md").read_text()
        shown = [found for found in sessions.sessions(page) if found[0].startswith("./nrs check ")]
        self.assertEqual(len(shown), 1)
        out = nrs("check", ROOT / shown[0][0].split()[-1])[1]
        self.assertIsNone(sessions.difference(shown[0][1], out), out)

    def test_every_object_of_the_page_is_read(self):
        page = (ROOT / "docs" / "data.md").read_text()
        block = next(block for block in sessions.blocks(page, ["json"]) if '"chain"' in block)
        found = json.loads(nrs("check", "--json", "-", data=block.encode())[1])
        self.assertEqual((found["examples"], found["suspicious"]["counts"]["not read"]), (7, 0))


class Hostile(Folder):
    """One line that says what is wrong and where, exit 3, nothing written."""

    def refused(self, content, words, name="bad.txt"):
        path = self.write(name, content)
        model = pathlib.Path(self.folder.name) / "model"
        for verb in (["check", "--examples", path], ["learn", path, "--out", model]):
            code, out, err = nrs(*verb)
            self.assertEqual(code, 3, (verb, out[:200], err))
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn("nrs: %s:" % path, err)
            self.assertIn(words, err)
            self.assertFalse(model.exists())

    def test_what_is_no_text(self):
        self.refused(b"", "there is no example in it")
        self.refused(b"\n \n\t\n", "there is no example in it")
        self.refused(b"\x00" * 100000, ":1: there is a NUL byte")
        self.refused(b"a -> b\n" * 10 + b"\xff -> c\n" * 10, ":11: column 1: byte 0xff")
        self.refused("a -> b\n".encode("utf-16"), "this is UTF-16")
        self.refused(b"\x1f\x8b\x08\x00", "this is a gzip file")
        self.refused(b"PK\x03\x04" + bytes(100), "this is a ZIP file")

    def test_one_column(self):
        self.refused("1\n2\n3\n", ":1: every line is one formula")

    def test_forms_that_are_broken(self):
        self.refused('{"formula": "a", "next": "b"\n' * 3, ":1: this is not JSON")
        self.refused("[" * 100000, "every line is one formula")
        self.refused('{"formula": ' + "[" * 100000 + "\n", ":1: nested too deeply")
        self.refused("question,answer\na,b,c\n", ":2: 3 fields, but the header has 2")
        self.refused("question\tanswer\n", "there is no example in it")
        self.refused("a\tb\tc\nd\te\tf\n", ":1: there are not two columns")

    def test_a_line_of_50_megabytes_does_not_lose_the_others(self):
        path = self.write("long.txt", b"(1+2) -> 3\n(2+1) -> 3\n" + b"1" * 50_000_000 + b" -> 3\n(1+1) -> 2\n(2+2) -> 4\n")
        code, out, _ = nrs("check", "--examples", path)
        self.assertEqual(code, 3)
        self.assertIn("examples     4 (chains)", out)
        self.assertIn("  line 3: the line is longer than 16777216 bytes\n", out)
        self.refused(b"1" * 50_000_000, ":1: the line is longer than 16777216 bytes")

    def test_a_million_identical_lines(self):
        path = self.write("same.txt", b"(1+2) -> 3\n" * 1_000_000)
        code, _, err = nrs("check", path)
        self.assertEqual(code, 3)
        self.assertIn("all 1,000,000 examples are the same", err)

    def test_contradictions_everywhere(self):
        lines = "".join("(%d+%d)\t%d\n" % (i % 50, i % 7, i % 11) for i in range(20_000))
        code, _, err = nrs("check", self.write("bad.tsv", lines))
        self.assertEqual(code, 3)
        self.assertRegex(err, r'bad.tsv:\d+: "\(\d+\+\d+\)" is "\d+", but "\d+" in line \d+; [\d,]+ of 20,000 lines contradict')

    @unittest.skipIf(SANITIZE, "sanitizers take memory of their own")
    def test_none_of_this_takes_much_memory(self):
        self.test_a_million_identical_lines()
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 700)


if __name__ == "__main__":
    unittest.main()
