"""nrs: learn a rewriting system from worked examples, and run it.

    >>> import nrs
    >>> multi = nrs.load("multi")
    >>> multi.simplify("((15+5)*(3-4))").value
    '-20'
    >>> [answer.value for answer in multi.simplify(["(1+1)", "[MAX 1 2]"])]
    ['2', '2']
"""
from __future__ import annotations

import itertools
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import overload


class Error(ValueError):
    """A formula, a file or an argument is wrong. The text says what, where, and what to do.

    `offset` is the place in the formula, from 0, if the fault is in one; `hint` is the last part of the text.
    """
    hint: str = ""
    offset: int | None = None


from . import _nrs, program  # noqa: E402  (both raise Error)
from ._nrs import Answer, Step  # noqa: E402
from .answers import STOPS, Answers  # noqa: E402
from .examples import Examples, examples_file  # noqa: E402
from .scores import Scores, score  # noqa: E402

__all__ = ["STOPS", "Answer", "Answers", "Error", "Model", "Scores", "Step", "generate", "learn", "load", "models",
           "rules"]

_OWN_MODELS = pathlib.Path(__file__).parent / "models"


class Model:
    """A model that has been loaded. Several threads may use it at once."""
    report: str | None = None  # what learn() found
    _folder: tempfile.TemporaryDirectory[str] | None = None  # of a model that nobody has saved

    def __init__(self, path: pathlib.Path, rewriter: _nrs.Rewriter) -> None:
        self.path = path
        self._rewriter = rewriter

    @property
    def name(self) -> str:
        return self._rewriter.name

    @property
    def domains(self) -> list[str]:
        """The built-in domains that it was trained on; none for a system of your own."""
        return self._rewriter.domains

    @property
    def threshold(self) -> float | None:
        """The log-probability below which a value is not used."""
        return self._rewriter.threshold

    @overload
    def simplify(self, formulas: str) -> Answer: ...  # type: ignore[misc]  # a str is an Iterable[str], too

    @overload
    def simplify(self, formulas: Iterable[str]) -> Answers: ...

    def simplify(self, formulas: str | Iterable[str]) -> Answer | Answers:
        """The answer to a formula, or a list of answers to many, which is faster than one by one.

        A lone formula that cannot be read raises Error. Among many, the error is in its answer.
        """
        if isinstance(formulas, str):
            return self._rewriter.simplify_one(formulas)
        return Answers(self._rewriter.simplify_all(list(formulas)))

    def stream(self, formulas: Iterable[str], *, batch: int = 1024) -> Iterator[Answer]:
        """The answers one after the other, for more formulas than fit into memory; `batch` are read at a time."""
        waiting = iter(formulas)
        while some := list(itertools.islice(waiting, batch)):
            yield from Answers(self._rewriter.simplify_all(some))

    def evaluate(self, pairs: Iterable[Sequence[str]]) -> Scores:
        """Asks questions whose answers are known: pairs of a formula and its value."""
        return score(self, pairs)

    def card(self, *, license: str = "unknown") -> str:
        """The model card, a page in Markdown, as `nrs info --card` writes it."""
        return self._rewriter.card(self.path, license)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Copies the file of the model."""
        shutil.copyfile(self.path, path)

    def __repr__(self) -> str:
        return f"<nrs.Model {self.name}>"


def models() -> list[str]:
    """The names of the models at hand."""
    own = (file.stem for file in _OWN_MODELS.glob("*.nrs"))
    return sorted({*own, *_nrs.model_names()})


def load(name: str | os.PathLike[str] = _nrs.DEFAULT_MODEL, *, threads: int = 1, min_log_prob: float | None = None,
         literal: bool = False) -> Model:
    """Loads a model by its name or from its file.

    `threads` (0: all cores) speed up each call of a network. A compiled model uses one thread for a call; to use more
    cores, call it from several threads of Python. A value with a lower log-probability than `min_log_prob` is not
    used; without it the threshold of the model counts. With `literal`, formulas are in the notation that the model was
    trained with, without blanks, and are not read as people write them, which is a little faster.
    """
    own = _OWN_MODELS / f"{name}.nrs"
    path = own if isinstance(name, str) and os.sep not in name and own.exists() else _nrs.find_model(os.fspath(name))
    return Model(path, _nrs.load(path, threads, min_log_prob, literal))


def generate(domain: str, nesting: int, count: int, *, seed: int = 0, args: int = 2) -> list[tuple[str, str]]:
    """Distinct random formulas of a built-in domain with their values; the same seed gives the same ones.

    `args` is the number of arguments of each operator. Fewer than `count` are given if no more exist.
    """
    return _nrs.generate(domain, nesting, count, seed, args)


def learn(examples: Examples, out: str | os.PathLike[str] | None = None, *, minutes: float | None = None) -> Model:
    """Learns a rewriting system from examples, writes the model to `out`, and loads it.

    `examples` is a file in any form that `nrs learn` reads, or a list: of strings, each a line of such a file; of
    pairs (question, answer); or of longer chains of formulas, each one step after the one before. What was found is
    in `model.report`. Without `out` the file is gone with the model, unless you save() it. Needs the program nrs.
    """
    folder = None
    if out is None:
        folder = tempfile.TemporaryDirectory(prefix="nrs-")
        out = os.path.join(folder.name, "learned.nrs")
    with examples_file(examples) as file:
        words = ["learn", file, "--out", os.fspath(out)]
        report = program.run(*words, *([] if minutes is None else ["--minutes", str(minutes)]))
    model = load(pathlib.Path(out).resolve())
    model.report = report
    model._folder = folder
    return model


def rules(model: Model | str | os.PathLike[str], *, format: str | None = None) -> str:
    """The rules of a model, as text; `format` is one that `nrs rules` writes. Needs the program nrs."""
    path = model.path if isinstance(model, Model) else load(model).path
    return program.run("rules", os.fspath(path), *([] if format is None else ["--format", format]))
