"""Bars and histograms, as SVG. All charts are drawn as wide as a phone, so that text stays readable
there; a page puts several side by side."""
import collections
import dataclasses
import typing

from svg import Chart, Scale, Svg, show_number

WIDTH = 440


BarPart = collections.namedtuple("BarPart", "value colour label")


@dataclasses.dataclass
class Bar:
    label: str
    parts: list[BarPart] = dataclasses.field(default_factory=list)  # none: not known
    note: str = ""  # behind the bar
    published: bool = False  # drawn paler
    heading: bool = False  # a title of the bars below, no bar

    def height(self):
        return 28 if self.heading else 32


@dataclasses.dataclass
class BarChart(Chart):
    """Bars lie, with their labels above them."""
    to: float = 1
    percent: bool = False
    log_from: float | None = None  # a logarithmic scale; then one part per bar
    bars: list[Bar] = dataclasses.field(default_factory=list)

    LEFT, TOP, BOTTOM, BAR_HEIGHT = 6, 28, 40, 11
    NOTE = 92  # behind the longest bar

    def draw(self):
        bottom = self.TOP + sum(bar.height() for bar in self.bars)
        x = Scale(self.log_from or 0, self.to, self.LEFT, WIDTH - self.NOTE,
                  self.log_from is not None)
        svg = Svg(self, WIDTH, bottom + self.BOTTOM)
        svg.text(self.LEFT, 16, self.title, "chart-title")
        self.draw_axis(svg, x, bottom)
        y = self.TOP
        for bar in self.bars:
            if bar.heading:
                svg.text(self.LEFT, y + bar.height() - 8, bar.label, "bar-heading")
            else:
                self.draw_bar(svg, x, bar, y)
            y += bar.height()
        return svg.finish()

    def draw_axis(self, svg, x, bottom):
        for tick in x.ticks(5):
            svg.line(x.at(tick), self.TOP, x.at(tick), bottom, "grid")
            svg.text(x.at(tick), bottom + 16, show_number(tick * 100 if self.percent else tick),
                     "tick", "start" if tick == x.start else "middle")
        svg.text((self.LEFT + WIDTH - self.NOTE) / 2, bottom + 33, self.x_label, "label", "middle")

    def draw_bar(self, svg, x, bar, y):
        svg.text(self.LEFT, y + 13, bar.label, "bar-label")
        top, total, end = y + 17, 0, self.LEFT
        for part in bar.parts:
            begin = self.LEFT if self.log_from else x.at(total)
            total += part.value
            end = x.at(total)
            if end <= begin:
                continue
            end = max(end, begin + 1)  # what is there must be seen, be it ever so little
            svg.rect(begin, top, end - begin, self.BAR_HEIGHT,
                     f"bar{' published' if bar.published else ''} c{part.colour}",
                     f"{bar.label}, {part.label}")
        svg.text(end + 6, top + self.BAR_HEIGHT - 1, bar.note, "value" if bar.parts else "note")


@dataclasses.dataclass
class Histogram(Chart):
    """Counts of equal parts of the range `start` to `stop`, on a logarithmic scale."""
    start: float = 0
    stop: float = 1
    counts: typing.Sequence[int] = ()
    mark: float | None = None  # a vertical line
    mark_label: str = ""
    colour: int = 0

    HEIGHT, LEFT, RIGHT, TOP = 220, 62, WIDTH - 14, 30
    FLOOR = HEIGHT - 42
    LEAST = 0.5  # a count of one is already above the ground

    def draw(self):
        x = Scale(self.start, self.stop, self.LEFT, self.RIGHT)
        y = Scale(self.LEAST, max([1, *self.counts]) * 1.5, self.FLOOR, self.TOP, logarithmic=True)
        svg = Svg(self, WIDTH, self.HEIGHT)
        svg.text(6, 16, self.title, "chart-title")
        for tick in y.ticks(5):
            svg.line(self.LEFT, y.at(tick), self.RIGHT, y.at(tick), "grid")
            svg.text(self.LEFT - 6, y.at(tick) + 4, show_number(tick), "tick", "end")
        self.draw_bars(svg, x, y)
        svg.line(self.LEFT, self.FLOOR, self.RIGHT, self.FLOOR, "axis")
        for tick in x.ticks(4):
            svg.line(x.at(tick), self.FLOOR, x.at(tick), self.FLOOR + 4, "axis")
            svg.text(x.at(tick), self.FLOOR + 16, show_number(tick), "tick", "middle")
        if self.mark is not None:
            self.draw_mark(svg, x)
        svg.text((self.LEFT + self.RIGHT) / 2, self.HEIGHT - 8, self.x_label, "label", "middle")
        return svg.finish()

    def draw_bars(self, svg, x, y):
        width = (self.stop - self.start) / max(1, len(self.counts))
        for i, count in enumerate(self.counts):
            left = self.start + i * width
            if count > 0:
                svg.rect(x.at(left), y.at(count), max(1, x.at(left + width) - x.at(left) - 0.6),
                         self.FLOOR - y.at(count), f"bar c{self.colour}",
                         f"{show_number(count)} from {left:.3g} to {left + width:.3g}")

    def draw_mark(self, svg, x):
        if self.mark < self.start:
            svg.text(self.LEFT + 4, self.TOP + 6, f"{self.mark_label}, further left", "note")
            return
        place = x.at(self.mark)
        shift, anchor = (4, "start") if place < WIDTH / 2 else (-4, "end")
        svg.line(place, self.TOP - 4, place, self.FLOOR, "mark")
        svg.text(place + shift, self.TOP + 6, self.mark_label, "note", anchor)
