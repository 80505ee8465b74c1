"""A derivation as a notebook shows it: one line for each round, its leaves marked, with values on hover."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from ._nrs import Answer, Step

_MOST_ROWS = 20
_MARK = "background:rgba(255,190,0,.35);border-radius:2px"


def derivation(answer: Answer) -> str:
    if answer.error:
        return f"<p>{escape(answer.question)}: {escape(str(answer.error))}</p>"
    formula = answer.start
    lines = []
    for _, of_round in groupby(answer.steps, key=lambda step: step.round):
        steps = list(of_round)
        lines.append(_marked(formula, steps))
        formula = _rewritten(formula, steps)
    lines.append(f"<strong>{escape(formula)}</strong>{_stopped(answer)}")
    rows = "".join(f"<li><code>{line}</code></li>" for line in lines)
    return f'<ol start="0" style="line-height:1.9">{rows}</ol>'


def table(answers: Sequence[Answer]) -> str:
    """A row for each of the first answers."""
    rows = "".join(f"<tr><td><code>{escape(answer.question)}</code></td><td>{_end(answer)}</td></tr>"
                   for answer in answers[:_MOST_ROWS])
    more = f"<p>and {len(answers) - _MOST_ROWS} more</p>" if len(answers) > _MOST_ROWS else ""
    return f"<table><tr><th>formula</th><th>value</th></tr>{rows}</table>{more}"


def _end(answer: Answer) -> str:
    if answer.error:
        return f"<em>{escape(str(answer.error))}</em>"
    return f"<code>{escape(answer.formula)}</code>{_stopped(answer)}"


def _stopped(answer: Answer) -> str:
    return "" if answer.ok else f" <em>stopped: {escape(answer.stop or '')}</em>"


# Places are in bytes, as in the library.
def _pieces(formula: str, steps: Sequence[Step]) -> Iterator[tuple[str, Step | None]]:
    data, at = formula.encode(), 0
    for step in steps:
        yield data[at:step.begin].decode(), step
        at = step.end
    yield data[at:].decode(), None


def _marked(formula: str, steps: Sequence[Step]) -> str:
    return "".join(escape(text) + (_leaf(step) if step else "") for text, step in _pieces(formula, steps))


def _leaf(step: Step) -> str:
    why = f"rule {step.rule}" if step.rule else f"{step.source}, log-probability {step.solver_log_prob:.3g}"
    return f'<span style="{_MARK}" title="{escape(f"{step.value} ({why})")}">{escape(step.leaf)}</span>'


def _rewritten(formula: str, steps: Sequence[Step]) -> str:
    return "".join(text + (step.value if step else "") for text, step in _pieces(formula, steps))
