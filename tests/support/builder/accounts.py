"""Accounts as people make and enter them, and the codes that an app on their telephone shows."""

import time

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth import get_user_model
from django.test import Client

PASSWORD = "gut-geschmiedet-7"
SIGNUP, LOGIN, CODE = "/account/signup/", "/account/login/", "/account/2fa/authenticate/"


def sign_up(client, name="juan", **more):
    """Return the answer to a name and a password for a new account."""
    return client.post(SIGNUP, {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more})


def sign_in(client, name="juan", password=PASSWORD):
    """Return the answer to a name and a password."""
    return client.post(LOGIN, {"login": name, "password": password})


def people():
    """Return the names of all accounts in order."""
    return sorted(get_user_model().objects.values_list("username", flat=True))


def take_app(client):
    """Sign Juan in and give him an app for the second factor; return the answer."""
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    secret = client.get("/account/2fa/totp/activate/").context["form"].secret
    return client.post("/account/2fa/totp/activate/", {"code": code_of(secret)})


def code_for(user):
    """Return the code that the app of somebody shows now."""
    return code_of(Authenticator.objects.get(user=user, type="totp").wrap().instance.data["secret"])


def code_of(secret):
    """Return the code that an app with this secret shows now.

    Whoever types it has half a minute at the least, for the one before is taken as well.
    """
    return format_hotp_value(hotp_value(secret, int(time.time()) // app_settings.TOTP_PERIOD))


def spare_codes(user):
    """Return the recovery codes that somebody has left."""
    return Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()


def english(**options):
    """Return a browser that asks for English."""
    return Client(headers={"Accept-Language": "en"}, **options)
