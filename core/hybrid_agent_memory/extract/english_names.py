"""Names in scripts with capital letters: runs of capitalised words, judged by where they stand and what they hold."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from hybrid_agent_memory.extract import EntityType
from hybrid_agent_memory.extract.common_words import (
    after_and,
    articles,
    calendar_words,
    common_words,
    company_words,
    competitions,
    connectors,
    demonyms,
    double_given_names,
    function_words,
    given_names,
    headings,
    honorifics,
    institution_words,
    is_common,
    kinds_of_entities,
    labels,
    no_names,
    openers,
    partitives,
    person_cues,
    place_words,
    project_words,
    roles,
    royals,
    sections,
    small_title_words,
    title_cues,
)
from hybrid_agent_memory.extract.moments import is_year
from hybrid_agent_memory.extract.places import known_places
from hybrid_agent_memory.extract.tokens import Token, are_initials

Named = tuple[int, int, EntityType]

_LONGEST_RUN = 12  # words; longer rows of capitals are headings or shouting
_INLINE = (" ", "  ", " & ")
_DERIVED = (
    "ly", "ing", "ness", "tion", "ed", "ment", "ship", "able", "ible", "ful", "ous", "ive", "ance", "ence", "ities",
    "less",
)  # fmt: skip
_HEADS = frozenset(("gateway", "service", "platform", "system", "engine", "api", "portal", "module", "app"))
_PREPOSITIONS = frozenset(("in", "on", "at", "from", "for", "to", "of", "with", "by"))
_NOT_CUT = frozenset(("the", "a", "an", "st"))
_NOT_BEHIND_A_NAME = frozenset(
    (
        "i",
        "the",
        "a",
        "an",
        "and",
        "or",
        "but",
        "he",
        "she",
        "it",
        "we",
        "they",
        "in",
        "on",
        "at",
        "when",
        "if",
        "so",
        "this",
        "that",
        "what",
        "how",
        "why",
        "who",
    )
)


def english_names(flat: str, tokens: list[Token]) -> Iterator[Named]:
    """Spans of names: start, end, type; in text order, not overlapping."""
    text = _Text(flat, tokens)
    position = 0
    while position < len(tokens):
        if not text.begins_run(position):
            position += 1
            continue
        end = text.run_end(position)
        for first, last in text.parts(position, end):
            named = text.name_of_run(first, last)
            if named:
                yield named
        position = end


@cache
def _note() -> re.Pattern[str]:
    return re.compile(r" ?\((?P<note>[^()\n]{1,40})\)")


@cache
def _years() -> re.Pattern[str]:
    return re.compile(r"\d{4} ?[-–] ?\d{2,4}")


class _Text:
    """A text with what the whole of it says about its words."""

    def __init__(self, flat: str, tokens: list[Token]) -> None:
        self.flat = flat
        self.tokens = tokens
        self.question = flat.rstrip().endswith("?")
        self.lower = {token.lower for token in tokens if not token.capital}
        self.inner = {token.lower for token in tokens if token.capital and not token.initial}

    def begins_run(self, position: int) -> bool:
        token = self.tokens[position]
        if not token.capital or _is_code(token.text):
            return False
        if token.lower == "i" and not token.initial:  # a title such as I Come With The Rain
            return self._capital_follows(position)
        return token.lower not in ("i", "i'm", "i've", "i'll", "i'd")

    def _capital_follows(self, position: int) -> bool:
        following = self.tokens[position + 1 : position + 2]
        return bool(following) and following[0].capital and following[0].gap == " "

    def run_end(self, first: int) -> int:
        """Where the run of capitalised words that begins at `first` ends, connectors such as ``of`` included."""
        end = first + 1
        while end < len(self.tokens) and end - first <= _LONGEST_RUN + 1:
            reach = self._next_in_run(first, end)
            if reach == end:
                break
            end = reach
        return end

    def _next_in_run(self, first: int, end: int) -> int:
        token, before = self.tokens[end], self.tokens[end - 1]
        if not (self._are_joined(end) or self._is_subtitle(first, end) or self._is_rank(end)):
            return end
        if _is_code(token.text) and not self._is_model(first, end):
            return end
        if self._is_numbered(first, end):
            return end
        if token.capital or (token.text[0].isdigit() and len(token.text) <= 4 and before.capital):
            return end + 1
        if token.lower in connectors():
            return self._after_connector(first, end)
        if token.text == "the" and end - first == 1 and self._is_epithet(end):
            return end + 2
        if token.lower == "and" and self.tokens[self._last_capital(end)].lower in after_and():
            return self._last_capital(end) + 1
        return self._after_small_words(first, end)

    def _is_model(self, first: int, end: int) -> bool:
        """Whether four digits are part of a name, as in ``Nimbus 3000``; an invoice or a room only has a number."""
        token, before = self.tokens[end], self.tokens[end - 1]
        if (
            (end - first > 1 and self.tokens[first].lower != "the")
            or len(token.text) != 4
            or not token.text.endswith("00")
            or not token.text.isdigit()
        ):
            return False
        return token.gap == " " and not is_common(before.lower) and before.lower not in labels() | no_names()

    def _is_numbered(self, first: int, position: int) -> bool:
        """Whether behind a sentence's first word a label and its number follow, a name of their own: ``Flat 12``."""
        token, following = self.tokens[position], self.tokens[position + 1 : position + 2]
        if position - first > 1 or not self.tokens[first].initial:
            return False  # FCI Group 6
        labelled = bool(following) and following[0].gap == " " and following[0].text[0].isdigit()
        return token.lower in labels() and labelled

    def _are_joined(self, position: int) -> bool:
        before, token = self.tokens[position - 1 : position + 1]
        if token.gap == ". " and len(before.text) == 1 and position > 1 and self.tokens[position - 2].lower in labels():
            return False  # Plan C. Customer D
        return _joined(before, token)

    def _is_epithet(self, article: int) -> bool:
        """Whether one capitalised word follows, as in ``William the Conqueror``."""
        return self._last_capital(article) == article + 1 and not self.tokens[article - 1].lower.endswith("'s")

    def _is_subtitle(self, first: int, end: int) -> bool:
        """Whether a colon inside a question only joins title and subtitle."""
        token = self.tokens[end]
        return self.question and token.gap == ": " and token.capital and not self.tokens[first].initial

    def _is_rank(self, end: int) -> bool:
        """Whether a comma only joins a name and its rank: ``William, Duke of Bavaria``."""
        if self.tokens[end].gap != ", " or self.tokens[end].lower not in royals():
            return False
        return self.tokens[end].capital and end + 1 < len(self.tokens) and self.tokens[end + 1].lower == "of"

    def _after_connector(self, first: int, end: int) -> int:
        """Beyond ``of`` and the next name; but ``Mr. Zhang of Acme Ltd`` are two names."""
        after = end
        if self.tokens[end].lower == "of" and self._is_office(first, end):
            return end
        following = self.tokens[end + 1 : end + 2]
        if following and following[0].lower in articles() and following[0].gap == " " and not following[0].capital:
            after += 1
        last = self._last_capital(after)
        if last == after:
            return end
        company = self.tokens[last].lower in company_words() and self.tokens[end - 1].lower not in institution_words()
        if self.tokens[end].lower == "of" and (company or self.tokens[first].lower in honorifics()):
            return end
        return after + 2

    def _is_office(self, first: int, end: int) -> bool:
        """Whether ``of`` stands behind an office such as CEO; the Queen of Denmark is named by it."""
        alone = end - first == 1 or (end - first == 2 and self.tokens[first].lower in ("the", "a"))
        return alone and self.tokens[end - 1].lower in roles() - royals()

    def _after_small_words(self, first: int, end: int) -> int:
        """Beyond ``to the`` in a title: where ``film`` announces one, or behind a word that is no name (``Back``)."""
        if not (self._is_announced(first) or self._is_plain_word(first, end)):
            return end
        if self.tokens[end].lower in ("in", "by", "with", "from", "as", "or", "is"):
            return end
        after = end
        while after < min(end + 3, len(self.tokens)) and self.tokens[after].lower in small_title_words():
            if self.tokens[after].gap != " " or self.tokens[after].capital:
                return end
            after += 1
        if after == end or not self._capital_follows(after - 1):
            return end
        return after + 1 if after - end > 1 or self.tokens[end].lower != "and" else end

    def _is_announced(self, first: int) -> bool:
        cue = first > 0 and self.tokens[first - 1].lower in title_cues()
        return cue and not self.tokens[first].gap.strip('"“ ')

    def _is_plain_word(self, first: int, end: int) -> bool:
        before = self.tokens[end - 1]
        if any(before.lower in known() for known in (company_words, institution_words, place_words, competitions)):
            return False
        plain = before.lower in common_words() or before.lower.endswith("ing")
        return plain and before.capital and not self.tokens[first].initial

    def _last_capital(self, position: int) -> int:
        """The last of the capitalised words that follow `position` directly; itself if none does."""
        last = position
        while self._capital_follows(last) and last - position < _LONGEST_RUN:
            last += 1
        return last

    def parts(self, first: int, end: int) -> list[tuple[int, int]]:
        """The run, cut behind a possessive of two words or more: ``Anna Benson's Boston``, but ``King's College``."""
        titled = any(token.capital and token.lower in function_words() for token in self.tokens[first + 1 : end])
        if not titled and (cut := self._cut_in_list(first, end)):
            return [(first, cut[0]), *self.parts(cut[1], end)]
        if not titled and self.tokens[first].lower not in _NOT_CUT:
            for position in range(first + 1, end - 1):
                if self.tokens[position].lower.endswith("'s"):
                    return [(first, position + 1), *self.parts(position + 1, end)]
            if self.tokens[first].lower.endswith("'s") and self._are_roles(first + 1, end):
                return [(first, first + 1)]
        return [(first, end)]

    def _cut_in_list(self, first: int, end: int) -> tuple[int, int] | None:
        """Where the first of names in a row that nothing separates ends, and the next begins: a cast, a table."""
        if end - first < 4 or not all(token.capital or token.text.isdigit() for token in self.tokens[first:end]):
            return None
        for position in range(first, end):
            if end - first > 4 and self.tokens[position].lower in headings():
                return position, position + 1
            if position > first + 1 and self._begins_person(position, end):
                return position - self.tokens[position - 1].text.isdigit(), position
        return None

    def _begins_person(self, position: int, end: int) -> bool:
        """Whether a given name stands behind a full name."""
        before = self.tokens[position - 1]
        if self.tokens[position].lower not in given_names() or position + 1 >= end:
            return False
        first_name = before.lower in given_names() or before.lower in connectors() or are_initials(before.text)
        return not first_name and before.lower not in honorifics() | roles()

    def _are_roles(self, first: int, end: int) -> bool:
        return first < end and all(token.lower in no_names() for token in self.tokens[first:end])

    def name_of_run(self, first: int, end: int) -> Named | None:
        run = self.tokens[first:end]
        if not run or len(run) > _LONGEST_RUN or _is_shouting(run):
            return None
        grammar = sum(token.capital and token.lower in function_words() and token.text != "I" for token in run[1:])
        if len(run) > 2 and run[0].initial and run[0].lower in _PREPOSITIONS and run[1].lower in ("the", "a", "an"):
            run = run[1:]  # In The Godfather, who
        if grammar < 2:
            run = self._trimmed(run)
        if not run or not self._is_name(run, grammar):
            return None
        cut = self.tokens[first].lower if run[0].start != self.tokens[first].start else ""
        if len(run) == 1 and cut and cut not in function_words() and run[0].lower in common_words():
            return None  # Hello World, but the Basic plan
        if len(run) == 1 and cut in sections() and not _is_known(run[0].lower):
            return None  # Background Chronic pain
        stop = run[-1].end - len(_ending(run[-1].lower))
        end_of_note = self._end_of_note(stop)
        kind = self._kind(run, stop)
        return run[0].start, end_of_note, "name" if end_of_note > stop and kind == "person" else kind

    def _kind(self, run: list[Token], stop: int) -> EntityType:
        if self._is_project(run, stop):
            return "project"
        kind = kind_by_words(run)
        return "person" if kind == "name" and self._is_introduced(run[0]) else kind

    def _is_project(self, run: list[Token], stop: int) -> bool:
        """Whether ``project`` or ``项目`` is part of the name or stands beside it."""
        if len(run) > 1 and "project" in (run[0].lower, run[-1].lower):
            return True
        before, after = self.flat[max(0, run[0].start - 9) : run[0].start], self.flat[stop : stop + 9]
        return _project_before().search(before) is not None or _project_behind().match(after) is not None

    def _is_introduced(self, first: Token) -> bool:
        """Whether ``her brother`` or ``director`` stands before the name."""
        before = self.flat[max(0, first.start - 20) : first.start - 1].rpartition(" ")[2]
        return self.flat[first.start - 1 : first.start] == " " and before in person_cues()

    def _trimmed(self, run: list[Token]) -> list[Token]:
        """Without the words at its edges that are capitalised for another reason."""
        while len(run) > 1 and self._is_opener(run):
            run = run[1:]
            if run[0].lower == "the" and run[0].capital and len(run) > 1:
                break
        while len(run) > 1 and (
            run[-1].lower in _NOT_BEHIND_A_NAME or not (run[-1].capital or run[-1].text[0].isdigit())
        ):
            run = run[:-1]
        return run if run[0].capital else []

    def _is_opener(self, run: list[Token]) -> bool:
        first, second = run[0], run[1]
        if not first.capital or (first.lower in calendar_words() and self._digit_before(first)):
            return True
        if first.lower == "project" and second.lower in project_words():
            return True
        if _is_address(second) and first.lower not in honorifics() | roles() | royals():
            return True
        if not first.initial or second.gap == " & ":
            return False
        if _is_past(first.lower) and second.lower in given_names():
            return True
        if first.lower in openers() or first.lower in sections() or self._is_part(run):
            return True
        if not first.lower.endswith("ing") or first.lower not in common_words() or _is_headed(run):
            return False
        return second.lower not in common_words() or second.text == "of"

    def _is_part(self, run: list[Token]) -> bool:
        """Whether the run begins as in ``Photos of Green Pallet``, and no title is explained."""
        if run[0].lower not in partitives() or run[1].text != "of":
            return False
        return not self.question and not self._is_defined(run[-1])

    def _digit_before(self, token: Token) -> bool:
        return self.flat[max(0, token.start - 2) : token.start - 1].isdigit()

    def _is_name(self, run: list[Token], grammar: int) -> bool:
        words = [token for token in run if token.capital]
        if all(token.lower in no_names() for token in words):
            if len(words) == 1 and words[0].lower in calendar_words():
                return self._is_in_list_of_persons(words[0])
            return grammar >= 2 and len(words) >= 4
        if len(words) > 1:
            return not (
                run[0].initial and all(token.lower in openers() or token.lower in no_names() for token in words)
            )
        return self._is_single_name(words[0])

    def _is_single_name(self, only: Token) -> bool:
        base = only.lower.removesuffix(_ending(only.lower))
        if base in no_names() or base.removesuffix("s") in demonyms() or len(base) < 2:
            return False
        if not only.initial:
            return not self._is_stray(only, base)
        if self._is_plain_head(only, base):
            return False
        if only.text.isupper():
            return base not in common_words()
        return self._begins_name(only)

    def _is_in_list_of_persons(self, only: Token) -> bool:
        """Whether a month stands beside a person's name in a list, and so is one: ``Bob, Jun and Priya``."""
        before = _listed_before().search(self.flat, max(0, only.start - 40), only.start)
        after = _listed_behind().match(self.flat, only.end)
        beside = {match[1].lower() for match in (before, after) if match}
        return not beside.isdisjoint(_names_in_lists())

    def _is_plain_head(self, only: Token, base: str) -> bool:
        """Whether a sentence begins with a plain noun and tells what for, or which: ``Plumber for Unit 4B``."""
        if base in self.inner or _is_known(base) or self.question:
            return False
        return _particle().search(base) is not None or _of_a_name().match(self.flat, only.end) is not None

    def _is_stray(self, only: Token, base: str) -> bool:
        """Whether a capital inside a sentence begins a heading or a line of a table: ``Running``, ``Directed by``."""
        if only.text.isupper() or self.question:
            return False
        if base in openers() or (base.endswith(("ed", "ing")) and is_common(base)):
            return True
        if base.endswith("ed") and self.flat.startswith(" by ", only.end):
            return True
        return base in common_words() and (base in self.lower or only.gap.strip() != "")

    def _begins_name(self, only: Token) -> bool:
        """Whether a word with the capital of a sentence's beginning is a name all the same."""
        base = only.lower.removesuffix(_ending(only.lower))
        plural = base.endswith("s") and not base.endswith("ss") and base[:-1] in common_words()
        if base in common_words() or only.lower in common_words() or (plural and base == only.lower):
            return base in self.inner and base not in openers()
        if base in self.inner or _is_known(base):
            return True
        return not (base in self.lower or (_looks_derived(base) and not self._is_defined(only)))

    def _is_defined(self, token: Token) -> bool:
        """Whether ``is a`` follows, as after the first word of an article: ``Inception is a film``."""
        return definition().match(self.flat, token.end) is not None

    def _end_of_note(self, stop: int) -> int:
        """Beyond ``(2017 film)`` or ``(bishop)``, which tells the name from its namesakes."""
        match = _note().match(self.flat, stop)
        if not match:
            return stop
        words = match["note"].split()
        if not words:
            return stop
        if words[-1].lower() in kinds_of_entities():
            return match.end()
        told = all(word[0].isupper() for word in words) or _years().fullmatch(match["note"])
        return match.end() if self.question and len(words) <= 3 and told else stop


