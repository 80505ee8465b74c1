"""Accuracy by nesting, ours beside the paper's. And what goes wrong: errors by the class of the
first wrong step."""
import dataclasses

from charts import DASHED, Bar, BarChart, BarPart, Line, LineChart, Point
from page import (NOT_MEASURED, Paragraph, accuracy_cell, makes, one_figure, one_table,
                  published_cell)
from results import ERROR_CLASSES, Counts
from svg import round_up, show_number, show_share
from systems import (EVERY_LEAF, OURS, PAPER_LEAVES, PAPER_RECIPE, SETTINGS, colour_of,
                     deepest_published, label_of, name_of, published_at, published_training,
                     scored_models, system_of, variant_of)

# Colours that no system has would be too alike; classes are in other figures than systems.
COLOURS = dict(zip(ERROR_CLASSES, (2, 3, 0, 5)))


def models_in(part, domain):
    """Models of one domain: ours, the rows of the paper's that have numbers, and all its rows."""
    setting = part.entry["setting"]
    rows = part.results.rows("accuracy", domain=domain.name, setting=setting)
    return (scored_models(part.results, domain, setting),
            [row for row in rows if deepest_published(row) > 0], rows)


def our_line(model, domain):
    points = [Point(nesting, 1 - counts.accuracy()) for nesting, counts in model.in_order()
              if 1 <= nesting <= domain.levels]
    return Line(model.label, colour_of(system_of(model.source)),
                hollow=variant_of(model.source) != EVERY_LEAF, points=points)


def published_line(row):
    points = [Point(level, 1 - share) for level, share in enumerate(row["by_nesting"], 1)
              if share is not None]
    return Line(f"{row['system']} published", colour_of(row["system"]), DASHED, points=points)


@makes("accuracy-figure", one_figure)
def accuracy_figure(part):
    for domain in part.results.domains:
        ours, published, _ = models_in(part, domain)
        yield LineChart(
            f"accuracy-{part.entry['setting']}-{domain.name}-chart", domain.title,
            **part.entry["chart"], trained_to=domain.trained, x_ticks=range(1, domain.levels + 1),
            lines=[*(our_line(model, domain) for model in ours), *map(published_line, published)])


@makes("accuracy-tables")
def accuracy_tables(part):
    for domain in part.results.domains:
        ours, published, rows = models_in(part, domain)
        table = part.table(f"-{domain.name}", domain=domain.title)
        table.header += [f"{model.label} `{name_of(model.source)}`" for model in ours]
        table.header += [f"{row['system']}, published" for row in published]
        for level in sorted({*range(1, domain.levels + 1)}.union(*(one.levels for one in ours))):
            table.add(str(level), *(accuracy_at(model, level) for model in ours),
                      *(published_accuracy(row, level) for row in published))
        measured = {system_of(model.source) for model in ours}
        table.caption += listed("Not published as numbers", [
            row["system"] for row in rows if row not in published])
        table.caption += listed("Not measured here", [
            row["system"] for row in rows if row["system"] in {*OURS.values()} - measured])
        for model in ours:
            part.section.add_sources(*model.sources)
        yield table


def listed(text, systems):
    return f" {text}: {', '.join(systems)}." if systems else ""


def accuracy_at(model, level):
    return accuracy_cell(model.levels[level]) if level in model.levels else NOT_MEASURED


def published_accuracy(row, level):
    return published_cell(published_at(row, level), row["source"], show_share)


@makes("reductions")
def reductions(part):
    """Models that stand for a published one and are smaller, or were not trained as long."""
    for domain in part.results.domains:
        ours, published, _ = models_in(part, domain)
        for model in ours:
            system = system_of(model.source)
            if system != "NDR" and variant_of(model.source) != PAPER_RECIPE:
                continue
            less = [*fewer_parameters(part, model.source, domain), *fewer_steps(part, model.source)]
            below = [str(nesting) for row in published if row["system"] == system
                     for nesting, counts in model.in_order()
                     if counts.accuracy() < (published_at(row, nesting) or 0)]
            if less:
                yield Paragraph(
                    f"`{name_of(model.source)}` is not the published {system}: "
                    + ", and ".join(less) + "." + (" It is below the published accuracy at nesting "
                                                   f"{', '.join(below)}." if below else ""))


def fewer_parameters(part, model, domain):
    for row in part.results.rows("cost", system=system_of(model), domain=domain.name):
        if (model.parameters or 0) < (row.get("parameters") or 0):
            yield (f"it has {show_number(model.parameters or 0)} parameters, "
                   f"not {show_number(row['parameters'])}")


def fewer_steps(part, model):
    for run in part.results.kinds["training"]:
        for trained in run.data["modules"] if run.source.recipe == model.recipe else ():
            row = published_training(part.results, run.source, trained["module"])
            if trained["steps"] < (row.get("steps") or 0):
                which = "it" if trained["module"] == "router" else f"its {trained['module']}"
                steps, batch, their_steps, their_batch = map(show_number, (
                    trained["steps"], trained["batch"], row["steps"], row.get("batch") or 0))
                part.section.add_sources(run.source)
                yield (f"{which} was trained for {steps} steps of {batch} examples, "
                       f"not {their_steps} of {their_batch}")


@makes("overview", one_table)
def overview(part):
    for domain in part.results.domains:
        groups = [scored_models(part.results, domain, setting) for setting in SETTINGS]
        rows = part.results.rows("accuracy", domain=domain.name)
        for level in sorted({domain.levels, *map(deepest_published, rows)} - {0}):
            yield (domain.title, str(level),
                   *(first_accuracy(models, PAPER_LEAVES, level) for models in groups),
                   *(first_published(rows, system, level) for system in part.entry["published"]),
                   *(first_accuracy(models, EVERY_LEAF, level) for models in groups))


def first_accuracy(models, variant, level):
    """Of the first of our systems that was measured at a level."""
    return next((accuracy_cell(model.levels[level]) for model in models
                 if variant_of(model.source) == variant and level in model.levels), NOT_MEASURED)


def first_published(rows, system, level):
    return next((published_accuracy(row, level) for row in rows if row["system"] == system
                 and published_at(row, level) is not None), published_cell(None, ""))


@makes("answers", one_table)
def answers(part):
    """Wrong answers are what a user pays for; an unsure model should rather give none."""
    for domain in part.results.domains:
        for setting in SETTINGS:
            for model in scored_models(part.results, domain, setting):
                for nesting, counts in model.in_order():
                    if label_of(model.source) == "FastNRS, paper data" and nesting >= domain.levels:
                        yield (f"{domain.title}: `{model.source.recipe}`", str(nesting),
                               *answer_cells(counts))


def answer_cells(counts):
    formulas, correct, answered = counts["formulas"], counts["correct"], counts["answered"]
    of_answered = Counts({**counts, "formulas": answered})
    return formulas, correct, answered - correct, formulas - answered, accuracy_cell(of_answered)


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
