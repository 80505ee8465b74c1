"""The page as HTML, complete in itself."""
import re

from page import Derivation, Figure, Paragraph, Table
from results import HERE
from svg import escape

CHART_STYLE = "\n" + (HERE / "chart.css").read_text(encoding="utf-8")
PAGE_STYLE = "\n" + (HERE / "page.css").read_text(encoding="utf-8")


def inline(text):
    """Escaped, with `code` marked."""
    return re.sub("`([^`]*)`?", r"<code>\1</code>", escape(text))


def cell_html(cell):
    kind = f' class="{cell.tone}"' if cell.tone else ""
    title = f' title="{escape(cell.hint)}"' if cell.hint else ""
    return f"<td{kind}{title}>{inline(cell.text)}</td>"


def paragraph_html(paragraph):
    return f"<p>{inline(paragraph.text)}</p>\n"


def figure_html(block, content):
    return (f'<figure id="{escape(block.id)}">\n{content}'
            f"<figcaption>{inline(block.caption)}</figcaption>\n</figure>\n")


def table_html(table):
    header = "".join(f'<th scope="col">{inline(name)}</th>' for name in table.header)
    rows = "".join(f'<tr><th scope="row">{inline(heading.text)}</th>'
                   f'{"".join(map(cell_html, cells))}</tr>\n' for heading, *cells in table.rows)
    return figure_html(table, (
        '<div class="scroll" tabindex="0" role="region" '
        f'aria-label="{escape(table.caption)}">\n<table>\n<thead><tr>{header}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"))


def charts_html(figure):
    charts = "".join(f'<div class="card">\n{chart}</div>\n' for chart in figure.charts)
    legend = "".join(f'<li class="c{colour}">{inline(label)}</li>'
                     for label, colour in figure.legend)
    legend = f'<ul class="legend">{legend}</ul>\n' if legend else ""
    return figure_html(figure, f'<div class="charts">\n{charts}</div>\n{legend}')


def derivation_html(derivation):
    lines, came = [], []
    for number, (formula, steps) in enumerate(derivation.rounds):
        lines.append(f'<li><span class="round">{number}</span>'
                     f"<code>{marked(formula, steps, came)}</code></li>\n")
        came = values_in_next(steps)
    return figure_html(derivation, f'<ol class="derivation">\n{"".join(lines)}</ol>\n')


def values_in_next(steps):
    """The spans that the values of these steps take in the formula of the next round."""
    spans, shift = [], 0
    for begin, end, value in steps:
        spans.append((begin + shift, begin + shift + len(value)))
        shift += len(value) - (end - begin)
    return spans


def marked(formula, steps, came):
    """With its leaves marked, and the values that have just come in and stand outside of every
    leaf."""
    spans = [(begin, end, f' title="becomes {escape(value)}"') for begin, end, value in steps]
    spans += [(begin, end, ' class="value"') for begin, end in came
              if all(end <= step[0] or step[1] <= begin for step in steps)]
    html, at = "", 0
    for begin, end, attribute in sorted(spans):
        html += escape(formula[at:begin]) + f"<mark{attribute}>{escape(formula[begin:end])}</mark>"
        at = end
    return html + escape(formula[at:])


WRITERS = {Paragraph: paragraph_html, Table: table_html, Figure: charts_html,
           Derivation: derivation_html}


def sources_html(sources):
    """"Made from 3 result files", each with the command that makes it again."""
    if not sources:
        return ""
    lines = [f"<li><code>{escape(source.file)}</code><br/>"
             f"<code>{escape(source.command)}</code></li>" for source in sources]
    files = "result file" if len(sources) == 1 else "result files"
    return "\n".join([f"<details>\n<summary>Made from {len(sources)} {files}</summary>\n<ul>",
                      *lines, "</ul>\n</details>\n"])


def section_html(section):
    blocks = "".join(WRITERS[type(block)](block) for block in section.blocks)
    return (f'<section id="{escape(section.id)}">\n<h2>{escape(section.title)}</h2>\n'
            f"{blocks}{sources_html(section.sources)}</section>\n")


def to_html(page):
    links = "".join(f'<li><a href="#{escape(section.id)}">{escape(section.title)}</a></li>\n'
                    for section in page.sections)
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{escape(page.title)}</title>
<style>{CHART_STYLE}{PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>{escape(page.title)}</h1>
<p>{inline(page.introduction)}</p>
</header>
<nav aria-label="Sections"><ul>
{links}</ul></nav>
<main>
{"".join(map(section_html, page.sections))}</main>
<footer><p>Made by <code>nrs report</code> from result files alone; nothing was measured while it \
was drawn.</p></footer>
</body>
</html>
"""


def to_svg_file(chart):
    """A chart of a figure with the colours of the page, to stand alone."""
    head, rest = chart.split(">", 1)
    return f"{head}>\n<style>{CHART_STYLE}</style>\n{rest}"
