"""The entities of a namespace as callers get them, with the check for names that may be one."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import overload

import numpy as np

from hybrid_agent_memory.engines import Engine
from hybrid_agent_memory.errors import InvalidInputError, check_count, shown
from hybrid_agent_memory.gate import Gate
from hybrid_agent_memory.graph.names import Name, name_key
from hybrid_agent_memory.graph.resolution import Constraint, NamePair, in_force, suggest
from hybrid_agent_memory.graph.suggestions import NOT_SUGGESTED
from hybrid_agent_memory.intake import check_name
from hybrid_agent_memory.plans import in_thread
from hybrid_agent_memory.records import Entity, Judged, MergeDecision, Suggestion

Judge = Callable[[str, str, Sequence[str], Sequence[str]], bool | None]
"""(name, other name, texts that mention the one, texts that mention the other) to whether they are one, or None."""

MEANING_COUNTS = 0.5  # times its cosine is the score of names that mean alike: look-alike customers do too
MOST_EMBEDDED = 300  # names, the most mentioned: more would take an embedder minutes
NEAR = 4.0  # standard deviations above the usual cosine of two names at which they may mean the same
MAD_TO_DEVIATION = 1.4826  # from the median deviation, which the alike ones do not widen, to the standard one
LEAST_SPREAD = 0.01
TEXTS_SHOWN = 3  # to a judge, per name
_TYPED = re.compile(r"(?P<name>.+)\((?P<type>\w+)\)", re.DOTALL)


class KnownNames:
    """The names of a namespace, and how people write them.

    Parameters
    ----------
    names : mapping of Name to (int, Name, str)
        Mentions, the name of the entity, the usual form.
    """

    def __init__(self, names: Mapping[Name, tuple[int, Name, str]]) -> None:
        self.names = names
        self._alike: dict[str, list[Name]] = defaultdict(list)
        for name in names:
            self._alike[name.key].append(name)

    def form(self, name: Name) -> str:
        """A name as it is mostly written; one that no text has any more as it is compared."""
        return self.names[name][2] if name in self.names else name.key

    def written(self, name: Name) -> str:
        """A name as `meant` reads it: its form, with its type behind where other entities go by it too."""
        form = self.form(name)
        return f"{form} ({name.type})" if len(self._entities(name.key) | self._entity(name)) > 1 else form

    def meant(self, written: object) -> Name:
        """The name that somebody wrote.

        Raises
        ------
        InvalidInputError
            If it is no name, no entity goes by it, or several do.
        """
        if not isinstance(written, str) or not written.strip():
            raise InvalidInputError(f"entity {shown(written)} is no name: give one as texts write it")
        key = name_key(check_name(written, "entity"))
        if len(self._entities(key)) == 1:
            return min(self._alike[key])
        typed = _TYPED.fullmatch(written.strip())
        if typed and (name := Name.of(typed["name"], typed["type"])) in self.names:
            return name
        if key not in self._alike:
            raise InvalidInputError(f"no entity goes by {shown(written)}: entities() lists them")
        ways = " or ".join(repr(self.written(name)) for name in sorted(self._alike[key]))
        raise InvalidInputError(f"{shown(written)} is several entities: say which, {ways}")

    def _entities(self, key: str) -> set[Name]:
        """What stands for the entities that go by a name."""
        return {self.names[name][1] for name in self._alike.get(key, ())}

    def _entity(self, name: Name) -> set[Name]:
        return {self.names[name][1]} if name in self.names else set()

    def most_mentioned(self) -> list[Name]:
        """One name per entity that may be alike, the most mentioned ones first, values and codes left out."""
        entities = {
            entity: count
            for name, (count, entity, _) in self.names.items()
            if name == entity and name.type not in NOT_SUGGESTED and not any(sign.isdigit() for sign in name.key)
        }
        return sorted(entities, key=lambda name: (-entities[name], name))[:MOST_EMBEDDED]


class _Merging:
    """What can be done about names that may be one entity; of one namespace."""

    def __init__(self, engine: Engine, gate: Gate, namespace: str, now: Callable[[], datetime]) -> None:
        self._engine, self._gate, self._namespace, self._now = engine, gate, namespace, now

    def suggest_merges(self, limit: int = 50) -> list[Suggestion]:
        """Pairs of names that may be one entity and that the rules were not sure of, the likeliest first.

        By spelling, by persons' names, and in a memory with an embedder by the vectors of the most mentioned names; the
        names are embedded for this call, so it takes a while. A check to make now and then:
        `HybridMemory.merge_entities` and `unmerge` settle a pair, and what was unmerged is not suggested again.

        Parameters
        ----------
        limit : int
            At most so many.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes(["Acme Robotics called.", "The order is for Acme."])
        >>> [(pair.a, pair.b) for pair in memory.entities.suggest_merges()]
        [('Acme', 'Acme Robotics')]
        """
        known = KnownNames(self._engine.names(self._namespace))
        return [
            Suggestion(known.written(pair.a), known.written(pair.b), pair.score, pair.reason)
            for pair in self._open_pairs(known, limit)
        ]

    asuggest_merges = in_thread(suggest_merges)

    def _open_pairs(self, known: KnownNames, limit: int) -> list[NamePair]:
        """Pairs that nobody has taken apart, the likeliest first."""
        check_count("limit", limit)
        counts = {name: count for name, (count, _, _) in known.names.items()}
        resolved = {name: entity for name, (_, entity, _) in known.names.items()}
        apart = {
            frozenset((resolved.get(one.a, one.a), resolved.get(one.b, one.b)))
            for one in in_force(self._engine.constraints(self._namespace))
            if one.op == "unmerge"
        }
        found = {
            frozenset((resolved[pair.a], resolved[pair.b])): pair
            for pair in (*self._near_names(known), *reversed(suggest(counts, resolved, limit + len(apart))))
        }
        open_pairs = [pair for entities, pair in found.items() if entities not in apart]
        return sorted(open_pairs, key=lambda pair: (-pair.score, pair.a, pair.b))[:limit]

    def judge_merges(self, judge: Judge, limit: int = 20) -> list[Judged]:
        """Let a judge, such as `LLMExtractor.judge`, decide the likeliest suggestions.

        Its decisions are kept like those of `merge_entities` and `unmerge`, but go when a text that it was shown goes.

        Parameters
        ----------
        judge : callable
            ``judge(a, b, texts_a, texts_b)`` gets two names and up to three texts that mention each, and gives True
            where they are one entity, False where they are two, None where it does not know.
        limit : int
            Suggestions to be decided, at most.

        Returns
        -------
        list of Judged
            In the order of the suggestions.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes(["Acme Robotics called.", "The order is for Acme."])
        >>> memory.entities.judge_merges(lambda a, b, texts_a, texts_b: True)
        [Judged(a='Acme', b='Acme Robotics', same=True)]
        >>> [entity.name for entity in memory.entities("acme")]
        ['Acme Robotics']
        """
        known = KnownNames(self._engine.names(self._namespace))
        judged = []
        for pair in self._open_pairs(known, limit):
            texts_a, texts_b = (
                self._engine.mentioning(self._namespace, name, TEXTS_SHOWN) for name in (pair.a, pair.b)
            )
            name_a, name_b = known.written(pair.a), known.written(pair.b)
            same = judge(name_a, name_b, [text.text for text in texts_a], [text.text for text in texts_b])
            if same is not None:
                constraint = Constraint("merge" if same else "unmerge", pair.a, pair.b)
                kept = self._engine.constrain(self._namespace, [constraint], self._now(), (*texts_a, *texts_b))
                same = same if kept else None
            judged.append(Judged(name_a, name_b, same))
        return judged

    ajudge_merges = in_thread(judge_merges)

    def merges(self) -> list[MergeDecision]:
        """What was decided about pairs of names, by `merge_entities`, `unmerge` and judges, oldest first.

        Decisions that a later one took back are there too; those of a judge go with the texts that it was shown.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episodes(["Acme Robotics called.", "The order is for Acme."])
        >>> memory.merge_entities("Acme", "Acme Robotics")
        >>> [(decision.op, decision.a, decision.b, decision.judged) for decision in memory.entities.merges()]
        [('merge', 'Acme', 'Acme Robotics', False)]
        """
        known = KnownNames(self._engine.names(self._namespace))
        told = (
            MergeDecision(one.op, known.written(one.a), known.written(one.b), time, judged)
            for one, time, judged in self._engine.merge_log(self._namespace)
        )
        return [decision for decision, _ in groupby(told)]  # one that takes a merge back and keeps apart is kept as two

    amerges = in_thread(merges)

    def _near_names(self, known: KnownNames) -> list[NamePair]:
        """Names of one type that are each other's nearest by their vectors, and nearer than names usually are."""
        names = known.most_mentioned()
        if self._gate.vectors.embedder is None or len(names) < 3:
            return []
        step = self._gate.documents([known.form(name) for name in names])
        step.run()
        vectors = step.result()
        cosines = vectors @ vectors.T
        usual = cosines[~np.eye(len(names), dtype=bool)]
        middle = float(np.median(usual))
        threshold = middle + NEAR * max(LEAST_SPREAD, MAD_TO_DEVIATION * float(np.median(np.abs(usual - middle))))
        np.fill_diagonal(cosines, -1.0)
        nearest = cosines.argmax(axis=1).tolist()
        return [
            NamePair(
                min(one, other),
                max(one, other),
                round(MEANING_COUNTS * float(cosines[at, near]), 3),
                "their names mean alike",
            )
            for at, (one, near) in enumerate(zip(names, nearest, strict=True))
            if at < near and nearest[near] == at and cosines[at, near] >= threshold
            for other in (names[near],)
            if one.type == other.type
        ]


