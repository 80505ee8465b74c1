"""Every command in README.md runs, and prints what README.md says it prints (sessions.py)."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import sessions

ROOT = pathlib.Path(os.environ["ROOT"])
TRAINED = "logic.nrs"  # by the README itself


def run(command, folder):
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)


def wrong_thresholds(command, output, folder):
    """Whether a trace shows the threshold that is in the model's file."""
    if "--trace" not in command or "oracle" in command:
        return None
    model = re.search(r"--model (\S+)", command)
    told = json.loads(run("./nrs info --json %s" % (model.group(1) if model else "multi-compiled"), folder).stdout)
    sure_of = told["solver"] or told.get("values")
    if not sure_of:  # a model of rules
        return None
    threshold = float("%.4f" % sure_of["min_log_prob"])
    found = sessions.thresholds(output)
    if not found or set(found) != {threshold}:
        return "the threshold in the file is %.4f, shown are %s" % (threshold, found)
    return None


def main():
    found = list(sessions.sessions((ROOT / "README.md").read_text()))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        # The README is read in a clone; its commands run in a folder that looks like one.
        program = pathlib.Path(os.environ["NRS"])
        (pathlib.Path(folder) / "nrs").symlink_to(program)
        for name in ("examples", "recipes"):
            (pathlib.Path(folder) / name).symlink_to(ROOT / name)
        can_train = (program.parent / "nrs-learn").exists()
        for command, expected in found:
            if TRAINED in command and not can_train:
                print("passed over, this build cannot train: %s" % command)
                continue
            done = run(command, folder)
            tolerance = sessions.TRAINED if TRAINED in command else sessions.SHIPPED
            wrong = "exit code %d" % done.returncode if done.returncode else None
            wrong = wrong or sessions.difference(expected, done.stdout, tolerance)
            wrong = wrong or wrong_thresholds(command, done.stdout, folder)
            if wrong:
                failures += 1
                print("$ %s\n%s%s%s" % (command, done.stdout, done.stderr, wrong))
            else:
                print("fine: %s" % command)
    if failures or len(found) < 5:
        sys.exit("%d of %d README commands failed" % (failures, len(found)))


main()
