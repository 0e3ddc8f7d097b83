"""The tags of `builder.wizard.live`, for the page as a whole."""

from builder.wizard.live import register

__all__ = ["register"]
