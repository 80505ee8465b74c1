"""nrs report from outside: made from a small folder of result files, well-formed, with every number in its place."""
import csv
import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

from cli_test import NRS, ROOT, run
from eval_cli_test import WithFolder

CLASSES = ("missing", "malformed", "solver", "other")
VOID = {"meta", "br"}


def level(domain, nesting, formulas, correct):
    row = dict.fromkeys(CLASSES, 0)
    row["solver"] = formulas - correct
    return {"domain": domain, "nesting": nesting, "args": 2, "formulas": formulas, "correct": correct,
            "answered": formulas, **row}


def origin(name, engine, domains, protocol="full"):
    return {"model": name, "engine": engine, "model_checksum": "crc32:0badcafe", "program": "nrs 0.1.0",
            "command": f"nrs eval --model {name} '<&>'", "machine": "a machine, 2 threads", "seed": 5, "parameters": 1234567,
            "recipe": {"name": name, "seed": 1, "protocol": protocol, "domains": domains, "program": "nrs 0.1.0"}}


def evaluation(name, engine, domains, levels, protocol="full"):
    return {**origin(name, engine, domains, protocol), "seconds": 1.25, "threads": 2, "interrupted": False,
            "levels": levels}


FILES = {
    "eval/arithmetic.json": evaluation("arithmetic", "fastnrs", ["arithmetic"],
                                       [level("arithmetic", n, 100, 100) for n in range(1, 7)]),
    "eval/arithmetic-paper.json": evaluation("arithmetic-paper", "fastnrs", ["arithmetic"],
                                             [level("arithmetic", n, 100, 100 - n) for n in range(1, 7)], "paper"),
    "eval/ndr-listops.json": evaluation("ndr-listops", "ndr", ["listops"],
                                        [level("listops", 1, 100, 90), level("listops", 2, 100, 50)]),
    "eval/listops-as-published.json": evaluation("listops-as-published", "fastnrs", ["listops"],
                                                 [level("listops", 6, 100, 90)], "paper"),
    "eval/nrs-multi.json": evaluation("nrs-multi", "nrs", ["logic", "arithmetic"],
                                      [level("logic", 12, 50, 50), level("arithmetic", 6, 50, 37)]),
    "timing/arithmetic.json": evaluation("arithmetic", "fastnrs", ["arithmetic"], [level("arithmetic", 1, 600, 600)]),
    "confidence/arithmetic.json": {
        **origin("arithmetic", "fastnrs", ["arithmetic"]), "threshold": -0.7,
        "domains": {"arithmetic": {
            "longest_trained": 60,
            "selector": {"characters": [5, 50, 90], "formulas": [3, 3, 3], "right": [3, 3, 3],
                         "confidence": [0.995, 0.95, 0.91]},
            "solver": {"leaves": 111, "right": 111, "unsure": 1, "least_log_prob": -2.0, "counts": [1, 10, 100]}}}},
    "training/arithmetic.json": {
        **origin("arithmetic", "fastnrs", ["arithmetic"]),
        "modules": [{"module": "selector", "steps": 400, "batch": 64, "points": [
            {"step": 50, "known": 0.9, "beyond": 0.5}, {"step": 400, "known": 1.0, "beyond": 1.0}]}]},
    "training/listops-as-published.json": {
        **origin("listops-as-published", "fastnrs", ["listops"], "paper"),
        "modules": [{"module": "selector", "steps": 4000, "batch": 512, "points": [{"step": 4000, "known": 1.0}]},
                    {"module": "solver", "steps": 10000, "batch": 512, "points": [{"step": 10000, "known": 1.0}]}]},
    "training/ndr-listops.json": {
        **origin("ndr-listops", "ndr", ["listops"]),
        "modules": [{"module": "router", "steps": 12000, "batch": 96, "points": [
            {"step": 500, "known": 0.5, "beyond": 0.2}, {"step": 12000, "known": 0.9, "beyond": 0.4}]}]},
    "ablations/window.json": {
        "program": "nrs 0.1.0", "command": "nrs train recipes/logic.toml --set selector.encoder.window=2",
        "title": "width of the window", "domain": "logic", "measure": "formulas segmented", "note": "Reduced.",
        "variants": [{"name": f"k = {k}", "runs": [
            {"seed": s, "points": [{"step": 10, "value": 0.2}, {"step": 20, "value": 1 - 0.1 * k - 0.1 * s}]}
            for s in (1, 2, 3)]} for k in (1, 2, 5)]},
    "datasets/logic.json": {
        "program": "nrs 0.1.0", "command": "nrs dataset logic",
        "stats": {"domains": {"logic": {"selector": {"train": {"rows": 9, "distinct": 4321}}, "solver": {}, "whole": {}}}}},
    "traces/one.json": {
        **origin("arithmetic", "fastnrs", ["arithmetic"]),
        "derivation": {"domain": "arithmetic", "trace": [
            {"formula": "((1+2)*3)", "steps": [{"begin": 1, "end": 6, "value": "3", "applied": True}]},
            {"formula": "(3*3)", "steps": [{"begin": 0, "end": 5, "value": "9", "applied": True}]},
            {"formula": "9", "steps": [{"begin": 0, "end": 1, "value": None, "applied": False}]}]}},
    "models/arithmetic.json": {
        "name": "arithmetic", "program": "nrs 0.1.0", "seed": 1, "checksum": "crc32:0badcafe", "domains": ["arithmetic"],
        "protocol": "full", "selector": {"parameters": 264515}, "solver": {"parameters": 244197},
        "certificate": {"verdict": "exact"}},
    "models/ndr-listops.json": {
        "name": "ndr-listops", "program": "nrs 0.1.0", "seed": 1, "checksum": "crc32:0badcafe", "domains": ["listops"],
        "protocol": "full", "selector": None, "solver": None, "router": {"parameters": 96123}, "certificate": None},
}


