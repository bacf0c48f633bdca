"""The errors this package raises.

HybridMemoryError
├── InvalidInputError (ValueError)      an argument is wrong; nothing was changed
│   └── FilterError                     a filter is malformed
├── BatchError                          an iterator failed part-way; says how many items are stored
├── EmbedderError                       the embedder broke its contract (count, dimension, NaN)
├── ExtractorError                      the extractor failed, or broke its contract
├── RerankerError                       the cross-encoder broke its contract
├── StoreError                          the file cannot be used
│   ├── CorruptStoreError               it is damaged or is not one of ours
│   ├── NewerFormatError                a newer version of this package wrote it
│   ├── StoreBusyError                  another writer held it for too long
│   └── MismatchError                   it was built with another embedder or tokenizer
├── LegUnavailableError                 a leg was asked for that this memory does not have
├── ClosedMemoryError                   the memory was closed
└── OptionalDependencyError (ImportError)   an extra is missing; the message is the command to type
"""

import math


class HybridMemoryError(Exception):
    """Base of every error this package raises on purpose."""


class InvalidInputError(HybridMemoryError, ValueError):
    """An argument is wrong; the message names the value and the remedy, and nothing was changed."""


class FilterError(InvalidInputError):
    """A metadata filter is malformed."""


class BatchError(HybridMemoryError):
    """An iterator of items failed part-way.

    Attributes
    ----------
    stored : int
        How many items were already stored, in order, when the failing one was met.
    """

    def __init__(self, message: str, stored: int) -> None:
        super().__init__(message)
        self.stored = stored

    def __reduce__(self) -> tuple[type["BatchError"], tuple[str, int]]:
        return type(self), (str(self), self.stored)


class EmbedderError(HybridMemoryError):
    """The embedder returned something that is not one finite vector of the right dimension per text."""


class RerankerError(HybridMemoryError):
    """The reranker returned something that is not one finite score per text."""


class StoreError(HybridMemoryError):
    """The file behind the memory cannot be used."""


class CorruptStoreError(StoreError):
    """The file is damaged, or was not written by this package."""


class NewerFormatError(StoreError):
    """The file was written by a newer version of this package."""


class StoreBusyError(StoreError):
    """Another writer held the file for longer than the time-out."""


class MismatchError(StoreError):
    """The memory was built with another embedder or tokenizer; `reindex` changes that."""


class ClosedMemoryError(HybridMemoryError):
    """The memory was used after `close`."""


class OptionalDependencyError(HybridMemoryError, ImportError):
    """A feature needs an extra that is not installed."""

    def __init__(self, needed: str, extra: str) -> None:
        super().__init__(f"{needed} is not installed: pip install 'hybrid-agent-memory[{extra}]'")
        self.needed, self.extra = needed, extra

    def __reduce__(self) -> tuple[type["OptionalDependencyError"], tuple[str, str]]:
        return type(self), (self.needed, self.extra)


class ExtractorError(HybridMemoryError):
    """An extractor failed, or gave something that is no extraction; nothing of its batch was stored."""


class LegUnavailableError(HybridMemoryError):
    """A leg was asked for that this memory does not have, or it gave something that is no ranking."""


def is_number(value: object) -> bool:
    """Whether a value is a finite number that a float can hold; a bool is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def shown(value: object) -> str:
    """A value as an error message shows it: at most 60 characters, and never an error of its own."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, a structure without a bottom
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_count(name: str, value: object) -> None:
    """Refuse what is no whole number of at least 1.

    Raises
    ------
    InvalidInputError
        If it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidInputError(f"{name} {shown(value)} must be a whole number of at least 1")
