"""Reads JSON as strictly as nrs does, compares it with a format, says in one line what is wrong.

A format is JSON of the same shape: in the place of a value it has its type, such as "count"; of a
list the format of its elements, and "some" if it must not be empty. "name?" is a field that may be
null or missing, "*" stands for all members."""
import json
import math
import stat

IO, USAGE, INPUT = 1, 2, 3  # whose fault something is, as exit codes
MOST_BYTES = 16 << 20
DEEPEST = 1 << 24


class Failure(Exception):
    """What is wrong, where, and what to do about it."""

    def __init__(self, code, message, hint=""):
        super().__init__(f"{message} ({hint})" if hint else message)
        self.code = code


def read_bytes(path):
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a FIFO without a writer would not even open
            raise Failure(INPUT, f"{path}: not a regular file")
        if status.st_size > MOST_BYTES:
            raise Failure(
                INPUT, f"{path}: {status.st_size} bytes, more than the {MOST_BYTES} allowed")
        return path.read_bytes()
    except OSError as error:
        raise Failure(IO, f"{path}: cannot read: {error.strerror}") from None


def read_json(path):
    """Stricter than Python: no key twice, no numbers that are none."""

    def members(pairs):
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise Failure(INPUT, f"{path}: key '{twice}' comes twice")
        return found

    def number(text):
        if not math.isfinite(float(text)):
            raise Failure(INPUT, f"{path}: a number is out of range")
        return float(text)

    def no_number(text):
        raise ValueError(f"{text} is no JSON")

    try:
        text = read_bytes(path).decode("utf-8-sig")
        document = json.loads(text, object_pairs_hook=members, parse_float=number,
                              parse_constant=no_number)
        if "\\ud" in text.lower():  # half a pair stands for no character
            json.dumps(document, ensure_ascii=False).encode()
        return document
    except RecursionError:
        raise Failure(INPUT, f"{path}: JSON is nested too deep") from None
    except ValueError as error:
        place = getattr(error, "pos", getattr(error, "start", 0)) + 1
        raise Failure(INPUT, f"{path}: not JSON in UTF-8, near byte {place}") from None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64


TYPES = {
    "text": (lambda value: isinstance(value, str), "must be a text"),
    "flag": (lambda value: isinstance(value, bool), "must be true or false"),
    "number": (is_number, "must be a number"),
    "count": (is_count, "must be a whole number, not negative"),
    "share": (lambda value: is_number(value) and 0 <= value <= 1, "must be a number from 0 to 1"),
    "log_prob": (lambda value: is_number(value) and value <= 0, "must be a number not above 0"),
    "level": (lambda value: is_count(value) and 1 <= value <= 100,
              "must be a whole number from 1 to 100"),
    "nesting": (lambda value: is_count(value) and value <= DEEPEST,
                "must be a whole number, and not as large"),
    "setting": (lambda value: value in ("single", "multi"), 'must be "single" or "multi"'),
}


def refuse(place, reason, hint=""):
    raise Failure(INPUT, f"{place}: {reason}", hint)


def check_format(value, wanted, place, behind=": "):
    """`place` is the file, `behind` what stands between it and the name of a field. Fails with the
    first field that is not as it should be."""
    if isinstance(wanted, str):
        fits, rule = TYPES[wanted.removesuffix("?")]
        if not fits(value) and not (value is None and wanted.endswith("?")):
            refuse(place, rule)
    elif isinstance(wanted, list):
        if not isinstance(value, list):
            refuse(place, "must be a list")
        if not value and len(wanted) > 1:
            refuse(place, "there are none")
        for i, element in enumerate(value):
            check_format(element, wanted[0], f"{place}[{i}]", ".")
    elif not isinstance(value, dict):
        refuse(place, "must be an object")
    else:
        for name, field in wanted.items():
            for key in sorted(value) if name == "*" else [name.removesuffix("?")]:
                if name.endswith("?") and value.get(key) is None:
                    continue
                if key not in value:
                    refuse(place + behind + key, "is missing")
                check_format(value[key], field, place + behind + key, ".")
