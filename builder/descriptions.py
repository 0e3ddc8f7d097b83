"""Descriptions of the pages, one sentence each, for search engines and link previews."""

from collections.abc import Callable

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rulesets import systems

DEFAULT = _("Characters for German tabletop systems, built and checked by the rules.")
DESCRIPTIONS = {
    "home": _("Build characters for German tabletop systems: every point is counted and every rule is checked while "
              "you write, without an account."),
    "step": _("A step of building a character: what it costs, what the rules say, and what is still open."),
    "mine": _("Your sheets, to be searched by name, system and state."),
    "trash": _("Sheets that you threw away, and how long they can still be brought back."),
    "sheet": _("A character to be read, rolled for and played."),
    "picture": _("The picture of your character: bring one, choose which part of it is seen, or remove it."),
    "print": _("A character as the browser prints it on A4."),
    "export": _("A character to take along: as a document, as Markdown or as BBCode."),
    "shared": _("A character that somebody shares by a link."),
    "history": _("What became of a character: its revisions, each to be compared and restored."),
    "review": _("The approval of a character: what waits, what the GMs said, what is played."),
    "report": _("Tell whoever runs the site that a public page may not stay as it is."),
    "shared-report": _("Tell whoever runs the site that a shared page may not stay as it is."),
    "reports": _("For admins: shared pages and pictures that were reported."),
    "parties": _("Your parties, each of which plays one system by house rules of its own."),
    "party": _("A party: its members, its sheets, its house rules and its ready-made characters."),
    "party-settings": _("The settings of a party: its name, who reads what comes in, what goes without saying."),
    "library": _("Your library as a GM: opponents and encounters for all of your parties."),
    "encounter": _("An encounter: opponents with their numbers, to be printed or put on stage."),
    "table": _("A party at the table: who plays what, how they are, and what has fallen."),
    "member": _("A member of a party: their role, made another or ended."),
    "leave": _("Leave a party and take your sheets along."),
    "end": _("End a party; each sheet stays with its owner."),
    "opponents": _("The opponents of a party: their figures, and what of them the players see."),
    "waiting": _("All that waits at a party's table: apply it, or dismiss what is no longer wanted."),
    "scenes": _("The scenes of a party: begin one, end it, and look what happened in each."),
    "handouts": _("The handouts of a party: letters, maps and pictures, each for those who are to have it."),
    "handout": _("A handout: a text or a picture that the GM gave to those who read it here."),
    "scene": _("A scene of a party told by rounds: who did what, who went down, what was handed out."),
    "party-print": _("The sheets of a party on paper, in the layout that you choose."),
    "house": _("The house rules of a party, with what a change of them does to each sheet."),
    "ready": _("Ready-made characters of a party, which wait for whoever takes them."),
    "join": _("An invitation to join a party."),
    "reviews": _("Sheets that wait for your approval as a GM."),
    "verify": _("Check by its code whether the approval of a printed sheet holds."),
    "verified": _("What is known of an approval by its check code."),
    "notifications": _("What others did and you want to know."),
    "dicebox": _("The dice of {system}: every roll with its exact odds, without a sheet."),
    "sample": _("A sample of {system} to be looked at and rolled for; it belongs to nobody."),
    "compare": _("Two characters of {system} side by side, and what comes of it when they meet."),
    "rules": _("The rules of {system} in short words, by number."),
    "accessibility": _("How everybody can use the site: by keyboard or screen reader, enlarged; what is missing."),
    "paste": _("Characters pasted from a forum, read and checked."),
    "import": _("Bring a character's document in, look at it first, and make a draft of it."),
    "validator": _("Have a character's document checked by the rules; nothing is kept."),
    "api": _("The HTTP API: JSON Schemas, validation and exact odds for programs."),
    "done": _("What a form has made already, and when."),
    "account": _("Your account: e-mail, second factor, everything to download."),
    "account_delete": _("Delete your account with everything in it."),
    "account_login": _("Sign in to find your sheets and parties on every device."),
    "account_logout": _("Sign out; your sheets stay with your account."),
    "account_signup": _("Make an account with a name and a password; an e-mail address is not needed."),
    "account_inactive": _("This account cannot be signed in to."),
    "account_email": _("The e-mail addresses of your account."),
    "account_email_verification_sent": _("A mail is on its way by which you confirm your address."),
    "account_confirm_email": _("Confirm an e-mail address by the link that was sent to it."),
    "account_change_password": _("Change the password of your account."),
    "account_set_password": _("Give your account a password."),
    "account_reauthenticate": _("State your password once more before something important is changed."),
    "account_reset_password": _("Have a mail sent by which a forgotten password is reset."),
    "account_reset_password_done": _("If the address is known, a mail is on its way by which the password is reset."),
    "account_reset_password_from_key": _("Choose a new password in place of the forgotten one."),
    "account_reset_password_from_key_done": _("The new password holds from now on."),
    "account_confirm_login_code": _("Sign in with a code that was sent to you."),
    "mfa_index": _("The second factor of your account: on, off, recovery codes."),
    "mfa_authenticate": _("State the code of your app to sign in."),
    "mfa_reauthenticate": _("State the code of your app once more before something important is changed."),
    "mfa_activate_totp": _("Turn on a second factor with an app."),
    "mfa_deactivate_totp": _("Turn the second factor off."),
    "mfa_view_recovery_codes": _("The recovery codes that are left for days without your phone."),
    "mfa_generate_recovery_codes": _("New recovery codes in place of the old ones."),
    "invited": _("An invitation to make an account here."),
    "invitations": _("For admins: links by which people make an account."),
    "imprint": _("Who runs this site, and how to reach them."),
    "privacy": _("What this site keeps of you, for how long, and who sees it."),
}
"""{URL name: description of its page}; "{system}" is replaced by the title of the URL's system."""


def described(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Context processor: `description` is the description of the page, computed only where a template uses it."""
    return {"description": lambda: description(request)}


def description(request: HttpRequest) -> str:
    """Return the description of the requested page, in the reader's language."""
    if (match := request.resolver_match) is None:
        return str(DEFAULT)
    ruleset = systems().get(match.kwargs.get("slug", ""))
    text = str(DESCRIPTIONS.get(match.url_name or "", DEFAULT))
    return text.replace("{system}", str(ruleset.title) if ruleset else "")
