"""Nothing is destroyed: what the program does to files, devices and links that are there, what it leaves behind when
it is told to end, and what it says of a model that someone has changed."""
import json
import os
import pathlib
import resource
import signal
import stat
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
LOGIC = ROOT / "models" / "logic.nrs"


def run(*arguments, **options):
    done = subprocess.run([NRS, *map(str, arguments)], capture_output=True, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if not path.is_dir())


class Outputs(InAFolder):
    """Every verb writes by the same means; base_test.cc looks at each kind of file."""

    def test_devices_and_read_only_files_stay(self):
        private = self.folder / "private"
        private.write_text("old")
        private.chmod(0o444)
        link = self.folder / "link"
        link.symlink_to("private")
        commands = (["generate", "logic", "--count", "3", "--out"],
                    ["join", "--selector", "logic", "--solver", "logic", "--out"],
                    ["eval", "--model", "logic", "--nesting", "1", "--count", "3", "--errors"],
                    ["verify", "--model", "logic", "--contexts", "10", "--errors"])
        for command in commands:
            with self.subTest(command[0]):
                for path in private, link:
                    code, _, err = run(*command, path)
                    self.assertEqual((code, len(err.splitlines())), (1, 1), err)
                    self.assertIn("read-only", err)
                self.assertEqual(run(*command, "/dev/null")[0], 0)
                self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
                self.assertEqual(run(*command, "/dev/null/x")[0], 1)
        self.assertEqual((private.read_text(), self.files()), ("old", ["link", "private"]))
        private.chmod(0o600)
        for command in commands[:2]:
            self.assertEqual(run(*command, link)[0], 0)
            self.assertTrue(link.is_symlink())
            self.assertEqual(stat.S_IMODE(private.stat().st_mode), 0o600)
        self.assertEqual(self.files(), ["link", "private"])

    def test_a_certificate_is_stored_behind_a_link(self):
        model = self.folder / "model.nrs"
        model.write_bytes(LOGIC.read_bytes())
        model.chmod(0o640)
        link = self.folder / "link.nrs"
        link.symlink_to(model)
        store = ["verify", "--model", link, "--contexts", "10", "--store"]
        code, _, err = run(*store)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(link.is_symlink())
        self.assertNotEqual(model.read_bytes(), LOGIC.read_bytes())
        self.assertEqual(stat.S_IMODE(model.stat().st_mode), 0o640)
        model.chmod(0o440)
        self.assertEqual(run(*store)[0], 1)

    def test_a_descriptor_gets_what_is_meant_for_it(self):
        path = self.folder / "both.csv"
        with path.open("ab") as both:
            both.write(b"before\n")
            both.flush()
            subprocess.run([NRS, "generate", "logic", "--count", "2", "--out", "/dev/stdout"], stdout=both, check=True)
        self.assertEqual(len(path.read_text().splitlines()), 4)
        self.assertEqual(self.files(), ["both.csv"])

    def test_standard_output_is_no_place_for_a_model(self):
        (self.folder / "e.txt").write_text("not True -> False\nnot False -> True\n")
        done = subprocess.run([NRS, "learn", "e.txt", "--out", "-"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("this cannot be written to standard output (name a file", done.stderr)
        self.assertFalse((self.folder / "-").exists())

    def test_learning_does_not_begin_if_its_model_cannot_be_written(self):
        (self.folder / "old.nrs").write_text("")
        (self.folder / "old.nrs").chmod(0o444)
        done = subprocess.run([NRS, "learn", "missing.txt", "--out", "old.nrs"], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("old.nrs: cannot write: the file is read-only", done.stderr)

    def test_folders_that_are_made_are_told_once(self):
        for command in ["generate", "logic", "--out", self.folder / "a" / "b" / "x.csv"], \
                       ["report", "--results", ROOT / "results", "--out", self.folder / "c" / "d"]:
            code, _, err = run(*command)
            self.assertEqual((code, err.count("made the folder")), (0, 1), err)
            self.assertNotIn("made the folder", run(*command)[2])


class Signals(InAFolder):
    def start(self, *command):
        """Runs until something is there, which is then half."""
        process = subprocess.Popen([NRS, *map(str, command)], stderr=subprocess.DEVNULL)
        while not self.files():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process

    def test_nothing_half_is_left_behind(self):
        for command in ["generate", "arithmetic", "--nesting", "6", "--count", "100000000", "--out", self.folder / "x.csv"], \
                       ["dataset", "multi", "--out", self.folder]:
            for number in signal.SIGINT, signal.SIGTERM:
                process = self.start(*command)
                process.send_signal(number)
                self.assertEqual(process.wait(), -number)
                self.assertEqual(self.files(), [])

    def test_what_a_kill_leaves_goes_with_the_next_run(self):
        big = ["generate", "arithmetic", "--nesting", "6", "--count", "100000000", "--out", self.folder / "x.csv"]
        process = self.start(*big)
        process.kill()
        process.wait()
        self.assertEqual(len(self.files()), 1)
        at_work = self.start(*big)
        while str(at_work.pid) not in "".join(self.files()):
            time.sleep(0.01)
        self.assertEqual(run("generate", "logic", "--out", self.folder / "x.csv")[0], 0)
        self.assertEqual(self.files(), ["x.csv", "x.csv.%d.tmp" % at_work.pid])
        at_work.terminate()
        at_work.wait()
        self.assertEqual(self.files(), ["x.csv"])


@unittest.skipIf(os.environ.get("SANITIZE"), "AddressSanitizer takes all addresses there are")
class Memory(unittest.TestCase):
    def test_a_line_without_enough_of_it_is_an_error_in_its_place(self):
        half = 15_000_000
        text = b"(1+2)\n" + b"(" * half + b"1" + b"+1)" * half + b"\n(3+4)\n"
        # The first is too little for the reader of lines, the second for the engine.
        for megabytes, engine in (150, ["--engine", "oracle"]), (600, []):
            limit = megabytes << 20
            code, out, err = run("simplify", *engine, "-", input=text,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            lines = out.splitlines()
            self.assertEqual((code, len(lines), lines[0], lines[2]), (3, 3, "3", "7"), err)
            self.assertIn("not enough memory", lines[1])
            self.assertLess(len(lines[1]), 200)
            self.assertEqual([err.count("\n"), err[:12]], [1, "nrs: line 2:"])


def with_swapped_weights(content):
    """Two weights change places, and the checksum is that of the new file."""
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:8 + size])
    at = 8 + size + header["solver.head.weight"]["data_offsets"][0]
    first, second = content[at:at + 4], content[at + 4:at + 8]
    assert first != second
    content = content[:at] + second + first + content[at + 8:]
    old = ('"crc32":"%s"' % header["__metadata__"]["crc32"]).encode()
    blank = content.replace(old, b'"crc32":"00000000"', 1)
    return blank.replace(b'"crc32":"00000000"', b'"crc32":"%08x"' % zlib.crc32(blank), 1)


class Certificates(InAFolder):
    def test_one_of_another_model_is_not_shown_and_told_once(self):
        self.assertIn("verdict", run("info", "logic")[1])
        self.assertEqual(run("simplify", "--model", "logic", "(T&F)"), (0, "F\n", ""))
        model = self.folder / "changed.nrs"
        model.write_bytes(with_swapped_weights(LOGIC.read_bytes()))
        code, out, err = run("info", model)
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("verdict", out)
        self.assertRegex(out, r"certificate +none: the one in the file is for another model")
        self.assertIsNone(json.loads(run("info", "--json", model)[1])["certificate"])
        for verb in ["simplify", "--model", model, "(T&F)", "(T|F)"], \
                    ["eval", "--model", model, "--nesting", "1", "--count", "5"], \
                    ["confidence", "--model", model, "--nesting", "1", "--count", "5", "--leaves", "10"]:
            err = run(*verb)[2]
            self.assertEqual((err.count("\n"), err.count("certificate is for another model")), (1, 1), err)
        run("verify", "--model", model, "--contexts", "10", "--store")
        self.assertEqual(run("simplify", "--model", model, "(T&F)")[2], "")


if __name__ == "__main__":
    unittest.main()
