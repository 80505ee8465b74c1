"""How sure the modules are."""
import collections

from charts import DASHED, DOTTED, SOLID, Histogram, Line, LineChart, Point
from page import makes, one_figure
from systems import colour_of, label_of, setting_of, system_of

LENGTH_BINS = 24  # single lengths have few formulas each: neighbours are taken together


def confidence_line(source, columns):
    longest = max(1, *columns["characters"])
    bins = collections.defaultdict(lambda: (0, 0, 0))
    for length, count, confidence in zip(*(columns[name] for name in (
            "characters", "formulas", "confidence"))):
        number = int(length / longest * LENGTH_BINS)
        formulas, lengths, sure = bins[number]
        bins[number] = formulas + count, lengths + count * length, sure + count * confidence
    points = [Point(lengths / formulas, 1 - sure / formulas)
              for _, (formulas, lengths, sure) in sorted(bins.items()) if formulas > 0]
    more, stroke = (", multi", DASHED) if setting_of(source) == "multi" else ("", SOLID)
    return Line(label_of(source) + more, colour_of(system_of(source)), stroke, markers=False,
                points=points)


def selector_chart(part, domain):
    chart = LineChart(f"selector-confidence-{domain.name}", domain.title, **part.entry["chart"])
    for study in part.results.kinds["confidence"]:
        found = study.data["domains"].get(domain.name)
        if not found or not found["selector"]["characters"]:
            continue
        line = confidence_line(study.source, found["selector"])
        # Two models of one kind are told apart by their names.
        if line.label in [other.label for other in chart.lines]:
            line.label, line.stroke = study.source.recipe, DOTTED
        chart.lines.append(line)
        if found.get("longest_trained") is not None:
            chart.trained_to = max(chart.trained_to or 0, found["longest_trained"])
    return chart


@makes("selector-confidence", one_figure)
def selector_confidence(part):
    part.section.add_sources(*(study.source for study in part.results.kinds["confidence"]))
    charts = (selector_chart(part, domain) for domain in part.results.domains)
    return (chart for chart in charts if chart.lines)


def solver_chart(part, study, solver, domain):
    threshold, recipe = study.data["threshold"], study.source.recipe
    return Histogram(
        f"solver-confidence-{recipe}-{domain.name}", f"{domain.title}: {recipe}",
        f"Leaves by the joint log-probability of their value; {solver['unsure']} of "
        f"{solver['leaves']} below the threshold.", **part.entry["chart"],
        start=min(solver["least_log_prob"], -1e-6), stop=0, counts=solver["counts"], mark=threshold,
        mark_label=f"threshold {threshold:.3g}", colour=colour_of(system_of(study.source)))


@makes("solver-confidence", one_figure)
def solver_confidence(part):
    for domain in part.results.domains:
        for study in part.results.kinds["confidence"]:
            found = study.data["domains"].get(domain.name)
            # The NRS has the Solver of the FastNRS.
            if study.source.engine != "nrs" and found and found["solver"]["counts"]:
                yield solver_chart(part, study, found["solver"], domain)
