"""What a language model answers to a question, and how many answers are right, level by level."""
import collections

import chat
import prose
from record import read_record

GRADES = ("correct", "wrong", "unparsed", "failed")


def interview(settings, question, reply):
    """The grade of the answer, and how many samples are right. `reply` answers a turn, or gives None
    if nothing comes."""
    text, answers = prose.question_of(question.domain, question.formula), []
    for sample in range(settings["samples"]):
        replies = []
        for call in range(chat.PROTOCOLS[settings["protocol"]]):
            messages = chat.messages_of(settings["protocol"], text, replies)
            request = {"model": settings["model"], "messages": messages, **settings["fields"]}
            replies.append(reply((question, sample, call), chat.compact(request)))
            if replies[-1] is None:
                return "failed", 0  # the other samples are asked when the run is resumed
        spoken = replies[-1].rpartition("</think>")[2]
        answers.append(prose.answer_in(question.domain, spoken, question.formula))
    elected = chat.vote(answers)
    grade = "unparsed" if elected is None else "correct" if elected == question.value else "wrong"
    return grade, answers.count(question.value)


class Scores:
    def __init__(self, settings):
        self.settings, self.tries, self.seconds, self.interrupted = settings, 0, 0.0, False
        self.tokens = [0, 0]
        self.levels = collections.defaultdict(collections.Counter)

    def count(self, question, grade, samples_right):
        level = self.levels[question.domain, question.nesting, question.args]
        level.update({grade: 1, "samples_right": samples_right})

    def total(self):
        return sum(self.levels.values(), collections.Counter())

    def asked(self):
        return sum(self.total()[grade] for grade in GRADES)

    def in_order(self):
        return sorted(self.levels.items(), key=lambda level: (*level[0][:2], level[0][2] or 0))

    def counts(self, tally):
        formulas = sum(tally[grade] for grade in GRADES) - tally["failed"]
        samples = formulas * self.settings["samples"]
        return {"formulas": formulas, "correct": tally["correct"],
                "answered": tally["correct"] + tally["wrong"], "wrong": tally["wrong"],
                "unparsed": tally["unparsed"], "failed": tally["failed"],
                "accuracy": tally["correct"] / formulas if formulas else None,
                "sample_accuracy": tally["samples_right"] / samples if samples else None}

    def as_json(self, record):
        levels = [{"domain": domain, "nesting": nesting, "args": args, **self.counts(tally)}
                  for (domain, nesting, args), tally in self.in_order()]
        run = self.settings
        return {"model": run["model"], "engine": "llm", "protocol": run["protocol"],
                "samples": run["samples"], **self.counts(self.total()), "seconds": self.seconds,
                "levels": levels, "requests": self.tries, "prompt_tokens": self.tokens[0],
                "completion_tokens": self.tokens[1], "fields": run["fields"],
                "endpoint": run["endpoint"], "questions": run["questions"], "record": record,
                "interrupted": self.interrupted}

    def as_table(self):
        columns = {"formulas": "formulas", "correct": "right", "accuracy": "%",
                   "sample_accuracy": "% of samples", "wrong": "wrong", "unparsed": "unparsed",
                   "failed": "failed"}
        if self.settings["samples"] == 1:
            del columns["sample_accuracy"]
        rows = [["domain", "nesting", "args", *columns.values()]]
        for (domain, nesting, args), tally in [*self.in_order(), (("", "total", ""), self.total())]:
            counts = self.counts(tally)
            cells = [percent(counts[name]) if "accuracy" in name else counts[name] for name in columns]
            rows.append([domain, nesting, "-" if args is None else args, *cells])
        varied = [len({level[i] for level in self.levels}) > 1 or i == 1 for i in range(3)]
        rows = [[str(c) for i, c in enumerate(row) if i > 2 or varied[i]] for row in rows]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
        return "\n".join([*lines, self.summary()])

    def summary(self):
        run = self.settings
        line = "%s, %s, %d sample%s: %d requests in %d:%02d, %d + %d tokens" % (
            run["model"], run["protocol"], run["samples"], "s" * (run["samples"] > 1), self.tries,
            *divmod(round(self.seconds), 60), *self.tokens)
        note = "\ninterrupted: these are only the formulas asked so far"
        return line + note if self.interrupted else line


def percent(share):
    """Cut and not rounded: "100" means all."""
    return "-" if share is None else "100" if share == 1 else "%.2f" % (int(share * 10000) / 100)


def replay(path):
    """The scores of what was recorded. Formulas of which replies are missing count as failed."""
    settings, exchanges, answers = read_record(path)
    scores = Scores(settings)
    scores.tries, scores.seconds = len(exchanges), sum(seconds for _, seconds in exchanges)

    def reply(turn, _request):
        if turn not in answers:
            return None
        _, content, tokens = answers[turn]
        scores.tokens = [a + b for a, b in zip(scores.tokens, tokens)]
        return content

    for question in dict.fromkeys(turn[0] for turn, _ in exchanges):
        scores.count(question, *interview(settings, question, reply))
    return scores