class EntityLookup(_Merging):
    """`HybridMemory.entities`: call it for the entities; it can also suggest, judge and list merges."""

    def __call__(self, query: str | None = None) -> "Entities":
        """The entities of this namespace, the most mentioned first.

        Parameters
        ----------
        query : str, optional
            Only those one of whose names holds these letters.

        Returns
        -------
        Entities
            A sequence of `Entity`.

        Raises
        ------
        InvalidInputError
            If `query` is no string or blank.

        Examples
        --------
        >>> from hybrid_agent_memory import HybridMemory
        >>> memory = HybridMemory.in_memory()
        >>> _ = memory.add_episode("Mr. Zhang called.")
        >>> [(entity.name, entity.type, entity.mentions) for entity in memory.entities("zhang")]
        [('Mr. Zhang', 'person', 1)]
        """
        found = self._engine.entities(self._namespace)
        if query is not None:
            wanted = name_key(check_name(query, "query"))
            found = [one for one in found if any(wanted in name_key(name) for name in (one.name, *one.aliases))]
        return Entities(found, self._engine, self._gate, self._namespace, self._now)


class Entities(_Merging, Sequence[Entity]):
    """Entities, the most mentioned first; a sequence."""

    def __init__(
        self,
        entities: Sequence[Entity],
        engine: Engine,
        gate: Gate,
        namespace: str,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(engine, gate, namespace, now)
        self._entities = tuple(entities)

    def __len__(self) -> int:
        return len(self._entities)

    @overload
    def __getitem__(self, index: int) -> Entity: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Entity, ...]: ...
    def __getitem__(self, index: int | slice) -> Entity | tuple[Entity, ...]:
        return self._entities[index]

    def __iter__(self) -> Iterator[Entity]:
        return iter(self._entities)

    def __repr__(self) -> str:
        return f"Entities({list(self._entities)!r})"
