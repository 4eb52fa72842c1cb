"""Contrast of two colours by WCAG 2.2."""

from __future__ import annotations


def contrast(one: str, other: str) -> float:
    """The contrast of two colours of three or six digits, from 1 to 21."""
    light, dark = sorted([_luminance(one), _luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join([digit * 2 for digit in colour[1:]])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
