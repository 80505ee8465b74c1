"""nrs reproduce from outside: a tiny reproduction of the models that ship, its states, its errors."""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import time
import tomllib
import unittest

from cli_test import NRS, ROOT, run
from eval_cli_test import WithFolder

LEARN = pathlib.Path(NRS).parent / "nrs-learn"


class Reproduce(WithFolder):
    def setUp(self):
        super().setUp()
        self.models = self.folder / "models"
        self.models.mkdir()
        shutil.copy(ROOT / "models" / "logic.nrs", self.models)
        self.out = self.folder / "out"

    def reproduce(self, *arguments, models="shipped"):
        """Of the one model of the folder: nothing is trained, little is measured."""
        return run("reproduce", "--models", models, "--names", "logic", "--out", str(self.out), "--threads", "1",
                   *arguments, env={**os.environ, "NRS_MODELS": str(self.models)})

    def states(self, *arguments):
        code, out, err = self.reproduce("--list", *arguments)
        self.assertEqual((code, err), (0, ""))
        *rows, summary = out.splitlines()[1:]
        return {row.split()[0]: row.split()[1] for row in rows}, summary

    def test_results_are_made_once_and_again_when_something_has_changed(self):
        few = ["--count", "2", "--only", "eval", "timing", "model"]
        states, summary = self.states(*few)
        self.assertEqual(states, dict.fromkeys(["model/logic", "eval/logic.logic.1-12", "eval/logic.logic.40",
                                                "timing/logic"], "outstanding"))
        self.assertEqual(summary, "0 of 4 done; less than a minute to go")
        code, out, err = self.reproduce(*few)
        self.assertEqual((code, out), (0, ""), err)
        self.assertEqual(len([line for line in err.splitlines() if "made the folder" not in line]), 5)
        states, summary = self.states(*few)
        self.assertEqual((set(states.values()), summary), ({"done"}, "4 of 4 done"))
        made = json.loads((self.out / "results" / "eval" / "logic.logic.40.json").read_text())
        self.assertEqual((made["formulas"], made["model"], made["seed"]), (1, "logic", 20261116))
        self.assertNotIn("file", json.loads((self.out / "results" / "models" / "logic.json").read_text()))
        # Nothing is done twice.
        self.assertEqual(self.reproduce(*few), (0, "", "4 of 4 done\n"))
        # Other formulas, then another model.
        states, _ = self.states("--count", "3", "--only", "eval")
        self.assertEqual(states, {"eval/logic.logic.1-12": "stale", "eval/logic.logic.40": "done"})
        shutil.copy(ROOT / "models" / "logic-paper.nrs", self.models / "logic.nrs")
        self.assertEqual(set(self.states(*few)[0].values()), {"stale"})

    def test_trainings_are_handed_out(self):
        code, out, err = self.reproduce("--only", "train", "--tasks", models="train")
        self.assertEqual((code, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(len(lines), 1, out)
        self.assertTrue(lines[0].startswith("cd %s && " % os.getcwd()), out)
        self.assertRegex(lines[0], "/nrs reproduce --models train --names logic .* --only train --task train/logic(.parts)?$")
        # One task alone, though there are others.
        few = ["--count", "1", "--only", "timing", "model"]
        code, out, err = self.reproduce(*few, "--task", "model/logic")
        self.assertEqual((code, out), (0, ""), err)
        states, _ = self.states(*few)
        self.assertEqual(states, {"model/logic": "done", "timing/logic": "outstanding"})
        code, _, err = self.reproduce(*few, "--task", "model/other")
        self.assertEqual(code, 2)
        self.assertIn("there is no such task", err)

    def test_the_report_is_drawn_at_the_end(self):
        few = ["--count", "1", "--only", "eval", "report"]
        code, out, err = self.reproduce(*few)
        self.assertEqual((code, out), (0, f"{self.out}/report/index.html\n"), err)
        self.assertIn("logic", (self.out / "report" / "index.html").read_text())
        self.assertEqual(set(self.states(*few)[0].values()), {"done"})
        (self.out / "results" / "eval" / "logic.logic.40.json").unlink()
        states, _ = self.states(*few)
        self.assertEqual((states["eval/logic.logic.40"], states["report/page"]), ("outstanding", "stale"))

    def test_a_task_that_fails_is_no_harm_to_the_others(self):
        (self.out / "results" / "timing" / "logic.json").mkdir(parents=True)
        code, _, err = self.reproduce("--count", "1", "--only", "timing", "model")
        self.assertEqual(code, 1)
        self.assertRegex(err, r"timing/logic: failed: .*timing/logic.json: cannot write: Is a directory")
        self.assertIn("nrs: 1 of 2 tasks failed", err)
        self.assertTrue((self.out / "results" / "models" / "logic.json").exists())

    def test_interrupted_in_good_order(self):
        command = [NRS, "reproduce", "--models", "shipped", "--names", "nrs-multi", "--out", str(self.out), "--count", "100000",
                   "--only", "timing"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stderr.readline()[:12], "0 of 1 done;")
            busy = run("reproduce", *command[2:])
            self.assertEqual(busy[0], 2)
            self.assertIn("another reproduction is running there", busy[2])
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=60)
        self.assertEqual((child.returncode, out, err), (130, "", "interrupted; the same command continues from here\n"))
        self.assertEqual([path.name for path in self.out.iterdir()], [".lock"])

    def test_wrong_usage(self):
        code, _, err = self.reproduce("--only", "evil")
        self.assertEqual(code, 2, err)
        code, _, err = run("reproduce", "--models", "shipped", "--names", "lojic", "--list")
        self.assertEqual((code, err), (2, "nrs: there is no model 'lojic' (did you mean logic?)\n"))

    @unittest.skipIf(LEARN.exists(), "this build can train")
    def test_without_a_trainer_it_says_so_at_once(self):
        code, out, err = self.reproduce("--only", "train", models="train")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "^nrs: train/logic.parts: this build cannot train: .*--models shipped")

    def test_models_that_are_not_ours_are_not_replaced(self):
        (self.out / "models").mkdir(parents=True)
        shutil.copy(ROOT / "models" / "logic.nrs", self.out / "models")
        code, _, err = self.reproduce("--only", "train", models="train")
        self.assertEqual(code, 2)
        self.assertRegex(err, r"models/logic.nrs was not made by nrs reproduce \(choose another folder")

    def test_the_whole_plan_can_be_listed(self):
        code, out, err = run("reproduce", "--list", cwd=self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("train/nrs-algebra-paper", out)
        self.assertIn("eval/ndr-logic.logic.1-12", out)
        self.assertEqual(list(self.folder.iterdir()), [self.models])


class Release(unittest.TestCase):
    """models/release.toml tells how the files in models/ are made."""

    def test_the_models_that_ship_are_those_of_the_list(self):
        with open(ROOT / "models" / "release.toml", "rb") as file:
            listed = tomllib.load(file)["model"]
        ships = {model["name"]: model for model in listed if model.get("ships", True)}
        self.assertEqual(sorted(ships), sorted(path.stem for path in (ROOT / "models").glob("*.nrs")))
        for name, model in ships.items():
            content = (ROOT / "models" / (name + ".nrs")).read_bytes()
            header = json.loads(content[8:8 + struct.unpack("<Q", content[:8])[0]])
            shared = {}
            for module in "selector", "solver":
                facts = json.loads(header["__metadata__"].get(module, "{}"))
                if "file" in facts:
                    shared[module] = facts["file"]
            expected = {module: model[module + "_from"] + ".nrs" for module in model.get("shares", [])}
            if "compiled_from" in model:  # only what its tables do not know is asked of a network
                expected["selector"] = model["compiled_from"] + ".nrs"
            self.assertEqual(shared, expected, name)
            weights = {tensor["dtype"] for key, tensor in header.items()
                       if key.partition(".")[0] in ("selector", "solver") and tensor["dtype"].startswith("F")}
            if weights:
                self.assertEqual(weights, {"F16" if model.get("half") else "F32"}, name)


if __name__ == "__main__":
    unittest.main()
