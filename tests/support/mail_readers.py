"""People who want notifications by e-mail, and what they are sent, for tests."""

import socketserver
import threading

from django.contrib.auth import get_user_model
from django.utils import timezone

from rulesets import systems
from sheets.models import Delivery, Receiver
from sheets.notifications import mail as mailing
from sheets.notifications.services import notify
from sheets.outbox.services import deliver
from sheets.parties import services as parties


def reader(name="juan", language="en", *, wants=True):
    """Somebody with a confirmed address who wants mails in that language."""
    user = get_user_model().objects.create_user(name)
    user.emailaddress_set.create(email=f"{name}@example.org", primary=True, verified=True)
    if wants:
        mailing.ask(user, language)
    return user


def party(name="Die Runde"):
    """A party of somebody who wants nothing."""
    gm, _new = get_user_model().objects.get_or_create(username="leiterin")
    return parties.found_party(gm, name, systems()["condice"])


def happens(*users, kind="joined", times=1, **more):
    """Something is told to all of them, each time something else: the same again would be told once."""
    made = more.pop("party", None) or party()
    for number in range(times):
        notify(users, kind, made, get_user_model().objects.get(username="leiterin"), number=number, **more)


def words():
    """What came of each mail of one run."""
    return [one.state for one in deliver(mailing.Mail())]


def states():
    """The stored state of each mail, the oldest first."""
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


def later():
    """Every pause and every claim runs out."""
    Receiver.objects.update(after=timezone.now())


class Postbox(socketserver.ThreadingTCPServer):
    """A mail server on a free port: keeps what it takes, refuses some addresses, hangs up on others."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, refuses=(), hangs_up=()):
        super().__init__(("127.0.0.1", 0), Conversation)
        self.refuses, self.hangs_up = refuses, hangs_up
        self.taken, self.visits = [], 0
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]


class Conversation(socketserver.StreamRequestHandler):
    """One visit at a Postbox."""

    def handle(self):
        self.server.visits += 1
        self.say("220 here")
        to = ""
        while line := self.rfile.readline().decode().strip():
            word = line.partition(" ")[0].upper()
            if word == "RCPT":
                to = line.partition("<")[2].partition(">")[0]
                if to in self.server.hangs_up:
                    return
                self.say("550 nobody of that name" if to in self.server.refuses else "250 go on")
            elif word == "DATA":
                self.say("354 go on")
                self.server.taken.append((to, b"".join(iter(self.rfile.readline, b".\r\n")).decode()))
                self.say("250 taken")
            elif word == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 go on")

    def say(self, text):
        self.wfile.write(f"{text}\r\n".encode())
