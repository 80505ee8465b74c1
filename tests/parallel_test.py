"""nrs bulk with GNU parallel: two machines are two daemons of ssh on loopback, made for this test. One of them and parallel
itself are killed, and every line still has one answer."""
import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

NRS = os.environ["NRS"]
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
MISSING = [tool for tool in ("parallel", "ssh", "sshd", "ssh-keygen") if not shutil.which(tool, path=PATH)]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@unittest.skipIf(MISSING, "GNU parallel and ssh are not installed: there is no %s" % ", ".join(MISSING))
class Parallel(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nrs-parallel-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.work = self.folder / "work"
        self.daemons = {}
        self.addCleanup(self.stop)
        for name in "host", "user":
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name], check=True)
        (self.folder / "authorized").write_text((self.folder / "user.pub").read_text())

    def stop(self):
        for name in list(self.daemons):
            self.end(name)

    def end(self, name):
        """With everything that it started: that is what becomes of a machine that is cut off."""
        try:
            os.killpg(self.daemons[name].pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.daemons.pop(name).wait()

    def start(self, name):
        """A machine that parallel logs in to; returns how. It serves this user, with this key, on loopback."""
        port = free_port()
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        options = ["ListenAddress=127.0.0.1:%d" % port, "HostKey=%s" % (self.folder / "host"), "UsePAM=no", "StrictModes=no",
                   "AuthorizedKeysFile=%s" % (self.folder / "authorized"), "PidFile=none", "PasswordAuthentication=no",
                   "PermitRootLogin=prohibit-password", "MaxStartups=100", "PrintMotd=no"]
        words = [shutil.which("sshd", path=PATH), "-D", "-e", "-f", "/dev/null"]
        for option in options:
            words += ["-o", option]
        with open(self.folder / (name + ".log"), "ab") as log:
            self.daemons[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                  start_new_session=True)
        self.wait_for(lambda: self.logs_in(port), "sshd")
        return "1/" + " ".join(self.ssh(port))

    def ssh(self, port):
        return ["ssh", "-q", "-p", str(port), "-i", str(self.folder / "user"), "-oIdentitiesOnly=yes", "-oBatchMode=yes",
                "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null", "%s@127.0.0.1" % getpass.getuser()]

    def logs_in(self, port):
        return subprocess.run([*self.ssh(port), "true"], capture_output=True).returncode == 0

    def wait_for(self, condition, what):
        deadline = time.time() + 120
        while not condition():
            if time.time() > deadline:
                logs = "\n".join(path.read_text()[-1000:] for path in self.folder.glob("*.log"))
                self.fail("waited in vain for %s\n%s" % (what, logs))
            time.sleep(0.1)

    def nrs(self, *arguments, text=None):
        done = subprocess.run([NRS, *map(str, arguments)], input=text, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def done(self):
        return json.loads(self.nrs("bulk", "status", self.work, "--json"))["done"]["count"]

    def run_script(self):
        return subprocess.Popen([self.work / "ssh.sh"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True)

    def test_every_line_has_one_answer_whoever_is_killed(self):
        table = self.nrs("generate", "arithmetic", "--nesting", "4", "--count", "3000", "--seed", "9")
        text = "".join(line.split(",")[0] + "\n" for line in table.splitlines()[1:])
        path = self.folder / "in.txt"
        path.write_text(text)
        hosts = ",".join([self.start("a"), self.start("b")])
        self.nrs("bulk", "plan", path, "--out", self.work, "--model", "arithmetic", "--shard-lines", "200", "--submit", "ssh",
                 "--hosts", hosts)
        first = self.run_script()
        self.wait_for(lambda: self.done() >= 2, "two shards")
        self.assertLess(self.done(), 15)
        os.killpg(first.pid, signal.SIGKILL)  # parallel itself
        first.communicate()
        before = {path: path.stat().st_mtime_ns for path in (self.work / "done").glob("*.json")}
        second = self.run_script()
        self.wait_for(lambda: self.done() > len(before), "one more shard")
        self.end("b")
        out, err = second.communicate(timeout=300)
        self.assertEqual((second.returncode, self.done()), (0, 15), err)
        self.assertEqual({path: path.stat().st_mtime_ns for path in before}, before, "what was done is not done again")
        self.assertEqual(list((self.work / "done").glob("*.tmp")), [])
        (self.work / "done" / "000003.json").unlink()
        self.nrs("bulk", "status", self.work, "--resubmit")
        self.assertEqual(self.nrs("bulk", "join", self.work), self.nrs("simplify", "-", "--model", "arithmetic", text=text))


if __name__ == "__main__":
    unittest.main()
