"""Open and use a memory, fork, and use it in both processes; exits 1 when either sees something wrong."""

import os
import sys

from hybrid_agent_memory import HybridMemory
from hybrid_agent_memory.testing import HashEmbedder


def main() -> int:
    """Fork once and compare."""
    memory = HybridMemory.open(sys.argv[1], embedder=HashEmbedder(16))
    memory.add([{"id": f"before-{n}", "text": f"entry {n} before the fork"} for n in range(20)])
    child = os.fork()
    if child == 0:
        found = [hit.id for hit in memory.search("entry 7 before the fork", top_k=1)] == ["before-7"]
        memory.add({"id": "child", "text": "written by the child"})
        memory.close()
        os._exit(0 if found else 1)
    memory.add({"id": "parent", "text": "written by the parent"})
    _, status = os.waitpid(child, 0)
    found = [hit.id for hit in memory.search("written by the child", top_k=1)] == ["child"]
    intact = memory.count() == 22 and [hit.id for hit in memory.search("written by the parent", top_k=1)] == ["parent"]
    memory.close()
    sys.stdout.write(f"child's exit status {status}, its record found {found}, all there {intact}\n")
    return 0 if status == 0 and found and intact else 1


if __name__ == "__main__":
    raise SystemExit(main())
