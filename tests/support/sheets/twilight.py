"""Three heroes in a fight at their table, pressed as people do, and a referee who looks on after every press."""

import re
import uuid
from collections import Counter

from sheets.models import Event, Sheet
from sheets.parties import services as parties
from sheets.scenes.order import turn_of
from tests.support.sheets.fight import Fight
from tests.support.sheets.twilight_referee import Hero, Referee

ANEW = 10
"""Each so many-th press that changes anything is taken back and done again."""
HALF = 0.5


def named_at(page, act):
    """Return whom the button is about that does an act for all at once, none where there is none."""
    form = page.partition(f'id="gm-w-act-{act}"')[2].partition("</form>")[0]
    names = re.search(r'<p class="muted">([^<]*)</p>', form)
    return re.findall(r"Anna|Ben|Cleo", names[1]) if names else []


class Twilight(Fight):
    """Anna and Ben, who are in a dark section, and Cleo in a light one."""

    def __init__(self, users, first=0):
        super().__init__(users, "augen-des-zwielichts")
        self.users["cleo"] = users.create_user("cleo")
        self.browsers["cleo"] = type(self.browsers["anna"])(headers={"Accept-Language": "en"})
        self.browsers["cleo"].force_login(self.users["cleo"])
        parties.join_party(self.party, self.users["cleo"])
        data = self.ruleset.examples["actress"]["data"]
        assert data["shade"] == "light"
        self.sheets["cleo"] = Sheet.objects.create(
            owner=self.users["cleo"], party=self.party, seen_by="party", ruleset=self.ruleset.slug, name="Cleo",
            data=data)
        self.referee = Referee(Anna=Hero(), Ben=Hero(), Cleo=Hero(light=True))
        self.read_to, self.presses, self.anew = 0, first, 0

    def fight_out(self, dice):
        """Two fight to the end: the first round is lost, the second one won."""
        self.does("anna", "act-begin-fight", dice=dice, faces=(3, 4), danger_level=11)
        self.does("ben", "act-begin-fight", dice=dice, faces=(5, 2))
        self.turn("begin")
        self.referee.begin()
        self.check()
        # Whoever threw the highest has a second die in the next round.
        for faces in ((3,), (4,), (6,), (5, 1)):
            self.passes(dice=dice, faces=faces)
        assert (self.referee.round, self.referee.clues, self.referee.fighters()) == (0, 2, [])

    def news(self):
        """The events since the last look, the oldest first, as the log keeps them: (name, title, faces, words)."""
        new = self.party.events.filter(pk__gt=self.read_to, undone=False)
        found = list(new.order_by("pk").select_related("sheet"))
        self.read_to = found[-1].pk if found else self.read_to
        return [(one.sheet.name, one.title, one.faces, one.said.get("en", "")) for one in found if one.sheet]

    def stands(self):
        """All that a press may change, as it is stored."""
        counted = {key: value for key, value in self.stored.table.items() if value}
        return (dict(Sheet.objects.filter(party=self.party).values_list("name", "play")), counted,
                self.scene and turn_of(self.scene))

    def does(self, who, w, *, dice=None, faces=(), **fields):
        """Somebody presses a button of their own sheet, by which these faces fall."""
        self._press(lambda: self.play(who, w, **fields), dice, faces,
                    (lambda: self.play(who, "undo", _event=self.sheets[who].events.latest("pk").pk))
                    if w.startswith("act-") else None)
        self.referee.read(self.news())
        self.check()

    def passes(self, *, dice=None, faces=()):
        """Whose turn it is ends it, a throw that is still owed included."""
        who = self.referee.on.lower()
        self._press(lambda: self.turn("next", who), dice, faces,
                    lambda: self.turn(f"back:{Event.objects.filter(turn__isnull=False).latest('pk').pk}"))
        self.referee.passes(self.news())
        self.check()

    def settles(self, *, ties):
        """The GM settles the round, whose dice all lie there, for all at once."""
        self._press(lambda: self.do("round", w="act-settle-together", **({"ties": "on"} if ties else {})), None, (),
                    lambda: self.settle("all-back", "gm", Event.objects.latest("pk").pk))
        self.referee.settle_early(self.news(), ties=ties)
        self.check()

    def turn(self, word, who="gm", *, follow=False):
        """Press a button of the turns; answer what comes of it, or the page that follows."""
        return self.browsers[who].post(
            f"{self.address}play/", {"do": f"turn:{word}", "_press": str(uuid.uuid4())}, follow=follow)

    def _press(self, do, dice, faces, back):
        if faces:
            dice += [[*faces]]
        before = self.stands()
        do()
        assert not dice
        after = self.stands()
        self.presses += after != before
        if back and self.presses % ANEW == 0 and after != before:
            back()
            assert self.stands() == before, "taken back"
            do()
            assert self.stands() == after, "done again, by the same dice"
            self.anew += 1

    def check(self):
        """The table shows what the referee says, and so do the sheets."""
        referee, page = self.referee, self.look("gm", "anna", None).text
        order = "".join(re.findall(r'<ol class="turn-order">(.*?)</ol>', page))
        rows = re.findall(r'<li([^>]*)>.*?class="called">([^<]+)<', order)
        names = [name for _more, name in rows]
        assert re.findall(r'<h2 id="turns">Round (\d+)', page) == ([str(referee.round)] if referee.round else [])
        assert [name for more, name in rows if "aria-current" in more] == ([referee.on] if referee.on else [])
        points = [referee.heroes[name].weak[0] for name in names if referee.heroes[name].weak]
        assert points == sorted(points)
        assert {name for more, name in rows if " had" in more} == (
            {one for one in referee.had if one != referee.on} if referee.round else set())
        table = self.stored.table
        assert (table.get("clues", 0), table.get("danger_level"), table.get("fought", 0), table.get("open_weak_point"),
                table.get("fighters", 0)) == (
            referee.clues, referee.danger, referee.fought, referee.open, len(referee.fighters()))
        for name, hero in referee.heroes.items():
            play = self.sheet(name.lower()).play
            nameless = play.get("conditions_due", 0)
            assert (1 + len(play.get("conditions", [])) + nameless, nameless) == (hero.conditions, hero.nameless), name
        assert sorted(named_at(page, "throw-combat-die")) == [name for name, one in referee.heroes.items() if one.owes]
        assert (named_at(page, "settle-together") != []) == referee.complete


