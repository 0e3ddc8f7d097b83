"""A browser as far as drafts ask of it, and a change of what it made."""


from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from rulesets import systems
from sheets.history import saves
from sheets.models import State

CONDICE = systems()["condice"]


class Browser(HttpRequest):
    """What drafts ask of a request."""

    def __init__(self, user=None):
        super().__init__()
        self.user, self.session = user or AnonymousUser(), {}


def change(draft, life, **more):
    saves.save(draft, State(draft.name, draft.data | {"life": life}, {}), **more)
