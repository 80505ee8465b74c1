"""A Neural Data Router from its recipe to its answers, through the program alone."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
TINY = ["router.dim=16", "router.heads=2", "router.layers=2", "router.run_layers=3", "train.router.steps=4",
        "train.router.batch=8", "train.router.validate_every=2", "data.valid_formulas=2"]


def run(*arguments, **options):
    return subprocess.run([NRS, *map(str, arguments)], capture_output=True, text=True, **options)


def train(recipe, out, *overrides):
    fields = [word for field in (*TINY, *overrides) for word in ("--set", field)]
    return run("train", ROOT / "recipes" / recipe, "--out", out, "--quiet", *fields)


class Router(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.model = cls.folder / "router.nrs"
        done = train("ndr-logic.toml", cls.model)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_eval_scores_each_level(self):
        done = run("eval", "--engine", "ndr", "--model", self.model, "--nesting", "1-3", "--count", 10, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        scores = json.loads(done.stdout)
        self.assertEqual((scores["engine"], scores["formulas"], len(scores["levels"])), ("ndr", 30, 3))
        for level in scores["levels"]:
            self.assertEqual(level["correct"] + level["other"] + level["malformed"], 10)
        self.assertEqual(json.loads(run("eval", "--model", self.model, "--nesting", "1-3", "--count", 10,
                                        "--threads", 1, "--json").stdout)["correct"], scores["correct"])

    def test_simplify_gives_a_value_in_one_step(self):
        done = run("simplify", "--model", self.model, "--json", "--trace", "((T&F)|a)")
        answer = json.loads(done.stdout)
        self.assertIn((done.returncode, answer["stop"]), [(0, "final"), (4, "malformed")])
        if done.returncode == 0:
            self.assertEqual((answer["steps"], len(answer["trace"])), (1, 1))
            plain = run("simplify", "--model", self.model, "--engine", "ndr", "((T&F)|a)")
            self.assertEqual(plain.stdout.strip(), answer["result"])
        self.assertEqual(run("simplify", "--model", self.model, "((T&F)|?)").returncode, 3)

    def test_what_needs_modules_says_so_in_one_line(self):
        for verb in (["simplify", "--engine", "fastnrs", "(T&F)"], ["simplify", "--engine", "nrs", "(T&F)"],
                     ["eval", "--samples", 5], ["verify"], ["confidence"]):
            done = run(*verb, "--model", self.model)
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), (verb, done))
        done = run("train", ROOT / "recipes" / "ndr-logic.toml", "--only", "solver", "--out", self.folder / "x.nrs")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)

    def test_info_tells_its_kind(self):
        told = json.loads(run("info", self.model, "--json").stdout)
        self.assertEqual((told["router"]["config"]["dim"], told["selector"], told["solver"]), (16, None, None))
        self.assertIn("Router", run("info", self.model).stdout)

    def test_the_tasks_it_was_published_with(self):
        subprocess.run([ROOT / "scripts" / "ndr-tasks", "--out", self.folder / "tasks", "--train", "100",
                        "--held-out", "20"], check=True)
        for task in "listops", "arithmetic":
            out = self.folder / (task + ".nrs")
            done = train("paper/ndr-own-%s.toml" % task, out, "data.folder=" + str(self.folder / "tasks" / task))
            self.assertEqual(done.returncode, 0, done.stderr)
            done = run("eval", "--model", out, "--data", self.folder / "tasks" / task / "test.csv", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["formulas"], 20)

    def test_a_bad_row_of_a_data_set_is_named(self):
        folder = self.folder / "bad"
        folder.mkdir()
        for name in "train.csv", "valid_id.csv", "valid_ood.csv":
            (folder / name).write_text("X,Y\n(1+2),3\n(1+3),\n")
        done = train("paper/ndr-own-arithmetic.toml", self.folder / "bad.nrs", "data.folder=" + str(folder))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"train\.csv:3: .*missing")


if __name__ == "__main__":
    unittest.main()
