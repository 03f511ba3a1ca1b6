"""Lets the storage of mem0 write the history of memories.

Usage: python mem0_history.py FILE

Its module needs no other package. The package as a whole needs a model and a vector store.
"""

import importlib.util
import sys
import sysconfig
from pathlib import Path

storage = Path(sysconfig.get_path("purelib"), "mem0", "memory", "storage.py")
spec = importlib.util.spec_from_file_location("storage", storage)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

manager = module.SQLiteManager(sys.argv[1])
created = "2026-01-02T09:00:00+00:00"
manager.add_history("m1", None, "Ana lives in Berlin", "ADD", created_at=created, actor_id="ana", role="user")
manager.add_history(
    "m1",
    "Ana lives in Berlin",
    "Ana lives in Leipzig",
    "UPDATE",
    created_at=created,
    updated_at="2026-03-04T09:00:00+00:00",
)
manager.batch_add_history(
    [
        {"memory_id": "m2", "new_memory": "下个月要续签护照", "event": "ADD", "created_at": created},
        {"memory_id": "m3", "new_memory": "Ana likes chess", "event": "ADD", "created_at": created},
    ]
)
manager.add_history("m3", "Ana likes chess", None, "DELETE", created_at=created, is_deleted=1)
manager.save_messages(
    [{"role": "user", "content": "Ich bin nach Leipzig gezogen", "name": "ana"}, {"role": "assistant", "content": "Noted."}],
    "run_id=trip&user_id=ana",
)
manager.close()
