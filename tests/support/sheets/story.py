"""A chain in which everything happens that can: parties, sheets, words, exceptions, acts, and what ended."""

import uuid

from rulesets import systems
from rulesets.kit import Refused
from sheets.character import Character
from sheets.models import Member, Sheet
from sheets.press.log import last_act
from sheets.press.perform import press
from sheets.press.undo import undo_act
from sheets.reviews import services as reviews
from sheets.rolls.widgets import Widget
from sheets.status.reviews import review_status
from tests.support.party import Round

LASTING = "augen-des-zwielichts"
"""A system with acts that change the sheet for good."""


def fresh(sheet) -> Sheet:
    """The sheet as it is stored now, with nothing remembered."""
    return Sheet.objects.select_related("party", "owner").get(pk=sheet.pk)


def change(sheet, name):
    """The owner edits: another name, and so another revision."""
    Sheet.objects.filter(pk=sheet.pk).update(name=name, version=sheet.version + 1)


def submit(sheet):
    sheet = fresh(sheet)
    return reviews.submit(sheet, sheet.owner)


def member(sheet, user) -> Member:
    return Member.objects.select_related("party", "user").get(party=sheet.party_id, user=user)


def approve(sheet, by, **said):
    """As the page does it: by the seal that was shown, with a reason for each exception."""
    sheet = fresh(sheet)
    case = reviews.pending_decision(sheet, review_status(sheet))
    return reviews.approve(member(sheet, by), sheet, case.seal, dict.fromkeys(case.asking, "Passt zur Figur."), said)


def grant(sheet, by, **said):
    """The owner submits and a GM approves at once."""
    submit(sheet)
    return approve(sheet, by, **said)


def shown_seal(sheet):
    """The seal that a GM is shown of what waits."""
    return reviews.pending_decision(sheet, review_status(sheet)).seal


def give_back(sheet, by, **said):
    sheet = fresh(sheet)
    return reviews.give_back(member(sheet, by), sheet, shown_seal(sheet), said)


def withdraw(sheet, by):
    sheet = fresh(sheet)
    return reviews.withdraw(member(sheet, by), sheet, {"comment": "Doch nicht."})


def ripe(sheet):
    """The character of the system with such acts comes to where play fills its fields for good."""
    sheet.data = {**sheet.data, "section": 2}
    sheet.save()


def act(sheet, word):
    """An act at the table that changes the sheet for good."""
    sheet = fresh(sheet)
    character = Character(sheet)
    offer = next(one for one in character.acts() if one.cls.slug == "fill-field")
    widget = Widget(offer, {"key": ["free_item"], "word": [word]})
    return press(character, widget, uuid.uuid4(), user=sheet.owner)


def take_back(sheet) -> bool:
    """Takes the last act of a sheet back; whether that was to be."""
    sheet = fresh(sheet)
    try:
        return bool(undo_act(sheet, last_act(sheet).pk, sheet.owner))
    except Refused:
        return False


class Story:
    """The rows of a whole chain; `kept` and `lost` are a sheet that is there and one that its owner ended."""

    def __init__(self):
        self.first = Round("condice")
        self.second = Round(LASTING, ("gustav", "gisela", "pia"))
        self.third = Round("dice-rumble", ("gerd", "gabi", "pelle"))
        own = systems()["condice"].examples["own-ability"]
        self.kept = self.first.sheet
        self.own = Sheet.objects.create(owner=self.first.player, party=self.first.party, ruleset="condice",
                                        name="Eigen", data=own["data"])
        self.lost = Sheet.objects.create(owner=self.first.player, party=self.first.party, ruleset="condice",
                                         name="Verloren", data=own["data"])
        self._decided()
        self._played()
        self._ended()

    def _decided(self):
        first = self.first
        for sheet in (self.kept, self.own, self.lost):
            submit(sheet)
            give_back(sheet, first.gm, comment="Noch nicht.", at={"life": "Zu wenig."})
            change(sheet, f"{sheet.name} zwei")
            submit(sheet)
            reviews.recall(fresh(sheet), first.player)
            grant(sheet, first.second, comment="Gern.")
        withdraw(self.own, first.gm)
        grant(self.own, first.gm)

    def _played(self):
        second = self.second
        ripe(second.sheet)
        grant(second.sheet, second.gm)
        for word in ("Laterne", "Seil", "Spiegel"):
            act(second.sheet, word)
        assert take_back(second.sheet)
        change(second.sheet, "Anders")
        grant(second.sheet, second.second, comment="Weiter so.")
        act(second.sheet, "Kreide")
        # Other house rules than those it was submitted under: what is approved is a revision of its own.
        change(self.own, "Eigen drei")
        submit(self.own)
        self.first.party.house = {"budget": 40}
        self.first.party.save()
        approve(self.own, self.first.second)

    def _ended(self):
        third = self.third
        grant(third.sheet, third.gm, comment="Ja.")
        third.party.delete()
        self.lost.delete()
        self.first.second.delete()
        change(self.kept, "Danach")
        grant(self.kept, self.first.gm)
        change(self.second.sheet, "Zuletzt")
        submit(self.second.sheet)
