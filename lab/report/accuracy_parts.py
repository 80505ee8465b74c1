"""Accuracy by nesting, ours beside the paper's."""
import dataclasses

from line_chart import DASHED, Line, LineChart, Point
from page import Paragraph, accuracy_cell, makes, not_measured, published_cell
from svg import show_number, show_share
from systems import (EVERY_LEAF, OURS, PAPER_LEAVES, PAPER_RECIPE, Scored, colour_of,
                     deepest_published, label_of, name_of, published_at, published_rows,
                     published_training, scored_models, system_of, variant_of)


@dataclasses.dataclass
class Models:
    """Models of one domain, ours and the paper's."""
    ours: list[Scored]
    published: list[dict]  # with numbers
    drawn_only: list[str]  # systems
    missing: list[str]


def models_in(part, domain):
    ours = scored_models(part.results, domain, part.entry["multi"])
    rows = published_rows(part.results, "accuracy", domain, part.entry["multi"])
    measured = {system_of(model.source) for model in ours}
    return Models(
        ours, [row for row in rows if deepest_published(row) > 0],
        [row["system"] for row in rows if deepest_published(row) == 0],
        [row["system"] for row in rows
         if row["system"] in OURS.values() and row["system"] not in measured])


def our_line(model, domain):
    points = [Point(nesting, 1 - counts.accuracy()) for nesting, counts in model.in_order()
              if 1 <= nesting <= domain.levels]
    return Line(model.label, colour_of(system_of(model.source)),
                hollow=variant_of(model.source) != EVERY_LEAF, points=points)


def published_line(row):
    levels = range(1, deepest_published(row) + 1)
    points = [Point(level, 1 - published_at(row, level))
              for level in levels if published_at(row, level) is not None]
    return Line(f"{row['system']} published", colour_of(row["system"]), DASHED, points=points)


@makes("accuracy-figure")
def accuracy_figure(part):
    figure = part.figure()
    for domain in part.results.domains:
        models = models_in(part, domain)
        figure.charts.append(LineChart(
            id=f"accuracy-{'multi' if part.entry['multi'] else 'single'}-{domain.name}-chart",
            title=domain.title,
            description="Share of formulas without the right answer, by nesting.",
            x_label="nesting", log_y=True, flat="no error", trained_to=domain.trained,
            x_ticks=range(1, domain.levels + 1),
            lines=[*(our_line(model, domain) for model in models.ours),
                   *map(published_line, models.published)]).draw())
    part.add(figure)


@makes("accuracy-tables")
def accuracy_tables(part):
    for domain in part.results.domains:
        models = models_in(part, domain)
        table = part.table(f"-{domain.name}", domain=domain.title)
        table.header += [f"{model.label} `{name_of(model.source)}`" for model in models.ours]
        table.header += [f"{row['system']}, published" for row in models.published]
        levels = set(range(1, domain.levels + 1)).union(*(model.levels for model in models.ours))
        for level in sorted(levels):
            table.add(str(level), *(accuracy_at(model, level) for model in models.ours),
                      *(published_accuracy(row, level) for row in models.published))
        for text, systems in (("Not published as numbers", models.drawn_only),
                              ("Not measured here", models.missing)):
            if systems:
                table.caption += f" {text}: {', '.join(systems)}."
        for model in models.ours:
            part.section.add_sources(*model.sources)
        part.add(table)


def accuracy_at(model, level):
    return accuracy_cell(model.levels[level]) if level in model.levels else not_measured()


def published_accuracy(row, level):
    return published_cell(published_at(row, level), row["source"], show_share)


@makes("reductions")
def reductions(part):
    """Models that stand for a published one and are smaller, or were not trained as long."""
    for domain in part.results.domains:
        models = models_in(part, domain)
        for model in models.ours:
            system = system_of(model.source)
            if system != "NDR" and variant_of(model.source) != PAPER_RECIPE:
                continue
            less = [*fewer_parameters(part, model.source, domain),
                    *fewer_steps(part, model.source)]
            below = [str(nesting) for row in models.published if row["system"] == system
                     for nesting, counts in model.in_order()
                     if counts.accuracy() < (published_at(row, nesting) or 0)]
            if less:
                text = f"`{name_of(model.source)}` is not the published {system}: "
                text += ", and ".join(less) + "."
                if below:
                    text += f" It is below the published accuracy at nesting {', '.join(below)}."
                part.add(Paragraph(text))


def fewer_parameters(part, model, domain):
    for row in part.results.published["cost"]:
        if (row["system"] == system_of(model) and row["domain"] == domain.name
                and (model.parameters or 0) < (row.get("parameters") or 0)):
            yield (f"it has {show_number(model.parameters or 0)} parameters, "
                   f"not {show_number(row['parameters'])}")


def fewer_steps(part, model):
    for run in part.results.kinds["training"]:
        for trained in run.data["modules"] if run.source.recipe == model.recipe else ():
            module = trained["module"]
            row = published_training(part.results, run.source, module)
            if trained["steps"] < (row.get("steps") or 0):
                yield (f"{'it' if module == 'router' else f'its {module}'} was trained for "
                       f"{show_number(trained['steps'])} steps of {show_number(trained['batch'])} "
                       f"examples, not {show_number(row['steps'])} of "
                       f"{show_number(row.get('batch') or 0)}")
                part.section.add_sources(run.source)


@makes("overview")
def overview(part):
    table = part.table()
    systems = part.entry["published"]
    table.header += [f"{system}, published" for system in systems] + part.entry["header_end"]
    for domain in part.results.domains:
        groups = [scored_models(part.results, domain, multi) for multi in (False, True)]
        rows = [row for row in part.results.published["accuracy"] if row["domain"] == domain.name]
        for level in sorted({domain.levels, *map(deepest_published, rows)} - {0}):
            table.add(domain.title, str(level),
                      *(first_accuracy(models, PAPER_LEAVES, level) for models in groups),
                      *(first_published(rows, system, level) for system in systems),
                      *(first_accuracy(models, EVERY_LEAF, level) for models in groups))
    part.add(table)


def first_accuracy(models, variant, level):
    """Of the first of our systems that was measured at a level."""
    for model in models:
        if variant_of(model.source) == variant and level in model.levels:
            return accuracy_at(model, level)
    return not_measured()


def first_published(rows, system, level):
    for row in rows:
        if row["system"] == system and published_at(row, level) is not None:
            return published_accuracy(row, level)
    return published_cell(None, "")


@makes("answers")
def answers(part):
    """Wrong answers are what a user pays for; an unsure model should rather give none."""
    table = part.table()
    for domain in part.results.domains:
        models = [*scored_models(part.results, domain, multi=False),
                  *scored_models(part.results, domain, multi=True)]
        for model in models:
            if label_of(model.source) == "FastNRS, paper data":
                for nesting, counts in model.in_order():
                    if nesting >= domain.levels:
                        add_answers(table, f"{domain.title}: `{model.source.recipe}`", nesting,
                                    counts)
    part.add(table)


def add_answers(table, name, nesting, counts):
    formulas, correct, answered = counts["formulas"], counts["correct"], counts["answered"]
    of_answered = counts.copy()
    of_answered["formulas"] = answered
    table.add(name, str(nesting), formulas, correct, answered - correct, formulas - answered,
              accuracy_cell(of_answered))
