"""A derivation as a notebook shows it: one line for each round, its leaves marked, with values on hover."""
from __future__ import annotations

from html import escape
from itertools import groupby

from . import Answer, Step

_MARK = "background:rgba(255,190,0,.35);border-radius:2px"


def derivation(answer: Answer) -> str:
    if answer.error:
        return f"<p>{escape(answer.question)}: {escape(str(answer.error))}</p>"
    formula = answer.start
    lines = []
    for _, steps in groupby(answer.steps, key=lambda step: step.round):
        steps = list(steps)
        lines.append(_marked(formula, steps))
        formula = _rewritten(formula, steps)
    end = "" if answer.ok else f" <em>stopped: {escape(answer.stop)}</em>"
    lines.append(f"<strong>{escape(formula)}</strong>{end}")
    rows = "".join(f"<li><code>{line}</code></li>" for line in lines)
    return f'<ol start="0" style="line-height:1.9">{rows}</ol>'


# Places are in bytes, as in the library.
def _pieces(formula: str, steps: list[Step]):
    data, at = formula.encode(), 0
    for step in steps:
        yield data[at:step.begin].decode(), step
        at = step.end
    yield data[at:].decode(), None


def _marked(formula: str, steps: list[Step]) -> str:
    return "".join(escape(text) + (_leaf(step) if step else "") for text, step in _pieces(formula, steps))


def _leaf(step: Step) -> str:
    why = f"rule {step.rule}" if step.rule else f"{step.source}, log-probability {step.solver_log_prob:.3g}"
    return f'<span style="{_MARK}" title="{escape(f"{step.value} ({why})")}">{escape(step.leaf)}</span>'


def _rewritten(formula: str, steps: list[Step]) -> str:
    return "".join(text + (step.value if step else "") for text, step in _pieces(formula, steps))
