"""What goes wrong: errors by the class of the first wrong step."""
import dataclasses

from bar_charts import Bar, BarChart, BarPart
from page import accuracy_cell, makes, published_cell
from results import ERROR_CLASSES
from svg import round_up, show_number, show_share
from systems import SETTINGS, scored_models, system_of

# Colours that no system has would be too alike; classes are in other figures than systems.
COLOURS = dict(zip(ERROR_CLASSES, (2, 3, 0, 5)))


@dataclasses.dataclass
class ErrorRow:
    """A model, ours or the paper's: a bar of a chart and a row of a table."""
    bar: Bar
    cells: list
    share: float = 0  # of all formulas

    def add(self, error, share):
        self.share += share
        self.bar.parts.append(BarPart(share, COLOURS[error], f"{error}: {show_share(share)}"))


def our_row(model, counts, domain):
    formulas = counts["formulas"]
    wrong = show_number(formulas - counts["correct"])
    row = ErrorRow(Bar(model.source.recipe, note=f"{wrong} of {show_number(formulas)}"),
                   [f"{domain.title}: `{model.source.recipe}`", formulas, accuracy_cell(counts)])
    for error in ERROR_CLASSES:
        row.cells.append(counts[error])
        row.add(error, counts[error] / formulas)
    return row


def published_row(published, domain):
    row = ErrorRow(Bar("published", published=True), [f"{domain.title}: published", "", ""])
    for error in ERROR_CLASSES:
        share = published.get(error)
        row.cells.append(published_cell(share, published["source"], show_share))
        if share is not None:
            row.add(error, share)
    row.bar.note = show_share(row.share)
    return row


def error_rows(part, system, domain):
    for setting in SETTINGS:
        for model in scored_models(part.results, domain, setting):
            if system_of(model.source) == system:
                part.section.add_sources(*model.sources)
                counts = model.total(domain.levels)
                if counts["formulas"] > 0:
                    yield our_row(model, counts, domain)
        for row in part.results.rows("errors", system=system, domain=domain.name, setting=setting):
            if any(row.get(error) is not None for error in ERROR_CLASSES):
                yield published_row(row, domain)


@makes("error-figure")
def error_figure(part):
    charts = []
    for system in part.entry["systems"]:
        chart = BarChart(f"errors-{system}", system, **part.entry["chart"], to=0.001)
        for domain in part.results.domains:
            chart.bars.append(Bar(domain.title, heading=True))
            for row in error_rows(part, system, domain):
                chart.bars.append(row.bar)
                if row.share > 0:
                    chart.to = max(chart.to, round_up(row.share))
        charts.append(chart)
    yield part.figure(charts, legend=list(COLOURS.items()))


@makes("error-tables")
def error_tables(part):
    for system in part.entry["systems"]:
        table = part.table(f"-{system}", system=system)
        table.header += ERROR_CLASSES
        for domain in part.results.domains:
            for row in error_rows(part, system, domain):
                table.add(*row.cells)
        yield table
