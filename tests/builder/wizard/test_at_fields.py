"""What breaks a rule is marked at its field and in its step, with its mends there; a live answer says the same."""

import html
import re

import pytest
from django.utils.translation import override

from builder.wizard.steps import step_of, steps
from rulesets import systems
from rulesets.document import read_tree
from rulesets.kit import patched
from sheets.forms.inputs import element_id
from tests.support.guest import Guest, example, inside
from tests.support.rulesets.contract import every_system

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def marks(answer):
    """{the place: the source of what the rules say there} of a page or a live answer, as far as they say anything."""
    return {where.removesuffix("--told"): html.unescape(source) for where, source in inside(answer).items()
            if where.endswith("--told") and "mark" in source}


def places(guest, ruleset, found):
    """[(step, place)] of a finding on the steps that ask for what it is about, and the page of the first of them."""
    slugs = [step_of(ruleset, found.path)] if found.path or found.lacking else [*steps(ruleset)]
    pages = {slug: guest.get(slug) for slug in slugs}
    return [(slug, where) for slug, page in pages.items() for where, said in marks(page).items()
            if found.message in said], pages[slugs[0]]


@every_system
def test_each_finding_of_a_sheet_that_breaks_one_rule_stands_at_its_field_or_as_near_as_the_page_has_it(ruleset):
    for rule, document in ruleset.offenders.items():
        guest = Guest(document, system=ruleset.slug)
        with override("en"):
            for found in read_tree(document).check().findings:
                (told, page), path = places(guest, ruleset, found), found.path
                assert told, (rule, found.message)
                if not path:
                    assert {where for _slug, where in told} == {"f-_name" if found.lacking else "whole"}, rule
                    continue
                (_slug, place), = told
                field = element_id(path)
                assert field == place or field.startswith(f"{place}-"), rule
                near = [one for one in re.findall(r'id="(f-[^"]*)--told"', page.text)
                        if (field == one or field.startswith(f"{one}-")) and len(one) > len(place)]
                assert near == [], rule


def test_what_is_wrong_marks_its_field_with_its_mends_and_the_side_column_leaves_them_there():
    guest = Guest(example() | {"data": patched(example()["data"], {"attacks.1.name": "Tritt", "life": 30})})
    page = guest.get("values").text
    assert set(marks(guest.get("values"))) == set(marks(guest.get("attacks"))) == {"whole"}
    side = page.partition('id="findings"')[2]
    assert ('value="mend:' in page, 'value="mend:' in side, "30 are allowed" in side) == (True, False, True)
    assert len(re.findall('value="(mend:[^"]+)"', page)) == len(set(re.findall('value="(mend:[^"]+)"', page)))


def test_a_number_that_breaks_a_rule_is_said_to_be_invalid_and_a_hint_is_not():
    guest = Guest(systems()["daemmersturm"].offenders["DS-01"], system="daemmersturm")
    found = guest.get("skills").text
    number = re.search(r'<input id="f-melee-attack"[^>]*>', found)[0]
    assert 'aria-invalid="true"' in number
    assert "f-melee-attack--told" in number
    guest = Guest(example() | {"data": example()["data"] | {"movement": 0}})
    assert "aria-invalid" not in re.search(r'<input id="f-movement"[^>]*>', guest.get("values").text)[0]


def test_a_live_answer_tells_at_the_fields_what_the_page_tells_there():
    guest = Guest(example())
    answer = guest.post("attacks", {"attacks.0.name": "", "attacks.0.dice": "25"}, htmx=True)
    assert set(marks(answer)) == {"f-attacks-0-name", "f-attacks-1", "whole"}
    assert marks(answer) == marks(guest.get("attacks"))
    mended = guest.post("attacks", {"attacks.0.name": "Stich", "attacks.0.dice": "1"}, htmx=True)
    assert marks(mended) == {}


def test_what_was_removed_mended_or_filled_up_is_undone_where_it_happened():
    def undo(answer):
        return [where for where, said in inside(answer).items() if where.endswith("--told") and 'value="undo:"' in said]

    guest = Guest(example() | {"data": example()["data"] | {"life": 9}})
    assert undo(guest.post("attacks", do="drop:attacks.1", htmx=True)) == ["f-attacks--told"]
    assert undo(guest.get("attacks")) == []
    guest.post("attacks", do="undo:", htmx=True)
    assert len(guest.data["attacks"]) == len(example()["data"]["attacks"])
    mend = re.search('value="(mend:[^"]+)"', guest.get("values").text)[1]
    assert undo(guest.post("values", do=mend, htmx=True)) == ["whole--told"]
    assert undo(guest.post("values", do="undo:", htmx=True)) == []
    assert undo(Guest().post("figure", do="fill:", htmx=True)) == ["whole--told"]
    beyond = Guest(systems()["daemmersturm"].offenders["DS-01"], system="daemmersturm")
    mend = re.search('value="(mend:[^"]+)"', beyond.get("skills").text)[1]
    assert undo(beyond.post("skills", do=mend, htmx=True)) == ["f-melee-attack--told"]
    deck = Guest(systems()["battle-dice"].offenders["BD-02"], system="battle-dice")
    mend = re.search('value="(mend:[^"]+)"', deck.get("deck").text)[1]
    assert 'class="did afar"' in inside(deck.post("deck", do=mend, htmx=True))["whole--told"]
