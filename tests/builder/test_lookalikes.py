"""Names are compared by what they look like."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import IntegrityError
from django.test import Client

from builder import accounts, lookalikes
from builder.models import Likeness

PASSWORD = "gut-geschmiedet-7"


def sign_up(name, **more):
    browser = Client(headers={"Accept-Language": "en"})
    return browser.post("/account/signup/", {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more})


@pytest.mark.parametrize(("name", "other"), [
    ("Elena", "Еlena"), ("Elena", "ELENA"), ("paul", "pauI"), ("paul", "pau1"), ("paul", "раul"), ("Ian", "Іan"),
    ("Anna", "Αnna"), ("modern", "modem"), ("Jörg", "Jo\u0308rg"), ("otto", "0tt0"), ("juan", "𝓳𝓾𝓪𝓷"),
])
def test_names_that_nobody_tells_apart_look_alike(name, other):
    assert lookalikes.likenesses(name) & lookalikes.likenesses(other)


@pytest.mark.parametrize(("name", "other"), [
    ("Ilia", "Lila"), ("Joan", "Jöan"), ("anna", "anne"), ("Борис", "Boris"), ("juan", "juan2"),
])
def test_names_that_are_told_apart_do_not(name, other):
    assert not lookalikes.likenesses(name) & lookalikes.likenesses(other)


@pytest.mark.parametrize("name", ["admin", "Admin7", "administrator", "аdmin", "ADMlN", "root", "r00t", "GM", "gm",
                                  "Bogenschmiede", "Bogenschmiede-Team", "Spielleitung", "suрport"])
def test_names_of_those_who_run_a_site_are_reserved(name):
    assert lookalikes.reserved(name)


@pytest.mark.parametrize("name", ["Rooter", "Gmork", "Adam", "Systematiker", "Sven", "Schmied"])
def test_other_names_are_free(name):
    assert not lookalikes.reserved(name)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Еlena", "E1ena", "elena"])
def test_nobody_signs_up_under_a_name_that_looks_like_anothers(name):
    get_user_model().objects.create_user("Elena")
    answer = sign_up(name)
    assert answer.status_code == 200
    assert ("looks like that of another account" in answer.text) == (name != "elena")
    assert get_user_model().objects.count() == 1


@pytest.mark.django_db
def test_nobody_signs_up_under_a_reserved_name_and_is_told_why_in_both_languages():
    assert "Nobody may be called that" in sign_up("аdmin").text
    german = Client(headers={"Accept-Language": "de"})
    assert "So darf niemand heißen" in german.post("/account/signup/", {
        "username": "admin2", "password1": PASSWORD, "password2": PASSWORD}).text
    assert not get_user_model().objects.exists()


@pytest.mark.django_db
def test_an_account_that_is_renamed_or_goes_frees_its_looks():
    elena = get_user_model().objects.create_user("Elena")
    elena.username = "Olga"
    elena.save()
    assert sign_up("Еlena").status_code == 302
    elena.delete()
    assert sign_up("Оlga").status_code == 302


@pytest.mark.django_db
def test_accounts_that_look_alike_already_both_stay_and_the_first_has_the_look():
    first, second = (get_user_model().objects.create_user(name) for name in ("Elena", "Еlena"))
    assert Likeness.belong(first)
    assert not Likeness.belong(second)
    second.save()
    assert get_user_model().objects.count() == 2


@pytest.mark.django_db
def test_of_two_who_take_names_that_look_alike_at_once_the_second_is_told(monkeypatch):
    asked = accounts.AccountAdapter.clean_username

    def raced(self, username, shallow=False):
        found = asked(self, username, shallow)
        if username == "Еlena":
            get_user_model().objects.create_user("Elena")
        return found

    monkeypatch.setattr(accounts.AccountAdapter, "clean_username", raced)
    browser = Client(headers={"Accept-Language": "en"})
    answer = browser.post("/account/signup/", {"username": "Еlena", "password1": PASSWORD, "password2": PASSWORD},
                          follow=True)
    assert "Somebody else was quicker with this name" in answer.text
    assert [one.username for one in get_user_model().objects.all()] == ["Elena"]
    assert "_auth_user_id" not in browser.session


@pytest.mark.django_db
def test_the_database_holds_each_look_once():
    first, second = (get_user_model().objects.create_user(name) for name in ("Elena", "Olga"))
    with pytest.raises(IntegrityError):
        Likeness.objects.create(user=second, skeleton=first.likenesses.first().skeleton)


@pytest.mark.django_db
def test_accounts_of_before_are_filled_in_the_oldest_first_and_all_stay():
    first, second, third = (get_user_model().objects.create_user(name) for name in ("Elena", "Еlena", "Olga"))
    Likeness.objects.all().delete()
    import_module("builder.migrations.0003_likeness").fill(apps, None)
    assert [Likeness.belong(one) for one in (first, second, third)] == [True, False, True]
    assert get_user_model().objects.count() == 3
