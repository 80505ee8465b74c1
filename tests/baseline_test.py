"""nrs baseline llm against a scripted chat server: protocols, faults, records, and a key that nobody sees."""
import csv
import io
import json
import os
import pathlib
import resource
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import unittest

from chat_server import ChatServer, answer
from cli_test import NRS

KEY = "sk-test-0123456789abcdef"
LEVELS = ["--domain", "arithmetic", "--nesting", "1-2", "--count", "3", "--seed", "5"]


def solutions(*levels):
    done = subprocess.run([NRS, "generate", levels[1], "--space", "paper", *levels[2:]], capture_output=True, text=True, check=True)
    return {row["X"]: row["Y"] for row in csv.DictReader(io.StringIO(done.stdout))}


VALUES = solutions(*LEVELS)


def formula_of(request):
    """The formula in the first message: what stands between a colon and a full stop."""
    return request["messages"][0]["content"].split(": ", 2)[2 if request["messages"][0]["content"].startswith("Q: ")
                                                           else 1].split(".")[0]


def knows(handler, request, number):
    """Thinks aloud in the first call, and answers rightly in the second."""
    if len(request["messages"]) == 1 and request["messages"][0]["content"].startswith("Q: "):
        return "First, 1234."
    return "The final answer is **%s**." % VALUES[formula_of(request)]


def once(fault):
    """Right, but for a fault in the first reply."""
    return lambda handler, request, number: (
        fault(handler) if number == 0 else knows(handler, request, number))


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.record = self.folder / "record.jsonl"

    def environment(self, key=KEY):
        variables = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        return {**variables, "NRS_API_KEY": key}

    def run_nrs(self, *arguments, key=KEY):
        done = subprocess.run([NRS, "baseline", "llm", *map(str, arguments)], capture_output=True, cwd=self.folder,
                              env=self.environment(key), timeout=120)
        out, err = done.stdout.decode(), done.stderr.decode()
        if key:
            self.assertNotIn(key, out + err)
            for path in self.folder.iterdir():
                self.assertNotIn(key.encode(), path.read_bytes(), path)
        return done.returncode, out, err

    def command(self, server, *more, levels=LEVELS):
        return ["--endpoint", server.endpoint, "--model", "tiny", *levels, "--wait", "0.01", "--record", self.record,
                *more]

    def ask(self, server, *more, levels=LEVELS):
        return self.run_nrs(*self.command(server, *more, levels=levels))

    def lines(self):
        return [json.loads(line) for line in self.record.read_text().splitlines()]

    def scores(self, server, *more):
        code, out, err = self.ask(server, "--json", *more)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)


