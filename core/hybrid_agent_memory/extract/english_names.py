"""Names in scripts with capital letters: runs of capitalised words, judged by where they stand and what they hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract.common_words import (
    abbreviations,
    after_and,
    articles,
    common_words,
    company_words,
    connectors,
    function_words,
    honorifics,
    institution_words,
    no_names,
    openers,
    place_words,
    roles,
)

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30fc\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Ranges of scripts written without spaces, for a character class."""

_LONGEST_RUN = 12  # words; longer rows of capitals are headings or shouting


@dataclass(frozen=True, slots=True)
class Token:
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
        rf"{letter}(?:[^\W_{UNSPACED}]|[{mark}])*+(?:(?:['&-]|(?<![^\W\d_].)\.)(?:[^\W_{UNSPACED}]|[{mark}])++)*+|[0-9]++(?:st|nd|rd|th)?+(?![0-9A-Za-z_])"
    )


@cache
def _sentence_break() -> re.Pattern[str]:
    return re.compile(r"[.!?:\n\r\t\"“”…。！？：；•*|\[]|\s[-–—]\s")


def tokens_of(flat: str) -> list[Token]:
    """The words and numbers of a text, in its order."""
    tokens: list[Token] = []
    end = 0
    for match in _token().finditer(flat):
        word = match[0]
        start = match.start()
        gap = flat[end:start] if start - end < 8 else flat[end : end + 4] + flat[start - 4 : start]
        initial = not tokens or (gap != " " and _breaks(gap, tokens[-1].lower))
        tokens.append(Token(start, match.end(), word, word.lower(), word[0].isupper(), initial, gap))
        end = match.end()
    return tokens


def _breaks(gap: str, before: str) -> bool:
    if gap.startswith(". ") and (before in abbreviations() or len(before) == 1):
        return False
    return _sentence_break().search(gap) is not None


Named = tuple[int, int, EntityType]


def english_names(flat: str, tokens: list[Token]) -> Iterator[Named]:
    """Spans of names: start, end, type; in text order, not overlapping."""
    evidence = _Evidence(tokens)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if not token.capital or token.lower in ("i", "i'm", "i've", "i'll", "i'd"):
            position += 1
            continue
        end = _run_end(tokens, position)
        yield from _names_of_run(flat, tokens, position, end, evidence)
        position = end


class _Evidence:
    """What the whole text says about its words: which occur in lower case, which with a capital inside a sentence."""

    def __init__(self, tokens: list[Token]) -> None:
        self.lower = {token.lower for token in tokens if not token.capital}
        self.inner = {token.lower for token in tokens if token.capital and not token.initial}


def _run_end(tokens: list[Token], first: int) -> int:
    """Where the run of capitalised words that begins at `first` ends, connectors such as ``of`` included."""
    end = first + 1
    while end < len(tokens) and end - first <= _LONGEST_RUN + 1:
        reach = _next_in_run(tokens, first, end)
        if reach == end:
            break
        end = reach
    return end


def _next_in_run(tokens: list[Token], first: int, end: int) -> int:
    token, before = tokens[end], tokens[end - 1]
    if not _joined(before, token):
        return end
    if token.capital or (token.text[0].isdigit() and len(token.text) <= 4 and before.capital):
        return end + 1
    if token.lower in connectors():
        return _after_connector(tokens, first, end)
    if token.lower == "and":
        last = _last_capital(tokens, end)
        return last + 1 if last > end and tokens[last].lower in after_and() else end
    return end


def _after_connector(tokens: list[Token], first: int, end: int) -> int:
    """Beyond ``of`` and the next name; but ``Mr. Zhang of Acme Ltd`` are two names."""
    after = end
    if end + 1 < len(tokens) and tokens[end + 1].lower in articles() and tokens[end + 1].gap == " ":
        after += not tokens[end + 1].capital
    last = _last_capital(tokens, after)
    if last == after or (tokens[end].lower == "of" and tokens[first].lower in honorifics()):
        return end
    if (
        tokens[end].lower == "of"
        and tokens[last].lower in company_words()
        and tokens[end - 1].lower not in institution_words()
    ):
        return end
    return after + 2


