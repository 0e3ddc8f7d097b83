"""The project's addresses and two that fail, for the tests of what people see then."""

from django.core.exceptions import PermissionDenied
from django.urls import path

from builder.urls import urlpatterns as ours


def broken(request):
    raise RuntimeError("the inside of the program")


def forbidden(request):
    raise PermissionDenied


urlpatterns = [*ours, path("broken/", broken), path("forbidden/", forbidden)]
