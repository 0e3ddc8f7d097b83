"""The commands as tests call them: in this process, or by a shell."""

import io
import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command


class Answer(str):
    """Standard output with the exit code beside it."""

    code = 0


def run(*command):
    """A command in this process; its standard output."""
    out = io.StringIO()
    code = 0
    try:
        call_command(*map(str, command), stdout=out)
    except SystemExit as left:
        code = left.code
    answer = Answer(out.getvalue())
    answer.code = code
    return answer


def parsed(*command):
    return json.loads(run(*command, "--format", "json"))


def refused(*command):
    """The message of a command that ends with exit code 2."""
    with pytest.raises(CommandError) as raised:
        call_command(*map(str, command), stdout=io.StringIO())
    assert raised.value.returncode == 2
    return str(raised.value)


def shell(*command, given=b"", **environment):
    return subprocess.run([sys.executable, "manage.py", *map(str, command)], cwd=settings.BASE_DIR, input=given,
                          capture_output=True, env={**os.environ, **environment}, timeout=60, check=False)
