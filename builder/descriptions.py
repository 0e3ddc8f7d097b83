"""Descriptions of the pages, one sentence each, for search engines and link previews."""

from collections.abc import Callable

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rulesets import systems

DEFAULT = _("Characters for German tabletop RPGs, built and checked by the rules.")
DESCRIPTIONS = {
    "home": _("Build characters for German tabletop RPGs: every point is counted and every rule checked as you write, "
              "with no account needed."),
    "step": _("One step of building a character: what it costs, what the rules say and what is still missing."),
    "mine": _("Your sheets, searchable by name, system and state."),
    "trash": _("The sheets in your bin, and how long you can still restore them."),
    "sheet": _("A character to read, roll for and play."),
    "picture": _("The picture of your character: upload one, choose which part is shown, or remove it."),
    "print": _("A character laid out for printing on A4 from your browser."),
    "export": _("A character to download: as a document, as Markdown or as BBCode."),
    "shared": _("A character shared by link."),
    "history": _("The history of a character: all its revisions, to compare and restore."),
    "review": _("The approval of a character: what is waiting, what the GMs have said, what is in play."),
    "report": _("Report a public page to the people who run this site."),
    "shared-report": _("Report a shared page to the people who run this site."),
    "reports": _("For admins: shared pages and pictures that have been reported."),
    "parties": _("Your parties, each playing one system with its own house rules."),
    "party": _("A party: its members, its sheets, its house rules and its ready-made characters."),
    "party-settings": _("The settings of a party: its name, who can see new sheets, and how its table works."),
    "evening": _("The next evening of a party: the dates to choose from, and who can come."),
    "webhooks": _("The webhooks of a party: addresses that are told what happens in it."),
    "webhook": _("A webhook of a party: what it is told of, and whether that has arrived."),
    "library": _("Your GM library: opponents and encounters for all your parties."),
    "encounter": _("An encounter: opponents with their numbers, to print or bring into play."),
    "table": _("A party at the table: who plays whom, how everybody is doing, and what has been rolled."),
    "member": _("A member of a party: change their role, or remove them."),
    "leave": _("Leave a party and take your sheets with you."),
    "end": _("Disband a party; each sheet stays with its owner."),
    "opponents": _("The opponents of a party: their stats, and how much of them the players see."),
    "waiting": _("Everything waiting at a party's table: apply it, or dismiss what is no longer needed."),
    "scenes": _("The scenes of a party: start one, end it, and look back at what happened in each."),
    "handouts": _("The handouts of a party: letters, maps and pictures, each for the players who should have it."),
    "handout": _("A handout: a text or picture from the GM for you to read here."),
    "onlookers": _("A scene to look on, for anybody who has its link."),
    "scene-post": _("A scene by post: whose turn it is, and what you rolled, to be pasted into the forum."),
    "scene-thread": _("Posts of a scene's thread, compared with its log."),
    "scene-settings": _("The settings of a scene: its name, and who is in it."),
    "scene": _("A scene, round by round: who did what, who went down, what was handed out."),
    "party-print": _("The sheets of a party on paper, in the layout you choose."),
    "catalogue": _("What a party has agreed on: entries that its players choose beside the book's."),
    "catalogue-entry": _("An entry of a party's catalogue, and what changing it does to each sheet."),
    "house": _("The house rules of a party, and what changing them does to each sheet."),
    "ready": _("The ready-made characters of a party, free for players to take."),
    "join": _("An invitation to join a party."),
    "reviews": _("Sheets waiting for your approval as a GM."),
    "verify": _("Enter the check code of a printed sheet to see whether its approval is in force."),
    "verified": _("What a check code says about an approval."),
    "notifications": _("What others have done that may interest you."),
    "dicebox": _("{system} dice: every roll with its exact odds, no sheet needed."),
    "sample": _("A {system} sample to look at and roll for; it belongs to nobody."),
    "compare": _("Two {system} characters side by side, and what happens when they meet."),
    "luck": _("The luck in a character's rolls, beside their exact odds."),
    "scene-luck": _("The luck in the rolls of a scene, of each character and all together."),
    "receipt": _("A roll with its dice, its place in the log, and the proof that nobody chose them."),
    "rules": _("The {system} rules in brief, by number."),
    "accessibility": _("How everybody can use the site: by keyboard, by screen reader or enlarged; and what is still "
                       "missing."),
    "paste": _("Characters pasted from a forum, read and checked."),
    "import": _("Import a character's document: look at it first, then make a draft of it."),
    "validator": _("Have a character's document checked by the rules; nothing is stored."),
    "api": _("The HTTP API: JSON Schemas, validation and exact odds for programs."),
    "done": _("What a form has already done, and when."),
    "account": _("Your account: e-mail, second factor, and all your data to download."),
    "account_notifications": _("What you are sent, by e-mail and to which of your devices."),
    "account_calendar": _("Your time zone, and the evenings of your parties in your calendar."),
    "account_delete": _("Delete your account and everything in it."),
    "account_login": _("Sign in to find your sheets and parties on every device."),
    "account_logout": _("Sign out; your sheets stay with your account."),
    "account_signup": _("Create an account with a name and a password; no e-mail address needed."),
    "account_inactive": _("This account cannot sign in."),
    "account_email": _("The e-mail addresses of your account."),
    "account_email_verification_sent": _("An e-mail is on its way with a link to confirm your address."),
    "account_confirm_email": _("Confirm an e-mail address with the link that was sent to it."),
    "account_change_password": _("Change the password of your account."),
    "account_set_password": _("Set a password for your account."),
    "account_reauthenticate": _("Enter your password again before changing something important."),
    "account_reset_password": _("Get an e-mail to reset a forgotten password."),
    "account_reset_password_done": _("If the address is known here, an e-mail to reset the password is on its way."),
    "account_reset_password_from_key": _("Choose a new password to replace the forgotten one."),
    "account_reset_password_from_key_done": _("Your new password works from now on."),
    "account_confirm_login_code": _("Sign in with a code sent to you."),
    "mfa_index": _("Your passkeys, and the codes from your app."),
    "mfa_add_webauthn": _("Add a passkey, to sign in without your password."),
    "mfa_edit_webauthn": _("Give a passkey another name."),
    "mfa_remove_webauthn": _("Remove a passkey from your account."),
    "mfa_reauthenticate_webauthn": _("Confirm with a passkey before changing something important."),
    "mfa_authenticate": _("Enter the code from your app to sign in."),
    "mfa_reauthenticate": _("Enter the code from your app again before changing something important."),
    "mfa_activate_totp": _("Turn on a second factor with an app."),
    "mfa_deactivate_totp": _("Turn the second factor off."),
    "mfa_view_recovery_codes": _("The recovery codes you have left, for when you don't have your phone."),
    "mfa_generate_recovery_codes": _("New recovery codes to replace the old ones."),
    "invited": _("An invitation to create an account here."),
    "invitations": _("For admins: links that let people create an account."),
    "imprint": _("Who runs this site, and how to reach them."),
    "privacy": _("What this site stores about you, for how long, and who can see it."),
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
