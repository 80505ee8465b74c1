"""The rules of the house that no compiler checks: which room may include which, who knows
libtorch, a domain or an architecture. ROOT is the project's folder."""

import collections
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])
CODE = (".h", ".cc")
DOMAINS = ["algebra", "arithmetic", "listops", "logic"]
ARCHITECTURES = ["fastnrs", "ndr"]  # "nrs" is also the name of the program

# Who else may name a domain, define what include/nrs declares, name an architecture, and why.
KNOW_DOMAINS = ["src/data/paper_counts.cc"]  # the counts of the paper, which has these four
DEFINE_PUBLIC = ["src/domains/registry.cc", "src/rewrite/rewriter.cc", "src/service/simplifier.cc"]
KNOW_ARCHITECTURES = ["src/cli/learn",  # which one to learn
                      "src/recipe/sections"]  # which architecture a recipe trains


def files(*folders):
    """The C++ files below folders, as paths relative to the project."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in CODE:
                yield path.relative_to(ROOT)


def read(path):
    return (ROOT / path).read_text()


def room_of(path):
    """src/learn/nets/fused.cc is in the room learn, lab/study/tune.cc in study."""
    parts = pathlib.PurePath(path).parts
    return parts[1] if len(parts) > 2 and parts[0] in ("src", "lab") else ""


def namespace_of(path):
    """The namespace of a room; include/nrs and src/base are the ground, which every room sees."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "lab":
        return "nrs::lab"
    return "nrs" if parts[0] == "include" or parts[1] == "base" else "nrs::" + parts[1]


# ---- CMake


def commands(cmake):
    """The commands of a CMake file: a name and its arguments."""
    text = re.sub(r"#.*", "", cmake)
    for name, arguments in re.findall(r"(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)", text):
        yield name, arguments.split()


def targets_and_links(cmake):
    """The targets that a CMake file defines, and pairs of a target and what it links."""
    targets, links = [], []
    for name, arguments in commands(cmake):
        if name in ("add_library", "add_executable"):
            targets.append(arguments[0])
        elif name == "target_link_libraries":
            links += [(arguments[0], to) for to in arguments[1:]
                      if to not in ("PUBLIC", "PRIVATE", "INTERFACE")]
    return targets, links


def room_links():
    """Which rooms the targets of a room link."""
    home, links = {}, []
    for path in sorted(ROOT.glob("src/**/CMakeLists.txt")) + sorted(ROOT.glob("lab/**/CMakeLists.txt")):
        room = room_of(path.relative_to(ROOT))
        found, linked = targets_and_links(path.read_text())
        home.update({target: room for target in found if room})
        links += linked
    graph = {room: set() for room in home.values()}
    for target, to in links:
        if target in home and to in home and home[target] != home[to]:
            graph[home[target]].add(home[to])
    return graph


def closure(graph):
    """All rooms that can be reached from each, and a cycle if there is one."""
    reached = {}

    def visit(room, path):
        if room in path:
            raise ValueError("rooms link each other: %s" % " -> ".join([*path, room]))
        if room not in reached:
            reached[room] = set().union(*({to} | visit(to, [*path, room]) for to in graph[room]))
        return reached[room]

    for room in graph:
        visit(room, [])
    return reached


# ---- C++


def includes(text):
    return re.findall(r'^\s*#\s*include\s+([<"][^>"]+)[>"]', text, re.M)


