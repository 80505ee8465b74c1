"""The server from outside: every route, limits, tokens, hostile clients, learning, and its end."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

import sessions

NRS = pathlib.Path(os.environ["NRS"])
ROOT = pathlib.Path(os.environ["ROOT"])
BOOLEANS = (ROOT / "examples" / "booleans.txt").read_bytes()
# Values that have to be computed: this takes long enough to be cancelled.
# One more than the sum: plain arithmetic is found as a law, at once, and this must train a Solver.
SUMS = "question,answer\n" + "".join("%d + %d,%d\n" % (a, b, a + b + 1) for a in range(60) for b in range(60) if a * b % 7)
JSON = {"Content-Type": "application/json"}
SLOW = int(os.environ.get("SLOW_CONNECTIONS", 300))  # that must not stop others


class Server:
    """A server on a port of its own; its log is in `log`, a list of lines."""

    def __init__(self, *options, token=None):
        environment = {**os.environ, **({"NRS_TOKEN": token} if token else {})}
        self.process = subprocess.Popen([NRS, "serve", "--port", "0", "--model", "logic", *options], text=True,
                                        stderr=subprocess.PIPE, env=environment)
        self.log = []
        first = self.process.stderr.readline()
        found = re.match(r"nrs: listening on http://(.*):(\d+)/", first)
        if not found:
            raise RuntimeError(first + self.process.stderr.read())
        self.address = (found[1].strip("[]"), int(found[2]))
        self.headers = {"Authorization": "Bearer " + token} if token else {}
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr))
        self.reader.start()

    def connect(self, timeout=60):
        return http.client.HTTPConnection(*self.address, timeout=timeout)

    def ask(self, method, path, body=None, headers=()):
        """Status, headers and body of the answer, which is JSON if it says so."""
        connection = self.connect()
        with contextlib.closing(connection):
            connection.request(method, path, body, {**self.headers, **dict(headers)})
            answer = connection.getresponse()
            data = answer.read()
        if answer.headers.get("Content-Type") == "application/json" and data:
            data = json.loads(data)
        return answer.status, answer.headers, data

    def simplify(self, **request):
        return self.ask("POST", "/v1/simplify", json.dumps(request), JSON)

    def raw(self, data, cut=False):
        """What comes back for these bytes until the server closes. `cut`: there will be no more of them."""
        with socket.create_connection(self.address, timeout=10) as connection:
            got = b""
            try:
                connection.sendall(data)
                if cut:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # refused before the end
            try:
                while piece := connection.recv(65536):
                    got += piece
            except OSError:
                pass
        return got

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        code = self.process.wait(60)
        self.reader.join()
        self.process.stderr.close()
        return code


@contextlib.contextmanager
def server(*options, **how):
    running = Server(*options, **how)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.stop()


def message(answer):
    return answer[2]["error"]["message"]


def statuses(data):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", data)]


def events(text):
    """Pairs of a name and the data of an event."""
    return [(name, json.loads(data)) for name, data in re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)]


class Routes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--model", "multi")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0

    def test_the_page_says_that_there_is_a_server(self):
        status, headers, page = self.server.ask("GET", "/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b'<meta name="nrs-server" content="', page)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        again = self.server.ask("GET", "/", headers={"If-None-Match": headers["ETag"]})
        self.assertEqual((again[0], again[2]), (304, b""))

    def test_health_and_head(self):
        self.assertEqual(self.server.ask("GET", "/health")[::2], (200, {"status": "ok"}))
        status, headers, body = self.server.ask("HEAD", "/health")
        self.assertEqual((status, int(headers["Content-Length"]) > 0, body), (200, True, b""))

    def test_models(self):
        status, _, listed = self.server.ask("GET", "/v1/models")
        self.assertEqual([(m["name"], m["default"], m["taught"]) for m in listed["models"]],
                         [("logic", True, False), ("multi", False, False)])
        self.assertEqual(listed["models"][0]["domains"], ["logic"])
        one = self.server.ask("GET", "/v1/models/logic")[2]
        self.assertEqual((one["name"], one["architecture"]), ("logic", listed["models"][0]["architecture"]))
        self.assertGreater(one["parameters"], 1000)
        status, headers, file = self.server.ask("GET", "/v1/models/logic/file")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/octet-stream"))
        self.assertIn('filename="logic.nrs"', headers["Content-Disposition"])
        self.assertEqual(file, (ROOT / "models" / "logic.nrs").read_bytes())
        answer = self.server.ask("GET", "/v1/models/logik")
        self.assertEqual((answer[0], answer[2]["error"]["hint"]), (404, "did you mean logic?"))

    def test_the_same_answers_as_the_program(self):
        formulas = ["((15+5)*(3-4))", "(1+", "[MAX 1 [MIN 2 3]]", "(T&", "(a&b)", "", "(\0)", "<script>", "\u00e9"]
        formulas += ["(%d+%d)" % (i, 2 * i) for i in range(-40, 40)]
        for trace in (False, True):
            status, _, answer = self.server.simplify(model="multi", formulas=formulas, trace=trace)
            self.assertEqual((status, answer["model"], len(answer["results"])), (200, "multi", len(formulas)))
            can_be_a_line = [i for i, formula in enumerate(formulas) if "\0" not in formula]
            said = subprocess.run([NRS, "simplify", "--model", "multi", "--json", *(["--trace"] if trace else []), "-"],
                                  input="".join(formulas[i] + "\n" for i in can_be_a_line), capture_output=True, text=True)
            self.assertEqual([answer["results"][i] for i in can_be_a_line], [json.loads(x) for x in said.stdout.splitlines()])

    def test_lines_are_answered_in_lines(self):
        lines = ["((15+5)*(3-4))", "(1+", "", "(a&b)", "[MAX 1 [MIN 2 3]]"]
        said = subprocess.run([NRS, "simplify", "--model", "multi", "-"], input="\n".join(lines), capture_output=True, text=True)
        status, headers, text = self.server.ask("POST", "/v1/simplify?model=multi", "\r\n".join(lines), {"Content-Type": "text/plain"})
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; charset=utf-8"))
        self.assertEqual(len(lines), text.count(b"\n"))
        self.assertEqual(text.decode(), re.sub("(?m)^error: line [0-9]+, ", "error: ", said.stdout))
        as_json = self.server.ask("POST", "/v1/simplify?model=multi", "\n".join(lines),
                                  {"Content-Type": "text/plain", "Accept": "application/json"})[2]
        self.assertEqual(as_json, self.server.simplify(model="multi", formulas=lines)[2])
        self.assertEqual(self.server.ask("POST", "/v1/simplify", b"", {"Content-Type": "text/plain"})[::2], (200, b""))
        for query, hint in (("modell=multi", "did you mean model?"), ("max_steps=0", None), ("trace=true", None)):
            status, _, refused = self.server.ask("POST", "/v1/simplify?" + query, b"T", {"Content-Type": "text/plain"})
            self.assertEqual((status, refused["error"].get("hint")), (400, hint or refused["error"].get("hint")))

    def test_a_lone_formula_and_the_default_model(self):
        status, _, answer = self.server.simplify(formula="(T&(p|T))")
        self.assertEqual((status, answer["model"], answer["results"][0]["result"]), (200, "logic", "T"))
        self.assertEqual(self.server.simplify(formulas=[])[2]["results"], [])
        one = self.server.simplify(formula="((T&T)&(T&T))", max_steps=1)[2]["results"][0]
        self.assertEqual(one["stop"], "step_limit")

    def test_steps_as_events(self):
        asked = {"model": "multi", "formula": "((15+5)*(3-4))"}
        status, headers, text = self.server.ask("POST", "/v1/simplify", json.dumps(asked),
                                                {**JSON, "Accept": "text/event-stream"})
        self.assertEqual((status, headers["Content-Type"]), (200, "text/event-stream"))
        found = events(text.decode())
        whole = self.server.simplify(trace=True, **asked)[2]["results"][0]
        self.assertEqual([data for name, data in found if name == "round"], whole.pop("trace"))
        self.assertEqual(found[-1], ("result", whole))

    def test_what_is_refused_says_why(self):
        for method, path, headers, status in (
                ("GET", "/nope", {}, 404), ("GET", "/v1/models/", {}, 404), ("GET", "/v1/models/../models", {}, 404),
                ("GET", "/v1/models/%2e%2e%2fx/file", {}, 404), ("GET", "//", {}, 404), ("DELETE", "/health", {}, 405),
                ("GET", "/v1/simplify", {}, 405), ("POST", "/v1/simplify", {}, 415),
                ("POST", "/v1/simplify", {**JSON, "Content-Encoding": "gzip"}, 415),
                ("POST", "/v1/simplify", JSON, 400), ("GET", "/v1/jobs/1234", {}, 404), ("DELETE", "/v1/jobs/1", {}, 404),
                ("POST", "/v1/learn?name=x&kind=guess", {}, 400), ("POST", "/v1/learn?name=x&minutes=1e9", {}, 400),
                ("POST", "/v1/learn?name=x&minutes=nan", {}, 400), ("POST", "/v1/learn?name=x&seed=-1", {}, 400),
                ("POST", "/v1/learn?name=x&name=y", {}, 400), ("POST", "/v1/learn?nam=x", {}, 400),
                ("POST", "/v1/learn?name=..%2fx", {}, 400), ("POST", "/v1/learn", {}, 400),
                ("POST", "/v1/learn?name=logic", {}, 409), ("GET", "/health", {"Host": "evil.example"}, 403),
                ("POST", "/v1/learn?name=x", {"Origin": "http://evil.example"}, 403),
                ("POST", "/v1/learn?name=x", {"Content-Type": "multipart/form-data"}, 415)):
            with self.subTest(path=path, status=status):
                answer = self.server.ask(method, path, b"x" if method == "POST" else None, headers)
                self.assertEqual(answer[0], status, answer[2])
                self.assertTrue(message(answer))
        self.assertEqual(self.server.ask("DELETE", "/health")[1]["Allow"], "GET")
        self.assertEqual(self.server.simplify(model="nope", formula="T")[0], 404)

    def test_metrics(self):
        self.server.simplify(formula="(T&T)")
        status, headers, text = self.server.ask("GET", "/metrics")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4"))
        lines = text.decode().splitlines()
        values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        self.assertGreaterEqual(int(values['nrs_requests_total{route="/v1/simplify",status="200"}']), 1)
        self.assertGreaterEqual(int(values['nrs_formulas_total{outcome="final"}']), 1)
        self.assertEqual(values["nrs_queue_formulas"], "0")
        for line in lines:
            self.assertRegex(line, r'^(# (HELP|TYPE) \w+ .*|\w+(\{(\w+="[^"]*",?)+\})? [-+.e\d]+)$')

    def test_each_request_is_one_line_of_the_log(self):
        self.server.raw(b"GET /<script>%0a\x1b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        self.server.ask("GET", "/health?mark=%22%0a")
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and not any("mark=" in line for line in self.server.log):
            time.sleep(0.02)
        for line in list(self.server.log):
            self.assertLessEqual({"time", "client", "method", "target", "status", "ms"}, set(json.loads(line)))
        self.assertTrue(any(json.loads(line)["target"] == "/health?mark=%22%0a" for line in self.server.log))


class Document(unittest.TestCase):
    @unittest.skipUnless(shutil.which("curl"), "there is no curl")
    def test_what_the_page_shows(self):
        page = (ROOT / "docs" / "serve.md").read_text()
        shown = list(sessions.sessions(page))
        self.assertGreaterEqual(len(shown), 6)
        for option in re.findall(r"`(--[a-z-]+)`", page.partition("## Limits")[2].partition("\n## ")[0]):
            self.assertIn(option + " ", subprocess.run([NRS, "serve", "--help"], capture_output=True, text=True).stdout)
        with server("--model", "multi") as running:
            script = "".join("%s\necho -- end\n" % command for command, _ in shown)
            script = script.replace("localhost:8080", "localhost:%d" % running.address[1])
            done = subprocess.run(["sh", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
        printed = done.stdout.split("-- end\n")
        for (command, expected), text in zip(shown, printed):
            text = text.replace("\n\n", "\n") if "/events" in command else text
            self.assertIsNone(sessions.difference(expected, text), "%s\n%s" % (command, text))


class Hostile(unittest.TestCase):
    """What no client should send. The server lives, and says what is wrong."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server("--request-seconds", "2", "--max-body", "100000", "--max-examples", "200000",
                            "--max-formulas", "50", "--max-length", "1000", "--max-steps", "1000")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.ask("GET", "/health")[0] == 200
        assert cls.server.stop() == 0

    def post(self, body, *headers, cut=False):
        lines = ["POST /v1/simplify HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
        return self.server.raw("\r\n".join(lines).encode() + b"\r\n\r\n" + body, cut)

    def sized(self, body):
        return self.post(body, "Content-Length: %d" % len(body), "Connection: close")

    def test_bodies(self):
        for body, status in ((b'{"formula":"(T&T)"}', 200), (b"{" * 90000, 400), (b"[" * 90000, 400),
                             (b'{"formulas":' * 8000, 400), (b'{"formula":"\xff\xfe"}', 400), (b"\0" * 1000, 400),
                             (b'{"formula":1}', 400), (b'{"formulas":"T"}', 400), (b'{"formula":"T","max_steps":1e999}', 400),
                             (b'{"formula":"T","max_steps":-1}', 400), (b'{"formula":"T","trace":"x"}', 400),
                             (b'{"formulas":[%s"T"]}' % (b'"T",' * 50), 413), (b"", 400), (b"\xef\xbb\xbf{}", 400),
                             (b'{"formula":"T"}' + b" " * 100000, 413)):
            with self.subTest(body[:40]):
                self.assertEqual(statuses(self.sized(body)), [status])

    def test_a_long_formula_is_an_error_in_its_place(self):
        results = self.server.simplify(formulas=["T" * 1001, "(T&T)"])[2]["results"]
        self.assertIn("this server takes at most 1000", results[0]["error"]["message"])
        self.assertEqual(results[1]["result"], "T")

    def test_framing(self):
        body = b'{"formula":"T"}'
        length = "Content-Length: %d" % len(body)
        chunked = b"f\r\n" + body + b"\r\n0\r\n\r\n"
        huge = b"".join(b"ffff\r\n" + b" " * 65535 + b"\r\n" for _ in range(100))
        for data, headers, status in (
                (chunked, ["Transfer-Encoding: chunked", "Connection: close"], 200),
                (body, [length, length], 400), (body, [length, "Content-Length: 3"], 400),
                (chunked, [length, "Transfer-Encoding: chunked"], 400), (chunked, ["Transfer-Encoding: gzip, chunked"], 400),
                (chunked, ["Transfer-Encoding: identity"], 400), (body, ["Content-Length: -1"], 400),
                (body, ["Content-Length: 99999999999999999999999"], 400), (body, ["Content-Length: 9223372036854775807"], 413),
                (b"-2\r\nx", ["Transfer-Encoding: chunked"], 400), (b"ffffffffffffffffff\r\nx", ["Transfer-Encoding: chunked"], 400),
                (huge, ["Transfer-Encoding: chunked"], 413), (b"x" * 5_000_000, ["Content-Length: 5000000"], 413),
                (body, [], 411), (body, [length, "Host: evil.example"], 400),
                (b"", ["X: " + "y" * 100000], 431), (b"", ["X%d: y" % i for i in range(10000)], 431), (b"", ["no colon"], 400)):
            with self.subTest(headers=str(headers)[:80]):
                got = self.post(data, *headers)
                self.assertEqual(statuses(got), [status], got[:200])
        self.assertEqual(statuses(self.post(body[:5], length, cut=True)), [400])

    def test_what_is_no_http(self):
        for data in (b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/9.9\r\n\r\n",
                     b"GET  / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET http://x/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                     os.urandom(5000)):
            with self.subTest(data[:30]):
                self.assertIn(statuses(self.server.raw(data, cut=True)), ([400], [431], []))

    def test_pipelined_requests_are_answered_in_order(self):
        one = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        post = b'POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n' \
               b'{"formula":"(T&F)"}'
        with socket.create_connection(self.server.address, timeout=20) as connection:
            connection.sendall((one + post) * 50 + one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            got = b""
            while piece := connection.recv(65536):
                got += piece
        self.assertEqual(statuses(got), [200] * 101)
        self.assertEqual(re.findall(rb'"ok"|"result":"F"', got), [b'"ok"', b'"result":"F"'] * 50 + [b'"ok"'])

    def test_expect_100(self):
        with socket.create_connection(self.server.address, timeout=10) as connection:
            connection.sendall(b"POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               b"Content-Length: 15\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
            self.assertEqual(statuses(connection.recv(1000)), [100])
            connection.sendall(b'{"formula":"T"}')
            self.assertEqual(statuses(connection.recv(1000)), [200])

    def test_clients_that_leave(self):
        body = json.dumps({"formulas": ["(T&(p|T))"] * 50}).encode()
        head = b"POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        files = len(os.listdir("/proc/%d/fd" % self.server.process.pid))
        for i in range(300):
            with socket.create_connection(self.server.address, timeout=10) as connection:
                sent = head % len(body) + body
                connection.sendall(sent[:len(sent) * (i % 4 + 1) // 4])
                if i % 2:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and len(os.listdir("/proc/%d/fd" % self.server.process.pid)) > files + 2:
            time.sleep(0.05)
        self.assertLessEqual(len(os.listdir("/proc/%d/fd" % self.server.process.pid)), files + 2)

    def test_slow_clients_do_not_stop_others_and_are_cut_off(self):
        slow = []
        with contextlib.ExitStack() as stack:
            for i in range(SLOW):
                connection = stack.enter_context(socket.create_connection(self.server.address, timeout=20))
                connection.sendall((b"", b"GET /hea", b"POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                    b"application/json\r\nContent-Length: 90000\r\n\r\n{")[i % 3])
                slow.append(connection)
            began = time.monotonic()
            longest = 0
            for _ in range(50):
                asked = time.monotonic()
                self.assertEqual(self.server.simplify(formula="(T&T)")[0], 200)
                self.assertEqual(self.server.ask("GET", "/health")[0], 200)
                longest = max(longest, time.monotonic() - asked)
            self.assertLess(longest, 2)
            # Bytes that come one by one do not make a request last longer.
            while time.monotonic() < began + 1.5:
                for connection in slow[1::3]:
                    connection.send(b"a")
                time.sleep(0.2)
            ends = [connection.recv(1000) for connection in slow]
            self.assertLess(time.monotonic() - began, 15)
        self.assertEqual({tuple(statuses(end)) for end in ends[0::3]}, {()})
        self.assertEqual({tuple(statuses(end)) for i, end in enumerate(ends) if i % 3}, {(408,)})


class Limits(unittest.TestCase):
    def test_who_waits_longest_makes_room(self):
        with server("--max-connections", "20") as running:
            with contextlib.ExitStack() as stack:
                idle = [stack.enter_context(socket.create_connection(running.address, timeout=10)) for _ in range(40)]
                self.assertEqual(running.ask("GET", "/health")[0], 200)
                self.assertEqual(idle[0].recv(10), b"")

    def test_a_full_queue_says_so(self):
        with server("--max-queue", "100", "--threads", "1", "--model", "multi") as running:
            formula = "(" * 20 + "1" + "+2)" * 20
            asked = dict(model="multi", formulas=[formula.replace("1", str(i % 90)) for i in range(90)])
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                answers = list(pool.map(lambda _: running.simplify(**asked), range(8)))
            found = [answer[0] for answer in answers]
            self.assertEqual(set(found), {200, 503})
            refused = answers[found.index(503)]
            self.assertEqual(refused[1]["Retry-After"], "1")
            self.assertIn("waiting", message(refused))

    def test_slow_readers_are_cut_off(self):
        with server("--write-seconds", "1", "--max-length", "60000", "--max-trace", "100000000") as running:
            formula = "(" * 1500 + "T" + "&T)" * 1500
            body = json.dumps({"formula": formula, "trace": True}).encode()
            with socket.create_connection(running.address, timeout=30) as connection:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.sendall(b"POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                   b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                deadline = time.monotonic() + 30
                while time.monotonic() < deadline and not running.log:
                    time.sleep(0.1)
            self.assertEqual([json.loads(line)["status"] for line in running.log], [0])


class Token(unittest.TestCase):
    def test_everything_but_page_and_health_needs_it(self):
        with server(token="secret") as running:
            self.assertEqual(running.simplify(formula="(T&T)")[0], 200)
            running.headers = {}
            for path in "/v1/models", "/metrics", "/v1/models/logic/file", "/v1/jobs/1", "/v1/nope":
                status, headers, _ = running.ask("GET", path)
                self.assertEqual((status, headers["WWW-Authenticate"]), (401, "Bearer"), path)
            for given in "Bearer secre", "Bearer secret2", "Basic secret", "":
                self.assertEqual(running.ask("GET", "/v1/models", headers={"Authorization": given})[0], 401)
            self.assertEqual([running.ask("GET", path)[0] for path in ("/", "/health")], [200, 200])
            self.assertNotIn("secret", "".join(running.log))

    def test_other_machines_only_with_a_token(self):
        refused = subprocess.run([NRS, "serve", "--host", "0.0.0.0", "--port", "0"], capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("there is no token (set the environment variable NRS_TOKEN)", refused.stderr)
        with server("--host", "0.0.0.0", token="secret") as running:
            running.address = ("127.0.0.1", running.address[1])
            self.assertEqual(running.ask("GET", "/v1/models", headers={"Host": "any.example"})[0], 200)

    def test_other_names_only_if_allowed(self):
        with server("--allow-host", "nrs.example") as running:
            self.assertEqual(running.ask("GET", "/health", headers={"Host": "nrs.example"})[0], 200)
            self.assertEqual(running.ask("GET", "/health", headers={"Host": "other.example"})[0], 403)

    def test_mistakes_at_the_start(self):
        with server() as running:
            for options, code, text in ((["--port", str(running.address[1])], 1, "cannot listen on"),
                                        (["--host", "nowhere"], 2, "is not an address"), (["--model", "nope"], 2, "no model"),
                                        (["--max-body", "0"], 2, "--max-body")):
                done = subprocess.run([NRS, "serve", *options], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(text, done.stderr)


class Learning(unittest.TestCase):
    def test_a_system_is_learned_used_and_downloaded(self):
        with tempfile.TemporaryDirectory() as folder:
            with server("--folder", folder) as running:
                status, headers, started = running.ask("POST", "/v1/learn?name=booleans&seed=1", BOOLEANS,
                                                       {"Content-Type": "text/plain"})
                self.assertEqual((status, started["name"]), (202, "booleans"))
                self.assertEqual(headers["Location"], "/v1/jobs/" + started["job"])
                again = running.ask("POST", "/v1/learn?name=booleans", BOOLEANS)
                self.assertEqual(again[0], 409, again)
                found = events(running.ask("GET", started["events"])[2].decode())
                self.assertEqual({name for name, _ in found[:-1]}, {"progress"})
                self.assertIn("300 (chains)", found[0][1]["line"])
                self.assertEqual(found[-1][0], "done")
                job = running.ask("GET", headers["Location"])[2]
                self.assertEqual((job, job["state"], job["model"]), (found[-1][1], "done", "booleans"))
                self.assertIn("leaves, found in 622 of 622 steps", job["report"])
                self.assertEqual(events(running.ask("GET", started["events"])[2].decode()), found)
                question = "not ( True and not ( False or ( not False and True ) ) )"
                answer = running.simplify(model="booleans", formula=question)[2]
                self.assertEqual(answer["results"][0]["result"], "True")
                listed = {m["name"]: m for m in running.ask("GET", "/v1/models")[2]["models"]}
                self.assertTrue(listed["booleans"]["taught"])
                file = pathlib.Path(folder) / "downloaded.nrs"
                file.write_bytes(running.ask("GET", "/v1/models/booleans/file")[2])
                said = subprocess.run([NRS, "simplify", "--model", file, question], capture_output=True, text=True)
                self.assertEqual(said.stdout, "True\n")
                self.assertEqual(running.ask("POST", "/v1/learn?name=booleans", BOOLEANS)[0], 202)  # anew
            # What is in the folder is there the next time.
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), ["booleans.nrs", "downloaded.nrs"])
            with server("--folder", folder) as running:
                self.assertEqual(running.simplify(model="booleans", formula="not True")[2]["results"][0]["result"], "False")

    def test_rules_are_shown(self):
        chains = "".join("plus(%s,%s) -> %s\n" % (a, "0", a) for a in ("0", "s(0)", "s(s(0))", "s(s(s(0)))"))
        with server() as running:
            started = running.ask("POST", "/v1/learn?name=plus&kind=steps", chains)[2]
            name, job = events(running.ask("GET", started["events"])[2].decode())[-1]
            self.assertEqual(name, "done", job)
            self.assertIn("plus(", job["rules"])

    def test_bad_examples_fail_with_a_reason(self):
        with server() as running:
            started = running.ask("POST", "/v1/learn?name=bad", b"\xff\xfe\0 nothing")[2]
            name, job = events(running.ask("GET", started["events"])[2].decode())[-1]
            self.assertEqual((name, job["state"], job["model"]), ("failed", "failed", None))
            self.assertTrue(job["error"]["message"])
            self.assertEqual(running.simplify(model="bad", formula="x")[0], 404)

    def test_jobs_wait_are_cancelled_and_limited(self):
        with tempfile.TemporaryDirectory() as temporary, server("--folder", temporary, "--max-waiting-jobs", "2") as running:
            ids = [running.ask("POST", "/v1/learn?name=sums%d&minutes=5" % i, SUMS)[2]["job"] for i in range(2)]
            time.sleep(0.3)
            ids.append(running.ask("POST", "/v1/learn?name=sums2&minutes=5", SUMS)[2]["job"])
            full = running.ask("POST", "/v1/learn?name=sums3", SUMS)
            self.assertEqual((full[0], full[1]["Retry-After"]), (429, "1"))
            states = [running.ask("GET", "/v1/jobs/" + job)[2]["state"] for job in ids]
            self.assertEqual(states, ["running", "waiting", "waiting"])
            began = time.monotonic()
            for job in reversed(ids):
                self.assertEqual(running.ask("DELETE", "/v1/jobs/" + job)[0], 200)
            for job in ids:
                self.assertEqual(events(running.ask("GET", "/v1/jobs/%s/events" % job)[2].decode())[-1][0], "cancelled")
            self.assertLess(time.monotonic() - began, 30)
            self.assertEqual(os.listdir(temporary), [])

    def test_the_oldest_job_makes_room(self):
        with server("--max-jobs", "2") as running:
            for i in range(3):
                started = running.ask("POST", "/v1/learn?name=m%d" % i, BOOLEANS)[2]
                running.ask("GET", started["events"])
            taught = [m["name"] for m in running.ask("GET", "/v1/models")[2]["models"] if m["taught"]]
            self.assertEqual(taught, ["m1", "m2"])


class End(unittest.TestCase):
    def test_what_was_accepted_is_answered(self):
        running = Server("--quiet")
        stopped = threading.Event()
        answered, refused, lost = [], [], []

        def client(number):
            connection = running.connect()
            while not stopped.is_set():
                body = json.dumps({"formulas": ["(T&(p|%s))" % "TF"[i % 2] for i in range(20)]})
                try:
                    connection.request("POST", "/v1/simplify", body, JSON)
                except OSError:
                    refused.append(number)  # nobody took it
                    return
                try:
                    answer = connection.getresponse()
                    results = json.loads(answer.read())["results"]
                    (answered if len(results) == 20 else lost).append(number)
                except (OSError, http.client.HTTPException, KeyError) as error:
                    lost.append(repr(error))
                    return
                if answer.will_close:
                    return

        threads = [threading.Thread(target=client, args=[i]) for i in range(16)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        self.assertEqual(running.stop(), 0)
        stopped.set()
        for thread in threads:
            thread.join()
        self.assertGreater(len(answered), 16)
        self.assertEqual(lost, [])

    def test_a_request_on_its_way_is_still_answered(self):
        running = Server()
        with socket.create_connection(running.address, timeout=20) as connection:
            connection.sendall(b"POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               b"Content-Length: 15\r\n\r\n{\"form")
            time.sleep(0.3)
            running.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            with self.assertRaises(OSError):
                socket.create_connection(running.address, timeout=5).close()
            connection.sendall(b'ula":"T"}')
            got = connection.recv(10000)
        self.assertEqual(statuses(got), [200])
        self.assertIn(b"Connection: close", got)
        self.assertEqual(running.process.wait(20), 0)
        running.stop()

    def test_learning_ends_with_it_and_leaves_nothing_behind(self):
        with tempfile.TemporaryDirectory() as temporary, unittest.mock.patch.dict(os.environ, TMPDIR=temporary):
            running = Server()
            self.assertEqual(len(os.listdir(temporary)), 1)
            started = running.ask("POST", "/v1/learn?name=sums&minutes=5", SUMS)[2]
            with contextlib.closing(running.connect()) as connection:
                connection.request("GET", started["events"])
                answer = connection.getresponse()
                running.process.send_signal(signal.SIGINT)
                self.assertEqual(events(answer.read().decode())[-1][0], "cancelled")
            self.assertEqual(running.process.wait(30), 0)
            self.assertEqual(os.listdir(temporary), [])
            running.stop()

    def test_a_second_signal_ends_it_at_once(self):
        running = Server()
        with socket.create_connection(running.address, timeout=20) as connection:
            connection.sendall(b"POST /v1/simplify HTTP/1.1\r\nHost: loc")
            time.sleep(0.3)
            running.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            began = time.monotonic()
            self.assertEqual(running.stop(), -signal.SIGTERM)
            self.assertLess(time.monotonic() - began, 2)


if __name__ == "__main__":
    unittest.main()
