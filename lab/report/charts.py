"""Lines over nestings, steps or lengths, bars, and histograms, as SVG. All charts are drawn as wide
as a phone, so that text stays readable there; a page puts several side by side."""
import collections
import dataclasses
import math
import typing

from svg import Chart, Scale, Svg, coordinate, show_number, show_share

WIDTH = 440
HEIGHT, LEFT, TOP = 268, 60, 30  # of lines
FLOOR = HEIGHT - 42
LETTER = 6.6  # about the width of a letter of a label
LABEL_HEIGHT = 14  # labels are not nearer to each other
MOST_LABEL = 180
NOTE_HEIGHT = 16
LONGEST_NOTE = 66
LEAST = 1e-6 / 3  # less is rounding
SOLID, DASHED, DOTTED = "", " dashed", " dotted"


# The spread makes a band of y - spread to y + spread.
Point = collections.namedtuple("Point", "x y spread", defaults=[0])


@dataclasses.dataclass
class Line:
    """Colour tells what was measured, stroke and marker where it comes from."""
    label: str = ""  # at its end; may be empty
    colour: int = 0  # number of the palette
    stroke: str = SOLID
    hollow: bool = False  # rings instead of dots
    markers: bool = True
    points: list[Point] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class LineChart(Chart):
    """Values are shown as per cent from 0 to 100. What is nearly always 0 says more on a
    logarithmic scale: its bottom stands for 0, and lines that never leave it are named below the
    chart, behind the text `flat`."""
    log_x: bool = False
    log_y: bool = False
    flat: str = ""
    x_ticks: typing.Sequence[float] = ()  # empty: round numbers
    trained_to: float | None = None  # to the left of this is what a model was trained on
    lines: list[Line] = dataclasses.field(default_factory=list)

    def draw(self):
        least = self.least()
        flat = [line for line in self.lines
                if self.log_y and all(point.y <= least for point in line.points)]
        return LinePainter(
            dataclasses.replace(self, lines=[line for line in self.lines if line not in flat]),
            self.notes([line.label for line in flat if line.label])).draw()

    def least(self):
        """The bottom of a logarithmic scale: less than every value that is drawn, but 0."""
        values = [point.y for line in self.lines for point in line.points if point.y > 0]
        return max(LEAST, 10.0 ** math.floor(math.log10(min([1e-2, *values])) + 1e-9) / 3)

    def notes(self, labels):
        """The lines of text that name these below the chart."""
        notes = []
        for label in labels:
            if not notes:
                notes.append(f"{self.flat}: {label}")
            elif len(notes[-1]) + len(label) + 2 <= LONGEST_NOTE:
                notes[-1] += f"; {label}"
            else:
                notes[-1] += ";"
                notes.append(label)
        return notes


class LinePainter:
    def __init__(self, chart, notes):
        """`notes` are all that is drawn if the chart has no lines."""
        self.chart, self.notes = chart, notes
        self.bare = bool(notes) and not chart.lines
        longest = max((len(line.label) for line in chart.lines), default=0)
        self.right = WIDTH - (min(MOST_LABEL, longest * LETTER) + 18)
        self.x = self.x_scale()
        self.y = Scale(chart.least() if chart.log_y else 0, 1, FLOOR, TOP, chart.log_y)
        self.notes_from = TOP if self.bare else HEIGHT
        self.svg = Svg(chart, WIDTH, self.notes_from + NOTE_HEIGHT * len(notes))

    def draw(self):
        if not self.bare:
            self.draw_trained()
            self.draw_axes()
            for number, line in enumerate(self.chart.lines):
                # Lines that coincide would hide each other, so each is thinner than the one below
                # it: there are five widths.
                self.draw_line(line, min(len(self.chart.lines) - 1 - number, 4))
            self.draw_labels()
        for number, note in enumerate(self.notes):
            self.svg.text(6, self.notes_from + 8 + number * NOTE_HEIGHT, note, "note")
        return self.svg.finish()

    def x_scale(self):
        chart = self.chart
        seen = [*chart.x_ticks, *(point.x for line in chart.lines for point in line.points)]
        if not seen:
            return Scale(0, 1, LEFT + 8, self.right - 8)  # nothing to draw
        start = max(min(seen), 1) if chart.log_x else min(seen)
        return Scale(start, max(seen), LEFT + 8, self.right - 8, chart.log_x)

    def draw_trained(self):
        if self.chart.trained_to is None:
            return
        x = self.x.at(self.chart.trained_to)
        if self.chart.x_ticks:  # levels stand in the middle of their part of the axis
            first = self.chart.x_ticks[0]
            x += (self.x.at(first + 1) - self.x.at(first)) / 2
        self.svg.rect(LEFT, TOP, x - LEFT, FLOOR - TOP, "trained")

    def draw_axes(self):
        svg, chart = self.svg, self.chart
        for tick in self.y.ticks(8 if chart.log_y else 5):
            y = self.y.at(tick)
            svg.line(LEFT, y, self.right, y, "grid")
            svg.text(LEFT - 6, y + 4, f"{show_number(tick * 100)} %", "tick", "end")
        if chart.log_y:
            svg.text(LEFT - 6, self.y.at(0) + 4, "0", "tick", "end")
        for tick in chart.x_ticks or self.x.ticks(5):
            x = self.x.at(tick)
            svg.text(x, FLOOR + 16, show_number(tick), "tick", "middle")
            svg.line(x, FLOOR, x, FLOOR + 4, "axis")
        svg.line(LEFT, FLOOR, self.right, FLOOR, "axis")
        svg.text((LEFT + self.right) / 2, HEIGHT - 8, chart.x_label, "label", "middle")

    def path(self, points):
        """Through these places of the data."""
        return "M" + "L".join(f"{coordinate(self.x.at(x))} {coordinate(self.y.at(y))}"
                              for x, y in points)

    def draw_line(self, line, width):
        colour = f"c{line.colour}"
        if any(point.spread > 0 for point in line.points):
            upper = [(point.x, point.y + point.spread) for point in line.points]
            lower = [(point.x, point.y - point.spread) for point in reversed(line.points)]
            self.svg.shape("path", f"band {colour}", d=self.path(upper + lower) + "Z")
        if len(line.points) > 1:
            path = self.path((point.x, point.y) for point in line.points)
            self.svg.shape("path", f"line w{width} {colour}{line.stroke}", d=path)
        for point in line.points if line.markers else ():
            self.svg.shape(
                "circle", f"{'ring' if line.hollow else 'dot'} {colour}",
                f"{line.label}, {self.chart.x_label} {show_number(point.x)}: {show_share(point.y)}",
                cx=self.x.at(point.x), cy=self.y.at(point.y), r=2.4 + 0.6 * width)

    def draw_labels(self):
        """At the end of each line, moved apart where they would overlap."""
        ends = [(self.y.at(line.points[-1].y), line)
                for line in self.chart.lines if line.points and line.label]
        ends.sort(key=lambda end: end[0])
        for (end, line), y in zip(ends, spread_out([end for end, _ in ends])):
            self.svg.line(self.x.at(line.points[-1].x) + 6, end, self.right + 6, y,
                          f"leader c{line.colour}")
            self.svg.text(self.right + 9, y + 4, line.label, f"series c{line.colour}")


def spread_out(places):
    """Places in order, moved down as far as needed, and then up again from the floor."""
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + LABEL_HEIGHT)
    lowest = FLOOR
    for i in reversed(range(len(places))):
        places[i] = min(places[i], lowest)
        lowest = places[i] - LABEL_HEIGHT
    return places


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
