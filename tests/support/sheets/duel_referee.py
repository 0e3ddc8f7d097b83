"""A referee for a game of Battle Dice of two, written from the rules alone: phases, mana, avatars, damage, life."""

from dataclasses import dataclass, field

MOST_MANA, MOST_AVATARS, HAND, MISSILE = 10, 4, 2, 2
CORONA, PINA, SNOW = "The Corona Look", "Piña ≠ Rohkinar", "Snowbuddies"
FOKUS, GUARD, BOOST = "Dice Minion Fokus", "Dice Minion Verteidigung", "Dice Minion Boost"
COSTS = {CORONA: 1, PINA: 2, SNOW: 4}
LIVES = {CORONA: 2, PINA: 2, SNOW: 2}
"""Life points at the start, 1 where a card names none."""
WORDS = {
    "fokus": {CORONA: (1, 1), PINA: (1, 1), SNOW: (1, 2), FOKUS: (1, 1)},
    "verteidigung": {CORONA: (1, 1), SNOW: (1, 2), FOKUS: (1, 1), GUARD: (2, 2)},
    "angriff": {PINA: (2, 1)},
    "zielsuchend": {PINA: (1, 0)},
}
"""{keyword: {card: (at half its life or less, above that)}}."""
HARVEST = {CORONA: 1, BOOST: 3}
MINIONS = {1: FOKUS, 2: FOKUS, 3: GUARD, 4: GUARD, 5: BOOST, 6: BOOST}


@dataclass
class Avatar:
    """A card in play with its damage marks."""

    card: str
    marks: int = 0

    @property
    def left(self) -> int:
        """Life points that it has left."""
        return max(0, LIVES.get(self.card, 1) - self.marks)


@dataclass
class Mage:
    """A player: life, time mana, how many cards are in hand, avatars, what an effect adds to the defence."""

    life: int
    mana: int
    hand: int = HAND
    avatars: list[Avatar] = field(default_factory=list)
    shield: int = 0
    minion: bool = False

    def gain(self, mana: int) -> None:
        """What is beyond ten is lost."""
        self.mana = min(MOST_MANA, self.mana + mana)

    def sum(self, word: str) -> int:
        """What a keyword comes to over all avatars; a Tag Team goes by the life that is left."""
        if word == "fokus" and all(one.card == CORONA for one in self.avatars):
            return 2 * len(self.avatars)
        found = ((one, WORDS[word].get(one.card, (0, 0))) for one in self.avatars)
        return sum(low if 2 * one.left <= LIVES.get(one.card, 1) else high for one, (low, high) in found)

    def bury(self, dead: list[Avatar]) -> None:
        """Avatars die, and pay what is harvested of them."""
        for one in dead:
            self.avatars.remove(one)
            self.gain(HARVEST.get(one.card, 0))


