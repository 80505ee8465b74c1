"""nrs bench: what it measures, not how fast that is."""
import json
import os
import pathlib
import subprocess
import unittest

NRS = os.environ["NRS"]
MODEL = pathlib.Path(os.environ["ROOT"]) / "models" / "logic.nrs"


def run(*arguments):
    done = subprocess.run([NRS, "bench", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(MODEL.exists(), "no model to measure")
class Bench(unittest.TestCase):
    def test_measures_everything(self):
        code, out, err = run("--model", MODEL, "--count", "2", "--seconds", "0", "--json")
        self.assertEqual((code, err), (0, ""))
        report = json.loads(out)
        self.assertEqual(report["domain"], "logic")
        self.assertEqual((report["oracle"]["count"], report["oracle"]["right"]), (24, 24))
        self.assertEqual(report["formulas"]["right"], 24)
        for part in ("start", "formulas", "oracle", "latency"):
            spread = report[part]["seconds"]
            self.assertTrue(0 < spread["least"] <= spread["median"] <= spread["most"], part)
        self.assertGreater(report["selector"]["characters_per_second"], 0)
        self.assertGreater(report["solver"]["leaves_per_second"], 0)

    def test_a_table_for_people(self):
        code, out, err = run("--model", MODEL, "--count", "1", "--seconds", "0")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"(?m)^times the oracle +\d+\.\d$")


class Refusals(unittest.TestCase):
    def test_a_model_of_nobody_knows_what(self):
        tiny = MODEL.parent.parent / "tests" / "data" / "tiny.nrs"
        code, out, err = run("--model", tiny)
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "nrs: this model does not say which domain it is for (name a domain with --domain, or a file "
                              "of examples)\n")


if __name__ == "__main__":
    unittest.main()