def _last_capital(tokens: list[Token], position: int) -> int:
    """The last of the capitalised words that follow `position` directly; itself if none does."""
    last = position
    while (
        last + 1 < len(tokens)
        and tokens[last + 1].capital
        and tokens[last + 1].gap == " "
        and last - position < _LONGEST_RUN
    ):
        last += 1
    return last


def _joined(before: Token, token: Token) -> bool:
    gap = token.gap
    if gap in (" ", "  ", " & "):
        return True
    if gap in (". ", ".") and (
        len(before.text) == 1 or before.lower in honorifics() or before.lower in ("st", "mt", "ft")
    ):
        return True
    return gap == ", " and token.lower in ("inc", "ltd", "llc", "jr", "sr", "corp")


def _names_of_run(flat: str, tokens: list[Token], first: int, end: int, evidence: _Evidence) -> Iterator[Named]:
    run = tokens[first:end]
    if end - first > _LONGEST_RUN or _is_shouting(run):
        return
    grammar = sum(token.capital and token.lower in function_words() and token.text != "I" for token in run[1:])
    if grammar < 2:
        run = _trimmed(run)
    run = _without_lone_digits(run)
    if not run or not _is_name(run, evidence, grammar):
        return
    start, stop = run[0].start, run[-1].end
    if run[-1].lower.endswith("'s"):
        stop -= 2
    kind = _kind(flat, run, stop)
    yield start, stop, kind


def _is_shouting(run: list[Token]) -> bool:
    return (
        len(run) >= 3
        and all(token.text.isupper() for token in run)
        and any(token.lower in common_words() for token in run)
    )


def _trimmed(run: list[Token]) -> list[Token]:
    """Without the words at its edges that are capitalised for another reason."""
    while run and len(run) > 1 and run[0].initial and run[0].lower in openers():
        run = run[1:]
        if run and run[0].lower == "the" and len(run) > 1:
            break
        while run and not run[0].capital:
            run = run[1:]
    while (
        run
        and (run[-1].lower in function_words() or not run[-1].capital)
        and len(run) > 1
        and not run[-1].text[0].isdigit()
    ):
        run = run[:-1]
    return run


def _without_lone_digits(run: list[Token]) -> list[Token]:
    while run and not run[0].capital:
        run = run[1:]
    return run


def _is_name(run: list[Token], evidence: _Evidence, grammar: int) -> bool:
    words = [token for token in run if token.capital]
    if all(token.lower in no_names() for token in words):
        return grammar >= 2 and len(words) >= 4
    if len(words) > 1:
        return not (run[0].initial and all(token.lower in openers() or token.lower in no_names() for token in words))
    only = words[0]
    base = only.lower.removesuffix("'s")
    if base in no_names() or len(base) < 2:
        return False
    if not only.initial:
        return True
    if only.text.isupper() and len(base) > 1:
        return base not in common_words()
    if base in common_words() or only.lower in common_words():
        return base in evidence.inner and base not in openers()
    return not (base in evidence.lower or _looks_derived(base, evidence))


def _looks_derived(word: str, evidence: _Evidence) -> bool:
    return len(word) > 5 and word.endswith(("ly", "ing", "ness", "tion")) and word not in evidence.inner


def _kind(flat: str, run: list[Token], stop: int) -> EntityType:
    first, last = run[0].lower, run[-1].lower.removesuffix("'s")
    words = {token.lower for token in run}
    if first in honorifics() and len(run) > 1:
        return "person"
    if (first == "project" and len(run) > 1) or last == "project" or flat[stop : stop + 8].lower() == " project":
        return "project"
    if last in company_words() and len(run) > 1:
        return "organisation"
    if words & institution_words() and len(run) > 1:
        return "organisation"
    if (last in place_words() or (first in place_words() and len(run) > 2 and run[1].lower == "of")) and len(run) > 1:
        return "place"
    if first in roles() and len(run) > 1:
        return "person"
    return "name"
