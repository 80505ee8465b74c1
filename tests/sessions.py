"""What pages show of the program, and whether it is what the program prints.

A block that begins with "$ " is a session: each "$ command" line is followed by its output, where a line "..." stands for
anything. Numbers with four decimals are log-probabilities and thresholds. A log-probability may differ a little, for
machines round differently. A threshold, the number behind a "≥", is a field of the model's file and may not, unless the
model was trained just now: it is twice the score of a rare leaf, so it moves much further than the scores do."""
import re

NUMBER = re.compile(r"-?\d+\.\d{4}(?!\d)")
THRESHOLD = "≥ "

# Of a model that is in the repository; and of one that was trained just now, perhaps on another processor.
SHIPPED = 0.0005
TRAINED = 0.02
TRAINED_THRESHOLD = 0.1


def blocks(text, kinds):
    """The code blocks of a page that are of one of these kinds."""
    return re.findall(r"^```(?:%s)\n(.*?)^```" % "|".join(kinds), text, re.M | re.S)


def sessions(text):
    for block in blocks(text, ["console", "sh"]):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, expected
                command, expected = line[2:], []
            else:
                expected.append(line)
        if command:
            yield command, expected


def thresholds(text):
    return [float(m.group()) for m in NUMBER.finditer(text) if text[:m.start()].endswith(THRESHOLD)]


def difference(expected, actual, tolerance=SHIPPED):
    """What is wrong with an output, or nothing. `expected` are the lines that a page shows."""
    pattern, shown = "", []
    for line in expected:
        if line == "...":
            pattern += ".*"
            continue
        end = 0
        for number in NUMBER.finditer(line):
            pattern += re.escape(line[end:number.start()]) + r"(-?\d+\.\d{4})(?!\d)"
            shown.append((float(number.group()), line[:number.start()].endswith(THRESHOLD)))
            end = number.end()
        pattern += re.escape(line[end:]) + "\n"
    found = re.fullmatch(pattern, actual, re.S)
    if found is None:
        return "the text differs"
    for (page, is_threshold), program in zip(shown, map(float, found.groups())):
        if is_threshold:
            if abs(page - program) > (0 if tolerance == SHIPPED else TRAINED_THRESHOLD):
                return "the page says that the threshold is %.4f, it is %.4f" % (page, program)
        elif abs(page - program) > tolerance:
            return "the page says %.4f, the program %.4f" % (page, program)
    return None
