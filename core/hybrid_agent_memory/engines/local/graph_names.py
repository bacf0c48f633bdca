"""The names that chunks write: their numbers, the forms they are written in, and which chunks have them."""

from array import array
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b

from hybrid_agent_memory.engines.local.graph_tables import Written
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.graph.resolution import blocking_keys, representative

VALUES = frozenset({"amount", "date"})
"""Types of names that say how much or when; two chunks that have one in common have nothing to do with each other."""


class NameIndex:
    """Every name of a namespace by its number; a name is live while some chunk has it.

    Attributes
    ----------
    numbers : dict of Name to int
        Only read by others, as the two that follow.
    by_number : dict of int to Name
    chunks : dict of int to array of int
        By number of a live name, the keys of the chunks that have it, ascending.
    """

    def __init__(self) -> None:
        self.numbers: dict[Name, int] = {}
        self.by_number: dict[int, Name] = {}
        self.chunks: dict[int, array[int]] = {}
        self._number_of_form: dict[Written, int] = {}
        self._forms: dict[int, Counter[str]] = {}
        self._by_block: dict[str, set[int]] = {}
        self._by_key: dict[str, set[int]] = {}

    # -- keeping up -------------------------------------------------------------------------------------------------

    def number(self, written: Written) -> int:
        """The number of a name as it is written, a new one where it is not known."""
        number = self._number_of_form.get(written)
        if number is None:
            form, kind = written
            number = self._number_of_form[written] = self._numbered(Name(name_key(form), kind))
            self._forms[number].setdefault(form, 0)
        return number

    def _numbered(self, name: Name) -> int:
        """The number of a name: the same whatever was written first, so that ties fall the same way everywhere."""
        number = self.numbers.get(name)
        if number is None:
            number = _digest(name)
            while number in self.by_number:
                number += 1
            self.numbers[name], self.by_number[number], self._forms[number] = number, name, Counter()
        return number

    def add(self, chunk: int, written: Mapping[int, str]) -> list[Name]:
        """Take in which names a chunk has, and in what form; gives those that no chunk had before."""
        appeared = []
        for number, form in written.items():
            self._forms[number][form] += 1
            chunks = self.chunks.get(number)
            if chunks is None:
                self.chunks[number] = array("q", (chunk,))
                appeared.append(self._appear(number))
            elif chunks[-1] < chunk:
                chunks.append(chunk)
            else:
                insort(chunks, chunk)
        return appeared

    def remove(self, chunk: int, written: Mapping[int, str]) -> list[Name]:
        """Take out what `add` took in; gives the names that no chunk has any more."""
        vanished = []
        for number, form in written.items():
            self._forms[number][form] -= 1
            chunks = self.chunks[number]
            chunks.pop(bisect_left(chunks, chunk))
            if not chunks:
                vanished.append(self._vanish(number))
        return vanished

    def _appear(self, number: int) -> Name:
        name = self.by_number[number]
        for block in blocking_keys(name):
            self._by_block.setdefault(block, set()).add(number)
        self._by_key.setdefault(name.key, set()).add(number)
        return name

    def _vanish(self, number: int) -> Name:
        name = self.by_number[number]
        for block in blocking_keys(name):
            _drop(self._by_block, block, number)
        _drop(self._by_key, name.key, number)
        del self.chunks[number]
        return name

    def forget(self, name: Name) -> None:
        """Leave no trace of a name, unless it is live."""
        number = self.numbers.get(name)
        if number is not None and number not in self.chunks:
            for form in self._forms.pop(number):
                del self._number_of_form[form, name.type]
            del self.numbers[name], self.by_number[number]

    # -- reading ----------------------------------------------------------------------------------------------------

    def is_value(self, number: int) -> bool:
        """Whether a name says how much or when, so that nothing is walked through it."""
        return self.by_number[number].type in VALUES

    def no_values(self, numbers: Iterable[int]) -> list[int]:
        """Of these names those that say neither how much nor when, in their order."""
        return [number for number in numbers if self.by_number[number].type not in VALUES]

    def keyed(self, key: str) -> set[int]:
        """The live names with a key, whatever their type."""
        return self._by_key.get(key, set())

    def in_block(self, block: str) -> list[Name]:
        """The live names with a blocking key."""
        return [self.by_number[number] for number in self._by_block.get(block, ())]

    def near(self, name: Name, most: int) -> list[int]:
        """The live names that might be one with a name; none where they are more than `most`."""
        blocks = [self._by_block.get(key, set()) for key in blocking_keys(name)]
        found = set[int]().union(*blocks) if all(len(block) <= most for block in blocks) else set()
        return sorted(found) if len(found) <= most else []

    def only_in(self, numbers: Iterable[int], chunks: Collection[int]) -> bool:
        """Whether no chunk but these has any of the names."""
        return all(chunk in chunks for number in numbers for chunk in self.chunks.get(number, ()))

    def is_written(self, number: int, form: str) -> bool:
        """Whether a chunk writes a name in exactly this form."""
        return self._forms[number][form] > 0

    def forms(self, number: int) -> list[str]:
        """The forms in which chunks write a name."""
        return [form for form, count in self._forms[number].items() if count]

    def usual_form(self, number: int) -> str:
        """How a live name is mostly written; of equals the first in the alphabet."""
        count_of = self._forms[number]
        return min(self.forms(number), key=lambda form: (-count_of[form], form))

    def best(self, numbers: Collection[int]) -> int:
        """The name of these that stands for their entity."""
        if len(numbers) == 1:
            return next(iter(numbers))
        return self.numbers[representative({self.by_number[number]: len(self.chunks[number]) for number in numbers})]


def _digest(name: Name) -> int:
    text = f"{name.type}\0{name.key}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=7).digest())


def _drop(table: dict[str, set[int]], key: str, number: int) -> None:
    table[key].discard(number)
    if not table[key]:
        del table[key]
