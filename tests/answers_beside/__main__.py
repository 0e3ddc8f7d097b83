"""Whether one checkout answers as another one does: the same requests to both, made up from what they answer.

`python -m tests.answers_beside FOLDER [FOLDER]` names the worktree of a commit and another one, this folder if there is
none. Everybody walks through the site in turn: follows links and sends forms that both trees show. Statuses, headers,
JSON, visible texts, links, forms and mails that differ are printed by their kind; `--allow FILE` has a regular
expression in each line for what may differ, such as `^POST /parties/ID/table/play/ htmx - text: `. After what htmx is
answered the whole page is asked for and compared.
"""

import argparse
import fcntl
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tests.answers_beside.page import Action, Page
from tests.answers_beside.walk import LATE, Chooser, Walker, as_lines, sheets_of, unnumbered, walkers

FOLLOWS = {"Content-Length", "ETag"}
"""Headers that follow from the rest of an answer."""
AT_ONCE = 12
"""How many people ask at the same time, of whom no one waits for another."""


class Tree:
    """A process that answers with one checkout, whose code is found in its folder."""

    def __init__(self, folder: str):
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("tree.py"))], cwd=folder, text=True, bufsize=1,
            env={"PYTHONHASHSEED": "0", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        # What is asked at once is sent before anything of the answers is read.
        fcntl.fcntl(self.process.stdin, fcntl.F_SETPIPE_SZ, 1_048_576)
        self.record = sha256()

    def send(self, asked: dict) -> None:
        """Asks without waiting, so that all trees are at work at once."""
        self.process.stdin.write(f"{json.dumps(asked)}\n")

    def heard(self):
        """The next answer."""
        line = self.process.stdout.readline()
        self.record.update(line.encode())
        return json.loads(line)


def masked(text: str) -> str:
    """A text without the keys of presses and of forms."""
    text = re.sub(r"feed[0-9a-f]{4}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}", "KEY", text)
    return re.sub(r'(name="csrfmiddlewaretoken" value=")\w+', r"\1", text)


def facets(address: str, answer: dict) -> dict[str, Counter]:
    """What of an answer is compared, by lines."""
    kind, body = dict(answer["headers"]).get("Content-Type", "no type"), answer["body"]
    if "html" in kind:
        found = Page(address, body).facets()
    else:
        found = {kind: Counter(as_lines(body) if "json" in kind and body else body.splitlines())}
    headers = (f"{name}: {re.sub('/static/[^>; ]*', '/static/FILE', value)}" for name, value in answer["headers"]
               if name not in FOLLOWS)
    return {**found, "status": Counter([str(answer["status"])]), "header": Counter(map(masked, headers)),
            "mail": Counter(line for one in answer["mails"] for line in masked(one).splitlines())}


@dataclass
class Request:
    """What somebody asks all trees, each as its own page has it, and what they answer."""

    who: str
    actions: list[Action]
    step: int
    """By which its fields are filled; one that is sent again has the same."""
    htmx: bool = False
    said: str = ""
    address: str = ""
    answers: list[dict] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    """The answers as pages, if that is what they are."""


class Walk:
    """All requests that are made, and what differed."""

    def __init__(self, folders: list[str], seed: str, count: int):
        self.trees = [Tree(folder) for folder in folders]
        for tree in self.trees:
            tree.heard()
        self.chooser, self.count, self.made, self.steps = Chooser(seed), count, 0, 0
        self.differences, self.examples, self.answered = Counter(), {}, Counter()

    def send(self, request: Request) -> None:
        """Asks all trees, and does not wait for them."""
        self.made += 1
        language = "de" if self.chooser.chance(self.made, "language") < .6 else "en"
        for tree, action in zip(self.trees, request.actions, strict=True):
            fields, files = self.chooser.filled(request.step, action, htmx=request.htmx)
            request.address = action.address
            if action.method == "GET" and fields:
                request.address = f"{action.address.partition('?')[0]}?{urlencode(fields)}"
            headers = {"HX-Request": "true", **({"HX-Target": action.target} if action.target else {})}
            tree.send({"number": self.made, "who": request.who, "method": action.method, "address": request.address,
                       "fields": fields, "files": files,
                       "headers": {**(headers if request.htmx else {}), "Accept-Language": language}})
        request.said = f"{self.made}, {request.who} in {language}: {request.actions[0].key}"

    def hear(self, request: Request) -> Request:
        """What all trees answer to what was sent first, compared."""
        request.answers = answers = [tree.heard() for tree in self.trees]
        what = unnumbered(f"{request.actions[0].method} {urlsplit(request.address).path}{' htmx' * request.htmx}")
        self.answered[what, answers[0]["status"]] += 1
        self.compare(what, request, answers)
        if all("html" in dict(answer["headers"]).get("Content-Type", "") for answer in answers):
            first = Page(request.address, answers[0]["body"])
            request.pages = [first if one["body"] == answers[0]["body"] else Page(request.address, one["body"])
                             for one in answers]
        self.chooser.keep(request.address, answers[0], next(iter(request.pages), None))
        return request

    def compare(self, what: str, request: Request, answers: list[dict]) -> None:
        """Counts what two answers have not in common."""
        seen = [{**answer, "body": masked(answer["body"])} for answer in answers]
        if seen[0] == seen[-1]:
            return
        one, other = (facets(request.address, answer) for answer in seen)
        # Where other words stand there, their order says nothing.
        found = (one.keys() | other.keys()) - ({"order"} if one.get("text") != other.get("text") else set())
        for facet in sorted(found):
            here, there = one.get(facet, Counter()), other.get(facet, Counter())
            for sign, lines in (("-", here - there), ("+", there - here)):
                for line in lines:
                    kind = f"{sign} {facet}: {unnumbered(line)[:300]}", what
                    self.differences[kind] += 1
                    self.examples.setdefault(kind, f"{request.said}: {line[:500]}")

    def step(self, walker: Walker, beside: list[Walker]) -> Iterator[Request]:
        """One thing that somebody does, and what a browser does for it."""
        self.steps += 1
        step, chooser = self.steps, self.chooser
        chance, htmx, back = chooser.chance(step, "move"), False, []
        # Now and then somebody sends what stands on another one's page.
        pages = beside[int(chance * 1e6) % len(beside)].pages if chance > .96 else walker.pages
        actions = chooser.next(step, walker, pages) if chance > .06 else None
        if actions:
            likely = 1 if actions[0].only_htmx else .5 if actions[0].htmx else .1
            htmx = chooser.chance(step, "htmx") < likely
            back = pages if htmx or actions[0].method == "POST" else []
        else:
            actions = [Action("GET", chooser.somewhere(step, walker))] * len(self.trees)
        done = yield Request(walker.who, actions, step, htmx)
        if actions[0].method == "POST" and chooser.chance(step, "again") < .03:
            done = yield Request(walker.who, actions, step, htmx)
        for _hop in range(3):
            onward = [dict(answer["headers"]).get("Location", "") for answer in done.answers]
            if not all(onward):
                break
            done = yield Request(walker.who, [Action("GET", Page(action.address, "").where(one))
                                              for action, one in zip(actions, onward, strict=True)], step)
        if back and (htmx or not done.pages):
            # What a fragment leaves of the page is seen when the whole page is asked for.
            done = yield Request(walker.who, [Action("GET", page.address) for page in back], step)
        walker.pages = done.pages if done.answers[0]["status"] in (200, 422) else []

    def read(self, address: str) -> Page:
        """A page as the owner reads it."""
        self.send(request := Request("spieler", [Action("GET", address)] * len(self.trees), 0))
        return self.hear(request).pages[0]

    def go(self) -> None:
        """Some at a time, everybody in turn, until as many requests are made as shall be."""
        systems = sorted({one.address.split("/")[2] for one in self.read("/").links
                          if one.address.startswith("/rules/")})
        groups = [walkers("", []), *(walkers(one, sheets_of(self.read(f"/sheets/?system={one}"))) for one in systems)]
        idle, steps = deque(walker for turn in zip_longest(*groups) for walker in turn if walker), []
        beside = {id(walker): group for group in groups for walker in group}
        while self.made < self.count:
            self.chooser.late = self.made > LATE * self.count
            while len(steps) < AT_ONCE:
                walker = idle.popleft()
                going = self.step(walker, beside[id(walker)])
                steps.append((walker, going, next(going)))
            for _walker, _going, request in steps:
                self.send(request)
            left = []
            for walker, going, request in steps:
                try:
                    left.append((walker, going, going.send(self.hear(request))))
                except StopIteration:
                    idle.append(walker)
            steps = left

    def report(self, allowed: list[re.Pattern]) -> int:
        """Tells what was asked and what differed; 1 where something may not."""
        say = sys.stdout.write
        for (what, status), count in sorted(self.answered.items()):
            say(f"{count:5} {status} {what}\n")
        wrong = defaultdict(list)
        for (line, what), count in sorted(self.differences.items()):
            if not any(one.search(f"{what} {line}") for one in allowed):
                wrong[line].append((count, what))
        for line, found in sorted(wrong.items(), key=lambda one: -len(one[1])):
            count, what = max(found)
            everywhere = sum(count for count, _what in found)
            say(f"{everywhere:5} {line}\n      at {len(found)} addresses, {count} times {what}, as in request "
                f"{self.examples[line, what]}\n")
        for tree in self.trees:
            record = tree.record.hexdigest()[:16]
            tree.send({})
            say(f"{self.made} requests, record {record}, {tree.heard():.0f} s of processor\n")
        kinds = {line for line, _what in self.differences}
        say(f"{len(kinds)} kinds of difference, {len(wrong)} of them not allowed\n")
        return bool(wrong)


def main() -> int:
    """Compares what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--allow", type=Path)
    given = parser.parse_args()
    lines = given.allow.read_text().splitlines() if given.allow else []
    walk = Walk([*given.folder, str(Path.cwd())][:2], given.seed, given.requests)
    walk.go()
    return walk.report([re.compile(line) for line in lines if line and not line.startswith("#")])


if __name__ == "__main__":
    sys.exit(main())
