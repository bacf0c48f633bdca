"""A labelled collection in BEIR layout: corpus.jsonl, queries.jsonl, qrels/test.tsv."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import cast

RECORD_FIELDS = ("time", "session", "speaker")
ANYONE = "default"


@dataclass(frozen=True, slots=True)
class Query:
    id: str
    text: str
    category: str
    haystack: str
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """What to add per namespace, in file order; what to ask; and per query the records that answer it, graded."""

    name: str
    haystacks: dict[str, list[dict[str, object]]]
    queries: list[Query]
    relevant: dict[str, dict[str, int]]

    @property
    def has_conversations(self) -> bool:
        return len(self.haystacks) > 1

    def queries_by_haystack(self) -> Iterator[tuple[str, list[Query]]]:
        ordered = sorted(self.queries, key=lambda query: query.haystack)
        for haystack, queries in groupby(ordered, key=lambda query: query.haystack):
            yield haystack, list(queries)


def load_collection(folder: Path) -> Collection:
    """Read a folder; where queries name a conversation (`metadata.conv`), each conversation is its own haystack."""
    rows = list(_json_lines(folder / "queries.jsonl"))
    by_conversation = any("conv" in _metadata(row) for row in rows)
    haystacks: dict[str, list[dict[str, object]]] = {}
    for row in _json_lines(folder / "corpus.jsonl"):
        haystacks.setdefault(_haystack(row, by_conversation), []).append(_item(row))
    queries = [_query(row, by_conversation) for row in rows]
    return Collection(folder.resolve().name, haystacks, queries, _relevant(folder / "qrels" / "test.tsv"))


def _item(row: Mapping[str, object]) -> dict[str, object]:
    """What the memory is given: `text` alone (it already opens with the title), record fields as such."""
    metadata = dict(_metadata(row))
    fields = {name: metadata.pop(name) for name in RECORD_FIELDS if metadata.get(name) is not None}
    if "session" in fields:
        fields["session"] = str(fields["session"])
    return {"id": str(row["_id"]), "text": row["text"], "metadata": metadata, **fields}


def _query(row: Mapping[str, object], by_conversation: bool) -> Query:
    category = str(_metadata(row).get("category", "all"))
    time = _metadata(row).get("time")
    asked_at = None if time is None else str(time)
    return Query(str(row["_id"]), str(row["text"]), category, _haystack(row, by_conversation), asked_at)


def _haystack(row: Mapping[str, object], by_conversation: bool) -> str:
    return str(_metadata(row)["conv"]) if by_conversation else ANYONE


def _metadata(row: Mapping[str, object]) -> Mapping[str, object]:
    return cast("Mapping[str, object]", row.get("metadata") or {})


def _relevant(path: Path) -> dict[str, dict[str, int]]:
    relevant: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                relevant.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    return relevant


def _json_lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())
