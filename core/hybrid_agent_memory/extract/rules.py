"""The extractor that needs no LLM: names always, facts only where the wording leaves no doubt.

A text is cut into sentences and clauses; a clause gives a fact if one of the vocabulary's wordings matches it from end
to end, its subject and object are names or values, and nothing around it takes the statement back.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import zip_longest

from hybrid_agent_memory.extract import Context, Extraction, Mention, Triple, patterns_en, patterns_zh
from hybrid_agent_memory.extract.dates import DateSpan, find_dates
from hybrid_agent_memory.extract.mentions import MentionSpan, find_mentions
from hybrid_agent_memory.extract.polarity import asserts, denies, report_at, wish_at
from hybrid_agent_memory.extract.sentences import LEVELS, Span, clauses, disjoint, overlaps, quotations, sentences
from hybrid_agent_memory.extract.slots import Slots, speaker_mention
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Predicate, Vocabulary

MOST_TRIPLES = 64
"""Facts taken from one text at most."""

_LONGEST_CLAUSE = 300  # characters; what is longer is cut further, and left alone if it cannot be
_MOST_WORDINGS = 40  # tried on one clause
_MOST_VALUES = 6  # of one enumeration
_MOST_DEPTH = 8  # facts read one behind the other from the tails of one clause


@dataclass(frozen=True, slots=True)
class _Wording:
    predicate: Predicate
    phrase: str
    chinese: bool
    noun: bool


class _Index:
    """The wordings of a vocabulary by the word that announces them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.english: dict[str, list[_Wording]] = {}
        self.chinese: dict[str, list[_Wording]] = {}
        self.nouns: dict[str, Predicate] = {}
        for predicate in vocabulary:
            for phrase in predicate.phrases:
                self._add(predicate, phrase)
        longest_first = sorted(self.chinese, key=len, reverse=True)
        self._han_anchors = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def _add(self, predicate: Predicate, phrase: str) -> None:
        chinese = _han().search(phrase) is not None
        module = patterns_zh if chinese else patterns_en
        noun = not module.is_clause(phrase)
        word = module.anchor(phrase)
        if word:
            (self.chinese if chinese else self.english).setdefault(word, []).append(
                _Wording(predicate, phrase, chinese, noun)
            )
        if noun:
            self.nouns.setdefault(phrase.lower(), predicate)

    def wordings(self, clause: str) -> list[_Wording]:
        """Those whose announcing word is in a clause, in the order of its words."""
        words = dict.fromkeys(_latin().findall(clause.lower()))
        found = [wording for word in words if word in self.english for wording in self.english[word]]
        if self._han_anchors and not clause.isascii():
            for word in self._chinese_words(clause):
                found += self.chinese[word]
        return found

    def _chinese_words(self, clause: str) -> Iterable[str]:
        """All announcing words in a clause, also those inside longer ones."""
        longest = dict.fromkeys(self._han_anchors.findall(clause)) if self._han_anchors else {}
        inner = {word: None for long in longest for word in self._inside(long)}
        return longest | inner

    def _inside(self, long: str) -> Iterator[str]:
        for start in range(len(long)):
            for end in range(start + 1, len(long) + 1):
                if long[start:end] in self.chinese:
                    yield long[start:end]

    def announces(self, text: str) -> bool:
        """Whether any wording could be in a text; cheap, and often no."""
        if self._han_anchors and not text.isascii() and self._han_anchors.search(text):
            return True
        return not self.english.keys().isdisjoint(_latin().findall(text.lower()))


class RuleExtractor:
    """Names by `find_mentions`, facts by the wordings of a vocabulary; deterministic, offline, in linear time.

    Facts are taken from plain statements only: a question, a condition, a denial, a wish, a quotation, hearsay and an
    order give none, nor does a sentence whose subject is not named in it.

    Parameters
    ----------
    vocabulary : Vocabulary
        ``DEFAULT.with_predicates([...])`` adds to what is known.

    Examples
    --------
    >>> extraction = RuleExtractor().extract("Atlas's budget is 500k.", Context())
    >>> [(fact.subject.name, fact.predicate, fact.object.name) for fact in extraction.triples]
    [('Atlas', 'budget', '500k')]
    >>> RuleExtractor().extract("Is Atlas's budget 500k?", Context()).triples
    ()
    """

    name = "rules/1"
    previous_turns = 0

    def __init__(self, vocabulary: Vocabulary = DEFAULT) -> None:
        self.vocabulary = vocabulary
        self._index = _Index(vocabulary)

    def extract(self, text: str, context: Context) -> Extraction:
        """The entities and facts of one text; at most `MOST_TRIPLES` facts."""
        spans = find_mentions(text, speaker=context.speaker)
        triples = _Reading(text, spans, context, self._index).facts() if self._index.announces(text) else []
        return Extraction(tuple(_mentions(spans, context.speaker, triples)), tuple(triples))


