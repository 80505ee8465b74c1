"""The parts of nrs baseline llm, without a server: questions, answers in words, messages, votes, what is worth another try,
and records. baseline_test.py has whole runs."""
import json
import os
import pathlib
import random
import sys
import tempfile
import threading
import time
import types
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["ROOT"]) / "lab" / "language_models"))
import ask
import chat
import prose
import questions
import record
import scores
from chat import Failure, Reply, Trouble

# What a language model may write, and the answer that is in it.
REPLIES = {
    "arithmetic": {"": [
        ("-48", "-48"), ("The answer is 20.", "20"), ("Final answer: **-48**", "-48"),
        ("\\[ \\boxed{-48} \\] as 100 is the modulus", "-48"), ("-448 modulo -100 is -48", "-48"), ("-48 (mod 100)", "-48"),
        ("-48 (modulus -100).", "-48"), ("$-48 \\pmod{100}$", "-48"), ("-448 % -100 = -48", "-48"), ("It is \u221248", "-48"),
        ("= - 48", "-48"), ("- 48", "-48"), ("(3-4)", "4"), ("5 - 20", "20"), ("5 -20", "20"), ("so -20", "-20"),
        ("Steps:\n- 20", "20"), ("20.0", "20"), ("20.50", "20.5"), ("1,234", "1234"), ("first 7, 8", "8"), ("-0", "0"),
        ("007", "7"), ("**Answer:** `12`", "12"), ("-448", "-448"), ("I'm sorry, but I cannot help with that.", None),
        ("modulo 100", None), ("", None)]},
    "listops": {"": [
        ("3", "3"), ("[MIN [SM 5 4] [MIN 3 9]] = [MIN 9 3] = 3", "3"), ("SM 9 8 = 17 modulo 10 = 7", "7"),
        ("The result is 7 (sum modulo 10).", "7"), ("12", "12"),  # not 2: that is not what it says
        ("It depends on the list.", None)]},
    "algebra": {
        "(+1*y+2*y)": [
            ("+17*y", "+17*y"), ("The answer is 17y.", "+17*y"), ("17 y", "+17*y"), ("= -17\u00b7y modulo 100", "-17*y"),
            ("$-17 \\cdot y$", "-17*y"), ("66y - 43y = 23y", "+23*y"), ("yes, y", "+y"), ("-1*y", "-y"), ("**-y**", "-y"),
            ("- 17 y", "-17*y"), ("the sum is 0", "+0*y"), ("-0*y", "+0*y"), ("117*y", "+117*y"), ("17*y^2", "+17*y^"),
            ("17*y, obtained by a sum", "+17*y"), ("I know a way but not the result", None), ("17", None),
            ("66*y -43*y", "+43*y"), ("it is -43*y", "-43*y"), ("17*x*yes", None)],
        "(+1*a*x+2*a*x)": [("17 a x", "+17*a*x"), ("17 a*x", "+17*a*x"), ("17xa", "+17*a*x"),
                           ("17*x*a, a monomial.", "+17*a*x"), ("so it is 0.", "+0*a*x")],
        "(+1*b*y+2*b*y)": [("by", "+b*y"), ("Answer: by", "+b*y"), ("17 b y", "+17*b*y"), ("divided by", None)],
        "(+1*a*b*x*y+2*a*b*x*y)": [("*17abxy*", "+17*a*b*x*y")]},
    "logic": {
        "(a&z)": [
            ("True", "T"), ("The expression simplifies to **false**.", "F"), ("F", "F"), ("z", "z"), ("(z OR False) = z", "z"),
            ("True: it's a tautology", "T"), ("The answer is a.", "a"), ("Final answer: `a`", "a"), ("'z'", "z"),
            ("z is a variable", "z"), ("q", None), ("", None)],  # q is not in the formula
        "(e&T)": [("True, e.g. by absorption", "T")], "(i&T)": [("I cannot say", None)]}}


def atoms(domain):
    """All values, as nrs writes them, and a formula for each."""
    if domain == "listops":
        return [(str(n), "[MIN12]") for n in range(10)]
    if domain == "arithmetic":
        return [(str(n), "(1+2)") for n in range(-99, 100)]
    if domain == "logic":
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [(value, "(T&%s)" % "&".join(letters)) for value in [*letters, "T", "F"]]
    variables = ("x", "y", "x*y", "a*x", "b*y", "a*b*x*y")
    return [("%+d*%s" % (n, v) if abs(n) != 1 else "%s%s" % ("+-"[n < 0], v), "(+1*%s+2*%s)" % (v, v))
            for n in range(-99, 100) for v in variables]


