"""A generator of profile lines as forum posts have them: right ones with noise, and broken ones with their place."""

from rulesets import generate
from rulesets.daemmersturm import RULESET
from rulesets.document import read_tree

FULL = {sign: chr(ord(sign) + 0xFEE0) for sign in "():,|=[]"}
GAPS = ("", " ", "  ", "\n", "\u00a0", " \u2009", "\t", "\r\n")
TAILS = ("", "\n\nAbgesegnet von der Spielleitung.", " (Stand: Mai)", "\nViel Spaß im Kampf!", "\n[i]bearbeitet[/i]")
LEADS = ("", "Mein Profil\n\n", "> ", "- ", "[quote=SL]\n", "Hallo zusammen,\nhier ist er.\n\n", "1. ")


def lines(rng, count):
    """Canonical lines of random characters with the abilities changed a little."""
    for _line in range(count):
        document = read_tree(generate.sheet(RULESET, rng))
        yield document.sheet.to_text(document.name, document.house), document


def noisy(rng, sheet, name) -> str:
    """The profile as somebody posted it; the same profile all the same."""
    def gap(*, must=False):
        return rng.choice(GAPS[1:] if must else GAPS)

    def sign(one):
        return FULL[one] if rng.random() < 0.15 else one

    def value(bonus):
        form = rng.choice(("20{:+d}", "20 {:+d}", "{:+d}", "20{:+d}"))
        text = form.format(bonus).replace("-", rng.choice("-−–"))
        return rng.choice(("20", text)) if bonus == 0 else text

    def skill(letter, one):
        letter = rng.choice((letter, letter, letter.lower()))
        parts = (letter, sign("="), value(one.attack), sign("|"), str(one.defence))
        return "".join(part + rng.choice(("", "", " ", "\u00a0")) for part in parts).strip()

    skills = [skill("N", sheet.melee), skill("F", sheet.ranged), skill("Z", sheet.magic)]
    if rng.random() < 0.1:
        rng.shuffle(skills)
    bold = rng.choice((name, name, f"[b]{name}[/b]", f"**{name}**", f"[color=#aa0000]{name}[/color]"))
    text = f"{bold}{rng.choice((sign(':'), ''))}{gap(must=True)}{sign('(')}{gap()}"
    text += (sign(",") + gap()).join(skills) + gap() + sign(")") + gap(must=True)
    text += rng.choice((f"LP {sheet.life}", f"LP: {sheet.life}", f"lp{gap(must=True)}{sheet.life}"))
    names = [one.name.replace(" ", rng.choice((" ", " ", "\u00a0", "  "))) for one in sheet.abilities]
    if names:
        text += sign(",") + gap() + rng.choice(("Besondere Fähigkeiten", "besondere Fähigkeiten", "Bes. Fähigkeiten"))
        text += sign(":") + gap(must=True) + (sign(",") + gap(must=True)).join(names)
    text += rng.choice(("\n", "\r\n", " ", "\n\n")) + sign("[")
    label = {"mana": ("MP", "Mana"), "light": ("Licht",), "shadow": ("Schatten", "Schattenpunkte"),
             "elements": ("Elemente",), "none": ("MP",)}[sheet.resource]
    points = [f"AP{rng.choice((':', ' :', ''))} {sheet.action_points()}", f"FP: {sheet.focus_points()}",
              f"{rng.choice(label)}:{gap()}{sheet.magic_points()}"]
    text += (gap() + sign("|") + gap()).join(points) + gap() + sign("]")
    return rng.choice(LEADS) + text + rng.choice(TAILS)


def broken(rng, line) -> tuple[str, str, str]:
    """(what was broken, the broken line, its place) of a right line."""
    head, tail = line.split("\n")
    what, old, new, at = rng.choice([
        ("attack bonus", "20", "2O", None), ("attack bonus", "(N=20", "(N=zwanzig", 3),
        ("is not a skill", "F=", "Q=", 0),
        ("is not a defence", "|", "|x", 1), ("not closed", ") LP", " LP", 1), ("life points", "LP ", "LP viele", 3),
        ("are missing", "LP ", "Leben ", 0), ("is missing", ", Z=", ", N=", None), ("not closed", "]", "", 0),
        ("points", "AP: ", "AP: ?", 4), ("is not AP", "FP", "XP", 0), ("is missing", " | MP", " ", None),
        ("twice", "FP", "AP", 0), ("defence of F", None, None, None), ("too large", "LP ", "LP 9999", 3),
    ])
    if what == "defence of F":
        start = head.index("F=")
        bar = head.index("|", start)
        comma = head.index(",", bar)
        return what, f"{head[:bar]}{head[comma:]}\n{tail}", f"1:{bar + 1}"
    row, text = (1, head) if old in head else (2, tail)
    index = text.index(old)
    changed = text[:index] + new + text[index + len(old):]
    whole = f"{changed}\n{tail}" if row == 1 else f"{head}\n{changed}"
    return what, whole, "" if at is None else f"{row}:{index + 1 + at}"