class DuelReferee:
    """A game: whose turn it is, in which phase, and how both stand."""

    def __init__(self, first: str, second: str, life: int):
        self.mages = {first: Mage(life, 0), second: Mage(life, 1)}
        self.turn, self.phase, self.coming, self.aimed = first, "chaos", 0, 0

    @property
    def other(self) -> str:
        """Who does not have the turn."""
        return next(name for name in self.mages if name != self.turn)

    @property
    def asked(self) -> str:
        """Who has something to do: the other one from the defence on."""
        return self.other if self.phase in ("enemy", "block", "heal", "end") else self.turn

    @property
    def active(self) -> Mage:
        """Whose turn it is."""
        return self.mages[self.turn]

    @property
    def defender(self) -> Mage:
        """The one that is attacked."""
        return self.mages[self.other]

    @property
    def phases(self) -> dict[str, str]:
        """Where each stands."""
        if self.phase == "over":
            return {name: "lost" if one.life == 0 else "won" for name, one in self.mages.items()}
        mine = self.phase if self.asked == self.turn else "wait"
        theirs = "aimed" if self.phase == "aim" else self.phase if self.asked == self.other else "wait"
        return {self.turn: mine, self.other: theirs}

    def put_away(self) -> None:
        """One card away, then up to two in hand."""
        self.active.hand, self.phase = HAND, "focus"

    def focus(self) -> None:
        """A Boost is sacrificed first; then one time mana and what Fokus adds."""
        mage = self.active
        mage.bury([one for one in mage.avatars if one.card == BOOST])
        mage.gain(1 + mage.sum("fokus"))
        self.phase = "summon"

    def summon(self, card: str) -> None:
        """A card comes for its cost."""
        mage = self.active
        assert mage.mana >= COSTS[card]
        mage.mana, mage.hand = mage.mana - COSTS[card], mage.hand - 1
        mage.avatars.append(Avatar(card))

    def summon_minion(self, face: int) -> None:
        """Once in a turn a card from the hand and one time mana bring what the die says."""
        mage = self.active
        assert mage.mana
        assert not mage.minion
        mage.mana, mage.hand, mage.minion = mage.mana - 1, mage.hand - 1, True
        mage.avatars.append(Avatar(MINIONS[face]))

    def to_battle(self) -> None:
        """All are summoned."""
        self.phase = "battle"

    def skip(self) -> None:
        """No attack in this turn."""
        self.phase = "end"

    def declare(self) -> None:
        """The other one may use effects, then the dice fall."""
        self.phase = "enemy"

    def shield(self) -> None:
        """A time mana for one more die of defence."""
        self.defender.mana, self.defender.shield = self.defender.mana - 1, self.defender.shield + 1

    def defend(self, faces: list[int]) -> None:
        """The dice of both, the attacker's first: pairs from the highest down, a tie defends, the rest hits."""
        attack = 1 + self.active.sum("angriff")
        assert len(faces) == attack + 1 + self.defender.sum("verteidigung") + self.defender.shield
        ours, theirs = sorted(faces[:attack], reverse=True), sorted(faces[attack:], reverse=True)
        theirs += [0] * (attack - len(theirs))
        self.coming = sum(one > two for one, two in zip(ours, theirs, strict=False))
        self.aimed = 0
        if self.may_aim and self.defender.avatars:
            self.phase = "aim"
        else:
            self.dealt()

    @property
    def may_aim(self) -> bool:
        """Whether some of the damage may still be aimed; a Magic Missile costs two time mana."""
        return bool(self.coming) and (self.active.sum("zielsuchend") > self.aimed or self.active.mana >= MISSILE)

    @property
    def guarded(self) -> bool:
        """Whether the other one could answer with a Steel Guardian, which is a choice of theirs."""
        return bool(self.defender.mana) and any(one.card == PINA and one.left for one in self.defender.avatars)

    def dealt(self) -> None:
        """Damage that is left is blocked; else marks may be healed, and whoever has no life left dies."""
        marked = any(one.marks for one in self.defender.avatars)
        self.phase = "block" if self.coming else "heal" if marked else "end"

    def hit_mage(self, points: int) -> None:
        """Life lost; at 0 the game is."""
        self.coming -= points
        self.defender.life = max(0, self.defender.life - points)

    def aim_at_mage(self) -> None:
        """One of the damage goes past all avatars."""
        self.hit_mage(1)
        self.aimed += 1
        if not self.may_aim or not self.defender.life:
            self.let_block()

    def let_block(self) -> None:
        """Nothing more is aimed."""
        self.dealt()
        self.ends()

    def block(self, index: int) -> None:
        """An avatar takes damage until it has no life or none is left."""
        avatar = self.defender.avatars[index]
        taken = min(self.coming, avatar.left)
        avatar.marks, self.coming = avatar.marks + taken, self.coming - taken
        self.dealt()

    def take_rest(self) -> None:
        """What is not blocked."""
        self.hit_mage(self.coming)
        self.dealt()
        self.ends()

    def settle(self) -> None:
        """Who has no life left dies."""
        self.defender.bury([one for one in self.defender.avatars if not one.left])
        self.phase = "end"

    def ends(self) -> None:
        """The game is over with the life of one."""
        self.phase = "over" if self.defender.life == 0 else self.phase

    def next_turn(self) -> None:
        """The other one begins."""
        self.defender.shield = 0
        self.active.minion = False
        self.turn, self.phase = self.other, "chaos"
