"""A logic model, trained from scratch as a user would: it must know every leaf and segment every
out-of-distribution formula, and an interrupted run that is resumed must end in the same file."""
import json
import os
import pathlib
import pty
import signal
import subprocess
import tempfile
import time
import unittest

NRS = os.environ["NRS"]
RECIPE = str(pathlib.Path(os.environ["ROOT"]) / "recipes" / "logic.toml")


def train(out, *arguments):
    return [NRS, "train", RECIPE, "--out", str(out), *arguments]


class Train(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def test_a_logic_model_is_exact(self):
        out = self.folder / "logic.nrs"
        done = subprocess.run(train(out), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = pathlib.Path(str(out) + ".metrics.jsonl").read_text().splitlines()
        events = [json.loads(line) for line in lines]
        results = {e["module"]: e["results"] for e in events if e["event"] == "end"}
        self.assertEqual(results["selector"]["beyond"], 1.0)
        self.assertEqual(results["solver"]["seen"], {"pairs": 298, "right": 298})
        self.assert_solves(out, "logic", range(1, 13))
        told = subprocess.run([NRS, "info", str(out), "--json"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(json.loads(told)["results"]["solver"]["seen"]["right"], 298)

    def assert_solves(self, model, domain, levels):
        """Trained on nesting 1 to 3, and right at all these levels."""
        for level in levels:
            made = subprocess.run([NRS, "generate", domain, "--nesting", str(level), "--count", "100", "--seed", "77"],
                                  capture_output=True, text=True, check=True).stdout
            rows = [line.split(",") for line in made.splitlines()[1:]]
            done = subprocess.run([NRS, "simplify", "--model", str(model)], capture_output=True, text=True,
                                  input="\n".join(r[0] for r in rows))
            wrong = [(r[0], a) for r, a in zip(rows, done.stdout.splitlines()) if r[1] != a]
            self.assertEqual((done.returncode, wrong), (0, []), "nesting %d" % level)

    def test_an_interrupted_run_ends_in_the_same_file(self):
        short = ["--set", "train.selector.steps=60", "--set", "train.solver.steps=60", "--quiet"]
        whole, halves = self.folder / "whole.nrs", self.folder / "halves.nrs"
        subprocess.run(train(whole, *short), check=True)
        run = subprocess.Popen(train(halves, *short))
        while not (self.folder / "halves.nrs.metrics.jsonl").exists():
            time.sleep(0.05)
        time.sleep(1)
        run.send_signal(signal.SIGTERM)
        code = run.wait()
        if code != 0:  # else it was done before the signal came
            self.assertEqual(code, 128 + signal.SIGTERM)
            self.assertFalse(halves.exists())
            subprocess.run(train(halves, *short, "--resume"), check=True)
        self.assertEqual(whole.read_bytes(), halves.read_bytes())

    def test_a_model_that_is_there_is_replaced_only_if_named(self):
        def here(*arguments, answer=None):
            command = [NRS, "train", RECIPE, "--set", "train.selector.steps=2", "--set", "train.solver.steps=2",
                       "--quiet", *arguments]
            if answer is None:
                done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
                return done.returncode, done.stderr
            main, other = pty.openpty()
            os.write(main, answer)
            done = subprocess.run(command, cwd=self.folder, stdin=other, stdout=subprocess.DEVNULL, stderr=other)
            os.close(other)
            said = os.read(main, 10000).decode()
            os.close(main)
            return done.returncode, said
        out = self.folder / "logic.nrs"
        self.assertEqual(here("--only", "solver"), (0, ""))
        self.assertEqual(here("--only", "selector"), (0, ""))  # the file had none
        out.chmod(0o600)
        old = out.read_bytes()
        for arguments in [], ["--only", "selector"], ["--only", "solver"]:
            self.assertEqual(here("--set", "seed=2", *arguments), (2, "nrs train: logic.nrs exists (--out logic.nrs"
                             " replaces it, another --out keeps it)\n"))
        code, said = here("--set", "seed=2", answer=b"n\n")
        self.assertEqual((code, out.read_bytes()), (2, old))
        self.assertIn("Replace it? [y/N]", said)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["logic.nrs", "logic.nrs.metrics.jsonl"])
        self.assertEqual(here("--set", "seed=2", answer=b"y\n")[0], 0)
        self.assertNotEqual(out.read_bytes(), old)
        self.assertEqual(here("--out", "logic.nrs"), (0, ""))
        self.assertEqual(out.stat().st_mode & 0o777, 0o600)
        out.chmod(0o400)
        code, said = here("--out", "logic.nrs")
        self.assertEqual(code, 1)
        self.assertIn("read-only", said)

    def test_what_is_no_model_is_refused_in_one_line(self):
        for path, code in ("/dev/null", 3), (str(self.folder), 3), (RECIPE, 3), (str(self.folder / "absent"), 1):
            for verb in ["simplify", "(T&F)", "--model", path], ["info", path]:
                done = subprocess.run([NRS, *verb], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (code, "", 1), path)

    def test_a_wrong_option_is_one_line(self):
        done = subprocess.run([NRS, "train", RECIPE, "--only", "router"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, "", "nrs: --only: 'router' is not one of selector, solver (see --help)\n"))

    def test_errors_in_recipes_name_the_line(self):
        recipe = self.folder / "bad.toml"
        recipe.write_text('name = "x"\n\n[train.solver]\nstepz = 5\n')
        done = subprocess.run([NRS, "train", str(recipe)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"bad\.toml:4: .*stepz.*steps")
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
