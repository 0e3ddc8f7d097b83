"""Whatever comes in whatever order: each act counts once or is taken back, and what lands follows what it came from."""

import uuid
from random import Random

import pytest

from sheets.models import Event, PendingEffect, Sheet
from sheets.rolls.open_results import EFFECT_MARK
from tests.support.everyday import slow
from tests.support.sheets.fight import ATTACK, Fight
from tests.support.sheets.seeded_dice import seed_dice

pytestmark = pytest.mark.prove
STEPS, FULL_STEPS = 80, 300
MOVES = {
    "attack": (ATTACK, True, {}),
    "give": ("act-give-life-abilities-0", True, {"points": 2}),
    "take": ("act-take-life-abilities-0", True, {"points": 2}),
    "boost": ("act-boost-other-abilities-1", True, {"attributes": "defence", "way": "raise"}),
    "repeat": ("act-repeat", True, {}),
    "repeat, at nobody": ("act-repeat", False, {}),
    "suffer": ("act-damage", False, {"points": 1, "against": "nothing"}),
    "new fight": ("act-new-fight", False, {}),
}
"""What is pressed of those who fight: the button, whether it is aimed, what is said with it."""


class Brawl(Fight):
    """Three who hit, heal, boost and drain each other, and repeat what fell; they and a GM press whatever there is."""

    def __init__(self, users, rng):
        super().__init__(users)
        self.rng, self.after, self.answers = rng, {}, []
        data = self.sheet("anna").data | {
            "life": 40, "defence": 0, "mental_resistance": 4,
            "attacks": [{"name": "Keule", "dice": 3, "range": 0, "description": ""}],
            "abilities": [{"ability": "leben-transferieren", "life_points": 4, "range": 0},
                          {"ability": "boost-debuff", "variant": "I", "extra_targets": 0, "range": 0},
                          {"ability": "wurf-wiederholen", "range": 0}]}
        self.bring()
        self.first = {"life": 40}
        Sheet.objects.filter(party=self.party).update(data=data, play=self.first)
        self.player = {"anna": "anna", "ben": "ben", "troll": "gm"}

    def step(self):
        """Something that somebody does."""
        word = self.rng.choice(("attack", *MOVES, "also", *("settle",) * 6, *("back",) * 4, "undo", "trust"))
        by, at = self.rng.choice([*self.player]), self.rng.choice([*self.player])
        who = self.rng.choice(("gm", self.player[by]))
        if word in MOVES:
            which, aimed, fields = MOVES[word]
            self._answered(self.press(which, who, by, at if aimed else None, **fields))
        else:
            getattr(self, f"do_{word}")(who, by, at)
        return word, who, by, at

    def _answered(self, answer):
        assert answer.status_code in (200, 302, 404), answer.status_code

    def do_also(self, who, by, at):
        if newest := Event.objects.filter(sheet=self.sheets[by]).order_by("-pk").first():
            self._answered(self.browsers[who].post(
                f"{self.address}play/?{self.seats(by, at)}", {"do": f"also:{newest.pk}"}))

    def do_settle(self, _who, _by, _at):
        if there := [*PendingEffect.objects.all()]:
            word = self.rng.choice(("apply", "apply", "apply", "dismiss", "change"))
            self._answered(self.settle(word, self.rng.choice(("anna", "ben", "gm")), self.rng.choice(there).pk,
                                       points=1, against="nothing"))

    def do_back(self, _who, _by, _at):
        if acts := [*Event.objects.exclude(act="").filter(undone=False).order_by("-pk")[:4]]:
            self._answered(self.settle("back", self.rng.choice(("anna", "ben", "gm")), self.rng.choice(acts).pk))

    def do_undo(self, _who, _by, _at):
        owner = self.rng.choice(("anna", "ben"))
        last = Event.objects.filter(sheet=self.sheets[owner], undone=False).exclude(act="").order_by("-pk").first()
        if last:
            self._answered(self.browsers[owner].post(f"/sheets/{self.sheets[owner].pk}/play/", {
                "w": "undo", "_event": last.pk, "_press": str(uuid.uuid4())}))

    def do_trust(self, _who, _by, _at):
        self._answered(self.settle("trust", "gm", self.rng.choice(("on", "off"))))

    def check(self, done):
        """What has to hold whatever was done before."""
        for name in self.player:
            sheet, before = self.sheet(name), self.first
            acts = [*Event.objects.filter(sheet=sheet, undone=False).exclude(act="").order_by("pk")]
            for event, then in zip(acts, [*(one.before for one in acts[1:]), sheet.play], strict=bool(acts)):
                assert event.before == before, (done, name, event.act)
                before = self.after.setdefault(event.pk, then)
            assert sheet.play == before, (done, name)
        for effect in PendingEffect.objects.select_related("event", "applied"):
            assert (effect.state == "applied") == bool(effect.applied and not effect.applied.undone), done
            assert effect.applied is None or effect.applied.sheet_id == effect.sheet_id, done
            again = Event.objects.filter(again=effect.event, undone=False).exists()
            if effect.event.undone or again:
                assert effect.state == "dismissed", (done, effect.event.undone, again)
        for event in Event.objects.filter(undone=False, widget__contains=EFFECT_MARK).exclude(act=""):
            assert hasattr(event, "applied_effect"), (done, event.act)


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), *map(slow, range(1, 6))])
@pytest.mark.alike
def test_in_whatever_order_things_are_pressed_the_states_of_play_follow_from_the_acts_that_stand(
        django_user_model, monkeypatch, seed, full):
    # The same presses and the same dice in every run.
    seed_dice(monkeypatch, f"dice {seed}")
    brawl, done = Brawl(django_user_model.objects, Random(seed)), []  # noqa: S311
    for _step in range(FULL_STEPS if full else STEPS):
        done.append(brawl.step())
        brawl.check(done[-8:])
    assert PendingEffect.objects.exclude(applied=None).exists(), "nothing landed, whatever became of it then"
