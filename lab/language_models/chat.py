"""One chat with a language model behind an OpenAI-compatible endpoint: what is sent, what comes
back, and what is worth another try. The key is sent to the endpoint and goes nowhere else."""
import dataclasses
import http.client
import json
import random
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

PROTOCOLS = {"vanilla": 1, "chain-of-thought": 2, "self-consistency": 2}  # calls for each sample
SAMPLES = {"vanilla": 1, "chain-of-thought": 1, "self-consistency": 10}  # as in the paper
MOST_BYTES = 8 << 20  # of a reply
KEPT_BYTES = 1 << 16  # of a reply that is larger, for the record
LONGEST_WAIT = 60  # seconds, of our own choice
MOST_ASKED = 600  # a server that asks for more is not waited for


class Failure(Exception):
    """Ends the program with one line and this exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Trouble(Exception):
    """Why there is no answer. Kinds: "again", this may pass; "refused", this request will never be
    answered; "hopeless", no request will be; "stopped", we were asked to end."""

    def __init__(self, kind, why=""):
        super().__init__(why)
        self.kind = kind


@dataclasses.dataclass
class Reply:
    """To one request. The key is cut out of it, whatever the server sends."""
    status: int = 0  # 0: there was no reply
    body: bytes = b""
    retry_after: float | None = None
    redirect: str = ""
    seconds: float = 0
    error: str = ""  # why there is no (whole) reply
    kind: str = "again"  # of the error


def messages_of(protocol, question, replies):
    """What is sent in the next call, given the replies to those before."""
    if protocol == "vanilla":
        text = question + " Write the final answer alone in the last line."
        return [{"role": "user", "content": text}]
    messages = [{"role": "user", "content": "Q: %s\nA: Let's think step-by-step." % question}]
    if replies:
        last = "Now write the final answer alone, without any explanation."
        messages += [{"role": "assistant", "content": replies[0]}, {"role": "user", "content": last}]
    return messages


def vote(answers):
    """The most frequent answer; of equally frequent ones the first. None has no vote."""
    given = [answer for answer in answers if answer is not None]
    return max(given, key=given.count, default=None)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def excerpt(text, most=160):
    """One printable line."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= most else line[:most] + "..."


def load(body):
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def member(value, name):
    return value.get(name) if isinstance(value, dict) else None


def error_in(body):
    """What a server says about its refusal, in one short line."""
    value = load(body)
    error = member(value, "error")
    texts = (member(error, "message"), error, member(value, "message"))
    return excerpt(next((text for text in texts if isinstance(text, str)), ""))


def text_of(content):
    """Content is a text, a list of parts some of which are text, or null where a model refuses."""
    if isinstance(content, list):
        return "".join(t for t in (member(p, "text") for p in content) if isinstance(t, str))
    if not isinstance(content, (str, type(None))):
        raise Trouble("again", "the reply has content that is not text")
    return content or ""


def read_answer(body):
    """The content of a good reply, and the tokens of prompt and answer as the server counts them."""
    value = load(body)
    choices = member(value, "choices")
    message = member(choices[0], "message") if isinstance(choices, list) and choices else None
    if not isinstance(message, dict) or not {"content", "refusal"} & message.keys():
        said = error_in(body) or excerpt(body.decode("utf-8", "replace")) or "nothing"
        raise Trouble("again", "the reply has no answer: " + said)
    usage = member(value, "usage")
    counts = [member(usage, name) for name in ("prompt_tokens", "completion_tokens")]
    return text_of(message.get("content")), [n if isinstance(n, int) else 0 for n in counts]


def judge(reply):
    """The answer in a reply, as read_answer() gives it; else throws Trouble."""
    if reply.error:
        raise Trouble(reply.kind, excerpt(reply.error, 200))
    if reply.status == 200:
        return read_answer(reply.body)
    parts = ["HTTP status %d" % reply.status, error_in(reply.body),
             "redirected to " + excerpt(reply.redirect, 100) if reply.redirect else ""]
    why = ": ".join(part for part in parts if part)
    if reply.status in (408, 425, 429) or reply.status >= 500:
        raise Trouble("again", why)
    hopeless = reply.status in (401, 403, 404, 405) or 300 <= reply.status < 400
    raise Trouble("hopeless" if hopeless else "refused", why)


def wait_after(tried, retry_after, first_wait):
    """Seconds to wait after the try of this number, from 1. Where the server does not say, waits
    differ by chance, so that clients do not come back all at once."""
    if retry_after is not None:
        return retry_after
    return min(first_wait * 2 ** (tried - 1), LONGEST_WAIT) * random.uniform(0.5, 1)


