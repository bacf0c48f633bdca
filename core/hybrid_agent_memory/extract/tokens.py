"""The words of a text as the name finder sees them: with their capitals, and where sentences begin."""

import re
from functools import cache
from typing import NamedTuple

from hybrid_agent_memory.extract.common_words import abbreviations

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30fc\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Ranges of scripts written without spaces, for a character class."""


class Token(NamedTuple):
    """A word or number of the text."""

    start: int
    end: int
    text: str
    lower: str
    capital: bool
    initial: bool
    """Whether it begins a sentence, so that its capital says nothing."""
    gap: str
    """What stands between the token before and this one."""


@cache
def _token() -> re.Pattern[str]:
    letter = rf"[^\W\d_{UNSPACED}]"
    mark = "\u0300-\u036f"
    return re.compile(
        rf"(?<![0-9]){letter}(?:[^\W_{UNSPACED}]|[{mark}])*+(?:(?:['&-]|(?<![^\W\d_].)\.)(?:[^\W_{UNSPACED}]|[{mark}])++)*+|(?<![0-9][.,:/-])[0-9]++(?:st|nd|rd|th|ST|ND|RD|TH|St|Nd|Rd|Th)?+(?![0-9A-Za-z_%]|[.,:/-][0-9])"
    )


@cache
def _sentence_break() -> re.Pattern[str]:
    return re.compile(r"[.!?:\n\r\t\"“”…。！？：；•*|\[]|\s[-–—]\s")


def tokens_of(flat: str) -> list[Token]:
    """The words and numbers of a text, in its order."""
    tokens: list[Token] = []
    end, before = 0, ""
    for match in _token().finditer(flat):
        word = match[0]
        start, stop = match.span()
        gap = flat[end:start] if start - end < 8 else flat[end : end + 4] + flat[start - 4 : start]
        initial = not tokens or (gap != " " and _breaks(gap, before))
        before = word.lower()
        tokens.append(Token(start, stop, word, before, word[0].isupper() or _is_branded(word), initial, gap))
        end = stop
    return tokens


def _breaks(gap: str, before: str) -> bool:
    if gap.startswith(". ") and (before in abbreviations() or are_initials(before)):
        return False
    return _sentence_break().search(gap) is not None


def are_initials(word: str) -> bool:
    """Whether a word is ``J`` or ``J.R.R``, so that the full stop behind it ends no sentence."""
    return len(word) == 1 or (len(word) < 8 and word[-2] == ".")


def _is_branded(word: str) -> bool:
    """Whether a capital stands inside a name: ``iPhone``, ``al-Hassan``."""
    if len(word) < 3 or word.islower():
        return False
    return (word[1].isupper() and word[0].islower() and word.isalpha()) or _with_article().match(word) is not None


@cache
def _with_article() -> re.Pattern[str]:
    return re.compile(r"(?:a[a-z]|el|ul|ud|d|l|o)['-][^\W\d_a-z]")
