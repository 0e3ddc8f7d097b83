"""The project's addresses and two that fail, for the tests of what people see then."""

from django.core.exceptions import PermissionDenied
from django.urls import path

from builder import urls


def broken(request):
    raise RuntimeError("the inside of the program")


def forbidden(request):
    raise PermissionDenied


handler500 = urls.handler500
urlpatterns = [*urls.urlpatterns, path("broken/", broken), path("forbidden/", forbidden)]
