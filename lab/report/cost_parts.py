"""Parameters and time."""
import collections

from bar_charts import Bar, BarChart, BarPart
from page import PLAIN, PUBLISHED, Cell, Paragraph, makes, one_figure, one_table
from svg import show_number
from systems import colour_of, domains_and_all, label_of, name_of, system_of


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
