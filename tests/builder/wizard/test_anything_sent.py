"""Whatever is sent to the wizard: no fault of ours, a readable draft, and nothing typed that no page shows."""

import html
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulesets import systems
from rulesets.kit import slots, tag_of
from sheets.forms.paths import field_at
from tests.support.guest import STEPS, Guest, example, inputs_of

SHAPE = systems()["condice"].sheet
ROWS = st.sampled_from(["0", "1", "2", "3", "7", "00", "-1", "²", "٣", "x", ""])
TEXTS = st.one_of(
    st.integers(-2, 40).map(str), st.integers().map(str), st.text(max_size=12),
    st.text(max_size=3).map(lambda text: text * 90),
    st.sampled_from(["", "on", "I", "VI", "life", "a\0b", "x" * 201, "x" * 4001, "1\r\n2", "<b>", "999", "1000", " 3"]),
)


@cache
def leaves():
    """{list, or "" for the sheet: keys of its fields}."""
    return {"": list(slots(SHAPE))} | {
        key: sorted({inner for part in slot.parts for inner in slots(part)})
        for key, slot in slots(SHAPE).items() if slot.parts}


def paths():
    alone = st.sampled_from(leaves()[""])
    inside = [st.tuples(st.just(key), ROWS, st.sampled_from(inner)).map(".".join)
              for key, inner in leaves().items() if key]
    return st.one_of(alone, *inside, *inside, st.just("_name"), st.text(max_size=8), st.sampled_from(["a.b", ".", "0"]))


def buttons():
    tags = [tag_of(part, "ability") for part in slots(SHAPE)["abilities"].parts]
    rows = st.tuples(st.sampled_from(["attacks", "abilities"]), ROWS).map(".".join)
    return st.one_of(
        st.sampled_from(["", "save", "undo:", "redo:", "fill:", "random:", "go:attacks", "go:x", "mend:x", "settle"]),
        st.sampled_from(["add:attacks", "mend"]), st.sampled_from(tags).map("add:abilities:{}".format),
        st.tuples(st.sampled_from(["drop", "copy", "up", "down"]), rows).map(":".join),
        st.tuples(st.sampled_from(["more", "less"]), paths()).map(":".join), st.text(max_size=8),
    )


VERSIONS = st.one_of(st.just("now"), st.just("now"), st.just("now"), st.integers(0, 12).map(str),
                     st.sampled_from(["", "x", "999999999", "²", "12345678"]))
POSTS = st.fixed_dictionaries({
    "slug": st.sampled_from(STEPS), "fields": st.dictionaries(paths(), TEXTS, max_size=4), "do": buttons(),
    "version": VERSIONS, "htmx": st.booleans(), "page": st.booleans(), "again": st.booleans(),
})


def sends(guest, post, conflict):
    """One post: what is made up, on top of the whole page if `page`; after a conflict, perhaps what was chosen."""
    fields = inputs_of(guest.get(post["slug"])) if post["page"] else {}
    version = guest.sheet.version if post["version"] == "now" else post["version"]
    if conflict and post["again"]:
        chosen = {name: value for name, value in conflict.items() if name.startswith("_")}
        chosen |= {f"_keep.{path}": "mine" for path in post["fields"]}
        return guest.post(post["slug"], chosen, do="settle", htmx=post["htmx"], version=conflict["_version"])
    return guest.post(post["slug"], fields | post["fields"], do=post["do"], htmx=post["htmx"], version=version)


@pytest.mark.database("sqlite")
@pytest.mark.slow
@pytest.mark.prove
@pytest.mark.django_db
@settings(max_examples=min(600, settings.default.max_examples), suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([None, "juan", "own-ability"]), st.lists(POSTS, max_size=8))
def test_whatever_is_posted_the_draft_stays_readable_and_all_that_was_typed_is_shown(start, posts):
    guest, conflict = Guest(start and example(start)), None
    for post in posts:
        before = guest.sheet
        answer = sends(guest, post, conflict)
        assert answer.status_code in (200, 302, 400, 409), answer.content
        sheet = guest.sheet
        if answer.status_code in (400, 409):
            assert (sheet.version, sheet.data, sheet.typed) == (before.version, before.data, before.typed)
        conflict = inputs_of(answer) if answer.status_code == 409 else conflict
        assert SHAPE.model_validate(sheet.data).model_dump() == sheet.data
    shown = [guest.get(slug) for slug in STEPS]
    assert {answer.status_code for answer in shown} == {200}
    for path, text in guest.sheet.typed.items():
        page = next(answer for answer in shown if f'name="{path}"' in answer.text)
        if field_at(SHAPE, guest.data, path).kind == "choice":
            # A list to choose from has no place for it; the message tells how it begins.
            assert text[:40] in html.unescape(page.text)
        else:
            assert inputs_of(page)[path] == text
