"""How modules were trained: curves beside the paper's effort."""
from line_chart import DOTTED, Line, LineChart, Point
from page import makes, one_figure, one_table, published_cell
from systems import (EVERY_LEAF, colour_of, domain_of, domains_and_all, label_of,
                     published_training, system_of, variant_of)

# A run that ends much earlier than another is seen only if steps are drawn by their logarithm.
MUCH_LONGER = 6
PALER = 6  # of the palette


def wrong(points, measure):
    return [Point(point["step"], 1 - point[measure])
            for point in points if point.get(measure) is not None]


def training_lines(source, module):
    """Wrong validation examples by step: deeper formulas or unseen leaves, and those of the
    training."""
    system = system_of(source)
    # Two shades of what most runs are of.
    paler = system == "FastNRS" and variant_of(source) != EVERY_LEAF
    colour = PALER if paler else colour_of(system)
    beyond, known = (wrong(module["points"], measure) for measure in ("beyond", "known"))
    lines = [Line(label_of(source), colour, markers=False, points=beyond),
             Line("", colour, DOTTED, markers=False, points=known)]
    return [line for line in lines if line.points]


def training_chart(part, domain):
    module = part.entry["module"]
    chart = LineChart(f"training-{module}-{domain.name}", domain.title, **part.entry["chart"])
    for run in part.results.kinds["training"]:
        if module == "solver" and run.source.engine == "nrs":
            continue  # it has that of the FastNRS
        for trained in run.data["modules"] if domain_of(run.source) == domain.name else ():
            if trained["module"] == module:
                chart.lines += training_lines(run.source, trained)
                part.section.add_sources(run.source)
    ends = [line.points[-1].x for line in chart.lines]
    chart.log_x = bool(ends) and max(ends) > MUCH_LONGER * min(ends)
    return chart


@makes("curves", one_figure)
def curves(part):
    charts = (training_chart(part, domain) for domain in domains_and_all(part.results))
    return (chart for chart in charts if chart.lines)


@makes("effort", one_table)
def effort(part):
    """How much training a model took, beside what the paper says of the same module."""
    for run in part.results.kinds["training"]:
        for module in run.data["modules"]:
            row = published_training(part.results, run.source, module["module"])
            yield (f"`{run.source.recipe}`", module["module"], module["steps"], module["batch"],
                   published_cell(row.get("steps"), ""), published_cell(row.get("batch"), ""))
