"""Every address that there is: what it answers whom. The access matrix goes through all of it."""

from dataclasses import dataclass, field

from sheets.models import CO_GM, GM, PLAYER

PEOPLE = ("anonymous", "link holder", "guest", "other guest", "stranger", "player", "owner", "co-gm", "gm")
"""The owner is a player whose sheets are in the party; the link holder has come by both links and has no account."""
SIGNED = ("stranger", "player", "owner", "co-gm", "gm")
MEMBERS = {"gm": GM, "co-gm": CO_GM, "owner": PLAYER, "player": PLAYER}
GMS = ("gm", "co-gm")


@dataclass(frozen=True)
class Row:
    """What an address answers to GET and POST; `htmx` where that differs for htmx."""

    get: int
    post: int
    htmx: tuple[int, int] | None = None
    given: dict = field(default_factory=dict)
    """What else stands in the address."""
    form: dict = field(default_factory=dict)
    """What the POST sends; "{loose}" stands for the key of that sheet, "{effect}" for what waits at one."""
    signed: tuple[int, int] | None = None
    """What those who are signed in are answered, where that differs."""
    read: tuple = ()
    """Whom GET answers, where that is not everybody."""
    do: tuple = ()
    """Whom POST answers, where that is not everybody."""


@dataclass(frozen=True)
class Kept:
    """A sheet: whose it is, and who may read it beside."""

    owner: str
    readers: tuple = ()
    party: bool = True
    more: dict = field(default_factory=dict)


