"""nrs bulk on a real Slurm: two nodes on this machine, without systemd, on loopback only. A task, a node and the controller
are killed, and every line still has one answer, the one that nrs simplify gives."""
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
TOOLS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"]
MISSING = [tool for tool in TOOLS if not shutil.which(tool, path=PATH)]

CONFIGURATION = """ClusterName=nrs
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobCompType=jobcomp/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1} CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def stat_of(process):
    """The parent of a process; nothing if it is gone."""
    try:
        return int(pathlib.Path("/proc/%d/stat" % process).read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Cluster:
    """Daemons that belong to this test alone, each in the foreground, so that they are ended by their numbers."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
        (folder / "state").mkdir()
        for node in "n1", "n2":
            (folder / node).mkdir()
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o400)
        controller, n1, n2 = free_ports(3)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=socket.gethostname().partition(".")[0], folder=folder, user=user, controller=controller, n1=n1, n2=n2))

    def start(self, name, *command):
        with open(self.folder / (name + ".out"), "ab") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start_controller(self):
        self.start("slurmctld", "slurmctld", "-D")

    def start_all(self):
        self.start("munged", "munged", "--foreground", "--force", "--key-file", self.folder / "munge.key",
                   "--socket", self.folder / "munge.socket", "--pid-file", self.folder / "munge.pid",
                   "--log-file", self.folder / "munge.log", "--seed-file", self.folder / "munge.seed")
        wait_for(lambda: (self.folder / "munge.socket").exists(), 20, "munged")
        self.start_controller()
        for node in "n1", "n2":
            self.start(node, "slurmd", "-D", "-N", node)
        wait_for(lambda: self.run("sinfo", "-h", "-o", "%t %D") == "idle 2", 60, "two idle nodes")

    def run(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout.strip()

    def queue(self):
        return self.run("squeue", "-h", "-r", "-o", "%i %T %r %S %N").splitlines()

    def runners(self, work, node=None):
        """The processes that do tasks of a plan, by number, with the node that they are on."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                names = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"run" in words and str(work).encode() in words and b"SLURM_CONF=" + str(
                    self.folder / "slurm.conf").encode() in names:
                at = next((name[16:].decode() for name in names if name.startswith(b"SLURMD_NODENAME=")), "")
                if node in (None, at):
                    found[int(entry.name)] = at
        return found

    def end(self, name):
        self.daemons[name].kill()
        self.daemons.pop(name).wait()

    def cut(self, node, work):
        """All that is on a node goes at once."""
        self.daemons[node].kill()
        for process in self.runners(work, node):
            parent = stat_of(process)
            if parent and parent > 1:
                kill(parent)  # slurmstepd
            kill(process)
        self.daemons.pop(node).wait()

    def stop(self, work):
        if "slurmctld" in self.daemons:
            subprocess.run(["scancel", "--me"], env=self.environment, capture_output=True)
            time.sleep(1)
        for process in self.runners(work):
            kill(process)
        for name in list(self.daemons):
            self.daemons[name].terminate()
            try:
                self.daemons[name].wait(15)
                self.daemons.pop(name)
            except subprocess.TimeoutExpired:
                self.end(name)


def wait_for(condition, seconds, what):
    deadline = time.time() + seconds
    while not condition():
        if time.time() > deadline:
            raise AssertionError("waited %d s in vain for %s" % (seconds, what))
        time.sleep(0.2)


@unittest.skipIf(MISSING, "Slurm is not installed: there is no %s" % ", ".join(MISSING))
class Slurm(unittest.TestCase):
    def setUp(self):
        # Not below a folder that munge would not trust, and short enough for the name of a socket.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nrs-slurm-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.work = self.folder / "work"
        self.cluster = Cluster(self.folder)
        self.addCleanup(self.cluster.stop, self.work)
        try:
            self.cluster.start_all()
        except AssertionError as error:
            self.fail("%s\n%s" % (error, self.logs()))

    def logs(self):
        texts = []
        for path in sorted(self.folder.glob("*.log")) + sorted(self.folder.glob("*.out")):
            texts.append("== %s\n%s" % (path.name, path.read_text(errors="replace")[-1500:]))
        return "\n".join(texts)

    def nrs(self, *arguments, text=None):
        done = subprocess.run([NRS, *map(str, arguments)], env=self.cluster.environment, input=text, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def status(self):
        return json.loads(self.nrs("bulk", "status", self.work, "--json"))

    def wait_until_empty(self, seconds):
        """Until nothing waits or runs. Gives up when nothing has changed for so long, however long all of it takes: a busy
        machine is not a fault."""
        seen, since = None, time.time()
        while True:
            # A controller that was killed may know less than its nodes. It starts a task a second time, the node refuses, and
            # the controller takes the node out of use. Whoever looks after a cluster puts it back.
            if "dr" in self.cluster.run("sinfo", "-h", "-n", "n1", "-o", "%T"):
                self.cluster.run("scontrol", "update", "nodename=n1", "state=resume")
            # While the controller is away, nothing can be said.
            asked = subprocess.run(["squeue", "-h", "-r", "-o", "%i %T %r"], env=self.cluster.environment, capture_output=True,
                                   text=True)
            # A task that a node refused is held for ever, unless somebody releases it.
            if asked.returncode == 0 and all("launch failed" in line for line in asked.stdout.splitlines()):
                return
            runners = self.cluster.runners(self.work)
            now = (asked.stdout, self.status()["done"]["count"], sorted(runners))
            if now != seen:
                seen, since = now, time.time()
            # It saves what it knows every few seconds only, and so may take for running what is over.
            if not runners and time.time() > since + 30:
                self.cluster.run("scancel", "--me", "--state=RUNNING")
            if time.time() > since + seconds:
                self.fail("nothing changed for %d s\n%s\n%s" % (seconds, self.cluster.queue(), self.logs()))
            time.sleep(0.5)

    def test_every_line_has_one_answer_whoever_is_killed(self):
        table = self.nrs("generate", "arithmetic", "--nesting", "3-4", "--count", "6000", "--seed", "9")
        text = "".join(line.split(",")[0] + "\n" for line in table.splitlines()[1:])
        path = self.folder / "in.txt"
        path.write_text(text)
        command = self.nrs("bulk", "plan", path, "--out", self.work, "--model", "arithmetic", "--shard-lines", "400",
                           "--submit", "slurm").split()
        tasks = len(text.splitlines()) // 400
        self.assertGreaterEqual(tasks, 20)
        submitted = subprocess.run(command, env=self.cluster.environment, capture_output=True, text=True)
        self.assertEqual(submitted.returncode, 0, submitted.stderr)

        # A task: Slurm calls it failed, and does not begin it again.
        wait_for(lambda: self.status()["running"]["count"] and self.cluster.runners(self.work), 60, "a task")
        killed = next(iter(self.cluster.runners(self.work)))
        kill(killed)
        # A node, with whatever is on it.
        wait_for(lambda: self.cluster.runners(self.work, "n2"), 120, "a task on the second node")
        self.cluster.cut("n2", self.work)
        wait_for(lambda: "down" in self.cluster.run("sinfo", "-h", "-n", "n2", "-o", "%T"), 120, "the node to be missed")
        # The controller: the nodes go on, and a new one takes up what the old one knew.
        wait_for(lambda: self.cluster.runners(self.work), 120, "a task")
        self.cluster.end("slurmctld")
        time.sleep(1)
        self.cluster.start_controller()

        self.wait_until_empty(100)
        told = self.status()
        self.assertEqual(told["running"]["count"], 0)
        again = told["failed"]["count"] + told["missing"]["count"]
        self.assertGreaterEqual(again, 1, "the killed task is not begun again")
        self.assertLess(again, tasks / 2, "the tasks of the lost node are")
        done = {path: path.stat().st_mtime_ns for path in (self.work / "done").glob("*.txt")}

        self.nrs("bulk", "status", self.work, "--resubmit")
        self.wait_until_empty(100)
        self.assertEqual(self.status()["done"]["count"], tasks)
        self.assertEqual({path: path.stat().st_mtime_ns for path in done}, done, "what was done is not done again")
        self.assertEqual(list((self.work / "done").glob("*.tmp")), [])
        self.nrs("bulk", "join", self.work, "--out", self.folder / "joined.txt")
        self.assertEqual((self.folder / "joined.txt").read_text(), self.nrs("simplify", "-", "--model", "arithmetic", text=text))
        queue = self.cluster.queue()
        self.nrs("bulk", "status", self.work, "--resubmit")
        self.assertEqual(self.cluster.queue(), queue, "nothing is left to submit")


if __name__ == "__main__":
    unittest.main()
