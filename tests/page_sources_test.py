"""The committed page is made of the sources beside it. That building them gives this very page is for page_test.py; here
nothing is built. ROOT is the project's folder."""

import base64
import gzip
import hashlib
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])
WEB = ROOT / "web"
PAGE = (WEB / "page/index.html").read_text()
NOT_IN_IT = ("node_modules", "page", "test")


def checksum():
    """Of the sources, as web/single_file.js computes it."""
    names = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*")
                   if path.is_file() and path.relative_to(WEB).parts[0] not in NOT_IN_IT)
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\n" + (WEB / name).read_bytes())
    return digest.hexdigest()


class PageSources(unittest.TestCase):
    def test_of_these_sources(self):
        stored = re.search(r'<meta name="nrs-sources" content="(\w+)">', PAGE)[1]
        self.assertEqual(stored, checksum(), "the page is older than its sources: run scripts/page and commit it")

    def test_has_these_files(self):
        files = re.findall(r'id="([\w-]+)" data-file="([^"]+)">([^<]+)<', PAGE)
        self.assertGreaterEqual(len(files), 4)
        for name, file, block in files:
            self.assertEqual(gzip.decompress(base64.b64decode(block)), (ROOT / file).read_bytes(),
                             "%s is not %s: run scripts/page and commit the page" % (name, file))

    def test_is_small_enough(self):
        self.assertLess(len(PAGE), 4_000_000)

    def test_asks_nobody(self):
        self.assertEqual(PAGE.count("<!-- nrs-server -->"), 1)
        self.assertIn("default-src 'none'", PAGE)
        self.assertNotRegex(PAGE, r'(src|href)="(https?:)?//')

    def test_lock_file_names_no_registry(self):
        self.assertNotIn('"resolved"', (WEB / "package-lock.json").read_text())


if __name__ == "__main__":
    unittest.main()
