"""All wordings of a vocabulary, found by the words that announce them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hybrid_agent_memory.extract import patterns_en, patterns_zh
from hybrid_agent_memory.extract.cores import has_adverb
from hybrid_agent_memory.extract.phrases import Fit, parse
from hybrid_agent_memory.extract.vocabulary import Predicate, Vocabulary


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
    """

    predicate: Predicate
    phrase: str
    noun: bool
    known_subject: bool
    known_object: bool
    alike: bool
    adverbs: bool

    def fits(self, clause: str, low: str) -> Iterator[Fit]:
        """Where it fits a clause; both texts have a space before and behind."""
        if not self.noun:
            in_clause = patterns_zh.clause_fits if has_han(self.phrase) else patterns_en.clause_fits
            return in_clause(clause, low, self.phrase, self.predicate)
        chinese = has_han(self.phrase) or (not clause.isascii() and has_han(clause))
        with_noun = patterns_zh.noun_fits if chinese else patterns_en.noun_fits
        return with_noun(clause, low, self.phrase.lower(), self.predicate)

    def left_out(self, before: str, behind: str) -> tuple[str, str]:
        """What stands before and behind an object, without the words of the phrase itself."""
        phrase = parse(self.phrase)
        if phrase is None:
            return before, behind
        if phrase.first == "Y":
            return before, behind.removeprefix(phrase.between)
        left = before.removesuffix(phrase.between.rstrip()).removesuffix(phrase.between)
        return left, behind.removeprefix(phrase.behind)


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
                self._add(_wording(predicate, phrase))
        longest_first = sorted(self._chinese, key=len, reverse=True)
        self._han = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def _add(self, wording: Wording) -> None:
        if wording.noun:
            self.nouns.setdefault(wording.phrase.lower(), wording.predicate)
        english = not has_han(wording.phrase)
        word = (patterns_en if english else patterns_zh).anchor(wording.phrase)
        if word:
            (self._english if english else self._chinese).setdefault(word, []).append(wording)

    def announces(self, text: str) -> bool:
        """Whether any wording could be in a text; cheap, and often no."""
        if not text.isascii() and self._han.search(text):
            return True
        return not self._english.keys().isdisjoint(_latin().findall(text.lower()))

    def within(self, clause: str) -> list[Wording]:
        """Those whose announcing word is in a clause; the longest phrase first, as it tells most."""
        words = dict.fromkeys(_latin().findall(clause.lower()))
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


def _wording(predicate: Predicate, phrase: str) -> Wording:
    noun = parse(phrase) is None
    return Wording(
        predicate, phrase, noun, "X!" in phrase, "Y!" in phrase, "Y=" in phrase, not noun and has_adverb(phrase)
    )


def _length(wording: Wording) -> int:
    return len(wording.phrase)


@cache
def _latin() -> re.Pattern[str]:
    return re.compile("[a-z]+")


def has_han(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return _one_han().search(text) is not None


@cache
def _one_han() -> re.Pattern[str]:
    return re.compile(r"[\u4e00-\u9fff]")
