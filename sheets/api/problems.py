"""Problem documents (RFC 9457), and the decorator of all views of the API that turns errors into them."""

import json
import logging
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from rulesets.kit import size

MEDIA = "application/problem+json"
AGAIN = 5
"""The seconds after which clients should try again if the database was away."""
READ_ONLY = "25006"
"""The SQLSTATE of a write that PostgreSQL refuses because it is a standby of another server."""
log = logging.getLogger(__name__)


class Problem(Exception):
    """A request that cannot be fulfilled; `errors` are (parameter, message)."""

    def __init__(self, status: int, detail: str, errors: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(detail)
        self.status, self.detail, self.errors = status, detail, list(errors)


def answer(tree: Any, status: int = 200, media: str = "application/json") -> HttpResponse:
    """Return a response with JSON as the commands print it; lazy texts in it are translated."""
    return HttpResponse(json.dumps(tree, ensure_ascii=False, default=str), status=status, content_type=media)


def document(problem: Problem) -> HttpResponse:
    """Return a response with the document of a problem."""
    return answer({
        "type": "about:blank", "title": HTTPStatus(problem.status).phrase, "status": problem.status,
        "detail": problem.detail,
        "errors": [{"parameter": name, "detail": message} for name, message in problem.errors],
    }, problem.status, MEDIA)


def is_away(error: BaseException | None) -> bool:
    """Return True if an error means that the database is unreachable, or read-only because it hands over to another."""
    return isinstance(error, InterfaceError | OperationalError) or (
        isinstance(error, DatabaseError) and getattr(error.__cause__, "sqlstate", None) == READ_ONLY)


def outage_response() -> HttpResponse:
    """Return the response for a database that cannot be reached or written right now."""
    response = document(Problem(503, _("The database can't be reached right now; try again in a moment.")))
    response["Retry-After"] = AGAIN
    return response


def with_problem_responses(view: Callable) -> Callable:
    """Decorate a view of the API: activate the language of `?lang`, and return a problem document for any error."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
        language = get_language() or settings.LANGUAGE_CODE
        try:
            language = _asked(request) or language
            with override(language):
                response = _allowed(view(request, *args, **kwargs))
        except Problem as problem:
            response = document(problem)
        except Exception as error:  # noqa: BLE001 - clients get a problem document for every error
            with override(language):
                response = _failed(request, error)
        response["Content-Language"] = language
        return response

    return inner


def _asked(request: HttpRequest) -> str | None:
    asked = request.GET.getlist("lang")
    codes = [code for code, _name in settings.LANGUAGES]
    if len(asked) > 1 or not {*asked} <= {*codes}:
        message = _("This is not a language here; there are: {codes}.").format(codes=", ".join(codes))
        raise Problem(422, message, [("lang", message)])
    return asked[0] if asked else None


def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    if not is_away(error):
        return document(_problem(request, error))
    log.error("%s %s", request.method, request.path, exc_info=error)
    return outage_response()


def _problem(request: HttpRequest, error: Exception) -> Problem:
    if isinstance(error, RequestDataTooBig):
        return Problem(413, _("Anything larger than {most} is not read at all.").format(
            most=size(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)))
    if isinstance(error, SuspiciousOperation | OSError):
        # There are too many parameters, the client has gone, or the body has not the length that its header states.
        return Problem(400, _("This request cannot be read."))
    log.error("%s %s", request.method, request.path, exc_info=error)
    return Problem(500, _("Something went wrong here; it has been logged."))


def _allowed(response: HttpResponse) -> HttpResponse:
    """Return the response, or a problem document if the address does not know the method."""
    if not isinstance(response, HttpResponseNotAllowed):
        return response
    known = {*response["Allow"].split(", ")}
    methods = ", ".join(sorted(known | ({"HEAD"} if "GET" in known else set())))
    response = document(Problem(405, _("This address accepts: {methods}.").format(methods=methods)))
    response["Allow"] = methods
    return response