def _mentions(spans: Iterable[MentionSpan], speaker: str | None, triples: Iterable[Triple]) -> Iterable[Mention]:
    """Each once: those of the text, the speaker, and what facts name beyond them."""
    told = dict.fromkeys(Mention(span.name, span.type) for span in spans)
    names = {mention.name for mention in told}
    spoke = speaker_mention(speaker)
    others = [end for triple in triples for end in (triple.subject, triple.object)]
    for mention in ([spoke] if spoke else []) + others:
        if mention.name not in names:
            names.add(mention.name)
            told[mention] = None
    return told


@dataclass(frozen=True, slots=True)
class _Scope:
    """A sentence being read, and from where on it is no plain statement."""

    start: int
    end: int
    wish: int
    report: int


@dataclass(frozen=True, slots=True)
class _Core:
    """A clause without its dates and fillers: its characters, where each stands in the text, and the dates taken out."""

    text: str
    places: list[int]
    dates: list[DateSpan]

    def span(self, match: re.Match[str], group: str) -> Span | None:
        """Where a group stands in the text; None if it is absent or was not written in one piece."""
        start, end = match.span(group)
        if start < 0 or start == end:
            return None
        first, last = self.places[start], self.places[end - 1]
        return (first, last + 1) if last - first == end - 1 - start else None


