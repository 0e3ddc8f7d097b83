"""The way of a request through the rooms: which of them it comes to again to read on, once it has left them.

A room is a sub-package of `sheets/` or `builder/`; the tables are none, since a row is at hand wherever one is read. A
visit begins where a room is called that is not at work already, and ends where that call answers: what is called
back, and what goes on once an answer is there, is the way back. A door is read once, however often it is gone through.
The way begins at the view and ends where the view turns to what it shows.
"""

import re
import sys
from collections.abc import Callable, Container
from pathlib import Path
from types import CodeType

from django import shortcuts
from django.template import loader

from builder.wizard import live
from sheets.stage import pieces, table_page

ROOT = Path(__file__).parents[2]
VIEWS = re.compile(r"views(/\w+)?\.py$")
"""The modules in which a way begins."""
SHOWING = {one.__code__ for one in (
    shortcuts.render, loader.render_to_string, live.answer, pieces.of_sheet, pieces.of_actor,
    table_page.changed_context, pieces.of_a_roll, table_page.of_what_was_settled)}


def room_of(filename: str) -> str:
    """The room that a file lies in, "" for none."""
    match Path(filename.removeprefix(f"{ROOT}/")).parts:
        case "sheets" | "builder", room, _module, *_more if room != "models":
            return room
    return ""


def file_of(filename: str) -> str:
    """The file itself, where it lies in a room or beside the rooms, "" elsewhere."""
    match Path(filename.removeprefix(f"{ROOT}/")).parts:
        case "sheets" | "builder" as program, *inner if inner[0] != "models":
            return "/".join((program, *inner))
    return ""


class Way:
    """The calls of a request, told by `sys.setprofile`: the rooms in their order, and those that it came to `again`.

    By another `place` it is not told by rooms. What is `showing` stands beside it.
    """

    def __init__(self, place: Callable[[str], str] = room_of, showing: Container[CodeType] = SHOWING):
        self.place, self.showing, self.rooms, self.again, self.entered = place, showing, [], [], set()
        self.stack = []
        """The room of each function that is at work; None beside the way."""

    def __call__(self, frame, event, _arg):
        if event == "call":
            self.called(frame.f_code)
        elif event == "return" and self.stack:
            self.stack.pop()

    def called(self, code) -> None:
        room = self.place(code.co_filename)
        if not self.stack and not (room and VIEWS.search(code.co_filename)):
            return
        beside = code in self.showing or (self.stack and self.stack[-1] is None)
        if room and not beside and room not in self.stack and code not in self.entered:
            self.entered.add(code)
            (self.again if room in self.rooms else self.rooms).append(room)
        self.stack.append(None if beside else room)


def followed(call: Callable, *how) -> tuple[Way, object]:
    """The way of a request that a call makes, and what answers it."""
    way = Way(*how)
    sys.setprofile(way)
    try:
        answer = call()
    finally:
        sys.setprofile(None)
    return way, answer
