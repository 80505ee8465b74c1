"""The Debian packages of this build, unpacked and run; not those that scripts/package makes, which are compiled for
every processor, but made by the same rules."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
BUILD = NRS.parent.parent


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("%s\n%s%s" % (command, done.stdout, done.stderr))
    return done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        run(ROOT / "scripts" / "package-extras", BUILD)
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
        cls.packages = {p.name.partition("_")[0]: p for p in folder.glob("*.deb")}
        cls.root = folder / "root"
        for package in cls.packages.values():
            run("dpkg-deb", "-x", package, cls.root)

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_there_are_four_and_none_needs_libtorch(self):
        self.assertEqual(sorted(self.packages), ["libnrs-dev", "nrs", "nrs-models", "python3-nrs"])
        for package in self.packages:
            self.assertNotIn("torch", self.field(package, "Depends"))
        self.assertIn("nrs-models", self.field("nrs", "Depends"))
        self.assertIn("libc6", self.field("nrs", "Depends"))
        self.assertIn("python3 (>= 3.11)", self.field("nrs", "Depends"))
        self.assertEqual(self.field("nrs-models", "Architecture"), "all")

    def test_the_program_finds_its_models_and_the_others(self):
        program = self.root / "usr" / "bin" / "nrs"
        self.assertEqual(run(program, "simplify", "((15+5)*(3-4))"), "-20\n")
        self.assertIn("X,Y", run(program, "generate", "logic", "--nesting", "1", "--count", "1"))
        self.assertIn("train/multi", run(program, "reproduce", "--list", "--only", "train"))
        self.assertIn("Usage: nrs baseline llm", run(program, "baseline", "llm", "--help"))
        page = run(program, "report", "--results", ROOT / "results", "--tables", "/dev/stdout")
        self.assertIn((ROOT / "docs" / "results.md").read_text(), page)
        self.assertFalse((self.root / "usr" / "bin" / "nrs-learn").exists())

    def test_python_finds_the_module(self):
        packages = self.root / "usr" / "lib" / "python3" / "dist-packages"
        script = "import nrs; print(nrs.load(%r).simplify('((15+5)*(3-4))').value)"
        model = self.root / "usr" / "share" / "nrs" / "models" / "multi.nrs"
        done = run("env", "PYTHONPATH=%s" % packages, sys.executable, "-c", script % str(model))
        self.assertEqual(done, "-20\n")

    def test_documents_and_completions_are_where_they_belong(self):
        share = self.root / "usr" / "share"
        for name in ("bash-completion/completions/nrs", "zsh/vendor-completions/_nrs", "doc/nrs/copyright",
                     "doc/nrs-models/copyright", "doc/libnrs-dev/changelog.Debian.gz"):
            self.assertTrue((share / name).is_file(), name)
        if not shutil.which("help2man"):
            self.skipTest("there is no help2man: man pages are not looked at")
        for name in "nrs", "nrs-simplify", "nrs-train", "nrs-eval", "nrs-tune":
            self.assertIn(".TH", run("gzip", "-dc", share / "man" / "man1" / (name + ".1.gz")))

    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian_has_no_errors(self):
        run("lintian", "--allow-root", "--fail-on", "error", *self.packages.values())


if __name__ == "__main__":
    if not shutil.which("dpkg-shlibdeps"):
        sys.exit(print("passed over: there is no dpkg-shlibdeps, so no packages can be made"))
    if os.environ.get("SANITIZE"):
        sys.exit(print("passed over: programs with sanitizers are not packed"))
    unittest.main()
