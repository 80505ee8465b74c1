"""The launcher in a clone in which nothing is built yet. Compilers and package managers are stand-ins that note when
they are called."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
TOOLS = "sh cat cut dirname env find flock grep mkdir mv readlink rm sed sleep tr uniq".split()

# Takes four steps, of STEP seconds each, and makes what was asked for.
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$CALLS"
case "$*" in
  *--build*)
    for step in 1 2 3 4; do
      sleep ${STEP:-0.01}
      echo "@step $step 4 Building something"
    done
    [ -z "${BROKEN:-}" ] || { echo "main.cc:1: something is wrong"; exit 1; }
    mkdir -p build/release/bin
    printf '#!/bin/sh\\necho "answer to $*"\\n' >build/release/bin/nrs
    /bin/chmod +x build/release/bin/nrs
    ;;
esac
"""
APT = '#!/bin/sh\necho "apt-get $*" >>"$CALLS"\nexit ${APT_ENDS:-0}\n'
DPKG = '#!/bin/sh\necho ${DPKG_SAYS:-installed}\n'


class Fresh(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name) / "clone"
        self.calls = pathlib.Path(temporary.name) / "calls"
        tools = pathlib.Path(temporary.name) / "tools"
        tools.mkdir()
        for tool in TOOLS:
            (tools / tool).symlink_to(shutil.which(tool))
        for name, text in (("cmake", CMAKE), ("apt-get", APT), ("dpkg-query", DPKG),
                           ("id", "#!/bin/sh\necho ${USER_ID:-0}\n")):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        for name in "src", "include", "cmake", "lab":
            (self.folder / name).mkdir(parents=True)
        for name in "nrs", "CMakeLists.txt", "CMakePresets.json":
            shutil.copy(ROOT / name, self.folder)
        shutil.copytree(ROOT / "scripts", self.folder / "scripts")
        shutil.copytree(ROOT / "docs" / "help", self.folder / "docs" / "help")
        # No HOME, and no sudo.
        self.environment = {"PATH": str(tools), "CALLS": str(self.calls)}

    def start(self, *arguments, **environment):
        return subprocess.Popen([self.folder / "nrs", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env={**self.environment, **environment}, cwd="/")

    def run_nrs(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        out, err = process.communicate()
        return process.returncode, out, err

    def called(self):
        return self.calls.read_text() if self.calls.exists() else ""

    def test_help_and_version_need_no_build(self):
        for words in (["--help"], ["-h"], ["help"], ["--version"], ["-V"], ["simplify", "--help"], ["help", "simplify"],
                      ["train", "-h"], ["eval", "--help"], ["help", "tune"], ["baseline", "--help"],
                      ["baseline", "llm", "--help"]):
            with self.subTest(words):
                built = subprocess.run([NRS, *words], capture_output=True, text=True)
                self.assertEqual(self.run_nrs(*words), (0, built.stdout, ""))
                self.assertNotEqual(built.stdout, "")
        self.assertEqual(self.called(), "")
        self.assertFalse((self.folder / "build").exists())

    def test_a_mistake_in_the_first_word_installs_nothing(self):
        for words, message in ((["simplfy", "1"], "unknown verb 'simplfy' (the verbs are "),
                               (["help", "simplfy"], "unknown verb 'simplfy' (the verbs are "),
                               (["baseline-llm"], "unknown verb"),
                               (["--trace"], "unknown option '--trace' (see --help)"),
                               ([], "a verb is missing (see --help)")):
            with self.subTest(words):
                code, out, err = self.run_nrs(*words)
                self.assertEqual((code, out), (2, ""))
                self.assertTrue(err.startswith("nrs: " + message), err)
        self.assertEqual(self.called(), "")

    def test_the_first_call_tells_what_is_left_also_to_who_waits(self):
        first = self.start("simplify", "1", STEP="0.6")
        time.sleep(0.5)
        second = self.start("simplify", "2")
        (out1, err1), (out2, err2) = first.communicate(), second.communicate()
        self.assertEqual((out1, out2), ("answer to simplify 1\n", "answer to simplify 2\n"))
        self.assertIn("nrs: building, 3 of 4 steps left\n", err1)
        self.assertRegex(err2, r"nrs: waiting for another build of release, [0-3] of 4 steps left\n")
        self.assertEqual(self.called().count("--build"), 1)
        self.assertEqual(self.run_nrs("simplify", "3"), (0, "answer to simplify 3\n", ""))

    def test_a_change_of_the_laboratory_does_not_concern_the_others(self):
        self.run_nrs("simplify", "1")
        for folder, builds in (("lab", 1), ("src", 2)):
            (self.folder / folder / "new.cc").write_text("")
            self.assertEqual(self.run_nrs("simplify", "2")[:2], (0, "answer to simplify 2\n"))
            self.assertEqual(self.called().count("--build"), builds, folder)
        lab = subprocess.run(["sh", "-c", '. "$1/scripts/fresh.sh"; touch "$2/bin/nrs-lab" "$2/built-nrs-lab"; '
                              'chmod +x "$2/bin/nrs-lab"; fresh "$1" "$2" nrs-lab && echo fresh; '
                              'touch -d "+1 min" "$1/lab/new.cc"; fresh "$1" "$2" nrs-lab || echo stale', "sh",
                              self.folder, self.folder / "build" / "release"], capture_output=True, text=True)
        self.assertEqual(lab.stdout, "fresh\nstale\n", lab.stderr)

    def test_a_build_that_fails_shows_why(self):
        code, out, err = self.run_nrs("simplify", "1", BROKEN="yes")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("main.cc:1: something is wrong\n", err)
        self.assertTrue(err.endswith("nrs: the build failed\n"))

    def test_what_cannot_be_written_is_said_before_anything_is_installed(self):
        (self.folder / "build").write_text("not a folder")
        code, out, err = self.run_nrs("simplify", "1", DPKG_SAYS="missing")
        self.assertEqual((code, out, len(err.splitlines())), (1, "", 1))
        self.assertIn("cannot be written", err)
        self.assertEqual(self.called(), "")

    def test_packages_that_cannot_be_installed(self):
        code, out, err = self.run_nrs("simplify", "1", DPKG_SAYS="missing", USER_ID="1000")
        self.assertEqual((code, out, len(err.splitlines())), (1, "", 1))
        self.assertRegex(err, r"^nrs: .*no sudo; please install, as root: g\+\+ ")
        code, out, err = self.run_nrs("simplify", "1", DPKG_SAYS="missing", APT_ENDS="100")
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(err, r"\nnrs: could not install Debian packages: g\+\+ .*\n$")


class Stored(unittest.TestCase):
    def test_the_help_in_docs_is_that_of_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "help"
            subprocess.run([ROOT / "scripts" / "write-help", NRS.parent, made], check=True)
            def texts(root):
                return {str(p.relative_to(root)): p.read_text() for p in root.rglob("*.txt")}
            self.assertEqual(texts(ROOT / "docs" / "help"), texts(made),
                             "write it again: scripts/write-help build/dev/bin docs/help")

    def test_every_verb_of_the_program_has_one(self):
        listed = subprocess.run([NRS, "--help"], capture_output=True, text=True).stdout
        verbs = [line.split()[0] for line in listed.partition("Subcommands:\n")[2].partition("\n\n")[0].splitlines()
                 if line.startswith("  ") and line[2] != " "]
        stored = [p.stem for p in (ROOT / "docs" / "help").glob("*/*.txt") if "-" not in p.stem]
        self.assertGreater(len(verbs), 10)
        self.assertEqual(sorted(verbs), sorted(stored))

    def test_completions_offer_verbs_options_and_values(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "scripts" / "write-completions", NRS.parent, folder], check=True)
            def offered(*words):
                script = 'source %s/nrs.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nrs; echo "${COMPREPLY[@]}"'
                return subprocess.run(["bash", "-c", script % folder, "bash", "nrs", *words], capture_output=True,
                                      text=True, check=True).stdout.split()
            self.assertEqual(offered("simp"), ["simplify"])
            self.assertEqual(offered("simplify", "--tr"), ["--trace"])
            self.assertEqual(offered("simplify", "--leaves", ""), ["all", "last"])
            self.assertEqual(offered("train", "--sol"), ["--solver-from"])
            self.assertEqual(offered("tune", "--tri"), ["--trials"])
            self.assertEqual(offered("baseline", "l"), ["llm"])
            if shutil.which("zsh"):
                subprocess.run(["zsh", "-n", folder + "/_nrs"], check=True)


if __name__ == "__main__":
    unittest.main()
