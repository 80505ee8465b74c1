"""Compares a JSON document with a format, which is JSON of the same shape: in the place of a value
it has its type, such as "count"; of a list the format of its elements, and "some" if it must not be
empty. "name?" is a field that may be null or missing, "*" stands for all members."""
from files import INPUT, Failure

DEEPEST = 1 << 24


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
            check_field(value, name, field, place + behind)


def check_field(value, name, field, prefix):
    key = name.removesuffix("?")
    optional = name.endswith("?")
    if name == "*":
        for key, member in sorted(value.items()):
            check_format(member, field, prefix + key, ".")
    elif key not in value and not optional:
        refuse(prefix + key, "is missing")
    elif value.get(key) is not None or not optional:
        check_format(value[key], field, prefix + key, ".")
