"""A game of Battle Dice of two by chance, with a referee beside them who goes by the rules alone."""

from rulesets.dice import RealTray, thrown
from sheets.models import Sheet
from tests.support.sheets.duel import Duel
from tests.support.sheets.duel_referee import COSTS, MOST_AVATARS, PINA, DuelReferee

ANEW = 10
"""Each so many-th press that can be taken back is taken back and done again."""
LIFE = 4
"""So that a game is short."""
SELDOM, HALF, OFTEN = 0.2, 0.5, 0.8
"""How often one defends with an effect, blocks, summons or attacks: a game should end."""


class Judged(Duel):
    """A game whose presses come by chance; after each the referee says how both stand."""

    def __init__(self, users, rng, life=LIFE):
        super().__init__(users)
        self.rng, self.presses, self.anew = rng, rng.randrange(ANEW), 0
        for who in ("anna", "ben"):
            Sheet.objects.filter(pk=self.sheets[who].pk).update(data=self.ruleset.examples["quick"]["data"])
        first = rng.choice(("anna", "ben"))
        self.begin("first" if first == "anna" else "second")
        for who in ("anna", "ben"):
            self.put(who, life=life)
        self.referee = DuelReferee(first, "ben" if first == "anna" else "anna", life)
        self.check()

    def stands(self):
        """The state of play of both as it is stored."""
        return dict(Sheet.objects.filter(party=self.party).values_list("name", "play"))

    def press_(self, w, *, stays=False, **fields):
        """Whoever is asked presses; what was drawn `stays`. Answer the faces that fell."""
        who, before = self.referee.asked, self.stands()
        self.do(who, w, **fields)
        after = self.stands()
        self.presses += not stays
        if self.presses % ANEW == 0 and not stays:
            self.play(who, "undo", _event=self.last(who).pk)
            assert self.stands() == before, (w, "taken back")
            self.do(who, w, **fields)
            assert self.stands() == after, (w, "done again, by the same dice")
            self.anew += 1
        return self.last(who).faces

    def check(self):
        """Both sheets say what the referee does."""
        referee, stored = self.referee, self.stands()
        for name, mage in referee.mages.items():
            play = stored[name.title()]
            assert play["phase"] == referee.phases[name], (name, referee.phase)
            assert (play.get("life", 15), play.get("mana", 0), len(play.get("hand", ()))) == (
                mage.life, mage.mana, mage.hand), (name, referee.phase)
            assert [(one["card"], one.get("damage", 0)) for one in play.get("avatars", ())] == [
                (one.card, one.marks) for one in mage.avatars], name
        assert stored[referee.other.title()].get("coming", 0) == referee.coming or referee.phase == "over"

    def step(self):
        """What the phase asks for, in one of its ways."""
        getattr(self, f"in_{self.referee.phase}")()
        self.check()

    @property
    def hand(self):
        """What is held by whoever has the turn."""
        return self.sheet(self.referee.turn).play.get("hand", [])

    def in_chaos(self):
        hand = self.hand
        which = f"hand-{hand.index(self.rng.choice(hand))}" if hand else "none"
        self.press_(f"act-put-away-{which}", stays=True)
        self.referee.put_away()

    def in_focus(self):
        self.press_("act-focus", change=0)
        self.referee.focus()

    def in_summon(self):
        mage, hand, room = self.referee.active, self.hand, len(self.referee.active.avatars) < MOST_AVATARS
        payable = [card for card in hand if COSTS[card] <= mage.mana]
        if room and payable and self.rng.random() < OFTEN:
            card = PINA if PINA in payable else self.rng.choice(payable)
            self.press_(f"act-summon-hand-{hand.index(card)}")
            self.referee.summon(card)
        elif room and hand and mage.mana and not mage.minion and self.rng.random() < SELDOM:
            self.referee.summon_minion(*self.press_("act-summon-minion", card=hand[0]))
        else:
            self.press_("act-to-battle")
            self.referee.to_battle()

    def in_battle(self):
        if self.rng.random() < OFTEN:
            self.press_("act-declare", change=0)
            self.referee.declare()
        else:
            self.press_("act-skip-battle")
            self.referee.skip()

    def in_enemy(self):
        if self.referee.defender.mana and self.rng.random() < SELDOM:
            self.press_("act-use-active-Shield", paid=1)
            self.referee.shield()
        else:
            self.referee.defend(self.press_("act-defend", change=0))

    def in_aim(self):
        if self.referee.active.sum("zielsuchend") > self.referee.aimed and not self.referee.guarded:
            self.press_("act-aim-at", target="@", points=1)
            self.referee.aim_at_mage()
        else:
            self.press_("act-let-block")
            self.referee.let_block()

    def in_block(self):
        able = [index for index, one in enumerate(self.referee.defender.avatars) if one.left]
        if able and self.rng.random() < HALF:
            index = self.rng.choice(able)
            self.press_(f"act-block-avatars-{index}")
            self.referee.block(index)
        else:
            self.press_("act-take-rest")
            self.referee.take_rest()

    def in_heal(self):
        self.press_("act-settle")
        self.referee.settle()

    def in_end(self):
        self.press_("act-next-turn")
        self.referee.next_turn()

    def to_its_end(self):
        """Step after step until the life of one is gone."""
        while self.referee.phase != "over":
            self.step()


def chance_dice(monkeypatch, rng):
    """Let all dice fall by this chance."""
    monkeypatch.setattr("sheets.press.dice.thrown",
                        lambda throw, tray=None: thrown(throw, tray or RealTray(rng.randbytes)))
