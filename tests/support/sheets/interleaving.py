"""Three people, three sheets and two parties whose every step is booked here, apart from the program, and compared."""

import re
from copy import deepcopy
from dataclasses import dataclass, field, replace
from random import Random

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from rulesets import systems
from rulesets.kit import Refused
from sheets.audit_log.chain import chain_faults
from sheets.character import Character
from sheets.history import saves
from sheets.history.revisions import save_revision
from sheets.models import Member, Party, Review, Sheet
from sheets.models.reviews import FINISHED
from sheets.parties import services as parties
from sheets.parties.house_impact import house_impacts
from sheets.parties.house_services import set_house
from sheets.press.log import last_act
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.party import browser
from tests.support.sheets import story as told
from tests.support.sheets.story import LASTING

NAMES, WORDS, HOUSES = ("Ada", "Bea"), ("Seil", "Lampe"), ({}, {"literal_weaken": True})
"""Few, so that the same content comes back again and again."""
STEPS = {"edit": 6, "submit": 16, "recall": 2, "look": 14, "approve": 18, "give_back": 4, "withdraw": 4, "house": 2,
         "finish": 1, "act": 8, "undo": 6, "move": 3, "crown": 1, "appoint": 1, "leave": 1, "asks": 1}
"""{step: how often it is taken among the others}."""
OWNERS, GMS = {"submit", "recall"}, {"look", "approve", "give_back", "withdraw"}
"""Steps of the owner and of another who is a GM: mostly they take them, at times somebody who may not."""


@dataclass(frozen=True)
class Form:
    """What somebody's page of a sheet showed: the content, the seal that the form sends, and the exceptions' names."""

    seal: str
    content: dict
    asking: tuple


@dataclass
class Booked:
    """What a GM approved of a sheet in a party, and the acts since: (event, content before it)."""

    now: dict
    acts: list = field(default_factory=list)


class World:
    """`http` says who goes by the pages; the others call what the pages call, in a transaction."""

    def __init__(self):
        self.users = {name: User.objects.create_user(name) for name in ("gm", "helper", "player")}
        self.parties = [parties.found_party(self.users["gm"], "Hier", systems()[LASTING]),
                        # Whose sheet is judged in one party is the GM of the other.
                        parties.found_party(self.users["player"], "Dort", systems()[LASTING])]
        for party, name, role in ((0, "helper", "co-gm"), (0, "player", "player"), (1, "helper", "player"),
                                  (1, "gm", "player")):
            Member.objects.create(party=self.parties[party], user=self.users[name], role=role)
        data = deepcopy(next(iter(systems()[LASTING].examples.values()))["data"]) | {"section": 2}
        self.sheets = [Sheet.objects.create(owner=self.users[name], party=self.parties[0], ruleset=LASTING,
                                            name=NAMES[0], data=data) for name in ("player", "gm", "helper")]
        self.clients = {name: browser(user) for name, user in self.users.items()}


