"""Plain text into pieces."""

from hybrid_agent_memory.chunking.pieces import DEFAULT_MAX_CHARS, Piece, Span, atoms, check_arguments, pack


def split_text(text: str, *, max_chars: int = DEFAULT_MAX_CHARS) -> list[Piece]:
    """Cut plain text into pieces of at most `max_chars` characters.

    Cuts fall between paragraphs where that is enough, else between list items, lines, sentences (Chinese ones too),
    clauses, words. Only white space between pieces is left out.

    Parameters
    ----------
    text : str
        May be empty; then there are no pieces.
    max_chars : int
        At least 1. A single word (or identifier, or URL) that is longer is kept whole, in a piece of its own size.

    Returns
    -------
    list of Piece
        In order, none empty, each an exact slice of `text`.

    Raises
    ------
    InvalidInputError
        If `text` is not a str or `max_chars` not an integer of at least 1.

    Examples
    --------
    >>> [piece.text for piece in split_text("ERR_0x9941 came back. Ana paged Bo.", max_chars=24)]
    ['ERR_0x9941 came back.', 'Ana paged Bo.']
    """
    check_arguments(text, max_chars)
    parts = atoms(text, Span(0, len(text)), max_chars)
    return [Piece(text[span.start : span.end], (), span.start) for span in pack(parts, max_chars)]
