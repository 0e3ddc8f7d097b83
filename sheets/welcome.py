"""Invitations that open the door where accounts are by invitation only; whoever sends one marks the browser here."""

from django.http import HttpRequest

SESSION_KEY = "welcome"


def welcome(request: HttpRequest, word: str) -> None:
    """Let this browser make an account, because of an invitation; `word` says of which."""
    request.session[SESSION_KEY] = word


def welcomed(request: HttpRequest) -> str:
    """Return the word of the invitation that this browser came with, or nothing."""
    return request.session.get(SESSION_KEY, "")
