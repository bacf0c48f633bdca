"""The extractor that needs no LLM: names always, facts only where the wording leaves no doubt.

A text is cut into sentences and clauses; a clause gives a fact if one of the vocabulary's wordings fits it from end to
end, its subject and object are names or values, and nothing around it takes the statement back.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest

from hybrid_agent_memory.extract import Context, Extraction, Mention, Triple
from hybrid_agent_memory.extract.common_words import common_words
from hybrid_agent_memory.extract.cores import Core, core_of, no_longer, without
from hybrid_agent_memory.extract.dates import DateSpan, find_dates
from hybrid_agent_memory.extract.mentioned import mentioned, typed
from hybrid_agent_memory.extract.mentions import MentionSpan, find_mentions
from hybrid_agent_memory.extract.phrases import Fit, Span
from hybrid_agent_memory.extract.polarity import asserts, denies, report_at, wish_at
from hybrid_agent_memory.extract.predicates import NAMES, Predicate
from hybrid_agent_memory.extract.roles import are_of_one_shape, as_twins, in_role
from hybrid_agent_memory.extract.sentences import (
    LEVELS,
    before_request,
    clauses,
    disjoint,
    joining,
    overlaps,
    quotations,
    sentences,
)
from hybrid_agent_memory.extract.slots import Slots
from hybrid_agent_memory.extract.speakers import speaker_mention, speaks_of_speaker
from hybrid_agent_memory.extract.states import announces_state, has_state, state_in
from hybrid_agent_memory.extract.themes import Themes
from hybrid_agent_memory.extract.titles import side_words
from hybrid_agent_memory.extract.validity import Tense, Validity, tense_of, without_purpose
from hybrid_agent_memory.extract.vocabulary import DEFAULT, Vocabulary
from hybrid_agent_memory.extract.wordings import Wording, Wordings

MOST_TRIPLES = 64
"""Facts taken from one text at most."""

_MOST_CLAUSES = 4000  # looked at in one text; a book is read in chunks
_LONGEST_CLAUSE = 300  # characters; what is longer is cut further, and left alone if it cannot be
_MOST_WORDINGS = 40  # tried on one clause
_MOST_VALUES = 6  # of one enumeration
_LONGEST_NOTED = 60  # characters of a sentence
_MOST_DEPTH = 8  # facts read one behind the other from the tails of one clause


class RuleExtractor:
    """Names by `find_mentions`, facts by the wordings of a vocabulary; deterministic, offline, in linear time.

    Facts are taken from plain statements only: a question, a condition, a denial, a wish, a quotation, hearsay and an
    order give none, nor does a sentence whose subject is not named in it. An entry below a heading, such as
    ``Owner: Ann``, is about what the heading names. The text of a fact is its sentence as written; that of an entry has
    its subject in front: ``Project Atlas — Owner: Ann``. The speaker is mentioned where the text names him, is in the
    first person, or gives a fact about him; not for having written it.

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
        self._wordings = Wordings(vocabulary)

    def extract(self, text: str, context: Context) -> Extraction:
        """The entities and facts of one text; at most `MOST_TRIPLES` facts.

        Its note quotes the first plain sentence that names, say, a budget and an amount and yet gave no fact.
        """
        spans = find_mentions(text, speaker=context.speaker)
        found: list[Triple] = []
        note = ""
        if self._wordings.announces(text) or announces_state(text):
            reading = _Reading(text, spans, context, self._wordings)
            found, note = reading.facts(), reading.note
        triples = typed(found)
        return Extraction(mentioned(spans, _spoken_of(text, spans, context.speaker), triples), tuple(triples), note)


def _spoken_of(text: str, spans: list[MentionSpan], speaker: str | None) -> Mention | None:
    """The speaker, if the text is about him."""
    return speaker_mention(speaker) if speaks_of_speaker(text, speaker, alone=not spans) else None


@dataclass(slots=True)
class _Scope:
    """A sentence being read, and from where on it is no plain statement."""

    start: int
    end: int
    wish: int
    report: int
    subject: Mention | None = None  # of a fact, if the sentence begins with it
    title: Mention | None = None  # the same, if a colon follows
    ended: tuple[str, Mention] | None = None  # predicate and subject of a relation that is no more
    told: list[tuple[Mention, Mention, Predicate]] = field(default_factory=list)  # its facts
    nouns: bool = True  # whether all of them go by a noun
    objects: set[int] = field(default_factory=set)  # where dates begin that are the object of a fact
    dated: set[int] = field(default_factory=set)  # where dates begin that say when a fact holds


