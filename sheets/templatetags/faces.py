"""Faces of characters, for templates."""

from django.template import Library

from sheets.faces.emblems import emblem

register = Library()
register.simple_tag(emblem)
