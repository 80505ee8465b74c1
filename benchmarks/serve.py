"""What HTTP costs: formulas a second over `nrs serve`, in batches, as JSON and as text, and by `nrs simplify` in one process.

    usage: benchmarks/serve.py BIN [--model MODEL] [--nesting N] [--batch N] [--seconds S] [--million]

BIN is the folder of the programs. `wrk` (scripts/install-packages bench) sends the requests. Wall time counts what else
the machine does, and wrk itself; processor time is that of the server alone, and of `nrs simplify` alone. With --million,
also sends a million formulas and prints how the memory of the server grows."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

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


def processor_seconds(pid):
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path("/proc/%d/status" % pid).read_text())[1]) / 1024


def generate(bin_folder, nesting, count):
    done = subprocess.run([bin_folder / "nrs-measure", "generate", "arithmetic", "--nesting", str(nesting), "--count", str(count),
                           "--seed", "1"], capture_output=True, text=True, check=True)
    return [line.split(",")[0] for line in done.stdout.splitlines()[1:]]


def in_process(bin_folder, model, formulas, *options):
    """Wall and processor seconds of nrs simplify, without its start."""
    def run(lines):
        began, before = time.monotonic(), os.times()
        subprocess.run([bin_folder / "nrs", "simplify", "--model", model, *options, "-"], input="\n".join(lines) + "\n", text=True,
                       stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        return time.monotonic() - began, (after.children_user + after.children_system
                                          - before.children_user - before.children_system)
    start, whole = run(formulas[:1]), run(formulas)
    return whole[0] - start[0], whole[1] - start[1]


def write_script(folder, content_type, bodies):
    """What wrk sends: each of these bodies in turn, with ends of lines for tabs."""
    script = pathlib.Path(folder) / (content_type.replace("/", "-") + ".lua")
    lines = script.with_suffix(".bodies")
    lines.write_text("".join(body + "\n" for body in bodies))
    script.write_text(SCRIPT % (lines, content_type))
    return script


class Server:
    def __init__(self, bin_folder, model):
        self.process = subprocess.Popen([bin_folder / "nrs-serve", "serve", "--port", "0", "--model", model, "--quiet"],
                                        stderr=subprocess.PIPE, text=True)
        self.port = re.search(r":(\d+)/", self.process.stderr.readline())[1]

    def load(self, script, seconds):
        """Requests answered, and the processor seconds that they took."""
        before = processor_seconds(self.process.pid)
        done = subprocess.run(["wrk", "-t1", "-c8", "-d%ds" % seconds, "-s", script, "http://127.0.0.1:%s/" % self.port],
                              capture_output=True, text=True, check=True)
        used = processor_seconds(self.process.pid) - before
        if done.stderr or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
            raise RuntimeError(done.stderr + done.stdout)
        requests, wall = re.search(r"(\d+) requests in ([\d.]+)s", done.stdout).groups()
        return int(requests), float(wall), used

    def stop(self):
        self.process.terminate()
        return self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--model", default="multi")
    parser.add_argument("--nesting", type=int, default=3)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--count", type=int, default=20000, help="distinct formulas")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--million", action="store_true")
    options = parser.parse_args()
    formulas = generate(options.bin, options.nesting, options.count)
    print("%s, %d arithmetic formulas of nesting %d, batches of %d" % (options.model, len(formulas), options.nesting, options.batch))
    with tempfile.TemporaryDirectory() as folder:
        batches = [formulas[i:i + options.batch] for i in range(0, len(formulas) - options.batch + 1, options.batch)]
        as_json = write_script(folder, "application/json", [json.dumps({"formulas": batch}) for batch in batches])
        as_text = write_script(folder, "text/plain", ["\t".join(batch) for batch in batches])
        server = Server(options.bin, options.model)
        print("                        formulas/s   us of processor per formula")
        for _ in range(options.rounds):
            for name, words in (("nrs simplify", []), ("nrs simplify --json", ["--json"])):
                wall, used = in_process(options.bin, options.model, formulas, *words)
                print("%-22s %11.0f %11.2f" % (name, len(formulas) / wall, 1e6 * used / len(formulas)))
            for name, script in (("nrs serve, text", as_text), ("nrs serve, JSON", as_json)):
                requests, wall, used = server.load(script, options.seconds)
                count = requests * options.batch
                print("%-22s %11.0f %11.2f" % (name, count / wall, 1e6 * used / count), flush=True)
        answered = 0
        while options.million and answered < 1_000_000:
            answered += server.load(as_json, options.seconds)[0] * options.batch
            print("%8d formulas: %.1f MB" % (answered, memory_mb(server.process.pid)), flush=True)
        server.stop()


if __name__ == "__main__":
    main()