class Interleaving:
    """One course of steps through a world, by the dice."""

    def __init__(self, world: World, rng: Random, *, http: bool):
        self.world, self.rng, self.http = world, rng, http
        self.forms: dict[tuple, list[Form]] = {}
        self.booked: dict[tuple, Booked] = {}
        self.counts: dict[str, int] = {}
        if rng.random() < 0.7:
            # Most begin with a GM who looks at what waits.
            with transaction.atomic():
                self.submit("player", told.fresh(world.sheets[0]))
                self.look("gm", told.fresh(world.sheets[0]))

    def step(self):
        """Takes one; what the program then says must be what was booked."""
        name = self.rng.choices(list(STEPS), STEPS.values())[0]
        # One sheet is the stage more often than the others: so steps meet.
        sheet = told.fresh(self.world.sheets[self.rng.choice((0, 0, 0, 1, 2))])
        entries, who = Review.objects.count(), self._who(name, sheet)
        with transaction.atomic():
            done = getattr(self, name)(who, sheet)
        self.counts[name] = self.counts.get(name, 0) + bool(done)
        for one in self.world.sheets if name in ("house", "leave") else [sheet]:
            self.holds(told.fresh(one))
        if Review.objects.count() != entries:
            assert list(chain_faults()) == []

    def _who(self, step, sheet) -> str:
        users = list(self.world.users)
        if self.rng.random() < 0.8:
            gms = {one.username for one in parties.gms(sheet.party)} if sheet.party else set()
            meant = {sheet.owner.username} if step in OWNERS else gms - {sheet.owner.username} if step in GMS else None
            users = sorted(meant or users)
        return self.rng.choice(users)

    def holds(self, sheet):
        """What is played is what was approved and what acts made of it, and the badge says no more than that."""
        taken = review_status(sheet)
        booked = self.booked.get((sheet.pk, sheet.party_id))
        assert (taken.revision is None) == (booked is None)
        if booked:
            character = Character(sheet, taken)
            kept = {"name": character.name, "data": taken.revision.data, "house": taken.revision.house}
            assert kept == booked.now
            assert character.written.model_dump() == booked.now["data"]
            assert not character.barred
        if taken.state in ("approved", "earlier", "played"):
            assert (sheet.name, sheet.data) == (booked.now["name"], booked.now["data"])
        if taken.state == "approved":
            assert sheet.house == booked.now["house"]
            # An act that wrote what stood there already has changed nothing of it.
            assert not booked.acts or booked.now == booked.acts[0][1]

    # What people do; each answers whether it was done.

    def edit(self, _who, sheet):
        data = deepcopy(sheet.data)
        data["fields"]["item"]["word"] = self.rng.choice(WORDS)
        saves.save(sheet, replace(sheet.state, name=self.rng.choice(NAMES), data=data))
        return True

    def submit(self, who, sheet):
        return self._done(who, sheet, "submit", lambda: reviews.submit(sheet, sheet.owner), own=True)

    def recall(self, who, sheet):
        return self._done(who, sheet, "recall", lambda: reviews.recall(sheet, sheet.owner), own=True)

    def look(self, who, sheet):
        """Opens the page, and keeps the form that it shows: for now, or for much later."""
        if self.http:
            answer = self.world.clients[who].get(f"/sheets/{sheet.pk}/review/")
            found = re.search(r'name="_seal" value="(\w+)"', answer.text) if answer.status_code == 200 else None
            form = found and Form(found[1], answer.context["shown"], tuple(re.findall(r'name="reason\.(\w+)"',
                                                                                     answer.text)))
        else:
            case = sheet.party and self._sees(who, sheet) and reviews.pending_decision(sheet, review_status(sheet))
            form = case and Form(case.seal, case.content, tuple(case.asking))
        if form:
            self.forms.setdefault((who, sheet.pk), []).append(form)
        return form

    def approve(self, who, sheet):
        form = self._decides(who, sheet, "approve", lambda form: reviews.approve(
            self._me(who, sheet), sheet, form.seal, dict.fromkeys(form.asking, "Weil."), {}))
        if form:
            seen = {key: form.content[key] for key in ("name", "data", "house")}
            self.booked[sheet.pk, sheet.party_id] = Booked(seen)
        return form

    def give_back(self, who, sheet):
        return self._decides(who, sheet, "return", lambda form: reviews.give_back(
            self._me(who, sheet), sheet, form.seal, {"comment": "Nein."}))

    def withdraw(self, who, sheet):
        done = self._done(who, sheet, "withdraw", lambda: reviews.withdraw(
            self._me(who, sheet), sheet, {"comment": "Nein."}), Form("", {}, ()))
        if done:
            self._decided_by(who, sheet)
            del self.booked[sheet.pk, sheet.party_id]
        return done

    def house(self, who, sheet):
        """The house rules of the sheet's party, by the code of their page."""
        me = self._me(who, sheet)
        if not (me and me.gm):
            return False
        ruleset = systems()[LASTING]
        before, after = (ruleset.house.model_validate(one) for one in (me.party.house, self.rng.choice(HOUSES)))
        set_house(me, after, house_impacts(ruleset, me.party.sheets.select_related("owner"), before, after))
        return True

    def finish(self, _who, sheet):
        sheet.finished = timezone.now()
        sheet.save(update_fields=["finished"])
        return save_revision(sheet, FINISHED, sheet.owner)

    def act(self, _who, sheet):
        word, booked = self.rng.choice(WORDS), self.booked.get((sheet.pk, sheet.party_id))
        try:
            event = told.act(sheet, word)
        except Refused:
            assert sheet.party.approval
            assert booked is None
            return False
        if booked:
            booked.acts.append((event.pk, deepcopy(booked.now)))
            booked.now = deepcopy(booked.now)
            booked.now["data"]["fields"]["free_item"] |= {"word": word, "combat": False}
        return True

    def undo(self, _who, sheet):
        event, booked = last_act(sheet), self.booked.get((sheet.pk, sheet.party_id))
        if event is None or not told.take_back(sheet):
            return False
        if booked and booked.acts and booked.acts[-1][0] == event.pk:
            booked.now = booked.acts.pop()[1]
        return True

    def move(self, _who, sheet):
        """Out of the party that it is in, or into one of its owner's."""
        if sheet.party:
            parties.drop_sheet(sheet.party, sheet, sheet.owner)
        else:
            inside = list(Party.objects.filter(members__user=sheet.owner).order_by("name"))
            parties.bring_sheet(self.rng.choice(inside), sheet, sheet.owner)
        return True

    def crown(self, _who, sheet):
        """The party gets another GM."""
        members = Member.objects.filter(party=sheet.party_id).order_by("pk")
        heir = members.exclude(role="gm").first()
        if heir:
            parties.hand_over(members.get(role="gm"), heir)
        return heir

    def appoint(self, who, sheet):
        me = self._me(who, sheet)
        if me and me.role != "gm":
            parties.appoint(me, "player" if me.role == "co-gm" else "co-gm", sheet.owner)
        return me and me.role != "gm"

    def leave(self, who, sheet):
        """Goes with every sheet, and comes back as a player with none."""
        me = self._me(who, sheet)
        if me:
            parties.leave_party(me)
            parties.join_party(Party.objects.get(pk=me.party_id), me.user)
        return me

    def asks(self, _who, sheet):
        """The party plays only what was approved, or all again."""
        return sheet.party and Party.objects.filter(pk=sheet.party_id).update(approval=not sheet.party.approval)

    # How they do it.

    def _me(self, who, sheet) -> Member | None:
        """Somebody's part in the party of a sheet, if there is one."""
        return sheet.party_id and Member.objects.select_related("party", "user").filter(
            party=sheet.party_id, user=self.world.users[who]).first()

    def _sees(self, who, sheet) -> bool:
        me = self._me(who, sheet)
        return sheet.owner == self.world.users[who] or bool(me and me.gm)

    def _form(self, who, sheet) -> Form | None:
        """The newest that somebody has seen of the sheet, or any older one."""
        forms = self.forms.get((who, sheet.pk))
        return forms and (forms[-1] if self.rng.random() < 0.6 else self.rng.choice(forms))

    def _done(self, who, sheet, word, call, form=None, *, own=False) -> bool:
        """By the page, or by what it calls; the page's own gate is for those who come by the page."""
        if self.http:
            fields = {f"reason.{name}": "Weil." for name in form.asking} if form else {}
            answer = self.world.clients[who].post(f"/sheets/{sheet.pk}/review/", {
                "do": word, "_seal": form.seal if form else "", "comment": "Nein.", **fields})
            assert answer.status_code in (302, 404, 409)
            return answer.status_code == 302
        if own and sheet.owner != self.world.users[who]:
            return False
        try:
            return bool(call())
        except reviews.Blocked:
            return False

    def _decides(self, who, sheet, word, call) -> Form | None:
        """Decide upon what a form has shown; the form, where that was done."""
        form, taken = self._form(who, sheet), review_status(sheet)
        if not (form and self._done(who, sheet, word, lambda: call(form), form)):
            return None
        self._decided_by(who, sheet, taken)
        return form

    def _decided_by(self, who, sheet, taken=None):
        """Whoever decided is a GM of the party, does not own the sheet, and has not submitted it."""
        user = self.world.users[who]
        assert self._me(who, sheet).gm
        assert user.pk != sheet.owner_id
        assert taken is None or taken.waiting.by_id != user.pk
