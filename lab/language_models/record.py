"""The record of a run: a file with a line of JSON for each request, the first of which says what was
run. The scores can be computed again from it alone. docs/baselines.md describes the fields."""
import fcntl
import json
import os
import pathlib

import chat
from chat import Failure
from questions import Question

HEAD = {"record": "nrs baseline llm", "format": 1}


class Record:
    """Whoever kills the program loses at most the line that is being written."""

    def __init__(self, path, resume):
        self.path = path
        mode = os.O_RDWR | os.O_APPEND | os.O_CREAT | (0 if resume else os.O_EXCL)
        try:
            self.file = os.open(path, mode, 0o666)
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileExistsError:
            raise Failure(2, "%s: this record already exists (--resume continues it, --record names "
                             "another file)" % path) from None
        except BlockingIOError:
            raise Failure(2, "%s: another run is writing this record" % path) from None
        except OSError as error:
            raise Failure(1, "%s: cannot write: %s" % (path, error.strerror)) from None

    def open_for(self, settings):
        """The replies that are in the record. It must be of a run with the same settings."""
        if os.fstat(self.file).st_size == 0:
            self.write({**HEAD, **settings})
            return {}
        known, _, exchanges = read_record(self.path)
        for name, value in known.items():
            if name != "endpoint" and value != settings[name]:
                raise Failure(2, "%s: this is the record of another run: %s was %s, now %s (--record "
                                 "names another file)" % (self.path, name, json.dumps(value),
                                                          json.dumps(settings[name])))
        os.ftruncate(self.file, pathlib.Path(self.path).read_bytes().rfind(b"\n") + 1)
        return exchanges

    def write(self, line):
        data = (chat.compact(line) + "\n").encode()
        try:
            while data:
                data = data[os.write(self.file, data):]
        except OSError as error:
            raise Failure(1, "%s: cannot write: %s" % (self.path, error.strerror)) from None

    def write_exchange(self, turn, request, tried, reply):
        question, sample, call = turn
        line = {**question._asdict(), "sample": sample, "call": call, "try": tried,
                "request": request, "status": reply.status, "seconds": reply.seconds,
                "error": reply.error, "retry_after": reply.retry_after,
                "reply": reply.body.decode("utf-8", "backslashreplace")}
        self.write({name: value for name, value in line.items() if value not in ("", None)
                    or name in ("args", "reply")})


def settings_in(line):
    if line["record"] != HEAD["record"] or line["protocol"] not in chat.PROTOCOLS:
        raise Failure(3, "this is not the record of a baseline")
    if line["format"] != HEAD["format"]:
        raise Failure(3, "format %s, this program reads %d" % (line["format"], HEAD["format"]))
    return {name: line[name]
            for name in ("model", "fields", "protocol", "samples", "questions", "endpoint")}


def read_record(path):
    """Settings, lines, and for each turn that was answered: request, content, tokens. A half line at
    the end is passed over."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").split("\n")[:-1]
    except (OSError, ValueError) as error:
        raise Failure(1, "%s: cannot read: %s" % (path, error)) from None
    if not lines:
        raise Failure(3, "%s: the record is empty" % path)
    settings, exchanges, answers = None, [], {}
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            if number == 1:
                settings = settings_in(line)
                continue
            turn = (Question(*(line[n] for n in Question._fields)), line["sample"], line["call"])
            exchanges.append((turn, line["seconds"]))
            if line["status"] == 200 and "error" not in line:
                answers[turn] = (line["request"], *chat.read_answer(line["reply"].encode()))
        except chat.Trouble:
            pass  # a reply without an answer
        except Failure as failure:
            raise Failure(3, "%s:%d: %s" % (path, number, failure)) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Failure(3, "%s:%d: this is not a line of a record" % (path, number)) from None
    return settings, exchanges, answers
