"""Search queries out of what a language model wrote."""

import re

_MARKER = re.compile(r"(?:[-*+•–—]\s+|\(?\d{1,3}[.):]\s+|\(?\d{1,3}[、)]\s*)+")
_FENCE = re.compile(r"`{3,}\w*")


def written_queries(text: str, original: str, limit: int) -> list[str]:
    r"""Read one query a line: bullets, numbering, code fences, blank lines and repetitions are left out.

    Parameters
    ----------
    text : str
        What the model wrote.
    original : str
        The query it was asked about; a repetition of it is left out too.
    limit : int
        How many queries to keep at most, in the order written.

    Returns
    -------
    list of str
        Queries that differ from each other and from `original` by more than case and white space.

    Examples
    --------
    >>> written_queries("1. Reset a password\n- reset  a password\n2) 3.5 GPA rule", "password", 3)
    ['Reset a password', '3.5 GPA rule']
    """
    queries: dict[str, str] = {}
    for line in text.splitlines():
        query = _bare(line)
        if query and _key(query) != _key(original):
            queries.setdefault(_key(query), query)
    return list(queries.values())[:limit]


def _bare(line: str) -> str:
    line = line.strip()
    if _FENCE.fullmatch(line):
        return ""
    marker = _MARKER.match(line)
    return (line[marker.end() :] if marker else line).strip("` \t")


def _key(query: str) -> str:
    return " ".join(query.casefold().split())
