"""What bad files and formulas do to the program as a user runs it: one line that says why, the exit
code of bad input, no crash, no hang, little memory. Each test names the scenarios that it covers; the
same faults are tried in finer steps by the unit tests that hostile_test.cc lists."""
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
MODEL = ROOT / "tests" / "data" / "tiny.nrs"
DEEP = 100_000


def run(*arguments, data=b""):
    done = subprocess.run([NRS, *map(str, arguments)], input=data, capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class BadModels(unittest.TestCase):
    """Scenarios 1, 2, 3, 5, 9."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "model.nrs"
        self.addCleanup(self.folder.cleanup)

    def refused(self, path, code=3):
        for verb in (["info", path], ["simplify", "--model", path, "(1+2)"]):
            got, out, err = run(*verb)
            self.assertEqual((got, out), (code, b""), err)
            self.assertEqual(err.count(b"\n"), 1, err)
            self.assertIn(pathlib.Path(path).name.encode(), err)

    def test_truncated(self):
        whole = MODEL.read_bytes()
        for length in [0, 1, 7, 8, 9, 1000, len(whole) // 2, len(whole) - 1]:
            self.path.write_bytes(whole[:length])
            self.refused(self.path)

    def test_header_lengths_that_lie(self):
        rest = MODEL.read_bytes()[8:]
        for length in [0, 7, len(rest) + 9, 2**63, 2**64 - 1]:
            self.path.write_bytes(length.to_bytes(8, "little") + rest)
            self.refused(self.path)

    def test_headers_that_are_no_header(self):
        for header in [b"[" * DEEP, b'{"a":' * DEEP, b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}',
                       b'{"\xff":{}}', b"null", b"{}"]:
            self.path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
            self.refused(self.path)

    def test_other_kinds_of_file(self):
        for content in [b"PK\x03\x04" + bytes(100), b"GGUF" + bytes(100), b"\x7fELF" + bytes(100),
                        b"\x80\x04\x95" + bytes(100), b"not a model\n" * 50]:
            self.path.write_bytes(content)
            self.refused(self.path)

    def test_what_is_no_file(self):
        folder = pathlib.Path(self.folder.name)
        os.mkfifo(folder / "fifo")
        os.symlink("loop", folder / "loop")
        self.refused(folder / "fifo")
        self.refused("/dev/zero")
        self.refused(self.folder.name)
        self.refused(folder / "loop", code=1)
        self.refused(folder / "none.nrs", code=1)


class BadFormulas(unittest.TestCase):
    """Scenarios 10, 11, 13: with a model whose weights are random, and with the oracle."""

    def test_formulas_that_are_none(self):
        lines = [b"", b"   ", b"(1+2", b"(1+2))", b"1\x00+2", b"\xff\xfe", "(1+é)".encode(), b"(1+2)\r", b"$" * 1000,
                 b"(" * DEEP, b"9" * 1_000_000]
        for how in (["--model", MODEL], ["--engine", "oracle"]):
            for text in lines:
                code, out, err = run("simplify", *how, data=text + b"\n")
                self.assertIn(code, (0, 3, 4), (how, text[:20], err))
                self.assertLessEqual(len(err), 300)
                if code == 3:
                    self.assertRegex(err, rb"^nrs: line 1, column \d+: ")
            code, out, err = run("simplify", "--json", *how, data=b"\n".join(lines) + b"\n")
            self.assertEqual(len([json.loads(line) for line in out.splitlines()]), len(lines))

    def test_deep_and_long_formulas_come_to_an_end(self):
        comb = b"(" * DEEP + b"1" + b"+7)" * DEEP
        code, out, _ = run("simplify", "--engine", "oracle", data=comb + b"\n")
        self.assertEqual((code, out), (0, b"%d\n" % ((1 + 7 * DEEP) % 100)))
        code, _, err = run("simplify", "--model", MODEL, data=comb + b"\n")
        self.assertIn(code, (0, 3, 4), err)


class BadOptions(unittest.TestCase):
    """What can be said on the command line, in all verbs."""

    def test_values_that_are_out_of_range(self):
        for arguments in (["generate", "arithmetic", "--nesting", "0-99999999999999999999"],
                          ["generate", "arithmetic", "--nesting", "-1"],
                          ["generate", "arithmetic", "--count", "-1"],
                          ["generate", "arithmetic", "--count", "1e3"],
                          ["generate", "listops", "--args", "2-1"],
                          ["generate", "no\x1b[31m domain"],
                          ["dataset", "logic", "--seed", "x", "--out", "/nowhere"],
                          ["simplify", "--threads", "1025", "(1+2)"],
                          ["simplify", "--threads", "-1", "(1+2)"],
                          ["simplify", "--model", "no such model", "(1+2)"]):
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, b""), arguments)
            self.assertEqual(err.count(b"\n"), 1)
            self.assertNotIn(b"\x1b", err)

    def test_a_closed_pipe_is_no_crash(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([NRS, "generate", "arithmetic", "--count", "100000"], stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.assertIn(done.returncode, (1, -13))


class Memory(unittest.TestCase):
    def test_none_of_this_took_much(self):
        """Runs last. The largest of all runs above; the longest formula had a million characters."""
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1500)


if __name__ == "__main__":
    unittest.main()
