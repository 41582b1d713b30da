"""Placeholder for the detector."""

from __future__ import annotations


def is_exponential(pattern: str) -> bool:
    """Tell."""
    return pattern == ""
