"""Examples given as Python lists become a file that the program reads."""
from __future__ import annotations

import contextlib
import csv
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, TextIO, Union

from . import Error

Examples = Union[str, os.PathLike[str], Sequence[str], Sequence[Sequence[str]]]


@contextlib.contextmanager
def examples_file(examples: Examples) -> Iterator[str]:
    """The name of a file with these examples; one that is made here is gone afterwards."""
    if isinstance(examples, (str, os.PathLike)):
        yield os.fspath(examples)
        return
    rows = list(examples)
    with tempfile.TemporaryDirectory(prefix="nrs-") as folder:
        name = os.path.join(folder, "examples" + (".csv" if _are_pairs(rows) else ".txt"))
        with open(name, "w", encoding="utf-8", newline="") as file:
            _write(rows, file)
        yield name


def _are_pairs(rows: list[Any]) -> bool:
    return bool(rows) and all(not isinstance(row, str) and len(row) == 2 for row in rows)


def _write(rows: list[Any], file: TextIO) -> None:
    if _are_pairs(rows):
        # Quoted, so that an answer may have any character in it.
        writer = csv.writer(file, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
        writer.writerow(["question", "answer"])
        writer.writerows(rows)
        return
    for number, row in enumerate(rows, 1):
        line = row if isinstance(row, str) else " -> ".join(row)
        if "\n" in line:
            raise Error(f"example {number} has a line end in it (a formula is one line)")
        file.write(line + "\n")