@dataclass(slots=True)
class _Clause:
    """A clause being matched: its cores, and what it has already given."""

    start: int
    end: int
    scope: _Scope
    cores: dict[tuple[bool, bool], Core] = field(default_factory=dict)
    pairs: set[tuple[str, str]] = field(default_factory=set)
    done: set[str] = field(default_factory=set)


class _Reading:
    """One text being read."""

    def __init__(self, text: str, spans: list[MentionSpan], context: Context, wordings: Wordings) -> None:
        self._text = text
        self._wordings = wordings
        dates = find_dates(text, context.time)
        self._validity = Validity(text, dates, context.time)
        self._values_at = _places_of_values(spans, dates)
        self._kept = 0
        self._before: _Scope | None = None  # the sentence read last
        self.note = ""
        self._slots = Slots(text, spans, dates, context.speaker)
        self._themes = Themes(text, spans)
        self._whole = disjoint([date.core for date in dates], [(one.start, one.end) for one in spans])
        self._quoted = [span for span in quotations(text) if self._is_speech(span)]
        self._left = _MOST_CLAUSES
        self._found: dict[tuple[str, str, str, bool], Triple] = {}

    def facts(self) -> list[Triple]:
        """The facts of the text, in its order."""
        for start, end in sentences(self._text):
            if len(self._found) >= MOST_TRIPLES or self._left <= 0:
                break
            sentence = self._text[start:end]
            if self._wordings.announces(sentence) or announces_state(sentence):
                self._read_sentence(sentence, start, end)
        return list(self._found.values())[:MOST_TRIPLES]

    def _read_sentence(self, sentence: str, start: int, end: int) -> None:
        if "?" not in sentence and "？" not in sentence:
            self._read_second_names(start, end)
        sentence = before_request(sentence)
        if asserts(sentence):
            scope = _Scope(start, start + len(sentence), start + wish_at(sentence), start + report_at(sentence))
            kept = self._kept
            if not self._read_line(scope):
                self._read(start, scope.end, 0, scope)
            self._before = scope
            if self._kept == kept and not self.note and self._misses(sentence, scope):
                self.note = f"not read as a fact: '{sentence[:_LONGEST_NOTED]}'"

    def _misses(self, sentence: str, scope: _Scope) -> bool:
        """Whether a plain sentence names a slot and something that could be its value."""
        start, end = scope.start, scope.end
        if scope.wish < end or denies(sentence) or overlaps(self._quoted, start, end):
            return False
        return any(
            bisect_left(places, start) < bisect_left(places, end) and words.search(sentence)
            for kind, words in self._wordings.value_words.items()
            if (places := self._values_at.get(kind))
        )

    def _read_second_names(self, start: int, end: int) -> None:
        """Read ``Ann Lee (also known as Annie)`` on its own: it holds whatever else the sentence says or wants."""
        for aside in _second_name().finditer(self._text, start, end):
            name = self._slots.name_before(aside.start())
            if name and name[0] >= start:
                self._match(_Clause(name[0], aside.end("told"), _Scope(start, end, end, end)), 0)

    def _is_speech(self, span: Span) -> bool:
        """Whether a quotation is what someone said, not just a name in quotation marks."""
        inside = self._text[slice(*span)]
        return inside.startswith(">") or len(inside) > 24 or self._wordings.announces(inside)

    def _read_line(self, scope: _Scope) -> bool:
        """Read ``Owner: Ann`` below a heading; its subject is what the text is about."""
        line = _entry().fullmatch(self._text, scope.start, scope.end)
        predicate = self._wordings.nouns.get(_bare_key(line["key"])) if line else None
        if not line or not predicate or scope.wish < scope.end or overlaps(self._quoted, scope.start, scope.end):
            return False
        subject = self._theme(scope.start, predicate)
        value = self._slots.object(*line.span("value"), predicate)
        if not subject or not value or subject.name == value.name or denies(line[0]):
            return False
        colon = self._text[line.end("key") : line.start("value")].replace("*", "")
        entry = line["key"] + colon + line["value"].rstrip(" *")
        ends = _typed_pair(subject, value, predicate)
        clause = _Clause(*line.span("value"), scope)
        scope.told.append((*ends, predicate))
        return self._keep(*ends, predicate, [], clause, "open", text=f"{subject.name} — {entry}")

    def _theme(self, start: int, predicate: Predicate) -> Mention | None:
        """What the sentence before tells attributes of, on the same line; else what the text is about."""
        before = self._before
        gap = self._text[before.end : start] if before else ""
        if before and before.told and before.nouns and not gap.strip() and "\n" not in gap:
            return _theme_of(before, predicate)
        return self._themes.above(start, predicate)

    def _read(self, start: int, end: int, level: int, scope: _Scope, depth: int = 0) -> bool:
        """Match a clause as a whole, else in parts; whether that gave a fact."""
        if end - start <= _LONGEST_CLAUSE and self._match(_Clause(start, end, scope), depth):
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
                told = self._read(part[0], part[1], level, scope, depth) or told
        return told

    def _is_piece(self, before: Span, start: int, level: int) -> bool:
        """Whether a part is joined to what stands before it by an "and", or by a comma to a mere name."""
        joint = self._text[before[1] : start]
        if level == LEVELS:
            return _anew().search(joint) is None
        return "," in joint and self._text[slice(*before)].isascii() and self._slots.is_name(*before)

    def _match(self, clause: _Clause, depth: int) -> bool:
        """Keep what a clause states; False if it states nothing as a whole."""
        start, end, scope = clause.start, clause.end, clause.scope
        self._left -= 1
        if self._left < 0 or end > scope.wish or depth > _MOST_DEPTH or overlaps(self._quoted, start, end):
            return False
        told = self._report_end(clause)
        tail = end
        for wording in self._wordings.within(self._text[told:end])[:_MOST_WORDINGS]:
            reported = scope.report < end and "amount" not in wording.predicate.objects
            if reported or wording.predicate.name in clause.done:
                continue
            rest = self._try(wording, self._core(told, clause, wording), clause)
            if rest is not None:
                clause.done.add(wording.predicate.name)
                tail = min(tail, rest)
        if not clause.pairs:
            self._read_state(told, clause)
        if clause.pairs and tail < end:
            self._read(tail, end, 0, scope, depth + 1)
        return bool(clause.pairs)

    def _read_state(self, start: int, clause: _Clause) -> None:
        """Keep the state of what has an identifier or is a project: ``Order SO-88213 is on hold``."""
        status = self._wordings.nouns.get("status")
        if status is None or clause.scope.report < clause.end or not announces_state(self._text[start : clause.end]):
            return
        core = core_of(self._text, start, clause.end, self._validity.within(start, clause.end), adverbs=True)
        spans = state_in(core.text)
        x, y = (core.place(span) for span in spans) if spans else (None, None)
        if x is None or y is None or core.ended:
            return
        if denies(self._text[start : y[0]]) or denies(self._text[y[1] : clause.end]):
            return
        subject = self._slots.subject(*x, status)
        tense = tense_of(core.text, event=False, ends=False)
        if subject and has_state(subject, self._text[y[1] : clause.end]) and tense != "future":
            value = Mention(self._text[slice(*y)], "other")
            limit = self._validity.clause_end(y[1], clause.end)
            self._keep(subject, value, status, [date for date in core.dates if date.end <= limit], clause, tense)
            clause.pairs.add((subject.name, value.name))

    def _core(self, start: int, clause: _Clause, wording: Wording) -> Core:
        dated = "date" in wording.predicate.objects
        key = dated, wording.adverbs
        if key not in clause.cores:
            dates = [] if dated else self._validity.within(start, clause.end)
            clause.cores[key] = core_of(self._text, start, clause.end, dates, adverbs=wording.adverbs)
        return clause.cores[key]

    def _report_end(self, clause: _Clause) -> int:
        """Where the words passed on begin, if the clause says who said them."""
        if not clause.start <= clause.scope.report < clause.end:
            return clause.start
        cue = _reporting().match(self._text, clause.scope.report, clause.end)
        return cue.end() if cue else clause.start

    def _try(self, wording: Wording, core: Core, clause: _Clause) -> int | None:
        """Match one wording; where the text behind its fact begins, None without a fact."""
        for fit in wording.fits(core.text, core.low):
            if self._fact(wording, fit, core, clause):
                tail = core.reach(fit.tail)
                return tail[0] if tail else clause.end
        return None

    def _fact(self, wording: Wording, fit: Fit, core: Core, clause: _Clause) -> bool:
        """Keep the fact that a fit states, unless the clause has it already; False if it states none."""
        x, y = core.place(fit.x), core.place(fit.y)
        if y is None or (x is None and fit.x is not None):
            return False
        tail = core.reach(fit.tail)
        pairs = self._pairs(wording, x, y, tail, clause, ended=core.ended)
        if not pairs:
            return False
        known = pairs[0][0].name, pairs[0][1].name
        if known in clause.pairs:
            return True
        ends, event = wording.ends or core.ended, wording.predicate.kind == "event"
        limit = self._validity.clause_end(tail[0], clause.end) if tail else clause.end
        tense = tense_of(self._around(x, y, clause.start, limit), event=event, ends=ends)
        dates = [date for date in core.dates if date.end <= limit]
        dates = dates or self._validity.behind(limit, clause.scope.end)
        dates = without_purpose(self._text, y[0], dates) if event else dates
        kept = [self._keep(*pair, wording.predicate, dates, clause, tense, ends=ends) for pair in pairs]
        if not any(kept):
            return False
        clause.pairs.add(known)
        self._remember(*pairs[0], x, y, wording, clause.scope, ends=ends)
        return True

    def _pairs(
        self, wording: Wording, x: Span | None, y: Span, tail: Span | None, clause: _Clause, *, ended: bool
    ) -> list[tuple[Mention, Mention]]:
        """The subjects and objects of a fit, each with each; none if they are unfit or something takes them back."""
        predicate = wording.predicate
        lists = x is not None and y < x
        if lists and tail and self._slots.joins_name(*tail):
            return []  # one of several names, which as a list were none
        if wording.ends and not lists and tail and _goes_astray().match(self._text, *tail):
            return []
        if ended and (wording.ends or predicate.kind == "event" or predicate.name == "alias"):
            return []
        values = self._values(y, None if lists else tail, wording)
        if not values or self._denied(wording, values[0], y, clause, ended=ended):
            return []
        subjects = self._subjects(x, wording, clause)
        if not subjects or set(subjects) & set(values):
            return []
        if wording.alike and not are_of_one_shape(subjects[0], values[0]):
            return []
        return [_typed_pair(subject, value, predicate) for subject in subjects for value in values]

    def _around(self, x: Span | None, y: Span, start: int, end: int) -> str:
        """What a clause says besides its subject and object."""
        (first, last), (begin, stop) = sorted((x or (start, start), y))
        return f"{self._text[start:first]} {self._text[last:begin]} {self._text[stop : max(stop, end)]}"

    def _remember(
        self, subject: Mention, value: Mention, x: Span | None, y: Span, wording: Wording, scope: _Scope, *, ends: bool
    ) -> None:
        """Note what a fact means for the clauses behind it."""
        if x and x[0] - scope.start < 4:
            scope.subject = subject
            scope.title = subject if self._text[x[1] : x[1] + 1] in (":", "：") else None
        if ends:
            scope.ended = wording.predicate.name, subject
        if "date" in wording.predicate.objects:
            scope.objects.update(
                date.start for date in self._validity.within(scope.start, y[1]) if date.core[0] >= y[0]
            )
        scope.nouns = scope.nouns and wording.noun
        scope.told.append((subject, value, wording.predicate))

    def _subjects(self, x: Span | None, wording: Wording, clause: _Clause) -> list[Mention]:
        """The subject, or all of them where a statement about several names ends with them: ``Ann owns A and B``.

        Names that a statement begins with may well be the parts of a title, unless they are persons.
        """
        subject = self._subject(x, wording, clause)
        if subject is not None:
            return [subject]
        if x is None or wording.noun or wording.predicate.kind == "event":
            return []
        several = self._listed(x, lambda start, end: self._slots.subject(start, end, wording.predicate))
        leads = x[0] <= clause.start + 1
        return several if not leads or all(one.type == "person" for one in several) else []

    def _subject(self, x: Span | None, wording: Wording, clause: _Clause) -> Mention | None:
        """The subject that a clause names, or what its sentence is about if it names none."""
        predicate, scope = wording.predicate, clause.scope
        its = x is not None and self._text[slice(*x)].lower() == "its"
        if its and scope.told:
            return _thing_of(scope.told[-1][:2], predicate)
        if x is not None and not its and self._text[slice(*x)] != "其":
            leads = x[0] <= clause.start + 1
            return self._slots.subject(*x, predicate, known=wording.known_subject, leads=leads)
        verb = not wording.noun and x is None
        if verb and scope.subject and scope.subject.type in predicate.subjects and clause.start > scope.start:
            return scope.subject
        if verb and scope.ended and scope.ended[0] == predicate.name:
            return scope.ended[1]
        if x is None and scope.title and _has(scope.title, predicate):
            return scope.title
        topic = self._slots.topic(scope.start, clause.start, predicate, verb=verb)
        if topic is None and clause.start <= scope.report < clause.end:
            return self._party(clause.start, scope.report, predicate)
        return topic or (None if verb else _theme_of(scope, predicate))

    def _party(self, start: int, end: int, predicate: Predicate) -> Mention | None:
        """Who says something of their own: ``the client``, 星河计划那边; any other may speak of somebody else."""
        side = side_words().search(self._text[start:end])
        end = start + side.start() if side else end
        speaks = side or _client().match(self._text, start)
        return self._slots.subject(start, end, predicate, leads=True) if speaks else None

    def _denied(self, wording: Wording, value: Mention, y: Span, clause: _Clause, *, ended: bool) -> bool:
        """Whether the clause takes its fact back, other than by its wording; a complaint may well be about a lack.

        That it has `ended` is no denial of what was.
        """
        cuts = [gone.span() for gone in no_longer().finditer(self._text, clause.start, clause.end)] if ended else []
        around = (without(self._text, *part, cuts)[0] for part in ((clause.start, y[0]), (y[1], clause.end)))
        before, behind = wording.left_out(*around)
        if wording.predicate.name == "complained_about" and value.type == "other":
            return denies(before) or denies(behind)
        return denies(before + self._text[slice(*y)] + behind)

    def _values(self, y: Span, tail: Span | None, wording: Wording) -> list[Mention]:
        """The object, or all of them where several are told: ``by Ann, Bob and Carl``; none if only one can be."""
        predicate = wording.predicate
        first = self._slots.object(*y, predicate, known=wording.known_object, free=wording.free)
        if wording.free:
            return [first] if first else []
        joined = first is not None and first.type == "other" and predicate.kind == "relation" and " and " in first.name
        if first is None or joined:
            return self._several(y, predicate)
        values, joints = [first], ""
        at, end = tail or (0, 0)
        while (joint := joining().match(self._text, at, end)) and (one := self._slots.goes_on(joint.end(), end)):
            value = self._slots.object(one.start, one.end, predicate, known=wording.known_object)
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
        return self._listed(y, lambda start, end: self._slots.object(start, end, predicate))

    def _listed(self, span: Span, read: Callable[[int, int], Mention | None]) -> list[Mention]:
        """The names that a span joins, each as it is read; none if one of them is no name."""
        parts: list[Span] = []
        start = span[0]
        for mark in _between().finditer(self._text, *span):
            parts.append((start, mark.start()))
            start = mark.end()
        if not parts:
            return []
        parts.append((start, span[1]))
        found = [read(*part) for part in parts[: _MOST_VALUES + 1]]
        names = [one for one in found if one is not None and _stands_alone(one)]
        if not 1 < len(parts) == len(names) <= _MOST_VALUES or " of " in names[-2].name:  # Party of Progress and Peace
            return []
        return names

    def _keep(
        self,
        subject: Mention,
        value: Mention,
        predicate: Predicate,
        dates: list[DateSpan],
        clause: _Clause,
        tense: Tense,
        *,
        ends: bool = False,
        text: str = "",
    ) -> bool:
        governing = self._governing(predicate, dates, clause)
        if governing is None:
            return False
        period = self._validity.period(governing, predicate, tense, ends=ends)
        if period is None:
            return False
        since, until = period
        text = text or self._text[clause.scope.start : clause.scope.end]
        single = predicate.single_valued
        triple = Triple(subject, predicate.name, value, text, predicate.kind, since, until, single, ends)
        self._kept += 1
        self._found.setdefault((subject.name, predicate.name, value.name, ends), triple)
        clause.scope.dated.update(date.start for date in governing)
        return True

    def _governing(self, predicate: Predicate, own: list[DateSpan], clause: _Clause) -> list[DateSpan] | None:
        """The dates that say when a fact holds: its own, else those before it that do not say so of something else.

        None where one of these is still to come, as the fact may be, too.
        """
        if own or "date" in predicate.objects:
            return own
        scope = clause.scope
        before = [one for one in self._validity.within(scope.start, clause.start) if one.start not in scope.objects]
        if predicate.kind == "event":
            return before
        alone = self._validity.alone(scope.start, scope.end)
        heads = [one for one in before if one in alone or (one.start in scope.dated and one.start - scope.start < 4)]
        strays = (one for one in before if one not in heads and one.start not in scope.dated)
        return None if any(self._validity.is_ahead(one) for one in strays) else heads


