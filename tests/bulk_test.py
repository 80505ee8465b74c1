"""nrs bulk from outside: the same bytes as nrs simplify, whoever is killed and whatever is compressed; and nothing is
answered that was not planned."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import sessions

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])


class Bulk(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.work = self.folder / "work"

    def run_nrs(self, *arguments, text=None, **environment):
        done = subprocess.run([NRS, *map(str, arguments)], cwd=self.folder, input=text, capture_output=True, text=True,
                              env={**os.environ, **environment})
        return done.returncode, done.stdout, done.stderr

    def good(self, *arguments, **options):
        code, out, err = self.run_nrs(*arguments, **options)
        self.assertEqual(code, 0, err)
        return out

    def status(self):
        return json.loads(self.good("bulk", "status", self.work, "--json"))

    def formulas(self, count, domain="logic", nesting="1-2"):
        table = self.good("generate", domain, "--nesting", nesting, "--count", count, "--seed", 3)
        return "".join(line.split(",")[0] + "\n" for line in table.splitlines()[1:])

    def plan(self, text, *options):
        path = self.folder / "in.txt"
        path.write_text(text)
        self.good("bulk", "plan", path, "--out", self.work, *options)
        return path

    def leftovers(self):
        return [path.name for path in (self.work / "done").iterdir() if path.name.endswith(".tmp")]

    def test_the_same_bytes_as_simplify_with_the_same_exit_codes(self):
        stuck = self.formulas(100) + "((a&b)|(T&F))\r\n(T&F)"
        bad = stuck + "\n\nnonsense\n"
        for name, text, options, code in (("fine", self.formulas(100), ["--model", "logic"], 0),
                                          ("bad", bad, [], 3), ("stuck", stuck, ["--json"], 4),
                                          ("trace", stuck, ["--trace"], 4),
                                          ("oracle", bad, ["--engine", "oracle", "--domain", "logic"], 3)):
            with self.subTest(name):
                want = self.run_nrs("simplify", "-", *options, text=text)
                self.assertEqual(want[0], code)
                self.work = self.folder / name
                self.plan(text, "--shard-lines", 30, *options)
                self.good("bulk", "run", self.work, "--all")
                got = self.run_nrs("bulk", "join", self.work)
                self.assertEqual(got[:2], want[:2])
                lines = len(text.splitlines())
                self.assertIn("%d lines, %d answers" % (lines, lines), got[2])
                self.assertEqual(self.status()["answers"], lines)

    def test_rules_are_planned_too(self):
        rules = self.folder / "plus.trs"
        rules.write_text("(VAR x y)(RULES plus(0,y) -> y  plus(s(x),y) -> s(plus(x,y)))")
        text = "plus(s(0),s(0))\nplus(0,0)\n"
        self.plan(text, "--rules", "plus.trs", "--shard-lines", 1)
        self.good("bulk", "run", self.work, "--all")
        self.assertEqual(self.good("bulk", "join", self.work), "s(s(0))\n0\n")
        shutil.rmtree(self.work / "done")
        rules.write_text("(VAR x)(RULES plus(0,x) -> 0)")
        code, _, err = self.run_nrs("bulk", "run", self.work, "--all")
        self.assertEqual(code, 2)
        self.assertIn("has changed since the plan was made", err)

    def test_compressed_files_and_standard_input(self):
        text = self.formulas(50)
        path = self.folder / "plain.txt"
        path.write_text(text)
        shards = None
        for tool, end in (("gzip", ".gz"), ("xz", ".xz"), ("zstd", ".zst")):
            if not shutil.which(tool):
                print("not tested: there is no %s" % tool)
                continue
            subprocess.run([tool, "-k", "-q", path], check=True)
            packed = self.folder / ("plain.txt" + end)
            work = self.folder / tool
            self.good("bulk", "plan", packed, "--out", work, "--shard-lines", 7)
            shards = shards or json.loads((work / "plan.json").read_text())["shards"]
            self.assertEqual(json.loads((work / "plan.json").read_text())["shards"], shards)
            self.assertEqual("".join(p.read_text() for p in sorted((work / "shards").iterdir())), text)
            damaged = self.folder / ("damaged" + end)
            damaged.write_bytes(packed.read_bytes()[:-10])
            code, _, err = self.run_nrs("bulk", "plan", damaged, "--out", self.folder / "d")
            self.assertEqual(code, 3, err)
            self.assertIn("cannot unpack it", err)
            self.assertFalse((self.folder / "d" / "plan.json").exists())
            os.makedirs(self.folder / "no-tools", exist_ok=True)
            code, _, err = self.run_nrs("bulk", "plan", packed, "--out", self.folder / "d", PATH=str(self.folder / "no-tools"))
            self.assertEqual(code, 2)
            self.assertIn("install %s" % tool, err)
        self.good("bulk", "plan", "-", "--out", self.folder / "stdin", "--shard-lines", 7, text=text)
        self.assertEqual(json.loads((self.folder / "stdin" / "plan.json").read_text())["shards"], shards)
        with open(self.folder / "plain.txt.gz", "rb") as packed:
            done = subprocess.run([NRS, "bulk", "plan", "-", "--out", self.folder / "e"], stdin=packed, capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"compressed input must be a file", done.stderr)

    def test_killed_in_the_middle_and_run_again(self):
        text = self.formulas(200, "arithmetic", "5-6")
        self.plan(text, "--model", "arithmetic", "--shard-lines", 100)
        want = self.good("simplify", "-", "--model", "arithmetic", text=text)
        for _ in range(4):
            run = subprocess.Popen([NRS, "bulk", "run", self.work, "--all"], stderr=subprocess.DEVNULL)
            deadline = time.time() + 60
            while not self.leftovers() and run.poll() is None and time.time() < deadline:
                time.sleep(0.005)
            run.send_signal(signal.SIGKILL)
            run.wait()
        told = self.status()
        self.assertEqual(told["running"]["count"], 0)
        self.assertGreater(told["failed"]["count"], 0)
        self.assertNotEqual(self.leftovers(), [])
        code, _, err = self.run_nrs("bulk", "join", self.work, "--out", "answers.txt")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"of 4 shards are not done: [\d,-]+ \(")
        self.assertFalse((self.folder / "answers.txt").exists())
        self.good("bulk", "run", self.work, "--all")
        self.assertEqual(self.leftovers(), [])
        self.good("bulk", "join", self.work, "--out", "answers.txt")
        self.assertEqual((self.folder / "answers.txt").read_text(), want)

    def test_two_runners_at_once(self):
        text = self.formulas(1000, "arithmetic", "3-4")
        self.plan(text, "--model", "arithmetic", "--shard-lines", 100)
        runs = [subprocess.Popen([NRS, "bulk", "run", self.work, "--all", "--jobs", "2"], stderr=subprocess.PIPE) for _ in range(3)]
        for run in runs:
            run.communicate()
            self.assertEqual(run.returncode, 0)
        self.assertEqual(self.status()["done"]["tasks"], "1-20")
        self.assertEqual(self.good("bulk", "join", self.work), self.good("simplify", "-", "--model", "arithmetic", text=text))

    def test_tasks_are_chosen(self):
        self.plan(self.formulas(50), "--shard-lines", 10)
        self.good("bulk", "run", self.work, "2-3,5")
        self.assertEqual(self.status()["done"]["tasks"], "2-3,5")
        self.good("bulk", "run", self.work, SLURM_ARRAY_TASK_ID="7")
        self.assertEqual(self.status()["done"]["tasks"], "2-3,5,7")
        self.good("bulk", "run", self.work, "--every", 4, SLURM_ARRAY_TASK_ID="4")
        self.assertEqual(self.status()["done"]["tasks"], "2-5,7-8")
        for wrong in ([], ["0"], ["11"], ["x"]):
            code, _, err = self.run_nrs("bulk", "run", self.work, *wrong)
            self.assertEqual((code, len(err.splitlines())), (2, 1))
        self.assertIn("missing        4  1,6,9-10", self.good("bulk", "status", self.work))

    def test_what_has_changed_is_noticed(self):
        model = self.folder / "own.nrs"
        shipped = pathlib.Path(NRS).parent.parent / "share" / "nrs" / "models"
        shutil.copy(shipped / "logic.nrs", model)
        path = self.plan(self.formulas(20), "--model", "own.nrs", "--shard-lines", 10)
        self.good("bulk", "run", self.work, 1)
        shutil.copy(shipped / "arithmetic.nrs", model)
        code, _, err = self.run_nrs("bulk", "run", self.work, "--all")
        self.assertEqual(code, 2)
        self.assertIn("own.nrs has changed since the plan was made", err)
        self.assertEqual(self.status()["done"]["tasks"], "1")
        shutil.copy(shipped / "logic.nrs", model)
        self.good("bulk", "plan", path, "--out", self.work, "--model", "own.nrs", "--shard-lines", 10)
        path.write_text("(T&T)\n")
        code, _, err = self.run_nrs("bulk", "plan", path, "--out", self.work, "--model", "own.nrs", "--shard-lines", 10)
        self.assertEqual(code, 2)
        self.assertIn("has a plan for another input", err)
        shard = self.work / "shards" / "000002.txt"
        shard.write_text(shard.read_text().replace("T", "F"))
        code, _, err = self.run_nrs("bulk", "run", self.work, 2)
        self.assertEqual(code, 3)
        self.assertIn("task 2", err)
        self.assertIn("has changed since it was planned", self.status()["reasons"]["2"])

    def test_damaged_answers_are_not_joined(self):
        self.plan(self.formulas(20), "--shard-lines", 10)
        self.good("bulk", "run", self.work, "--all")
        answers = self.work / "done" / "000002.txt"
        answers.write_text(answers.read_text()[:-2] + "?\n")
        code, _, err = self.run_nrs("bulk", "join", self.work)
        self.assertEqual(code, 3)
        self.assertIn("is not as its runner wrote it", err)
        (self.work / "done" / "000002.json").unlink()
        self.good("bulk", "run", self.work, "--all")
        self.good("bulk", "join", self.work)

    def test_commands(self):
        self.plan("echo one\necho 'two words' >&2; exit 5\ncat nothing || echo three\n", "--commands")
        code, _, err = self.run_nrs("bulk", "run", self.work, "--all")
        self.assertEqual(code, 1)
        self.assertIn("two words", err)
        told = self.status()
        self.assertEqual((told["done"]["tasks"], told["failed"]["tasks"]), ("1,3", "2"))
        self.assertEqual(told["reasons"]["2"], "the command ended with 5: two words")
        self.assertEqual((self.work / "done" / "000003.txt").read_text(), "three\n")
        code, _, err = self.run_nrs("bulk", "plan", "in.txt", "--out", "other", "--commands", "--json")
        self.assertEqual(code, 2)

    def test_a_full_disk_is_a_failure(self):
        self.plan(self.formulas(20), "--shard-lines", 10)
        done = subprocess.run(["sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$@"', "sh", NRS, "bulk", "run", self.work, "1"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.status()["done"]["count"], 0)
        self.assertEqual(self.leftovers(), [])

    def test_the_page_shows_what_it_prints(self):
        (self.folder / "nrs").symlink_to(NRS)
        found = list(sessions.sessions((ROOT / "docs" / "bulk.md").read_text()))
        self.assertGreater(len(found), 8)
        for command, expected in found:
            done = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, "%s: %s" % (command, done.stderr))
            self.assertIsNone(sessions.difference(expected, done.stdout), "%s: %s" % (command, done.stdout))


if __name__ == "__main__":
    unittest.main()
