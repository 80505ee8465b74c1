"""The page as Markdown: all of it with links to its figures, or its tables and texts alone. And its
tables as CSV."""
import collections
import csv
import io
import re
import textwrap

from page import Derivation, Figure, Paragraph, Table
from systems import name_of

COLUMNS = 100
# A cell must not end early, and no text is taken for HTML.
ESCAPED = str.maketrans({"|": "\\|", "<": "&lt;", "\n": " "})


def escape(text):
    return text.translate(ESCAPED)


def row(cells):
    return "".join(f"| {escape(cell)} " for cell in cells) + "|\n"


def rows_of(table):
    line = "|---" + "|---:" * (len(table.header) - 1) + "|\n"
    return row(table.header) + line + "".join(row(cell.text for cell in cells)
                                              for cells in table.rows)


def paragraph_text(paragraph):
    return f"{escape(paragraph.text)}\n\n"


def table_text(table):
    return f"{rows_of(table)}\n{escape(table.caption)} [CSV]({table.id}.csv)\n\n"


def figure_text(figure):
    links = "".join(f"![{figure.id}, part {i}](figures/{figure.id}-{i}.svg)\n"
                    for i in range(1, len(figure.charts) + 1))
    return f"{links}\n{escape(figure.caption)}\n\n"


def derivation_text(derivation):
    lines = []
    for formula, steps in derivation.rounds:
        lines.append(formula)
        marks = ""
        for begin, end, _ in steps:
            marks = marks.ljust(begin) + "^" * (end - begin)
        lines += [marks] if marks else []
    return "\n".join(["```text", *lines, "```\n", f"{escape(derivation.caption)}\n\n"])


WRITERS = {Paragraph: paragraph_text, Table: table_text, Figure: figure_text,
           Derivation: derivation_text}


def to_markdown(page):
    text = f"# {page.title}\n\n{escape(page.introduction)}\n\n"
    for section in page.sections:
        text += f"## {section.title}\n\n"
        text += "".join(WRITERS[type(block)](block) for block in section.blocks)
        if section.sources:
            lines = [f"- `{source.file}`: `{source.command}`" for source in section.sources]
            text += "\n".join(["Made from:\n", *lines, "\n"])
    return text


def wrapped(text, indent=""):
    """In lines of at most 100 characters. The program is called as in a clone."""
    words = re.sub("(`|; )nrs ", r"\1./nrs ", escape(text)).split()
    return textwrap.fill(" ".join(words), COLUMNS, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


def for_any_model(command, name):
    """With NAME in the place of the model's name, where that is a word of its own or of a path, and
    no domain. Threads change how long it took, and nothing else."""
    command = re.sub(" --threads [0-9]+", "", command)
    if not name:
        return command
    return re.sub(rf"(?<=[ /])(?<!--domain ){re.escape(name)}(?=[ .]|$)", "NAME", command)


def made_by(sources):
    """Commands that differ in the name of the model only are one, behind which the names are."""
    names = collections.defaultdict(set)
    for source in sources:
        names[f"`{for_any_model(source.command, name_of(source))}`"].add(name_of(source))
    if not names:
        return ""
    programs = ", ".join(sorted({source.program for source in sources}))
    machines = "; ".join(sorted({source.machine for source in sources} - {""}))
    where = f" on {machines}" if machines else ", on a machine that the files do not name"
    text = "\n" + wrapped(f"Made by {programs}{where}:") + "\n\n"
    for command, all_of_them in sorted(names.items()):
        behind = f" `{'`, `'.join(sorted(all_of_them))}`" if "NAME" in command else ""
        text += wrapped(f"- {command}{behind}", "  ") + "\n"
    return text


def to_tables(page):
    """The tables and texts alone, with the commands and machines behind them."""
    text = f"# {page.tables_title}\n\n{wrapped(page.tables_introduction)}\n"
    for section in page.sections:
        if not any(isinstance(block, Table) for block in section.blocks):
            continue
        text += f"\n## {section.title}\n"
        for block in section.blocks:
            if isinstance(block, Paragraph):
                text += f"\n{wrapped(block.text)}\n"
            elif isinstance(block, Table):
                text += f"\n{wrapped(block.caption)}\n\n{rows_of(block)}"
        text += made_by(section.sources)
    return text


def to_csv(header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
