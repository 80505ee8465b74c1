"""What `pip install .` needs to know beyond pyproject.toml: CMake compiles the module, and models come with it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import setuptools
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(nrs VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
# Those that know every leaf; the others come with the Debian package nrs-models.
MODELS = ["multi-compiled", "multi", "logic", "listops", "arithmetic", "algebra"]


class CMake(build_ext):
    def build_extension(self, extension):
        # For the Python that runs this.
        environment = dict(os.environ, Python_ROOT=sys.base_prefix)
        subprocess.run([ROOT / "scripts" / "build", "python", "nrs_python"], check=True, env=environment)
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        (package / "models").mkdir(parents=True, exist_ok=True)
        for compiled in (ROOT / "build" / "python" / "python" / "nrs").glob("_nrs.*.so"):
            shutil.copy(compiled, package)
        for model in MODELS:
            shutil.copy(ROOT / "models" / f"{model}.nrs", package / "models")


setuptools.setup(version=VERSION, ext_modules=[setuptools.Extension("nrs._nrs", [])], cmdclass={"build_ext": CMake})
