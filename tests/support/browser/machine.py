"""The Chromium and the fonts that browser tests need; `python -m tests.support.browser.machine` asks for them.

A page is as wide as its reader's font makes it, so that no test may take the fonts that happen to be installed. Each
font here stands alone in a folder of the tests' own, which is all that a Chromium of theirs knows of.
"""

import ctypes.util
import os
import shutil
import sys
from pathlib import Path

# Quiet, and at home in a container; nothing is fetched from anywhere but the program itself.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]
OLDEST = 123  # the first with light-dark()
FOLDERS = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]
FILES = {
    "wide": [f"DejaVu{one}.ttf" for one in ("Sans", "Sans-Bold", "SansMono", "SansMono-Bold", "Serif", "Serif-Bold")],
    "usual": [f"Roboto-{one}.ttf" for one in ("Regular", "Bold", "Italic", "BoldItalic")],
    "narrow": [f"RobotoCondensed-{one}.ttf" for one in ("Regular", "Bold", "Italic", "BoldItalic")],
}
PACKAGES = {"wide": "fonts-dejavu-core", "usual": "fonts-roboto-unhinted", "narrow": "fonts-roboto-unhinted"}
FAMILIES = {"wide": "DejaVu", "usual": "Roboto", "narrow": "Roboto Condensed"}
"""With which word the families of each begin, as Chromium names them."""

# Where there is one family only it is taken for all. Chromium asks for its own defaults where a page says "serif".
INSTEAD = {"Times New Roman": "DejaVu Serif", "serif": "DejaVu Serif", "Monospace": "DejaVu Sans Mono",
           "monospace": "DejaVu Sans Mono"}
RULE = """  <match target="pattern">
    <test name="family"><string>{}</string></test>
    <edit name="family" mode="assign" binding="strong"><string>{}</string></edit>
  </match>
"""
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{0}/fonts</dir>
  <cachedir>{0}/cache</cachedir>
{1}</fontconfig>
"""

RUNNING = {}
"""{browser: the name of its font}, of those that run."""


def found(name):
    """Where a font's file lies; None where it does not."""
    return next((path for folder in FOLDERS for path in folder.rglob(name)), None)


def program():
    """Where Debian's Chromium lies, the faster one without windows first; None where there is none."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def missing():
    """The Debian packages that bring what is not here."""
    packages = [] if program() else ["chromium"]
    # Playwright's own program is linked with it, and a bare Debian has it not.
    packages += [] if ctypes.util.find_library("atomic") else ["libatomic1"]
    packages += [PACKAGES[font] for font, files in FILES.items() if not all(map(found, files))]
    return sorted(set(packages))


def asked():
    """One sentence that asks for what is missing; empty where nothing is."""
    packages = " ".join(missing())
    return packages and f"The tests in the browser need what is not installed: apt-get install {packages}"


def font_alone(font, folder):
    """Lay out a folder for fontconfig with this font and no other; answers its configuration's path."""
    (folder / "fonts").mkdir(parents=True)
    for name in FILES[font]:
        (folder / "fonts" / name).symlink_to(found(name))
    path = folder / "fonts.conf"
    path.write_text(CONFIGURATION.format(folder, "".join(RULE.format(*one) for one in INSTEAD.items())))
    return path


def launch(playwright, font, folder):
    """Start a Chromium that knows this font alone, and nothing of the machine's settings."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "TZ": "UTC",
                   "FONTCONFIG_FILE": str(font_alone(font, folder))}
    browser = playwright.chromium.launch(executable_path=program(), args=ARGUMENTS, env=environment)
    RUNNING[browser] = font
    return browser


def font_of(page):
    """The name of the font that a page is shown in."""
    return RUNNING[page.context.browser]


if __name__ == "__main__":
    if sys.argv[1:] == ["missing"]:
        sys.stdout.writelines(f"{package}\n" for package in missing())
    else:
        sys.exit(asked() or 0)
