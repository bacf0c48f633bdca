"""The graph as GraphML, which Gephi, yEd, Cytoscape and igraph read."""

import io
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache

import networkx


def to_graphml(graph: "networkx.MultiDiGraph[str]") -> str:
    """A graph as a GraphML document; the graph itself stays as it is.

    GraphML knows text and numbers only: lists are joined with ``"; "``, times are ISO 8601, and what is None is left
    out. Characters that XML cannot hold become U+FFFD.

    Examples
    --------
    >>> graph = networkx.MultiDiGraph()
    >>> _ = graph.add_edge("Ann", "Atlas", key="f1", predicate="owner", invalid_at=None)
    >>> read = networkx.parse_graphml(to_graphml(graph), force_multigraph=True)
    >>> list(read.edges(keys=True, data=True))
    [('Ann', 'Atlas', 'f1', {'predicate': 'owner'})]
    """
    plain: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    for node, values in graph.nodes(data=True):
        plain.add_node(_clean(node), **_plain(values))
    for start, end, key, values in graph.edges(keys=True, data=True):
        plain.add_edge(_clean(start), _clean(end), key=_clean(key), **_plain(values))
    stream = io.BytesIO()
    networkx.write_graphml_xml(plain, stream)
    return stream.getvalue().decode("utf-8")


def _plain(values: Mapping[str, object]) -> dict[str, str | int | float]:
    return {name: _value(value) for name, value in values.items() if value is not None}


def _value(value: object) -> str | int | float:
    if isinstance(value, int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return "; ".join(_clean(str(item)) for item in value)
    return _clean(str(value))


def _clean(text: str) -> str:
    return _not_xml().sub("\ufffd", text)


@cache
def _not_xml() -> re.Pattern[str]:
    return re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
