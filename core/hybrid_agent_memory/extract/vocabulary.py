"""The vocabulary of the rule extractor: its predicates by name, and how to make a larger one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from hybrid_agent_memory.extract import FactKind
from hybrid_agent_memory.extract.known_predicates import PREDICATES
from hybrid_agent_memory.extract.predicates import Predicate, check

__all__ = ["DEFAULT", "Predicate", "Vocabulary"]


@dataclass(frozen=True)
class Vocabulary:
    """Predicates by name; a new one is made from an old one, which stays as it is.

    Examples
    --------
    >>> more = DEFAULT.with_predicates([Predicate("sponsor", phrases=("sponsor",))])
    >>> "sponsor" in more, "sponsor" in DEFAULT
    (True, False)
    >>> DEFAULT.single_valued("budget"), DEFAULT.single_valued("sponsor")
    (True, False)
    """

    predicates: tuple[Predicate, ...] = field(default=())

    @cached_property
    def by_name(self) -> Mapping[str, Predicate]:
        """The predicates under their names; of two with one name, the later."""
        return MappingProxyType({predicate.name: predicate for predicate in self.predicates})

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self.by_name.values())

    def single_valued(self, name: str) -> bool:
        """Whether a subject has one object at a time; unknown predicates have many."""
        known = self.by_name.get(name)
        return known is not None and known.single_valued

    def kind(self, name: str) -> FactKind:
        """``event`` or ``relation``; unknown predicates are relations."""
        known = self.by_name.get(name)
        return known.kind if known is not None else "relation"

    def with_predicates(self, predicates: Iterable[Predicate]) -> "Vocabulary":
        """A vocabulary that also has these; one of a known name replaces it.

        Raises
        ------
        InvalidInputError
            If one of them is no Predicate, its name is not a snake_case word, a phrase has a slot too many or too few,
            a type or kind is unknown, or its shape is no regular expression.
        """
        more = tuple(predicates)
        for predicate in more:
            check(predicate)
        return Vocabulary((*self.predicates, *more))


DEFAULT = Vocabulary(PREDICATES)
"""What the rule extractor knows unless told otherwise."""
