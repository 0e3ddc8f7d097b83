"""The template tags of `builder.wizard.live`, which render the same parts in a complete page."""

from builder.wizard.live import register

__all__ = ["register"]
