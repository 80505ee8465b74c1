"""nrs baseline llm: how many formulas a language model behind a chat endpoint gets right. nrs makes
the formulas and computes their values. docs/baselines.md describes everything else."""
import argparse
import concurrent.futures
import json
import os
import re
import signal
import sys
import threading
import time

import chat
import prose
from chat import Failure
from questions import gather
from record import Record
from scores import Scores, interview, percent, replay

MOST_FAILURES = 3  # in a row, and the endpoint is taken to be gone


class Run:
    """Every question once, on several connections, every reply recorded."""

    def __init__(self, settings, options, client, record):
        self.settings, self.options, self.client, self.record = settings, options, client, record
        self.known, self.scores = record.open_for(settings), Scores(settings)
        self.ended, self.lock, self.shown_at = threading.Event(), threading.Lock(), 0.0
        self.given_up, self.failure, self.in_a_row = "", "", 0

    def all(self, questions):
        """Returns the signal that ended it, or 0."""
        start = time.monotonic()
        pool = concurrent.futures.ThreadPoolExecutor(self.options.parallel)
        try:
            for done in [pool.submit(self.one, question) for question in questions]:
                done.result()
        except Interrupt as interrupt:
            return interrupt.number
        finally:  # requests that are under way are not waited for
            self.ended.set()
            pool.shutdown(wait=False, cancel_futures=True)
            self.show("", done=True)
            self.scores.seconds = time.monotonic() - start
            self.scores.interrupted = self.scores.asked() < len(questions)
        return 0

    def one(self, question):
        grade, samples_right = interview(self.settings, question, self.reply)
        failed = grade == "failed"
        with self.lock:
            if not failed or not self.ended.is_set():  # else it was broken off, and not asked
                self.scores.count(question, grade, samples_right)
            self.in_a_row = self.in_a_row + 1 if failed else 0
            if self.in_a_row >= MOST_FAILURES:
                self.give_up()
        self.show("")

    def reply(self, turn, request):
        """To one request of an interview, or None."""
        known = self.known.get(turn)
        if not known or known[0] != request:
            known = (request, *self.ask(turn, request))
        with self.lock:
            self.scores.tokens = [a + b for a, b in zip(self.scores.tokens, known[2])]
        return known[1]

    def ask(self, turn, request):
        def tried(number, reply, trouble):
            with self.lock:
                self.record.write_exchange(turn, request, number, reply)
                self.scores.tries += 1
            if trouble and trouble.kind == "again":
                self.show(str(trouble))

        try:
            if self.ended.is_set():
                raise chat.Trouble("stopped")
            return chat.ask(self.client.post, request, self.options, tried, self.ended)
        except chat.Trouble as trouble:
            self.failure = str(trouble) or self.failure
            if trouble.kind == "hopeless":
                self.give_up()
            return None, (0, 0)

    def give_up(self):
        self.given_up = self.given_up or self.failure
        self.ended.set()

    def show(self, trouble, done=False):
        """On a terminal: how far the run has come."""
        if not sys.stderr.isatty() or (time.monotonic() - self.shown_at < 0.2 and not done):
            return
        self.shown_at = time.monotonic()
        line = "%d formulas, %s %% right" % (
            self.scores.asked(), percent(self.scores.counts(self.scores.total())["accuracy"]))
        line += "; " + chat.excerpt(trouble, 60) if trouble else ""
        print("\r\x1b[K" + ("" if done else line), end="", file=sys.stderr, flush=True)


class Interrupt(BaseException):
    """Ctrl-C, or a signal that asks the program to end."""

    def __init__(self, number, _frame):
        super().__init__()
        self.number = number


def interrupt(*signal_and_frame):
    raise Interrupt(*signal_and_frame)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(2, message.removeprefix("argument ") + " (see --help)")


class Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog):
        super().__init__(prog, max_help_position=34, width=100)

    def add_usage(self, usage, actions, groups, prefix=None):
        super().add_usage(usage, actions, groups, "Usage: ")


def positive(text):
    if not float(text) > 0:
        raise argparse.ArgumentTypeError("'%s' is not greater than 0" % text)
    return int(text) if text.isdecimal() else float(text)


