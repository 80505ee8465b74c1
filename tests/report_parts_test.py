"""The parts of nrs report: result files are read strictly, and charts put every number in its place. report_test.py has
whole reports."""
import copy
import os
import pathlib
import random
import re
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(os.environ["ROOT"]) / "lab" / "report"))
import ablation_parts
import confidence_parts
import cost_parts
import html_page
import markdown_page
import page
import svg
import systems
from charts import Bar, BarChart, BarPart, Histogram, Line, LineChart, Point
from files import INPUT, IO, USAGE, Failure, read_json
from results import Domain, counts_of, load_results, read_result
from systems import scored_models

EVALUATION = {
    "model": "m", "engine": "fastnrs", "model_checksum": "crc32:1", "program": "nrs 0.1.0", "command": "nrs eval",
    "seconds": 0.5, "threads": 2, "seed": 7, "interrupted": False,
    "recipe": {"name": "m", "seed": 1, "protocol": "paper", "domains": ["d"], "program": "nrs 0.1.0"},
    "levels": [{"domain": "d", "nesting": 1, "formulas": 10, "correct": 8, "answered": 9, "missing": 0, "malformed": 1,
                "solver": 1, "other": 0}]}
ORIGIN = {"command": "c", "program": "p"}
NOTHING = object()


def changed(document, value, *place):
    """A copy with another value, or with NOTHING, at a place."""
    document = copy.deepcopy(document)
    at = document
    for key in place[:-1]:
        at = at[key]
    if value is NOTHING:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return document


def complaint(action, *arguments):
    """The message; empty if there is none."""
    try:
        action(*arguments)
        return ""
    except Failure as failure:
        return str(failure)


def complaint_of(value, *place):
    return complaint(read_result, "eval", changed(EVALUATION, value, *place), "e.json", "e.json")


