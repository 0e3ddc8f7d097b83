"""A wheel has the folders that lie beside the packages inside of one of them."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FOLDERS = ("templates", "static", "locale")


class BuildWithFolders(build_py):
    """Copy the folders to where `builder.settings` looks for them; an editable install has them beside it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for folder in FOLDERS:
                shutil.copytree(folder, Path(self.build_lib, "builder", "beside", folder), dirs_exist_ok=True)
            # Typst's absolute paths begin at the folder of the packages.
            for source in Path(self.build_lib).rglob("*.typ"):
                text = source.read_text(encoding="utf-8")
                source.write_text(text.replace('"/templates/', '"/builder/beside/templates/'), encoding="utf-8")


setup(cmdclass={"build_py": BuildWithFolders})