class Prose(unittest.TestCase):
    def test_replies_of_many_kinds(self):
        for domain, formulas in REPLIES.items():
            for formula, rows in formulas.items():
                for reply, answer in rows:
                    with self.subTest(domain=domain, reply=reply):
                        self.assertEqual(prose.answer_in(domain, reply, formula), answer)

    def test_every_value_is_found_in_a_sentence(self):
        for domain in prose.DOMAINS:
            for atom, formula in atoms(domain):
                self.assertEqual(prose.answer_in(domain, "Hence the answer is %s." % atom, formula), atom)

    def test_the_question_of_the_paper(self):
        self.assertEqual(prose.question_of("listops", "[MIN[SM54][MIN39]]"),
                         "MIN, MAX, and SM are operators on lists of single-digit integers, representing minimum, maximum, "
                         "and sum modulo 10, respectively. Solve the following expression using these operators: "
                         "[MIN [SM 5 4] [MIN 3 9]].")
        self.assertIn(": (NOT (a AND True) OR False).", prose.question_of("logic", "(!(a&T)|F)"))

    def test_nrs_reads_the_formula_in_a_question(self):
        for domain in prose.DOMAINS:
            options = types.SimpleNamespace(domain=domain, data=None, nesting="1-3", args=None, space="whole", count=20, seed=3)
            asked = questions.gather(options)
            self.assertEqual(len(asked), 60)
            texts = [prose.question_of(domain, q.formula).split(": ", 1)[1].split(".")[0] for q in asked]
            lines = "".join(text + "\n" for text in texts)
            told = questions.run_nrs("simplify", "--engine", "oracle", "--json", "--trace", "--domain", domain, lines=lines)
            for question, line in zip(asked, told.splitlines()):
                self.assertEqual(json.loads(line)["trace"][0]["formula"], question.formula)
                self.assertEqual(json.loads(line)["result"], question.value)
                self.assertEqual(questions.depth(question.formula), question.nesting)

    def test_any_text_is_read_in_time_that_grows_with_its_length(self):
        for piece in " ", "-", "% ", "mod ", "0,000", "\\boxed{", "1 ", "x*", "a ", "x*x*2", "{", "xy", "1,", "- ", "by ":
            text = piece * (50000 // len(piece))
            start = time.monotonic()
            for domain in prose.DOMAINS:
                prose.answer_in(domain, text, "(a&z)")
            self.assertLess(time.monotonic() - start, 5, piece)
        rng = random.Random(1)
        for _ in range(500):
            text = "".join(rng.choice("abxyTF019 -*.,{}()%'\\mod\n") for _ in range(rng.randrange(40)))
            for domain in prose.DOMAINS:
                self.assertIsInstance(prose.answer_in(domain, text, "(a&z)"), (str, type(None)))


class Files(unittest.TestCase):
    def gather(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write(text)
            file.flush()
            return questions.gather(types.SimpleNamespace(domain=None, data=file.name))

    def test_nrs_reads_the_formulas_and_computes_the_values(self):
        self.assertEqual(self.gather("X,Y,num_operands\n(True AND a),wrong,2\n((1+2)*3),9,\n(T&a),a,2\n"),
                         [questions.Question("logic", "(T&a)", "a", 1, 2),
                          questions.Question("arithmetic", "((1+2)*3)", "9", 2, None)])

    def test_bad_rows_have_a_place(self):
        for text, words in ("X,Y\n(1+2),3\n(1+,3\n", ":3: column"), ("A,B\n1,2\n", "no column X"):
            with self.assertRaises(Failure) as caught:
                self.gather(text)
            self.assertEqual(caught.exception.code, 3)
            self.assertIn(words, str(caught.exception))


def body_of(content, **more):
    return json.dumps({"choices": [{"message": {"content": content}}], **more}).encode()


class Chat(unittest.TestCase):
    def test_two_calls_of_a_chain_of_thought(self):
        first = chat.messages_of("chain-of-thought", "What is 1+1?", [])
        self.assertEqual(first, [{"role": "user", "content": "Q: What is 1+1?\nA: Let's think step-by-step."}])
        second = chat.messages_of("self-consistency", "What is 1+1?", ["One and one ..."])
        self.assertEqual([m["role"] for m in second], ["user", "assistant", "user"])
        self.assertEqual((second[0], second[1]["content"]), (first[0], "One and one ..."))
        self.assertEqual(len(chat.messages_of("vanilla", "What?", [])), 1)

    def test_calls_and_samples_of_the_protocols(self):
        self.assertEqual([(name, chat.PROTOCOLS[name], chat.SAMPLES[name]) for name in chat.PROTOCOLS],
                         [("vanilla", 1, 1), ("chain-of-thought", 2, 1), ("self-consistency", 2, 10)])

    def test_the_most_frequent_answer_wins_and_a_tie_goes_to_the_first(self):
        self.assertEqual(chat.vote(["1", "2", "2"]), "2")
        self.assertEqual(chat.vote(["1", "2", "2", "1"]), "1")
        self.assertEqual(chat.vote([None, "2", None, "1"]), "2")
        self.assertIsNone(chat.vote([None, None]))
        self.assertIsNone(chat.vote([]))

    def test_fields_of_requests(self):
        self.assertEqual(ask.fields_of(["temperature=0.5", "reasoning_effort=high", "seed=null"]),
                         {"temperature": 0.5, "reasoning_effort": "high", "seed": None})
        for bad in "temperature", "=1", "messages=[]", "n=10", "stream=true", "model=x":
            with self.assertRaises(Failure, msg=bad):
                ask.fields_of([bad])

    def test_answers_are_read_and_faults_are_named(self):
        self.assertEqual(chat.read_answer(body_of("7")), ("7", [0, 0]))
        self.assertEqual(chat.read_answer(body_of(""))[0], "")
        self.assertEqual(chat.read_answer(body_of(None))[0], "")
        self.assertEqual(chat.read_answer(b'{"choices":[{"message":{"refusal":"no"}}]}')[0], "")
        self.assertEqual(chat.read_answer(body_of([{"text": "1"}, {"image": 2}, {"text": "2"}]))[0], "12")
        self.assertEqual(chat.read_answer(body_of("7", usage={"prompt_tokens": 5, "completion_tokens": "x"}))[1], [5, 0])
        for body, what in ((b"", "nothing"), (b"<html>", "<html>"), (b"[]", "[]"), (b"{}", "{}"), (b'{"choices":[]}', "choices"),
                           (b'{"choices":[5]}', "no answer"), (b'{"choices":[{"message":{}}]}', "no answer"),
                           (body_of(5), "content that is not text"), (b'{"error":{"message":"overloaded"}}', "overloaded"),
                           (b"\xff\xfe", "no answer"), (b"[" * 100000, "no answer")):
            with self.assertRaises(Trouble) as caught:
                chat.read_answer(body)
            self.assertIn(what, str(caught.exception))
            self.assertEqual(caught.exception.kind, "again")

    def test_what_a_server_says_is_one_printable_line(self):
        self.assertEqual(chat.error_in(b'{"error":{"message":"no \\u001b[31m\\nmemory"}}'), "no  [31m memory")
        self.assertEqual(chat.error_in(b'{"error":"plain"}'), "plain")
        self.assertEqual(chat.error_in(b'{"message":"other"}'), "other")
        self.assertEqual(chat.error_in(b"<html>"), "")
        self.assertEqual(len(chat.excerpt("x" * 1000)), 163)


class Patience(unittest.TestCase):
    def kind(self, status, body=b"", **more):
        with self.assertRaises(Trouble) as caught:
            chat.judge(Reply(status, body, **more))
        self.why = str(caught.exception)
        return caught.exception.kind

    def test_what_is_worth_another_try(self):
        for status in 408, 425, 429, 500, 502, 503, 504:
            self.assertEqual(self.kind(status), "again", status)
        for status in 400, 413, 422:
            self.assertEqual(self.kind(status), "refused", status)
        for status in 301, 302, 307, 401, 403, 404, 405:
            self.assertEqual(self.kind(status), "hopeless", status)
        self.assertEqual(chat.judge(Reply(200, body_of("7")))[0], "7")
        self.assertEqual(self.kind(200, b"{}"), "again")
        self.assertEqual(self.kind(200, body_of("7"), error="cut off"), "again")
        self.assertEqual(self.kind(401, b'{"error":{"message":"bad key"}}'), "hopeless")
        self.assertEqual(self.why, "HTTP status 401: bad key")

    def test_waits_grow_are_bounded_and_follow_the_server(self):
        for tried in range(1, 21):
            wait = chat.wait_after(tried, None, 1)
            self.assertGreaterEqual(wait, min(30, 0.5 * 2 ** (tried - 1)))
            self.assertLessEqual(wait, chat.LONGEST_WAIT)
        self.assertEqual(chat.wait_after(1, 17, 1), 17)

    def converse(self, *replies, stopped=False):
        """Asks a server that gives these replies, one after the other."""
        left, self.tried, ended = iter(replies), [], threading.Event()
        if stopped:
            ended.set()
        return chat.ask(lambda request: next(left), "{}", types.SimpleNamespace(tries=3, wait=0.001),
                        lambda number, reply, trouble: self.tried.append(number), ended)

    def test_tries_again_and_then_no_more(self):
        self.assertEqual(self.converse(Reply(500), Reply(200, b"cut"), Reply(200, body_of("7")))[0], "7")
        self.assertEqual(self.tried, [1, 2, 3])
        for replies, stopped, kind, why, tried in (
                ([Reply(500)] * 3, False, "refused", "HTTP status 500 (3 tries)", [1, 2, 3]),
                ([Reply(401)], False, "hopeless", "HTTP status 401", [1]),
                ([Reply(429, retry_after=601)], False, "refused", "HTTP status 429 (try again in 601 s)", [1]),
                ([Reply(500)], True, "stopped", "", [1])):
            with self.assertRaises(Trouble) as caught:
                self.converse(*replies, stopped=stopped)
            self.assertEqual((caught.exception.kind, str(caught.exception), self.tried), (kind, why, tried))


class Addresses(unittest.TestCase):
    def test_the_chat_under_an_endpoint(self):
        for endpoint in "https://host/v1", "https://host/v1/", "https://host/v1/chat/completions":
            self.assertEqual(chat.chat_url(endpoint, True), "https://host/v1/chat/completions")
        self.assertEqual(chat.chat_url("http://[::1]:8080", True), "http://[::1]:8080/chat/completions")
        self.assertEqual(chat.chat_url("http://host/v1", False), "http://host/v1/chat/completions")

    def test_this_machine_itself(self):
        for host in "127.0.0.1", "127.1.2.3", "localhost", "::1":
            self.assertTrue(chat.is_loopback(host), host)
        for host in "127.example.org", "10.0.0.1", "example.org":
            self.assertFalse(chat.is_loopback(host), host)

    def test_a_key_is_cut_out_of_all_parts_of_a_reply(self):
        client = chat.Client("https://host/v1", "sk-0123456789", 1)
        reply = Reply(body=b"<sk-0123456789>", error="sk-0123456789", redirect="http://x/?sk-0123456789")
        client.scrub(reply)
        self.assertEqual((reply.body, reply.error, reply.redirect), (b"<[key]>", "[key]", "http://x/?[key]"))
        short = Reply(body=b"abc")
        chat.Client("https://host/v1", "a", 1).scrub(short)
        self.assertEqual(short.body, b"abc")


class Interview(unittest.TestCase):
    def judged(self, *finals):
        settings = {"model": "tiny", "fields": {}, "protocol": "self-consistency", "samples": len(finals)}
        question = questions.Question("arithmetic", "(28*-16)", "-48", 1, 2)
        return scores.interview(settings, question, lambda turn, request: "I think 99" if turn[2] == 0 else finals[turn[1]])

    def test_outcomes_are_distinguished(self):
        self.assertEqual(self.judged("-48", "5", "The answer is -48."), ("correct", 2))
        self.assertEqual(self.judged("5", "-48", "5"), ("wrong", 1))
        self.assertEqual(self.judged("5", "-48"), ("wrong", 1))
        self.assertEqual(self.judged("I can't.", "-48"), ("correct", 1))
        self.assertEqual(self.judged("I can't.", "Sorry."), ("unparsed", 0))
        self.assertEqual(self.judged("-48", None, "-48"), ("failed", 0))
        self.assertEqual(self.judged("<think>is it 5?</think>-48"), ("correct", 1))

    def test_percents_are_cut(self):
        self.assertEqual([scores.percent(s) for s in (None, 0, 0.99999, 1)], ["-", "0.00", "99.99", "100"])


SETTINGS = {"model": "tiny", "fields": {"temperature": 0.5}, "protocol": "chain-of-thought", "samples": 1,
            "questions": {"domain": "listops"}, "endpoint": "http://127.0.0.1/v1"}
TURN = (questions.Question("listops", "[MIN12]", "1", 1, 2), 0, 0)


class Records(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name) / "record.jsonl"

    def open(self, resume=True, settings=SETTINGS):
        opened = record.Record(self.path, resume)
        self.addCleanup(lambda: os.close(opened.file) if opened.file else None)
        return opened, opened.open_for(settings)

    def close(self, opened):
        os.close(opened.file)
        opened.file = None

    def write_two(self):
        opened, known = self.open(resume=False)
        self.assertEqual(known, {})
        opened.write_exchange(TURN, '{"a":1}', 1, Reply(200, body_of('I think\nfirst: "é"'), seconds=0.5))
        opened.write_exchange((*TURN[:2], 1), "{}", 2, Reply(200, body_of("1"), seconds=0.5))
        self.close(opened)

    def test_comes_back_as_it_was(self):
        self.write_two()
        settings, exchanges, answers = record.read_record(self.path)
        self.assertEqual(settings, SETTINGS)
        self.assertEqual([turn for turn, _ in exchanges], [TURN, (*TURN[:2], 1)])
        self.assertEqual(sum(seconds for _, seconds in exchanges), 1)
        self.assertEqual(answers[TURN], ('{"a":1}', 'I think\nfirst: "é"', [0, 0]))
        self.assertNotIn((TURN[0], 1, 0), answers)

    def test_only_answers_are_answers(self):
        opened, _ = self.open(resume=False)
        for reply in (Reply(200, b"\xff\x00\x80"), Reply(200, body_of("1#").replace(b"#", b"\xe9")),
                      Reply(200, body_of("1"), error="cut"), Reply(429, body_of("1"), retry_after=3)):
            opened.write_exchange(TURN, "{}", 1, reply)
        _, exchanges, answers = record.read_record(self.path)
        self.assertEqual((len(exchanges), answers), (4, {}))
        lines = [json.loads(line) for line in self.path.read_text().splitlines()[1:]]
        self.assertEqual((lines[0]["reply"], lines[3]["retry_after"], lines[2]["error"]), ("\\xff\x00\\x80", 3, "cut"))
        self.assertNotIn("error", lines[0])

    def test_every_cut_of_a_file_is_read_and_continued(self):
        self.write_two()
        whole = self.path.read_bytes()
        for size in range(whole.find(b"\n") + 1, len(whole) + 1, 7):
            self.path.write_bytes(whole[:size])
            self.assertLessEqual(len(record.read_record(self.path)[2]), 2)
            opened, _ = self.open()
            opened.write_exchange((TURN[0], 5, 0), "{}", 1, Reply(200, body_of("1")))
            self.close(opened)
            self.assertIn((TURN[0], 5, 0), record.read_record(self.path)[2])

    def test_is_neither_overwritten_nor_shared(self):
        self.write_two()
        for open_again in lambda: self.open(resume=False), lambda: self.open() and self.open():
            with self.assertRaises(Failure) as caught:
                open_again()
            self.assertEqual(caught.exception.code, 2)

    def test_faults_have_a_place(self):
        first = json.dumps({**record.HEAD, **SETTINGS}) + "\n"
        for text, fault in (("", ": the record is empty"), ("{}\n", ":1: this is not a line of a record"),
                            ('{"record":"x","protocol":"y"}\n', ":1: this is not the record of a baseline"),
                            (first + "{}\n", ":2: this is not a line"), (first + "x\n" + first, ":2: this is not a line"),
                            (first + "[]\n", ":2: this is not a line"),
                            (first.replace('"format": 1', '"format": 2'), ":1: format 2, this program reads 1")):
            self.path.write_text(text)
            with self.assertRaises(Failure) as caught:
                record.read_record(self.path)
            self.assertIn(str(self.path) + fault, str(caught.exception))
            self.assertEqual(caught.exception.code, 3)
        self.path.write_text(first + '{"half')
        self.assertEqual(record.read_record(self.path)[1], [])

    def test_says_in_what_two_runs_differ(self):
        self.write_two()
        opened, _ = self.open(settings={**SETTINGS, "endpoint": "http://elsewhere/v1"})
        self.close(opened)
        with self.assertRaises(Failure) as caught:
            self.open(settings={**SETTINGS, "samples": 10})
        self.assertIn("samples was 1, now 10", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
