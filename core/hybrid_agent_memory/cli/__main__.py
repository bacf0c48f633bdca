"""``python -m hybrid_agent_memory.cli`` is ``hybrid-memory``."""

from hybrid_agent_memory.cli import main

main()
