"""Writes SVG for a page: well-formed, without colours of its own. Classes name what something is
(chart.css says how that looks, in the light and in the dark). And from numbers to places on a
drawing, and to texts."""
import dataclasses
import math

# Characters that XML forbids are dropped.
ESCAPED = {**{code: None for code in range(32) if chr(code) not in "\n\t"},
           **str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})}


def escape(text):
    """Text as XML and HTML carry it, also within an attribute."""
    return text.translate(ESCAPED)


def coordinate(value):
    """Two decimals at most, no "-0"."""
    hundredths = math.copysign(math.floor(abs(value) * 100 + 0.5), value)
    return trimmed(f"{hundredths / 100 + 0.0:.2f}")


def trimmed(decimals):
    return decimals.rstrip("0").rstrip(".")


def show_number(value):
    """"1,234,567", "0.05", "2.5": at most three decimals, but something of every number."""
    if 0 < abs(value) < 0.01:
        return f"{value:.2g}"
    return trimmed(f"{value + 0.0:,.3f}")  # which makes no difference but to -0


def show_share(share):
    """"100 %", "99.98 %": cut and not rounded, so that 100 means all."""
    if share >= 1:
        return "100 %"
    return show_number(math.floor(share * 10000 + 1e-6) / 100) + " %"


def round_up(value):
    """The least of 1, 2, 5, 10, 20, ... (also 0.5, ...) that is not below `value`."""
    if not value > 0:
        return 1
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in (1, 2, 5) if step * power >= value * (1 - 1e-9)),
                10 * power)


class Scale:
    """Data from `start` to `stop` goes to places from `low` to `high` (which may be the smaller
    one). A logarithmic scale needs 0 < start. An empty range is widened."""

    def __init__(self, start, stop, low, high, logarithmic=False):
        self.start = max(start, 1e-9) if logarithmic else start
        if not stop > self.start:
            stop = self.start * 10 if logarithmic else self.start + 1
        self.stop, self.low, self.high, self.logarithmic = stop, low, high, logarithmic

    def at(self, value):
        """What is outside of the range stays at its edge."""
        value = min(max(value, self.start), self.stop)
        if self.logarithmic:
            share = math.log(value / self.start) / math.log(self.stop / self.start)
        else:
            share = (value - self.start) / (self.stop - self.start)
        return self.low + share * (self.high - self.low)

    def ticks(self, about):
        """About so many round numbers; of a logarithmic scale powers of ten."""
        if self.logarithmic:
            every = max(1, math.ceil(math.log10(self.stop / self.start) / about))
            first = math.ceil(math.log10(self.start) - 1e-9)
            last = math.floor(math.log10(self.stop) + 1e-9)
            return [10.0 ** power for power in range(first, last + 1, every)]
        step = round_up((self.stop - self.start) / about)
        tick, ticks = math.ceil(self.start / step - 1e-9), []
        while tick * step <= self.stop + step * 1e-6:
            ticks.append(tick * step)
            tick += 1
        return ticks


@dataclasses.dataclass
class Chart:
    id: str  # unique within a page
    title: str = ""
    description: str = ""  # for those who cannot see
    x_label: str = ""


class Svg:
    def __init__(self, chart, width, height):
        name = escape(chart.id)
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 '
            f'{coordinate(width)} {coordinate(height)}" role="img" '
            f'aria-labelledby="{name}-t {name}-d">',
            f'<title id="{name}-t">{escape(chart.title)}</title>',
            f'<desc id="{name}-d">{escape(chart.description)}</desc>']
        self.text(6, 16, chart.title, "chart-title")

    def shape(self, name, kind, hint="", **attributes):
        """`hint` is shown where a pointer rests on the element."""
        shown = " ".join(f'{key}="{value if isinstance(value, str) else coordinate(value)}"'
                         for key, value in attributes.items())
        end = f"><title>{escape(hint)}</title></{name}>" if hint else "/>"
        self.lines.append(f'<{name} class="{escape(kind)}" {shown}{end}')

    def line(self, x1, y1, x2, y2, kind):
        self.shape("line", kind, x1=x1, y1=y1, x2=x2, y2=y2)

    def rect(self, x, y, width, height, kind, hint=""):
        self.shape("rect", kind, hint, x=x, y=y, width=max(0, width), height=max(0, height))

    def text(self, x, y, text, kind, anchor="start"):
        """`anchor` is "start", "middle" or "end"."""
        self.lines.append(f'<text class="{escape(kind)}" x="{coordinate(x)}" y="{coordinate(y)}" '
                          f'text-anchor="{anchor}">{escape(text)}</text>')

    def finish(self):
        return "\n".join([*self.lines, "</svg>\n"])
