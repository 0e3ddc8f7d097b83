"""Findings of the doctor, and the moment that a database must keep to the microsecond."""

from datetime import UTC, datetime

from builder import doctor

MOMENT = datetime(2026, 3, 1, 12, 30, 15, 123_457, tzinfo=UTC)


def doctor_says():
    """Return what the doctor finds wrong."""
    return [found.text for found in doctor.examine() if not found.well]
