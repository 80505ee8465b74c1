"""Ablations: one choice of a recipe, varied, with runs of several seeds."""
import collections
import statistics

from charts import Line, LineChart, Point
from page import Paragraph, makes, one_figure, one_table
from svg import show_share
from systems import title_of

MOST_MARKERS = 12  # more would hide the line


def mean_and_deviation(values):
    """Of the sample; 0 for a single run."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0


def ends_of(variant):
    return [run["points"][-1]["value"] for run in variant["runs"]]


def beside(variant, first):
    """Few runs tell two variants apart only if all of one are better than all of the other."""
    if variant is first:
        return ""
    ends, others = ends_of(variant), ends_of(first)
    if min(ends) > max(others):
        return "better"
    return "worse" if max(ends) < min(others) else "no difference shown"


def in_words(variants):
    first, *others = variants
    names = collections.defaultdict(list)
    for variant in others:
        names[beside(variant, first)].append(variant["name"])
    outcomes = [f" {outcome}: {', '.join(same)}" for outcome, same in sorted(names.items())]
    return f"Beside \"{first['name']}\":{';'.join(outcomes)}."


def ablation_line(variant, colour):
    """Over the seeds, at each step that every run has."""
    steps = collections.defaultdict(list)
    for run in variant["runs"]:
        for point in run["points"]:
            steps[point["step"]].append(point["value"])
    points = [Point(step, *mean_and_deviation(values)) for step, values in sorted(steps.items())
              if len(values) == len(variant["runs"])]
    return Line(variant["name"], colour, markers=len(points) <= MOST_MARKERS, points=points)


def study_title(part, study):
    return f"{title_of(part.results, study.data['domain'])}, {study.data['title']}"


@makes("ablation-figure", one_figure)
def ablation_figure(part):
    for number, study in enumerate(part.results.kinds["ablations"], 1):
        part.section.add_sources(study.source)
        yield LineChart(
            f"ablation-{number}", study_title(part, study), **part.entry["chart"],
            description=f"{study.data['measure']}, mean and deviation over seeds",
            lines=[ablation_line(variant, colour % 8)
                   for colour, variant in enumerate(study.data["variants"])])


@makes("ablation-table", one_table)
def ablation_table(part):
    for study in part.results.kinds["ablations"]:
        variants = study.data["variants"]
        for variant in variants:
            ends = ends_of(variant)
            yield (study_title(part, study), variant["name"], str(len(ends)),
                   *map(show_share, mean_and_deviation(ends)), beside(variant, variants[0]))


@makes("ablation-notes")
def ablation_notes(part):
    for study in part.results.kinds["ablations"]:
        yield Paragraph(f"{study_title(part, study)}: {study.data['measure']}. "
                        f"{study.data.get('note') or ''} {in_words(study.data['variants'])}")
