"""The HTTP API: what it answers and what it refuses."""

import json

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override

from rulesets import systems
from rulesets.document import BYTES, read_tree, verdict
from rulesets.kit import slots
from rulesets.parsing import OFFENCES
from sheets.api.views import MOST
from sheets.models import Sheet
from tests.support import hostile_documents
from tests.support.rulesets.contract import every, every_system, report, seeded

pytestmark = pytest.mark.django_db
JUAN = systems()["condice"].examples["juan"]
ROOT = "/api/v1"
ODDS = f"{ROOT}/rulesets/condice/rolls/attack/odds"


@pytest.fixture
def api():
    """A tool that sends what it likes, without cookies and without a token."""
    return Client(enforce_csrf_checks=True, raise_request_exception=False, headers={"Accept-Language": "en"})


def send(api, tree, slug="condice", **extra):
    raw = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    return api.post(f"{ROOT}/rulesets/{slug}/validate", raw, **{"content_type": "application/json"} | extra)


def problem(response, status):
    """The problem document of a refusal."""
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json"), response.content
    tree = response.json()
    assert tree.keys() == {"type", "title", "status", "detail", "errors"}
    assert (tree["status"], bool(tree["detail"].strip())) == (status, True)
    return tree


# What is answered


@every_system
def test_every_system_is_listed_with_its_rolls_and_their_parameters_and_its_concepts(api, ruleset):
    listed = api.get(f"{ROOT}/rulesets?lang=de").json()
    assert [one["slug"] for one in listed] == list(systems())
    one = listed[list(systems()).index(ruleset.slug)]
    assert {roll["slug"]: [each["name"] for each in roll["parameters"]] for roll in one["rolls"]} == {
        slug: list(slots(roll)) for slug, roll in ruleset.rolls.items()}
    assert one["concepts"] == [{"slug": slug, "title": title} for slug, title in
                               ruleset.vocabulary("de").get("concepts", {}).items()]


@every("examples")
def test_the_verdict_is_what_the_command_prints(api, ruleset, key, tmp_path, capsys):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(ruleset.examples[key]), encoding="utf-8")
    call_command("validate", str(file), "--format", "json")
    printed = json.loads(capsys.readouterr().out)[0]
    del printed["file"]
    response = send(api, ruleset.examples[key], ruleset.slug)
    assert (response.status_code, response.json()) == (200, printed)


@every("offenders")
def test_an_illegal_sheet_is_no_fault_of_the_request(api, ruleset, key):
    response = send(api, ruleset.offenders[key], ruleset.slug)
    assert (response.status_code, key in {one["rule"] for one in response.json()["findings"]}) == (200, True)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"ruleset": "condice"}', b" " * (BYTES + 1), b"\xff"], ids=repr)
def test_an_unreadable_document_is_answered_in_the_same_shape(api, raw):
    response = send(api, raw)
    assert (response.status_code, response["Content-Type"]) == (422, "application/json")
    tree = response.json()
    assert tree.keys() == {"ruleset", "verdict", "findings", "derived"}
    assert (tree["verdict"], tree["derived"]) == ("unreadable", None)
    assert all(finding["rule"] is None and finding["message"] for finding in tree["findings"])


@every_system
def test_every_roll_answers_its_odds(api, ruleset):
    for one in next(each for each in api.get(f"{ROOT}/rulesets").json() if each["slug"] == ruleset.slug)["rolls"]:
        small = {"integer": "3", "boolean": "0", "string": "1-10"}
        given = {each["name"]: each["choices"][0] if each["choices"] else small[each["type"]]
                 for each in one["parameters"] if each["required"]}
        answer = api.get(f"{ROOT}/rulesets/{ruleset.slug}/rolls/{one['slug']}/odds", given)
        if answer.status_code == 422:
            assert problem(answer, 422)["errors"]
        else:
            tree = answer.json()
            assert sum(each["value"] for each in tree["outcomes"]) == pytest.approx(1)
            assert (tree["mean"] is None) == any(isinstance(each["outcome"], str) for each in tree["outcomes"])


