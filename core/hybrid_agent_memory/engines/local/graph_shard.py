"""The graph of one namespace kept up with the store, as `Shard` keeps its indexes."""

import sqlite3

from hybrid_agent_memory.engines.local import graph_tables
from hybrid_agent_memory.engines.local.graph import GraphIndex
from hybrid_agent_memory.engines.local.locks import ReadWriteLock
from hybrid_agent_memory.engines.local.store import NamespaceState, Store


class GraphShard:
    """A graph and how far it has come. `catch_up` wants `lock.write()`, whoever reads `index` wants `lock.read()`."""

    def __init__(self, name: str, store: Store) -> None:
        self.name, self.lock = name, ReadWriteLock()
        self._store = store
        self._reset()

    def _reset(self) -> None:
        self.state, self.index = NamespaceState(0), GraphIndex()

    def is_behind(self, state: NamespaceState | None) -> bool:
        """Whether the store has something that is not in the graph."""
        return state is not None and state != self.state and self.state.leads_to(state)

    def catch_up(self, connection: sqlite3.Connection) -> None:
        """Apply what was written since; a graph that a failure leaves half changed is built anew next time."""
        state = self._store.state(connection, self.name, "graph")
        if state is None or not self.is_behind(state):
            return
        if self.state.deletions < state.log_floor:
            self._reset()
        try:
            self.index.apply(
                graph_tables.extractions_after(connection, state.id, self.state.last_key),
                self._store.deleted_since(connection, state.id, self.state.deletions),
                None if self.state.epoch == state.epoch else graph_tables.constraints(connection, state.id),
            )
        except BaseException:
            self._reset()
            raise
        self.state = state
