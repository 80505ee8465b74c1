"""The program nrs, for what the module does not do itself: learning, and printing rules."""
import os
import re
import shutil
import signal
import subprocess

from . import Error


def find() -> str:
    """The environment variable NRS names it; else it is on the PATH."""
    found = os.environ.get("NRS") or shutil.which("nrs")
    if found:
        return found
    raise Error("the program nrs is not installed (install the package nrs, or set NRS to the file ./nrs of a clone)")


def run(*words: str) -> str:
    """What it prints. Raises Error with its message, and stops it at Ctrl-C."""
    with subprocess.Popen([find(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            out, err = child.communicate()
        except KeyboardInterrupt:
            child.send_signal(signal.SIGINT)
            child.communicate()
            raise
    if child.returncode != 0:
        lines = err.strip().splitlines() or [f"nrs ended with exit code {child.returncode}"]
        raise _error(lines[-1].removeprefix("nrs: "))
    return out


def _error(line: str) -> Error:
    error = Error(line)
    if hint := re.search(r" \(([^()]*)\)$", line):
        error.hint = hint[1]
    return error
