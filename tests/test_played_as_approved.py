"""What a GM has approved is played, whatever its player writes then: in each system, by way of a comment and a mend."""

import re

import pytest
from django.contrib.auth.models import User

from rulesets import systems
from rulesets.kit import patched
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.guest import text_of
from tests.support.sheets.approvals import CASES
from tests.support.sheets.table_people import RoundTable

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
REASON, COMMENT = "Für diese Runde vereinbart.", "Das hatten wir anders besprochen."


class Table(RoundTable):
    """A table that plays what is approved; Anna's sheet asks for it in two places."""

    def __init__(self, slug):
        super().__init__(User.objects, slug)
        self.case = CASES[slug]
        self.party.approval, self.party.house = True, self.case.house
        self.party.save()
        sheet = self.sheets["anna"]
        sheet.house = self.case.house
        sheet.data = self.ruleset.sheet.model_validate(patched(sheet.data, self.case.patch)).model_dump()
        sheet.save()

    def submitted(self):
        """Submit it; answers what the GM finds, as what they decide with."""
        sheet = self.sheet("anna")
        reviews.submit(sheet, sheet.owner)
        return self.party.members.get(user=self.users["gm"]), sheet, \
            reviews.pending_decision(sheet, review_status(sheet))

    def write(self, at, **fields):
        """Change the sheet in the builder, at the step of a field."""
        step = self.browsers["anna"].get(f"/drafts/{self.sheets['anna'].pk}/", {"at": at})["Location"].partition("?")[0]
        sent = {"_version": self.sheet("anna").version, **fields}
        return self.browsers["anna"].post(step.partition("#")[0], sent, follow=True)


@pytest.mark.parametrize("slug", systems())
def test_what_was_approved_is_played_whatever_its_player_writes_then(slug):
    table = Table(slug)
    case, (member, sheet, found) = table.case, table.submitted()
    reviews.give_back(member, sheet, found.seal, {"at": {case.at: COMMENT}})
    shown = table.browsers["anna"].get(f"/drafts/{sheet.pk}/", {"at": case.at}, follow=True)
    assert COMMENT in text_of(shown)
    # The mend stands at the field, below the rule that is broken there.
    table.write(case.at, do=re.search(rf'#{case.mended}".*?value="(mend:\w+)"', shown.text, re.DOTALL)[1])

    member, sheet, found = table.submitted()
    assert [one.rule for one in found.asking.values()] == [case.granted]
    reviews.approve(member, sheet, found.seal, dict.fromkeys(found.asking, REASON), {})
    path, text = case.edit
    table.write(path, **({path: text} if text else {"do": f"less:{path}"}))
    assert table.sheet("anna").data != sheet.data
    for who in ("anna", "gm"):
        page = text_of(table.browsers[who].get(f"/sheets/{sheet.pk}/"))
        assert "changed since approval" in page
        assert re.search(f"{case.granted} ?: {REASON}", page)
        assert case.says in page
    table.play("anna", case.widget)
    given = sheet.events.get().given
    assert given | case.given == given
