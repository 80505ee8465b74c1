"""nrs simplify with a model, from outside: what comes in, what comes out, in which order."""
import json
import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
# It knows ( ) + 0 1 é, of no domain, and is sure of hardly anything: all that is needed here.
TINY = str(ROOT / "tests" / "data" / "tiny.nrs")
# The same with a Selector that writes the last leaf, or what it takes for it.
WRITER = str(ROOT / "tests" / "data" / "tiny-writer.nrs")
MULTI = ROOT / "models" / "multi.nrs"


def simplify(*arguments, text=""):
    done = subprocess.run([NRS, "simplify", *arguments], input=text.encode(), capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class AnyModel(unittest.TestCase):
    def test_formulas_of_no_domain_are_taken_as_they_are(self):
        code, out, err = simplify("--model", TINY, "--json", "é)1+(")
        answer = json.loads(out)
        self.assertIn(code, (0, 4), err)
        self.assertEqual(answer["formula"], "é)1+(")
        self.assertNotIn("domain", answer)
        self.assertIn(answer["stop"], ("final", "low_confidence", "no_leaf", "malformed"))

    def test_unknown_characters_are_named_and_the_other_lines_are_answered(self):
        code, out, err = simplify("--model", TINY, text="(1+0)\n(1+$)\n\n(0+1)\n")
        lines = out.splitlines()
        self.assertEqual((code, len(lines)), (3, 4))
        self.assertEqual([line.startswith("error: column") for line in lines], [False, True, True, False])
        self.assertEqual(err.splitlines()[0], "nrs: line 2, column 4: '$' is not a token of this model"
                                              " (the model knows ( ) + 0 1 é)")
        self.assertEqual(len(err.splitlines()), 2)

    def test_blanks_at_the_end_of_a_line_mean_nothing_to_it(self):
        self.assertEqual(simplify("--model", TINY, text="(1+0) \t\n"), simplify("--model", TINY, text="(1+0)\n"))
        self.assertEqual(simplify("--model", TINY, text=" \n")[0], 3)

    def test_the_number_of_threads_changes_nothing(self):
        text = "".join("(%s+%s)\n" % (bin(i)[2:], "é" * (i % 5)) for i in range(3000))
        one, three = (simplify("--model", TINY, "--json", "--trace", "--threads", n, text=text) for n in "13")
        self.assertEqual(one, three)
        self.assertEqual([json.loads(line)["formula"] for line in one[1].splitlines()], text.split())

    def test_every_step_of_a_trace_has_its_confidence(self):
        steps = []
        for formula in "1", "(1+0)", "((1+0)+(0+0))", "é(1)":
            answer = json.loads(simplify("--model", TINY, "--json", "--trace", formula)[1])
            for round in answer["trace"]:
                for step in round["steps"]:
                    leaf = round["formula"].encode()[step["begin"]:step["end"]].decode()
                    self.assertEqual(step["leaf"], leaf)
                steps += round["steps"]
        self.assertTrue(steps)
        for step in steps:
            self.assertEqual(step["threshold"], -0.25)
            self.assertLessEqual(step["selector_log_prob"], 0)
            sure = step["solver_log_prob"] is not None and step["solver_log_prob"] >= step["threshold"]
            self.assertTrue(sure or not step["applied"])

    def test_colour_is_for_terminals_and_can_be_switched_off(self):
        def on_a_terminal(**more):
            main, other = pty.openpty()
            subprocess.run([NRS, "simplify", "--engine", "oracle", "--trace", "(1+2)"], stdout=other, check=True,
                           env=dict(os.environ, **more))
            os.close(other)
            return os.read(main, 10000)
        environment_has_it = os.environ.pop("NO_COLOR", None)
        self.assertIn(b"\x1b[", on_a_terminal())
        self.assertNotIn(b"\x1b[", on_a_terminal(NO_COLOR="1"))
        self.assertNotIn("\x1b[", simplify("--engine", "oracle", "--trace", "(1+2)")[1])
        if environment_has_it is not None:
            os.environ["NO_COLOR"] = environment_has_it

    @unittest.skipIf(os.environ.get("SANITIZE"), "AddressSanitizer keeps what is freed for a while")
    def test_memory_does_not_grow_with_the_stream(self):
        def peak(lines):
            with tempfile.NamedTemporaryFile() as stream:
                stream.write(b"(1+2)\n" * lines)
                stream.flush()
                stream.seek(0)
                run = subprocess.Popen([NRS, "simplify", "--engine", "oracle", "--threads", "1"], stdin=stream,
                                       stdout=subprocess.DEVNULL)
                _, status, usage = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(run.returncode, 0)
            return usage.ru_maxrss
        self.assertLess(peak(200_000), peak(20_000) + 4096)


@unittest.skipUnless(MULTI.exists(), "there is no models/multi.nrs")
class Writer(unittest.TestCase):
    def test_the_model_chooses_the_engine(self):
        code, out, err = simplify("--model", WRITER, "--json", "(1+0)")
        self.assertIn(code, (0, 4), err)
        self.assertEqual(simplify("--model", WRITER, "--engine", "nrs", "--json", "(1+0)"), (code, out, err))
        for model, arguments, said in ((WRITER, ["--engine", "fastnrs"], "--engine nrs"),
                                       (TINY, ["--engine", "nrs"], "--engine fastnrs"),
                                       (TINY, ["--samples", "5"], "no setting 'samples' (it is for nrs)"),
                                       (TINY, ["--window-threshold", "5"], "no setting 'window-threshold'")):
            code, out, err = simplify("--model", model, *arguments, "(1+0)")
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(said, err)

    def test_candidates_have_confidence_agreement_and_all_samples(self):
        answer = json.loads(simplify("--model", WRITER, "--json", "--trace", "--samples", "50", "(1+0)")[1])
        lists = [step["candidates"] for round in answer["trace"] for step in round["steps"]]
        lists += [answer["rejected"]] if "rejected" in answer else []
        self.assertTrue(lists)
        for candidates in lists:
            self.assertLessEqual(sum(one["samples"] for one in candidates), 50)
            order = [(-one["agreement"], -one["log_prob"]) for one in candidates]
            self.assertEqual(order, sorted(order))
        text = simplify("--model", WRITER, "--trace", "--samples", "50", "(1+0)")[1]
        self.assertRegex(text, r"wrote .* agreement [01]\.\d\d  \d+ sample")

    def test_a_selector_takes_the_solver_of_another_model(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "both.nrs")
            done = subprocess.run([NRS, "join", "--selector", WRITER, "--solver", TINY, "--out", out])
            self.assertEqual(done.returncode, 0)
            joined = json.loads(subprocess.run([NRS, "info", "--json", out], capture_output=True).stdout)
            self.assertEqual((joined["name"], joined["selector"]["config"]["kind"]), ("both", "last_leaf"))
            self.assertEqual(simplify("--model", out, "--json", "(1+0)")[2], "")

    def test_a_copy_with_weights_of_sixteen_bits_is_smaller(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "small.nrs")
            done = subprocess.run([NRS, "join", "--selector", WRITER, "--solver", WRITER, "--half", "--out", out])
            self.assertEqual(done.returncode, 0)
            self.assertLess(os.path.getsize(out), 0.7 * os.path.getsize(WRITER))
            small = json.loads(subprocess.run([NRS, "info", "--json", out], capture_output=True).stdout)
            self.assertEqual([small[module]["weight_bits"] for module in ("selector", "solver")], [16, 16])
            text = subprocess.run([NRS, "info", out], capture_output=True, text=True).stdout
            self.assertIn("parameters of 16 bits", text)
            self.assertEqual(simplify("--model", out, "--json", "(1+0)")[2], "")

    def test_confidence_is_data_for_the_report(self):
        done = subprocess.run([NRS, "confidence", "--model", WRITER, "--domain", "logic", "--nesting", "2",
                               "--count", "4", "--leaves", "50"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        study = json.loads(done.stdout)["domains"]["logic"]
        self.assertEqual(sum(study["selector"]["formulas"]), 8)
        self.assertEqual(len({len(column) for column in study["selector"].values()}), 1)
        self.assertEqual(sum(study["solver"]["counts"]), study["solver"]["leaves"])

    def test_same_seed_same_answers_on_any_number_of_threads(self):
        text = "".join("(%s+%s)\n" % (bin(i)[2:], "é" * (i % 5)) for i in range(300))
        run = ["--model", WRITER, "--json", "--trace", "--samples", "20", "--window-threshold", "6"]
        one, three = (simplify(*run, "--threads", n, text=text) for n in "13")
        self.assertEqual(one, three)
        self.assertNotEqual(one, simplify(*run, "--sample-seed", "1", text=text))


class TheDefaultModel(unittest.TestCase):
    def test_answers_all_domains_in_one_stream(self):
        text = "((15+5)*(3-4))\n[MIN[SM54][MIN39]]\n((l OR l) AND (r AND False))\n((-43*y+66*y)-6*y)\n"
        self.assertEqual(simplify(text=text), (0, "-20\n3\nF\n+17*y\n", ""))

    def test_is_strict_about_what_it_was_trained_on(self):
        code, _, err = simplify("(100+1)")
        self.assertEqual((code, len(err.splitlines())), (3, 1))
        code, _, err = simplify("(1+$)")
        self.assertEqual((code, err[:25]), (3, "nrs: column 4: unknown ch"))

    def test_starts_quickly_and_in_little_memory(self):
        run = subprocess.Popen([NRS, "simplify", "(1+2)"], stdout=subprocess.PIPE)
        self.assertEqual(run.stdout.read(), b"3\n")
        run.stdout.close()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        if b"__asan_init" not in pathlib.Path(NRS).read_bytes():
            self.assertLess(usage.ru_maxrss, 50 * 1024)


if __name__ == "__main__":
    unittest.main()
