"""How `nrs serve` does under load.

    usage: python3 benchmarks/serve.py BIN [batches|connections|million|stop] [--model MODEL] [--count N] [--seconds S] [--rounds N]

BIN is the folder of the programs; `wrk` (scripts/install-packages bench) sends the requests. All formulas are arithmetic,
of nesting 3, seed 1.

  batches      Formulas a second in batches of 100, as JSON and as text, beside `nrs simplify` in one process. Wall time counts
               what else the machine does, and wrk itself; processor time is that of the server alone, and of `nrs simplify`
               alone. At the end, the median of all rounds.
  connections  Requests with one formula each: alone, beside 1,000 idle connections, and beside 1,000 slow ones, which send a
               byte every half a second and come again when they are cut off.
  million      The memory over a million requests with one formula each.
  stop         SIGTERM while 100 connections ask for 100 formulas at a time. Fails if a request has no answer."""
import argparse
import asyncio
import itertools
import json
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import tempfile
import threading
import time

BATCH = 100
OTHERS = 1000
SCRIPT = """
local bodies = {}
for line in io.lines("%s") do bodies[#bodies + 1] = line:gsub("\\t", "\\n") end
local i = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "%s"
request = function()
  i = i %% #bodies + 1
  return wrk.format(nil, "/v1/simplify", nil, bodies[i])
end
"""


def generate(bin_folder, count):
    done = subprocess.run([bin_folder / "nrs-measure", "generate", "arithmetic", "--nesting", "3", "--count", str(count),
                           "--seed", "1"], capture_output=True, text=True, check=True)
    return [line.split(",")[0] for line in done.stdout.splitlines()[1:]]


def in_batches(formulas):
    return [formulas[i:i + BATCH] for i in range(0, len(formulas) - BATCH + 1, BATCH)]


def json_bodies(batches):
    return [json.dumps({"formulas": batch}) for batch in batches]


def in_process(bin_folder, model, formulas, *options):
    """Wall and processor seconds of nrs simplify, without its start."""
    def processor():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def run(lines):
        began, before = time.monotonic(), processor()
        subprocess.run([bin_folder / "nrs", "simplify", "--model", model, *options, "-"], input="\n".join(lines) + "\n", text=True,
                       stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - began, processor() - before
    start, whole = run(formulas[:1]), run(formulas)
    return whole[0] - start[0], whole[1] - start[1]


class Load:
    """What wrk sends: each of these bodies in turn, with ends of lines for tabs."""

    def __init__(self, folder, content_type, bodies):
        self.script = pathlib.Path(folder) / (content_type.replace("/", "-") + ".lua")
        lines = self.script.with_suffix(".bodies")
        lines.write_text("".join(body + "\n" for body in bodies))
        self.script.write_text(SCRIPT % (lines, content_type))

    def put_on(self, server, seconds):
        """Requests answered, the wall and processor seconds that they took, and how long 99 % of them took at most."""
        before = server.processor_seconds()
        done = subprocess.run(["wrk", "-t1", "-c8", "--latency", "-d%ds" % seconds, "-s", self.script,
                               "http://127.0.0.1:%d/" % server.port], capture_output=True, text=True, check=True)
        used = server.processor_seconds() - before
        if done.stderr or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
            raise RuntimeError(done.stderr + done.stdout)
        requests, wall = re.search(r"(\d+) requests in ([\d.]+)s", done.stdout).groups()
        return int(requests), float(wall), used, re.search(r"99%\s+(\S+)", done.stdout)[1]


class Server:
    def __init__(self, bin_folder, model):
        self.process = subprocess.Popen([bin_folder / "nrs-serve", "serve", "--port", "0", "--model", model, "--quiet"],
                                        stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stderr.readline())[1])

    def processor_seconds(self):
        fields = pathlib.Path("/proc/%d/stat" % self.process.pid).read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path("/proc/%d/status" % self.process.pid).read_text())[1]) / 1024

    def stop(self):
        self.process.terminate()
        return self.process.wait()


class Others(threading.Thread):
    """Connections beside those of wrk. Idle ones have asked once and say no more; slow ones send a byte of a request every half a
    second. Those that are cut off come again."""

    def __init__(self, server, slow):
        super().__init__()
        self.server, self.slow, self.cut_off = server, slow, 0
        self.ended = threading.Event()
        self.connections = [self.connect() for _ in range(OTHERS)]
        self.start()

    def connect(self):
        one = socket.create_connection(("127.0.0.1", self.server.port))
        if not self.slow:
            one.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            one.recv(4096)
        return one

    def is_over(self, one):
        try:
            if self.slow:
                one.send(b"a")
            one.recv(4096, socket.MSG_DONTWAIT)
            return True
        except BlockingIOError:
            return False
        except OSError:
            return True

    def run(self):
        while not self.ended.wait(0.5):
            for i, one in enumerate(self.connections):
                if self.is_over(one):
                    self.cut_off += 1
                    one.close()
                    self.connections[i] = self.connect()

    def end(self):
        self.ended.set()
        self.join()
        for one in self.connections:
            one.close()