class Protocols(Case):
    def test_chain_of_thought(self):
        with ChatServer(knows) as server:
            scores = self.scores(server)
        self.assertEqual((scores["formulas"], scores["correct"], scores["accuracy"]), (6, 6, 1))
        self.assertEqual([(l["nesting"], l["formulas"], l["correct"]) for l in scores["levels"]], [(1, 3, 3), (2, 3, 3)])
        self.assertEqual((scores["engine"], scores["model"], scores["protocol"], scores["samples"]),
                         ("llm", "tiny", "chain-of-thought", 1))
        self.assertEqual((scores["requests"], scores["prompt_tokens"], scores["completion_tokens"]), (12, 84, 36))
        self.assertEqual(len(server.requests), 12)
        second = server.requests[1]["messages"]
        self.assertEqual([m["role"] for m in second], ["user", "assistant", "user"])
        self.assertEqual(second[1]["content"], "First, 1234.")
        self.assertEqual(server.headers[0]["path"], "/v1/chat/completions")
        self.assertEqual(server.headers[0]["Authorization"], "Bearer " + KEY)
        head, *exchanges = self.lines()
        self.assertEqual((head["model"], head["endpoint"]), ("tiny", server.endpoint))
        self.assertEqual([json.loads(e["request"]) for e in exchanges], server.requests)
        self.assertEqual(json.loads(exchanges[0]["reply"])["choices"][0]["message"]["content"], "First, 1234.")

    def test_vanilla_is_one_call_and_fields_are_sent(self):
        with ChatServer(knows) as server:
            scores = self.scores(server, "--protocol", "vanilla", "--field", "temperature=0.5", "--field", "user=me")
        self.assertEqual((scores["correct"], scores["requests"]), (6, 6))
        self.assertEqual((server.requests[0]["temperature"], server.requests[0]["user"]), (0.5, "me"))

    def test_self_consistency_votes(self):
        seen = {}

        def behave(handler, request, number):
            if len(request["messages"]) == 1:
                return "Hm."
            formula = formula_of(request)
            seen[formula] = seen.get(formula, 0) + 1
            return "100" if seen[formula] % 3 == 1 else VALUES[formula]  # 4 of 10 wrong

        with ChatServer(behave) as server:
            scores = self.scores(server, "--protocol", "self-consistency")
        self.assertEqual((scores["correct"], scores["samples"], scores["requests"]), (6, 10, 120))
        self.assertAlmostEqual(scores["sample_accuracy"], 0.6)

    def test_wrong_and_unparsed_are_told_apart(self):
        replies = iter(["0.5", "", "I am sorry, I cannot do this.", "-777", "?", "no"])
        with ChatServer(lambda handler, request, number: next(replies)) as server:
            code, out, err = self.ask(server, "--protocol", "vanilla")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[0].split(), ["nesting", "formulas", "right", "%", "wrong", "unparsed", "failed"])
        self.assertEqual(out.splitlines()[3].split(), ["total", "6", "0", "0.00", "2", "4", "0"])
        self.assertRegex(out.splitlines()[4], r"^tiny, vanilla, 1 sample: 6 requests in 0:0\d, 42 \+ 18 tokens$")

    def test_every_domain_is_asked_and_understood(self):
        for domain in "logic", "listops", "algebra":
            levels = ["--domain", domain, "--nesting", "1-2", "--count", "6"]
            values = list(solutions(*levels).values())
            self.record = self.folder / domain
            with ChatServer(lambda handler, request, number: values[number]) as server:
                code, out, _ = self.ask(server, "--protocol", "vanilla", "--json", levels=levels)
            self.assertEqual((code, json.loads(out)["accuracy"]), (0, 1), domain)

    def test_many_at_a_time_give_the_same_scores(self):
        def slow(handler, request, number):
            time.sleep(0.05)
            return knows(handler, request, number)

        with ChatServer(slow) as server:
            scores = self.scores(server, "--parallel", "4")
        self.assertEqual((scores["correct"], scores["requests"]), (6, 12))

    def test_formulas_of_a_file(self):
        data = self.folder / "data.csv"
        data.write_text("X,Y\n(1+2),3\n(T&a),a\n(1+2),3\n")
        with ChatServer(lambda handler, request, number: ["3", "a"][number]) as server:
            code, out, _ = self.ask(server, "--protocol", "vanilla", "--json", levels=["--data", str(data)])
        self.assertEqual((code, json.loads(out)["correct"]), (0, 2))


