"""Moments in words: today, yesterday, the weekday, the date, in the site's time zone, with the exact one beside."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils import timezone
from django.utils.translation import override

SPOKEN = [
    # 23:30 in Berlin on a Saturday, and half an hour later on the Sunday.
    ("2026-11-28 22:30", "2026-11-28 17:40", "heute 18:40", "today 18:40"),
    ("2026-11-28 23:01", "2026-11-28 22:59", "gestern 23:59", "yesterday 23:59"),
    ("2026-11-28 23:01", "2026-11-28 23:00", "heute 00:00", "today 00:00"),
    ("2026-11-28 12:00", "2026-11-26 17:40", "Do. 18:40", "Thu 18:40"),
    ("2026-11-28 12:00", "2026-11-21 23:30", "So. 00:30", "Sun 00:30"),
    ("2026-11-28 12:00", "2026-11-21 22:30", "21.11.", "21 Nov"),
    ("2026-11-28 12:00", "2025-12-31 22:30", "31.12.2025", "31 Dec 2025"),
    ("2026-11-28 12:00", "2025-12-31 23:30", "1.1.", "1 Jan"),
    # Days of 25 and of 23 hours are days like others.
    ("2026-10-25 22:30", "2026-10-24 22:30", "heute 00:30", "today 00:30"),
    ("2026-03-29 21:30", "2026-03-28 22:30", "gestern 23:30", "yesterday 23:30"),
    # Clocks that disagree tell no day too many.
    ("2026-11-28 22:59", "2026-11-28 23:01", "29.11.", "29 Nov"),
]


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def shown(when):
    return Template("{% load moments %}{{ when|moment }}").render(Context({"when": when}))


@pytest.mark.parametrize(("now", "when", "german", "english"), SPOKEN)
def test_a_moment_is_told_in_the_words_of_the_day_with_the_exact_one_beside_it(
        monkeypatch, now, when, german, english):
    monkeypatch.setattr(timezone, "now", lambda: at(now))
    for language, said in (("de", german), ("en", english)):
        with override(language):
            assert f">{said}</time>" in shown(at(when))


def test_the_exact_moment_is_there_for_people_and_for_programs():
    with override("de"):
        assert shown(at("2026-11-03 20:05")).startswith(
            '<time datetime="2026-11-03T21:05:00+01:00" title="03.11.2026, 21:05">')


def test_what_has_not_happened_has_no_moment():
    assert shown(None) == ""