@cache
def _code() -> re.Pattern[str]:
    return re.compile(r"[A-Z]+[-/][0-9]{3,}|[A-Z]{2,}-?[0-9]{2,}|[A-Z]+[0-9]{3,}|[0-9]{4,}")


@cache
def _names_in_lists() -> frozenset[str]:
    return given_names() - calendar_words() - {"jan"}


@cache
def _listed_before() -> re.Pattern[str]:
    return re.compile(r"\b([A-Z]\w+)(?:, | and |, and )$")


@cache
def _listed_behind() -> re.Pattern[str]:
    return re.compile(r"(?:, | and |, and )([A-Z]\w+)\b")


@cache
def _particle() -> re.Pattern[str]:
    """How nouns end that are made of a verb and where to: ``follow-up``."""
    return re.compile(r"[a-z]-(?:up|in|off|out|on|through|over|down|back)$")


@cache
def _of_a_name() -> re.Pattern[str]:
    """What a name hardly ever has right behind it: for whom it is, or its number."""
    return re.compile(
        r" (?:(?:for|to|through|with|into|about) (?:the |our )?(?!I\b)[A-Z]|(?:[A-Z]{2,}-?[0-9]{2,}|[A-Z]+-[0-9]+)\b)"
    )


def _is_address(token: Token) -> bool:
    """Whether a word begins the name of a person: ``Dr.``, but not ``Notre Dame`` or ``Tokyo MX``."""
    return token.lower in honorifics() and token.lower != "dame" and not (len(token.text) > 1 and token.text.isupper())


