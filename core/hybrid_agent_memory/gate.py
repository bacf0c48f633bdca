"""Keeping a file and what opens it together: a memory is only used with the embedder and tokenizer that built it."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from hybrid_agent_memory.embedding import CALLER, PROBES, Fingerprint, Identity, Vectors, VectorSource
from hybrid_agent_memory.engines import Engine
from hybrid_agent_memory.errors import HybridMemoryError, InvalidInputError, MismatchError
from hybrid_agent_memory.plans import Plan, Step, done, failed
from hybrid_agent_memory.protocols import Tokenizer
from hybrid_agent_memory.text import tokenizer_name

T = TypeVar("T")
logger = logging.getLogger("hybrid_agent_memory")

REMEDY = "open it with the one that built it, or call reindex() to change it"


class Gate:
    """Compares what a memory was opened with to what its file was built with, once per state of the file.

    All handles of a memory share one gate, so that a rebuild through any of them holds for all.

    Parameters
    ----------
    engine : Engine
    vectors : VectorSource
    tokenizer : Tokenizer
    """

    def __init__(self, engine: Engine, vectors: VectorSource, tokenizer: Tokenizer) -> None:
        self._engine = engine
        self.vectors, self.tokenizer = vectors, tokenizer
        self._fingerprint: Fingerprint | None = None
        self._same_model: Identity | None = None
        self._warned = False
        self._changing = threading.Lock()
        self._changes = 0

    def change(self, other: "Gate", rebuild: Callable[[], list[T]]) -> list[T]:
        """Rebuild the file and use what another gate uses, for every handle and as one step.

        Returns
        -------
        list
            What `rebuild` still lacks; nothing has changed unless that is empty.
        """
        with self._changing:
            missing = rebuild()
            if not missing:
                self.vectors, self.tokenizer = other.vectors, other.tokenizer
                self._fingerprint, self._same_model = other._fingerprint, other._same_model
                self._engine.use_tokenizer(other.tokenizer)
                self._changes += 1
        return missing

    def through(self, plan: Callable[[], Plan[T]]) -> Plan[T]:
        """Run a plan, and once more whenever it failed because a rebuild through another handle overtook it.

        Returns
        -------
        T
            What the plan gives.

        Raises
        ------
        HybridMemoryError
            What the plan raises when no rebuild has come between.
        """
        while True:
            before = self._changes
            try:
                return (yield from plan())
            except HybridMemoryError:
                with self._changing:  # a rebuild that is in the file may not have got here yet
                    if before == self._changes:
                        raise

    @property
    def _tokenizer_name(self) -> str:
        return tokenizer_name(self.tokenizer)

    def warn_of_unused_vectors(self, stored: Identity) -> None:
        """Say once that the file has vectors and nothing to make a query's vector with."""
        if stored.embedder is not None and self.vectors.embedder is None and not self._warned:
            self._warned = True
            logger.warning("opened without embedder %r: searches go by words only", stored.embedder.name)

    def stored(self) -> Identity | None:
        """What the file was built with; None while it holds no record.

        Raises
        ------
        MismatchError
            If that was another tokenizer, or this memory was opened with an embedder and the file has no vectors.
        """
        identity = self._engine.identity()
        if identity is None:
            return None
        if identity.tokenizer != self._tokenizer_name:
            raise MismatchError(
                f"this memory was built with tokenizer {identity.tokenizer!r}, not {self._tokenizer_name!r}: {REMEDY}"
            )
        if identity.embedder is None and self.vectors.embedder is not None:
            raise MismatchError(
                f"this memory was built without vectors, not with embedder {self.vectors.name!r}: {REMEDY}"
            )
        return identity

    def check_model(self, stored: Identity) -> None:
        """Compare the embedder's probe vectors, once `probe` has run, to the stored ones.

        Raises
        ------
        MismatchError
            If another model made the file's vectors.
        """
        mine, theirs = self._fingerprint, stored.embedder
        if mine is None or self._same_model == stored:
            return
        if theirs is None or not mine.same_model(theirs):
            built = (
                "without vectors" if theirs is None else f"with embedder {theirs.name!r} ({theirs.dimension} numbers)"
            )
            raise MismatchError(
                f"this memory was built {built}, not with {mine.name!r} ({mine.dimension} numbers): {REMEDY}"
            )
        self._same_model = stored

    def for_writing(self, given: int | None) -> Plan[Identity]:
        """The identity under which new records are written.

        Parameters
        ----------
        given : int or None
            Dimension of the vectors that came with the items, where any did.

        Raises
        ------
        MismatchError
            If the file was built with something else.
        InvalidInputError
            If given vectors do not fit the embedder's.
        """
        stored = self.stored()
        if self.vectors.embedder is not None:
            mine: Fingerprint | None = (yield from self.probe()).result()
            if mine is not None and given not in (None, mine.dimension):
                raise InvalidInputError(
                    f"an item's vector has {given} numbers and the embedder's {mine.dimension}: give that many, or none"
                )
        else:
            mine = None if given is None else Fingerprint(CALLER, given)
        if stored is None:
            return Identity(self._tokenizer_name, mine)
        if self.vectors.embedder is not None:
            self.check_model(stored)
        elif stored.embedder != mine:
            raise MismatchError(_caller_mismatch(stored.embedder, given))
        return stored

    def probe(self) -> Plan[Step[Fingerprint]]:
        """The embedder's fingerprint; it is asked for the probe vectors until that works once."""
        known = self._fingerprint
        if known is not None:
            return done(known)
        vectors = self.vectors
        probes = vectors.documents(PROBES)
        yield [probes]
        if probes.error is not None:
            return failed(probes.error)
        made = vectors.fingerprint(probes.result())
        if vectors is self.vectors:
            self._fingerprint = made
        return done(made)

    def documents(self, texts: list[str]) -> Step[Vectors]:
        """A step that gives the vectors of texts, in the dimension that `probe` found."""
        known = self._fingerprint
        return self.vectors.documents(texts, None if known is None else known.dimension)


def _caller_mismatch(stored: Fingerprint | None, given: int | None) -> str:
    if stored is None:
        return f"this memory was built without vectors, and an item has one: leave it out, or {REMEDY}"
    if stored.name != CALLER:
        return (
            f"this memory was built with embedder {stored.name!r} and is opened without one, "
            f"so that it can only be read: {REMEDY}"
        )
    if given is None:
        return f"this memory's vectors come from the caller: give every item a vector of {stored.dimension} numbers"
    return f"a vector has {given} numbers and this memory's have {stored.dimension}: give vectors of that dimension"