def _places_of_values(spans: Iterable[MentionSpan], dates: Iterable[DateSpan]) -> dict[str, list[int]]:
    """Where amounts, dates and persons stand, in order."""
    places: dict[str, list[int]] = {"date": [date.start for date in dates]}
    for span in spans:
        if span.type in ("amount", "person"):
            places.setdefault(span.type, []).append(span.start)
    return places


def _theme_of(scope: _Scope, predicate: Predicate) -> Mention | None:
    """The only thing that a sentence tells attributes of, if it may have this one too, and is surely no person."""
    themes = {subject for subject, _, _ in scope.told} if scope.nouns else set()
    only = next(iter(themes)) if len(themes) == 1 else None
    if only is None or only.type not in predicate.subjects:
        return None
    vague = only.type == "name" and all("person" in known.subjects[:1] for _, _, known in scope.told)
    return None if vague else only


def _has(title: Mention, predicate: Predicate) -> bool:
    """Whether what a line is about may have this, rather than somebody named in it, whose phone number it may tell."""
    return title.type in predicate.subjects and (title.type == "person" or "person" not in predicate.subjects[:1])


def _thing_of(ends: tuple[Mention, Mention], predicate: Predicate) -> Mention | None:
    """What "its" means behind a fact: the only end of it that is a thing with a name."""
    things = [end for end in ends if end.type in NAMES and end.type != "person"]
    return things[0] if len(things) == 1 and things[0].type in predicate.subjects else None