def _is_past(word: str) -> bool:
    """Whether a word is the past of a common verb."""
    return word in ("met", "saw", "told", "paid", "rang") or (word.endswith("ed") and is_common(word))


def _is_headed(run: list[Token]) -> bool:
    """Whether two words are a compound by their last: ``Billing Gateway``."""
    return len(run) == 2 and run[1].lower.removesuffix("'s") in _HEADS


def _is_code(word: str) -> bool:
    """Whether a word is the number of a ticket or order, and no part of a name as in ``Apollo 11``."""
    return _code().fullmatch(word) is not None and not is_year(word)


def _joined(before: Token, token: Token) -> bool:
    if token.gap in _INLINE:
        return True
    if token.gap in (". ", "."):
        return are_initials(before.text) or before.lower in honorifics() or before.lower in ("st", "mt", "ft")
    return token.gap == ", " and token.lower in ("inc", "ltd", "llc", "jr", "sr", "corp")


@cache
def _project_before() -> re.Pattern[str]:
    return re.compile(r"(?:\bprojects? |项目 ?)$")


@cache
def _project_behind() -> re.Pattern[str]:
    return re.compile(r" [Pp]roject\b| ?项目")


def _is_shouting(run: list[Token]) -> bool:
    loud = len(run) >= 3 and all(token.text.isupper() for token in run)
    return loud and any(token.lower in common_words() for token in run)


