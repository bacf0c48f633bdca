"""Joining names into entities, with some of them kept apart."""

from collections.abc import Iterable, Set

from hybrid_agent_memory.graph.names import Name


class Entities:
    """Names joined into entities, some of which are kept apart."""

    def __init__(self) -> None:
        self._parents: dict[Name, Name] = {}
        self._apart: dict[Name, set[Name]] = {}

    def of(self, name: Name) -> Name:
        """The root of a name's entity so far."""
        root = name
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        while name != root:
            self._parents[name], name = root, self._parents.get(name, root)
        return root

    def keep_apart(self, one: Name, other: Name) -> None:
        """From now on no join puts these two together; nothing happens if they are together already."""
        one, other = self.of(one), self.of(other)
        if one != other:
            self._apart.setdefault(one, set()).add(other)
            self._apart.setdefault(other, set()).add(one)

    def kept_from(self, name: Name) -> Set[Name]:
        """The roots of the entities that this name must not be joined with."""
        return self._apart.get(self.of(name), set())

    def join(self, one: Name, other: Name) -> None:
        """Make two entities one, with the root of the first, unless they are kept apart."""
        one, other = self.of(one), self.of(other)
        if one == other or other in self._apart.get(one, ()):
            return
        self._parents[other] = one
        for third in self._apart.pop(other, set()):
            self._apart[third] = self._apart[third] - {other} | {one}
            self._apart.setdefault(one, set()).add(third)

    def groups(self, names: Iterable[Name]) -> list[list[Name]]:
        """The names of each entity."""
        groups: dict[Name, list[Name]] = {}
        for name in names:
            groups.setdefault(self.of(name), []).append(name)
        return list(groups.values())
