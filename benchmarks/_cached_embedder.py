"""An embedder that remembers its vectors on disk, so that only the first run over a collection pays for the model."""

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import numpy as np

from hybrid_agent_memory import Embedder

BATCH = 256


class CachedEmbedder:
    """Wraps an embedder under the same name; a vector is kept under the hash of the name, the use and the text."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self.name: str = getattr(inner, "name", type(inner).__name__)
        self._database = sqlite3.connect(folder / "vectors.sqlite", check_same_thread=False)
        self._one_at_a_time = Lock()
        self._database.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._look_up("document", texts[start : start + BATCH], self._inner.embed_documents)
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self._look_up("query", [text], lambda texts: [self._inner.embed_query(one) for one in texts])[0]

    def close(self) -> None:
        self._database.close()

    def _look_up(
        self, use: str, texts: list[str], embed: Callable[[list[str]], list[list[float]]]
    ) -> list[list[float]]:
        keys = {text: self._key(use, text) for text in texts}
        with self._one_at_a_time:
            found = {text: vector for text, key in keys.items() if (vector := self._read(key)) is not None}
            missing = [text for text in keys if text not in found]
            if missing:
                new = dict(zip(missing, embed(missing), strict=True))
                self._write({keys[text]: vector for text, vector in new.items()})
                found |= new
        return [found[text] for text in texts]

    def _key(self, use: str, text: str) -> bytes:
        return hashlib.sha256("\0".join((self.name, use, text)).encode("utf-8", "surrogatepass")).digest()

    def _read(self, key: bytes) -> list[float] | None:
        row = self._database.execute("SELECT value FROM vector WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        vector: list[float] = np.frombuffer(row[0], "<f4").tolist()
        return vector

    def _write(self, vectors: dict[bytes, list[float]]) -> None:
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                [(key, np.asarray(vector, "<f4").tobytes()) for key, vector in vectors.items()],
            )
