"""People who ask a served program, each from an address of their own, and what they are answered."""

import http.client
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support.server import GUEST, form

MEGABYTES = 400
"""What a worker may grow to; granian replaces it at 512."""


@dataclass(frozen=True)
class Answer:
    """What came back, and in how many seconds."""

    status: int
    headers: http.client.HTTPMessage
    page: str
    seconds: float


@dataclass
class Stranger:
    """Somebody at an address of their own, without an account but where a session says whose it is."""

    port: int
    address: str
    session: str = ""

    def ask(self, method, address, **fields) -> Answer:
        """Return the answer to one request; `OSError` where nobody answers."""
        began = time.monotonic()
        answer = form(self.port, method, address, session=self.session, seen=self.address, **fields)
        return Answer(*answer, time.monotonic() - began)

    def keep(self, answer) -> str:
        """Keep a guest's cookie that came with a new draft, whose address is returned."""
        if given := re.search(f"{GUEST}=[^;]+", "; ".join(answer.headers.get_all("Set-Cookie", []))):
            self.session = given[0]
        return "/".join(answer.headers["Location"].split("/")[:3])

    def begin(self) -> str:
        """The address of a new draft, which is theirs."""
        return self.keep(self.ask("POST", "/build/condice/"))


def version_of(answer) -> int:
    """The version of a draft that a page was made from."""
    return int(re.search(r'name="_version" value="(\d+)"', answer.page)[1])


def watch(stranger, over, pause=0.1) -> list[Answer]:
    """Ask again and again whether the program lives, whether or not the last has been answered."""
    with ThreadPoolExecutor(50) as pool:
        asked = []
        while not over(len(asked)):
            asked.append(pool.submit(stranger.ask, "GET", "/health/"))
            time.sleep(pause)
        return [one.result() for one in asked]


def write(stranger, draft, over, pause=0.3) -> list[Answer]:
    """Save a draft again and again, as somebody does who types."""
    version, found = version_of(stranger.ask("GET", f"{draft}/figure/")), []
    while not over(len(found)):
        found.append(stranger.ask("POST", f"{draft}/figure/", _version=version, _name=f"Juan {version}"))
        version += found[-1].status == 302
        time.sleep(pause)
    return found


def late(answers) -> float:
    """The time within which 95 of 100 came."""
    return sorted(one.seconds for one in answers)[int(len(answers) * 0.95)]


def figures(answers) -> str:
    """How many, and how long they took."""
    return f"{len(answers)}, 95 of 100 in {late(answers):.2f} s, worst {max(one.seconds for one in answers):.2f} s"


def scheduled(workers) -> tuple[int, int]:
    """Nanoseconds that these processes ran so far, and that they waited for a processor which others had."""
    each = [path.read_text().split() for one in workers for path in Path(f"/proc/{one}/task").glob("*/schedstat")]
    return sum(int(ran) for ran, _waited, _times in each), sum(int(waited) for _ran, waited, _times in each)


def memory(workers, which="VmHWM") -> list[int]:
    """Megabytes that each process has at its most, or (VmRSS) now."""
    return [int(re.search(rf"{which}:\s+(\d+)", Path(f"/proc/{one}/status").read_text())[1]) // 1024 for one in workers]