class Faults(Case):
    def expect_recovery(self, fault, *more):
        with ChatServer(once(fault)) as server:
            scores = self.scores(server, *more)
            self.assertEqual((scores["correct"], scores["requests"]), (6, 13))
            self.assertEqual(server.requests[0], server.requests[1])
        self.assertEqual([(e["call"], e["try"]) for e in self.lines()[1:4]], [(0, 1), (0, 2), (1, 1)])
        return self.lines()[1]

    def test_busy_with_a_time_to_wait(self):
        start = time.monotonic()
        line = self.expect_recovery(lambda h: h.reply(429, b"{}", {"Retry-After": "1"}))
        self.assertGreaterEqual(time.monotonic() - start, 1)
        self.assertEqual((line["status"], line["retry_after"]), (429, 1))

    def test_busy_without(self):
        self.assertEqual(self.expect_recovery(lambda h: h.reply(429, b"slow down"))["reply"], "slow down")

    def test_a_server_error(self):
        self.assertEqual(self.expect_recovery(lambda h: h.reply(500, b"<html>"))["status"], 500)

    def test_a_connection_that_is_cut(self):
        def cut(handler):
            handler.reply(200, answer("1")[:20], length=1000)
            handler.close_connection = True

        self.assertIn("error", self.expect_recovery(cut))

    def test_a_connection_that_is_closed_at_once(self):
        def close(handler):
            handler.close_connection = True

        self.assertIn("error", self.expect_recovery(close))

    def test_no_answer_in_time(self):
        line = self.expect_recovery(lambda h: time.sleep(1.5), "--timeout", "0.5")
        self.assertEqual(line["error"], "no reply in time")

    def test_a_reply_that_trickles_is_cut_at_the_deadline(self):
        def trickle(handler):
            handler.reply(200, b"", length=1000)
            for _ in range(15):
                handler.wfile.write(b" ")
                time.sleep(0.1)

        self.assertEqual(self.expect_recovery(trickle, "--timeout", "0.5")["error"], "no reply in time")

    def test_replies_that_are_no_answer(self):
        for body in b"{", b"[]", b'{"choices":[]}', b'{"choices":[{"message":{}}]}', b'{"error":{"message":"later"}}', b"":
            self.record = self.folder / ("record%d" % len(body))
            self.expect_recovery(lambda h: h.reply(200, body))

    def test_bytes_that_are_no_text_are_recorded(self):
        body = b'{"choices":[{"message":{"content":"\xff\xfe"}}]}'
        line = self.expect_recovery(lambda h: h.reply(200, body))
        self.assertEqual(line["reply"], body.decode("utf-8", "backslashreplace"))

    def test_a_reply_without_end(self):
        def endless(handler, request, number):
            handler.reply(200, b"", length=1 << 40)
            while True:
                handler.wfile.write(b"x" * (1 << 20))

        with ChatServer(endless) as server:
            code, _, err = self.ask(server)
        self.assertEqual(code, 1)
        self.assertEqual(len(server.requests), 3)
        self.assertRegex(err, r"^nrs: gave up: the reply is larger than 8388608 bytes \(--resume continues with .*\)\n$")
        self.assertLess(self.record.stat().st_size, 1 << 20)
        if not os.environ.get("SANITIZE"):  # AddressSanitizer keeps what is freed for a while
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 100_000)

    def test_an_endpoint_that_stays_broken_is_given_up(self):
        with ChatServer(lambda h, request, number: h.reply(500, b'{"error":{"message":"no \\u001b[31m memory"}}')) as server:
            code, out, err = self.ask(server, "--tries", "2")
        self.assertEqual((code, len(server.requests)), (1, 6))
        self.assertEqual(len(err.splitlines()), 1)
        self.assertRegex(err, r"gave up: HTTP status 500: no .* memory \(2 tries\)")
        self.assertNotIn("\x1b", err)
        self.assertIn("interrupted", out)

    def test_nobody_listens(self):
        with ChatServer(knows) as server:
            pass
        code, _, err = self.ask(server, "--tries", "2")
        self.assertEqual((code, len(err.splitlines())), (1, 1))
        self.assertIn("Connection refused", err)

    def test_one_formula_that_fails_is_counted_apart_and_asked_again(self):
        stubborn = sorted(VALUES)[2]

        def behave(handler, request, number):
            if formula_of(request) == stubborn:
                return handler.reply(400, b'{"error":{"message":"too long"}}')
            return knows(handler, request, number)

        with ChatServer(behave) as server:
            code, out, err = self.ask(server, "--json")
        scores = json.loads(out)
        self.assertEqual((code, scores["formulas"], scores["correct"], scores["failed"]), (1, 5, 5, 1))
        self.assertIn("formulas that failed: 1, the last one because: HTTP status 400: too long", err)
        with ChatServer(knows) as server:
            scores = self.scores(server, "--resume")
        self.assertEqual((len(server.requests), scores["correct"], scores["failed"]), (2, 6, 0))

    def test_a_wait_that_is_too_long_is_not_waited(self):
        with ChatServer(lambda h, request, number: h.reply(429, b"", {"Retry-After": "3600"})) as server:
            code, _, err = self.ask(server)
        self.assertEqual((code, len(server.requests)), (1, 3))
        self.assertIn("try again in 3600 s", err)

    def test_a_full_disk(self):
        with ChatServer(knows) as server:
            self.record = "/dev/full"
            code, out, err = self.ask(server, "--resume")
        self.assertEqual((code, out, err), (1, "", "nrs: /dev/full: cannot write: No space left on device\n"))


