"""What models take: training, beside the paper's effort, and parameters and time."""
import collections

from charts import DOTTED, Bar, BarChart, BarPart, Line, LineChart, Point
from page import (PLAIN, PUBLISHED, Cell, Paragraph, makes, one_figure, one_table,
                  published_cell)
from svg import show_number
from systems import (EVERY_LEAF, colour_of, domain_of, domains_and_all, label_of, name_of,
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


def show_seconds(seconds):
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} m {whole % 60:02} s"
    return f"{whole // 3600} h {whole // 60 % 60:02} m"


# One system in one domain, or in all: measured, by so many threads, or published. Parameters and
# seconds may be None; those that were published may be estimated.
Cost = collections.namedtuple(
    "Cost", "system label source parameters seconds formulas threads estimated published",
    defaults=[0, 0, False, False])


def timed_domain(levels):
    """The time of a run that has formulas of one domain only counts for that domain."""
    domains = {level.get("domain") or "" for level in levels}
    return "multi" if len(domains) > 1 else "".join(domains)


def cost_of(timing):
    source, data = timing
    return Cost(system_of(source), f"{label_of(source)}: `{name_of(source)}`", source.machine,
                source.parameters, data["seconds"], threads=data.get("threads") or 1,
                formulas=sum(level["formulas"] for level in data["levels"]))


def published_cost(row):
    return Cost(row["system"], f"{row['system']}, published", row["source"], row.get("parameters"),
                row.get("seconds"), estimated=row["estimated"], published=True)


def costs_in(results, domain):
    ours = [cost_of(timing) for timing in results.kinds["timing"]
            if timed_domain(timing.data["levels"]) == domain.name]
    ours.sort(key=lambda cost: (colour_of(cost.system), "," in cost.label))
    return ours + [published_cost(row) for row in results.rows("cost", domain=domain.name)]


@makes("cost-table", one_table)
def cost_table(part):
    for domain in domains_and_all(part.results):
        for cost in costs_in(part.results, domain):
            tone = PUBLISHED if cost.published else PLAIN
            count = "not known" if cost.parameters is None else show_number(cost.parameters)
            time = "not published" if cost.seconds is None else show_seconds(cost.seconds)
            yield (domain.title, Cell(cost.label, tone),
                   Cell(("about " if cost.estimated else "") + count, tone, cost.source),
                   Cell(time, tone, cost.source), "" if cost.published else cost.formulas,
                   "" if cost.published else str(cost.threads))


@makes("cost-figure", one_figure)
def cost_figure(part):
    for domain in domains_and_all(part.results):
        chart = BarChart(f"time-{domain.name}", domain.title, **part.entry["chart"], to=1e6,
                         log_from=0.01)
        for cost in costs_in(part.results, domain):
            if (cost.seconds or 0) > 0:
                time = show_seconds(cost.seconds)
                chart.bars.append(
                    Bar(cost.label.replace("`", ""), note=time, published=cost.published,
                        parts=[BarPart(cost.seconds, colour_of(cost.system), time)]))
        if chart.bars:
            yield chart


@makes("setting")
def setting(part):
    """On which machines time was measured."""
    machines = ""
    for timing in part.results.kinds["timing"]:
        part.section.add_sources(timing.source)
        if timing.source.machine not in machines:
            machines += ("; " if machines else "") + timing.source.machine
    yield Paragraph(part.text("text", machines=machines or "nothing has been measured yet",
                              hardware=part.results.published["hardware"]))
