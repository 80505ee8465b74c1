"""The page: that it is what its sources give, and that it works in a browser. Takes minutes, and needs emscripten, npm and
Chromium, so only ./test --all runs it. ROOT is the project's folder, NRS the program."""

import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])


def missing(*programs):
    return ", ".join(program for program in programs if shutil.which(program) is None)


class Page(unittest.TestCase):
    @unittest.skipIf(missing("em++", "npm"), "not installed: " + missing("em++", "npm"))
    def test_1_is_what_the_sources_give(self):
        done = subprocess.run([ROOT / "scripts/page", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf(missing("npm", "chromium"), "not installed: " + missing("npm", "chromium"))
    def test_2_works_in_a_browser(self):
        if not (ROOT / "web/node_modules/playwright-core").exists():
            self.skipTest("playwright-core is not there: scripts/page installs it")
        done = subprocess.run(["node", "--test", *sorted((ROOT / "web/test").glob("*_test.js"))],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
