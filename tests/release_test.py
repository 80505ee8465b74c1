"""What a release says of itself: one version everywhere, a section of the changelog, and a citation that tools can read."""
import datetime
import os
import pathlib
import re
import subprocess
import unittest

import yaml

NRS = os.environ["NRS"]
ROOT = pathlib.Path(os.environ["ROOT"])
VERSION = re.search(r"project\(nrs VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
# What the Citation File Format 1.2.0 requires, and which types it knows for software.
REQUIRED = {"cff-version", "message", "title", "authors"}
OF_SOFTWARE = {"type", "abstract", "version", "date-released", "license", "keywords", "references", "preferred-citation",
               "repository-code", "url", "doi", "identifiers", "contact"}


class Release(unittest.TestCase):
    def setUp(self):
        self.citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())

    def test_the_version_is_the_same_everywhere(self):
        told = subprocess.run([NRS, "--version"], capture_output=True, text=True).stdout
        self.assertEqual(told, "nrs %s\n" % VERSION)
        self.assertEqual(self.citation["version"], VERSION)

    def test_the_changelog_has_its_section(self):
        sections = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
        self.assertEqual(sections[0], "Unreleased")
        self.assertEqual(sections[1], "%s - %s" % (VERSION, self.citation["date-released"]))

    def test_the_citation_is_complete(self):
        self.assertEqual(self.citation["cff-version"], "1.2.0")
        self.assertTrue(REQUIRED <= set(self.citation))
        self.assertEqual(set(self.citation) - REQUIRED - OF_SOFTWARE, set())
        self.assertIsInstance(self.citation["date-released"], datetime.date)
        self.assertEqual(self.citation["type"], "software")
        for author in self.citation["authors"]:
            self.assertTrue("name" in author or {"family-names", "given-names"} <= set(author))
        paper = self.citation["references"][0]
        self.assertTrue({"type", "title", "authors"} <= set(paper))
        self.assertEqual(len(paper["authors"]), 3)


if __name__ == "__main__":
    unittest.main()