class ResultFiles(unittest.TestCase):
    def test_an_evaluation_is_read_whole(self):
        source, data = read_result("eval", EVALUATION, "folder/e.json", "e.json")
        self.assertEqual((source.recipe, source.checksum, source.domains, source.file), ("m", "crc32:1", ["d"], "e.json"))
        self.assertEqual((source.recipe_seed, source.protocol, source.machine), (1, "paper", ""))
        self.assertEqual(len(data["levels"]), 1)
        counts = counts_of(data["levels"][0])
        self.assertEqual((counts["correct"], counts["malformed"], counts.accuracy()), (8, 1, 0.8))

    def test_every_fault_names_its_file_and_field(self):
        whole = "must be a whole number, not negative"
        for place, value, message in (
                (("levels", 0, "correct"), "8", "levels[0].correct: " + whole),
                (("levels", 0, "correct"), -1, "levels[0].correct: " + whole),
                (("levels", 0, "correct"), 8.0, "levels[0].correct: " + whole),
                (("levels", 0, "correct"), True, "levels[0].correct: " + whole),
                (("levels", 0, "correct"), 2 ** 64, "levels[0].correct: " + whole),
                (("levels", 0, "correct"), 10, 'levels[0].correct: is more than "answered"'),
                (("levels", 0, "answered"), 11, 'levels[0].answered: is more than "formulas"'),
                (("levels", 0, "solver"), 5,
                 'levels[0].formulas: is not the sum of "correct" and the classes of errors'),
                (("levels", 0, "nesting"), 1 << 25, "levels[0].nesting: must be a whole number, and not as large"),
                (("levels",), 3, "levels: must be a list"),
                (("levels", 0), 3, "levels[0]: must be an object"),
                (("recipe", "domains", 0), 3, "recipe.domains[0]: must be a text"),
                (("seconds",), None, "seconds: must be a number"),
                (("seconds",), False, "seconds: must be a number"),
                (("seconds",), NOTHING, "seconds: is missing"),
                (("interrupted",), 1, "interrupted: must be true or false"),
                (("interrupted",), True,
                 "interrupted: this evaluation did not finish: delete the file and run it again"),
                (("model_checksum",), None, "model_checksum: is missing"),
                (("command",), NOTHING, "command: is missing (an older nrs made this file: make it again with nrs "
                                        "reproduce)")):
            self.assertEqual(complaint_of(value, *place), "e.json: " + message)
        for place, value in ((("threads",), None), (("interrupted",), None), (("other",), [1])):
            self.assertEqual(complaint_of(value, *place), "")

    def test_a_trace_must_fit_its_formula(self):
        def read_with(begin, end, formula="(1+2)", value="3"):
            step = {"begin": begin, "end": end, "value": value, "applied": True}
            trace = {**ORIGIN, "derivation": {"trace": [{"formula": formula, "steps": [step]}]}}
            return complaint(read_result, "traces", trace, "t.json", "t.json")

        self.assertEqual(read_with(0, 5), "")
        self.assertEqual(read_with(0, 6, "(é+2)"), "")  # bytes are counted
        for begin, end in (0, 6), (3, 3), (5, 4):
            self.assertEqual(read_with(begin, end), "t.json: derivation.trace[0].begin: the leaf is not a part of the formula "
                                                    "behind the one before")
        self.assertEqual(read_with(0, 5, value=None), "t.json: derivation.trace[0].value: must be a text")

    def test_columns_of_confidence_are_equally_long(self):
        def read_with(confidence):
            domain = {"selector": {"characters": [5, 9], "formulas": [1, 2], "confidence": confidence},
                      "solver": {"leaves": 1, "unsure": 0, "least_log_prob": -1, "counts": [1]}}
            study = {**ORIGIN, "threshold": -1, "domains": {"d": domain}}
            return complaint(read_result, "confidence", study, "c.json", "c.json")

        self.assertEqual(read_with([1, 0.5]), "")
        self.assertEqual(read_with([1]), 'c.json: domains.d.selector.confidence: must be as long as "characters"')
        self.assertEqual(read_with([1, 2]), "c.json: domains.d.selector.confidence[1]: must be a number from 0 to 1")


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.published = self.folder / "published.json"

    def failure_of(self, action, path):
        with self.assertRaises(Failure) as raised:
            action(path)
        return raised.exception.code, str(raised.exception)

    def test_a_folder_that_is_none_is_an_error_of_usage(self):
        code, line = self.failure_of(load_results, self.folder / "nowhere")
        self.assertEqual((code, line), (USAGE, f"{self.folder}/nowhere/published.json: there is no such file (a folder of result "
                                               "files has it; see docs/report.md)"))

    def test_broken_files_are_named(self):
        for data, message in (
                (b"", "not JSON in UTF-8, near byte 1"), (b"{", "not JSON in UTF-8, near byte 2"),
                (b"\xff", "not JSON in UTF-8, near byte 1"), (b"[]", "must be an object"),
                (b'{"paper": 1}', "paper: must be a text"), (b'{"a":1,"a":2}', "key 'a' comes twice"),
                (b'{"a": NaN}', "not JSON"), (b'{"a": 1e999}', "a number is out of range"),
                (rb'{"a": "\ud800"}', "not JSON"), (b"[" * 100000, "JSON is nested too deep"),
                (b"1" * 5000, "not JSON"), (b" " * (1 + (16 << 20)), "16777217 bytes, more than the 16777216 allowed")):
            self.published.write_bytes(data)
            code, line = self.failure_of(load_results, self.folder)
            self.assertEqual(code, INPUT)
            self.assertTrue(line.startswith(f"{self.published}: {message}"), line)

    def test_what_is_no_file_is_not_read(self):
        self.published.mkdir()
        self.assertEqual(self.failure_of(read_json, self.published), (INPUT, f"{self.published}: not a regular file"))
        self.assertEqual(self.failure_of(read_json, self.folder / "x"),
                         (IO, f"{self.folder}/x: cannot read: No such file or directory"))


