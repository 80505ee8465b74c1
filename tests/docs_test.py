"""The pages of the repository: commands are written in one way, files that they name are there, and what is said in several
places is said once. (What README.md shows is run by readme_test.py.)"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import sessions

NRS = os.environ["NRS"]
LAB = pathlib.Path(NRS).parent / "nrs-lab"
LEARN = pathlib.Path(NRS).parent / "nrs-learn"
ROOT = pathlib.Path(os.environ["ROOT"])
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
         *sorted((ROOT / "docs" / "notes").glob("*.md"))]
COLUMNS = 100
ALONE = re.compile(r"\s*([-*] )?(\[[^]]*\]\(\S+\)|<?https?://\S+?>?)[.,:;]?")  # a link or an address that has a line to itself


def run(*arguments):
    return subprocess.run([NRS, *arguments], capture_output=True, text=True)


def verbs():
    listed = run("--help").stdout.partition("Subcommands:\n")[2]
    return re.findall(r"^  (\w+) ", listed, re.M)


def commands(text):
    """Everything on a page that could be typed: blocks of commands, and code between words."""
    for block in sessions.blocks(text, ["console", "sh"]):
        yield from block.splitlines()
    yield from re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


class Pages(unittest.TestCase):
    def test_the_guide_shows_code_that_is_tested(self):
        tested = (ROOT / "tests" / "architecture_test.cc").read_text()
        blocks = re.findall(r"^```cpp\n(.*?)^```", (ROOT / "docs" / "extending.md").read_text(), re.M | re.S)
        self.assertEqual(len(blocks), 5)
        for block in blocks:
            self.assertIn(block, tested)

    def test_the_program_is_always_called_in_the_same_way(self):
        known = verbs()
        self.assertGreater(len(known), 10)
        bare = re.compile(r"(?:^|[\s;|&(])(?:[.]{2}/|nrs (?=(?:%s)\b))" % "|".join(known))
        called = 0
        for page in PAGES:
            for command in commands(page.read_text()):
                called += "./nrs " in command
                if re.match(r"(\$ )?cmake|#include", command):
                    continue
                self.assertNotRegex(command, bare, "%s: write ./nrs" % page.name)
        self.assertGreater(called, 50)

    def test_verbs_and_recipes_that_pages_name_are_there(self):
        known = verbs()
        for page in PAGES:
            for command in commands(page.read_text()):
                for verb in re.findall(r"\./nrs ([a-z]+)", command):
                    self.assertIn(verb, known, "%s: %s" % (page.name, command))
                for file in re.findall(r"(?<![\w/.])(?:recipes|studies|examples|scripts)/[\w./-]*\w", command):
                    if file.isupper() or "NAME" in file:
                        continue
                    self.assertTrue((ROOT / file).exists(), "%s: %s" % (page.name, file))

    def test_links_lead_to_files(self):
        followed = 0
        for page in PAGES:
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
                if "://" not in target:
                    followed += 1
                    self.assertTrue((page.parent / target).exists(), "%s: %s" % (page.name, target))
        self.assertGreater(followed, 50)

    def test_lines_of_prose_have_at_most_100_columns(self):
        checked = 0
        for page in [*PAGES, ROOT / "CHANGELOG.md"]:
            fenced = False
            for number, line in enumerate(page.read_text().splitlines(), 1):
                fence = line.lstrip().startswith("```")
                fenced ^= fence
                if fenced or fence or line.startswith("|") or ALONE.fullmatch(line):
                    continue
                checked += 1
                self.assertLessEqual(len(line), COLUMNS, "%s:%d: %s" % (page.relative_to(ROOT), number, line))
        self.assertGreater(checked, 1000)

    def test_how_long_a_quick_reproduction_takes_is_said_once(self):
        told = []
        texts = [(page.name, page.read_text()) for page in PAGES] + [("--help", run("reproduce", "--help").stdout)]
        for name, text in texts:
            for paragraph in re.split(r"\n\s*\n", text):
                if "--quick" in paragraph and re.search(r"\b(min|minutes?|hours?|seconds?)\b", paragraph):
                    told.append(name)
        self.assertEqual(told, ["reproduce.md"])


class CommandLine(unittest.TestCase):
    def test_what_the_page_shows_is_what_happens(self):
        found = list(sessions.sessions((ROOT / "docs" / "command-line.md").read_text()))
        self.assertGreater(len(found), 5)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "nrs").symlink_to(NRS)
            for command, expected in found:
                done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
                self.assertIsNone(sessions.difference(expected, done.stdout), "%s\n%s" % (command, done.stdout))


class Examples(unittest.TestCase):
    """Those that --help shows."""

    def test_what_they_name_is_there(self):
        shown = 0
        for verb in verbs():
            if not LAB.exists() and verb in ("report", "reproduce", "tune", "ablate", "baseline"):
                continue
            if not LEARN.exists() and verb == "train":
                continue
            text = run(*(["baseline", "llm"] if verb == "baseline" else [verb]), "--help").stdout
            for example in re.findall(r"example: (nrs .*)", text):
                shown += 1
                self.assertTrue(example.startswith("nrs %s" % verb), example)
                for recipe in re.findall(r"\S+\.toml", example):
                    self.assertTrue((ROOT / recipe).exists(), example)
                if verb == "baseline":
                    continue  # its models are a server's
                for model in re.findall(r"--(?:model|selector|solver) (\S+)", example):
                    self.assertEqual(run("info", model).returncode, 0, example)
        self.assertGreater(shown, 8)


if __name__ == "__main__":
    unittest.main()