SHEETS = {
    "guests": Kept("guest", party=False),
    "loose": Kept("owner", party=False),
    "private": Kept("owner", GMS),
    "shown": Kept("owner", tuple(MEMBERS), more={"seen_by": "party"}),
    "public": Kept("owner", PEOPLE, more={"seen_by": "public"}),
    "offered": Kept("gm", tuple(MEMBERS), more={"offered": True}),
    "kept": Kept("gm", party=False, more={"opponent": True}),
}
OWN = {
    "step": Row(200, 302, htmx=(200, 200), given={"slug": "values"}, form={"_version": 1, "life": 4}),
    "draft": Row(302, 302, form={"do": "copy"}),
    "sheet": Row(200, 405),
    "picture": Row(200, 302, htmx=(200, 200), form={"do": "remove"}),
    "portrait": Row(200, 405, given={"size": 96}),
    "portrait: large": Row(200, 405, given={"size": 512}),
    "preview": Row(200, 405),
    "report": Row(200, 302, form={"said": "x"}),
    "pdf": Row(200, 405),
    "print": Row(200, 405),
    "page-picture": Row(200, 405, given={"number": 1}),
    "play": Row(302, 302, htmx=(302, 200), form={"w": "undo", "_event": 1}),
    "landed": Row(200, 405),
    "luck": Row(200, 405),
    "keep": Row(302, 302, htmx=(302, 200), form={"do": "notes", "notes": "x"}),
    "place": Row(405, 302, form={"do": "see", "seen_by": "public"}),
    "remark": Row(405, 302, form={"text": "x"}),
    "review": Row(200, 409, form={"do": "withdraw"}),
    "review: submit": Row(200, 409, form={"do": "submit"}),
    "review: reply": Row(200, 409, form={"do": "reply:0:life", "reply.0:life": "x"}),
    "history": Row(200, 302, form={"do": "restore:1", "_version": 1}),
    "export": Row(200, 405),
    "file": Row(200, 405, given={"form": "json"}),
}
"""Addresses of somebody's sheet; to everybody else there is nothing there, but for those who may read its page."""
ALL = tuple(MEMBERS)
PRESS = "11111111-2222-4333-8444-555555555555"
PARTY = {
    "party": Row(200, 302, form={"do": "notes", "notes": "x"}, read=ALL, do=ALL),
    "party: invite": Row(200, 302, form={"do": "invite"}, read=ALL, do=GMS),
    "party: revoke": Row(200, 302, form={"do": "revoke"}, read=ALL, do=GMS),
    "party: bring": Row(200, 302, form={"do": "bring", "sheet": "{loose}"}, read=ALL, do=("owner",)),
    "party: drop": Row(200, 302, form={"do": "drop:{private}"}, read=ALL, do=("owner", *GMS)),
    "party-settings": Row(200, 302, form={"name": "x", "seen_by": "party"}, read=GMS, do=GMS),
    "evening": Row(200, 302, form={"do": "yes:{evening}"}, read=ALL, do=ALL),
    "evening: cancel": Row(200, 302, form={"do": "cancel"}, read=ALL, do=GMS),
    "evening-file": Row(200, 405, read=ALL),
    "webhooks": Row(200, 302, form={"address": "https://discord.com/api/webhooks/1/x", "form": "discord",
                                    "kind": "roll.made"}, read=GMS, do=GMS),
    "webhook": Row(200, 302, given={"number": "webhook"}, form={"do": "test"}, read=GMS, do=GMS),
    "house": Row(200, 200, form={"_version": 1, "budget": 31}, read=ALL, do=GMS),
    "catalogue": Row(200, 302, form={"do": "add:abilities:custom", "name": "x", "cost": "2"}, read=ALL, do=GMS),
    "catalogue-entry": Row(200, 200, given={"number": "entry"}, form={"do": "withdraw"}, read=GMS, do=GMS),
    "catalogue-file": Row(200, 405, read=ALL),
    "member": Row(200, 302, given={"number": "player"}, form={"do": "remove"}, read=GMS, do=GMS),
    "leave": Row(200, 302, read=ALL, do=ALL),
    "end": Row(200, 302, read=("gm",), do=("gm",)),
    "ready": Row(200, 302, form={"do": "take:{offered}"}, read=ALL, do=ALL),
    "ready: lay out": Row(200, 302, form={"do": "generate", "count": "1"}, read=ALL, do=GMS),
    "ready: withdraw": Row(200, 302, form={"do": "withdraw"}, read=ALL, do=GMS),
    "party-print": Row(200, 405, read=GMS),
    "party-pdf": Row(200, 405, given={"layout": "strip", "number": 1}, read=GMS),
    "evening-pdf": Row(302, 405, read=GMS),
    "table": Row(200, 302, htmx=(200, 200), form={"do": "place:{shown}:0"}, read=ALL, do=GMS),
    "table: round": Row(200, 302, htmx=(200, 200), form={"do": "round", "w": "act-end-adventure", "_press": PRESS},
                        read=ALL, do=GMS),
    "table: roll": Row(200, 302, htmx=(200, 200), form={"do": "throw:open", "w": "roll-healing", "_press": PRESS},
                       read=ALL, do=GMS),
    "table: hidden": Row(200, 302, htmx=(200, 200), form={"do": "throw:hidden", "w": "roll-healing", "_press": PRESS},
                         read=ALL, do=GMS),
    "table-play": Row(302, 302, htmx=(302, 200), form={"w": "roll-loss-points", "_by": "{shown}", "_press": PRESS},
                      read=ALL, do=("owner", *GMS)),
    "table-play: aimed": Row(302, 302, htmx=(302, 200), form={
        "w": "roll-attack-attacks-0", "_by": "{shown}", "_at": "{private}", "_press": PRESS}, read=ALL,
                             do=("owner", *GMS)),
    "table-play: set": Row(302, 302, htmx=(302, 200), form={
        "do": "set", "_by": "{shown}", "_figure": "life:10", "_value": "9", "_press": PRESS}, read=ALL, do=GMS),
    "table-play: figures": Row(302, 302, htmx=(302, 200), form={"do": "figures:show:{private}"}, read=ALL,
                               do=("owner",)),
    "table-messages": Row(302, 302, htmx=(302, 200), form={"do": "say", "_text": "Hallo", "_press": PRESS}, read=ALL,
                          do=ALL),
    "table-play: trust": Row(302, 302, htmx=(302, 200), form={"do": "trust:on"}, read=ALL, do=GMS),
    "table-play: turn": Row(302, 302, htmx=(302, 200), form={"do": "turn:begin", "_press": PRESS}, read=ALL,
                            do=GMS),
    "table-play: apply": Row(302, 302, htmx=(302, 200), form={"do": "apply:{effect}", "_press": PRESS}, read=ALL,
                             do=("owner", *GMS)),
    "table-play: change": Row(302, 302, htmx=(302, 200), form={
        "do": "change:{effect}", "points": "1", "against": "nothing", "_press": PRESS}, read=ALL, do=("owner", *GMS)),
    "table-play: dismiss": Row(302, 302, htmx=(302, 200), form={"do": "dismiss:{effect}", "_press": PRESS}, read=ALL,
                               do=("owner", *GMS)),
    "table-play: back": Row(302, 302, htmx=(302, 200), form={"do": "back:{done}"}, read=ALL, do=("owner", *GMS)),
    "table-play: all back": Row(302, 302, htmx=(302, 200), form={"do": "all-back:{done}"}, read=ALL, do=GMS),
    "waiting": Row(200, 302, form={"do": "dismiss:{effect}", "_press": PRESS}, read=ALL, do=("owner", *GMS)),
    "waiting: all": Row(200, 302, form={"do": "dismiss-all:{effect}"}, read=ALL, do=ALL),
    "asked": Row(302, 302, htmx=(302, 200), form={
        "do": "ask", "_roll": "Heilung", "_whom": "{shown}", "_press": PRESS}, read=ALL, do=GMS),
    "asked: settle": Row(302, 302, htmx=(302, 200), form={"do": "settle:{asked}"}, read=ALL, do=GMS),
    "scene-now": Row(302, 405, read=ALL),
    "scenes": Row(200, 302, form={"do": "begin", "name": "x", "also": "act-end-adventure"}, read=ALL, do=GMS),
    "scenes: end": Row(200, 302, form={"do": "end:{scene}"}, read=ALL, do=GMS),
    "scene": Row(200, 405, given={"uuid": "scene"}, read=ALL),
    "scenes: another": Row(200, 302, form={"do": "another", "name": "x", "seat": "{shown}"}, read=ALL, do=GMS),
    "scene-settings": Row(200, 302, given={"uuid": "scene"}, form={"do": "save", "name": "x"}, read=GMS, do=GMS),
    "scene-settings: seat": Row(200, 302, given={"uuid": "scene"}, form={"do": "seat", "seat": "{shown}"}, read=GMS,
                                do=GMS),
    "scene-settings: share": Row(200, 302, given={"uuid": "scene"}, form={"do": "share"}, read=GMS, do=GMS),
    "scene-post": Row(200, 302, given={"uuid": "scene"}, form={"do": "away"}, read=ALL, do=ALL),
    "scene-thread": Row(200, 200, given={"uuid": "scene"}, form={"do": "check", "text": "x"}, read=GMS, do=GMS),
    "scene-thread: remove": Row(200, 302, given={"uuid": "scene"}, form={"do": "remove:1"}, read=GMS, do=GMS),
    "scene-luck": Row(200, 405, given={"uuid": "scene"}, read=ALL),
    "scene-file": Row(200, 405, given={"uuid": "scene", "form": "md"}, read=ALL),
    "handouts": Row(200, 302, form={"do": "give", "title": "x", "text": "x", "whom": "all"}, read=ALL, do=GMS),
    "handouts: open": Row(200, 302, form={"do": "open:{handout}"}, read=ALL, do=("owner", *GMS)),
    "handout": Row(200, 302, given={"number": "handout"}, form={"do": "show", "whom": "all"}, read=("owner", *GMS),
                   do=GMS),
    "handout: take back": Row(200, 302, given={"number": "handout"}, form={"do": "take-back"}, read=("owner", *GMS),
                              do=GMS),
    "handout-picture": Row(200, 405, given={"number": "handout", "size": "picture"}, read=("owner", *GMS)),
    "opponents: stage": Row(200, 302, form={"do": "stage", "sheet": "{kept}"}, read=GMS, do=("gm",)),
    "opponents": Row(200, 422, form={"do": "figures", "_name": "x", "_count": "0"}, read=GMS, do=GMS),
}
"""Addresses of a party, by what is done there; there is nothing there for those who are not in it."""
OPEN = {
    "home": Row(200, 405),
    "begin": Row(302, 302, given={"slug": "condice"}),
    "mine": Row(200, 405),
    "several": Row(405, 302, form={"do": "archive"}),
    "several-export": Row(404, 405),
    "together": Row(404, 405, given={"layout": "sheet"}),
    "library": Row(302, 404, form={"do": "delete", "sheet": "{kept}"}, signed=(200, 302)),
    "encounter": Row(302, 404, given={"pk": PRESS}, signed=(404, 404)),
    "encounter-pdf": Row(302, 405, given={"pk": PRESS, "layout": "strip"}, signed=(404, 405)),
    "parties": Row(200, 404, form={"name": "x", "ruleset": "condice"}, signed=(200, 302)),
    "trash": Row(200, 404, form={"do": "burn:{private}"}),
    "reports": Row(404, 404),
    "reviews": Row(302, 404, form={"do": "approve", "sheet": "{private}"}, signed=(200, 302)),
    "verify": Row(200, 405),
    "verified": Row(404, 405, given={"code": "ABCDE-12345"}),
    "notifications": Row(302, 404, form={"do": "read"}, signed=(200, 302)),
    "dicebox": Row(200, 422, htmx=(200, 200), given={"slug": "condice"}),
    "sample": Row(200, 422, htmx=(200, 200), given={"slug": "condice", "which": "juan"}),
    "compare": Row(200, 405, given={"slug": "condice"}),
    "rules": Row(200, 405, given={"slug": "condice"}),
    "roll-keys": Row(200, 405),
    "blank-pdf": Row(200, 405, given={"slug": "condice"}),
    "import": Row(200, 422),
    "validator": Row(200, 200),
    "paste": Row(200, 422),
    "api": Row(200, 405),
    "rulesets": Row(200, 405),
    "schema": Row(200, 405, given={"slug": "condice"}),
    "validate": Row(405, 415, given={"slug": "condice"}),
    "odds": Row(422, 405, given={"slug": "condice", "roll": "attack"}),
    "random": Row(200, 405, given={"slug": "condice"}),
    "openapi": Row(200, 405),
    "set_language": Row(302, 302, form={"language": "en"}),
    "account_login": Row(200, 200, signed=(302, 302)),
    "account_logout": Row(302, 302, signed=(200, 302)),
    "account_signup": Row(200, 200, signed=(302, 302)),
    "account_inactive": Row(200, 405),
    "account_email": Row(302, 404, signed=(200, 302)),
    "account_email_verification_sent": Row(200, 405),
    "account_confirm_email": Row(200, 404, given={"key": "x"}),
    "account_change_password": Row(302, 302, signed=(200, 200)),
    "account_set_password": Row(302, 302),
    "account_reauthenticate": Row(302, 302, signed=(200, 200)),
    "account_request_reauthentication_code": Row(302, 302, signed=(403, 403)),
    "account_confirm_reauthentication_code": Row(302, 302, signed=(403, 403)),
    "account_reset_password": Row(200, 200),
    "account_reset_password_done": Row(200, 405),
    "account_reset_password_from_key": Row(200, 200, given={"uidb36": "1", "key": "x-y"}),
    "account_reset_password_from_key_done": Row(200, 405),
    "account_confirm_login_code": Row(302, 302),
    "account": Row(302, 302, signed=(200, 405)),
    "account_mail": Row(302, 404, signed=(405, 302)),
    "account_mail: wanted": Row(302, 404, form={"wanted": "on"}, signed=(405, 302)),
    "account_notifications": Row(302, 404, signed=(200, 302)),
    "account_devices": Row(302, 404, signed=(405, 302)),
    "account_device": Row(302, 404, given={"number": 1}, signed=(405, 404)),
    "account_calendar": Row(302, 404, form={"do": "link"}, signed=(200, 200)),
    "feed": Row(404, 405, given={"number": 1, "token": "x"}),
    "push-worker": Row(200, 405),
    "account_download": Row(302, 302, signed=(200, 405)),
    "account_delete": Row(302, 302, signed=(200, 302)),
    "mfa_index": Row(302, 302, signed=(200, 405)),
    "mfa_list_webauthn": Row(302, 302),
    "mfa_add_webauthn": Row(302, 302),
    "mfa_edit_webauthn": Row(302, 302, given={"pk": 1}),
    "mfa_remove_webauthn": Row(302, 302, given={"pk": 1}),
    "mfa_reauthenticate_webauthn": Row(302, 302),
    "mfa_login_webauthn": Row(302, 302),
    "mfa_authenticate": Row(302, 302),
    "mfa_reauthenticate": Row(302, 302),
    "mfa_activate_totp": Row(302, 302),
    "mfa_deactivate_totp": Row(302, 302, signed=(404, 404)),
    "mfa_view_recovery_codes": Row(302, 302, signed=(404, 405)),
    "mfa_generate_recovery_codes": Row(302, 302),
    "mfa_download_recovery_codes": Row(302, 302, signed=(404, 404)),
    "invited": Row(410, 410, given={"token": "x"}, signed=(302, 302)),
    "invitations": Row(404, 404),
    "done": Row(404, 405, given={"key": PRESS}),
    "imprint": Row(404, 405),
    "privacy": Row(200, 405),
    "accessibility": Row(200, 405),
    "live": Row(204, 405, given={"topic": "table", "pk": PRESS}),
    "live-link": Row(204, 405, given={"token": "none"}),
    "live-queue": Row(204, 405),
    "metrics": Row(404, 405),
    "health": Row(200, 405),
    "health-ready": Row(200, 405),
    "robots": Row(200, 405),
    "sitemap": Row(200, 405),
    "security-txt": Row(404, 405),
    "change-password": Row(302, 405),
}
"""Addresses that belong to nobody."""
ELSEWHERE = {"shared", "shared-pdf", "shared-file", "shared-portrait", "shared-preview", "shared-report", "join",
             "reported-portrait", "receipt", "receipt-json", "receipt-of", "onlookers",
             "roll-key", "roll-texts"}
"""Tested by themselves below, receipts in tests/sheets/receipts, and onlookers in tests/sheets/parties."""