class _Reading:
    """One text being read."""

    def __init__(self, text: str, spans: list[MentionSpan], context: Context, index: _Index) -> None:
        self._text = text
        self._index = index
        self._time = context.time
        self._dates = find_dates(text, context.time)
        self._date_starts = [date.start for date in self._dates]
        self._slots = Slots(text, spans, self._dates, context.speaker)
        self._speaker = speaker_mention(context.speaker)
        self._whole = disjoint([date.core for date in self._dates], [(one.start, one.end) for one in spans])
        self._quoted = [span for span in quotations(text) if self._is_speech(span)]
        self._found: dict[tuple[str, str, str], Triple] = {}

    def facts(self) -> list[Triple]:
        """The facts of the text, in its order."""
        for start, end in sentences(self._text):
            if len(self._found) >= MOST_TRIPLES:
                break
            sentence = self._text[start:end]
            if self._index.announces(sentence) and asserts(sentence):
                scope = _Scope(start, end, start + wish_at(sentence), start + report_at(sentence))
                if not self._read_line(scope):
                    self._read(start, end, 0, scope)
        return list(self._found.values())[:MOST_TRIPLES]

    def _is_speech(self, span: Span) -> bool:
        """Whether a quotation is what someone said, not just a name in quotation marks."""
        inside = self._text[slice(*span)]
        return inside.startswith(">") or len(inside) > 24 or self._index.announces(inside)

    def _read_line(self, scope: _Scope) -> bool:
        """Read ``Owner: Ann`` below a heading; its subject is what the text is about."""
        line = _entry().fullmatch(self._text, scope.start, scope.end)
        predicate = self._index.nouns.get(_bare_key(line["key"])) if line else None
        if (
            not line
            or not predicate
            or denies(line[0])
            or scope.wish < scope.end
            or overlaps(self._quoted, scope.start, scope.end)
        ):
            return False
        subject = self._slots.theme(scope.start, predicate)
        value = self._slots.object(*line.span("value"), predicate)
        if subject and value and subject.name != value.name:
            self._keep(subject, predicate, value, scope, [], line.span("value"))
            return True
        return False

    def _read(self, start: int, end: int, level: int, scope: _Scope, depth: int = 0) -> bool:
        """Match a clause as a whole, else in parts; whether that gave a fact."""
        if end - start <= _LONGEST_CLAUSE and self._match(start, end, scope, depth):
            return True
        while level < LEVELS:
            parts = clauses(self._text, start, end, level, self._whole)
            level += 1
            if len(parts) > 1:
                return self._read_parts(parts, level, scope, depth)
        return False

    def _read_parts(self, parts: list[Span], level: int, scope: _Scope, depth: int) -> bool:
        """Read what separators leave, but for pieces of an enumeration: its end is not all of a subject or object."""
        told = False
        before: Span | None = None
        for part, behind in zip_longest(parts, parts[1:]):
            piece = before is not None and not told and self._is_piece(before, part[0], level)
            piece = piece or (level == LEVELS and behind is not None and self._slots.goes_on(*behind) is not None)
            before = part
            if not piece:
                told = self._read(*part, level, scope, depth) or told
        return told

    def _is_piece(self, before: Span, start: int, level: int) -> bool:
        """Whether a part is joined to what stands before it by an "and", or by a comma to a mere name."""
        joint = self._text[before[1] : start]
        if level == LEVELS:
            return _anew().search(joint) is None
        return "," in joint and self._text[slice(*before)].isascii() and self._slots.is_name(*before)

    def _match(self, start: int, end: int, scope: _Scope, depth: int) -> bool:
        """Keep what a clause states; False if it states nothing as a whole."""
        if end > scope.wish or overlaps(self._quoted, start, end) or depth > _MOST_DEPTH:
            return False
        after_report = self._report_end(start, end, scope)
        found = self._index.wordings(self._text[after_report:end])[:_MOST_WORDINGS]
        wordings = sorted(found, key=lambda wording: -len(wording.phrase))
        cores: dict[bool, _Core] = {}
        tail = end
        pairs: set[tuple[str, str]] = set()
        done: set[str] = set()
        for wording in wordings:
            if wording.predicate.name in done:
                continue
            dated = "date" in wording.predicate.objects
            if scope.report < end and "amount" not in wording.predicate.objects:
                continue
            core = cores.setdefault(dated, cores.get(dated) or self._core(after_report, end, keep_dates=dated))
            rest = self._try(wording, core, (start, end), scope, pairs)
            if rest is not None:
                done.add(wording.predicate.name)
                tail = min(tail, rest)
        if pairs and tail < end:
            self._read(tail, end, 0, scope, depth + 1)
        return bool(pairs)

    def _report_end(self, start: int, end: int, scope: _Scope) -> int:
        """Where the words passed on begin, if the clause says who said them."""
        if not start <= scope.report < end:
            return start
        cue = _reporting().match(self._text, scope.report, end)
        return cue.end() if cue else start

    def _try(
        self, wording: _Wording, core: _Core, clause: Span, scope: _Scope, pairs: set[tuple[str, str]]
    ) -> int | None:
        """Match one wording; where the text behind its fact begins, None without a fact."""
        module = patterns_zh if wording.chinese or (wording.noun and _han().search(core.text)) else patterns_en
        for pattern in module.compile_phrase(wording.phrase, wording.predicate):
            match = pattern.fullmatch(core.text)
            if not match:
                continue
            found = self._fact(wording, match, core, clause, scope, pairs)
            if found:
                pairs.add(found)
                tail = core.span(match, "tail") if "tail" in pattern.groupindex else None
                return tail[0] if tail else clause[1]
        return None

    def _fact(
        self, wording: _Wording, match: re.Match[str], core: _Core, clause: Span, scope: _Scope, pairs: set[tuple[str, str]]
    ) -> tuple[str, str] | None:
        """Keep the fact that a match states, if its ends are fit and nothing takes it back."""
        predicate, known = wording.predicate, "Y!" in wording.phrase
        x, y = core.span(match, "x"), core.span(match, "y")
        if y is None or (x is None and match["x"]):
            return None
        values = self._values(y, core, match, predicate, known=known)
        if not values or self._denied(predicate, values[0], y, clause):
            return None
        if x is None or self._text[slice(*x)] in ("其", "其中"):
            subject = self._slots.topic(scope.start, clause[0], predicate, verb=not wording.noun and x is None)
        else:
            subject = self._slots.subject(*x, predicate)
        if subject is None or subject in values or (subject.name, values[0].name) in pairs:
            return None
        future = _future().search(_around(match)) is not None
        kept = [self._keep(subject, predicate, value, scope, core.dates, clause, future=future) for value in values]
        return (subject.name, values[0].name) if any(kept) else None

    def _denied(self, predicate: Predicate, value: Mention, y: Span, clause: Span) -> bool:
        """Whether the clause takes its fact back; what a complaint is about may well be a lack."""
        start, end = clause
        if predicate.kind == "event" and value.type == "other":
            lacks = predicate.name != "complained_about" and denies(value.name)
            return lacks or denies(self._text[start : y[0]]) or denies(self._text[y[1] : end])
        return denies(self._text[start:end])

    def _values(self, y: Span, core: _Core, match: re.Match[str], predicate: Predicate, *, known: bool) -> list[Mention]:
        """The object, or all of them where several are told: ``by Ann, Bob and Carl``; none if only one can be."""
        first = self._slots.object(*y, predicate, known=known)
        tail = core.span(match, "tail") if "tail" in match.re.groupindex else None
        joined = first is not None and first.type == "other" and predicate.kind == "relation" and " and " in first.name
        if first is None or joined:
            return self._several(y, predicate)
        values, joints = [first], ""
        at, end = tail or (0, 0)
        while (joint := _joint().match(self._text, at, end)) and (one := self._slots.goes_on(joint.end(), end)):
            value = self._slots.object(one.start, one.end, predicate, known=known)
            if value is None or predicate.single_valued or len(values) == _MOST_VALUES:
                return []
            values.append(value)
            joints += joint[0]
            at = one.end
        return values if joints.strip(" ,") else [first]  # by commas alone, the second describes the first

    def _several(self, y: Span, predicate: Predicate) -> list[Mention]:
        """Names joined inside a slot, as in 由郭帆和吴京执导; all of them or none."""
        if predicate.single_valued or predicate.shape:
            return []
        parts: list[Span] = []
        start = y[0]
        for mark in _between().finditer(self._text, *y):
            parts.append((start, mark.start()))
            start = mark.end()
        parts.append((start, y[1]))
        found = [self._slots.object(*part, predicate) for part in parts[: _MOST_VALUES + 1]]
        names = [one for one in found if one is not None and (one.type != "other" or " " not in one.name)]
        return names if 1 < len(parts) == len(names) <= _MOST_VALUES else []

    def _keep(
        self,
        subject: Mention,
        predicate: Predicate,
        value: Mention,
        scope: _Scope,
        dates: list[DateSpan],
        clause: Span,
        *,
        future: bool = False,
    ) -> bool:
        since, until = self._validity(predicate, dates, scope, clause)
        if future:
            since = self._ahead(since)
            if since is None:
                return False
        if until and ((since and until <= since) or predicate.kind == "event"):
            until = None
        triple = Triple(
            subject,
            predicate.name,
            value,
            self._text[scope.start : scope.end],
            predicate.kind,
            since,
            until,
            predicate.single_valued,
        )
        self._found.setdefault((subject.name, predicate.name, value.name), triple)
        return True

    def _validity(
        self, predicate: Predicate, dates: list[DateSpan], scope: _Scope, clause: Span
    ) -> tuple[datetime | None, datetime | None]:
        """From when and until when, by the dates of the clause, else by those before it in the sentence."""
        if not dates and "date" not in predicate.objects:
            earlier = self._dates_in(scope.start, clause[0])
            leading = [date for date in earlier if date.start - scope.start < 4]
            dates = earlier if predicate.kind == "event" else leading
        since = next((date.when for date in dates if date.bound != "until"), None)
        until = next(
            (
                date.when
                for date in dates
                if date.bound == "until" and _ending().search(self._text[date.start : date.end])
            ),
            None,
        )
        return since, until

    def _ahead(self, when: datetime | None) -> datetime | None:
        """The coming one of a date without a year, for what is yet to be."""
        if when is None or self._time is None or when >= self._time:
            return when
        try:
            return when.replace(year=when.year + 1) if self._time - when < timedelta(days=366) else None
        except ValueError:
            return None

    def _dates_in(self, start: int, end: int) -> list[DateSpan]:
        first = bisect_left(self._date_starts, start)
        last = bisect_left(self._date_starts, end)
        return [date for date in self._dates[first:last] if date.end <= end]

    def _core(self, start: int, end: int, *, keep_dates: bool) -> _Core:
        """A clause without fillers before it, marks behind it and, unless they are wanted, its adverbial dates."""
        places = list(range(start, end))
        taken: list[DateSpan] = []
        if not keep_dates:
            for date in self._dates_in(start, end):
                cut = self._adverbial(date, start, end)
                if cut:
                    taken.append(date)
                    places = [place for place in places if not cut[0] <= place < cut[1]]
        text = "".join(self._text[place] for place in places)
        filler = _filler().match(text)
        first = filler.end() if filler else 0
        last = len(text.rstrip(_MARKS))
        return _Core(text[first:last], places[first:last], taken)

    def _adverbial(self, date: DateSpan, start: int, end: int) -> Span | None:
        """What to cut for a date that says when; None for one that belongs to a noun (``the Monday meeting``)."""
        before = _preposition().search(self._text[max(start, date.start - 12) : date.start])
        after = self._text[date.end : min(end, date.end + 2)]
        if before and before["article"] and after[:1] == " " and after[1:2].isalpha():
            return None
        if after[:1] in ("'", "’", "的"):
            return None
        last = date.end + len(after) - len(after.lstrip(" ,，"))
        return date.start - (len(before[0]) if before else 0), last


