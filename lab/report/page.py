"""A report before it is written: sections of text, figures and tables, for any format. And the
parts that sections consist of: page.json has their words and their order, and for each kind of part
a function yields its blocks. A result that is not there is said to be missing, and is no fault.

Texts may have `code` in backticks; everything else in them is plain."""
import collections
import dataclasses
import typing

from results import Results, Source
from svg import show_number, show_share

# Of a cell: a result that is not there or was not published; from the paper; everything right.
PLAIN, MISSING, PUBLISHED, BEST = "", "missing", "published", "best"


Paragraph = collections.namedtuple("Paragraph", "text")
# The hint is what a pointer on it shows.
Cell = collections.namedtuple("Cell", "text tone hint", defaults=[PLAIN, ""])
NOT_MEASURED = Cell("not measured", MISSING)


@dataclasses.dataclass
class Table:
    id: str  # the name of its CSV file
    caption: str
    header: list[str]
    rows: list[list[Cell]] = dataclasses.field(default_factory=list)  # the first cell is a heading

    def add(self, *cells):
        self.rows.append([as_cell(cell) for cell in cells])


@dataclasses.dataclass
class Figure:
    id: str
    caption: str
    charts: list[str] = dataclasses.field(default_factory=list)  # SVG
    legend: list[tuple[str, int]] = dataclasses.field(default_factory=list)  # label and colour


# A formula becoming its value. Each round is a formula, and the steps (begin, end, value) that were
# applied to it, left to right.
Derivation = collections.namedtuple("Derivation", "id caption rounds")


@dataclasses.dataclass
class Section:
    id: str
    title: str
    blocks: list[Paragraph | Table | Figure | Derivation] = dataclasses.field(default_factory=list)
    sources: list[Source] = dataclasses.field(default_factory=list)  # that it was made from

    def add_sources(self, *more):
        """Adds those that are not yet there."""
        known = {source.file for source in self.sources}
        self.sources += [source for source in more if source.file not in known]


# The page of tables alone has a title and an introduction of its own.
Page = collections.namedtuple(
    "Page", "title introduction tables_title tables_introduction sections")


def words_of(entry, field, **names):
    """A text of page.json, which is a list of lines, with {names} replaced."""
    text = " ".join(entry.get(field, ()))
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    return text


class Part(typing.NamedTuple):
    results: Results
    entry: dict  # in page.json
    section: Section  # that it is a part of

    def text(self, field, **names):
        return words_of(self.entry, field, **names)

    def table(self, suffix="", **names):
        """What the entry says of a table. `suffix` makes the id of one of several."""
        return Table(self.entry["id"] + suffix, self.text("caption", **names),
                     list(self.entry.get("header", ())))

    def figure(self, charts, **more):
        return Figure(self.entry["id"], self.text("caption"), [chart.draw() for chart in charts],
                      **more)


PARTS = {}  # what "make" of page.json names


def makes(name, blocks_of=lambda part, blocks: blocks):
    """Registers a function that yields the blocks of a part of this name, or what they are made
    of."""
    def register(function):
        PARTS[name] = lambda part: blocks_of(part, function(part))
        return function
    return register


def one_table(part, rows):
    table = part.table()
    for row in rows:
        table.add(*row)
    return [table] if table.rows else []


def one_figure(part, charts):
    figure = part.figure(charts)
    return [figure] if figure.charts else []


def as_cell(content):
    """Texts and whole numbers are plain, the numbers with commas."""
    if isinstance(content, Cell):
        return content
    return Cell(content if isinstance(content, str) else show_number(content))


def accuracy_cell(counts):
    correct, formulas = counts["correct"], counts["formulas"]
    return Cell(show_share(counts.accuracy()), BEST if correct == formulas else PLAIN,
                f"{correct} of {formulas} right, {formulas - counts['answered']} without an answer")


def published_cell(value, source, show=show_number):
    if value is None:
        return Cell("not published", MISSING, source)
    return Cell(show(value), PUBLISHED, source)
