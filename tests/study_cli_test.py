"""nrs tune and nrs ablate from outside. Most of it with a stand-in for nrs-learn that fails, crashes and waits on demand; and
once, where there is a trainer, with a real one."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])

STAND_IN = r'''#!/usr/bin/env python3
import json, os, signal, sys, time
args = sys.argv[1:]
out = args[args.index("--out") + 1]
settings = dict(a.split("=", 1) for flag, a in zip(args, args[1:]) if flag == "--set")
with open(os.path.join(os.path.dirname(__file__), "calls"), "a") as calls:
    calls.write(" ".join(args) + "\n")
mode = settings.get("name", '"good"').strip("'\"")
if mode == "bad":
    sys.exit(print("nrs train: --set name=bad: that does not fit", file=sys.stderr) or 2)
if mode == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if mode == "slow" and "--resume" not in args:
    def stop(number, frame):
        open(out + ".checkpoint", "w").close()
        sys.exit(128 + number)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    open(out + ".ready", "w").close()
    time.sleep(60)
with open(out + ".metrics.jsonl", "w") as metrics:
    module = args[args.index("--only") + 1]
    beyond = float(settings.get("train.selector.rate", 0.5))
    for step, share in (10, beyond / 2), (20, beyond):
        print(json.dumps({"event": "validation", "module": module, "step": step, "known": 1, "beyond": share}), file=metrics)
    print(json.dumps({"event": "end", "module": module, "results": {"best_step": 20, "known": 1, "beyond": beyond}}),
          file=metrics)
open(out, "w").close()
'''

STUDY = """title = "mode"
domain = "logic"
recipe = "recipe.toml"
meaning = "Share"
seeds = [1, 2]
[[variant]]
name = "good"
[[variant]]
name = "other"
set = ["name=%s"]
"""


class Studies(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "recipe.toml").write_text('name = "a"\n[data]\ndomains = ["logic"]\n')
        self.nrs = NRS

    def tearDown(self):
        self.temporary.cleanup()

    def use_stand_in(self):
        (self.folder / "bin").mkdir()
        self.nrs = pathlib.Path(shutil.copy(NRS, self.folder / "bin" / "nrs"))
        for program in "nrs-lab", "nrs-measure", "nrs-teach":
            shutil.copy(NRS.parent / program, self.folder / "bin")
        trainer = self.folder / "bin" / "nrs-learn"
        trainer.write_text(STAND_IN)
        trainer.chmod(0o755)

    def calls(self):
        path = self.folder / "bin" / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def command(self, *arguments):
        return [str(self.nrs), *map(str, arguments)]

    def run_nrs(self, *arguments):
        done = subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def tune(self, space, *options):
        (self.folder / "space.toml").write_text(space)
        return self.run_nrs("tune", "recipe.toml", "--space", "space.toml", "--out", "out", *options)

    def files(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def interrupt(self, command, folder):
        """Starts a command and stops it once the stand-in waits in the folder."""
        for path in (self.folder / folder).glob("*.ready"):
            path.unlink()
        run = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 60
        while not list((self.folder / folder).glob("*.ready")):
            self.assertTrue(run.poll() is None and time.time() < deadline, "it does not wait")
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
        return run.returncode, out, err

    def test_a_search_finds_the_best_and_goes_on(self):
        self.use_stand_in()
        space = '[[field]]\nkey = "train.selector.rate"\nmin = 0.6\nmax = 0.9\n'
        code, out, err = self.tune(space, "--trials", 3, "--set", "seed=3", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(len([line for line in err.splitlines() if "made the folder" not in line]), 3)
        told = json.loads(out)
        shares = [trial["beyond"] for trial in told["trials"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertEqual(told["trials"][-1], {**told["trials"][-1], "trial": 0, "settings": {}, "beyond": 0.5, "steps": 20})
        self.assertIn("nrs tune", told["command"])
        self.assertEqual(self.files("out"), ["trials.jsonl"])
        self.assertIn("--set seed=3 --only selector", self.calls()[0])
        code, out, err = self.tune(space, "--trials", 5, "--set", "seed=3")
        self.assertEqual((code, len(self.calls())), (0, 5), err)
        best = max((json.loads(line) for line in (self.folder / "out" / "trials.jsonl").read_text().splitlines()),
                   key=lambda line: line["best"]["beyond"])
        self.assertEqual(len(out.splitlines()), 6 + 4)
        self.assertEqual(out.splitlines()[-1], "rate = " + best["settings"][-1].split("=")[1])

    def hand_out(self, *command):
        """Gives the trainings of a study to nrs bulk; returns what that says of them."""
        code, tasks, err = self.run_nrs(*command, "--tasks")
        self.assertEqual(code, 0, err)
        self.assertEqual(self.calls(), [], "nothing is trained yet")
        (self.folder / "tasks.txt").write_text(tasks)
        shutil.copy(NRS.parent / "nrs-bulk", self.folder / "bin")
        self.assertEqual(self.run_nrs("bulk", "plan", "--commands", "tasks.txt", "--out", "work")[0], 0)
        self.run_nrs("bulk", "run", "work", "--all", "--jobs", "2")
        return tasks.splitlines(), json.loads(self.run_nrs("bulk", "status", "work", "--json")[1])

    def test_a_search_hands_out_its_trainings(self):
        self.use_stand_in()
        space = '[[field]]\nkey = "name"\nchoices = ["good", "other", "bad"]\n'
        (self.folder / "space.toml").write_text(space)
        command = ["tune", "recipe.toml", "--space", "space.toml", "--out", "out", "--trials", 12]
        tasks, told = self.hand_out(*command)
        self.assertEqual(len(tasks), 4, "what is the same is run once")
        self.assertEqual((told["done"]["count"], told["failed"]["count"]), (3, 1))
        self.assertEqual(len(self.calls()), 4)
        code, out, err = self.run_nrs(*command)
        self.assertEqual((code, len(self.calls())), (0, 5), "only the failed one is tried again")
        self.assertEqual(self.files("out"), ["trials.jsonl"])
        self.assertEqual(self.run_nrs(*command, "--tasks"), (0, "", ""))

    def test_an_ablation_hands_out_its_trainings(self):
        self.use_stand_in()
        (self.folder / "study.toml").write_text(STUDY % "other")
        command = ["ablate", "study.toml", "--out", "results"]
        tasks, told = self.hand_out(*command)
        self.assertEqual((len(tasks), told["done"]["tasks"]), (4, "1-4"))
        code, out, err = self.run_nrs(*command)
        self.assertEqual((code, len(self.calls())), (0, 4), err)
        self.assertTrue((self.folder / "results" / "ablations" / "study.json").exists())

    def test_a_trial_fails_alone(self):
        self.use_stand_in()
        space = '[[field]]\nkey = "name"\nchoices = ["good", "bad", "crash"]\n'
        code, out, err = self.tune(space, "--trials", 12)
        self.assertEqual(code, 0, err)
        self.assertIn("that does not fit", err)
        self.assertIn("Segmentation fault", err)
        self.assertIn("failed", out.splitlines()[12])
        self.assertEqual(len(self.calls()), 4, "the recipe and three choices: what is the same is run once")
        self.tune(space, "--trials", 12)
        self.assertEqual(len(self.calls()), 4)
        self.tune(space, "--trials", 12, "--retry")
        self.assertEqual(len(self.calls()), 6)

    def test_a_recipe_that_does_not_fit_ends_a_search(self):
        self.use_stand_in()
        space = '[[field]]\nkey = "train.%s.rate"\nchoices = [1]\n'
        code, out, err = self.tune(space % "selector", "--trials", 5, "--set", "nonsense=1")
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertIn("unknown key nonsense", err)
        code, out, err = self.tune(space % "selectr", "--trials", 5)
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "nrs: train.selectr.rate of the space is not a field of recipe.toml (did you mean "
                              "train.selector.rate?)\n")
        code, out, err = self.tune(space % "solver", "--trials", 5)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("train.solver.rate of the space does not concern the selector", err)
        self.assertEqual(self.calls(), [])

    def test_a_variant_that_does_not_fit_is_found_before_anything_runs(self):
        self.use_stand_in()
        (self.folder / "study.toml").write_text(STUDY.replace("name=%s", "selector.encoder.windw=2"))
        code, out, err = self.run_nrs("ablate", "study.toml")
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertRegex(err, "variant other: .*unknown key selector.encoder.windw")
        (self.folder / "study.toml").write_text(STUDY.replace('"logic"', '"listops"') % "good")
        code, out, err = self.run_nrs("ablate", "study.toml")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "nrs: domain is listops, but recipe.toml is of logic\n")
        self.assertEqual(self.calls(), [])

    def test_an_interrupted_ablation_goes_on_and_is_drawn(self):
        self.use_stand_in()
        (self.folder / "study.toml").write_text(STUDY % "slow")
        log = "results/studies/study"
        code, out, err = self.interrupt(self.command("ablate", "study.toml"), log)
        self.assertEqual((code, out), (130, ""), err)
        self.assertIn("interrupted", err)
        self.assertFalse((self.folder / "results" / "ablations").exists())
        self.assertEqual(len(self.calls()), 3)
        code, out, err = self.interrupt(self.command("ablate", "study.toml"), log)
        self.assertEqual(code, 130, err)
        self.assertIn("--resume", self.calls()[3])
        self.assertNotIn("--resume", self.calls()[4])
        code, out, err = self.run_nrs("ablate", "study.toml")
        self.assertEqual((code, out), (0, "results/ablations/study.json\n"), err)
        self.assertEqual(len(self.calls()), 6)
        self.assertEqual(self.files(log), ["trials.jsonl"])
        shutil.copy(ROOT / "results" / "published.json", self.folder / "results")
        code, out, err = self.run_nrs("report")
        self.assertEqual((code, err.count("\n")), (2, 1), err)
        self.assertIn("share/nrs/report/report.py is missing (install the program as a whole)", err)
        (self.folder / "share").symlink_to(NRS.parent.parent / "share")
        code, out, err = self.run_nrs("report")
        self.assertEqual(code, 0, err)
        self.assertIn("nrs ablate study.toml", (self.folder / "report" / "index.html").read_text())

    def test_a_failed_run_leaves_no_result_and_is_run_again(self):
        self.use_stand_in()
        (self.folder / "study.toml").write_text(STUDY % "crash")
        code, out, err = self.run_nrs("ablate", "study.toml")
        self.assertEqual((code, out), (1, ""), err)
        self.assertRegex(err.splitlines()[-1], r"2 of 4 runs failed, .*Segmentation fault")
        self.assertFalse((self.folder / "results" / "ablations").exists())
        self.run_nrs("ablate", "study.toml")
        self.assertEqual(len(self.calls()), 6)

    def test_bad_files_are_refused_in_one_line(self):
        self.use_stand_in()
        code, out, err = self.tune('[[field]]\nkey = "a"\nmin = 2\nmax = 1\n', "--trials", 3)
        self.assertEqual((code, out, err), (2, "", "nrs: space.toml:1: field a: min is above max\n"))
        code, out, err = self.tune('[[field]]\nkey = "a"\nchoices = [1]\n', "--trials", 3, "--module", "solvr")
        self.assertEqual((code, out, err), (2, "", "nrs: --module: 'solvr' is not one of selector, solver, router (did you mean solver?)\n"))
        code, out, err = self.tune('[[field]]\nkey = "seed"\nchoices = [1]\n', "--trials", 3, "--module", "router")
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertIn("has no router to train", err)
        (self.folder / "study.toml").write_text(STUDY.replace("recipe.toml", "absent.toml") % "good")
        code, out, err = self.run_nrs("ablate", "study.toml")
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertIn("absent.toml", err)
        code, out, err = self.run_nrs("ablate", "absent-study.toml")
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertEqual(self.calls(), [])

    @unittest.skipUnless((NRS.parent / "nrs-learn").exists(), "this build cannot train")
    def test_with_a_real_trainer(self):
        shutil.copy(ROOT / "recipes" / "logic.toml", self.folder / "recipe.toml")
        space = '[[field]]\nkey = "train.selector.rate"\nchoices = [0.003]\n[[field]]\nkey = "train.selector.average"\n' \
                'choices = [2.5]\n'
        short = ["--set", "train.selector.steps=10", "--set", "train.selector.validate_every=5", "--threads", 1]
        code, out, err = self.tune(space, "--trials", 2, *short)
        self.assertEqual(code, 0, err)
        self.assertRegex(err, r"trial 1  failed: .*train\.selector\.average is 2\.5")
        trial = json.loads((self.folder / "out" / "trials.jsonl").read_text().splitlines()[0])
        self.assertEqual([point["step"] for point in trial["curve"]], [5, 10])


if __name__ == "__main__":
    unittest.main()