def test_odds_are_what_the_command_prints(api, capsys):
    call_command("odds", "condice", "attack", "dice=3", "defence=1", "--format", "json")
    assert api.get(ODDS, {"dice": 3, "defence": 1}).json() == json.loads(capsys.readouterr().out)


def test_the_language_is_the_readers_or_the_one_that_is_asked_for(api):
    assert "not a system" in api.get(f"{ROOT}/rulesets/x/schema").json()["detail"]
    for asked in ({"lang": "de"}, {}):
        german = api.get(f"{ROOT}/rulesets/x/schema", asked, headers={"Accept-Language": "en" if asked else "de"})
        assert "System „x“ gibt es hier nicht" in german.json()["detail"]
        assert german["Content-Language"] == "de"
    assert "Points" in send(api, JUAN | {"data": JUAN["data"] | {"life": 20}}).content.decode().title()


def test_a_sheet_that_breaks_a_rule_a_hundred_times_is_still_a_short_answer(api):
    ruleset = systems()["condice"]
    abilities = [{"ability": "aura", "attribute": None}] * 99
    attacks = [{"name": "x", "dice": 1, "description": "y" * 3_900}] * 14
    document = ruleset.document("X", {"abilities": abilities, "attacks": attacks})
    answer, whole = send(api, document), verdict(json.dumps(document).encode())["findings"]
    findings = answer.json()["findings"]
    assert len(findings) == len(whole) > 99
    assert findings[0]["fixes"] == whole[0]["fixes"][:len(findings[0]["fixes"])] != []
    assert len(answer.content) < MOST < len(json.dumps(whole))


@pytest.mark.parametrize(("data", "place"), [
    ({f"k{n}": n for n in range(5_000)}, "data.k0"),
    ({"k" * 20_000: [float("nan")] * 9_000}, f"data.{'k' * 79}….0"),
])
def test_a_document_with_thousands_of_faults_is_told_the_first_and_how_many_more_there_are(api, data, place):
    document = {**systems()["condice"].document(), "data": data}
    response = send(api, json.dumps(document, separators=(",", ":")).encode())
    told = response.json()["findings"]
    assert (response.status_code, len(response.content) < MOST) == (422, True)
    assert place in [one["path"] for one in told]
    assert max(len(one["path"]) for one in told) < 100
    assert "more; fix these first" in told[-1]["message"] or len(told) == OFFENCES


def test_nothing_asks_the_database_and_head_is_get_without_its_body(api, django_assert_num_queries):
    with django_assert_num_queries(0):
        send(api, JUAN)
        api.get(f"{ROOT}/rulesets")
        api.get(ODDS, {"dice": 3})
        assert api.head(f"{ROOT}/rulesets").status_code == 200


# What is refused


@pytest.mark.parametrize("address", [
    "/", "/nowhere", "/rulesets/", "/rulesets/x/schema", "/rulesets/condice", "/rulesets/condice/rolls/x/odds",
    "/rulesets/x/rolls/attack/odds", "/rulesets/con%00dice/schema", "/rulesets/ü/schema",
])
def test_an_address_that_is_not_there_is_a_problem(api, address):
    problem(api.get(f"{ROOT}{address}"), 404)
    problem(send(api, JUAN, "x"), 404)


@pytest.mark.parametrize(("method", "address", "allowed"), [
    ("post", "/rulesets", "GET, HEAD"), ("delete", "/rulesets/condice/schema", "GET, HEAD"),
    ("get", "/rulesets/condice/validate", "POST"), ("put", "/rulesets/condice/validate", "POST"),
    ("options", "/rulesets/condice/validate", "POST"), ("patch", "/rulesets/condice/rolls/attack/odds", "GET, HEAD"),
])
def test_a_method_that_is_not_known_is_a_problem_that_names_the_others(api, method, address, allowed):
    response = getattr(api, method)(f"{ROOT}{address}")
    assert allowed in problem(response, 405)["detail"]
    assert response["Allow"] == allowed


@pytest.mark.parametrize(("media", "right"), [
    ("text/plain", False), ("text/html", False), ("application/xml", False), ("multipart/form-data; boundary=x", False),
    ("application/x-www-form-urlencoded", False), ("application/json", True), ("application/json; charset=utf-8", True),
    ("application/ld+json", True)])
