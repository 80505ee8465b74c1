"""The library as another project sees it: installed, found by CMake, compiled against, run."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
BUILD = NRS.parent.parent
TINY = ROOT / "tests" / "data" / "tiny.nrs"
EXAMPLE = ROOT / "examples" / "simplify"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def commands_of(page):
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.S):
        yield from block.splitlines()


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.temporary.name) / "prefix"
        example = pathlib.Path(cls.temporary.name) / "example"
        cls.example = example / "simplify"
        cls.says = {}
        # As docs/library.md says, but with the build that is tested, and in folders of our own.
        for line in commands_of(ROOT / "docs" / "library.md"):
            if line == "scripts/build release":
                continue  # ./test did
            for theirs, ours in ("build/release", BUILD), ("PREFIX", cls.prefix), ("build/example", example):
                line = re.sub(r"\b%s\b" % theirs, str(ours), line)  # not in CMAKE_PREFIX_PATH
            sanitize = os.environ.get("SANITIZE")
            environment = dict(os.environ, CXXFLAGS="-fsanitize=" + sanitize) if sanitize else None
            done = subprocess.run(line, shell=True, capture_output=True, text=True, cwd=ROOT, env=environment)
            if done.returncode != 0:
                raise RuntimeError("%s\n%s%s" % (line, done.stdout, done.stderr))
            cls.says[line.split()[0]] = done.stdout
        cls.cache = (example / "CMakeCache.txt").read_text()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_the_example_answers_as_the_program_does(self):
        for formula in "1", "(1+0)", "((1+0)+(0+1))", "é":
            _, theirs, _ = run(self.prefix / "bin" / "nrs", "simplify", "--model", TINY, formula)
            code, ours, err = run(self.example, TINY, formula)
            self.assertEqual((code, ours.splitlines()[-1:], err), (0, theirs.splitlines(), ""))

    def test_errors_are_exceptions_with_a_place(self):
        self.assertEqual(run(self.example, TINY, "(1+2)")[::2],
                         (3, "column 4: '2' is not a token of this model (the model knows ( ) + 0 1 é)\n"))
        self.assertEqual(run(self.example, EXAMPLE / "main.cc", "1")[0], 3)
        self.assertEqual(run(self.example, "absent.nrs", "1")[0], 1)

    def test_what_a_reproduction_needs_is_installed(self):
        code, out, err = run(self.prefix / "bin" / "nrs", "reproduce", "--list", "--only", "train", "report")
        self.assertEqual((code, err), (0, ""))
        for task in "train/multi", "report/published":
            self.assertIn(task, out)
        self.assertTrue((self.prefix / "share" / "nrs" / "results" / "published.json").exists())
        code, out, err = run(self.prefix / "bin" / "nrs", "report", "--results", ROOT / "results", "--tables", "/dev/stdout")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("# Results\n", out)

    def test_models_are_installed_and_found(self):
        shipped = sorted(p.name for p in (ROOT / "models").glob("*.nrs"))
        installed = self.prefix / "share" / "nrs" / "models"
        self.assertEqual(sorted(p.name for p in installed.glob("*.nrs")), shipped)
        if "arithmetic.nrs" in shipped:
            code, out, _ = run(self.example, installed / "arithmetic.nrs", "((15+5)*(3-4))")
            self.assertEqual((code, out.splitlines()[-1]), (0, "-20"))
            self.assertEqual(len(out.splitlines()), 4)

    def test_the_headers_are_of_the_standard_library_only(self):
        allowed = re.compile(r'#include (<[a-z_]+>|"nrs/[a-z_]+\.h")')
        for header in (self.prefix / "include" / "nrs").iterdir():
            for line in header.read_text().splitlines():
                if line.startswith("#include"):
                    self.assertRegex(line, allowed, header.name)

    def test_the_commands_of_the_page_are_enough(self):
        self.assertEqual(list(commands_of(ROOT / "docs" / "library.md"))[:2],
                         ["scripts/build release", "cmake --install build/release --prefix PREFIX"])
        self.assertEqual(self.says[str(self.example)].splitlines()[-1:], ["-20"])
        # What scripts/install-packages installs: CMake's own choice would be make.
        self.assertIn("CMAKE_GENERATOR:INTERNAL=Ninja\n", self.cache)

    def test_the_page_about_the_library_shows_this_example(self):
        blocks = re.findall(r"```(?:cpp|cmake)\n(.*?)```", (ROOT / "docs" / "library.md").read_text(), re.S)
        for name in "main.cc", "CMakeLists.txt":
            self.assertIn((EXAMPLE / name).read_text(), blocks)


if __name__ == "__main__":
    unittest.main()
