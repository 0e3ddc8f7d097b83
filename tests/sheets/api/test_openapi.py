"""What the API says of itself: its description, the schemas of documents, its page; and that all of it is so."""

import json
import re
from itertools import product

import jsonschema
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from pydantic import ValidationError
from schemathesis.specs.openapi.checks import positive_data_acceptance

from builder.wsgi import application
from rulesets import systems
from rulesets.document import Unreadable, read_tree
from rulesets.schema import DIALECT, document_schema
from sheets.models import Sheet
from tests.support.everyday import everyday
from tests.support.hostile_documents import changed, good, nodes
from tests.support.rulesets.contract import SYSTEMS, every_system, report, seeded

pytestmark = pytest.mark.django_db
ROOT = "/api/v1"


@pytest.fixture(autouse=True)
def _one_connection():
    """Django's own test client keeps the test's connection open over requests; for another one it is kept so here."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@every_system
def test_the_schema_is_one_and_says_what_it_cannot_say(client, ruleset):
    response = client.get(f"{ROOT}/rulesets/{ruleset.slug}/schema", {"lang": "en"})
    assert response["Content-Type"] == "application/schema+json"
    tree = response.json()
    assert tree["$schema"] == DIALECT == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(tree)
    unsaid = ("64 KiB (65,536 bytes)", "twice", "NUL", "1.0", "range")
    assert [one for one in unsaid if one not in tree["description"]] == []


def judged(ruleset, tree):
    """Whether the model reads a tree, and whether only what spans several fields is wrong with it."""
    try:
        read_tree(tree)
    except Unreadable:
        pass
    else:
        return True, False
    kinds = set()
    for key, shape in (("data", ruleset.sheet), ("house", ruleset.house), ("play", ruleset.play)):
        try:
            if tree.get(key) is not None:
                shape.model_validate(tree[key])
        except ValidationError as error:
            kinds |= {one["type"] for one in error.errors()}
    return False, kinds == {"value_error"}


def unsaid(tree) -> bool:
    """Whether a tree holds what a schema cannot tell from what is right: 1.0, a NUL."""
    return any(isinstance(value, float) or (isinstance(value, str) and ("\0" in value or value.endswith("\n")))
               for node in nodes(tree) for value in (node.values() if isinstance(node, dict) else node))


@pytest.mark.prove
@pytest.mark.parametrize("ruleset", everyday(SYSTEMS, 2), ids=lambda ruleset: ruleset.slug)
def test_schema_and_model_agree(ruleset, full):
    check = jsonschema.Draft202012Validator(document_schema(ruleset))
    rng, number, found = seeded(ruleset.slug), 1_000 if full else 150, []
    while len(found) < number:
        tree = good(rng, ruleset)
        tree = changed(tree, rng) if rng.random() < 0.7 else tree
        if not unsaid(tree):
            model, spanning = judged(ruleset, tree)
            schema = check.is_valid(tree)
            assert schema == model or (schema and spanning), (tree, [one.message for one in check.iter_errors(tree)])
            found.append((model, schema))
    read, spans = sum(model for model, _schema in found), found.count((False, True))
    assert min(read, number - read) > number / 10
    if full:
        report(f"{ruleset.slug}: schema and model agree on {number} documents ({read} read, {number - read} refused, "
               f"{spans} only by what spans fields)")


def test_the_description_is_openapi_and_names_every_address(description):
    assert description["openapi"].startswith("3.1")
    assert list(description["paths"]) == [f"{ROOT}/rulesets", f"{ROOT}/rulesets/{{slug}}/schema",
                                          f"{ROOT}/rulesets/{{slug}}/validate",
                                          f"{ROOT}/rulesets/{{slug}}/rolls/{{roll}}/odds",
                                          f"{ROOT}/rulesets/{{slug}}/random"]
    assert set(systems()) < set(description["components"]["schemas"])


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_page_shows_every_operation_and_fetches_nothing(client, description, language):
    html = client.get(f"{ROOT}/docs", headers={"Accept-Language": language}).text
    shown = [f"<code>{address}</code>" for address in description["paths"]]
    shown += [f"rolls/{slug}/odds" for ruleset in systems().values() for slug in ruleset.rolls]
    assert [one for one in shown if one not in html] == []
    # Where the page is told to be is fetched by nobody.
    assert re.findall('(?:src|href)="http', re.sub(r'<link rel="canonical"[^>]*>', "", html)) == []


@pytest.mark.prove
@pytest.mark.parametrize("operation", ["rulesets", "schema", "validate", "odds"])
@pytest.mark.slow
def test_no_answer_lies_outside_of_the_description(description, operation, full):
    found = [one.ok() for one in schemathesis.openapi.from_dict(description).get_all_operations()]
    one = next(each for each in found if each.definition.raw["operationId"] == operation)
    one.app = application

    @settings(max_examples=300 if full else 20, suppress_health_check=list(HealthCheck), deadline=None)
    @given(one.as_strategy())
    def answered(case):
        # 1.0 is an integer to a schema and none to the documents; the schema says so in words.
        case.call_and_validate(excluded_checks=[positive_data_acceptance] if operation == "validate" else [])

    answered()
    assert not Sheet.objects.exists()


def test_a_document_is_taken_at_its_own_systems_address_alone_as_the_description_says(client, description):
    operation = description["paths"][f"{ROOT}/rulesets/{{slug}}/validate"]["post"]
    assert "A document for another system gets a 422" in operation["description"]
    assert "for another system" in operation["responses"]["422"]["description"]
    taken = operation["requestBody"]["content"]["application/json"]["schema"]["discriminator"]["mapping"]
    assert list(taken) == list(systems())
    for its, slug in product(systems(), repeat=2):
        document = json.dumps(next(iter(systems()[its].examples.values())))
        answer = client.post(f"{ROOT}/rulesets/{slug}/validate", document, content_type="application/json")
        assert answer.status_code == (200 if slug == its else 422), (its, slug)