class Systems(unittest.TestCase):
    domain = Domain("d", "D")

    def scored(self, *files, setting="single"):
        return scored_models(types.SimpleNamespace(kinds={"eval": files}), self.domain, setting)

    def test_files_of_one_model_are_taken_together_but_no_level_twice(self):
        first = read_result("eval", EVALUATION, "e.json", "e.json")
        deeper = read_result("eval", changed(EVALUATION, 8, "levels", 0, "nesting"), "f.json", "f.json")
        model, = self.scored(first, deeper)
        self.assertEqual(sorted(model.levels), [1, 8])
        self.assertEqual((model.total(6)["formulas"], model.total(8)["formulas"]), (10, 20))
        self.assertEqual(model.label, "FastNRS, paper data")
        self.assertEqual(self.scored(first, setting="multi"), [])
        again = read_result("eval", EVALUATION, "f.json", "f.json")
        self.assertEqual(complaint(self.scored, first, again), "f.json: nesting 1 of this model is in another file too: one of "
                                                               "e.json (delete one of them)")

    def test_models_of_one_kind_are_told_apart_by_their_names(self):
        other = changed(changed(EVALUATION, "crc32:2", "model_checksum"), "other", "recipe", "name")
        models = self.scored(*(read_result("eval", document, "e.json", "e.json") for document in (EVALUATION, other)))
        self.assertEqual([model.label for model in models], ["FastNRS, m", "FastNRS, other"])


    def test_what_was_published_is_found(self):
        row = {"by_nesting": [1, None, 0.5, None]}
        self.assertEqual([systems.published_at(row, level) for level in (0, 1, 2, 3, 9)], [None, 1, None, 0.5, None])
        self.assertEqual(systems.deepest_published(row), 3)
        self.assertEqual(systems.deepest_published({"by_nesting": [None]}), 0)


class Parts(unittest.TestCase):
    def variant(self, name, *ends):
        return {"name": name, "runs": [{"points": [{"step": 1, "value": 0}, {"step": 2, "value": end}]} for end in ends]}

    def test_variants_differ_only_if_all_their_runs_do(self):
        first = self.variant("first", 0.5, 0.6)
        better, worse, alike = self.variant("b", 0.7, 0.8), self.variant("w", 0.1, 0.4), self.variant("a", 0.1, 0.6)
        self.assertEqual([ablation_parts.beside(variant, first) for variant in (first, better, worse, alike)],
                         ["", "better", "worse", "no difference shown"])
        self.assertEqual(ablation_parts.in_words([first, worse, alike, better]),
                         'Beside "first": better: b; no difference shown: a; worse: w.')
        self.assertEqual(ablation_parts.mean_and_deviation([0.25]), (0.25, 0))
        self.assertEqual(ablation_parts.mean_and_deviation([1, 2, 3]), (2, 1))

    def test_an_ablation_is_drawn_where_every_run_has_a_point(self):
        longer = self.variant("v", 0.5, 0.7)
        longer["runs"][0]["points"].append({"step": 3, "value": 1})
        line = ablation_parts.ablation_line(longer, 3)
        self.assertEqual([point.x for point in line.points], [1, 2])
        self.assertAlmostEqual(line.points[1].y, 0.6)

    def test_lengths_are_taken_together(self):
        source = read_result("eval", EVALUATION, "e.json", "e.json").source
        line = confidence_parts.confidence_line(source, {
            "characters": [240, 241, 480], "formulas": [1, 3, 1], "confidence": [1, 0.6, 0.5]})
        self.assertEqual([point.x for point in line.points], [240.75, 480])
        self.assertAlmostEqual(line.points[0].y, 0.3)

    def test_a_time_is_of_one_domain_or_of_all(self):
        for domains, domain in ((["a", "a"], "a"), (["a", "b"], "multi"), ([], "")):
            self.assertEqual(cost_parts.timed_domain([{"domain": domain} for domain in domains]), domain)


class Svg(unittest.TestCase):
    def test_numbers_are_shown_as_people_write_them(self):
        for value, shown in ((1234567, "1,234,567"), (-1000, "-1,000"), (0.05, "0.05"), (100, "100"), (-0.0005, "-0.0005"),
                             (-0.0, "0"), (2.5, "2.5"), (999.9996, "1,000")):
            self.assertEqual(svg.show_number(value), shown)
        for share, shown in ((1, "100 %"), (0.99999, "99.99 %"), (0.51, "51 %"), (0, "0 %")):
            self.assertEqual(svg.show_share(share), shown)
        for place, shown in ((1.005, "1"), (2.125, "2.13"), (-0.001, "0"), (-2.5, "-2.5"), (300, "300")):
            self.assertEqual(svg.coordinate(place), shown)
        for seconds, shown in ((0.123, "0.12 s"), (12.5, "13 s"), (61, "1 m 01 s"), (7260, "2 h 01 m")):
            self.assertEqual(cost_parts.show_seconds(seconds), shown)

    def test_texts_cannot_break_out(self):
        self.assertEqual(svg.escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;'")
        self.assertEqual(svg.escape("a\0\x01b\n\t"), "ab\n\t")
        draw = random.Random(1)
        for _ in range(200):
            text = "".join(chr(draw.randrange(0x300)) for _ in range(draw.randrange(20)))
            escaped = svg.escape(text)
            self.assertNotRegex(escaped, '[<>"]')
            kept = "".join(c for c in text if c >= " " or c in "\n\t")
            self.assertEqual(ElementTree.fromstring(f"<a>{escaped}</a>").text or "", kept)

    def test_ticks_are_round_and_within(self):
        self.assertEqual(svg.Scale(0, 1, 0, 100).ticks(5), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1])
        self.assertEqual(svg.Scale(1, 1000, 0, 1, True).ticks(5), [1, 10, 100, 1000])
        self.assertEqual(svg.Scale(0, 10, 100, 0).at(5), 50)
        self.assertEqual(svg.Scale(0, 10, 0, 1).at(99), 1)
        self.assertEqual((svg.round_up(0.3), svg.round_up(1000), svg.round_up(0)), (0.5, 1000, 1))


