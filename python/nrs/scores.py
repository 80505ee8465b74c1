"""How many questions a model gets right."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import Answer

if TYPE_CHECKING:
    from . import Model


@dataclass(frozen=True)
class Scores:
    """What is not answered is not wrong: the model stopped, or could not read the question."""
    right: int
    wrong: list[Answer] = field(repr=False)
    unanswered: list[Answer] = field(repr=False)

    @property
    def asked(self) -> int:
        return self.right + len(self.wrong) + len(self.unanswered)

    @property
    def accuracy(self) -> float:
        return self.right / self.asked if self.asked else float("nan")

    def __str__(self) -> str:
        return f"{self.right} of {self.asked} right, {len(self.wrong)} wrong, {len(self.unanswered)} unanswered"


def score(model: Model, pairs: Iterable[Sequence[str]]) -> Scores:
    pairs = list(pairs)
    answers = model.simplify(question for question, _ in pairs)
    given = [(answer, value) for answer, (_, value) in zip(answers, pairs) if answer.ok]
    return Scores(right=sum(answer.value == value for answer, value in given),
                  wrong=[answer for answer, value in given if answer.value != value],
                  unanswered=[answer for answer in answers if not answer.ok])
