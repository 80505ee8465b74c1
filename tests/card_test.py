"""Cards of models: those in models/ are what `nrs info --card` writes, and every architecture has one."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import yaml

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
SHIPPED = sorted(path.stem for path in (ROOT / "models").glob("*.nrs"))


def card(*arguments, **options):
    done = subprocess.run([NRS, "info", "--card", *arguments], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def head(page):
    assert page.startswith("---\n")
    return yaml.safe_load(page[4:page.index("\n---\n")])


class Shipped(unittest.TestCase):
    def test_the_cards_in_models_are_what_the_program_writes(self):
        self.assertEqual(sorted(path.stem for path in (ROOT / "models").glob("*.md")), SHIPPED)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "scripts" / "write-cards", NRS.parent, folder], check=True)
            for name in SHIPPED:
                self.assertEqual((ROOT / "models" / (name + ".md")).read_text(),
                                 (pathlib.Path(folder) / (name + ".md")).read_text(),
                                 "scripts/write-cards build/dev/bin models writes it anew")

    def test_hubs_find_licence_and_scores(self):
        for name in SHIPPED:
            found = head((ROOT / "models" / (name + ".md")).read_text())
            self.assertEqual((found["license"], found["library_name"]), ("mit", "nrs"))
            for entry in found.get("model-index", []):
                self.assertEqual(entry["name"], name)
                for result in entry["results"]:
                    self.assertTrue({"task", "dataset", "metrics"} <= set(result))
                    self.assertTrue(0 <= result["metrics"][0]["value"] <= 1)
        self.assertEqual(len(head((ROOT / "models" / "multi-paper.md").read_text())["model-index"][0]["results"]), 8)

    def test_losses_are_told(self):
        page = (ROOT / "models" / "ndr-listops.md").read_text()
        worst = min(result["metrics"][0]["value"] for result in head(page)["model-index"][0]["results"])
        self.assertLess(worst, 0.95)
        self.assertIn("many are wrong", page)


class Taught(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def nrs(self, *words):
        subprocess.run([NRS, *words], check=True, cwd=self.folder, capture_output=True)

    def test_a_system_of_text(self):
        self.nrs("learn", ROOT / "examples" / "booleans.txt", "--out", "mine.nrs")
        page = card("mine.nrs", cwd=self.folder)
        self.assertEqual(head(page)["license"], "unknown")
        self.assertEqual(head(page)["model-index"][0]["results"][0]["metrics"][0]["value"], 1)
        for part in ("<value> and <value>", "examples 300", "nrs verify --model mine.nrs --store",
                     'nrs.load("mine.nrs")', "What no example shows is refused"):
            self.assertIn(part, page)
        self.nrs("verify", "--model", "mine.nrs", "--store")
        self.assertIn("verdict exact", card("mine.nrs", cwd=self.folder))

    def test_a_system_of_terms_and_its_certificate(self):
        self.nrs("learn", ROOT / "examples" / "derivatives.txt", "--out", "d.nrs")
        page = card("d.nrs", "--license", "cc0-1.0", cwd=self.folder)
        self.assertEqual((head(page)["license"], head(page)["tags"][-1]), ("cc0-1.0", "rules"))
        self.assertIn("d(sin(?1)) -> mul(cos(?1),d(?1))", page)
        self.assertIn("critical_pairs", page)

    def test_it_can_be_written_to_a_file(self):
        written = self.folder / "logic.md"
        self.assertEqual(card("logic", "--out", written), "")
        self.assertEqual(written.read_text(), card("logic"))

    def test_results_of_another_model_are_not_its(self):
        self.nrs("learn", ROOT / "examples" / "booleans.txt", "--out", "multi.nrs")
        self.assertNotIn("nrs-generated", card("./multi.nrs", "--results", ROOT / "results", cwd=self.folder))
        (self.folder / "eval").mkdir()
        (self.folder / "eval" / "no.json").write_text("{}")
        done = subprocess.run([NRS, "info", "--card", "logic", "--results", self.folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("no.json: this is not a result of nrs eval", done.stderr)


if __name__ == "__main__":
    unittest.main()
