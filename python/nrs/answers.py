"""The answers to many formulas."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from . import _nrs, notebook
from ._nrs import Answer

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

# How a derivation can end, by the numbers in Answers.stops. Only the first has an answer.
STOPS: tuple[str, ...] = (*_nrs.stop_names(), "error")


class Answers(Sequence[Answer]):
    """Answers in the order of the formulas; what they have in common is in lists and numpy arrays."""

    def __init__(self, batch: _nrs.Batch) -> None:
        self._batch = batch

    def __len__(self) -> int:
        return len(self._batch)

    @overload
    def __getitem__(self, place: int) -> Answer: ...

    @overload
    def __getitem__(self, place: slice) -> list[Answer]: ...

    def __getitem__(self, place: int | slice) -> Answer | list[Answer]:
        if isinstance(place, slice):
            return [self._batch.answer(number) for number in range(*place.indices(len(self)))]
        number = place + len(self) if place < 0 else place
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} answers")
        return self._batch.answer(number)

    def __iter__(self) -> Iterator[Answer]:
        return map(self._batch.answer, range(len(self)))

    @property
    def values(self) -> list[str | None]:
        """None for what has no answer."""
        return self._batch.values

    @property
    def ok(self) -> NDArray[numpy.bool_]:
        """Which of them are answers."""
        final: NDArray[numpy.bool_] = self.stops == 0
        return final

    @property
    def stops(self) -> NDArray[numpy.uint8]:
        """Numbers of STOPS: how each derivation ended; the last number is for what could not be read."""
        return self._batch.stops

    @property
    def rewrites(self) -> NDArray[numpy.int64]:
        """How many leaves were rewritten for each."""
        return self._batch.rewrites

    def __repr__(self) -> str:
        some = ", ".join(map(repr, self[:10]))
        return f"[{some}{', ...' if len(self) > 10 else ''}]"

    def _repr_html_(self) -> str:
        return notebook.table(self)
