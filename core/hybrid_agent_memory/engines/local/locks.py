"""A reader-writer lock: many searches at once, or one change of the index."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ReadWriteLock:
    """Many readers or one writer; a waiting writer holds back new readers. Not reentrant."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._readers = 0
        self._writing = False
        self._waiting_writers = 0

    @contextmanager
    def read(self) -> Iterator[None]:
        """Hold the lock with other readers."""
        held = False
        try:
            with self._condition:
                self._condition.wait_for(lambda: not self._writing and not self._waiting_writers)
                self._readers, held = self._readers + 1, True
            yield
        finally:
            if held:
                with self._condition:
                    self._readers -= 1
                    self._condition.notify_all()

    @contextmanager
    def write(self) -> Iterator[None]:
        """Hold the lock alone."""
        held = False
        try:
            with self._condition:
                self._waiting_writers += 1
                try:
                    self._condition.wait_for(lambda: not self._writing and not self._readers)
                    self._writing = held = True
                finally:
                    self._waiting_writers -= 1
                    self._condition.notify_all()
            yield
        finally:
            if held:
                with self._condition:
                    self._writing = False
                    self._condition.notify_all()
