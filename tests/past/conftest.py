"""The pasts, one after the other: each is restored once for all tests that only read it."""

import gzip

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from builder.backup import restoring
from sheets.audit_log import chain
from tests.past import from_6b03c062, from_50aac23
from tests.past.keys import KEYS
from tests.support.everyday import MORE

FIRST, SECOND = PASTS = (from_50aac23.PAST, from_6b03c062.PAST)
VENDORS = {FIRST.commit: "sqlite", SECOND.commit: "postgresql"}
"""The database into which each is restored; in `make prove` both of them."""


def restored_into(past):
    """Return a past as the parameter of tests that restore it."""
    return pytest.param(past, marks=pytest.mark.database(VENDORS[past.commit], mostly=True), id=past.commit)


def only(one):
    """Run a test over one of the pasts alone."""
    return pytest.mark.parametrize("which", [restored_into(one)], indirect=True)


both = pytest.mark.parametrize("which", [pytest.param(one, id=one.commit) for one in PASTS], indirect=True)
"""Run a test that restores nothing over both pasts."""
from_the_first = pytest.mark.parametrize("which", [
    pytest.param(one, id=one.commit, marks=() if one is FIRST else MORE) for one in PASTS], indirect=True)
"""Run a test over the first past, from where migrations have the longest way; in `make prove` over both."""


def backup_of(past, folder):
    """Write the backup of a past, and return its path."""
    path = folder / "past.backup"
    path.write_bytes(gzip.compress(past.unpacked("past.backup"), 1))
    return path


@pytest.fixture(scope="package", params=[restored_into(one) for one in PASTS])
def which(request):
    """One of the pasts: all that is asked of the first comes before the second."""
    return request.param


@pytest.fixture(scope="package")
def expected(which):
    """What its commit told of it, and what rules count otherwise since."""
    return which.told()


@pytest.fixture(scope="package")
def file(which, tmp_path_factory):
    """The backup."""
    return backup_of(which, tmp_path_factory.mktemp("past"))


@pytest.fixture(scope="package")
def restored(file, django_db_setup, django_db_blocker):
    """The backup restored into this database, for all tests that only read; afterwards it is empty again."""
    with django_db_blocker.unblock():
        with override_settings(**KEYS):
            restoring.restore(file, replace=True)
        yield
        emptied()


def emptied():
    """Leave the database as one is that was only migrated."""
    call_command("flush", interactive=False, verbosity=0)
    chain.begin_chain()


@pytest.fixture
def then(which, settings, monkeypatch):
    """The keys and the day of the past."""
    for name, key in KEYS.items():
        setattr(settings, name, key)
    monkeypatch.setattr(timezone, "now", lambda: which.then)


@pytest.fixture
def past(restored, then, db):
    """The past, to be read."""
