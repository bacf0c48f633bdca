"""Our memory as an engine to be timed: the public calls, and for the profile the stages inside a search."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from benchmarks._corpus import Facts, LookUpEmbedder, Question, fact_id
from hybrid_agent_memory import HybridMemory

Durability = Literal["full", "normal"]


class OurMemory:
    """A memory in a file, used as anybody would; facts come with their vectors, as they do for the peers."""

    name = "ours"

    def __init__(self, path: Path, embedder: LookUpEmbedder, durability: Durability = "full") -> None:
        self.memory = HybridMemory.open(path, embedder=embedder, durability=durability)

    def fill(self, facts: Facts) -> None:
        self.memory.add(_items(facts))

    def search(self, text: str, k: int) -> list[str]:
        return [hit.id for hit in self.memory.search(text, top_k=k)]

    def nearest(self, text: str, k: int) -> list[str]:
        return [hit.id for hit in self.memory.search(text, top_k=k, legs=("dense",))]

    def add(self, identifier: str, news: Question) -> None:
        self.memory.add({"id": identifier, "text": news.text, "vector": news.vector.tolist()})

    def close(self) -> None:
        self.memory.close()


def _items(facts: Facts) -> Iterator[dict[str, object]]:
    for position, (text, vector) in enumerate(zip(facts.texts, facts.vectors, strict=True)):
        yield {"id": fact_id(position), "text": text, "vector": vector.tolist()}
