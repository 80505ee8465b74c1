"""Two headers may not define the same name: no compiler notices, and the linker then takes the
destructor of one for the other. ROOT is the project's folder."""

import collections
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
DEFINITION = re.compile(r"^(?:class|struct|enum class) (\w+)\b[^;<]*$")


def types_of(header):
    """The types that a header defines in a namespace, by their full names."""
    namespace = ""
    for line in header.splitlines():
        if found := NAMESPACE.match(line):
            namespace = found[1]
        elif found := DEFINITION.match(line):
            yield f"{namespace}::{found[1]}"


class Names(unittest.TestCase):
    def test_every_type_is_defined_in_one_header(self):
        headers = collections.defaultdict(set)
        for folder in ("include", "src", "lab"):
            for path in (ROOT / folder).rglob("*.h"):
                for name in types_of(path.read_text()):
                    headers[name].add(str(path.relative_to(ROOT)))
        self.assertGreater(len(headers), 100)
        self.assertEqual({name: at for name, at in headers.items() if len(at) > 1}, {})

    def test_types_are_found(self):
        header = "namespace a {\nclass X;\nstruct Y {\n  struct In {\n};\nclass Z final : public Y {\n};\n"
        self.assertEqual(list(types_of(header)), ["a::Y", "a::Z"])


if __name__ == "__main__":
    unittest.main()
