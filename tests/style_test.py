"""C++ files look as clang-format leaves them, and clang-tidy finds nothing in those that changed. ROOT is the project's
folder."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])
FOLDERS = ["benchmarks", "include", "lab", "src", "tests"]

# What clang-tidy looks at. Clang 14 cannot read libtorch's headers as C++20, nor views of the standard library.
TIDIED = ["include/", "lab/", "src/"]
NOT_TIDIED = ["src/learn/nets/", "src/learn/train/", "src/learn/examples/"]
MOST_SECONDS = 90  # in which a core looks at about fifteen files
# Without the analyser, which takes two thirds of the time; sanitizers and fuzzing look for the same.
CHECKS = ["--checks=-clang-analyzer-*", "--warnings-as-errors=*"]
FLAGS = ["-std=c++20", "-Iinclude", "-Isrc", "-Ilab", "-march=native", '-DNRS_VERSION="0"', "-DNRS_COPY=common", "-w"]


def git(*arguments):
    """The words that git prints, or none where there is no git, or not what is asked for."""
    if shutil.which("git") is None:
        return []
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout.split()


def cpp_files():
    """All C++ files of the project, in a clone or in a copy without git."""
    found = git("ls-files", "*.h", "*.cc")
    if not found:
        found = [str(path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")
                 if path.suffix in (".h", ".cc")]
    return sorted(name for name in found if (ROOT / name).exists())


def base():
    """What a change is measured against: where it left origin/main, or else the last commit but one."""
    for found in (git("merge-base", "origin/main", "HEAD"), git("rev-parse", "-q", "--verify", "HEAD~1")):
        if found and found != git("rev-parse", "HEAD"):
            return found
    return []


def to_tidy(changed, there):
    """The sources to look at for changed files: themselves, and for a header the source beside it."""
    sources = {re.sub(r"\.h$", ".cc", name) for name in changed if name.startswith(tuple(TIDIED))}
    return sorted(name for name in sources & set(there) if not name.startswith(tuple(NOT_TIDIED)))


def version(tool):
    """The major version of a tool, or None."""
    if shutil.which(tool) is None:
        return None
    said = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    return int(re.search(r"version (\d+)", said)[1])


class Choice(unittest.TestCase):
    def test_a_header_is_looked_at_through_its_source(self):
        there = ["src/nn/a.cc", "src/nn/b.cc", "src/learn/nets/c.cc", "tests/d.cc"]
        self.assertEqual(to_tidy(["src/nn/a.h", "src/nn/b.cc", "src/nn/gone.cc", "src/learn/nets/c.cc", "tests/d.cc"], there),
                         ["src/nn/a.cc", "src/nn/b.cc"])


class Format(unittest.TestCase):
    @unittest.skipUnless(version("clang-format") == 14, "there is no clang-format 14: other versions format otherwise")
    def test_files_are_as_clang_format_leaves_them(self):
        names = cpp_files()
        self.assertGreater(len(names), 400)
        found = subprocess.run(["clang-format", "--dry-run", "-Werror", *names], cwd=ROOT, capture_output=True, text=True)
        wrong = sorted(set(re.findall(r"^([^:\s]+):\d+:\d+: error", found.stderr, re.M)))
        self.assertEqual((wrong, found.returncode), ([], 0), "run: clang-format -i " + " ".join(wrong))


class Tidy(unittest.TestCase):
    def look_at(self, name):
        """What clang-tidy says of a source, or None if the time is up."""
        left = self.deadline - time.monotonic()
        try:
            found = subprocess.run(["clang-tidy", "--quiet", *CHECKS, name, "--", *FLAGS], cwd=ROOT,
                                   capture_output=True, text=True, timeout=max(left, 0.01))
        except subprocess.TimeoutExpired:
            return None
        return "" if found.returncode == 0 else found.stdout

    @unittest.skipUnless(version("clang-tidy") == 14, "there is no clang-tidy 14: other versions find other things")
    def test_nothing_is_found_in_what_changed(self):
        since = base()
        if not since:
            self.skipTest("there is no earlier commit to compare with")
        names = to_tidy(git("diff", "--name-only", *since), cpp_files())
        if not names:
            self.skipTest("no source that clang-tidy can read has changed")
        self.deadline = time.monotonic() + MOST_SECONDS
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            said = dict(zip(names, pool.map(self.look_at, names)))
        late = [name for name in names if said[name] is None]
        if late:
            print("no time for %d of %d changed sources: %s" % (len(late), len(names), " ".join(late)))
        self.assertEqual("\n".join(text for text in said.values() if text), "")


if __name__ == "__main__":
    unittest.main()