def _is_known(word: str) -> bool:
    return word in given_names() or word in known_places()


def _looks_derived(word: str) -> bool:
    return len(word) > 5 and word.endswith(_DERIVED)


@cache
def definition() -> re.Pattern[str]:
    """What explains the name before it: ``is a``."""
    return re.compile(r" (?:\([^()]{1,80}\) )?(?:is|was|are|were) (?:an?|the|one) ")


def _ending(word: str) -> str:
    """A contraction at the end of a word: the ``'s`` of ``Ann's``."""
    head, mark, tail = word.rpartition("'")
    return mark + tail if mark and head and tail in ("s", "d", "ll", "re", "ve", "m") else ""


def kind_by_words(run: list[Token]) -> EntityType:
    """What a name is by its words alone."""
    first, last = run[0].lower, run[-1].lower.removesuffix("'s")
    if len(run) <= 3 and " ".join([*(token.lower for token in run[:-1]), last]) in known_places():
        return "place"
    if len(run) == 1:
        return "person" if last in given_names() else "name"
    if first in honorifics():
        return "person"
    if any(token.capital and token.lower in function_words() for token in run[1:]):
        return "name"  # The Man In Grey is a title, whatever its last word
    if last in company_words() or last in institution_words():
        return "organisation"
    if any(one.lower in institution_words() and after.lower in ("of", "for") for one, after in pairwise(run)):
        return "organisation"
    if last in place_words() or (first in place_words() and run[1].lower == "of"):
        return "place"
    return "person" if _is_person(run) else "name"


def _is_person(run: list[Token]) -> bool:
    if run[0].lower in roles():
        return run[1].lower != "of"
    if len(run) > 4 or not all(token.text[0].isalpha() for token in run):
        return False
    if run[0].lower in double_given_names():
        return len(run) == 2 and run[1].capital and not is_common(run[1].lower)
    return run[0].lower in given_names()