def numbers(drawing, kind, attribute):
    """The numbers of an attribute, in the order of the elements of a class."""
    return [float(found) for found in re.findall(rf'<[a-z]+ class="{kind}"[^>]* {attribute}="([-0-9.]+)"', drawing)]


class Charts(unittest.TestCase):
    def test_a_line_passes_through_its_numbers(self):
        drawing = LineChart("i", "t", x_label="n", x_ticks=[1, 2, 3],
                            lines=[Line("a", points=[Point(1, 1), Point(2, 0.5), Point(3, 0)])]).draw()
        x, y = numbers(drawing, "dot c0", "cx"), numbers(drawing, "dot c0", "cy")
        self.assertEqual(len(y), 3)
        self.assertAlmostEqual(y[1], (y[0] + y[2]) / 2, delta=0.02)
        self.assertLess(y[0], y[2])
        self.assertAlmostEqual(x[1] - x[0], x[2] - x[1], delta=0.02)
        self.assertIn("<title>a, n 2: 50 %</title>", drawing)

    def test_on_a_logarithmic_scale_zero_is_the_bottom_and_what_never_leaves_it_is_named(self):
        chart = LineChart("i", "t", log_y=True, flat="no error", x_ticks=[1, 2, 3], lines=[
            Line("a", points=[Point(1, 0.1), Point(2, 0.01), Point(3, 0)]),
            Line("b", 1, points=[Point(1, 0), Point(2, 0), Point(3, 0)])])
        drawing = chart.draw()
        y = numbers(drawing, "dot c0", "cy")
        self.assertEqual(len(y), 3)
        self.assertLess(y[0], y[1])
        self.assertEqual(y[2], numbers(drawing, "axis", "y1")[-1])
        self.assertEqual(numbers(drawing, "dot c1", "cy"), [])
        self.assertIn(">no error: b</text>", drawing)
        del chart.lines[0]
        self.assertNotIn("axis", chart.draw())
        chart.lines = [Line("a", points=[Point(1, 1e-5), Point(2, 1)])]
        self.assertNotIn("no error", chart.draw())

    def test_a_band_lies_around_its_line(self):
        drawing = LineChart("i", lines=[Line("a", points=[Point(0, 0.5, 0.1), Point(1, 0.5, 0.1)])]).draw()
        band = re.search(r'<path class="band c0" d="M\S+ (\S+)L\S+ (\S+)L\S+ (\S+)L\S+ ([0-9.]+)Z"/>', drawing)
        upper, upper_end, lower_end, lower = map(float, band.groups())
        middle = numbers(drawing, "dot c0", "cy")[0]
        self.assertEqual((upper, lower), (upper_end, lower_end))
        self.assertAlmostEqual(middle - upper, lower - middle, delta=0.02)
        self.assertLess(upper, middle)

    def test_labels_of_lines_that_end_together_do_not_overlap(self):
        chart = LineChart("i", x_ticks=[1, 2], lines=[Line("l", points=[Point(1, 1), Point(2, 0)]) for _ in range(6)])
        y = sorted(numbers(chart.draw(), "series c0", "y"))
        self.assertEqual(len(y), 6)
        for above, below in zip(y, y[1:]):
            self.assertGreaterEqual(below - above, 13.9)
        self.assertLess(y[-1], 240)

    def test_bars_are_stacked_and_nothing_is_invisible(self):
        drawing = BarChart("i", bars=[
            Bar("b", [BarPart(0.25, 0, "p"), BarPart(0, 1, "none"), BarPart(0.5, 2, "q")]),
            Bar("c", [BarPart(1e-6, 3, "r")])]).draw()
        first, second = numbers(drawing, "bar c0", "width")[0], numbers(drawing, "bar c2", "width")[0]
        self.assertAlmostEqual(second, 2 * first, delta=0.02)
        self.assertAlmostEqual(numbers(drawing, "bar c2", "x")[0], numbers(drawing, "bar c0", "x")[0] + first, delta=0.02)
        self.assertEqual(numbers(drawing, "bar c1", "width"), [])
        self.assertGreaterEqual(numbers(drawing, "bar c3", "width")[0], 1)

    def test_a_histogram_is_logarithmic(self):
        drawing = Histogram("i", start=-2, stop=0, counts=[1, 0, 10, 100], mark=-1, mark_label="m").draw()
        height = numbers(drawing, "bar c0", "height")
        self.assertEqual(len(height), 3)
        self.assertAlmostEqual(height[2] - height[1], height[1] - height[0], delta=0.03)
        self.assertEqual(len(numbers(drawing, "mark", "x1")), 1)
        self.assertIn(">m, further left<", Histogram("i", mark=-1, mark_label="m").draw())

    def test_empty_ones_are_drawn_too(self):
        for chart in LineChart("i"), BarChart("i"), Histogram("i"):
            ElementTree.fromstring(chart.draw())


