"""Finding a profile's name after other text such as times, senders, “Mein Profil:” (DS-07)."""

import re

_CLOCK = r"\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s*Uhr)?"
_DATE = r"\d{1,2}\.\d{1,2}\.(?:\d{2,4})?|\d{4}-\d{2}-\d{2}|heute|gestern"
_TIME = re.compile(rf"[\[(]?(?:(?:{_DATE})[,\s]{{0,3}}(?:um\s+)?)?{_CLOCK}[\])]?\s*[-–—|]?\s*", re.I)
"""The time of a message, as chats write it: [20:15], 12.03.26, 20:15 - ."""
_SENDER = re.compile(r"<[^<>\n]{1,40}>\s*:?\s*|[^:\n]{1,40}:\s+(?=\S)")
_NICK = re.compile(r"<[^<>\n]{1,40}>\s*:?\s*")
_TOLD = re.compile(r"[^:\n]{1,60}\s(?:schrieb|schreibt|hat geschrieben|sagte|sagt|wrote|says|said)\s*:\s*", re.I)
_LEAD = re.compile(
    r"(?:(?:und\s+)?hier(?:\s+(?:ist|kommt|nochmals|nochmal|noch\s+einmal))?\s+)?(?:(?:mein|unser|sein|ihr|das|der)e?\s+)?"
    r"(?:aktuelles\s+|neues\s+)?(?:profil(?:zeile)?|steckbrief|name|char|charakter|figur|held(?:in)?)\s*[:=]\s*", re.I)
_BULLET = re.compile(r"(?:[-–•*#]+|\d{1,2}[.)])\s+|\[\*\]\s*")
_END = re.compile(
    r"(?:(?<!\s)\s+(?:hat(?: (?:jetzt|nun|noch))?|besitzt|mit|ist|kämpft mit|[-–—])|[:,|=])$", re.I)
_QUOTED = re.compile(r"[„“\"»]([^„“”\"»«\n]{1,200})[“”\"«]")
_CHATTING = re.compile(rf"(?<!\s)\s+[-–—]\s+(?:(?:{_DATE})\s+)?(?:um\s+)?{_CLOCK}$", re.I)
"""The time at the end of the line above a chat message, which names its sender."""


def name_in(raw: str) -> tuple[int, str, list[str]]:
    """Return (start, name, other names that may be meant) for the text before the skills."""
    start = _past(raw)
    name = raw[start:].rstrip()
    while found := _END.search(name):
        name = name[:found.start()].rstrip()
    if quoted := _QUOTED.fullmatch(name):
        return start + 1, " ".join(quoted[1].split()), []
    others: list[str] = []
    if found := _CHATTING.search(name):
        others, name = [""], name[:found.start()]
    elif ": " in name and " " in name.partition(":")[0]:
        others = [name.rpartition(": ")[2]]
    return start, " ".join(name.split()), [" ".join(one.split()) for one in others]


def _past(raw: str) -> int:
    """Return the index after the text that precedes the name; only a mere introduction may reach to the end."""
    start = len(raw) - len(raw.lstrip())
    for pattern in (_TIME, _BULLET, _NICK, _TOLD, _LEAD):
        found = pattern.match(raw, start)
        if found and (raw[found.end():].strip(" :") or pattern is _LEAD):
            start = found.end()
            if pattern is _TIME and (sender := _SENDER.match(raw, start)) and raw[sender.end():].strip(" :"):
                start = sender.end()
    return start
