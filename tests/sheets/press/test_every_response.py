"""Responses in every system that has any: what waits meanwhile, which answer counts, who leaves, and the way back."""

from dataclasses import dataclass, field

import pytest

from rulesets import systems
from sheets.models import Event, Party, PendingEffect, Question, Receipt, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, kept

GONE = [{"party": None}, {"deleted": "2026-01-01T00:00Z"}, {"offered": True}]


@dataclass(frozen=True)
class Case:
    """A roll that is asked about, of a weapon or a spell that the actor has by an act."""

    tool: dict
    """The fields of the act that provides it."""
    rolls: tuple
    """The rolls up to the one that waits, each with the faces that fall, if any do."""
    courses: dict
    """{course: its answers, each with the faces of what falls then}."""
    changed: tuple
    """(list of the actor's play, what is changed of its row, the same as a parameter of the roll)."""
    have: dict = field(default_factory=dict)
    """The target's data."""
    play: dict = field(default_factory=dict)
    """The target's state of play."""


CASES = {
    "dice-rumble": Case(
        {"w": "act-find-weapon", "name": "Keule", "talent": "Nahkampf", "damage": 1},
        (("roll-attack-weapons-0", None),),
        {"forgo": [("forgo", [[2]])], "dodge": [("dodge", [[9, 2]])], "strike": [("weapon-0", [[9, 2]])]},
        ("weapons", {"damage": 3}, {"weapon": 3}),
        {"weapons": [{"name": "Axt", "talent": "Nahkampf", "damage": 1}]}, {"initiative": 4}),
    "daemmersturm": Case(
        {"w": "act-note-spell", "name": "Blitz", "damage": "1-6"},
        (("roll-attack-spells-0", [19]), ("roll-damage-roll-attack-spells-0", None)),
        {"forgo": [("forgo", [[4]])], "shield": [("shield", [[20]])],
         "cover": [("shield", [[1]]), ("seek-protection", []), ("cover", [[1], [4]])]},
        ("spells", {"damage": "3-4"}, {"range": "3-4"}), {"shield": {"target": 12}, "armour": None}),
}
EACH = [(slug, course) for slug, case in CASES.items() for course in case.courses]


class Waiting:
    """A table at which Anna's roll is to be answered by Ben; `before` is what was kept before it was pressed."""

    def __init__(self, users, slug, dice):
        self.case, self.dice, self.table = CASES[slug], dice, Fight(users, slug)
        self.table.have("ben", **self.table.sheets["anna"].data | self.case.have)
        self.table.have("anna", weapons=[])
        Sheet.objects.filter(name="Ben").update(play=self.case.play)
        Party.objects.update(waits=True)
        self.table.press(**self.case.tool)
        *first, (self.which, _none) = self.case.rolls
        for which, faces in first:
            dice[:] = [faces]
            self.table.press(which)
        self.before = self.all()
        self.table.press(self.which)

    def all(self):
        return kept(), Receipt.objects.count(), [*Sheet.objects.order_by("pk").values_list("played", flat=True)]

    @property
    def question(self):
        return Question.objects.order_by("pk").last()

    def answer(self, choice, faces=(), who="ben", number=None):
        self.dice[:] = [*faces]
        return self.table.settle("respond", who, f"{number or self.question.pk}:{choice}")

    def goes(self, course):
        for choice, faces in self.case.courses[course]:
            self.answer(choice, faces)
        assert (self.dice, self.question.response is None) == ([], False)

    def fallen(self):
        """Return the events of the roll that waited, whether it was thrown or stopped."""
        return list(Event.objects.filter(widget=self.which))


@pytest.fixture
def waiting(request, django_user_model, dice):
    return Waiting(django_user_model.objects, request.param, dice)


def of_each(*more):
    """Have a test ask for what waits in every system, or with each of its courses."""
    found = EACH if more else [(slug,) for slug in CASES]
    return pytest.mark.parametrize(("waiting", *more), found, indirect=["waiting"])


def test_every_system_with_responses_is_among_these():
    assert {slug for slug, ruleset in systems().items() if ruleset.crossing.answered} == {*CASES}