class Secrets(Case):
    """run_nrs() looks for the key in everything that a run leaves."""

    def test_a_server_that_repeats_the_key(self):
        def tell(handler, request, number):
            body = json.dumps({"error": {"message": "bad key " + handler.headers["Authorization"]}}).encode()
            handler.reply(401, body)

        with ChatServer(tell) as server:
            code, _, err = self.ask(server)
        self.assertEqual((code, len(server.requests)), (1, 1))
        self.assertIn("HTTP status 401: bad key Bearer [key]", err)

    def test_a_redirect_is_not_followed(self):
        with ChatServer(knows) as other:
            location = {"Location": other.endpoint + "/chat/completions?" + KEY}
            with ChatServer(lambda h, request, number: h.reply(307, b"", location)) as server:
                code, _, err = self.ask(server)
        self.assertEqual((code, len(server.requests), other.requests), (1, 1, []))
        self.assertIn("HTTP status 307: redirected to " + other.endpoint, err)

    def test_the_key_is_in_no_command_line(self):
        with ChatServer(lambda h, request, number: time.sleep(2)) as server:
            run = subprocess.Popen([NRS, "baseline", "llm", *map(str, self.command(server))], env=self.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not server.requests:
                time.sleep(0.02)
            command = pathlib.Path("/proc/%d/cmdline" % run.pid).read_bytes()
            run.kill()
            run.wait()
        self.assertIn(b"language_models/ask.py", command)
        self.assertNotIn(KEY.encode(), command)

    def test_without_a_key_none_is_sent(self):
        with ChatServer(knows) as server:
            self.run_nrs(*self.command(server), key="")
        self.assertNotIn("Authorization", server.headers[0])

    def test_keys_and_addresses_that_are_refused(self):
        for endpoint, key, words in (("http://example.org/v1", KEY, "for all to read"),
                                     ("http://127.example.org/v1", KEY, "for all to read"),
                                     ("https://me:%s@example.org/v1" % KEY, "", "must not contain a name, a password"),
                                     ("https://example.org/v1?key=%s" % KEY, "", "must not contain a name, a password"),
                                     ("ftp://example.org", KEY, "not an address that begins with https"),
                                     ("example.org", KEY, "not an address"),
                                     ("http://", KEY, "not an address"),
                                     ("https://example.org/v1", KEY + "\nX-Evil: 1", "characters that no key has")):
            code, out, err = self.run_nrs("--endpoint", endpoint, "--model", "x", *LEVELS, key=key)
            self.assertEqual((code, out, len(err.splitlines())), (2, "", 1), endpoint)
            self.assertIn(words, err)
            self.assertNotIn(KEY, err)
        self.assertEqual(list(self.folder.iterdir()), [])

    @unittest.skipUnless(shutil.which("openssl"), "no openssl to make a certificate with")
    def test_a_certificate_that_nobody_vouches_for(self):
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout",
                        key, "-out", certificate], check=True, capture_output=True)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        with ChatServer(knows, tls) as server:
            code, _, err = self.ask(server)
        self.assertEqual((code, server.requests), (1, []))
        self.assertIn("certificate verify failed", err)