def ask(post, request, patience, tried, ended):
    """Asks until there is an answer. Throws Trouble when it is clear that there will be none, or
    when the event `ended` is set. tried(number, reply, trouble) is called with each reply."""
    for number in range(1, patience.tries + 1):
        reply, answer, trouble = post(request), None, None
        try:
            answer = judge(reply)
        except Trouble as caught:
            trouble = caught
        tried(number, reply, trouble)
        if not trouble:
            return answer
        if trouble.kind != "again":
            raise trouble
        wait = wait_after(number, reply.retry_after, patience.wait)
        if wait > MOST_ASKED:
            raise Trouble("refused", "%s (try again in %d s)" % (trouble, wait))
        if number < patience.tries and ended.wait(wait):
            raise Trouble("stopped")
    raise Trouble("refused", "%s (%d tries)" % (trouble, patience.tries))


def is_loopback(host):
    return host in ("localhost", "::1") or (
        host.startswith("127.") and not host.strip("0123456789."))


def chat_url(endpoint, with_key):
    """The address of the chat under an endpoint such as https://host/v1."""
    try:
        url = urllib.parse.urlsplit(endpoint)
        valid = url.scheme in ("http", "https") and url.hostname and url.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise Failure(2, "endpoint: this is not an address that begins with https:// or http:// "
                         "(such as https://host/v1 or http://127.0.0.1:8080/v1)")
    if "@" in url.netloc or url.query or url.fragment:
        raise Failure(2, "endpoint: the address must not contain a name, a password or a question "
                         "mark (put the key into an environment variable)")
    if with_key and url.scheme == "http" and not is_loopback(url.hostname):
        raise Failure(2, "endpoint: http:// would send the key for all to read "
                         "(use https://, or take the key out of the environment)")
    path = url.path.rstrip("/").removesuffix("/chat/completions")
    return url._replace(path=path + "/chat/completions").geturl()


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could take the key elsewhere."""

    def redirect_request(self, *_):
        return None


class Client:
    """Posts to one address. Certificates are always checked."""

    def __init__(self, url, key, timeout):
        self.url, self.key, self.timeout = url, key, timeout
        own = is_loopback(urllib.parse.urlsplit(url).hostname)
        proxies = urllib.request.ProxyHandler({} if own else None)
        self.opener = urllib.request.build_opener(NoRedirects, proxies)

    def post(self, body):
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = "Bearer " + self.key
        request = urllib.request.Request(self.url, body.encode(), headers)
        reply, start = Reply(), time.monotonic()
        try:
            try:
                response = self.opener.open(request, timeout=self.timeout)
            except urllib.error.HTTPError as error:
                response = error  # a reply like any other
            with response:
                self.receive(response, reply, start + self.timeout)
        except (OSError, http.client.HTTPException) as error:
            cause = getattr(error, "reason", error)
            late = isinstance(cause, TimeoutError)
            reply.error = "no reply in time" if late else str(cause) or type(cause).__name__
            reply.kind = "hopeless" if isinstance(cause, ssl.SSLCertVerificationError) else "again"
        reply.seconds = time.monotonic() - start
        self.scrub(reply)
        return reply

    @staticmethod
    def receive(response, reply, deadline):
        reply.status = response.status
        wait = response.headers.get("Retry-After", "")
        reply.retry_after = float(wait) if wait.isdecimal() else None
        reply.redirect = response.headers.get("Location", "") if 300 <= reply.status < 400 else ""
        size = response.headers.get("Content-Length", "")
        parts = []
        # The timeout of a socket begins again with every byte; the deadline does not.
        while part := response.read1(1 << 16):
            parts.append(part)
            if time.monotonic() > deadline:
                raise TimeoutError
            if sum(map(len, parts)) > MOST_BYTES:
                reply.body = b"".join(parts)[:KEPT_BYTES]
                reply.error = "the reply is larger than %d bytes" % MOST_BYTES
                reply.kind = "refused"
                return
        reply.body = b"".join(parts)
        if size.isdecimal() and len(reply.body) < int(size):
            reply.error = "the reply was cut off"

    def scrub(self, reply):
        """A key too short to be one is left alone: the text would be mangled instead."""
        if len(self.key) < 8:
            return
        reply.body = reply.body.replace(self.key.encode(), b"[key]")
        reply.error = reply.error.replace(self.key, "[key]")
        reply.redirect = reply.redirect.replace(self.key, "[key]")
