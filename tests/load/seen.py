"""How soon those who watch a table see what was pressed: from the answer to a press until their page has its line."""

import time
from collections import defaultdict

WITHIN = 300
"""Milliseconds within which 95 % have it."""


class Seen:
    """Measures when lines reach pages, in milliseconds."""

    def __init__(self):
        self.times, self.told = [], set()
        self.shown, self.waits = defaultdict(set), defaultdict(dict)

    def pressed(self, lines, pages):
        """A press is answered that has written these lines of the log; these pages watch."""
        now, lines = time.monotonic(), lines - self.told
        self.told |= lines
        for page in pages:
            for line in lines:
                if line in self.shown[page]:
                    self.times.append(0)
                else:
                    self.waits[page].setdefault(line, now)

    def drawn(self, page):
        """A page shows something else than before."""
        self.shown[page] = page.lines
        waits = self.waits[page]
        self.times += [_since(waits.pop(line)) for line in waits.keys() & self.shown[page]]

    def left(self, page):
        """Nobody looks at a page any more: it has waited too long already, or is not waited for."""
        self.times += [took for since in self.waits.pop(page, {}).values() if (took := _since(since)) > WITHIN]


def _since(moment):
    return (time.monotonic() - moment) * 1000
