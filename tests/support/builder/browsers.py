"""A browser as far as drafts ask of it, and a change of what it made."""


from django.contrib.auth.models import AnonymousUser

from rulesets import systems
from sheets.history import saves
from sheets.models import State

CONDICE = systems()["condice"]


class Browser:
    """What drafts ask of a request."""

    def __init__(self, user=None):
        self.user = user or AnonymousUser()
        self.session = {}


def change(draft, life, **more):
    saves.save(draft, State(draft.name, draft.data | {"life": life}, {}), **more)
