"""The version of the program, which pyproject.toml states."""

from importlib.metadata import version

VERSION = version("bogenschmiede")