def _stands_alone(one: Mention) -> bool:
    """Whether a part between joints is sure to be a name of its own, not of a title such as Stop and Go."""
    return (one.type != "other" or " " not in one.name) and one.name.lower() not in common_words()


def _typed_pair(subject: Mention, value: Mention, predicate: Predicate) -> tuple[Mention, Mention]:
    """Subject and object with the types that their places tell."""
    if predicate.name == "alias":
        return as_twins(subject, value)
    return in_role(subject, predicate.subjects), in_role(value, predicate.objects)


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
def _reporting() -> re.Pattern[str]:
    """A verb of saying, up to the words that it passes on."""
    return re.compile(
        r"[a-z]+(?:\s+(?:that|me|us))*\s*[:,]?\s*|[\u4e00-\u9fff]{1,2}?(?=[\u4e00-\u9fff])(?:过|了)?[，：:,]?\s*",
        re.IGNORECASE,
    )


@cache
def _client() -> re.Pattern[str]:
    return re.compile("客户|(?:the )?(?:customer|client) ", re.IGNORECASE)


@cache
def _goes_astray() -> re.Pattern[str]:
    """What shows that a verb of leaving means something else: one leaves somebody a note."""
    return re.compile(r"\s*(?:an?|with|each|per|instead|please|but|where)\b", re.IGNORECASE)


@cache
def _second_name() -> re.Pattern[str]:
    """Another name in brackets or between commas, behind the name of somebody or something."""
    english = (
        r"(?:also\s+known\s+as|better\s+known\s+as|(?:now|formerly)\s+known\s+as|a\.?k\.?a\.?|(?:now\s+)?goes\s+by)"
    )
    chinese = "(?:又名|又称|也叫|别名|现名|原名|曾用名|人称)"
    return re.compile(
        rf"(?P<told>\s*[(（]\s*(?:{english}\s|{chinese})[^()（）\n]{{1,60}}[)）]"
        rf"|,\s+{english}\s[^,;:()\n]{{1,60}}(?=,)|，{chinese}[^，；：（）\n]{{1,20}}(?=，))",
        re.IGNORECASE,
    )


@cache
def _between() -> re.Pattern[str]:
    return re.compile(r",?\s+and\s+|,\s*|\s*&\s*|、|和|与|以及")


@cache
def _anew() -> re.Pattern[str]:
    """Conjunctions that begin a clause of their own."""
    return re.compile(r"but|while|whereas|then|并且|而且|但是|同时|并", re.IGNORECASE)
