"""The result files of a folder, checked strictly when they are read. docs/report.md describes them,
formats.json has their fields."""
import collections
import dataclasses
import json
import pathlib

from files import IO, USAGE, Failure, check_format, read_json, refuse

HERE = pathlib.Path(__file__).parent
FORMATS = json.loads((HERE / "formats.json").read_text(encoding="utf-8"))
KINDS = ("eval", "timing", "confidence", "training", "ablations", "datasets", "traces", "models",
         "taught")
ERROR_CLASSES = ("missing", "malformed", "solver", "other")
COUNTED = ("formulas", "correct", "answered", *ERROR_CLASSES)


# Which file below the folder of results some numbers are in, and what made them. The protocol is
# "paper", "full" or empty, the domains are those that the model was trained on, recipe_seed and
# parameters may be None.
Source = collections.namedtuple(
    "Source", "file command program machine model checksum engine recipe protocol domains "
              "recipe_seed parameters")
# Its document, the data, has the fields that its format asks for; it may have others.
ResultFile = collections.namedtuple("ResultFile", "source data")
# Of the paper: "listops", "ListOps"; test formulas are nested 1 to `levels`, training formulas 1
# to `trained`.
Domain = collections.namedtuple("Domain", "name title levels trained", defaults=[6, 3])


@dataclasses.dataclass
class Results:
    published: dict  # published.json: the paper's numbers
    domains: list[Domain]
    kinds: dict[str, list[ResultFile]]  # by name

    def rows(self, table, **wanted):
        """Those of a published table that have these values."""
        return [row for row in self.published[table] if wanted.items() <= row.items()]


class Counts(collections.Counter):
    """How formulas of an evaluation ended: COUNTED says what is counted."""

    def accuracy(self):
        return self["correct"] / self["formulas"] if self["formulas"] else 0


def counts_of(level):
    """Of a level of a file eval/*.json or timing/*.json."""
    return Counts({name: level[name] for name in COUNTED})


def check_source(document, path):
    if isinstance(document, dict) and "command" not in document:
        refuse(f"{path}: command", "is missing",
               "an older nrs made this file: make it again with nrs reproduce")
    check_format(document, FORMATS["source"], path)
    # A number of a trained model can be made again only if one knows which model it was.
    if document.get("recipe") and not document.get("model_checksum"):
        refuse(f"{path}: model_checksum", "is missing")


def source_of(document, file):
    recipe = document.get("recipe") or {}
    name = recipe.get("name", "")
    return Source(
        file, document["command"], document["program"], document.get("machine") or "",
        document.get("model") or name, document.get("model_checksum") or "",
        document.get("engine") or "", name, recipe.get("protocol", ""), recipe.get("domains", ()),
        recipe.get("seed"), document.get("parameters"))


def described(model):
    """What `nrs info` prints is the model's own description, and names no command."""
    return {"command": f"nrs info --json {model['name']}", "program": model["program"],
            "model_checksum": model["checksum"], "recipe": model}


def check_levels(document, path):
    if document.get("interrupted"):
        refuse(f"{path}: interrupted",
               "this evaluation did not finish: delete the file and run it again")
    for i, level in enumerate(document["levels"]):
        place = f"{path}: levels[{i}]."
        if level["answered"] > level["formulas"]:
            refuse(place + "answered", 'is more than "formulas"')
        if level["correct"] > level["answered"]:
            refuse(place + "correct", 'is more than "answered"')
        if level["correct"] + sum(level[name] for name in ERROR_CLASSES) != level["formulas"]:
            refuse(place + "formulas", 'is not the sum of "correct" and the classes of errors')


def check_trace(document, path):
    """Steps that were applied lie within the formula, one behind the other: they are drawn so."""
    for i, one in enumerate(document["derivation"]["trace"]):
        place, before = f"{path}: derivation.trace[{i}].", 0
        for step in one["steps"]:
            if not step["applied"]:
                continue
            if not isinstance(step.get("value"), str):
                refuse(place + "value", "must be a text")
            if not before <= step["begin"] < step["end"] <= len(one["formula"].encode()):
                refuse(place + "begin",
                       "the leaf is not a part of the formula behind the one before")
            before = step["end"]


def check_columns(document, path):
    for name, domain in sorted(document["domains"].items()):
        columns = domain["selector"]
        for column in "formulas", "confidence":
            if len(columns[column]) != len(columns["characters"]):
                refuse(f"{path}: domains.{name}.selector.{column}",
                       'must be as long as "characters"')


def check_taught(document, path):
    if sum(document[name] for name in ("right", "wrong", "refused")) != document["questions"]:
        refuse(f"{path}: questions", 'is not the sum of "right", "wrong" and "refused"')


CHECKS = {"taught": check_taught, "eval": check_levels, "timing": check_levels,
          "traces": check_trace, "confidence": check_columns}


def read_result(kind, document, path, file):
    """A document of a kind that was read from `path` and is shown as `file`."""
    if kind != "models":
        check_source(document, path)
    check_format(document, FORMATS["eval" if kind == "timing" else kind], path)
    CHECKS.get(kind, lambda *_: None)(document, path)
    origin = described(document) if kind == "models" else document
    return ResultFile(source_of(origin, file), document)


def files_of(folder):
    """The files of one kind, by name. A folder that is not there has none."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Failure(IO, f"{folder}: cannot be listed: {error.strerror}") from None


def load_results(folder):
    path = folder / "published.json"
    if not path.exists():
        raise Failure(USAGE, f"{path}: there is no such file",
                      "a folder of result files has it; see docs/report.md")
    published = read_json(path)
    check_format(published, FORMATS["published"], str(path))
    domains = [Domain(*(row[name] for name in Domain._fields)) for row in published["domains"]]
    kinds = {kind: [read_result(kind, read_json(path), str(path), f"{kind}/{path.name}")
                    for path in files_of(folder / kind)] for kind in KINDS}
    return Results(published, domains, kinds)