def _around(match: re.Match[str]) -> str:
    """What a clause says besides its subject and object."""
    (first, last), (start, end) = sorted((match.span("x"), match.span("y")))
    whole = match.string
    return f"{whole[: max(first, 0)]} {whole[max(last, 0) : start]} {whole[end:]}"


_MARKS = " \t.,;:!。！，；：~…"


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u4e00-\u9fff]")


@cache
def _latin() -> re.Pattern[str]:
    return re.compile(r"[a-z]+")


@cache
def _entry() -> re.Pattern[str]:
    return re.compile(r"[\s>*•#\-–]*+(?P<key>[^:：\n*]{1,40}?)\s*\**\s*[:：]\s*\**\s*(?P<value>[^\n]{1,120})")


def _bare_key(key: str) -> str:
    return _key_modifiers().sub("", key.strip(" \t*_`").lower()).strip()


@cache
def _key_modifiers() -> re.Pattern[str]:
    return re.compile(
        r"^(?:(?:project|current|new|total|primary|main|product)\s+)+|^(?:项目|当前|目前|最新|总|客户)+(?=.{2})|\s*[(（].*$"
    )


@cache
def _filler() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:(?:so|and|but|also|btw|fyi|hey|hi|hello|ok|okay|yes|yeah|yep|well|oh|wow|quick update|update|heads up|note that|note|nb|reminder|"
        r"good news|bad news|just so you know|for the record|by the way|please note that|please note|remember that|remember|now|currently|in fact|in short|turns out|"
        r"finally|recently|meanwhile|then|to confirm|correction|news|great|thanks|as discussed|as agreed|of course|sadly|luckily|since then|later|earlier)\b[\s,:!–-]*"
        r"|(?:对了|另外|还有|以及|并且|而且|但是|但|然后|所以|因此|顺便说一下|顺便|补充一下|补充|更新一下|更新|最新消息|注意|提醒一下|通知|好的|嗯|哦|那么|目前|现在|如今|最近|其中|同时|结果|后来)[，,:：\s]*)*",
        re.IGNORECASE,
    )


