"""Documents into chunks: along their structure first, then to size, every piece an exact slice of the original."""

from hybrid_agent_memory.chunking.files import Listing, list_files, load_file, load_path
from hybrid_agent_memory.chunking.markdown import split_markdown
from hybrid_agent_memory.chunking.pieces import DEFAULT_MAX_CHARS, Piece
from hybrid_agent_memory.chunking.plain import split_text

__all__ = [
    "DEFAULT_MAX_CHARS",
    "Listing",
    "Piece",
    "list_files",
    "load_file",
    "load_path",
    "split_markdown",
    "split_text",
]
