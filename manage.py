#!/usr/bin/env python
"""Django's commands for this project."""

import os
import sys

import builder.development  # noqa: F401 - importing it is what declares development

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