def parse(arguments):
    parser = Parser(prog="nrs baseline llm", usage="nrs baseline llm [OPTIONS]", add_help=False,
                    allow_abbrev=False, formatter_class=Help,
                    description="test a language model on the same formulas", epilog="""\
The key is read only from the environment and is never written anywhere.
Ctrl-C ends the run. --resume then sends only what is missing.
docs/baselines.md describes the prompts, and how answers are read and counted.
example: nrs baseline llm --endpoint http://127.0.0.1:8080/v1 --model tiny --domain listops""")
    add = parser.add_argument_group("Options").add_argument
    add("-h", "--help", action="help", help="print this help and exit")
    add("--endpoint", metavar="URL", help="address of a chat server with OpenAI's interface")
    add("--model", metavar="NAME", help="name of the model on the server")
    add("--key-from", metavar="VARIABLE", default="NRS_API_KEY",
        help="environment variable with the key, if one is needed [%(default)s]")
    add("--field", metavar="NAME=VALUE", action="append", default=[], help="additional field of each "
        "request, such as temperature=0.7; may be repeated")
    add("--parallel", type=int, choices=range(1, 257), default=1, metavar="N",
        help="requests that are sent at a time, 1 to 256 [%(default)s]")
    add("--timeout", type=positive, default=600, metavar="SECONDS",
        help="time until a request is given up [%(default)s]")
    add("--tries", type=int, choices=range(1, 1001), default=6, metavar="N",
        help="number of times a request is sent before its formula is given up [%(default)s]")
    add("--wait", type=positive, default=1, metavar="SECONDS", help="time before the second try, "
        "doubled for each further try unless the server names a time [%(default)s]")
    add("--protocol", choices=chat.PROTOCOLS, default="chain-of-thought", metavar="PROTOCOL",
        help="how the model is asked: vanilla, chain-of-thought or self-consistency [%(default)s]")
    add("--samples", type=int, choices=range(1, 1001), metavar="N",
        help="with self-consistency: answers per formula; the most common one wins [10]")
    add("--data", metavar="FILE", help="CSV file with the column X (formula), or - for standard "
        "input; default: formulas are generated")
    add("--domain", choices=prose.DOMAINS, metavar="DOMAIN",
        help="logic, listops, arithmetic or algebra")
    add("--nesting", metavar="RANGE",
        help="bracket depth, such as 3 or 1-6; default: the paper's test levels")
    add("--args", metavar="RANGE", help="arguments of each operator, such as 3 or 2-4; default: all "
        "numbers that the domain allows")
    add("--space", choices=("whole", "paper"), default="paper", metavar="SPACE", help="whole: every "
        "kind of formula; paper: only the kinds that the paper's generator makes [%(default)s]")
    add("--count", type=int, default=100, metavar="N",
        help="distinct formulas per nesting level [%(default)s]")
    add("--seed", type=int, default=0, metavar="N",
        help="random seed; nrs generate makes the same formulas with it [%(default)s]")
    add("--record", metavar="FILE",
        help="file for every request and reply, as JSON lines [llm-MODEL-DOMAIN.jsonl]")
    add("--resume", action="store_true", help="continue the record of an earlier run")
    add("--replay", metavar="FILE", help="show the scores of a record, and send nothing")
    add("--json", action="store_true", help="one JSON object")
    return check(parser.parse_args(arguments))


def check(options):
    if options.replay and (options.endpoint or options.resume or options.record):
        raise Failure(2, "--replay cannot be used with --endpoint, --record or --resume")
    if options.samples and options.protocol != "self-consistency":
        raise Failure(2, "--samples needs --protocol self-consistency")
    if not options.replay and not options.endpoint:
        raise Failure(2, "--endpoint is missing (such as http://127.0.0.1:8080/v1; or --replay the "
                         "record of an earlier run)")
    if not options.replay and not options.model:
        raise Failure(2, "--model is missing (the name that the endpoint knows it by)")
    return options


def fields_of(assignments):
    """"NAME=VALUE"; a value that is not JSON is a text."""
    fields = {}
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        if not name or "=" not in assignment or name in ("model", "messages", "stream", "n"):
            raise Failure(2, "request field '%s' has no value or cannot be set (write it as in "
                             "temperature=0.7)" % chat.excerpt(assignment))
        parsed = chat.load(value)
        fields[name] = parsed if parsed is not None or value == "null" else value
    return fields


def settings_of(options):
    chosen = ("data", "domain") if options.data else (
        "domain", "nesting", "args", "space", "count", "seed")
    return {"model": options.model, "fields": fields_of(options.field), "protocol": options.protocol,
            "samples": options.samples or chat.SAMPLES[options.protocol],
            "questions": {name: getattr(options, name) for name in chosen},
            "endpoint": options.endpoint}


def read_key(variable):
    """Read here and given to the connection, and to nothing else."""
    key = os.environ.get(variable, "")
    if not all(" " < character < "\x7f" for character in key):
        raise Failure(2, "%s holds blanks or other characters that no key has (is there a line end "
                         "in it?)" % variable)
    return key


def run_questions(options):
    """Scores, complaint, exit code."""
    settings, key = settings_of(options), read_key(options.key_from)
    client = chat.Client(chat.chat_url(options.endpoint, bool(key)), key, options.timeout)
    questions = gather(options)
    run = Run(settings, options, client, Record(options.record, options.resume))
    ended_by = run.all(questions)
    if ended_by:
        return run.scores, 128 + ended_by, ("interrupted; %s has all replies so far: continue with "
                                            "--resume" % options.record)
    if run.given_up:
        return run.scores, 1, "gave up: %s (--resume continues with %s)" % (run.given_up,
                                                                           options.record)
    failed = run.scores.total()["failed"]
    return run.scores, min(failed, 1), ("formulas that failed: %d, the last one because: %s (--resume "
                                        "asks them again)" % (failed, run.failure) if failed else "")


def run_replay(options):
    scores = replay(options.replay)
    failed = scores.total()["failed"]
    return scores, min(failed, 1), ("%s: formulas without an answer: %d (the run was interrupted, or "
                                    "gave up)" % (options.replay, failed) if failed else "")


def main(arguments):
    try:
        options = parse(arguments)
        name = "llm-" + "-".join(filter(None, (options.model, options.domain)))
        options.record = options.record or re.sub("[^0-9A-Za-z._]", "-", name) + ".jsonl"
        scores, code, complaint = run_replay(options) if options.replay else run_questions(options)
        told = scores.as_json(options.replay or options.record)
        print(json.dumps(told, indent=2, ensure_ascii=False) if options.json else scores.as_table(),
              flush=True)
    except Failure as failure:
        code, complaint = failure.code, str(failure)
    except Interrupt as early:
        code, complaint = 128 + early.number, "interrupted"
    if complaint:
        print("nrs: " + complaint, file=sys.stderr, flush=True)
    return code


if __name__ == "__main__":
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, interrupt)
    os._exit(main(sys.argv[1:]))  # sys.exit would wait for the requests that are under way
