"""All wordings of a vocabulary, found by the words that announce them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from hybrid_agent_memory.extract import EntityType, patterns_en, patterns_zh
from hybrid_agent_memory.extract.cores import has_adverb
from hybrid_agent_memory.extract.phrases import Fit, parse
from hybrid_agent_memory.extract.predicates import Predicate
from hybrid_agent_memory.extract.scanning import has_han, latin_runs, latin_words
from hybrid_agent_memory.extract.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Wording:
    """One phrase of one predicate.

    Attributes
    ----------
    predicate : Predicate
    phrase : str
    noun : bool
        Whether it has no slots of its own.
    known_subject, known_object : bool
        Whether a name of unknown type will not do there.
    alike : bool
        Whether its object has to be written like its subject.
    adverbs : bool
        Whether an adverb is part of it.
    free : bool
        Whether a whole clause may be its object.
    ends : bool
        Whether it says that the relation is no more.
    """

    predicate: Predicate
    phrase: str
    noun: bool
    known_subject: bool
    known_object: bool
    alike: bool
    adverbs: bool
    free: bool
    ends: bool

    def fits(self, clause: str, low: str) -> Iterator[Fit]:
        """Where it fits a clause; both texts have a space before and behind."""
        if not self.noun:
            in_clause = patterns_zh.clause_fits if has_han(self.phrase) else patterns_en.clause_fits
            return in_clause(clause, low, self.phrase, self.predicate)
        noun, english = self.phrase.lower(), not has_han(self.phrase)
        chinese = not english or (not clause.isascii() and has_han(clause))
        in_chinese = patterns_zh.noun_fits(clause, low, noun, self.predicate) if chinese else ()
        in_english = patterns_en.noun_fits(clause, low, noun, self.predicate) if english else ()
        return chain(in_chinese, in_english)

    def left_out(self, before: str, behind: str) -> tuple[str, str]:
        """What stands before and behind an object, without the words of the phrase itself."""
        phrase = parse(self.phrase)
        if phrase is None:
            return before, behind
        for words in {phrase.between, *patterns_en.forms(phrase.between)}:
            if phrase.first == "Y":
                behind = behind.removeprefix(words)
            else:
                before = before.removesuffix(words.rstrip()).removesuffix(words)
        return before, behind.removeprefix(phrase.behind) if phrase.first == "X" else behind


class Wordings:
    """The wordings of a vocabulary.

    Attributes
    ----------
    nouns : dict
        Predicates by noun, in lower case.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.nouns: dict[str, Predicate] = {}
        self._english: dict[str, list[Wording]] = {}
        self._chinese: dict[str, list[Wording]] = {}
        for predicate in vocabulary:
            for phrase in predicate.phrases:
                self._add(_wording(predicate, phrase, ends=False))
            for phrase in predicate.endings:
                self._add(_wording(predicate, phrase, ends=True))
        longest_first = sorted(self._chinese, key=len, reverse=True)
        self._han = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def _add(self, wording: Wording) -> None:
        if wording.noun:
            self.nouns.setdefault(wording.phrase.lower(), wording.predicate)
        english = not has_han(wording.phrase)
        word = (patterns_en if english else patterns_zh).anchor(wording.phrase)
        if word:
            (self._english if english else self._chinese).setdefault(word, []).append(wording)

    @cached_property
    def value_words(self) -> Mapping[EntityType, re.Pattern[str]]:
        """The nouns, such as "budget", that stand for one value of a type: amounts, dates, and who is in charge."""
        nouns: dict[EntityType, list[str]] = {}
        for noun, predicate in self.nouns.items():
            kind: EntityType | None = next(iter(predicate.objects), None)
            told = kind in ("amount", "date") or (predicate.name in ("owner", "contact") and noun not in _VAGUE)
            if kind and told and predicate.single_valued:
                nouns.setdefault(kind, []).append(noun)
        return {kind: _any_of(found) for kind, found in nouns.items()}

    def announces(self, text: str) -> bool:
        """Whether any wording could be in a text; cheap, and often no."""
        if not text.isascii() and self._han.search(text):
            return True
        return not self._english.keys().isdisjoint(latin_words(text))

    def within(self, clause: str) -> list[Wording]:
        """Those whose announcing word is in a clause; the longest phrase first, as it tells most."""
        words = dict.fromkeys(latin_runs().findall(clause.lower()))
        found = [wording for word in words if word in self._english for wording in self._english[word]]
        if not clause.isascii():
            for word in self._chinese_words(clause):
                found += self._chinese[word]
        return sorted(found, key=_length, reverse=True) if len(found) > 1 else found

    def _chinese_words(self, clause: str) -> dict[str, None]:
        """All announcing words in a clause, also those inside longer ones."""
        words: dict[str, None] = {}
        for long in self._han.findall(clause):
            words[long] = None
            for start in range(len(long)):
                for end in range(start + 1, len(long) + 1):
                    if long[start:end] in self._chinese:
                        words[long[start:end]] = None
        return words


_VAGUE = frozenset(("lead", "leader", "head", "contact", "主管", "对接同事"))


def _any_of(nouns: list[str]) -> re.Pattern[str]:
    words = [re.escape(noun) if has_han(noun) else rf"\b{re.escape(noun)}\b" for noun in nouns]
    return re.compile("|".join(words), re.IGNORECASE)


def _wording(predicate: Predicate, phrase: str, *, ends: bool) -> Wording:
    noun = parse(phrase) is None
    return Wording(
        predicate,
        phrase,
        noun,
        known_subject="X!" in phrase,
        known_object="Y!" in phrase,
        alike="Y=" in phrase,
        adverbs=not noun and has_adverb(phrase),
        free="Y~" in phrase,
        ends=ends,
    )


def _length(wording: Wording) -> int:
    return len(wording.phrase)
