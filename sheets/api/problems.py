"""Problem documents (RFC 9457), and the frame around every view of the API that makes them of whatever goes wrong."""

import json
import logging
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

MEDIA = "application/problem+json"
log = logging.getLogger(__name__)


class Problem(Exception):
    """What a request cannot have; `errors` are (parameter, message)."""

    def __init__(self, status: int, detail: str, errors: Iterable[tuple[str, str]] = ()):
        super().__init__(detail)
        self.status, self.detail, self.errors = status, detail, list(errors)


def answer(tree: Any, status: int = 200, media: str = "application/json") -> HttpResponse:
    """JSON as the commands write it; texts that wait for their language are put into it."""
    return HttpResponse(json.dumps(tree, ensure_ascii=False, default=str), status=status, content_type=media)


def document(problem: Problem) -> HttpResponse:
    """A problem as its document."""
    return answer({
        "type": "about:blank", "title": HTTPStatus(problem.status).phrase, "status": problem.status,
        "detail": problem.detail,
        "errors": [{"parameter": name, "detail": message} for name, message in problem.errors],
    }, problem.status, MEDIA)


def framed(view: Callable) -> Callable:
    """A view of the API in the language of `?lang`, with a problem document for whatever it does not answer."""

    @wraps(view)
    def inner(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
        try:
            language = _language(request)
        except Problem as problem:
            return document(problem)
        with override(language):
            response = _attempt(view, request, *args, **kwargs)
        response["Content-Language"] = language
        return response

    return inner


def _language(request: HttpRequest) -> str:
    asked = request.GET.getlist("lang")
    if not asked:
        return get_language() or settings.LANGUAGE_CODE
    codes = [code for code, _name in settings.LANGUAGES]
    if len(asked) > 1 or asked[0] not in codes:
        message = _("This is no language here; there are: {codes}.").format(codes=", ".join(codes))
        raise Problem(422, message, [("lang", message)])
    return asked[0]


def _attempt(view: Callable, request: HttpRequest, *args, **kwargs) -> HttpResponse:
    try:
        response = view(request, *args, **kwargs)
    except Problem as problem:
        return document(problem)
    except Http404:
        return document(Problem(404, _("There is nothing at this address.")))
    except RequestDataTooBig:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return document(Problem(413, _("More than {most} bytes are not read at all.").format(most=most)))
    except OSError:
        # The sender went away, or said one length and sent another.
        return document(Problem(400, _("The request broke off before its end.")))
    except Exception:  # whatever it is, it is ours, and a program that called should be told in its own form
        log.exception("%s %s", request.method, request.path)
        return document(Problem(500, _("Something broke here; it is written to the log.")))
    if isinstance(response, HttpResponseNotAllowed):
        allowed = response["Allow"]
        methods = ", ".join(sorted({*allowed.split(", "), *(["HEAD"] if "GET" in allowed else [])}))
        response = document(Problem(405, _("This address answers to: {methods}.").format(methods=methods)))
        response["Allow"] = methods
    return response