def without_comments(text):
    """The code with its strings, but without comments; lines stay where they are."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
    return token.sub(lambda m: re.sub(r"[^\n]", "", m[0]) if m[0].startswith("/") else m[0], text)


def types_of(header):
    """The types that a header defines in a namespace, by their full names."""
    namespace = ""
    for line in header.splitlines():
        if found := re.match(r"namespace ([\w:]+) \{", line):
            namespace = found[1]
        elif found := re.match(r"(?:class|struct|enum class) (\w+)\b[^;<]*$", line):
            yield f"{namespace}::{found[1]}"


def namespaces_of(code):
    """The named namespaces that a formatted file opens in no other, except for those that only announce types."""
    code = re.sub(r"^namespace [\w:]+ \{\n(?:(?:class|struct) \w+;\n)+\}", "", code, flags=re.M)
    depth = 0
    for line in code.splitlines():
        if found := re.match(r"namespace ([\w:]* ?)\{", line):
            if depth == 0 and found[1]:
                yield found[1].strip()
            depth += 1
        elif line.startswith("}  // namespace"):
            depth -= 1


def users_of(pattern, *allowed):
    """The files of src/ whose code matches, except for those whose names begin with one of `allowed`."""
    found = [str(path) for path in files("src") if re.search(pattern, without_comments(read(path)))]
    if not found:
        raise ValueError("nobody uses %s" % pattern)
    return [path for path in found if not path.startswith(allowed)]


class Parsers(unittest.TestCase):
    """The tests below cannot fail if these find nothing."""

    def test_cmake(self):
        cmake = """add_library(a STATIC # add_library(no)
          x.cc y.cc)
        target_link_libraries(a PUBLIC b c::d PRIVATE ${E})
        if(NOT (X AND Y))
          add_executable(f main.cc)
        endif()"""
        self.assertEqual(targets_and_links(cmake), (["a", "f"], [("a", "b"), ("a", "c::d"), ("a", "${E}")]))

    def test_closure(self):
        self.assertEqual(closure({"a": {"b"}, "b": {"c"}, "c": set()}), {"a": {"b", "c"}, "b": {"c"}, "c": set()})
        with self.assertRaisesRegex(ValueError, "a -> b -> a"):
            closure({"a": {"b"}, "b": {"a"}})

    def test_includes(self):
        self.assertEqual(includes('#include <a/b.h>\n// #include "no.h"\n#  include "c.h"  // why\n'), ["<a/b.h", '"c.h'])

    def test_comments(self):
        code = 'f("//a");  // b\nR"x(/* )" */)x" /* c\nc */ d'
        self.assertEqual(without_comments(code), 'f("//a");  \nR"x(/* )" */)x" \n d')

    def test_types(self):
        header = "namespace a {\nclass X;\nstruct Y {\n  struct In {\n};\nclass Z final : public Y {\n};\n"
        self.assertEqual(list(types_of(header)), ["a::Y", "a::Z"])

    def test_namespaces(self):
        code = ("namespace a {\nstruct X;\n}\nnamespace a::b {\nnamespace {\nvoid f() {\n}\n}  // namespace\n"
                "namespace c {\n}  // namespace c\n}  // namespace a::b\nnamespace d {\nint x;\n}  // namespace d\n")
        self.assertEqual(list(namespaces_of(code)), ["a::b", "d"])
        self.assertEqual([namespace_of(path) for path in ("include/nrs/a.h", "src/base/b.h", "src/nn/c.h", "lab/study/d.h")],
                         ["nrs", "nrs", "nrs::nn", "nrs::lab"])

    def test_users(self):
        self.assertEqual(users_of("include_nobody|#include <torch/", "src/learn/"), [])
        self.assertNotEqual(users_of("#include <torch/"), [])
        with self.assertRaises(ValueError):
            users_of("include_nobody")

    def test_rooms(self):
        self.assertEqual([room_of(path) for path in ("src/learn/nets/a.h", "lab/study/b.cc", "include/nrs/c.h")],
                         ["learn", "study", ""])


class Rooms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.links = room_links()

    def test_arrows_point_down(self):
        reached = closure(self.links)
        self.assertGreaterEqual(len(reached), 15)
        self.assertIn("base", reached["cli"])
        wrong = []
        for path in files("src", "lab"):
            room = room_of(path)
            for header in includes(read(path)):
                to = header[1:].split("/")[0]
                if header[0] == '"' and to != "nrs" and to != room and to not in reached[room]:
                    wrong.append("%s includes %s" % (path, header[1:]))
        self.assertEqual(wrong, [], "no target of these rooms links what they include")

    def test_each_room_has_a_namespace(self):
        wrong, opened = [], 0
        for path in files("include", "src", "lab"):
            for name in namespaces_of(read(path)):
                opened += 1
                room = "nrs" if str(path) in DEFINE_PUBLIC else namespace_of(path)
                if name != room and not (room != "nrs" and name.startswith(room + "::")):
                    wrong.append("%s declares in %s, not in %s" % (path, name, room))
        self.assertGreater(opened, 300)
        self.assertEqual(wrong, [])

    def test_the_product_does_not_know_the_laboratory(self):
        lab = {path.name for path in (ROOT / "lab").iterdir() if path.is_dir()}
        self.assertIn("reproduce", lab)
        self.assertEqual({room: to & lab for room, to in self.links.items() if room not in lab and to & lab}, {})

    def test_only_training_knows_libtorch(self):
        users = [path for path in files("include", "src", "lab")
                 if any(re.match(r"<(torch|ATen|c10)/", header) for header in includes(read(path)))]
        self.assertTrue(users)
        self.assertEqual([path for path in users if room_of(path) != "learn"], [])

    def test_only_its_file_knows_a_domain(self):
        names = re.findall(r"^const Domain& (\w+)\(\);", read("src/domains/builtin.h"), re.M)
        self.assertEqual(sorted(names), sorted(DOMAINS))
        self.assertEqual(users_of('"(?:%s)"' % "|".join(DOMAINS), "src/domains/", *KNOW_DOMAINS), [])
        # Nor is there a list of them in a text; examples of commands may name one.
        self.assertEqual(users_of(r'"[^"\n]*\blistops\b', "src/domains/", *KNOW_DOMAINS), [])

    def test_only_its_descriptors_know_an_architecture(self):
        self.assertEqual(users_of('"(?:%s)"' % "|".join(ARCHITECTURES), "src/architectures/", *KNOW_ARCHITECTURES), [])

    def test_every_type_is_defined_in_one_header(self):
        headers = collections.defaultdict(set)
        for path in files("include", "src", "lab"):
            if path.suffix == ".h":
                for name in types_of(read(path)):
                    headers[name].add(str(path))
        self.assertGreater(len(headers), 100)
        self.assertEqual({name: at for name, at in headers.items() if len(at) > 1}, {})


if __name__ == "__main__":
    unittest.main()
