"""Every command in README.md runs, and prints what README.md says it prints.

A block of README.md that begins with "$ " is a session: each "$ command" line is followed by its output,
where a line "..." stands for anything and a number with four decimals for any such number."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["ROOT"])


def matches(expected, actual):
    pattern = "".join(".*" if line == "..." else re.escape(line) + "\n" for line in expected)
    pattern = re.sub(r"\d\\\.\d{4}", r"\\d\\.\\d{4}", pattern)
    return re.fullmatch(pattern, actual, re.S) is not None


def sessions(text):
    for block in re.findall(r"^```(?:console|sh)\n(.*?)^```", text, re.M | re.S):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            else:
                expected.append(line)
        if command:
            yield command, expected


def main():
    found = list(sessions((ROOT / "README.md").read_text()))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        # The README is read in a clone; its commands run in a folder that looks like one.
        program = pathlib.Path(os.environ["NRS"])
        (pathlib.Path(folder) / "nrs").symlink_to(program)
        (pathlib.Path(folder) / "recipes").symlink_to(ROOT / "recipes")
        can_train = (program.parent / "nrs-learn").exists()
        for command, expected in found:
            if "logic.nrs" in command and not can_train:
                print("passed over, this build cannot train: %s" % command)
                continue
            done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
            if done.returncode != 0 or not matches(expected, done.stdout):
                failures += 1
                print("$ %s\nexit %d\n%s%s" % (command, done.returncode, done.stdout, done.stderr))
            else:
                print("fine: %s" % command)
    if failures or len(found) < 5:
        sys.exit("%d of %d README commands failed" % (failures, len(found)))


main()
