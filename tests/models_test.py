"""Models by name: where they are looked for, and what is said when there is none."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

NRS = pathlib.Path(os.environ["NRS"])
TINY = pathlib.Path(os.environ["ROOT"]) / "tests" / "data" / "tiny.nrs"


class Models(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name).resolve()
        # A program of its own, so that no models come with it.
        (self.folder / "bin").mkdir()
        self.program = self.folder / "bin" / "nrs"
        shutil.copy(NRS, self.program)
        self.installed = self.folder / "share" / "nrs" / "models"
        self.own = self.folder / "own"

    def tearDown(self):
        self.temporary.cleanup()

    def put(self, folder, *names):
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(TINY, folder / (name + ".nrs"))

    def run_nrs(self, *arguments, **options):
        environment = dict(os.environ, NRS_MODELS=str(self.own))
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True, env=environment, **options)
        return done.returncode, done.stdout, done.stderr

    def file_of(self, name):
        code, out, err = self.run_nrs("info", name)
        self.assertEqual(code, 0, err)
        return out.splitlines()[1].split()[1]

    def test_a_name_is_found_in_the_folder_of_the_environment_and_then_beside_the_program(self):
        self.put(self.installed, "alpha", "beta")
        self.put(self.own, "beta")
        self.assertEqual(self.file_of("alpha"), str(self.installed / "alpha.nrs"))
        self.assertEqual(self.file_of("beta"), str(self.own / "beta.nrs"))

    def test_a_path_is_taken_as_it_is(self):
        self.put(self.own, "beta")
        self.assertEqual(self.file_of(str(self.own / "beta.nrs")), str(self.own / "beta.nrs"))
        self.assertEqual(self.run_nrs("info", "gamma.nrs")[0], 1)

    def test_info_alone_lists_what_is_there(self):
        self.assertEqual(self.run_nrs("info"), (2, "", "nrs: no models came with this program\n"))
        self.put(self.installed, "alpha")
        self.put(self.own, "beta")
        (self.own / "broken.nrs").write_text("no model")
        code, out, err = self.run_nrs("info")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["alpha", "beta", "broken"])
        self.assertRegex(out.splitlines()[0], r"^alpha +0\.03 MB")

    def test_an_unknown_name_gets_those_that_exist_and_the_nearest(self):
        self.put(self.installed, "alpha", "beta")
        for arguments in ["info", "betta"], ["simplify", "--model", "betta", "1"]:
            self.assertEqual(self.run_nrs(*arguments),
                             (2, "", "nrs: there is no model 'betta' (did you mean beta? there are alpha, beta)\n"))

    def test_a_file_that_is_no_model_is_told_from_a_name(self):
        self.put(self.installed, "alpha")
        with tempfile.TemporaryDirectory() as folder:
            notes = pathlib.Path(folder) / "NOTES"
            notes.write_text("# Notes\n\nA file of someone's, and no model.\n")
            for name in "NOTES", str(notes):
                code, out, err = self.run_nrs("info", name, cwd=folder)
                self.assertEqual((code, out, err), (3, "", "nrs: %s: this is a text file, not a model\n" % name))
            (pathlib.Path(folder) / "alpha").write_text("a file by the name of a model")
            self.assertEqual(self.run_nrs("info", "alpha", cwd=folder)[0], 0)

    def test_without_any_model_the_oracle_is_named(self):
        code, out, err = self.run_nrs("simplify", "--model", "multi", "(1+2)")
        self.assertEqual((code, out, len(err.splitlines())), (2, "", 1))
        self.assertIn("--engine oracle", err)


if __name__ == "__main__":
    unittest.main()
