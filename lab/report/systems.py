"""What the results of one model are together, and how models are named and coloured on the page."""
import dataclasses

from files import INPUT, Failure
from results import Counts, Domain, Source, counts_of

# In the order of the paper and of the palette.
SYSTEMS = ("FastNRS", "NRS", "NDR", "GPT-4", "o1-preview")
OURS = {"fastnrs": "FastNRS", "nrs": "NRS", "ndr": "NDR"}  # by engine
# What a model learnt from: every leaf that exists, the paper's share of them, or that share by the
# paper's recipe. And how that is shown.
EVERY_LEAF, PAPER_LEAVES, PAPER_RECIPE = range(3)
VARIANTS = ("", ", paper data", ", paper recipe")
SETTINGS = ("single", "multi")  # a model for one domain or for several


def system_of(source):
    """Of an engine that is none of ours the name of the model."""
    return OURS.get(source.engine) or source.model or source.engine


def variant_of(source):
    if source.recipe.endswith("-as-published"):
        return PAPER_RECIPE
    return PAPER_LEAVES if source.protocol == "paper" else EVERY_LEAF


def label_of(source):
    """With what the model was trained on, where that is not everything: "FastNRS, paper data"."""
    return system_of(source) + VARIANTS[variant_of(source)]


def name_of(source):
    return source.recipe or source.model


def colour_of(system):
    """Its number in the palette. What is not one of ours and not in the paper shares one."""
    return SYSTEMS.index(system) if system in SYSTEMS else len(SYSTEMS)


def setting_of(source):
    """One model for several domains is "multi"; language models are such by their nature."""
    return "single" if len(source.domains) == 1 else "multi"


def domain_of(source):
    """Where a model belongs: its domain, or "multi"."""
    return source.domains[0] if len(source.domains) == 1 else "multi"


def title_of(results, domain):
    """"ListOps"; of what the paper does not have the name itself."""
    return next((known.title for known in results.domains if known.name == domain), domain)


def domains_and_all(results):
    """With one more for models of several domains."""
    return [*results.domains, Domain("multi", "All domains")]


def published_training(results, source, module):
    """How the paper trained what a module of ours is compared with; empty if it does not say."""
    # The two architectures share their Solver.
    system = "FastNRS" if module == "solver" else system_of(source)
    rows = results.rows("training", system=system, domain=domain_of(source), module=module)
    return rows[0] if rows else {}


def published_at(row, nesting):
    """The accuracy, or None."""
    values = row["by_nesting"]
    return values[nesting - 1] if 1 <= nesting <= len(values) else None


def deepest_published(row):
    """With a number; 0 if there is none."""
    levels = range(1, len(row["by_nesting"]) + 1)
    return max((level for level in levels if published_at(row, level) is not None), default=0)


@dataclasses.dataclass
class Scored:
    """All that was measured of one model in one domain, by nesting."""
    source: Source
    label: str
    levels: dict[int, Counts] = dataclasses.field(default_factory=dict)
    sources: list[Source] = dataclasses.field(default_factory=list)

    def in_order(self):
        return sorted(self.levels.items())

    def total(self, deepest):
        """Of the levels from 1 to this."""
        total = Counts()
        for nesting, counts in self.levels.items():
            if 1 <= nesting <= deepest:
                total.update(counts)
        return total

    def add(self, source, levels):
        for nesting in sorted(levels):
            if nesting in self.levels:
                raise Failure(INPUT, f"{source.file}: nesting {nesting} of this model is in "
                                     f"another file too: one of {self.sources[0].file}",
                              "delete one of them")
        self.levels.update(levels)
        self.sources.append(source)


def is_of(source, domain, setting):
    return (source.engine != "oracle" and setting_of(source) == setting
            and (not source.domains or domain.name in source.domains))


def levels_of(evaluation, domain):
    levels = {}
    for level in evaluation.data["levels"]:
        if level.get("domain") == domain.name:
            levels.setdefault(level["nesting"], Counts()).update(counts_of(level))
    return levels


def scored_models(results, domain, setting):
    """The models that were measured in a domain: our systems in the order of the paper's, within
    one those that saw all leaves first."""
    models = {}
    for evaluation in results.kinds["eval"]:
        source, levels = evaluation.source, levels_of(evaluation, domain)
        if levels and is_of(source, domain, setting):
            key = (source.checksum, source.engine, source.model)
            models.setdefault(key, Scored(source, label_of(source))).add(source, levels)
    found = sorted(models.values(), key=lambda model: (colour_of(system_of(model.source)),
                                                       variant_of(model.source)))
    labels = [model.label for model in found]
    for model in found:  # two models of one kind are told apart by their names
        if labels.count(model.label) > 1:
            model.label = f"{system_of(model.source)}, {model.source.recipe}"
    return found
