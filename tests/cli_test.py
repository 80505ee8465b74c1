"""The program from outside: answers, errors, exit codes, files."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
GOLDEN = ROOT / "tests" / "golden"


def run(*arguments, text="", **options):
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([NRS, *arguments], input=data, capture_output=True, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def simplify(*arguments, **options):
    """By the exact rules: what a model answers is a matter of other tests."""
    return run("simplify", "--engine", "oracle", *arguments, **options)


class Simplify(unittest.TestCase):
    def test_golden_traces(self):
        for path in sorted(GOLDEN.glob("*.trace")):
            command, _, expected = path.read_text().partition("\n")
            with self.subTest(path.name):
                code, out, _ = run(*json.loads(command))
                self.assertEqual(out, expected)
                self.assertEqual(code, 0)

    def test_stream_is_answered_in_order_with_any_number_of_threads(self):
        _, made, _ = run("generate", "arithmetic", "--nesting", "1-4", "--count", "2000")
        rows = [line.split(",") for line in made.splitlines()[1:]]
        for threads in "1", "3":
            code, out, _ = simplify("--threads", threads, "-",
                               text="\n".join(r[0] for r in rows))
            self.assertEqual(code, 0)
            self.assertEqual(out.split(), [r[1] for r in rows])

    def test_bad_formulas_lose_nothing_of_the_others(self):
        bad = [b"", b"(1+$)", b"((1+2)", b"(1+2+3)", b"(100+1)", b"(1\0+2)", b"(1+\xff2)", b"[MIN5]"]
        text = b"".join(b"(1+2)\n" + b + b"\n" for b in bad)
        code, out, err = simplify(text=text)
        self.assertEqual(code, 3)
        lines = out.splitlines()
        self.assertEqual(len(lines), 2 * len(bad))
        self.assertEqual(lines[0::2], ["3"] * len(bad))
        for line in lines[1::2]:
            self.assertRegex(line, r"^error: column \d+: ")
        self.assertEqual(len(err.splitlines()), len(bad))
        self.assertRegex(err.splitlines()[1], r"^nrs: line 4, column 4: unknown character: '\$'")

    def test_lines_of_input_and_output_stay_side_by_side(self):
        lines = ["", "(1+2)", "", "   ", "(2+2)", "\t", ""]
        for end in "\n", "\r\n":
            for options in [], ["--json"], ["--threads", "3"]:
                code, out, err = simplify(*options, "-", text=end.join(lines) + end)
                answers = out.splitlines()
                self.assertEqual((code, len(answers), len(err.splitlines())), (3, len(lines), 5))
                for line, answer in zip(lines, answers):
                    self.assertEqual("the formula is empty" in answer, not line.strip(), answer)
        self.assertEqual(simplify("-", text="")[:2], (0, ""))

    def test_what_is_missing_is_shown(self):
        for formula, hint in ("1+2", "write (1+2)"), ("(a and T)", "case matters: write AND"):
            code, out, err = simplify(formula)
            self.assertEqual((code, out), (3, ""))
            self.assertTrue(err.endswith("(%s)\n" % hint), err)

    def test_a_lone_bad_formula_is_one_line_on_standard_error(self):
        code, out, err = simplify("(1+2))")
        self.assertEqual((code, out), (3, ""))
        self.assertEqual(err, "nrs: column 6: the formula is complete, but ')' follows\n")

    def test_a_line_of_100_megabytes_is_refused_and_the_next_answered(self):
        code, out, err = simplify(text=b"(" * 100_000_000 + b"\n(1+2)\n")
        self.assertEqual(code, 3)
        self.assertEqual(out.splitlines(), ["error: column 67108865: the formula is longer than 67108864 characters", "3"])
        self.assertEqual(len(err.splitlines()), 1)

    def test_formulas_without_a_normal_form(self):
        code, out, _ = simplify("((a&b)|(T&F))", "(T&a)")
        self.assertEqual((code, out), (4, "stopped: no_leaf: ((a&b)|F)\na\n"))

    def test_json(self):
        code, out, _ = simplify("--json", "--trace", "[MIN[SM54][MIN39]]", "(!", "-5")
        first, second, third = map(json.loads, out.splitlines())
        self.assertEqual(code, 3)
        self.assertEqual((first["result"], first["domain"], first["rounds"]), ("3", "listops", 2))
        self.assertEqual(first["trace"][0]["steps"][1],
                         {"begin": 10, "end": 17, "leaf": "[MIN39]", "value": "3", "applied": True})
        self.assertEqual(second["error"]["column"], 3)
        self.assertEqual((third["result"], third["formula"]), ("-5", "-5"))

    def test_paper_notation(self):
        formula = "(((z OR (z OR (b AND False))) OR z) AND ((((j OR False) AND True) AND False) OR True))"
        self.assertEqual(simplify(formula)[1], "z\n")
        self.assertEqual(simplify("--paper-notation", "(z OR True)")[1], "True\n")

    def test_full_output_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([NRS, "simplify", "--engine", "oracle", "(1+2)"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"standard output", done.stderr)


class Usage(unittest.TestCase):
    def expect(self, arguments, message):
        code, out, err = run(*arguments)
        self.assertEqual((code, out, err), (2, "", "nrs: %s\n" % message))

    def test_misspelt_words_get_a_suggestion(self):
        self.expect(["simplfy"], "unknown verb 'simplfy' (did you mean simplify?)")
        self.expect(["simplify", "--trase", "1"], "unknown option '--trase' (did you mean --trace?)")
        self.expect(["generate", "arithmetc"], "unknown domain 'arithmetc' (did you mean arithmetic?)")
        self.expect(["simplify", "--engine", "oracle", "--domain", "arith", "(1+2)"],
                    "unknown domain 'arith' (did you mean arithmetic?)")
        self.expect(["simplify", "--engine", "oracel", "(1+2)"],
                    "--engine: 'oracel' is not one of fastnrs, nrs, ndr, compiled, patterns, rules, oracle (did you mean oracle?)")

    def test_bad_values_are_refused(self):
        self.expect(["generate", "logic", "--nesting", "5-2"],
                    "--nesting: '5-2' is not a number or a range (such as 0 or 0-3, within 0-16777216)")
        self.expect(["generate", "logic", "--count", "many"],
                    "--count: 'many' is not a valid whole number (see --help)")
        self.expect(["reproduce", "--models", "foo"], "--models: 'foo' is not one of train, shipped (see --help)")
        self.expect(["eval", "--engine", "oracle", "--domain", "logic", "--count", "0"],
                    "--count: '0' is not a number from 1 to 1000000000 (see --help)")
        for nesting in "30", "1-30":
            self.expect(["generate", "arithmetic", "--nesting", nesting],
                        "nesting 30 makes arithmetic formulas longer than 67108864 characters (the deepest possible is 23)")
        self.assertEqual(run("generate")[0], 2)
        self.assertEqual(run()[0], 2)

    def test_help_and_version(self):
        for verb in [], ["simplify"], ["generate"], ["dataset"]:
            code, out, _ = run(*verb, "--help")
            self.assertEqual(code, 0)
            self.assertIn("example:", out)
        self.assertRegex(run("--version")[1], r"^nrs \d+\.\d+\.\d+\n$")


class Generate(unittest.TestCase):
    def test_same_seed_same_bytes_with_any_number_of_threads(self):
        for domain in "logic", "listops", "arithmetic", "algebra":
            arguments = ["generate", domain, "--nesting", "0-4", "--count", "300", "--seed", "5"]
            one = run(*arguments, "--threads", "1")[1]
            self.assertEqual(one, run(*arguments, "--threads", "3")[1])
            self.assertNotEqual(one, run(*arguments[:-1], "6")[1])

    def test_the_bytes_are_those_of_every_other_machine(self):
        out = run("generate", "algebra", "--space", "paper", "--nesting", "2", "--count", "3", "--seed", "1")[1]
        self.assertEqual(out, (GOLDEN / "generate_algebra.csv").read_text())

    def test_asking_for_too_many_ends_with_what_there_is(self):
        code, out, err = run("generate", "logic", "--nesting", "1", "--count", "100000000")
        self.assertEqual((code, len(out.splitlines())), (0, 271))
        self.assertIn("270 formulas", err)

    def test_steps_can_be_read_as_traces(self):
        out = run("generate", "arithmetic", "--nesting", "2", "--count", "1", "--steps")[1]
        rows = [line.split(",") for line in out.splitlines()[1:]]
        self.assertEqual([r[1] for r in rows[:-1]], [r[0] for r in rows[1:]])
        self.assertEqual(rows[-1][1], "")
        out = run("generate", "arithmetic", "--nesting", "2", "--count", "1", "--steps", "--format", "jsonl")[1]
        rounds = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([len(r.get("steps", [])) for r in rounds], [2, 1, 0])

    def test_an_output_that_cannot_be_written_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "file"
            path.write_text("not a folder")
            code, _, err = run("generate", "logic", "--out", str(path / "x.csv"))
            self.assertEqual(code, 1)
            self.assertEqual(len(err.splitlines()), 1)
            code, _, _ = run("generate", "arithmetic", "--nesting", "6", "--count", "100000", "--out", folder + "/x.csv",
                             preexec_fn=limit_file_size)
            self.assertNotEqual(code, 0)
            self.assertFalse((pathlib.Path(folder) / "x.csv").exists())


def limit_file_size():
    """As good as a full disk: no file may grow beyond a megabyte."""
    import resource
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


class Dataset(unittest.TestCase):
    def test_multi_shares_nothing_between_splits(self):
        with tempfile.TemporaryDirectory() as folder:
            code, _, err = run("dataset", "multi", "--out", folder, "--seed", "11")
            self.assertEqual(code, 0, err)
            stats = json.loads((pathlib.Path(folder) / "stats.json").read_text())
            self.assertEqual(stats["shared_between_splits"], 0)
            arithmetic = stats["domains"]["arithmetic"]
            train = arithmetic["solver"]["train"]
            self.assertEqual((train["rows"], train["paper"]), (30510, 30510))
            self.assertEqual(arithmetic["whole"]["test"]["rows"], 600)
            self.assertEqual(sorted(p.name for p in pathlib.Path(folder).iterdir()),
                             ["selector", "solver", "stats.json", "test.csv"])

    def test_a_full_disk_leaves_no_half_written_file(self):
        with tempfile.TemporaryDirectory() as folder:
            code, _, err = run("dataset", "logic", "--out", folder, preexec_fn=limit_file_size)
            self.assertEqual(code, 1)
            self.assertRegex(err, r"(^|\n)nrs: .*cannot write: File too large\n$")
            self.assertEqual([p for p in pathlib.Path(folder).rglob("*") if p.is_file()], [])


class Launcher(unittest.TestCase):
    def test_starts_the_built_program_without_building_again(self):
        preset = pathlib.Path(NRS).parent.parent.name
        environment = dict(os.environ, NRS_PRESET=preset)
        for command, out in ((("simplify", "--engine", "oracle", "(1+2)"), r"\A3\n\Z"),
                             (("report", "--help"), "Usage: nrs report "),
                             (("baseline", "llm", "--help"), "Usage: nrs baseline llm ")):
            done = subprocess.run([ROOT / "nrs", *command], capture_output=True, text=True, env=environment, cwd="/")
            self.assertRegex(done.stdout, out)
            self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