class WellFormed(HTMLParser):
    """Every element is closed, in order; no id comes twice; nothing is fetched from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id":
                assert value not in self.ids, f"id {value} comes twice"
                self.ids.append(value)
            if key in ("href", "src"):
                self.links.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> at {self.getpos()}"


class Report(WithFolder):
    def setUp(self):
        super().setUp()
        self.results, self.out = self.folder / "results", self.folder / "report"
        self.results.mkdir()
        shutil.copy(ROOT / "results" / "published.json", self.results)

    def put(self, name, content):
        path = self.results / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))

    def report(self):
        self.out.mkdir(exist_ok=True)  # else it is told of
        return run("report", "--results", str(self.results), "--out", str(self.out))

    def make(self):
        for name, content in FILES.items():
            self.put(name, content)
        code, out, err = self.report()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.strip(), str(self.out / "index.html"))
        return (self.out / "index.html").read_text()

    def check_page(self, html):
        page = WellFormed()
        page.feed(html)
        self.assertEqual(page.open, [])
        for link in page.links:
            self.assertTrue(link.startswith("#") and link[1:] in page.ids, link)
        ElementTree.fromstring(html.split("\n", 1)[1])  # as strict as XML
        self.assertNotIn("nan", re.sub(r"<[^>]*>", "", html).lower().split())

    def test_the_page_is_well_formed_and_complete_in_itself(self):
        html = self.make()
        self.check_page(html)
        for link in re.findall(r"https?://[^\"]*", html):
            self.assertEqual(link, "http://www.w3.org/2000/svg")
        self.assertIn("prefers-color-scheme: dark", html)
        self.assertIn("width=device-width", html)
        for svg in (self.out / "figures").glob("*.svg"):
            ElementTree.parse(svg)
        self.assertGreater(html.count("<svg"), 15)
        self.assertIn('id="training-router"', html)

    def test_the_numbers_are_in_the_tables(self):
        self.make()
        rows = [line.split(",") for line in (self.out / "accuracy-single-arithmetic.csv").read_text().splitlines()]
        self.assertEqual(rows[6][:2], ["6", "100 %"])
        self.assertIn("94 %", rows[6])
        self.assertIn("51 %", rows[6])  # published
        self.assertIn("74 %", (self.out / "accuracy-multi-arithmetic.csv").read_text())
        self.assertIn("4,321", (self.out / "datasets.csv").read_text())
        self.assertRegex((self.out / "ablations.csv").read_text(), r"k = 1,3,70 %,(10|9.99) %,\n")
        self.assertRegex((self.out / "ablations.csv").read_text(), r"k = 2,3,60 %,(10|9.99) %,no difference shown\n")
        self.assertRegex((self.out / "ablations.csv").read_text(), r"k = 5,3,.*,worse\n")
        self.assertIn("exact", (self.out / "models.csv").read_text())
        self.assertIn("96,123", (self.out / "models.csv").read_text())
        self.assertRegex((self.out / "training-effort.csv").read_text(), 'router,"12,000",96,"30,000",512')
        self.assertEqual((self.out / "levels.csv").read_text().count("\n"), 1 + 6 + 6 + 2 + 1 + 2)
        markdown = (self.out / "report.md").read_text()
        for figure in re.findall(r"\]\((figures/[^)]*)\)", markdown):
            self.assertTrue((self.out / figure).exists(), figure)

    def test_like_is_compared_with_like(self):
        self.make()
        overview = (self.out / "overview.csv").read_text()
        self.assertIn("Arithmetic,6,94 %,not measured,51 %,3 %,13 %,100 %,74 %\n", overview)
        self.assertIn("\nListOps,4,", overview)  # the deepest with a published number
        self.assertNotIn("Logic,6", overview)

    def test_what_of_ours_is_less_than_the_published_is_said(self):
        markdown = self.make() and (self.out / "report.md").read_text()
        self.assertIn("`ndr-listops` is not the published NDR: it has 1,234,567 parameters, not 2,921,521, and it was "
                      "trained for 12,000 steps of 96 examples, not 30,000 of 512. It is below the published accuracy "
                      "at nesting 2.\n", markdown)
        self.assertIn("its selector was trained for 4,000 steps of 512 examples, not 5,000 of 512.\n", markdown)
        self.assertNotIn("its solver was", markdown)
        self.assertIn("repository of its conference version", markdown)

    def test_no_column_says_only_that_nothing_was_published(self):
        self.make()
        for path in self.out.glob("accuracy-*.csv"):
            for column in zip(*list(csv.reader(path.read_text().splitlines()))[1:]):
                self.assertNotEqual(set(column), {"not published"}, path)
        self.assertIn("Not published as numbers: FastNRS. Not measured here: NRS, NDR.", (self.out / "report.md").read_text())

    def test_wrong_answers_and_none_are_told_apart(self):
        unsure = evaluation("algebra-paper", "fastnrs", ["algebra"], [level("algebra", n, 100, 90) for n in (1, 6, 8)],
                            "paper")
        unsure["levels"][2]["answered"] = 97
        self.put("eval/algebra-paper.json", unsure)
        self.make()
        rows = (self.out / "answers.csv").read_text()
        self.assertIn("Algebra: `algebra-paper`,6,100,90,10,0,90 %\n", rows)
        self.assertIn("Algebra: `algebra-paper`,8,100,90,7,3,92.78 %\n", rows)
        self.assertEqual(rows.count("\n"), 1 + 2 + 1)
        # The axis ends at the largest share, not at everything.
        self.assertNotIn(">100<", (self.out / "figures" / "errors-figure-1.svg").read_text())

    def test_every_number_is_traceable(self):
        html = self.make()
        for name in FILES:
            self.assertIn(name, html)
        self.assertIn("nrs eval --model arithmetic '&lt;&amp;&gt;'", html)

    def test_nothing_measured_is_a_page_too(self):
        code, _, err = self.report()
        self.assertEqual((code, err), (0, ""))
        html = (self.out / "index.html").read_text()
        self.check_page(html)
        self.assertIn("not measured", html)
        self.assertNotIn('id="answers"', html)  # a table without rows

    def test_the_same_files_give_the_same_bytes(self):
        first = self.make()
        self.assertEqual(first, self.make())

    def test_bad_files_are_named_and_leave_the_old_page(self):
        before = self.make()
        for name, content, message in (
                ("eval/x.json", "{", "x.json: not JSON"),
                ("eval/x.json", {**FILES["eval/arithmetic.json"], "levels": None}, "x.json: levels: must be a list"),
                ("eval/x.json", FILES["eval/arithmetic.json"], "is in another file too"),
                ("training/x.json", {"program": "p", "command": "c", "modules": [{}]}, "modules[0].module: is missing"),
                ("ablations/x.json", {**FILES["ablations/window.json"], "variants": [{"name": "a", "runs": []}]},
                 "variants[0].runs: there are none"),
                ("ablations/x.json", {**FILES["ablations/window.json"], "variants": []}, "variants: there are none"),
                ("training/x.json", {"program": "p", "command": "c", "modules": [
                    {"module": "solver", "steps": 1, "batch": 1, "points": [{"step": 1, "known": 7}]}]},
                 "known: must be a number from 0 to 1")):
            self.put(name, content)
            code, out, err = self.report()
            self.assertEqual((code, out), (3, ""), err)
            self.assertIn(message, err)
            self.assertEqual(len(err.splitlines()), 1)
            (self.results / name).unlink()
        self.assertEqual((self.out / "index.html").read_text(), before)

    def test_the_stored_pages_are_those_of_the_stored_results(self):
        tables = self.folder / "results.md"
        self.assertEqual(run("report", "--results", str(ROOT / "results"), "--tables", str(tables)),
                         (0, f"{tables}\n", ""))
        self.assertEqual((ROOT / "docs" / "results.md").read_text(), tables.read_text(),
                         "write it again: ./nrs report --tables docs/results.md")
        self.assertFalse(self.out.exists())
        self.out.mkdir()
        self.assertEqual(run("report", "--results", str(ROOT / "results"), "--out", str(self.out))[0], 0)
        stored, drawn = ({path.relative_to(folder): path.read_text() for path in folder.rglob("*.*")}
                         for folder in (ROOT / "docs" / "report", self.out))
        self.assertEqual(sorted(stored), sorted(drawn))
        self.assertEqual([name for name in drawn if stored[name] != drawn[name]], [],
                         "draw it again: ./nrs report --out docs/report")

    def test_tables_alone_name_commands_and_machines(self):
        self.make()
        tables = self.folder / "tables.md"
        self.assertEqual(run("report", "--results", str(self.results), "--tables", str(tables))[0], 0)
        text = tables.read_text()
        self.assertIn("on a machine, 2 threads:", text)
        self.assertIn("- `./nrs eval --model NAME '&lt;&>'` `arithmetic`, `arithmetic-paper`, `listops-as-published`,\n"
                      "  `ndr-listops`\n", text)
        self.assertNotIn(".svg", text)
        self.assertIn("| 6 | 100 % |", text)

    def test_without_python_it_says_what_it_needs(self):
        done = subprocess.run([NRS, "report", "--results", self.results, "--out", self.out], capture_output=True, text=True,
                              env={**os.environ, "PATH": str(self.folder)})
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (1, "", "nrs: cannot run python3: No such file or directory (this verb needs Python 3.11 or later)\n"))
        self.assertFalse(self.out.exists())

    def test_a_folder_without_results_is_wrong_usage(self):
        code, _, err = run("report", "--results", str(self.folder / "nowhere"), "--out", str(self.out))
        self.assertEqual(code, 2)
        self.assertIn("published.json", err)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
