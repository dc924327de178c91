"""Interval algebra over ordered values."""

from .interval import Interval
from .notation import format_interval, parse_interval
from .spanset import SpanSet
from .sweep import coverage, depth_profile, merge_labelled

__all__ = [
    "Interval",
    "SpanSet",
    "coverage",
    "depth_profile",
    "format_interval",
    "merge_labelled",
    "parse_interval",
]

__version__ = "1.0.0"
