"""Texts, data, models and worked derivations."""
from page import (MISSING, NOT_MEASURED, Cell, Derivation, Paragraph, makes, one_table,
                  published_cell)
from systems import title_of

MODULES = ("selector", "solver", "router")
# Of a certificate, by domain: what was counted of which module.
CERTIFIED = (("solver", "leaves"), ("solver", "right"), ("atoms", "right"),
             ("selector", "contexts"), ("selector", "distinct"), ("selector", "missed"),
             ("selector", "extra"))


@makes("text")
def text(part):
    yield Paragraph(part.text("text", provenance=part.results.published["provenance"]))


@makes("splits", one_table)
def splits(part):
    for domain in part.results.domains:
        for row in part.results.rows("splits", domain=domain.name):
            kind = "formulas" if row["part"] == "whole" else row["part"]
            yield (domain.title, f"{kind} {row['split']}", distinct_in(part, row),
                   published_cell(row.get("rows"), row["source"]))


def distinct_in(part, row):
    """How many we have of what a row of the paper counts."""
    here = NOT_MEASURED
    for dataset in part.results.kinds["datasets"]:
        domain = dataset.data["stats"]["domains"].get(row["domain"], {})
        split = domain.get(row["part"], {}).get(row["split"])
        if split:
            here = split["distinct"]
            part.section.add_sources(dataset.source)
    return here


def round_of(entry):
    formula = entry["formula"]

    def place(byte):
        """Files count bytes."""
        return len(formula.encode()[:byte].decode(errors="ignore"))

    return formula, [(place(step["begin"]), place(step["end"]), step["value"])
                     for step in entry["steps"] if step["applied"]]


@makes("derivations")
def derivations(part):
    for trace in part.results.kinds["traces"]:
        derivation = trace.data["derivation"]
        domain = title_of(part.results, derivation.get("domain") or "")
        part.section.add_sources(trace.source)
        yield Derivation(f"derivation-{len(part.section.blocks) + 1}",
                         part.text("caption", domain=domain, model=trace.source.recipe),
                         [round_of(entry) for entry in derivation["trace"]])


@makes("models", one_table)
def models(part):
    none = Cell("none", MISSING)
    for source, data in part.results.kinds["models"]:
        part.section.add_sources(source)
        yield (f"`{source.recipe}`", ", ".join(source.domains),
               "the paper's share" if source.protocol == "paper" else "all",
               str(source.recipe_seed),
               *(data[name]["parameters"] if data.get(name) else none for name in MODULES),
               (data.get("certificate") or {}).get("verdict") or none, f"`{source.checksum}`")


@makes("certificates", one_table)
def certificates(part):
    for source, data in part.results.kinds["models"]:
        certificate = data.get("certificate") or {}
        if certificate.get("domains") is None:
            continue
        part.section.add_sources(source)
        for name, found in sorted(certificate["domains"].items()):
            yield (f"`{source.recipe}`", title_of(part.results, name),
                   *(found[module][field] for module, field in CERTIFIED),
                   certificate.get("verdict") or "")


@makes("taught", one_table)
def taught(part):
    for source, data in part.results.kinds["taught"]:
        part.section.add_sources(source)
        yield (f"`{data['system']}`", data["examples"], data["taught_by"],
               f"{100 * data['noise']:g} %", data["asked"], data["right"], data["wrong"],
               data["refused"], f"{data['seconds']:.0f}", str(data["seed"]), data["date"])