def batches(options, formulas, folder, server):
    together = in_batches(formulas)
    loads = {"nrs serve, text": Load(folder, "text/plain", ["\t".join(batch) for batch in together]),
             "nrs serve, JSON": Load(folder, "application/json", json_bodies(together))}
    times = {}

    def note(name, count, wall, used):
        each = 1e6 * used / count
        times.setdefault(name, []).append(each)
        print("%-22s %11.0f %11.2f" % (name, count / wall, each), flush=True)

    print("                        formulas/s   us of processor per formula")
    for _ in range(options.rounds):
        for name, words in (("nrs simplify", []), ("nrs simplify --json", ["--json"])):
            note(name, len(formulas), *in_process(options.bin, options.model, formulas, *words))
        for name, load in loads.items():
            requests, wall, used, _ = load.put_on(server, options.seconds)
            note(name, requests * BATCH, wall, used)
    print("median                  us a formula  throughput beside nrs simplify")
    medians = {name: statistics.median(each) for name, each in times.items()}
    for name, each in medians.items():
        print("%-22s %11.2f %11.0f %%" % (name, each, 100 * medians["nrs simplify"] / each))


def connections(options, formulas, folder, server):
    load = Load(folder, "application/json", json_bodies([formula] for formula in formulas))
    print("at the start: %.1f MB" % server.memory_mb())
    for kind in None, "idle", "slow":
        others = kind and Others(server, slow=kind == "slow")
        requests, wall, _, slowest = load.put_on(server, options.seconds)
        memory = server.memory_mb()
        if others:
            others.end()
        beside = "beside %d %s, cut off %d times" % (OTHERS, kind, others.cut_off) if others else "alone"
        print("%s: %.0f requests/s, 99 %% within %s, %.1f MB" % (beside, requests / wall, slowest, memory), flush=True)


def million(options, formulas, folder, server):
    load = Load(folder, "application/json", json_bodies([formula] for formula in formulas))
    answered = 0
    print("at the start: %.1f MB" % server.memory_mb())
    while answered < 1_000_000:
        answered += load.put_on(server, options.seconds)[0]
        print("%8d requests: %.1f MB" % (answered, server.memory_mb()), flush=True)


async def ask_until_refused(port, bodies, tally):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for body in itertools.cycle(bodies):
        tally["asked"] += 1
        writer.write(b"POST /v1/simplify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                     % (len(body), body))
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(re.search(rb"Content-Length: (\d+)", head)[1]))
        except (OSError, asyncio.IncompleteReadError):
            return
        tally["answered"] += head.startswith(b"HTTP/1.1 200 ")
        if b"Connection: close" in head:
            return


def stop(options, formulas, _folder, server):
    bodies = [body.encode() for body in json_bodies(in_batches(formulas))]
    tally = {"asked": 0, "answered": 0}

    async def run():
        clients = [asyncio.create_task(ask_until_refused(server.port, bodies, tally)) for _ in range(100)]
        await asyncio.sleep(options.seconds)
        began, before = time.monotonic(), tally["answered"]
        code = await asyncio.to_thread(server.stop)
        seconds = time.monotonic() - began
        await asyncio.gather(*clients)
        print("SIGTERM: ended with %d after %.1f s; of %d requests %d were answered, %d of them after the signal"
              % (code, seconds, tally["asked"], tally["answered"], tally["answered"] - before))
    asyncio.run(run())
    if tally["asked"] != tally["answered"]:
        raise SystemExit("requests were lost")


def main():
    parts = {"batches": batches, "connections": connections, "million": million, "stop": stop}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("part", choices=parts, nargs="?", default="batches")
    parser.add_argument("--model", default="multi")
    parser.add_argument("--count", type=int, default=20000, help="distinct formulas")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    formulas = generate(options.bin, options.count)
    print("%s, %d arithmetic formulas of nesting 3" % (options.model, len(formulas)))
    server = Server(options.bin, options.model)
    with tempfile.TemporaryDirectory() as folder:
        parts[options.part](options, formulas, folder, server)
    server.stop()


if __name__ == "__main__":
    main()