class Records(Case):
    def interrupt(self, server, number, with_signal):
        """A run that is ended while its request of this number waits for its reply."""
        run = subprocess.Popen([NRS, "baseline", "llm", *map(str, self.command(server))], env=self.environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while len(server.requests) <= number:
            time.sleep(0.02)
        run.send_signal(with_signal)
        _, err = run.communicate(timeout=20)
        return run.returncode, err.decode()

    def stuck_at(self, number):
        def behave(handler, request, count):
            if count == number:
                time.sleep(8)
            return knows(handler, request, count)

        return behave

    def test_what_was_recorded_is_not_asked_again(self):
        for with_signal, expected in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)):
            self.record = self.folder / ("record%d" % with_signal)
            start = time.monotonic()
            with ChatServer(self.stuck_at(5)) as server:
                code, err = self.interrupt(server, 5, with_signal)
            self.assertLess(time.monotonic() - start, 7)
            self.assertEqual(code, expected)
            if with_signal != signal.SIGKILL:
                self.assertRegex(err, r"^nrs: interrupted; .* has all replies so far: continue with --resume\n$")
            self.assertEqual(len(self.lines()), 6)
            with ChatServer(knows) as server:
                scores = self.scores(server, "--resume")
            self.assertEqual((len(server.requests), scores["correct"], scores["interrupted"]), (7, 6, False))
            self.assertEqual(len(self.lines()), 13)

    def test_a_half_line_is_dropped(self):
        with ChatServer(knows) as server:
            self.scores(server)
        whole = self.record.read_bytes()
        self.record.write_bytes(whole[:-30])
        code, _, err = self.run_nrs("--replay", self.record)
        self.assertEqual((code, len(err.splitlines())), (1, 1))
        self.assertIn("formulas without an answer: 1", err)
        with ChatServer(knows) as server:
            self.assertEqual(self.scores(server, "--resume")["correct"], 6)
        self.assertEqual(len(server.requests), 1)
        self.assertEqual(len(self.lines()), 13)

    def test_replay_gives_the_same_scores(self):
        def behave(handler, request, number):
            return knows(handler, request, number) if number % 5 else "no idea"

        with ChatServer(behave) as server:
            asked = self.scores(server)
        code, out, err = self.run_nrs("--replay", self.record, "--json")
        self.assertEqual((code, err), (0, ""))
        replayed = json.loads(out)
        for key in asked:
            if key != "seconds":
                self.assertEqual(asked[key], replayed[key], key)
        self.assertGreater(asked["unparsed"], 0)

    def test_a_record_is_not_overwritten_nor_mixed_up(self):
        with ChatServer(knows) as server:
            self.scores(server)
            before = self.record.read_bytes()
            code, _, err = self.ask(server)
            self.assertEqual((code, len(err.splitlines())), (2, 1))
            self.assertIn("--resume continues it", err)
            code, _, err = self.ask(server, "--resume", "--protocol", "vanilla")
            self.assertEqual(code, 2)
            self.assertIn('protocol was "chain-of-thought", now "vanilla"', err)
        self.assertEqual((len(server.requests), self.record.read_bytes()), (12, before))

    def test_two_runs_do_not_write_one_record(self):
        with ChatServer(self.stuck_at(2)) as server:
            run = subprocess.Popen([NRS, "baseline", "llm", *map(str, self.command(server))], env=self.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while len(server.requests) <= 2:
                time.sleep(0.02)
            code, _, err = self.ask(server, "--resume")
            run.kill()
            run.wait()
        self.assertEqual(code, 2)
        self.assertIn("another run is writing this record", err)

    def test_a_record_has_a_name_by_itself(self):
        with ChatServer(knows) as server:
            code, _, _ = self.run_nrs("--endpoint", server.endpoint + "/", "--model", "some/tiny:1", *LEVELS)
        self.assertEqual(code, 0)
        self.assertTrue((self.folder / "llm-some-tiny-1-arithmetic.jsonl").exists())

    def test_bad_records(self):
        for text, words in ("", "record.jsonl: the record is empty"), ("x\n", "record.jsonl:1: this is not a line"):
            self.record.write_text(text)
            code, out, err = self.run_nrs("--replay", self.record)
            self.assertEqual((code, out, len(err.splitlines())), (3, "", 1))
            self.assertIn(words, err)
        self.assertEqual(self.run_nrs("--replay", self.folder / "absent")[0], 1)


class Usage(Case):
    def test_wrong_usage_is_one_line(self):
        for arguments, words in (([], "--endpoint is missing (such as http"),
                                 (["--endpoint", "http://127.0.0.1"], "--model is missing"),
                                 (["--endpoint", "http://127.0.0.1", "--model", "x"], "--domain is missing"),
                                 (["--endpoin", "x"], "unrecognized arguments: --endpoin"),
                                 (["--endpoint", "http://127.0.0.1", "--model", "x", "--protocol", "few", *LEVELS],
                                  "--protocol: invalid choice: 'few' (choose from 'vanilla'"),
                                 (["--endpoint", "http://127.0.0.1", "--model", "x", "--samples", "3", *LEVELS],
                                  "--samples needs"),
                                 (["--endpoint", "http://127.0.0.1", "--model", "x", "--field", "y", *LEVELS],
                                  "'y' has no value"),
                                 (["--replay", "x", "--resume"], "--replay cannot be used with --endpoint")):
            code, out, err = self.run_nrs(*arguments)
            self.assertEqual((code, out, len(err.splitlines())), (2, "", 1), arguments)
            self.assertIn(words, err)

    def test_help(self):
        code, out, _ = self.run_nrs("--help")
        self.assertEqual(code, 0)
        self.assertIn("--protocol", out)


if __name__ == "__main__":
    unittest.main()
