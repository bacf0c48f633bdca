"""Which predicates a query asks for, by the words in which a vocabulary tells facts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hybrid_agent_memory.extract.phrases import without_slots
from hybrid_agent_memory.extract.predicates import Predicate
from hybrid_agent_memory.extract.scanning import has_han
from hybrid_agent_memory.extract.vocabulary import Vocabulary
from hybrid_agent_memory.text import tokenize

SHORTEST_HAN = 2  # characters; one alone is in too many words
_EVERYDAY_WORDS = """
now look find write take taken took hand sit go goe went come happi issu problem number call name start stand lie base
drop fall fell rise rose reach object known made found 因为 收到 接到 今年 我的 是我 是我的 批了 将于 定在 号码
"""
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())
"""Words that stand for a predicate in a statement ("Ann takes over Atlas"), and for anything in a question."""
Stems = tuple[str, ...]


def asked_predicates(query: str, vocabulary: Vocabulary) -> frozenset[str]:
    """The predicates of which a query has a wording.

    Of an English one that is all of its words but stop words, in a row and with any endings; of a Chinese one its
    longest piece. What is left of a wording may be an everyday word that asks for nothing: see `_EVERYDAY`.

    Parameters
    ----------
    query : str
        Any text; an empty one asks for nothing.
    vocabulary : Vocabulary
        Where one wording is of several predicates, all of them are asked for.

    Examples
    --------
    >>> from hybrid_agent_memory.extract.vocabulary import DEFAULT
    >>> sorted(asked_predicates("What did the owner of the smart shelf complain about?", DEFAULT))
    ['complained_about', 'owner']
    >>> sorted(asked_predicates("智能货架项目的负责人投诉过什么？", DEFAULT))
    ['complained_about', 'owner']
    """
    words = _words(vocabulary)
    stems = tokenize(query)
    found = {
        predicate
        for at, stem in enumerate(stems)
        for wording, predicate in words.english.get(stem, ())
        if tuple(stems[at : at + len(wording)]) == wording
    }
    return frozenset(found.union(*(names for piece, names in words.chinese.items() if piece in query)))


@dataclass(frozen=True, slots=True)
class _Words:
    """English wordings and their predicates by first stem, and the predicates of Chinese pieces of wordings."""

    english: dict[str, set[tuple[Stems, str]]]
    chinese: dict[str, set[str]]


@lru_cache(maxsize=8)
def _words(vocabulary: Vocabulary) -> _Words:
    words = _Words({}, {})
    for predicate in vocabulary:
        for wording in _wordings(predicate):
            if has_han(wording):
                piece = max(re.findall("[\u4e00-\u9fff]+", wording), key=len)
                if len(piece) >= SHORTEST_HAN and piece not in _EVERYDAY:
                    words.chinese.setdefault(piece, set()).add(predicate.name)
            elif (stems := tuple(tokenize(wording))) and not (len(stems) == 1 and stems[0] in _EVERYDAY):
                words.english.setdefault(stems[0], set()).add((stems, predicate.name))
    return words


def _wordings(predicate: Predicate) -> Iterator[str]:
    """Its name and its phrases, without the slots."""
    yield predicate.name.replace("_", " ")
    yield from map(without_slots, predicate.phrases)
