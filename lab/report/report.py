"""nrs report: the paper's tables and figures, made from the result files of a folder alone, which
docs/report.md describes.

usage: report.py pages|tables FOLDER

Prints the files of the report, or its tables as one page, as a JSON object: names and texts. nrs
writes them, as it writes all files."""
import importlib
import json
import pathlib
import signal
import sys

from files import IO, Failure
from html_page import to_html, to_svg_file
from markdown_page import to_csv, to_markdown, to_tables
from page import PARTS, Figure, Page, Paragraph, Part, Section, Table, words_of
from results import COUNTED, HERE, load_results
from systems import system_of

for topic in "ablation", "accuracy", "confidence", "cost", "other":
    importlib.import_module(f"{topic}_parts")  # which fills PARTS

WORDS = json.loads((HERE / "page.json").read_text(encoding="utf-8"))
LEVELS_HEADER = ("file", "system", "recipe", "recipe_seed", "protocol", "model_checksum", "domain",
                 "nesting", *COUNTED)


def make_section(results, entry):
    section = Section(entry["id"], entry["title"])
    if "needs" not in entry or results.kinds[entry["needs"]]:
        for words in entry["parts"]:
            for block in PARTS[words["make"]](Part(results, words, section)):
                section.blocks.append(block)
    if not section.blocks:
        section.blocks.append(Paragraph("Nothing has been stored yet."))
    return section


def make_page(results):
    return Page(WORDS["title"], words_of(WORDS, "introduction", paper=results.published["paper"]),
                words_of(WORDS["tables"], "title"), words_of(WORDS["tables"], "introduction"),
                [make_section(results, entry) for entry in WORDS["sections"]])


def all_levels(results):
    """Every level of every evaluation, for those who want to count on."""
    for source, data in results.kinds["eval"]:
        for level in data["levels"]:
            yield [source.file, system_of(source), source.recipe, source.recipe_seed,
                   source.protocol, source.checksum, level.get("domain"), level["nesting"],
                   *(level[name] for name in COUNTED)]


def files_of(results):
    """index.html (complete in itself), report.md with figures/*.svg, a CSV file for each table, and
    levels.csv with everything that was counted."""
    page, files = make_page(results), {}
    for block in (block for section in page.sections for block in section.blocks):
        if isinstance(block, Table):
            rows = [[cell.text for cell in row] for row in block.rows]
            files[f"{block.id}.csv"] = to_csv(block.header, rows)
        elif isinstance(block, Figure):
            for number, chart in enumerate(block.charts, 1):
                files[f"figures/{block.id}-{number}.svg"] = to_svg_file(chart)
    files["levels.csv"] = to_csv(LEVELS_HEADER, all_levels(results))
    files["report.md"] = to_markdown(page)
    files["index.html"] = to_html(page)  # last, so that a page that is there is complete
    return files


def main(wanted, folder):
    try:
        results = load_results(pathlib.Path(folder))
        files = {"results.md": to_tables(make_page(results))} if wanted == "tables" else \
            files_of(results)
        json.dump(files, sys.stdout)
        return 0
    except Failure as failure:
        code, complaint = failure.code, failure
    except Exception as error:
        code, complaint = IO, f"internal error: {error!r}"
    print(f"nrs: {complaint}", file=sys.stderr)
    return code


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(main(*sys.argv[1:]))