def test_what_calls_itself_json_is_read_and_anything_else_a_problem(api, media, right):
    answer = send(api, JUAN, content_type=media)
    assert answer.status_code == 200 if right else media.split(";")[0] in problem(answer, 415)["detail"]


def test_more_than_is_read_is_a_problem(api):
    problem(send(api, b" " * 3_000_000), 413)
    problem(api.get(f"{ODDS}?" + "&".join(f"p{n}=1" for n in range(1_100))), 400)


@pytest.mark.parametrize(("query", "names"), [
    ("dice=3&luck=1", ["luck"]), ("dice=3&dice=4", ["dice"]), ("", ["dice"]), ("dice=-1", ["dice"]),
    ("dice=1000", ["dice"]), ("dice=three", ["dice"]), ("dice=1.5", ["dice"]), ("dice=٣", ["dice"]),
    ("dice=" + "9" * 400, ["dice"]), ("dice=1&defence=&extra_dice=x", ["defence", "extra_dice"]),
    ("random?concept=x", ["concept"]), ("random?seed=1&seed=2", ["seed"]), ("random?colour=red", ["colour"]),
    ("random?concept=%00", ["concept"]),
    ("dice=3&lang=fr", ["lang"]), ("dice=3&lang=de&lang=en", ["lang"]), ("dice=%00", ["dice"]),
])
def test_a_parameter_out_of_sense_is_refused_by_its_name(api, query, names):
    address = f"{ROOT}/rulesets/condice/{query}" if query.startswith("random") else f"{ODDS}?{query}"
    tree = problem(api.get(address), 422)
    assert [error["parameter"] for error in tree["errors"]] == names
    assert "luck" not in names or "dice, defence, extra_dice" in tree["detail"]


def test_a_document_of_another_system_is_refused_at_its_ruleset(api, monkeypatch):
    monkeypatch.setattr("sheets.api.views.document.verdict", lambda raw: {**verdict(raw), "ruleset": "other"})
    response = send(api, JUAN)
    assert (response.status_code, [one["path"] for one in response.json()["findings"]]) == (422, ["ruleset"])


def test_a_fault_of_ours_is_a_problem_too_and_tells_nothing(api, monkeypatch):
    def broken(raw):
        raise RuntimeError("the inside of the program")

    monkeypatch.setattr("sheets.api.views.document.verdict", broken)
    assert "inside" not in json.dumps(problem(send(api, JUAN), 500))


@pytest.mark.prove
def test_hostile_documents_are_judged_and_nothing_is_written(api, description, full):
    rng, number, answers = seeded("api"), 5_000 if full else 60, {200: 0, 422: 0}
    check = jsonschema.Draft202012Validator(
        {**description["components"]["schemas"]["Verdict"], "components": description["components"]})
    for _number in range(number):
        raw = hostile_documents.document(rng)
        response = send(api, raw, rng.choice(list(systems())))
        answers[response.status_code] += 1
        tree = response.json()
        check.validate(tree)
        assert (tree["verdict"] == "unreadable") == (response.status_code == 422), raw
        assert tree["verdict"] != "unreadable" or tree["findings"], raw
    # The more systems there are, the more often a document comes to another one's address.
    assert min(answers.values()) > number / 10 / len(systems())
    assert not Sheet.objects.exists()
    if full:
        report(f"API: {number} hostile documents, {answers[200]} judged, {answers[422]} refused with their places")


@pytest.mark.parametrize("slug", [slug for slug, ruleset in systems().items() if ruleset.concepts])
def test_a_random_document_is_of_the_concept_that_is_asked_for_in_the_readers_language(api, slug):
    ruleset = systems()[slug]
    concept = next(iter(ruleset.concepts))
    address = f"/api/v1/rulesets/{ruleset.slug}/random?seed=5&concept={concept}&lang="
    english, german, again = (api.get(address + language).json() for language in ("en", "de", "de"))
    assert german == again != english
    assert read_tree(german).check().findings == ()
    for language, document in (("de", german), ("en", english)):
        with override(language):
            assert document["notes"] in ruleset.concept_lines(concept, document["data"])
