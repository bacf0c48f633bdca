"""YAML front matter without a YAML parser: where it ends, and which of its lines say something simple."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

_BLOCK = re.compile(r"---[ \t]*\r?\n((?:.*\n)*?)(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_ENTRY = re.compile(r"([\w.-]+):(?:[ \t]+(.*))?")
_NESTED = re.compile(r"[ \t].*|-(?:[ \t].*)?")
_SCALAR = re.compile(r"""(?:"([^"\\]*)"|'([^']*)'|([^\s\[\]{}&*!|>%@`"'#,].*?))(?:[ \t]+#.*)?""")
_NULLS = frozenset({"~", "null"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The simple ``key: value`` lines of a document's front matter, and where the document goes on after it."""

    values: dict[str, str] = field(default_factory=dict)
    end: int = 0


def read_front_matter(text: str) -> FrontMatter:
    r"""Read the front matter a Markdown document begins with.

    Front matter is a block between two lines ``---`` (the second may be ``...``), the first of them the first line of
    all, with nothing inside but YAML's ``key:`` lines, nested lines, list items, comments and blank lines (not at the
    top). A block with other lines is text between two rulers, and left in the document.

    Parameters
    ----------
    text : str

    Returns
    -------
    FrontMatter
        Values are strings as written, without quotes and comments. Keys with an empty, nested or multi-line value,
        with a list, a mapping, an alias or an escape are not among them. `end` is 0 when there is no front matter.

    Examples
    --------
    >>> read_front_matter("---\ntitle: 'Pager'\ntags: [a, b]\n---\n# Pager")
    FrontMatter(values={'title': 'Pager'}, end=36)
    """
    block = _BLOCK.match(text)
    if block is None:
        return FrontMatter()
    lines = [line.rstrip() for line in block[1].split("\n")[:-1]]
    told = [line for line in lines if line and not line.lstrip().startswith("#")]
    if lines and not (lines[0] and told and all(map(_is_yaml, told)) and _ENTRY.fullmatch(told[0])):
        return FrontMatter()
    return FrontMatter(_simple(told), block.end())


def _is_yaml(line: str) -> bool:
    return bool(_ENTRY.fullmatch(line) or _NESTED.fullmatch(line))


def _simple(lines: list[str]) -> dict[str, str]:
    values = {}
    for line, following in pairwise([*lines, ""]):
        entry = _ENTRY.fullmatch(line)
        scalar = _SCALAR.fullmatch(entry[2] or "") if entry else None
        if entry and scalar and not _NESTED.fullmatch(following):
            value = next(filter(None, scalar.groups()), "")
            if value and value not in _NULLS:
                values[entry[1]] = value
    return values
