"""Made-up facts of any number, the same every time: text with the word statistics of prose, and clustered vectors.

Words follow the Zipf–Mandelbrot law, p(rank) ~ 1 / (rank + 2.7), over 200,000 words; a fact has 10 to 60 of them, 28.7
on average. A question is four to ten words of one fact, common words included, and a vector near that fact's vector.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
VOCABULARY = 200_000
RANK_SHIFT = 2.7
SHORTEST, LONGEST = 10, 60
FACTS_PER_CLUSTER = 200
SPREAD_IN_CLUSTER = 0.7
SPREAD_OF_QUESTION = 0.5
SEED = 20241105

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Facts:
    """`texts[i]` and the unit vector `vectors[i]` belong together; the id is the position, see `fact_id`."""

    texts: list[str]
    vectors: Floats


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    vector: Floats


class LookUpEmbedder:
    """Looks vectors up, so that no engine is timed for somebody's model; a text nobody taught it gets a made-up one."""

    name = "look-up"

    def __init__(self) -> None:
        self._vectors: dict[str, list[float]] = {}

    def learn(self, text: str, vector: Floats) -> None:
        self._vectors[text] = vector.tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        if text not in self._vectors:
            rng = np.random.default_rng(list(text.encode()))
            self.learn(text, _unit(rng.standard_normal((1, DIMENSION), dtype=np.float32))[0])
        return self._vectors[text]


def fact_id(position: int) -> str:
    return f"f{position:07d}"


def make_facts(count: int) -> Facts:
    rng = np.random.default_rng([SEED, count])
    return Facts(_texts(rng, count), _clustered(rng, count))


def make_questions(facts: Facts, count: int) -> list[Question]:
    """Questions with different texts, each about one fact."""
    rng = np.random.default_rng([SEED, len(facts.texts), 1])
    asked: dict[str, Question] = {}
    while len(asked) < count:
        position = int(rng.integers(len(facts.texts)))
        words = facts.texts[position].split()
        chosen = rng.choice(len(words), size=min(len(words), int(rng.integers(4, 11))), replace=False)
        text = " ".join(words[i] for i in chosen)
        asked[text] = Question(text, _near(rng, facts.vectors[[position]], SPREAD_OF_QUESTION)[0])
    return list(asked.values())


def make_news(facts: Facts, count: int) -> list[Question]:
    """Texts to add and then look for; each opens with a word that no other fact has (none of `_words` has an x)."""
    rng = np.random.default_rng([SEED, len(facts.texts), 2])
    texts, vectors = _texts(rng, count), _clustered(rng, count)
    return [Question(f"x{word} {text}", vector) for word, text, vector in zip(_words(), texts, vectors, strict=False)]


def look_up_embedder(questions: Sequence[Question]) -> LookUpEmbedder:
    embedder = LookUpEmbedder()
    for question in questions:
        embedder.learn(question.text, question.vector)
    return embedder


def exact_neighbours(facts: Facts, question: Question, k: int) -> set[str]:
    """The ids of the k nearest facts by exact single-precision inner product."""
    similarity = facts.vectors @ question.vector
    return {fact_id(int(position)) for position in np.argpartition(-similarity, k)[:k]}


def _texts(rng: np.random.Generator, count: int) -> list[str]:
    words = _words()
    cumulative = np.cumsum(1.0 / (np.arange(VOCABULARY) + 1 + RANK_SHIFT))
    lengths = np.clip(rng.lognormal(np.log(26.5), 0.4, count), SHORTEST, LONGEST).astype(int)
    texts = []
    for length in lengths.tolist():
        ranks = np.searchsorted(cumulative, rng.random(length) * cumulative[-1])
        texts.append(" ".join([words[rank] for rank in ranks.tolist()]))
    return texts


def _words() -> list[str]:
    """Pronounceable words, the commonest shortest: neither stop words of any engine nor changed by a stemmer."""
    syllables = [consonant + vowel for consonant, vowel in product("bdfgklmnprtz", "aou")]
    words: list[str] = []
    for syllable_count in (2, 3, 4):
        words.extend("".join(parts) for parts in product(syllables, repeat=syllable_count))
        if len(words) >= VOCABULARY:
            break
    return words[:VOCABULARY]


def _clustered(rng: np.random.Generator, count: int) -> Floats:
    centres = _unit(rng.standard_normal((max(1, count // FACTS_PER_CLUSTER), DIMENSION), dtype=np.float32))
    return _near(rng, centres[rng.integers(len(centres), size=count)], SPREAD_IN_CLUSTER)


def _near(rng: np.random.Generator, centres: Floats, spread: float) -> Floats:
    noise = rng.standard_normal(centres.shape, dtype=np.float32) * np.float32(spread / np.sqrt(DIMENSION))
    return _unit(centres + noise)


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)