@of_each("course")
def test_until_the_last_answer_the_roll_that_waits_throws_and_writes_nothing(waiting, course):
    assert waiting.all() == waiting.before
    *first, _last = waiting.case.courses[course]
    for choice, faces in first:
        waiting.answer(choice, faces)
        # The answer changes the target and nothing else.
        own = Event.objects.filter(sheet=waiting.table.sheets["anna"].pk)
        assert {one.pk for one in own} == {row[0] for row in waiting.before[0][0]}
        assert waiting.question.response is None
    assert waiting.fallen() == []


@of_each("course")
@pytest.mark.parametrize("late", ["ben", "gm"])
def test_of_two_answers_the_first_counts_and_the_other_is_told_it(waiting, course, late):
    waiting.goes(course)
    before, number = waiting.all(), waiting.question.pk
    for choice in ("forgo", *(choice for choice, _faces in waiting.case.courses[course])):
        waiting.answer(choice, who=late, number=number)
        assert waiting.all() == before
        assert "already been answered" in text_of(waiting.table.look(late, "ben", None))
    assert len(waiting.fallen()) == 1


@of_each()
@pytest.mark.parametrize("gone", GONE)
def test_the_roll_of_an_actor_who_is_gone_is_called_off(waiting, gone):
    Sheet.objects.filter(name="Anna").update(**gone)
    before = kept()
    waiting.answer("forgo")
    assert (kept(), Question.objects.count()) == (before, 0)
    assert "cancelled" in text_of(waiting.table.look("ben", "ben", None))


@of_each()
@pytest.mark.parametrize("gone", GONE)
def test_an_actor_waits_for_nobody_who_is_gone(waiting, gone):
    waiting.table.bring("Troll", data=waiting.table.sheet("ben").data)
    Sheet.objects.filter(name="Ben").update(**gone)
    assert waiting.answer("forgo").status_code == 404
    assert waiting.answer("forgo", who="gm").status_code == 404
    assert waiting.fallen() == []
    for which, faces in waiting.case.rolls:
        waiting.dice[:] = [faces] if faces else []
        waiting.table.press(which, at="troll")
    assert [one.target.name for one in Question.objects.filter(response__isnull=True)] == ["Troll"]


@of_each()
def test_the_roll_is_made_with_the_actors_figures_at_the_answer(waiting):
    rows, new, parameters = waiting.case.changed
    play = waiting.table.sheet("anna").play
    Sheet.objects.filter(name="Anna").update(play={**play, rows: [{**play[rows][0], **new}]})
    waiting.goes("forgo")
    [event] = waiting.fallen()
    assert parameters.items() <= event.parameters.items()


@of_each()
@pytest.mark.parametrize("who", ["anna", "gm"])
def test_a_roll_whose_weapon_or_spell_is_taken_back_meanwhile_is_called_off(waiting, who):
    tool = Event.objects.exclude(act="").get()
    waiting.table.settle("back", who, tool.pk)
    before = kept()
    waiting.answer("forgo")
    assert (Event.objects.get(act=tool.act).undone, kept(), Question.objects.count()) == (True, before, 0)


@of_each("course")
@pytest.mark.parametrize("trust", [False, True])
def test_all_that_came_of_an_answer_is_taken_back_one_by_one(waiting, course, trust):
    Party.objects.update(trust=trust)
    before = [*Sheet.objects.order_by("pk").values_list("play", flat=True)]
    waiting.goes(course)
    for effect in PendingEffect.objects.filter(state="open"):
        waiting.table.settle("apply", effect.sheet.name.lower(), effect.pk)
    last = Event.objects.exclude(act="").earliest("pk").pk
    while (event := Event.objects.exclude(act="").filter(undone=False).latest("pk")).pk != last:
        waiting.table.settle("back", event.sheet.name.lower(), event.pk)
        assert Event.objects.get(pk=event.pk).undone
    assert [*Sheet.objects.order_by("pk").values_list("play", flat=True)] == before
    # Dice that have fallen stay, and nobody is asked once more.
    assert (len(waiting.fallen()), waiting.question.response is None) == (1, False)