def page_of(*blocks):
    return page.Page("T", "", "", "", [page.Section("s", "S", list(blocks))])


class Pages(unittest.TestCase):
    def test_tables_are_the_same_in_every_format(self):
        table = page.Table("t", "A | B", ["x", "y"])
        table.add("a<b", "1,5")
        self.assertEqual(markdown_page.to_csv(["x", "y"], [["a<b", '1,5"']]), 'x,y\na<b,"1,5"""\n')
        self.assertIn("| a&lt;b | 1,5 |\n\nA \\| B [CSV](t.csv)", markdown_page.to_markdown(page_of(table)))
        self.assertIn('<th scope="row">a&lt;b</th><td>1,5</td>', html_page.to_html(page_of(table)))

    def test_a_derivation_marks_leaves_and_the_values_that_came(self):
        derivation = page.Derivation("d", "", [
            ("((1+2)*(3+(4*5)))", [(1, 6, "3"), (10, 15, "20")]), ("(3*(3+20))", [(3, 9, "23")]), ("(3*23)", [(0, 6, "69")]),
            ("69", [])])
        html = html_page.to_html(page_of(derivation))
        self.assertIn('(<mark title="becomes 3">(1+2)</mark>*(3+<mark title="becomes 20">(4*5)</mark>))', html)
        self.assertIn('(<mark class="value">3</mark>*<mark title="becomes 23">(3+20)</mark>)', html)
        self.assertIn('<code><mark class="value">69</mark></code>', html)
        self.assertIn("((1+2)*(3+(4*5)))\n ^^^^^    ^^^^^\n(3*(3+20))\n   ^^^^^^\n(3*23)\n^^^^^^\n69\n",
                      markdown_page.to_markdown(page_of(derivation)))

    def test_code_is_marked_also_where_it_is_not_closed(self):
        self.assertEqual(html_page.inline("`a<b` and `c"), "<code>a&lt;b</code> and <code>c</code>")

    def test_commands_are_of_any_model(self):
        for command, shown in (("nrs eval --model a --threads 2", "nrs eval --model NAME"),
                               ("nrs train recipes/a.toml", "nrs train recipes/NAME.toml"),
                               ("nrs eval --domain a --model ab", "nrs eval --domain a --model ab")):
            self.assertEqual(markdown_page.for_any_model(command, "a"), shown)

    def test_texts_are_wrapped(self):
        lines = markdown_page.wrapped("- `nrs eval` " + "word " * 60, "  ").split("\n")
        self.assertEqual(len(lines), 4)
        self.assertTrue(lines[0].startswith("- `./nrs eval` word"))
        for line in lines:
            self.assertLessEqual(len(line), 100)
        for line in lines[1:]:
            self.assertRegex(line, "^  word")


if __name__ == "__main__":
    unittest.main()
