"""Lets `pip install .` work without a network: it builds by the setuptools that Debian has.

pip builds in an environment of its own, which has nothing in it, and would fetch what pyproject.toml requires.
"""
import sys

sys.path.append("/usr/lib/python3/dist-packages")

from setuptools.build_meta import *  # noqa: E402, F401, F403
from setuptools.command.install import install  # noqa: E402

# Debian's setuptools asks for settings that only the distutils of Debian's Python has. Unset, they change nothing.
for setting in "install_layout", "prefix_option":
    if not hasattr(install, setting):
        setattr(install, setting, None)


def get_requires_for_build_wheel(config_settings=None):
    return []
