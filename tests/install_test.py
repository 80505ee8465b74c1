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


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.temporary.name) / "prefix"
        example = pathlib.Path(cls.temporary.name) / "example"
        sanitize = os.environ.get("SANITIZE")
        for command in (["--install", BUILD, "--prefix", cls.prefix],
                        ["-S", EXAMPLE, "-B", example, "-DCMAKE_PREFIX_PATH=%s" % cls.prefix,
                         "-DCMAKE_CXX_FLAGS=%s" % ("-fsanitize=" + sanitize if sanitize else "")],
                        ["--build", example]):
            code, out, err = run("cmake", *command)
            if code != 0:
                raise RuntimeError("cmake %s\n%s%s" % (command, out, err))
        cls.example = example / "simplify"

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
                         (3, "column 4: '2' is not a token of this model (the model was trained without it)\n"))
        self.assertEqual(run(self.example, EXAMPLE / "main.cc", "1")[0], 3)
        self.assertEqual(run(self.example, "absent.nrs", "1")[0], 1)

    def test_what_a_reproduction_needs_is_installed(self):
        code, out, err = run(self.prefix / "bin" / "nrs", "reproduce", "--list", "--only", "train", "report")
        self.assertEqual((code, err), (0, ""))
        for task in "train/multi", "report/published":
            self.assertIn(task, out)
        self.assertTrue((self.prefix / "share" / "nrs" / "results" / "published.json").exists())

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

    def test_the_page_about_the_library_shows_this_example(self):
        blocks = re.findall(r"```(?:cpp|cmake)\n(.*?)```", (ROOT / "docs" / "library.md").read_text(), re.S)
        for name in "main.cc", "CMakeLists.txt":
            self.assertIn((EXAMPLE / name).read_text(), blocks)


if __name__ == "__main__":
    unittest.main()
