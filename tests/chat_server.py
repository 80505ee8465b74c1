"""A chat endpoint on loopback that behaves as a test tells it to."""
import http.server
import json
import threading


def answer(content, **more):
    """The body of a good reply."""
    body = {"choices": [{"message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    return json.dumps({**body, **more}).encode()


class ChatServer:
    """Calls behave(handler, request, number) for each request, number counting from 0. It may send what it likes with
    handler.reply(status, body, headers), or return the content of a good answer."""

    def __init__(self, behave, tls=None):
        self.requests, self.headers, self.lock = [], [], threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer.lock:
                    number = len(outer.requests)
                    outer.requests.append(request)
                    outer.headers.append({**self.headers, "path": self.path})
                content = behave(self, request, number)
                if content is not None:
                    self.reply(200, answer(content))

            do_GET = do_POST

            def reply(self, status, body=b"", headers=(), length=None):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                for name, value in dict(headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *arguments):
                pass  # clients that leave are what some tests are about

        self.server = Server(("127.0.0.1", 0), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.endpoint = "%s://127.0.0.1:%d/v1" % ("https" if tls else "http", self.server.server_port)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
