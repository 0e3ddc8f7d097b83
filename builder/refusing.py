"""Refusals that Django would answer bare: a method that an address does not know, a host that is not served."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.middleware.security import SecurityMiddleware
from django.template.loader import render_to_string


def headed(get_response):
    """Middleware: what SecurityMiddleware itself refuses, a foreign host, carries its headers too."""
    headers = SecurityMiddleware(get_response).process_response

    def middleware(request: HttpRequest) -> HttpResponse:
        return headers(request, get_response(request))

    return middleware


def paged(get_response):
    """Middleware: a method that an address does not know is answered by a page; `Allow` names those it knows."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("405.html", request=request)
        return response

    return middleware