class ByChance(Twilight):
    """The same by chance: whoever may do something does it or not, whatever faces fall."""

    def __init__(self, users, dice, rng):
        super().__init__(users, rng.randrange(ANEW))
        self.dice, self.rng, self.seen = dice, rng, Counter()

    def faces(self, number):
        """So many dice."""
        return [self.rng.randint(1, 6) for _die in range(number)]

    def act(self, who, w, number=0, **fields):
        """Somebody presses a button, by which so many dice fall."""
        self.seen[w] += 1
        self.does(who.lower(), w, dice=self.dice, faces=self.faces(number), **fields)

    def move(self, who, move, number, **fields):
        """A move of black dice, and its result applied; answer whether it was won."""
        faces = self.faces(number)
        self.does(who.lower(), f"roll-move-{move}", dice=self.dice, faces=faces, **fields)
        self.act(who, f"act-settle-roll-move-{move}")
        return max(faces) >= 5

    def risk(self, who):
        """Somebody takes a risk."""
        return self.move(who, "risk", 1, attribute="none", fear="")

    def leave(self):
        """Whose turn it is leaves the fight, if that is won."""
        if self.risk(self.referee.on):
            self.act(self.referee.on, "act-leave-fight")

    def bring_back(self, who, by):
        """Somebody is brought back into action, if another wins that."""
        if self.risk(by):
            self.act(who, "act-bring-back")

    def end_turn(self):
        """Whose turn it is ends it."""
        on, over = self.referee.heroes[self.referee.on], self.referee.over
        self.passes(dice=self.dice, faces=self.faces(1 + on.second) if on.owes and not over else ())

    def step(self):
        """One of all things that somebody may do now is done."""
        referee, rng = self.referee, self.rng
        on, who = referee.heroes[referee.on], rng.choice(sorted(referee.heroes))
        hero, able = referee.heroes[who], [name for name, one in referee.heroes.items() if one.due]
        there, open_, over = rng.choice(able or [""]), referee.open is not None, referee.over
        may = {
            self.end_turn: not referee.blocked(),
            lambda: self.act(referee.on, "act-throw-combat-die", 1 + on.second): on.owes and not over,
            lambda: self.move(referee.on, "weaken", 2, attribute="black"): on.owes and not over,
            self.leave: on.due and len(able) > 1 and not open_,
            lambda: self.act(there, "act-take-over-open"): able and open_,
            lambda: self.act(who, "act-begin-fight", 0 if hero.left else 2): not (hero.weak or hero.out or over),
            lambda: self.act(who, "act-note-condition", word="Müde"): hero.nameless,
            lambda: self.bring_back(who, there): hero.out and able,
            lambda: self.settles(ties=rng.random() < HALF): referee.complete and not open_ and not over,
        }
        found = [do for do, allowed in may.items() if allowed]
        rng.choice([*found, *[self.end_turn] * may[self.end_turn]])()
