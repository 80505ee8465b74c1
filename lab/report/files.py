"""Reads JSON as strictly as nrs does, and says what is wrong in one line."""
import json
import math
import stat

IO, USAGE, INPUT = 1, 2, 3  # whose fault something is, as exit codes
MOST_BYTES = 16 << 20


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
