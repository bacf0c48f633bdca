"""Indexes written beside the file for a quick start. They are derived: a missing, stale or damaged one is ignored."""

import json
import logging
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hybrid_agent_memory.config import Config
from hybrid_agent_memory.engines.local.store import NamespaceState
from hybrid_agent_memory.legs.dense import FLAT_FILE, DenseIndex
from hybrid_agent_memory.legs.sparse import IncrementalBM25

FORMAT_VERSION = 1
WORTH_SAVING = 5_000  # fewer rows are built from the file in no time

logger = logging.getLogger("hybrid_agent_memory")


@dataclass(frozen=True, slots=True)
class ShardSnapshot:
    """The indexes of a namespace at one state.

    `written` has the stamp of each row's record, -1 where it was gone at saving.
    """

    state: NamespaceState
    keys: NDArray[np.int64]
    written: NDArray[np.int64]
    sparse: IncrementalBM25
    dense: DenseIndex | None

    def leads_to(self, records: Sequence[tuple[int, str, int]], deleted: Sequence[int]) -> bool:
        """Whether a file came from this state.

        Parameters
        ----------
        records : sequence of (key, id, stamp)
            All there are, in key order.
        deleted : sequence of int
            Keys deleted since.

        Returns
        -------
        bool
            False when an old copy of the file was put back and written to.
        """
        left = self.sparse.live & ~np.isin(self.keys, np.asarray(deleted, np.int64))
        expected = list(zip(self.keys[left].tolist(), self.written[left].tolist(), strict=True))
        return expected == [(key, written) for key, _, written in records if key <= self.state.last_key]


def save(directory: Path, snapshot: ShardSnapshot, built_with: str) -> None:
    """Write a snapshot under a temporary name and move it into place; what cannot be written is logged and left out.

    `built_with` names everything that decides how the indexes are built; `load` must be given the same.
    """
    token = secrets.token_hex(4)
    fresh, old = directory.with_name(f"{directory.name}.{token}.new"), directory.with_name(f"{directory.name}.{token}")
    try:
        fresh.mkdir(parents=True)
        snapshot.sparse.save(fresh / "sparse.npz")
        np.savez(fresh / "rows.npz", keys=snapshot.keys, written=snapshot.written)
        if snapshot.dense is not None:
            snapshot.dense.save(fresh)
        sums = {file.name: _checksum(file) for file in sorted(fresh.iterdir())}
        head = {"format": FORMAT_VERSION, "built_with": built_with, "state": asdict(snapshot.state), "sums": sums}
        (fresh / "head.json").write_text(json.dumps(head))
        if directory.exists():
            directory.rename(old)
        fresh.rename(directory)
    except (OSError, RuntimeError) as error:  # FAISS reports a full disk as the latter
        logger.warning("the index snapshot %s was not written: %s", directory, error)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def load(directory: Path, config: Config, built_with: str) -> ShardSnapshot | None:
    """Read a snapshot, or None where there is none that can be used."""
    try:
        head = json.loads((directory / "head.json").read_text())
        if head["format"] != FORMAT_VERSION or head["built_with"] != built_with:
            return None
        return _read(directory, config, head)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadZipFile, RuntimeError) as error:
        logger.warning("the index snapshot %s is ignored: %s", directory, error)
        return None


def _read(directory: Path, config: Config, head: Mapping[str, Any]) -> ShardSnapshot:
    sums: Mapping[str, int] = head["sums"]
    for name, expected in sums.items():
        if _checksum(directory / name) != expected:
            raise ValueError(f"{name} is damaged")
    with np.load(directory / "rows.npz", allow_pickle=False) as rows:
        keys, written = rows["keys"], rows["written"]
    sparse = IncrementalBM25.load(directory / "sparse.npz")
    dense = None
    if FLAT_FILE in sums:
        dense = DenseIndex.load(directory, int8_above=config.int8_above, hnsw_above=config.hnsw_above)
    if not len(keys) == len(written) == sparse.rows or (dense is not None and len(dense) != len(keys)):
        raise ValueError("its parts have different lengths")
    return ShardSnapshot(NamespaceState(**head["state"]), keys, written, sparse, dense)


def _checksum(file: Path) -> int:
    total = 0
    with file.open("rb") as stream:
        while block := stream.read(1 << 22):
            total = crc32(block, total)
    return total


def directory_of(path: Path, namespace: int) -> Path:
    """Where the snapshot of a namespace of a file lies."""
    return Path(f"{os.fspath(path)}-index") / f"namespace-{namespace}"