@cache
def _preposition() -> re.Pattern[str]:
    return re.compile(r"(?:\b(?:on|in|at|during|late|early|around|for)\s+)?(?P<article>\bthe\s+)?$", re.IGNORECASE)


@cache
def _reporting() -> re.Pattern[str]:
    return re.compile(
        r"[a-z]+(?:\s+(?:that|me|us))*\s*[:,]?\s*|[\u4e00-\u9fff]{1,2}?(?=[\u4e00-\u9fff])(?:过|了)?[，：:,]?\s*",
        re.IGNORECASE,
    )


@cache
def _future() -> re.Pattern[str]:
    return re.compile(r"\bwill\b|将|即将", re.IGNORECASE)


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(r"\s*(?:,\s*(?:and|or)?|and|or|&|/|as well as|、|和|与)\s*", re.IGNORECASE)


@cache
def _between() -> re.Pattern[str]:
    return re.compile(r",?\s+and\s+|,\s*|\s*&\s*|、|和|与|以及")


@cache
def _anew() -> re.Pattern[str]:
    return re.compile(r"but|while|whereas|then|并且|而且|但是|同时|并", re.IGNORECASE)


@cache
def _ending() -> re.Pattern[str]:
    return re.compile(r"^(?:until|till|through|up\s+to|to\s|到|至|截)|为止|截?止$", re.IGNORECASE)
